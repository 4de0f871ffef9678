"""What numbers count, and which count nothing."""

from __future__ import annotations

from tests.sweeps import cases, every
from tidings.analysis.values.counts import find_counts


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


def test_qualifier_of_a_toll() -> None:
    first, second = find_counts("More than 70 dead and 12 wells burnt")
    assert (first.attribute, first.quantity.qualifier) == ("deaths", "at least")
    assert (second.attribute, second.quantity.qualifier) == ("wells", "")


@every("text", ["1" * 100_000, "5 " * 50_000, "$" * 9_000, "9 wells " * 20_000, "\x00\udc80 9 \ud800"])
def test_any_text_is_read_soon(text: str) -> None:
    assert len(find_counts(text)) <= 20
