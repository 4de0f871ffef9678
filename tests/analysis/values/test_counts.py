"""What numbers count, and which count nothing.

Numbers and tolls in text. The sentences were written for these tests.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings, strategies as st

from tests.sweeps import cases, every
from tidings.analysis.values import counts
from tidings.analysis.values.counts import find_casualties, find_counts
from tidings.core import CASUALTIES, patterns_beside


def counted(text: str) -> list[tuple[str, float]]:
    return [(one.attribute, one.value) for one in find_counts(text)]


@every(
    "text, expected",
    [
        ("At least 80 people were killed", [("deaths", 80.0)]),
        ("The fire killed twelve and injured 30", [("deaths", 12.0), ("injuries", 30.0)]),
        ("The US will plug 3,500 wells", [("wells", 3500.0)]),
        ("There are 2,978 confirmed cases", [("cases", 2978.0)]),
        ("41 European countries", []),
        ("some 35 leaking oil wells", [("wells", 35.0)]),
        ("12 men and 9 women", [("men", 12.0), ("women", 9.0)]),
        ("It found forty more barrels", [("barrels", 40.0)]),
        ("BP has paid $20bn", [("USD", 20e9)]),
        ("BP has paid $ 2.65 bn -LRB- £1.76bn -RRB-", [("USD", 2.65e9), ("GBP", 2675200000.0)]),
        ("It costs €3,500.50 a day", [("EUR", 4550.65)]),
        ("$350m so far", [("USD", 350e6)]),
        ("shares fell 75 % and 6 per cent, then 5.5%", [("%", 75.0), ("%", 6.0), ("%", 5.5)]),
        ("6 per cent fewer workers", [("%", 6.0)]),
        ("2.5 million gallons", [("gallons", 2.5e6)]),
    ],
)
def test_counts(text: str, expected: list[tuple[str, float]]) -> None:
    assert counted(text) == expected


@every(
    "text",
    cases(__file__, "counts nothing"),
)
def test_counts_nothing(text: str) -> None:
    assert counted(text) == []


@every(
    "text, expected",
    [
        ("Two killed 12 people at the market", [("deaths", 12.0)]),
        ("Three soldiers killed four rebels and wounded six", [("deaths", 4.0), ("injuries", 6.0)]),
        ("Four men who killed 12 people were arrested", [("deaths", 12.0)]),
        ("12 killed 30 injured in crash", [("deaths", 12.0), ("injuries", 30.0)]),
        (
            "Two killed 5 wounded 3 missing after flood",
            [("deaths", 2.0), ("injuries", 5.0), ("missing", 3.0)],
        ),
        ("Bombs that killed 3 runners injured more than 170", [("deaths", 3.0), ("injuries", 170.0)]),
        (
            "Video of two bombs that killed three people injured more than 170",
            [("deaths", 3.0), ("injuries", 170.0)],
        ),
        ("Bus bombed, 21 injured The mayor fled; over 9 injured", [("injuries", 21.0), ("injuries", 9.0)]),
        ("400 injured over 250 injured in storm", [("injuries", 400.0), ("injuries", 250.0)]),
        ("Three officers arrested 5 suspects", [("arrested", 5.0)]),
        ("Three men were shot dead by two gunmen", [("deaths", 3.0)]),
        ("The mayor was killed by two masked men", []),
        ("Two gunmen killed a guard", []),
        ("Two bombers killed dozens", []),
        ("Two pilots killed a day earlier were buried", [("deaths", 2.0)]),
        ("Two killed dozens injured in blast", [("deaths", 2.0)]),
        ("Twelve people injured 3 of them critically", [("injuries", 12.0)]),
        (
            "The crash left 52 dead, 155 injured and 22 missing",
            [("deaths", 52.0), ("injuries", 155.0), ("missing", 22.0)],
        ),
    ],
)
def test_who_killed_is_not_counted_among_the_dead(text: str, expected: list[tuple[str, float]]) -> None:
    assert [(one.attribute, one.value) for one in find_casualties(text)] == expected


def test_qualifier_of_a_toll() -> None:
    first, second = find_counts("More than 70 dead and 12 wells burnt")
    assert (first.attribute, first.quantity.qualifier) == ("deaths", "at least")
    assert (second.attribute, second.quantity.qualifier) == ("wells", "")


@every("text", ["1" * 100_000, "5 " * 50_000, "$" * 9_000, "9 wells " * 20_000, "\x00\udc80 9 \ud800"])
def test_any_text_is_read_soon(text: str) -> None:
    assert len(find_counts(text)) <= 20


TOLLS = cases(__file__, "tolls")


WORDS = "at least 1 45 1,200 killed people and were injured two hundred , . - dead to toll rose".split()  # noqa: SIM905


class TestTolls:
    @every("text, expected", TOLLS)
    def test_sentence(self, text, expected):
        found = [f"{t.attribute} {t.value:.0f} {t.quantity.qualifier}".strip() for t in find_casualties(text)]
        assert ", ".join(found) == expected

    def test_spans_hold_number_and_verb(self):
        text = "Police say at least 45 people were killed."
        (toll,) = find_casualties(text)
        assert text[toll.start : toll.end] == "at least 45 people were killed"

    @given(st.lists(st.sampled_from(WORDS)))
    def test_any_order_of_such_words(self, words):
        text = " ".join(words)
        for toll in find_casualties(text):
            assert toll.attribute in CASUALTIES
            assert toll.value >= 0
            assert 0 <= toll.start < toll.end <= len(text)

    @given(st.text(st.characters(exclude_categories=[]), max_size=200))
    def test_any_text(self, text):
        text += " 5 dead"
        assert all(0 <= t.start < t.end <= len(text) for t in find_casualties(text))

    @every(
        "text",
        [
            "1" * 100_000 + " killed",
            "1 " * 50_000 + "killed",
            "one hundred " * 9_000 + "killed",
            "killed " * 20_000,
            "A ſecond person has died, dozenſ were hurt, mıllıons displaced, 10 to 20 lakhſ fled",
        ],
    )
    def test_hostile_text(self, text):
        assert all(toll.value < 10**9 for toll in find_casualties(text))


def test_the_year_of_what_happened_once_is_no_count() -> None:
    for text in ("A toxin caused the premier's 2024 death in prison.", "Police closed a 2019 killing."):
        assert find_casualties(text) == [], text
    assert [one.value for one in find_casualties("The earthquake killed 2012 people.")] == [2012.0]


PATTERNS = patterns_beside(counts.__file__)


@pytest.mark.parametrize(
    "name",
    ["dead", "injured", "missing", "displaced", "arrested", "casualties", "before", "ordinal", "counted"],
)
@settings(max_examples=200)
@given(data=st.data())
def test_the_quick_look_passes_over_nothing(name, data):
    words = data.draw(st.from_regex(re.compile(PATTERNS[name], re.IGNORECASE), fullmatch=True))
    for text in (f"12 people {words}", f"{words}12 people", f"The {words}", f"revised, {words}, to 12"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counts, "_may_count_people", lambda text: True)
            thorough = find_casualties(text)
        assert find_casualties(text) == thorough
