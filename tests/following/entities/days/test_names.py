"""What of a recognised name stays: its borders mended, its type agreed on, words and news sources left out."""

from __future__ import annotations

from tests.following.entities.days.finding import ListedNames
from tests.sweeps import cases, every
from tidings.core.records import Sentence
from tidings.core.text.tokens import shared_analyzer
from tidings.following.entities.book import EntityBook, Named, Remembered
from tidings.following.entities.event_days import EntityMention
from tidings.following.entities.name_forms import mended_spans
from tidings.following.entities.naming import Agreement, named_in, parted


def mended(text: str, kind: str, kept: str = "") -> list[str]:
    tokens = text.split()
    return [
        f"{type_} {' '.join(tokens[start:end])}"
        for start, end, type_ in mended_spans(tokens, [(0, len(tokens), kind)], frozenset(kept.split("|")))
    ]


@every(
    "text, kind, expected",
    cases(__file__, "borders", lists=True),
)
def test_borders(text: str, kind: str, expected: list[str]) -> None:
    assert mended(text, kind) == expected


def test_a_news_source_that_is_asked_for_is_kept() -> None:
    assert mended("Reuters", "ORG", kept="reuters") == ["ORG Reuters"]


def agreed(text: str, kind: str, others: dict[str, int], known: dict[str, int] | None = None) -> list[str]:
    """What becomes of one mention beside names (`PER Obama`) and words (`cruise`) said so often."""
    sentences, spans, times = [text.split()], [[(0, len(text.split()), kind)]], [1]
    for other, count in others.items():
        type_, _, name = (
            other.rpartition(" ") if other[:3] not in ("PER", "ORG", "LOC") else other.partition(" ")
        )
        sentences.append(["X", *(name.split())])
        spans.append([(1, 1 + len(name.split()), type_)] if type_ else [])
        times.append(count)
    book = EntityBook()
    book.place(
        [Named(one.split()[0], {one.partition(" ")[2]: count}, {}) for one, count in (known or {}).items()],
        "",
    )
    agreement = Agreement(sentences, spans, times, book)
    return [
        f"{type_} {' '.join(sentences[0][start:end])}"
        for start, end, type_ in agreement.spans(sentences[0], spans[0])
    ]


@every(
    "text, kind, others, expected",
    cases(__file__, "agreement", lists=True),
)
def test_agreement(text: str, kind: str, others: dict[str, int], expected: list[str]) -> None:
    assert agreed(text, kind, others) == expected


def test_the_days_before_have_a_say() -> None:
    assert agreed("Isaac", "ORG", {}, {"PER Isaac": 9}) == ["PER Isaac"]
    assert agreed("Mursi", "ORG", {}, {"PER Mohamed Mursi": 1}) == ["PER Mursi"]


def test_each_different_sentence_is_looked_at_once() -> None:
    looked_at: list[int] = []

    class Counting(ListedNames):
        def spans(self, sentences):
            looked_at.append(len(sentences))
            return super().spans(sentences)

    finder = Counting()
    documents = [[Sentence(one, 0, "Rossi left Rome.", 0)] for one in "ab"]
    tokens, found = named_in(documents, finder, shared_analyzer(), frozenset(), EntityBook())
    assert looked_at == [1] and len(tokens) == 2
    assert [(one.type, one.spelt, mentions[0].document) for one, mentions in found] == [
        ("PER", {"Rossi": 1}, 0),
        ("LOC", {"Rome": 1}, 0),
        ("PER", {"Rossi": 1}, 1),
        ("LOC", {"Rome": 1}, 1),
    ]


def test_what_more_documents_say_counts_more() -> None:
    class ByBeginning(ListedNames):
        def spans(self, sentences):
            return [[(1, 2, "PER" if tokens[0] == "Now" else "ORG")] for tokens in sentences]

    texts = ["Now Sandy comes."] * 5 + ["Then Sandy goes."]
    documents = [[Sentence(str(at), 0, text, 0)] for at, text in enumerate(texts)]
    _, found = named_in(documents, ByBeginning(), shared_analyzer(), frozenset(), EntityBook())
    assert [one.type for one, _ in found] == ["PER"] * 6


def test_a_person_named_in_full_once_in_a_while_stays_one() -> None:
    labels = ["Barack Obama", "Obama", "Obama", "Obama"]
    mentions = [EntityMention(0, at, 0, 1, label) for at, label in enumerate(labels)]
    assert parted(mentions) == [mentions]


@every(
    "kind, spelt, expected",
    cases(__file__, "best names"),
)
def test_best_names(kind: str, spelt: dict[str, int], expected: str) -> None:
    assert Remembered(1, {kind: sum(spelt.values())}, spelt, {}).best_name() == expected
