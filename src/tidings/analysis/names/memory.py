"""What a recogniser remembers of tokens: what is to be seen of each alone, and what that says of labels.

What a token alone says of its label, and of its neighbours' labels, depends on the token, not on where it stands; so
it is added up once for each kind of token and then looked up. A token is one kind in a sentence with capitals and
another in one whose capitals say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from tidings.analysis.names.gazetteers import gazetteers
from tidings.analysis.names.name_words import LONGEST_TOKEN, Lexicon, WordFacts, case_of, look_at
from tidings.core import ENGLISH, data_beside

Array = np.ndarray[Any, Any]

START, END = 0, 1
"""The kinds that stand before and behind a sentence."""
_PLACES = ("B", "M", "E")
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64)
_PATTERNS = {pattern: tuple(fields.split()) for pattern, fields in data_beside(__file__).items()}
"""The fields of each pattern of `context_features`."""
_NUMBERS = {pattern: number for number, pattern in enumerate(_PATTERNS, start=1)}


class Fields:
    """The numbers of what stands in the features' fields; 0 is what stands in none of them."""

    def __init__(self) -> None:
        self.of: dict[str, dict[str, int]] = {
            field: {} for field in ("low", "shape", "coarse", "kind", "mark", "run", "place")
        }
        for place in _PLACES:
            self.number("place", place)

    def number(self, field: str, value: str) -> int:
        """The number of a value, a new one if it has none."""
        numbers = self.of[field]
        return numbers.setdefault(value, len(numbers) + 1)


class ContextTable:
    """The features of tokens together, by the numbers of their fields.

    Args:
        rows: leads from the name of such a feature to its row of `weights`.
        weights: (features, labels).
    """

    def __init__(self, rows: Mapping[str, int], weights: Array) -> None:
        self.fields = Fields()
        self.labels = weights.shape[1]
        self._bias = np.zeros(self.labels, np.float32)
        if "bias" in rows:
            self._bias += weights[rows["bias"]]
        bodies: dict[str, list[tuple[str, int]]] = {pattern: [] for pattern in _PATTERNS}
        for name, row in rows.items():
            pattern, _, body = name.partition("=")
            if pattern == "m" and "|" in body:
                pattern = "ms"
            if pattern in bodies:
                bodies[pattern].append((body, row))
        keys, chosen = [], []
        for pattern, named in bodies.items():
            lines = list(_split_fields(named, len(_PATTERNS[pattern])))
            chosen += [row for _, row in lines]
            numbers = [(_NUMBERS[pattern],) * len(lines)]
            for at, field in enumerate(_PATTERNS[pattern]):
                number = self.fields.number
                numbers.append(tuple(number(field, values[at]) for values, _ in lines))
            keys.append(_keys(numbers))
        # Row 0 is that of no feature.
        self._weights = np.zeros((len(chosen) + 1, self.labels), np.float32)
        self._weights[1:] = weights[chosen]
        self._fill(np.concatenate(keys))
        self._pattern = {
            pattern: np.uint64(number * int(_ODD[0]) % (1 << 64)) for pattern, number in _NUMBERS.items()
        }
        self._runs = self._run_keys()
        self._places = np.array([self.fields.number("place", place) for place in _PLACES], np.uint64)

    def _fill(self, keys: Array) -> None:
        bits = max(int(len(keys) * 8).bit_length(), 6)
        self._shift = np.uint64(64 - bits)
        self._mask = (1 << bits) - 1
        self._slots = np.zeros(1 << bits, np.uint64)
        self._rows = np.zeros(1 << bits, np.int32)
        left = np.arange(len(keys))
        home = (keys >> self._shift).astype(np.int64)
        while len(left):
            free = self._rows[home[left]] == 0
            self._rows[home[left[free]]] = left[free] + 1
            placed = self._rows[home[left]] == left + 1
            self._slots[home[left[placed]]] = keys[left[placed]]
            left = left[~placed]
            home[left] = (home[left] + 1) & self._mask

    def _lookup(self, keys: Array) -> Array:
        at = (keys >> self._shift).astype(np.int64)
        rows = self._rows.take(at)
        other = np.flatnonzero((self._slots.take(at) != keys) & (rows != 0))
        while len(other):
            place = (at.take(other) + 1) & self._mask
            at[other] = place
            row = self._rows.take(place)
            rows[other] = row
            other = other[(self._slots.take(place) != keys.take(other)) & (row != 0)]
        return rows

    def _run_keys(self) -> Array:
        # By length (1 to 5), place and whether the run begins the sentence.
        runs = [
            self.fields.of["run"].get(f"{length}{place}{'S' * first}", 0)
            for length in range(6)
            for place in _PLACES
            for first in (0, 1)
        ]
        return _keys([(_NUMBERS["y"],) * len(runs), tuple(runs)]).reshape(6, len(_PLACES), 2)

    def scores(self, seen: Array, begins: Array, marks: Sequence[tuple[int, str]]) -> Array:
        """What the features of tokens together say of each token's labels, (places, labels).

        Args:
            seen: (5, places), for each place the numbers of its `low`, `shape`, `coarse` and `kind`, and 1 if it is
                `capital`. Sentences stand one after the other, a place `START` before and a place `END` behind each.
            begins: the place of each sentence's `START`, and behind the last sentence's `END`.
            marks: places that are part of a listed name of several words, with their marks.
        """
        low, shape, coarse, kind, capital = seen
        size = len(low)
        scores = np.empty((size, self.labels), np.float32)
        scores[:] = self._bias
        if size < 3:
            return scores
        one, two, three = _ODD[1], _ODD[2], _ODD[3]
        low1, low2 = low * one, low * two
        shape1, shape2, shape3 = shape * one, shape * two, shape * three
        coarse1 = coarse * one
        kind1, kind2 = kind * one, kind * two
        pair = low1[:-1] + low2[1:]
        lists = kind2[1:-1] + shape3[1:-1]
        of = self._pattern
        inner = shape2[1:-1]
        keys = np.empty((9, size - 2), np.uint64)
        np.add(pair[:-1], of["b-"], out=keys[0])
        np.add(pair[1:], of["b+"], out=keys[1])
        np.add(shape1[:-2] + inner, shape3[2:] + of["t"], out=keys[2])
        np.add(coarse1[:-2] + of["q-"], inner, out=keys[3])
        np.add(coarse1[2:] + of["q+"], inner, out=keys[4])
        np.add(low1[:-2] + of["v-"], inner, out=keys[5])
        np.add(low1[2:] + of["v+"], inner, out=keys[6])
        np.add(kind1[:-2] + of["k-"], lists, out=keys[7])
        np.add(kind1[2:] + of["k+"], lists, out=keys[8])
        self._add(scores, slice(1, size - 1), keys)
        lengths = np.diff(begins) - 2
        first = begins[:-1] + 1
        self._add(scores, first, (shape1[first] + of["S"])[None])
        self._add_heavy(scores, capital, shape1, begins, lengths)
        if marks:
            places = np.array([place for place, _ in marks])
            said = np.array([self.fields.of["mark"].get(mark, 0) for _, mark in marks], np.uint64) * one
            self._add(scores, places, np.stack([said + of["m"], said + of["ms"] + shape2[places]]))
        self._add_runs(scores, capital, first, (low1, kind1, coarse1))
        return scores

    def _add(self, scores: Array, places: Any, keys: Array) -> None:
        rows = self._lookup(keys.ravel()).reshape(keys.shape)
        for line in rows:
            scores[places] += self._weights.take(line, axis=0)

    def _add_heavy(self, scores: Array, capital: Array, shape1: Array, begins: Array, lengths: Array) -> None:
        # Sentences more than six tenths of whose tokens are capitalised: headings.
        capitals = np.add.reduceat(capital.astype(np.int64), begins[:-1])
        heavy = np.flatnonzero((lengths > 4) & (capitals * 10 > lengths * 6))
        if len(heavy):
            places = np.concatenate(
                [np.arange(begins[number] + 1, begins[number + 1] - 1) for number in heavy]
            )
            self._add(scores, places, (shape1[places] + self._pattern["H"])[None])

    def _add_runs(
        self, scores: Array, capital: Array, first: Array, columns: tuple[Array, Array, Array]
    ) -> None:
        # Sentences are parted by places that are not capitalised, and so are runs.
        places = np.flatnonzero(capital)
        if not len(places):
            return
        low1, kind1, coarse1 = columns
        begin = np.flatnonzero(np.diff(places, prepend=-2) != 1)
        sizes = np.diff(np.append(begin, len(places)))
        start = np.repeat(places[begin], sizes)
        end = start + np.repeat(sizes, sizes)
        place = np.where(places == start, 0, np.where(places == end - 1, 2, 1))
        opening = np.zeros(len(capital), np.int64)
        opening[first] = 1
        opens = opening[start]
        self._add(scores, places, self._runs[np.minimum(end - start, 5), place, opens][None])
        several = np.flatnonzero(end - start > 1)
        if not len(several):
            return
        start, end, place = start[several], end[several], self._places[place[several]] * _ODD[2]
        of = self._pattern
        last = end - 1
        keys = np.stack(
            [
                low1[last] + of["e"],
                low1[start] + of["f"],
                kind1[last] + of["ek"],
                kind1[start] + of["fk"],
                coarse1[last] + of["ec"],
                low1[start - 1] + of["z"],
                low1[end] + of["a"],
            ]
        )
        self._add(scores, places[several], keys + place)


def _split_fields(named: Sequence[tuple[str, int]], fields: int) -> Iterator[tuple[Sequence[str], int]]:
    # Fields may hold the bar that parts them; then all ways to part them are meant.
    for body, row in named:
        parts = body.split("|", -1 if fields > 1 else 0)
        if len(parts) == fields:
            yield parts, row
            continue
        for cuts in combinations(range(1, len(parts)), fields - 1):
            borders = pairwise((0, *cuts, len(parts)))
            yield ["|".join(parts[begin:end]) for begin, end in borders], row


def _keys(numbers: Sequence[tuple[int, ...]]) -> Array:
    keys: Array = sum(
        np.array(column, np.uint64) * odd for column, odd in zip(numbers, _ODD, strict=False)
    ) + np.zeros(len(numbers[0]), np.uint64)
    return keys


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
            self.begins, self.goes_on = (
                np.append(table, table & False) for table in (self.begins, self.goes_on)
            )
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
