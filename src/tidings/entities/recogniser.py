"""The recogniser of names: a linear-chain field over what is seen of tokens, looked at twice in a document.

What a token alone says of its label depends on the token, not on where it stands; so it is added up once for each
kind of token and then looked up, and only what is seen of several tokens together is looked up again and again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from tidings.entities.context import context_features
from tidings.entities.decoding import best_labels
from tidings.entities.mentions import is_name, spans_of_labels
from tidings.entities.second_look import second_look
from tidings.entities.words import LONGEST_TOKEN, Lexicon, WordFacts, is_caseless, look_at

__all__ = ["FieldWeights", "NameRecogniser"]

Array = np.ndarray[Any, Any]
_MOST_KINDS = 60_000
"""Kinds of token that are remembered; then all are forgotten, which changes no result."""
_TOGETHER = 8_000
"""Tokens that are added up together; more would only take memory."""
_LONGEST_SENTENCE = 400
"""Tokens that are handled as one sentence; a longer one is cut."""
_OFFSETS = (0, -1, 1, -2, 2)
_PARTS = {str(offset): part for part, offset in enumerate(_OFFSETS)}
"""The name of a feature of one token begins with the place from where it is looked at."""


class FieldWeights(Struct, frozen=True):
    """Learned: `rows` leads from the name of a feature to its row of `weights` (features, labels).

    `moves` (labels, labels) says which label follows which, `starts` (labels) which begins a sentence; `trust` is how
    much a token's other occurrences in the document count.
    """

    labels: tuple[str, ...]
    rows: Mapping[str, int]
    weights: Array
    moves: Array
    starts: Array
    lexicon: Lexicon
    trust: float = 0.0


class NameRecogniser:
    """Finds the names in a document's sentences."""

    def __init__(self, field: FieldWeights) -> None:
        self._field = field
        self._together: dict[str, int] = {}
        self._alone: tuple[dict[str, int], ...] = tuple({} for _ in _OFFSETS)
        for name, row in field.rows.items():
            digits = 2 if name[:1] == "-" else 1
            part = _PARTS.get(name[:digits])
            if part is None:
                self._together[name] = row
            else:
                self._alone[part][name[digits:]] = row
        self._forget()

    def _forget(self) -> None:
        self._kinds: tuple[dict[str, int], dict[str, int]] = ({}, {})  # cased, caseless
        self._facts: list[WordFacts] = []
        self._tables = np.zeros((1024, len(_OFFSETS), len(self._field.labels)), np.float32)

    def spans(self, sentences: Sequence[Sequence[str]]) -> list[list[tuple[int, int, str]]]:
        """For each sentence of a document, the spans of tokens that are names, with their types.

        Args:
            sentences: the document's sentences as tokens, in order.
        """
        cut: list[tuple[int, list[str]]] = []
        for number, sentence in enumerate(sentences):
            tokens = list(sentence)
            for begin in range(0, len(tokens), _LONGEST_SENTENCE):
                cut.append((number, tokens[begin : begin + _LONGEST_SENTENCE]))
        labels = self._labels([tokens for _, tokens in cut])
        spans: list[list[tuple[int, int, str]]] = [[] for _ in sentences]
        begun = [0] * len(sentences)
        at = 0
        for number, tokens in cut:
            names = [self._field.labels[label] for label in labels[at : at + len(tokens)]]
            for start, end, kind in spans_of_labels(names):
                if is_name(" ".join(tokens[start:end])):
                    spans[number].append((begun[number] + start, begun[number] + end, kind))
            at += len(tokens)
            begun[number] += len(tokens)
        return spans

    def _labels(self, sentences: list[list[str]]) -> Array:
        scores, lengths = self.scores(sentences)
        field = self._field
        if field.trust:
            scores = second_look(
                sentences, scores, lengths, field.labels, field.moves, field.starts, field.trust
            )
        return best_labels(scores, lengths, field.moves, field.starts)

    def scores(self, sentences: Sequence[Sequence[str]]) -> tuple[Array, list[int]]:
        """What each token says of each label, (tokens, labels), sentence after sentence; and the sentences' lengths."""
        lengths = [len(sentence) for sentence in sentences]
        parts = []
        begin = size = 0
        for end, length in enumerate(lengths, start=1):
            size += length
            if size >= _TOGETHER or end == len(lengths):
                parts.append(self._scores(sentences[begin:end], size))
                begin, size = end, 0
        empty = np.zeros((0, len(self._field.labels)), np.float32)
        return np.concatenate(parts) if parts else empty, lengths

    def _scores(self, sentences: Sequence[Sequence[str]], total: int) -> Array:
        if len(self._facts) > _MOST_KINDS:
            self._forget()
        kinds = np.zeros(total + 4, np.int64)
        inside = [np.zeros(total, bool) for _ in range(4)]
        rows: list[int] = []
        ends: list[int] = []
        table = self._together
        at = 0
        for sentence in sentences:
            caseless = is_caseless(list(sentence))
            kind_of = self._kinds[caseless].get
            numbers = [kind_of(token, -1) for token in sentence]
            if -1 in numbers:
                numbers = [self._kind(token, caseless) for token in sentence]
            size = len(numbers)
            kinds[at + 2 : at + 2 + size] = numbers
            for mask, offset in zip(inside, _OFFSETS[1:], strict=True):
                mask[at + max(0, -offset) : at + size - max(0, offset)] = True
            for features in context_features([self._facts[number] for number in numbers]):
                rows += [row for row in map(table.get, features) if row is not None]
                ends.append(len(rows))
            at += size
        tables = self._tables
        scores: Array = tables[kinds[2 : total + 2], 0]
        for number, (mask, offset) in enumerate(zip(inside, _OFFSETS[1:], strict=True), start=1):
            part = tables[kinds[2 + offset : total + 2 + offset], number]
            part[~mask] = 0
            scores += part
        if rows:
            running = np.zeros((len(rows) + 1, scores.shape[1]))
            np.cumsum(self._field.weights[rows], axis=0, out=running[1:])
            stops = np.array(ends)
            scores += np.diff(running[stops], axis=0, prepend=running[:1])
        return scores

    def _kind(self, token: str, caseless: bool) -> int:
        number = self._kinds[caseless].get(token)
        if number is None:
            number = len(self._facts)
            facts = look_at(token[:LONGEST_TOKEN], caseless, self._field.lexicon)
            self._kinds[caseless][token] = number
            self._facts.append(facts)
            if number >= len(self._tables):
                self._tables = np.concatenate([self._tables, np.zeros_like(self._tables)])
            for part, offset in enumerate(_OFFSETS):
                seen = (facts.own, facts.near, facts.far)[abs(offset)]
                rows = [row for row in map(self._alone[part].get, seen) if row is not None]
                if rows:
                    self._tables[number, part] = self._field.weights[rows].sum(axis=0)
        return number
