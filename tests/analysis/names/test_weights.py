"""The recogniser's model file: whole, of this kind, small; and what follows from its weights."""

from __future__ import annotations

import random
from importlib import resources
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.sweeps import every
from tidings.analysis.names.name_words import Lexicon
from tidings.analysis.names.recogniser import FieldWeights, NameRecogniser, best_labels, label_chances
from tidings.analysis.names.weights import SYSTEM, read_weights, weights_bytes
from tidings.core.errors import FormatError, UsageError
from tidings.core.records import ModelCard

SHIPPED = resources.files("tidings.analysis.names").joinpath("weights", "names.safetensors").read_bytes()
TINY = FieldWeights(
    ("O", "B-PER", "I-PER"),
    {"0l=ada": 0, "-1l=ms": 1, "bias": 2},
    np.array([[0, 2, 0], [0, 1, 0], [1, 0, 0]], np.float32),
    np.zeros((3, 3), np.float32),
    np.zeros(3, np.float32),
    Lexicon({"ada": (1, 2)}, {"ada": 4}),
)
CARD = ModelCard(system=SYSTEM, seed=3)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tiny.safetensors"
    path.write_bytes(weights_bytes(TINY, CARD))
    field, card = read_weights(path)
    assert (card.seed, field.labels, set(field.rows)) == (3, TINY.labels, set(TINY.rows))
    assert field.lexicon == TINY.lexicon
    for name, row in TINY.rows.items():
        assert field.weights[field.rows[name]].tolist() == TINY.weights[row].tolist()
    assert weights_bytes(field, card) == weights_bytes(TINY, CARD)
    assert NameRecogniser(field).spans([["ms", "ada", "x"]]) == [[(1, 2, "PER")]]


def test_the_shipped_one_is_small_and_says_where_it_comes_from() -> None:
    _, card = read_weights()
    assert len(SHIPPED) < 10_000_000
    assert {one.name.split()[0] for one in card.data} == {"gmb", "gum", "btc", "wikigold", "wnut"}
    assert "train_names.py" in card.command
    assert card.scores["F1 ewt"] > 0.7


@every("cut", [0, 7, 100, len(SHIPPED) // 2, len(SHIPPED) - 1])
def test_a_damaged_file_is_refused(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "cut.safetensors"
    path.write_bytes(SHIPPED[:cut])
    with pytest.raises(FormatError, match=r"cut\.safetensors: .*expected a model file of names"):
        read_weights(path)


def test_a_model_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.safetensors"
    path.write_bytes(weights_bytes(TINY, msgspec.structs.replace(CARD, system="ius")))
    with pytest.raises(UsageError, match="a model of 'ius', which recognises no names"):
        read_weights(path)
    with pytest.raises(UsageError, match="a model is a plain file"):
        read_weights(tmp_path)


@every(
    "change",
    [
        {"moves": np.zeros((2, 3), np.float32)},
        {"starts": np.zeros(2, np.float32)},
        {"weights": np.full((3, 3), np.nan, np.float32)},
        {"labels": ("O", "B-PER")},
    ],
)
def test_arrays_that_do_not_fit_are_refused(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "odd.safetensors"
    path.write_bytes(weights_bytes(msgspec.structs.replace(TINY, **change), CARD))
    with pytest.raises(FormatError, match="odd"):
        read_weights(path)


class TestDecoding:
    """Against all labellings of short sentences, one by one."""

    scores = np.random.default_rng(1).normal(size=(26, 3))
    moves = np.random.default_rng(2).normal(size=(3, 3))
    starts = np.random.default_rng(3).normal(size=3)
    lengths = (4, 0, 2, 3, 1, 1, 2, 4, 3, 2, 1, 3)

    def every(self, begin: int, length: int) -> list[tuple[float, tuple[int, ...]]]:
        ways: list[tuple[int, ...]] = [()]
        for _ in range(length):
            ways = [(*way, label) for way in ways for label in range(3)]
        return [
            (
                float(self.starts[way[0]])
                + sum(float(self.scores[begin + at, label]) for at, label in enumerate(way))
                + sum(float(self.moves[one, other]) for one, other in pairwise(way)),
                way,
            )
            for way in ways
        ]

    def test_best_is_the_best_of_all(self) -> None:
        found = best_labels(self.scores, self.lengths, self.moves, self.starts).tolist()
        begin = 0
        for length in self.lengths:
            if length:
                assert tuple(found[begin : begin + length]) == max(self.every(begin, length))[1]
            begin += length

    def test_short_sentences_beside_long_ones_are_as_alone(self) -> None:
        random = np.random.default_rng(7)
        lengths = [1, 1, 1, 2, 2, 9] * 5
        scores = random.normal(size=(sum(lengths), 3))
        moves = random.normal(size=(3, 3)) * 4
        found = best_labels(scores, lengths, moves, self.starts).tolist()
        begin = 0
        for length in lengths:
            alone = best_labels(scores[begin : begin + length], [length], moves, self.starts)
            assert found[begin : begin + length] == alone.tolist()
            begin += length

    def test_chances_are_those_of_all(self) -> None:
        chances = label_chances(self.scores, self.lengths, self.moves, self.starts)
        begin = 0
        for length in self.lengths:
            if length:
                ways = self.every(begin, length)
                total = sum(np.exp(score) for score, _ in ways)
                for at in range(length):
                    for label in range(3):
                        own = sum(np.exp(score) for score, way in ways if way[at] == label)
                        assert chances[begin + at, label] == pytest.approx(own / total)
            begin += length


def test_chances_of_a_very_long_sentence_are_numbers() -> None:
    moves = np.full((3, 3), -3.0)
    scores = np.random.default_rng(0).normal(size=(2000, 3)) * 2
    chances = label_chances(scores, [2000], moves, np.zeros(3))
    own = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert chances == pytest.approx(own)  # all moves are alike


def test_what_is_remembered_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    field, _ = read_weights()
    chance = random.Random(5)
    words = [
        "Obama",
        "Paris",
        "the",
        "of",
        "in",
        "said",
        "Mr.",
        "IBM",
        "Corp",
        ".",
        "Jones",
        "bank",
        "New",
        "York",
    ]
    documents = [[[chance.choice(words) for _ in range(9)] for _ in range(3)] for _ in range(20)]
    whole = NameRecogniser(field)
    expected = [whole.spans(document) for document in documents]
    monkeypatch.setattr("tidings.analysis.names.recogniser._MOST_TOKENS", 3)
    forgetful = NameRecogniser(field)
    assert [forgetful.spans(document) for document in documents] == expected
    assert any(any(document) for document in expected)


def test_a_very_long_sentence_is_handled_in_pieces() -> None:
    field, _ = read_weights()
    sentence = ["word"] * 1000 + ["Angela", "Merkel", "spoke"]
    assert NameRecogniser(field).spans([sentence, []]) == [[(1000, 1002, "PER")], []]
