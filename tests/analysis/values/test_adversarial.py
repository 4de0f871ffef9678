"""Streams made to mislead: numbers of other disasters, of capacity, of anniversaries, in several outlets each."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.core.records import Event, Sentence
from tidings.following.systems import make
from tidings.following.values.value_tracker import ValueTracker

HOUR = 3600
START = 1_400_000_000
FERRY = Event(id="ferry", title="Ferry fire off Naxos", query="ferry fire naxos")

TRUE = cases(__file__, "true")

MISLEADING = cases(__file__, "misleading")


def followed(texts: list[str], attribute: str = "deaths", gap_s: int = HOUR) -> list[float]:
    """The values that are told of a stream, one document for each text, outlets taking turns."""
    tracker, values = ValueTracker(FERRY), []
    for number, text in enumerate(texts):
        now = START + number * gap_s
        intro = "A ferry caught fire off Naxos."
        document = [
            Sentence(f"d{number}", index, said, now, f"outlet {number % 5}", 0, None, "")
            for index, said in enumerate((intro, text))
        ]
        values += [one.value[0] for one in tracker.read(document, now) if one.attribute == attribute]
    return values


@pytest.mark.parametrize("kind", MISLEADING)
@pytest.mark.parametrize("gap_s", [60, HOUR, 24 * HOUR])
def test_numbers_of_something_else_are_never_told(kind, gap_s):
    assert followed([*TRUE, *MISLEADING[kind] * 3, *TRUE], gap_s=gap_s) == [11]


@every("kind", MISLEADING)
def test_nor_before_anything_is_known(kind):
    assert followed([*MISLEADING[kind] * 2, *TRUE]) == [11]


def test_nor_all_of_them_at_once():
    noise = [text for group in zip(*MISLEADING.values(), strict=True) for text in group]
    assert followed([*TRUE, *noise, *TRUE]) == [11]


def test_one_outlet_that_is_wrong_moves_nothing_however_often_it_says_so():
    wrong = "The ferry fire off Naxos killed 500 people, police said."
    assert followed([*TRUE, *[wrong] * 20, *TRUE]) == [11]


def test_another_countrys_disaster_with_the_same_words_is_held_back():
    other = [f"A fire on a ferry in Bangladesh killed {number} people." for number in (98, 99, 101, 99)]
    assert followed([*TRUE, *TRUE, *other, *TRUE]) == [11]


def test_a_toll_that_truly_leaps_is_told():
    """Admission asks for three outlets with words of their own, no more."""
    leap = (
        "The death toll of the ferry fire off Naxos has risen to 95, officials said.",
        "The ferry fire off Naxos killed 95 people, the coast guard says.",
        "Ninety-five people died in the fire on the ferry near Naxos, police said.",
    )
    assert followed([*TRUE, *leap]) == [11, 95]


def test_other_attacks_of_the_same_kind_do_not_raise_a_toll() -> None:
    """What three documents say of Madrid and of Bali is no number of Manchester's."""
    follower = make("values").start(
        Event(id="m", title="Manchester Arena bombing", query="manchester arena bombing")
    )
    said = (
        "The Manchester Arena bombing killed 22 people, police said.",
        "Police said 22 people died in the Manchester Arena bombing.",
        "The Madrid train bombing killed 191 people, the Manchester Arena bombing 22.",
        "After the bombing in Manchester many recalled Madrid, where a bombing killed 191 people.",
        "The Madrid bombing, which killed 191 people, was worse than the Manchester bombing.",
        "Bombing in Bali: 202 people killed, Manchester: 22.",
        "Like Manchester, Bali knows what a bombing does: the bombing in Bali killed 202 people.",
        "Bali's bombing killed 202; the Manchester Arena mourns.",
    )
    values = []
    for number, text in enumerate(said):
        now = 1_495_500_000 + 600 * number
        values += follower.push([Sentence(f"d{number}", 0, text, now, f"paper{number}")], now)
    assert {one.value for one in values if one.attribute == "deaths"} == {(22.0,)}
