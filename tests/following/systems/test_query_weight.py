"""How much of a query a document must hold to be read, by its weight; and what the default tells of short items."""

from __future__ import annotations

from tests.sweeps import every
from tidings.core.records import Document, Event
from tidings.core.text.sentences import cut
from tidings.following.systems.registry import make
from tidings.following.systems.tidings.query_words import QueryWeight

QUERY = frozenset({"iran", "nuclear", "talk", "geneva"})
WEIGHTS = {"iran": 5.0, "nuclear": 5.0, "talk": 4.0, "geneva": 8.0}  # 22 in all


@every(
    "stems, common, familiar, allowed",
    [
        ({"iran", "nuclear", "talk"}, {"iran"}, False, True),  # 14 of 22
        ({"iran", "geneva"}, {"iran"}, False, False),  # 13 of 22
        ({"iran", "geneva"}, {"iran"}, True, True),
        ({"iran", "nuclear"}, set(), False, True),  # 10 of 22, and nothing was said yet
        ({"geneva", "talk"}, set(), False, False),  # 12 of 22, without the country
        ({"geneva"}, {"iran"}, True, True),  # 8 of 22
        ({"geneva"}, set(), True, False),
        ({"iran"}, {"iran"}, True, False),  # 5 of 22
        ({"iran", "strait", "hormuz"}, {"iran", "strait"}, True, True),
        ({"iran", "strait", "hormuz"}, {"iran", "strait"}, False, False),
        ({"strait", "hormuz"}, {"strait", "hormuz"}, True, False),  # not a word of the query
    ],
)
def test_what_may_be_about_the_event(stems, common, familiar, allowed) -> None:
    assert QueryWeight(QUERY, WEIGHTS, 8.5).allows(stems, common, lambda: familiar) is allowed


@every("country, people", [("iran", "iranian"), ("syria", "syrian"), ("china", "chines")])
def test_the_people_of_a_country_stand_for_it(country: str, people: str) -> None:
    weight = QueryWeight(frozenset({country, "x", "y"}), {country: 9.0, "x": 1.0, "y": 1.0}, 8.5)
    assert weight.allows({people}, set(), lambda: False)
    assert not weight.allows({"y"}, set(), lambda: False)


def test_of_two_words_the_rarer_is_enough() -> None:
    weight = QueryWeight(frozenset({"syria", "crisi"}), {"syria": 7.0, "crisi": 5.0}, 8.5)
    assert weight.allows({"syria"}, set(), lambda: False)
    assert not weight.allows({"crisi"}, set(), lambda: True)


def test_the_default_tells_nothing_of_an_item_that_shares_common_words() -> None:
    """Titles and summaries as feeds give them; one of the two shares "killed" and "right" with the query only."""
    said = {
        "Market bombed": "A rights group says drone strikes hit a busy market, killing at least 28 people.",
        "Student dies": "Quentin Meradec, 23, was beaten to death by far-right activists in Lyon, police said.",
    }
    event = Event(id="e", title="x", query="Quentin Meradec killed Lyon far-right")
    follower = make("tidings").start(event)
    updates = []
    for number, (title, text) in enumerate(said.items()):
        document = Document(
            id=f"d{number}", published_time=1000 + number, title=title, text=text, source="Wire"
        )
        updates += follower.push(cut(document).sentences, document.published_time)
    assert [update.doc_id for update in updates] == ["d1"]


def test_of_an_item_of_a_feed_one_sentence_is_told() -> None:
    item = Document(
        id="i",
        published_time=1000,
        title="France arrests nine over killing of far-right activist Quentin Meradec, prosecutor says",
        text="Quentin Meradec, 23, was beaten to death by activists in Lyon on Thursday, police said on Monday.",
    )
    lyon = Event(id="e", title="x", query="Quentin Meradec killed Lyon far-right")
    assert len(make("tidings").start(lyon).push(cut(item).sentences, 1000)) == 1
    title = "Ferry with 200 aboard burns off Bilbao"
    text = "A ferry caught fire off the Spanish port of Bilbao on Monday, killing 12 people, the coast guard said."
    event = Event(id="e", title="x", query="ferry fire Bilbao")
    document = Document(id="d", published_time=1000, title=title, text=text, source="Wire")
    assert len(make("tidings").start(event).push(cut(document).sentences, 1000)) == 1
    longer = (
        f"{text} Divers found two more bodies in the burnt ferry off Bilbao on Tuesday, the coast guard said."
    )
    longer += (
        " The owner said on Tuesday that the ferry was inspected in May. Bilbao closed its port on Tuesday."
    )
    more = Document(id="d", published_time=1000, title=title, text=longer, source="Wire")
    assert len(make("tidings").start(event).push(cut(more).sentences, 1000)) == 2


def test_a_report_that_is_copied_early_in_a_story_is_told_once() -> None:
    """All that two outlets share is then what the story has in common."""
    event = Event(id="e", title="x", query="Iran talks Geneva")
    first = (
        "Iran announced the temporary closure of the Strait of Hormuz for live fire military drills as its negotiators "
        "held another round of talks in Geneva."
    )
    copied = (
        "Iran announced the temporary closure of the Strait of Hormuz on Tuesday for live fire drills in a rare show "
        "of force as its negotiators held another round of talks in Geneva."
    )
    follower, updates = make("tidings").start(event), []
    for number, text in enumerate((first, copied)):
        document = Document(id=f"d{number}", published_time=1000 + number, text=text, source=f"Wire {number}")
        updates += follower.push(cut(document).sentences, document.published_time)
    assert [update.doc_id for update in updates] == ["d0"]
