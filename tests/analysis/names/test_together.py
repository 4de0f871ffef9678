"""What is looked up for many tokens at once is what the names of features say, one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.sweeps import every
from tidings.analysis.names.memory import OFFSETS, ContextTable
from tidings.analysis.names.mentions import spans_of_labels
from tidings.analysis.names.name_words import Lexicon, context_features, is_caseless, look_at
from tidings.analysis.names.recogniser import FieldWeights, NameRecogniser

LABELS = ("O", "B-PER", "I-PER")
LEXICON = Lexicon({"spoke": (5, 50), "new": (3, 9), "|": (5, 1)}, {"spoke": 0, "new": 2})
SENTENCES = [
    text.split(" ")
    for text in (
        "Ann",
        "Yes .",
        "The North Korea Party of New York spoke to Ann Lee in New York City",
        "in new new york city spoke new",
        "FIRE IN NEW YORK CITY NOW",
        "Ann Lee Met John Smith In South Africa",
        "| Ann | | Lee || spoke |",
        "",
        "<s> Ann Lee </s>",
        "@ann loves #NewYork http://t.co/x 1,234 Ünal O'Neill 北京 1|2",
        "A B C D E F G H",
        "San San Francisco San Francisco Bay",
        "he went to South",
        "Africa is far",
        "spoke",
        "in North Carolina Panthers spoke",
        "Ann Lee Bob saw it",
        "Ann Lee Met John now",
        "A b c d e f g h Ann Lee Bob Ray Tom Kim spoke",
    )
]


def names_of(sentence: Sequence[str]) -> list[list[str]]:
    facts = [look_at(token, is_caseless(list(sentence)), LEXICON) for token in sentence]
    every = []
    for at, together in enumerate(context_features(facts)):
        names = list(together)
        for offset in OFFSETS:
            if 0 <= at + offset < len(facts):
                one = facts[at + offset]
                names += [f"{offset}{name}" for name in (one.own, one.near, one.far)[abs(offset)]]
        every.append(names)
    return every


def field_of(sentences: Sequence[Sequence[str]], share: float) -> FieldWeights:
    chance = np.random.default_rng(4)
    names = sorted({name for sentence in sentences for line in names_of(sentence) for name in line})
    rows = [name for name in names if chance.random() < share]
    return FieldWeights(
        LABELS,
        {name: row for row, name in enumerate(rows)},
        chance.normal(size=(len(rows), 3)).astype(np.float32),
        chance.normal(size=(3, 3)).astype(np.float32),
        np.zeros(3, np.float32),
        LEXICON,
    )


@every("share", [1.0, 0.5])
def test_scores_are_the_sums_of_what_is_seen(share: float) -> None:
    sentences = [[token for token in sentence if token] for sentence in SENTENCES]
    field = field_of(sentences, share)
    scores, lengths = NameRecogniser(field).scores(sentences)
    expected = [
        sum((field.weights[field.rows[name]] for name in line if name in field.rows), np.zeros(3))
        for sentence in sentences
        for line in names_of(sentence)
    ]
    assert lengths == list(map(len, sentences))
    assert scores == pytest.approx(np.array(expected), abs=1e-4)


def test_documents_together_are_as_alone() -> None:
    recogniser = NameRecogniser(field_of([], 1.0))
    assert recogniser.spans_of([]) == []
    assert recogniser.spans_of([[], [[]], [["Ann"]]]) == [[], [[]], [[]]]
    sentences = [[token for token in sentence if token] for sentence in SENTENCES]
    field = field_of(sentences, 0.3)
    for trust in (0.0, 1.0):
        recogniser = NameRecogniser(
            FieldWeights(
                LABELS, field.rows, field.weights * 0.3, field.moves, field.starts, LEXICON, trust=trust
            )
        )
        documents = [sentences[at : at + 4] for at in range(12)]
        alone = [recogniser.spans(document) for document in documents]
        assert recogniser.spans_of(documents) == alone
        assert sum(len(spans) for document in alone for spans in document) > 30


@every("size", [1, 7, 30])
def test_long_documents_are_looked_at_in_parts(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [[token for token in sentence if token] for sentence in SENTENCES]
    field = field_of(sentences, 0.6)
    whole = NameRecogniser(field)
    expected, spans = whole.scores(sentences)[0], whole.spans(sentences)
    monkeypatch.setattr("tidings.analysis.names.recogniser._TOGETHER", size)
    parts = NameRecogniser(field)
    assert np.allclose(parts.scores(sentences)[0], expected, atol=1e-5)
    assert parts.spans(sentences) == spans


def test_keys_that_share_a_slot_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = []

    def fill(table: ContextTable, keys: np.ndarray) -> None:
        whole(table, keys & np.uint64((1 << 61) - 1))
        crowded.append(len(keys))

    sentences = [[token for token in sentence if token] for sentence in SENTENCES]
    field = field_of(sentences, 1.0)
    expected = NameRecogniser(field).scores(sentences)[0]
    whole, look = ContextTable._fill, ContextTable._lookup
    monkeypatch.setattr(ContextTable, "_fill", fill)
    monkeypatch.setattr(
        ContextTable, "_lookup", lambda table, keys: look(table, keys & np.uint64((1 << 61) - 1))
    )
    assert np.allclose(NameRecogniser(field).scores(sentences)[0], expected)
    assert crowded[0] > 100


def test_tokens_beyond_the_first_thousand_are_seen_too() -> None:
    sentences = [[token for token in sentence if token] for sentence in SENTENCES]
    field = field_of(sentences, 0.8)
    alone = NameRecogniser(field).scores(sentences)[0]
    recogniser = NameRecogniser(field)
    many = [[f"Word{number}x" for number in range(begin, begin + 100)] for begin in range(0, 5000, 100)]
    recogniser.scores(many)
    assert np.allclose(recogniser.scores(sentences)[0], alone, atol=1e-5)
    again = NameRecogniser(field).scores([many[-1]])[0]
    assert np.allclose(recogniser.scores([many[-1]])[0], again, atol=1e-5)


def test_names_of_all_sentences_are_those_of_each() -> None:
    labels = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
    field = FieldWeights(labels, {}, np.zeros((0, 5), np.float32), np.zeros((5, 5)), np.zeros(5), LEXICON)
    recogniser = NameRecogniser(field)
    chance = np.random.default_rng(8)
    lengths = chance.integers(1, 6, 200)
    chosen = chance.integers(0, 5, lengths.sum())
    begins = np.cumsum(lengths) - lengths
    expected = [
        (start + begin, end + begin, kind)
        for begin, length in zip(begins.tolist(), lengths.tolist(), strict=True)
        for start, end, kind in spans_of_labels([labels[one] for one in chosen[begin : begin + length]])
    ]
    assert recogniser._names(chosen, begins) == expected


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.analysis.names.recogniser._MOST_TOKENS", 50)
    recogniser = NameRecogniser(field_of([["Ann"]], 1.0))
    for begin in range(0, 1000, 20):
        recogniser.spans([[f"w{number}" for number in range(begin, begin + 20)]])
    assert len(recogniser._memory) <= 70
