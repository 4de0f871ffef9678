"""Whose names are joined across documents and days, and whose are not."""

from __future__ import annotations

import random

import pytest

from tests.sweeps import cases, every
from tidings.following.entities import book
from tidings.following.entities.book import EntityBook, Named, Remembered


def named(text: str, context: str = "") -> Named:
    """`PER Barack Obama 2, Obama 3` with the stems of its context."""
    kind, _, rest = text.partition(" ")
    spelt = {}
    for one in rest.split(", "):
        name, _, count = one.rpartition(" ")
        spelt |= {name: int(count)} if count.isdigit() else {one: 1}
    return Named(kind, spelt, dict.fromkeys(context.split(), 1))


def groups(*documents: str) -> list[int]:
    """The ids that entities of one document each get, one day after another."""
    entities = EntityBook()
    return [
        entities.place([named(text)], f"2013-01-{day:02}")[0] for day, text in enumerate(documents, start=1)
    ]


@every(
    "one, other",
    cases(__file__, "one entity"),
)
def test_one_entity(one: str, other: str) -> None:
    first, second = groups(one, other)
    assert first == second


@every(
    "one, other",
    cases(__file__, "two entities"),
)
def test_two_entities(one: str, other: str) -> None:
    first, second = groups(one, other)
    assert first != second


def test_contexts_say_which_bearer_is_meant() -> None:
    entities = EntityBook()
    first = named("PER Bill Clinton, Clinton 2", "fund bush telethon charity")
    second = named("PER Hillary Clinton, Clinton 2", "secretary state visit minister")
    ids = entities.place([first, second], "2010-01-01")
    assert ids[0] != ids[1]
    asked = [named("PER Clinton", "charity telethon donor"), named("PER Clinton", "minister visit airport")]
    assert entities.place(asked, "2010-01-02") == ids


def test_full_names_are_placed_before_surnames_of_the_same_day() -> None:
    entities = EntityBook()
    surname, full = entities.place([named("PER Tsarnaev"), named("PER Tamerlan Tsarnaev")], "2013-04-19")
    assert surname == full
    assert entities.entities[full].best_name() == "Tamerlan Tsarnaev"


def test_a_surname_of_two_waits_for_both_of_the_day() -> None:
    told = [
        named("PER Tsarnaev", "boat watertown manhunt"),
        named("PER Tamerlan Tsarnaev", "shootout kill boxer"),
        named("PER Dzhokhar Tsarnaev", "boat manhunt student"),
    ]
    surname, tamerlan, dzhokhar = EntityBook().place(told, "2013-04-19")
    assert surname == dzhokhar != tamerlan


def test_who_has_got_a_full_name_is_nobody_elses_surname() -> None:
    first, second, third = groups("PER Obama", "PER Barack Obama 5", "PER Michelle Obama")
    assert first == second != third


def test_a_rare_longer_name_in_a_document_is_not_its_bearers_name() -> None:
    first, second = groups("PER Barack Obama 5, Obama", "PER Obama 30, Chris Christie Obama")
    assert first == second


def test_those_named_longest_ago_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "MOST_ENTITIES", 8)
    entities = EntityBook()
    for day in range(1, 13):
        entities.place(
            [named(f"LOC Place{chr(96 + day) * 3}"), named("PER Maria Rossi")], f"2013-01-{day:02}"
        )
        entities.forget()
        assert len(entities.entities) <= 8
    [rossi] = [number for number, one in entities.entities.items() if one.best_name() == "Maria Rossi"]
    assert entities.place([named("PER Rossi")], "2013-02-01") == [rossi]


def test_a_book_restored_goes_on_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "MOST_ENTITIES", 60)
    draw = random.Random(7)
    given, family = ["Ann", "Bob", "Cem", "Dora"], ["Kline", "Klime", "Moor", "Moore", "Tsarn", "Tsarna"]
    days = [
        [named(f"PER {draw.choice(given)} {draw.choice(family)}, {draw.choice(family)}") for _ in range(30)]
        for _ in range(6)
    ]
    whole, cut = EntityBook(), EntityBook()
    for number, day in enumerate(days):
        assert whole.place(day, f"2013-01-0{number + 1}") == cut.place(day, f"2013-01-0{number + 1}")
        whole.forget()
        cut.forget()
        again = EntityBook()
        again.restore(cut.entities.values(), cut.order, cut.next_id)
        cut = again


def many(count: int) -> list[Named]:
    draw = random.Random(1)
    syllables = [first + last for first in "bcdfghklmnprstvz" for last in "aeiou"]
    words = ["".join(draw.choices(syllables, k=3)).capitalize() for _ in range(3_000)]
    return [Named("PER", {f"{draw.choice(words)} {draw.choice(words)}": 1}, {}) for _ in range(count)]


def test_a_thousand_entities_in_a_day() -> None:
    assert len(set(EntityBook().place(many(1_000), "2013-01-01"))) > 950


@pytest.mark.long
def test_fifty_thousand_entities_in_a_day() -> None:
    entities = EntityBook()
    assert len(set(entities.place(many(50_000), "2013-01-01"))) > 45_000
    entities.forget()
    assert len(entities.entities) <= book.MOST_ENTITIES


def test_the_best_name_of_equals_does_not_hang_on_their_order() -> None:
    spelt = {"Jean Dupont": 2, "Jan Dupont": 2}
    turned = dict(reversed(spelt.items()))
    assert (
        Remembered(1, {"PER": 4}, spelt, {}).best_name() == Remembered(1, {"PER": 4}, turned, {}).best_name()
    )
