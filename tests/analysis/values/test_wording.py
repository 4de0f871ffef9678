"""How news says it: denials, what came on top, prices, corrections, names of storms, tables of headlines."""

from __future__ import annotations

from tests.sweeps import cases, every
from tidings.analysis.values.mentions import find_mentions
from tidings.following.values.series import weight_of

OWN = frozenset({"ferri", "fire", "port"})


def read(text: str, own: frozenset[str] = OWN) -> list[tuple[str, float, tuple[str, ...]]]:
    return [(one.attribute, one.value, one.doubts) for one in find_mentions(text, 2014, own, about=2)]


def counted(text: str, own: frozenset[str] = OWN) -> list[tuple[str, float]]:
    """What a text is believed to say: mentions that have a vote."""
    mentions = find_mentions(text, 2014, own, about=2)
    return [(one.attribute, one.value) for one in mentions if weight_of(one) > 0.3]


@every(
    "text, attribute",
    cases(__file__, "what is said of nobody"),
)
def test_what_is_said_of_nobody(text, attribute):
    assert counted(text) == [(attribute, 0)]


def test_nobody_dead_and_nobody_hurt_in_one_breath():
    assert counted("There were no deaths or injuries.") == [("deaths", 0), ("injuries", 0)]


@every(
    "text",
    ["No further deaths were reported", "No one else was hurt", "no serious injuries", "no more bodies"],
)
def test_what_is_not_said_of_all(text):
    assert counted(text) == []


@every(
    "text",
    cases(__file__, "what came on top is no toll"),
)
def test_what_came_on_top_is_no_toll(text):
    assert counted(text) == []
    assert "more" in read(text)[0][2]


@every(
    "text, sums",
    cases(__file__, "a price is no damage", lists=True),
)
def test_a_price_is_no_damage(text, sums):
    assert [value for attribute, value in counted(text) if attribute == "financialimpact"] == sums


@every(
    "text",
    cases(__file__, "what is no longer so"),
)
def test_what_is_no_longer_so(text):
    assert counted(text) == []
    assert "ended" in read(text)[0][2]


@every(
    "text, doubt",
    cases(__file__, "what is taken back"),
)
def test_what_is_taken_back(text, doubt):
    assert doubt in read(text)[0][2]


@every(
    "text, value, instead_of",
    cases(__file__, "a toll that changes"),
)
def test_a_toll_that_changes(text, value, instead_of):
    (mention,) = find_mentions(text, 2014, OWN, about=2)
    assert (mention.attribute, mention.value, mention.instead_of) == ("deaths", value, instead_of)
    assert weight_of(mention) >= 2.0


@every(
    "text, expected",
    [
        ("50 people were killed and more than 700 injured", [("deaths", 50), ("injuries", 700)]),
        ("Several people were killed and 550 injured", [("injuries", 550)]),
        ("killing six and critically injuring three", [("deaths", 6), ("injuries", 3)]),
        ("the worst in decades, with at least 39 dead and 155 injured", [("deaths", 39), ("injuries", 155)]),
        ("418 people killed, with around 400 more still missing", [("deaths", 418), ("missing", 400)]),
        ("12 shot dead in the port", [("deaths", 12)]),
        ("the toll nears 300", [("deaths", 300)]),
        ("Since it struck last week, 548 people have been confirmed dead", [("deaths", 548)]),
        ("21 Israelis were injured", [("injuries", 21)]),
        ("Preliminary reports of 15 dead", [("deaths", 15)]),
        ("The death toll from the 7.0 magnitude quake is yet to emerge", []),
        ("The death toll from 12 separate ambushes is yet to emerge", []),
        ("Deaths are blamed on the storm, which has cut power to an estimated 5.2 million people", []),
        ("She wept for a loved one who died in the fire", []),
        ("12 of the dead were children", []),
        ("40 of those injured were women", []),
    ],
)
def test_one_count_and_the_next(text, expected):
    assert counted(text) == expected


@every(
    "text",
    [
        "the worst since the 1976 7.5-magnitude earthquake that left 25,000 people dead",
        "the worst since 1976, the president told reporters, when a 7.5-magnitude quake killed 23,000 people",
    ],
)
def test_what_it_is_compared_with_is_past(text):
    assert all("past" in doubts for _, _, doubts in read(text))


@every(
    "text",
    cases(__file__, "a place is a part"),
)
def test_a_place_is_a_part(text):
    assert "place" in read(text)[0][2]


def test_what_it_recovers_from_is_not_told():
    assert counted("22 people died in a nation still recovering from the 2010 earthquake") == [("deaths", 22)]


STORM = frozenset({"typhoon", "bopha"})


@every(
    "text",
    cases(__file__, "a storm by its other name"),
)
def test_a_storm_by_its_other_name(text):
    assert all("other" not in doubts for _, _, doubts in read(text, STORM))
    assert read(text, STORM)


def test_a_storm_of_another_name():
    assert "other" in read("Typhoon Washi killed 1,200 people", STORM)[0][2]
    assert "other" in read("Storm Leah killed 12 people", STORM)[0][2]


def test_a_question_and_a_writer_elsewhere_in_a_long_text_say_nothing_of_a_number():
    """Pools hold whole pages of headlines in one piece."""
    filler = "Weather for the weekend is mild. " * 14
    text = f"The fire in the port killed 12 people. {filler}What do I do with my plants?"
    assert read(text) == [("deaths", 12, ())]
    assert "question" in read("Did the fire kill 12 people?")[0][2]
    assert "comment" in read(f"{filler}I heard that 12 people died.")[0][2]
