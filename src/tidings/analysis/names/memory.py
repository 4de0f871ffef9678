"""What a recogniser remembers of tokens: what is to be seen of each alone, and what that says of labels.

What a token alone says of its label, and of its neighbours' labels, depends on the token, not on where it stands; so
it is added up once for each kind of token and then looked up. A token is one kind in a sentence with capitals and
another in one whose capitals say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tidings.analysis.names.gazetteers import gazetteers
from tidings.analysis.names.together import END, START, Fields
from tidings.analysis.names.words import LONGEST_TOKEN, Lexicon, WordFacts, case_of, look_at
from tidings.core import ENGLISH

__all__ = ["OFFSETS", "Alone", "TokenMemory"]

Array = np.ndarray[Any, Any]

OFFSETS = (0, -1, 1, -2, 2)
"""From where a token is looked at; the name of a feature of one token begins with the place."""
_FIELDS = ("low", "shape", "coarse", "kind")
_EDGES = {START: ("<s>", "<", "<", "<"), END: ("</s>", ">", ">", ">")}


class Alone:
    """The weights of what is seen of one token: of itself, of both neighbours, and of those two places away.

    Args:
        rows: leads from the name of a feature of one token, its offset first, to its row of `weights`.
        weights: (features, labels).
    """

    def __init__(self, rows: Mapping[str, int], weights: Array) -> None:
        self.labels = weights.shape[1]
        padded = np.concatenate([weights, np.zeros((1, self.labels), weights.dtype)]).astype(np.float32)
        none = len(weights)
        of: dict[str, dict[str, int]] = {str(offset): {} for offset in OFFSETS}
        for name, row in rows.items():
            digits = 2 if name[0] == "-" else 1
            of[name[:digits]][name[digits:]] = row
        # What is seen from afar is part of what is seen at the place, so that one row holds all five.
        names = dict.fromkeys(name for part in of.values() for name in part)
        self._index = {name: at for at, name in enumerate(names, start=1)}
        chosen = [[none, *(of[str(offset)].get(name, none) for name in names)] for offset in OFFSETS]
        self._weights = np.concatenate([padded[line] for line in chosen], axis=1)

    def says(self, tokens: Sequence[WordFacts]) -> Array:
        """What each token says of the labels around it, in the order of `OFFSETS`: (5, tokens, labels)."""
        rows: list[int] = []
        begins = []
        index = self._index.get
        for facts in tokens:
            begins.append(len(rows))
            rows.append(0)  # that of no feature
            rows += filter(None, map(index, facts.own))
        sums = np.add.reduceat(self._weights.take(rows, axis=0), begins)
        return sums.reshape(len(tokens), len(OFFSETS), self.labels).swapaxes(0, 1)


class TokenMemory(dict[str, int]):
    """The numbers of the tokens that were met; a new token gets one, and what is to be seen of it, when looked up.

    `cases` (4, tokens) says of each token what `case_of` does, and 1 if a second look may be taken at it. `seen`
    (5, kinds) are the numbers of the fields that a kind has in features of tokens together, and 1 if it has a capital;
    `says` (5, kinds, labels) what it says of the labels around it, in the order of `OFFSETS`; `begins` and `goes_on`
    (kinds) whether it may be the first, or the second, word of a listed name; `lows` its letters.
    """

    def __init__(self, alone: Alone, fields: Fields, lexicon: Lexicon) -> None:
        self._alone = alone
        self._lexicon = lexicon
        self._numbers = fields.of
        self._second = {phrase[1] for names in gazetteers().phrases.values() for phrase, _ in names}
        self.forget()

    def forget(self) -> None:
        """Forget all, which changes no result."""
        self.clear()
        self._tokens: list[str] = []
        self.lows: list[str] = []
        self.cases = np.zeros((4, 1024), np.int64)
        self._kinds = np.full((2, 1024), -1, np.int64)
        self.seen = np.zeros((5, 1024), np.uint64)
        self.says = np.zeros((5, 1024, self._alone.labels), np.float32)
        self.begins, self.goes_on = np.zeros(1024, bool), np.zeros(1024, bool)
        for kind, values in sorted(_EDGES.items()):
            self.lows.append("\n")
            self.seen[:4, kind] = self._fields_of(values)

    def __missing__(self, token: str) -> int:
        number = len(self._tokens)
        self._tokens.append(token)
        self[token] = number
        if number >= self.cases.shape[1]:
            self.cases = np.concatenate([self.cases, np.zeros_like(self.cases)], axis=1)
            self._kinds = np.concatenate([self._kinds, np.full_like(self._kinds, -1)], axis=1)
        may_name = len(token) > 1 and token[0].isupper() and token.lower() not in ENGLISH
        self.cases[:, number] = (*case_of(token), may_name)
        return number

    def kinds(self, numbers: Array, caseless: Array) -> Array:
        """The kinds of tokens by their numbers, `caseless` in sentences whose capitals say nothing."""
        way = caseless.astype(np.int64)
        kinds: Array = self._kinds[way, numbers]
        new = np.flatnonzero(kinds < 0)
        if len(new):
            self._learn(sorted(set(zip(numbers[new].tolist(), way[new].tolist(), strict=True))))
            kinds = self._kinds[way, numbers]
        return kinds

    def _learn(self, new: Sequence[tuple[int, int]]) -> None:
        begin, end = len(self.lows), len(self.lows) + len(new)
        while end > len(self.begins):
            self.seen = np.concatenate([self.seen, np.zeros_like(self.seen)], axis=1)
            self.says = np.concatenate([self.says, np.zeros_like(self.says)], axis=1)
            self.begins, self.goes_on = (np.append(one, one & False) for one in (self.begins, self.goes_on))
        kinds = [
            look_at(self._tokens[number][:LONGEST_TOKEN], bool(caseless), self._lexicon)
            for number, caseless in new
        ]
        phrases = gazetteers().phrases
        columns = []
        for kind, ((number, caseless), facts) in enumerate(zip(new, kinds, strict=True), start=begin):
            self._kinds[caseless, number] = kind
            self.lows.append(facts.low)
            fields = self._fields_of((facts.low, facts.shape, facts.coarse, facts.kind))
            columns.append((*fields, facts.capital))
            self.begins[kind] = facts.low in phrases
            self.goes_on[kind] = facts.low in self._second
        self.seen[:, begin:end] = np.array(columns, np.uint64).T
        self.says[:, begin:end] = self._alone.says(kinds)

    def _fields_of(self, values: tuple[str, ...]) -> list[int]:
        return [self._numbers[field].get(value, 0) for field, value in zip(_FIELDS, values, strict=True)]
