"""What sentences count, of whom, and what is held against it."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.analysis import find_mentions
from tidings.analysis.values.cleaning import clean
from tidings.following.values.series import weight_of

OWN = frozenset({"train", "crash", "spain", "santiago"})


def read(text: str, year: int = 2013) -> list[tuple[str, float, tuple[str, ...]]]:
    return [(one.attribute, one.value, one.doubts) for one in find_mentions(text, year, OWN)]


@every(
    "text, expected",
    [
        ("At least 45 people were killed.", [("deaths", 45)]),
        ("killing 49 people and injuring at least 600", [("deaths", 49), ("injuries", 600)]),
        ("49 dead, 600 hurt in train crash", [("deaths", 49), ("injuries", 600)]),
        ("dead: 12, injured: 58", [("deaths", 12), ("injuries", 58)]),
        ("Fatalities=48", [("deaths", 48)]),
        ("total injuries 250", [("injuries", 250)]),
        ("676+ injuries", [("injuries", 676)]),
        ("The death toll has risen above 150,000", [("deaths", 150_000)]),
        ("bringing the toll to 77", [("deaths", 77)]),
        ("the blaze claimed 51 lives", [("deaths", 51)]),
        ("with the loss of 11 lives", [("deaths", 11)]),
        ("a cat with nine lives", []),
        ("Seat belts saved at least 500 lives.", []),
        ("It ruined two young lives.", []),
        ("Eleven workers were killed", [("deaths", 11)]),
        ("divers found the 17th body", [("deaths", 17)]),
        ("a second person has died", [("deaths", 2)]),
        ("a second body of evidence came to light", []),
        ("he got a second death sentence", []),
        ("51 people on board were killed", [("deaths", 51)]),
        ("As of 5 December, 238 deaths had been reported", [("deaths", 238)]),
        ("Nobody was killed.", [("deaths", 0)]),
        ("There were no injuries when 44 centimetres of snow fell.", [("injuries", 0)]),
        ("23 people are still missing", [("missing", 23)]),
        ("Train kills 12, 23 unaccounted for", [("deaths", 12), ("missing", 23)]),
        ("4,000 people were evacuated", [("displaced", 4_000)]),
        ("36,000 people given emergency shelter", [("displaced", 36_000)]),
        ("police arrested 47 suspects", [("arrested", 47)]),
        ("damage is put at $20 billion to $50 billion", [("financialimpact", 20e9)]),
        ("losses of 2 million euros", [("financialimpact", 2.6e6)]),
    ],
)
def test_what_is_counted(text, expected):
    assert [(attribute, value) for attribute, value, _ in read(text)] == [
        (attribute, pytest.approx(value)) for attribute, value in expected
    ]


@every(
    "text",
    cases(__file__, "what counts no people"),
)
def test_what_counts_no_people(text):
    assert [one for one in read(text) if "vague" not in one[2] and one[1] > 0] == []


@every(
    "text, doubt",
    cases(__file__, "what is held against a number"),
)
def test_what_is_held_against_a_number(text, doubt):
    assert any(doubt in doubts for _, _, doubts in read(text)), read(text)


@every(
    "text",
    cases(__file__, "what is meant of the event"),
)
def test_what_is_meant_of_the_event(text):
    assert any(not doubts for _, value, doubts in read(text) if value != 12), read(text)


def test_corrections_name_what_they_correct():
    for text in (
        "Police lowered the toll from 80 to 78 dead",
        "The toll was corrected: 78 people died, not 80",
    ):
        mention = next(one for one in find_mentions(text, 2013, OWN) if one.value == 78)
        assert mention.instead_of == 80


def test_corrections_take_what_is_counted_from_before():
    mentions = find_mentions(
        "Initial reports said that there were 14 victims but this was revised down to 12.", 2013, OWN
    )
    assert [(one.attribute, one.value) for one in mentions] == [("deaths", 12)]


def test_totals_and_officials():
    said = find_mentions("The death toll rose to 80, police said", 2013, OWN)[0]
    plain = find_mentions("80 people died", 2013, OWN)[0]
    assert said.toll
    assert said.official
    assert not plain.toll
    assert not plain.official


def test_near_counts_the_events_own_words_close_by():
    assert find_mentions("The train crash in Spain killed 80 people", 2013, OWN)[0].near == 3
    far = "The train crash in Spain. " + "Something else. " * 60 + "A blast killed 80 people"
    assert find_mentions(far, 2013, OWN)[0].near == 0
    assert find_mentions(far, 2013, OWN, about=2)[0].near == 2


def test_an_event_of_one_word_can_have_no_more_than_one_near():
    assert find_mentions("The train crash killed 80 people", 2013, frozenset({"train"}))[0].near == 2
    assert find_mentions("The train stood; 80 people died", 2013, OWN)[0].near == 1


def test_all_words_of_a_sentence_are_near_however_long_it_is():
    text = (
        "At least 80 people were killed when, as officials told reporters who had come from afar to hear it, "
    )
    assert (
        find_mentions(f"{text} in the early hours of the morning, a train left the rails.", 2013, OWN)[0].near
        == 1
    )


def test_weights():
    """What the wording makes of a vote: a toll, an official, zero, a projected sum, a part."""
    said = {
        "80 people died in the train crash": 1.0,
        "The death toll of the train crash is 80": 2.0,
        "80 people died in the train crash, police said": 1.2,
        "The death toll of the train crash in Madrid is 80": 0.5,
        "Nobody was killed in the train crash": 0.5,
        "12 children were killed in the train crash": 0.1,
        "A train crash could kill 80 people": 0.0,
        "The train crash could cost $80 million": 0.3,
    }
    for text, weight in said.items():
        assert weight_of(find_mentions(text, 2013, OWN)[0]) == pytest.approx(weight), text


def test_a_number_without_a_noun_counts_whom_its_sentence_spoke_of():
    assert read("Some of its staff died in the train crash, while nearly 200 are missing") == [
        ("missing", 200.0, ("part",))
    ]


def test_a_sum_in_another_currency_is_the_same_sum():
    assert [value for _, value, _ in read("The train crash caused damage of $75m (£50m)")] == [75e6]


def test_repeats_have_one_key():
    one, other = (
        find_mentions(f"{before} the train crash in Spain killed 80 people {behind}", 2013, OWN)[0]
        for before, behind in (("Police say", "on Monday"), ("It is known that", "on Monday, we hear"))
    )
    assert one.key == other.key
    assert one.key != find_mentions("A train crash killed 80 people", 2013, OWN)[0].key


def test_text_cut_for_machines_is_read_as_people_write_it():
    assert (
        clean("It cost $ 75m -LRB- # 50m -RRB- , `` they '' said .") == 'It cost $75m (£50m), " they " said.'
    )
    assert read("`` Some 45 people were killed , '' he said .")[0][:2] == ("deaths", 45)


@every(
    "text",
    [
        "killed " * 3_000,
        "12 " * 3_000 + "dead",
        "a" * 10_000 + " 12 dead",
        "\ud800 12 dead \x00",
        "12 " + "people " * 900,
    ],
)
def test_hostile_texts_end(text):
    assert all(0 <= found.start < found.end <= len(text) for found in find_mentions(text, 2013, OWN))


EBOLA = frozenset({"ebola", "outbreak", "congo"})


@every(
    "text, own, is_other",
    [
        (
            "The measles outbreak in Congo has killed 6,045 people, WHO says, thrice as many as Ebola",
            EBOLA,
            True,
        ),
        ("6,000 people have now died of measles in Congo, outbreak figures show", EBOLA, True),
        ("Ebola has killed 25 people in Congo, measles many more", EBOLA, False),
        ("The outbreak in Congo has killed 25 people", EBOLA, False),
        ("Sars killed 774 people", frozenset({"swine", "flu"}), True),
        ("H1N1 has killed 95 people", frozenset({"swine", "flu"}), False),
        ("Cholera has killed 200 people since the quake", frozenset({"haiti", "quak"}), False),
        ("The 7/7 bombings killed 52 people on the London metro", frozenset({"metro", "strike"}), True),
        ("The 26/11 attacks killed 166 people", frozenset({"mumbai", "attack"}), False),
    ],
)
def test_another_disease_and_another_dated_attack_are_another_event(text, own, is_other):
    mention = find_mentions(text, 2026, own)[0]
    assert ("other" in mention.doubts) is is_other


def test_a_converted_sum_has_no_crumbs():
    assert [value for _, value, _ in read("The crash caused damage of $32.2bn")] == [32_200_000_000.0]


def test_another_counts_all_of_the_injured_where_the_dead_stand_before() -> None:
    assert read("The crash left 12 people dead and another 30 injured.")[1] == ("injuries", 30, ())
    assert "more" in read("Officials said another 30 people were injured in the crash.")[0][2]
    assert "more" in read("Of 12 dead, another 5 people died in the crash.")[-1][2]
