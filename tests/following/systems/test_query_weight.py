"""How much of a query a document must hold to be read, by its weight; and what the default tells of short items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from tests.sweeps import cases, every
from tidings import follow
from tidings.core.protocols import Saved
from tidings.core.records import Document, Event, Update
from tidings.core.records.standing import StandingEvent
from tidings.core.text.sentences import cut
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.assembly import standing_system
from tidings.following.systems.registry import available, make
from tidings.following.systems.tidings.query_names import QueryNames
from tidings.following.systems.tidings.query_words import QueryWeight
from tidings.sources import bundled
from tidings.sources.streams import read_events, read_stream

QUERY = frozenset({"iran", "nuclear", "talk", "geneva"})
WEIGHTS = {"iran": 5.0, "nuclear": 5.0, "talk": 4.0, "geneva": 8.0}  # 22 in all


@every(
    "stems, common, familiar, allowed",
    [
        ({"iran", "nuclear", "talk"}, {"iran"}, False, True),  # 14 of 22
        ({"iran", "geneva"}, {"iran"}, False, False),  # 13 of 22
        ({"iran", "geneva"}, {"iran"}, True, True),
        ({"iran", "geneva"}, set(), False, True),  # nothing was said yet
        ({"iran", "nuclear"}, set(), False, False),  # 10 of 22
        ({"geneva", "talk"}, set(), False, False),  # 12 of 22, without the country
        ({"geneva"}, {"iran"}, True, False),  # 8 of 22
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
    assert weight.allows({people, "x"}, set(), lambda: False)
    assert not weight.allows({"x", "y"}, set(), lambda: False)


TOLD = {"extradit", "sweden", "cabl", "leak", "court", "bail"}


def asked_after(query: set[str], heads: Sequence[set[str]]) -> QueryWeight:
    weight = QueryWeight(frozenset(query), {"trump": 5.0}, 8.5)
    for head in heads:
        weight.add(head, head)
    return weight


def of_one_story(name: str, articles: int, *more: str) -> list[set[str]]:
    return [{name, *more, f"word{number}", *sorted(TOLD)[number % 2 :]} for number in range(articles)]


def of_this_and_that(name: str, articles: int) -> list[set[str]]:
    return [{name, "said", *(f"word{number}{place}" for place in "abcdef")} for number in range(articles)]


def test_a_name_with_one_story_stands_alone_until_the_news_has_the_other_words_beside_it() -> None:
    query, other = {"assang", "ecuador", "embassi"}, [{"embassi", "said"}] * 4
    assert not asked_after(query, other + of_one_story("assang", 5)).asks_for({"assang"})
    assert asked_after(query, other + of_one_story("assang", 6)).asks_for({"assang"})
    beside = of_one_story("assang", 6, "embassi", "ecuador")
    assert not asked_after(query, other + beside).asks_for({"assang"})


def test_a_name_at_the_beginning_of_much_of_the_news_stands_for_no_word_that_is_not_there() -> None:
    games = asked_after({"olymp", "holmberg", "medal"}, of_one_story("olymp", 9))
    assert not games.asks_for({"olymp"}) and games.asks_for({"olymp", "holmberg"})
    half = asked_after({"chris", "chess", "titl"}, [{"chris"}] * 9)
    assert not half.asks_for({"chris"}), "anybody may be called so"
    whole = asked_after({"chris", "brown", "probat"}, [{"chris", "brown"}] * 9)
    assert whole.asks_for({"chris", "brown"}), "and hardly anybody so"


def test_a_place_stands_alone_where_its_news_is_one_story() -> None:
    query, other = {"libya", "nato", "strike"}, [{"nato", "strike"}] * 4
    assert not asked_after(query, other + of_one_story("libya", 14)).asks_for({"libya"})
    one = asked_after(query, other + of_one_story("libya", 15))
    assert one.asks_for({"libya"}) and one.holds_one_story({"libyan"}) and not one.holds_one_story({"nato"})
    many = asked_after(query, other + of_this_and_that("libya", 30))
    assert not many.asks_for({"libya"}) and not many.holds_one_story({"libya"})
    assert many.holds_name({"libya"}), "that much happens in a place does not make it another"
    beside = asked_after(query, other + of_one_story("libya", 15, "nato", "strike"))
    assert not beside.asks_for({"libya"}) and beside.holds_one_story({"libya"})


def test_a_name_that_is_told_of_every_day_stands_for_nothing_by_itself() -> None:
    """Of a story that is not in the stream, nothing is told for being about somebody who is."""
    nothing = frozenset[str]()
    for query in ({"trump", "greenland", "purchas"}, {"trump", "impeach"}):
        weight = asked_after(query, [{"greenland", "ice"}] * 20 + of_this_and_that("trump", 100))
        assert not weight.asks_for({"trump"}) and not weight.allows({"trump"}, nothing, lambda: True)
        assert weight.share({"trump"}) < 0.1 and not weight.holds_name({"trump", "ice"})
        assert weight.asks_for(query) and weight.holds_name(query)
    alone = asked_after({"trump"}, of_this_and_that("trump", 100))
    assert alone.asks_for({"trump"}), "a query of one name is all of its news"


def test_beside_a_place_a_name_that_is_told_of_every_day_names_no_story() -> None:
    query = {"trump", "greenland", "threat"}
    weight = asked_after(query, [{"greenland", "ice"}] * 20 + of_this_and_that("trump", 100))
    assert not weight.holds_name({"trump", "threat"}) and weight.holds_name({"greenland", "threat"})
    assert not weight.asks_for({"trump", "threat"})
    without_place = asked_after({"trump", "purchas", "threat"}, of_this_and_that("trump", 100))
    assert without_place.holds_name({"trump", "threat"}), "it is the only name"


def test_what_is_asked_for_stands_in_one_place() -> None:
    weight = QueryWeight(QUERY, WEIGHTS, 8.5)
    weight.add(QUERY)
    assert weight.is_stated({"iran", "nuclear", "talk"}, [set()]), "14 of 22 in the title"
    assert weight.is_stated({"talk", "iran"}, [{"geneva", "iran", "talk"}]), "in a sentence"
    assert weight.is_stated({"iran"}, [{"nuclear"}, {"talk"}]), (
        "of four words, in title and first sentences together"
    )
    assert not weight.is_stated({"iran"}, [{"nuclear"}, {"oil"}, {"talk"}]), "the third is no beginning"
    assert not weight.is_stated({"oil"}, [{"price"}, {"barrel"}, {"iran", "nuclear", "talk"}]), (
        "mentioned at the end"
    )
    of_three = QueryWeight(frozenset({"flood", "dyke", "river"}), {}, 8.5)
    assert not of_three.is_stated({"flood"}, [{"dyke"}, {"river"}]) and of_three.is_stated(
        set(), [{"flood", "dyke"}]
    )


def test_a_place_alone_does_not_state_what_the_news_hardly_names() -> None:
    weight = asked_after({"ukrain", "eurovis"}, [TOLD | {"ukrain"}] * 20)
    assert weight.asks_for({"ukrain"}) and not weight.is_stated({"ukrain"}, [{"ukrain", "war"}])
    assert weight.is_stated({"ukrain", "eurovis"}, [])


def test_of_a_query_with_two_people_both_stand_in_one_place() -> None:
    heads = [{"macron", "pari"}] * 5 + [{"modi", "delhi"}] * 5 + [{"macron", "modi"}]
    weight = QueryWeight(frozenset({"macron", "modi"}), {"macron": 9.0, "modi": 4.0}, 8.5)
    for head in heads:
        weight.add(head, head)
    assert weight.is_stated({"macron", "modi"}, []) and not weight.is_stated({"macron", "merz"}, [])


def test_a_name_in_two_parts_counts_once() -> None:
    both = {"keir", "starmer"}
    weight = QueryWeight(frozenset({*both, "resign"}), {}, 8.5)
    for head in [{*both, "law"}] * 9 + [{"starmer"}] * 3 + [{"resign"}] * 4:
        weight.add(head, head)
    assert not weight.is_stated({*both, "law"}, []) and weight.is_stated({"starmer", "resign"}, [])


def test_of_two_people_whose_news_is_apart_the_news_of_one_is_not_followed() -> None:
    told = [
        *(
            (
                f"Epstein files name guests in {place}",
                f"The Justice Department released {count} files on Jeffrey Epstein, a court in {place} said. "
                f"The convicted offender Epstein kept records of guests in {place}.",
            )
            for count, place in enumerate(("Palm Beach", "Manhattan", "Santa Fe", "Saint James", "Paris"), 20)
        ),
        *(
            (
                f"Andrew leaves {place}",
                f"Prince Andrew has left his lodge in {place}, the palace said on Monday. "
                f"Andrew gave up {count} titles.",
            )
            for count, place in enumerate(("Windsor", "Norfolk", "Balmoral", "Sandringham", "York"), 2)
        ),
        (
            "Police search Andrew's lodge in Epstein inquiry",
            "Police searched the lodge of Prince Andrew in the inquiry into Jeffrey Epstein on Tuesday, they said.",
        ),
        (
            "Epstein's bank settles",
            "A bank of Jeffrey Epstein agreed on Wednesday to pay 75 million dollars to victims of the convicted "
            "offender, a court said.",
        ),
    ]
    documents = [
        {"id": f"d{number}", "published_time": 1_700_000_000 + 7_200 * number, "title": title, "text": text}
        for number, (title, text) in enumerate(told)
    ]
    emitted = [update.doc_id for update in follow(documents, query="andrew epstein police")]
    assert "d10" in emitted and "d11" not in emitted


def test_who_asks_for_a_crisis_asks_for_all_that_happens_in_the_place() -> None:
    for word, asks in ("crisi", True), ("repatri", False):
        weight = asked_after({"syria", word}, [{word, "said"}] * 4 + of_this_and_that("syria", 30))
        assert weight.asks_for({"syria"}) is asks


def test_a_place_alone_is_not_what_was_asked_for() -> None:
    weight = asked_after({"colombia", "deporte"}, [{"deporte", "said"}] * 4)
    assert weight.asks_for({"colombia", "deporte"}) and not weight.asks_for({"colombia"})
    assert not weight.allows({"colombia", "flood"}, {"colombia"}, lambda: True)
    small = asked_after({"hom", "shell"}, [{"shell", "said"}] * 4)
    assert small.asks_for({"hom"}), "of a place that is seldom in the news this is the news"
    unmet = asked_after({"brazil", "impeach"}, of_this_and_that("brazil", 20))
    assert unmet.asks_for({"brazil"}), "the news has no such word"
    beside = asked_after(
        {"brazil", "trump", "impeach"}, of_this_and_that("trump", 40) + of_this_and_that("brazil", 20)
    )
    assert not beside.asks_for({"brazil", "trump"}), "of both there is other news"
    for mishap in ("tsunami", "cholera", "wildfir", "famin", "blackout"):
        absent = asked_after({"brazil", mishap}, of_this_and_that("brazil", 20))
        assert not absent.asks_for({"brazil"}), "the news would name it"
    heavy = QueryWeight(frozenset({"spain", "storm"}), {"spain": 5.0, "storm": 4.0}, 8.5)
    assert heavy.asks_for({"spain", "storm"}) and not heavy.asks_for({"spain"}), "though it weighs more"
    war = asked_after({"sudan", "war"}, of_this_and_that("sudan", 20))
    assert war.asks_for({"sudan"}), "much of the news has that word"


def test_a_place_and_a_name_of_other_news_are_not_what_was_asked_for() -> None:
    weight = asked_after(
        {"trump", "canada", "bridg"}, of_this_and_that("trump", 40) + of_this_and_that("canada", 20)
    )
    assert not weight.asks_for({"trump", "canada"}) and weight.asks_for({"trump", "canada", "bridg"})
    threats = asked_after({"trump", "canada", "threat"}, of_this_and_that("trump", 40))
    assert threats.asks_for({"trump", "canada"}), "a word that others say otherwise"


def test_a_town_names_no_story_of_a_country() -> None:
    weight = QueryWeight(QUERY, WEIGHTS, 8.5)
    assert not weight.holds_name({"geneva", "talk"}) and weight.holds_name({"iranian", "talk"})
    assert not weight.asks_for({"geneva", "talk", "nuclear"}), "they talk there of other arms too"
    alone = QueryWeight(QUERY - {"iran"}, WEIGHTS, 8.5)
    assert alone.holds_name({"geneva", "talk"}) and alone.asks_for({"geneva", "talk"})


def test_what_news_of_a_name_is_remains_known() -> None:
    query = {"assang", "ecuador", "embassi"}
    weight = asked_after(query, [{"embassi"}] * 4 + of_one_story("assang", 6))
    restored = QueryWeight(frozenset(query), {"trump": 5.0}, 8.5)
    restored.restore(*weight.state())
    assert restored.asks_for({"assang"}) and restored.state() == weight.state()


def test_a_title_is_no_name() -> None:
    weight = QueryWeight(frozenset({"appl", "ceo"}), {"appl": 4.0, "ceo": 5.0}, 8.5)
    weight.add({"appl", "ceo"})
    assert not weight.asks_for({"ceo"}), "another company's"
    assert weight.asks_for({"appl", "ceo"})


def test_names_of_a_query_are_met_together_in_a_sentence() -> None:
    names = QueryNames(frozenset({"skill", "lay"}), lambda word: [word.lower().removesuffix("ing")])
    together = ["skill", "lay", "guilti"]
    assert not names.are_together([together]), "they may be any words"
    names.add([("The jury found Skilling and Lay guilty", together)])
    assert names.are_together([["court"], together])
    assert not names.are_together([["skill"], ["lay"]])


def test_a_beginning_with_all_of_the_query_is_of_it_though_no_sentence_holds_two_of_its_words() -> None:
    article = Document(
        id="d1",
        published_time=86_400,
        title="Paralympian held in Pretoria",
        text="The girlfriend of the athlete was found dead at his home in Pretoria on Thursday. "
        "She was shot four times, police said on Friday. A court will hear the case on Tuesday.",
    )
    event = Event(id="e", title="", query="paralympian shot girlfriend")
    assert make("tidings").start(event).push(cut(article).sentences, 86_400)


def test_of_two_words_the_rarer_is_enough() -> None:
    weight = QueryWeight(frozenset({"assad", "crisi"}), {"assad": 7.0, "crisi": 5.0}, 8.5)
    assert weight.allows({"assad"}, set(), lambda: False)
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
    longer = f"{text} Divers found two more bodies on Tuesday, and the death toll rose to 14, the coast guard said."
    longer += (
        " The owner said on Tuesday that the ferry was inspected in May. Bilbao closed its port on Tuesday."
    )
    more = Document(id="d", published_time=1000, title=title, text=longer, source="Wire")
    assert len(make("tidings:article_level=0.4").start(event).push(cut(more).sentences, 1000)) == 2


@every(
    "query, title, text, is_told",
    cases(__file__, "items"),
)
def test_an_item_that_states_something_with_all_of_the_query_needs_less(
    query: str, title: str, text: str, is_told: bool
) -> None:
    item = Document(id="i", published_time=1000, title=title, text=text, source="Wire")
    updates = make("tidings").start(Event(id="e", title="x", query=query)).push(cut(item).sentences, 1000)
    assert [update.text for update in updates if isinstance(update, Update)] == [title] * is_told


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


EVENT = replace(read_events(bundled.path())[0], start_time=None, end_time=None)
OTHER = replace(EVENT, title="Another", query="santiago angrois railway accident", languages=("en", "es"))
PACES = ("", "10/day", "2/hour", "up to 40/day")
QUICK = ("cosine", "cosine:updates_per_hour=6", "tidings:values=yes,entities=yes", "lexrank")
MORE = tuple(cases(__file__, "more"))


class Kept:
    """A checkpoint in memory."""

    def __init__(self, states: Mapping[str, bytes]) -> None:
        self.states = dict(states)

    def load(self) -> Saved:
        return Saved(states=self.states)

    def commit(
        self, positions: object, states: Mapping[str, bytes], *_: object, finished: bool = False
    ) -> None:
        self.states.update(states)


def followed(
    standing: StandingEvent, documents: Sequence[Document], state: bytes | None = None
) -> tuple[list[str], bytes]:
    """The texts that are told, and what is remembered."""
    kept = Kept({} if state is None else {EVENT.id: state})
    systems = {EVENT.id: standing_system(standing)}
    steps = follow_stream(documents, [standing.event], systems, kept, lateness_s=0)
    texts = [one.text for _, outputs in steps for one in outputs if isinstance(one, Update)]
    return texts, kept.states[EVENT.id]


def told_again(documents: Sequence[Document]) -> list[Document]:
    """The same a day later, as other outlets' articles."""
    return [
        replace(
            one,
            id=f"{one.id}-again",
            published_time=one.published_time + 86_400,
            sentences=tuple(
                replace(sentence, doc_id=f"{one.id}-again", published_time=sentence.published_time + 86_400)
                for sentence in one.sentences
            ),
        )
        for one in documents
    ]


def check(system: str, count: int, paces: Sequence[str]) -> None:
    documents = sorted(read_stream(bundled.path()), key=lambda one: one.published_time)[:count]
    again = told_again(documents)
    for about in paces:
        before = StandingEvent(event=EVENT, system=system, about=about)
        texts, state = followed(before, documents)
        assert texts or about, "an example without updates shows nothing"  # a low pace may leave none
        unchanged, _ = followed(before, again, state)
        same = replace(before, event=replace(EVENT, languages=("en", "es")))
        assert followed(same, again, state)[0] == unchanged
        for now in (replace(before, event=OTHER), *(replace(before, about=pace) for pace in PACES)):
            later, _ = followed(now, again, state)
            if set(unchanged).isdisjoint(texts):  # it remembers what it told
                assert set(later).isdisjoint(texts), (system, about, now)


@every("system", QUICK)
def test_what_was_told_is_remembered(system: str) -> None:
    check(system, 14, ("", "up to 40/day"))


@pytest.mark.long
@every("system", [*available(), *MORE])
def test_what_was_told_is_remembered_by_every_system(system: str) -> None:
    check(system, 60, PACES)


@every("sentences, expected", [(8, True), (3, False)])
def test_whole_articles_make_a_story_known_that_no_place_of_them_states(sentences, expected) -> None:
    provinces = ["Balkh", "Farah", "Ghazni", "Ghor", "Helmand", "Herat", "Khost", "Kunar", "Kunduz", "Zabul"]
    documents = []
    for number, province in enumerate(provinces, 2):
        told = [
            f"President Karzai dismissed {number} Afghan officials in {province} on Monday, his palace said."
        ]
        told += [
            f"Karzai told {province} elders that Afghan police lost {number + place} posts."
            for place in range(7)
        ]
        documents.append(
            {
                "id": province,
                "published_time": 1_700_000_000 + 86_400 * number,
                "title": f"Karzai dismisses Afghan officials in {province}",
                "text": " ".join(told[: sentences - 1]),
            }
        )
    assert bool(list(follow(documents, query="hamed karzai"))) is expected


def test_a_place_teaches_no_story_that_is_asked_for_in_it() -> None:
    weight = QueryWeight(frozenset({"china", "panda"}), {}, 8.5)
    assert weight.holds_only_places({"chines", "missil"}) and not weight.holds_only_places({"china", "panda"})
    assert not QueryWeight(frozenset({"china"}), {}, 8.5).holds_only_places({"china"})


@every(
    "query, title",
    [
        ("gaza ceasefire", "Gaza Cease-Fire Holds as Hamas Frees Hostages"),
        ("uk flood", "U.K. Flood Kills Twelve People in the Town of Hebden"),
    ],
)
def test_a_word_may_be_written_in_two_parts(query: str, title: str) -> None:
    text = "The authorities said on Monday that twelve people had been found, and that more were missing."
    document = {"id": "d", "published_time": 1_700_000_000, "title": title, "text": text}
    assert [update.doc_id for update in follow([document], query=query)] == ["d"]
    other = document | {"title": title.replace("Cease-Fire", "Fire Cease").replace("U.K.", "K.U.")}
    assert not list(follow([other], query=query)), "side by side"


BANK = "Police said on Monday that the burglars had emptied 3,000 boxes in the vault of a branch in Gelsenkirchen."


@every(
    "title, is_told",
    [
        ("German Bank Heist: Thieves Take 30 Million Euros", True),
        ("German Police Seek Three Men After a Heist", False),  # no bank
        ("German Bank Merger: Investors Take 30 Million Euros", False),
    ],
)
def test_a_word_that_headlines_use_for_one_that_alone_is_lacking(title: str, is_told: bool) -> None:
    document = {"id": "d", "published_time": 1_700_000_000, "title": title, "text": BANK}
    assert bool(list(follow([document], query="german bank robbery"))) is is_told


def test_a_name_is_not_such_a_word() -> None:
    text = "Director Rob Reiner won an award in Hollywood on Monday for his last film, the academy said. More follows."
    document = {
        "id": "d",
        "published_time": 1_700_000_000,
        "title": "Rob Reiner Wins Hollywood Award",
        "text": text,
    }
    assert not list(follow([document], query="hollywood robbery"))


@every("event, is_told", [("heist", True), ("merger", False)])
def test_such_a_word_may_stand_in_a_sentence_instead(event: str, is_told: bool) -> None:
    text = f"Police said on Monday that ten men of the German bank {event} in Gelsenkirchen had emptied 3,000 boxes."
    document = {
        "id": "d",
        "published_time": 1_700_000_000,
        "title": "Thieves Take 30 Million Euros",
        "text": text,
    }
    assert bool(list(follow([document], query="german bank robbery"))) is is_told


def test_a_word_with_another_sense_stands_for_none() -> None:
    blast, explosion = (QueryWeight(frozenset({"iran", word}), {}, 8.5) for word in ("blast", "explos"))
    assert "blast" in blast.complete(frozenset({"iran", "explos"}))
    assert "explos" not in explosion.complete(frozenset({"trump", "blast", "iran"})), "Trump blasts Iran"


def test_a_death_says_what_happened_but_not_what_an_article_is_about() -> None:
    weight = QueryWeight(frozenset({"robert", "duval", "death"}), {}, 8.5)
    assert weight.holds_whole({"robert", "duval", "die", "actor"})
    assert not weight.holds_whole({"robert", "die", "actor"})
    assert weight.complete(frozenset({"robert", "duval", "die"})) == {"robert", "duval", "die"}


def test_what_may_be_missing_in_one_place() -> None:
    war = QueryWeight(frozenset({"syria", "war"}), {"syria": 8.0, "war": 3.0}, 8.5)
    assert war.is_stated({"syria"}, []), "a war is not named every time"
    heavy = {"macron": 9.0, "modi": 1.0, "visit": 9.0}
    people = QueryWeight(frozenset(heavy), heavy, 8.5)
    assert people.is_stated({"macron", "modi"}, [{"visit", "modi", "macron"}])
    assert not people.is_stated({"macron", "visit"}, []), "the visit of another"
    places = QueryWeight(frozenset({"ukrain", "iran"}), {"ukrain": 8.0, "iran": 4.0}, 8.5)
    for _ in range(20):
        places.add({"ukrain"})
    assert not places.is_stated({"ukrain"}, []), "one place says nothing of the other"


def test_a_title_may_state_what_no_sentence_of_the_page_does() -> None:
    sentences = [
        "Twelve passengers of the ferry died on Monday when flames spread through the engine room, officials said.",
        "The coast guard found 30 others in the water.",
    ]
    document = {"id": "d", "published_time": 1_700_000_000, "title": "Ferry Fire off Zamboanga Kills 12"}
    asked = "ferry fire zamboanga captain"
    assert [one.doc_id for one in follow([document | {"sentences": sentences}], query=asked)] == ["d"]


@every("letters, is_told", [(20, True), (3_000, False)])
def test_a_sentence_with_a_word_of_endless_length_is_not_told(letters: int, is_told: bool) -> None:
    first = f"A ferry fire off Nador killed 12 people on Monday, the coast guard at {'x' * letters} said."
    text = f"{first} The coast guard found 30 others in the water. Nobody knows why the ferry burned."
    document = {"id": "d", "published_time": 1_700_000_000, "text": text}
    told = [update.text for update in follow([document], query="ferry fire nador")]
    assert told == ([first] if is_told else [])
