"""Headlines in title case: what news otherwise writes small is no part of a name, unless the document says so."""

from __future__ import annotations

from tests.sweeps import every
from tidings.analysis import shipped_recogniser

CAPITALS = shipped_recogniser()._field.lexicon.capitals  # type: ignore[attr-defined]


def names(
    headline: str, spans: list[tuple[int, int, str]], *others: tuple[str, tuple[int, int, str]]
) -> list[str]:
    from tidings.analysis.names.recogniser import own_names

    sentences = [headline.split(), *(text.split() for text, _ in others)]
    found = own_names(sentences, [spans, *([span] for _, span in others)], CAPITALS)
    return [" ".join(sentences[0][start:end]) for start, end, _ in found[0]]


@every(
    "headline, place, expected",
    [
        ("Iran Temporarily Closes Strait Of Hormuz Amid US Nuclear Talks", (2, 6), ["Strait Of Hormuz"]),
        ("After Talks Macron Invites PM Modi Again", (2, 6), ["Macron", "PM Modi"]),
        ("Shippers Wary of Red Sea Routes Despite Pledge", (3, 6), ["Red Sea"]),
        ("Crews Speak in Favor of Building Homes Again", (3, 6), []),
        ("Crowds Mourn Former Mayor Gordon Brown Today", (4, 6), ["Gordon Brown"]),
        ("Talks With World Health Organization Fail Again", (2, 5), ["World Health Organization"]),
        ("Iran closes the Strait of Hormuz for a day of drills", (1, 6), ["closes the Strait of Hormuz"]),
    ],
)
def test_words_that_are_no_names_go(headline: str, place: tuple[int, int], expected: list[str]) -> None:
    assert names(headline, [(*place, "LOC")]) == expected


@every(
    "headline, place, expected",
    [
        ("Theresa May Meets Leaders In Brussels Today", (0, 2, "PER"), ["Theresa May"]),
        ("Will Smith Says Sorry In Hollywood Today", (0, 2, "PER"), ["Will Smith"]),
        ("Will Smith Say Sorry In Hollywood Today ?", (0, 2, "PER"), ["Smith"]),
        ("Theresa May Meets Leaders In Brussels Today", (0, 3, "PER"), ["Theresa May"]),
        ("Black Lives Matter Meets Leaders In Brussels", (0, 3, "ORG"), ["Black Lives Matter"]),
        ("Black Lives Matter Meets Leaders In Brussels", (0, 2, "ORG"), ["Black Lives"]),
    ],
)
def test_names_of_usual_words_stay(headline: str, place: tuple[int, int, str], expected: list[str]) -> None:
    assert names(headline, [place]) == expected


def test_what_is_a_name_elsewhere_in_the_document_stays_whole() -> None:
    headline, place = "Trump Invites India To Building Routes Talks", (4, 6, "ORG")
    assert names(headline, [place]) == []
    assert names(headline, [place], ("He founded Building Routes with her", (2, 4, "ORG"))) == [
        "Building Routes"
    ]


def test_an_owner_and_a_place_are_two_names() -> None:
    assert names("Berlinale 's Gaza row deepens", [(0, 3, "ORG")]) == ["Berlinale", "Gaza"]
    assert names("Sotheby 's Paris sale is off", [(0, 2, "ORG")]) == ["Sotheby 's"]


def test_a_plural_at_the_beginning_is_no_organization() -> None:
    assert names("Carmakers warn of cuts", [(0, 1, "ORG")]) == []
    assert names("Boeing warns of cuts", [(0, 1, "ORG")]) == ["Boeing"]
