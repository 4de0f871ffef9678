"""The features of a pair of a text and a nugget by which it is judged a match or none."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from tidings.analysis import find_quantities
from tidings.core import Analyzer
from tidings.evaluation.matching.likeness import Likeness
from tidings.evaluation.matching.meaning import Encode, meaning_features, unit_vectors
from tidings.evaluation.matching.neighbours import highest, ranges
from tidings.evaluation.matching.texts import EventTexts

_WORD = re.compile(r"[^\W\d_]+")
_TOLLS = {
    **dict.fromkeys(("kill", "dead", "die", "death", "toll", "fatal", "victim", "life", "live"), "dead"),
    **dict.fromkeys(("injur", "wound", "hurt", "hospit"), "hurt"),
    **dict.fromkeys(("miss", "unaccount"), "miss"),
}
_NEAR = 4  # words on each side that say what a number counts
_MOST_CHARACTERS = 2_000  # of a text, looked through for numbers


def stated_numbers(text: str, analyzer: Analyzer) -> list[tuple[float, frozenset[str]]]:
    """Each number of a text with the stems of the four words behind it and the toll word nearby, in order.

    Vague numbers ("dozens") and a plain "one" are none.

    >>> from tidings.core.text.tokens import shared_analyzer
    >>> [(value, sorted(units)) for value, units in stated_numbers("12 people died; two ferries", shared_analyzer())]
    [(12.0, ['dead', 'die', 'ferri', 'peopl', 'two']), (2.0, ['dead', 'ferri'])]
    """
    text = text[:_MOST_CHARACTERS]
    found: list[tuple[float, frozenset[str]]] = []
    for number in find_quantities(text):
        if number.vague or text[number.start : number.end].lower() == "one":
            continue
        behind = [analyzer.stem(word.lower()) for word in _WORD.findall(text[number.end :])[:_NEAR]]
        before = [analyzer.stem(word.lower()) for word in _WORD.findall(text[: number.start])[-_NEAR:]]
        tolls = {_TOLLS.get(stem, "") for stem in (*before, *behind)}
        found.append((number.value, frozenset({*behind, *tolls} - {""})))
    return found


def number_agreement(
    nuggets: Sequence[str], texts: Sequence[str], analyzer: Analyzer
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(agree, conflict), each (texts, nuggets): shares of a nugget's numbers that a text states, or states otherwise.

    A number conflicts where the text lacks it and states another one of the same thing: words behind, or a toll.
    A nugget without numbers agrees and conflicts with none (0).
    """
    of_value: defaultdict[float, set[int]] = defaultdict(set)
    of_unit: defaultdict[str, set[int]] = defaultdict(set)
    for row, text in enumerate(texts):
        for value, units in stated_numbers(text, analyzer):
            of_value[value].add(row)
            for unit in units:
                of_unit[unit].add(row)
    shape = (len(texts), len(nuggets))
    agree, conflict = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
    for column, text in enumerate(nuggets):
        stated = stated_numbers(text, analyzer)
        for value, units in stated:
            same = of_value.get(value, set())
            other = set().union(*(of_unit.get(unit, set()) for unit in units)) - same
            agree[sorted(same), column] += 1 / len(stated)
            conflict[sorted(other), column] += 1 / len(stated)
    return agree, conflict


def pair_containment(
    terms: NDArray[np.int32],
    nugget_terms: Sequence[Sequence[int]],
    rarity: NDArray[np.float32],
    reach: int,
    *,
    ordered: bool,
) -> NDArray[np.float32]:
    """(texts, nuggets): the share of a nugget's pairs of different terms, at most `reach` apart, that a text holds so.

    A pair weighs the sum of its terms' rarity; a nugget of one term has no pairs: 0.
    """
    width = len(rarity)
    keys: list[NDArray[np.int64]] = []
    for own in nugget_terms:
        row = np.array([own], dtype=np.int64).reshape(1, -1)
        keys.append(np.unique(_keys(row, width, reach, ordered=ordered)[1]))
    owners = np.repeat(np.arange(len(keys)), [len(own) for own in keys])
    made = np.zeros((len(terms), len(nugget_terms)), dtype=np.float32)
    if not len(owners):
        return made
    every = np.concatenate(keys)
    order = np.argsort(every, kind="stable")
    every, owners = every[order], owners[order]
    weights = rarity[every // width] + rarity[every % width]
    totals = np.bincount(owners, weights, len(nugget_terms))
    rows, those = _keys(terms.astype(np.int64), width, reach, ordered=ordered)
    distinct = np.unique(rows * (width * width) + those)
    rows, those = distinct // (width * width), distinct % (width * width)
    first, last = np.searchsorted(every, those), np.searchsorted(every, those, side="right")
    counts = last - first
    entries = np.repeat(first, counts) + ranges(counts)
    flat = np.repeat(rows, counts) * len(nugget_terms) + owners[entries]
    sums = np.bincount(flat, weights[entries], made.size).reshape(made.shape)
    return np.asarray(sums / np.maximum(totals, 1e-6), dtype=np.float32)


def _keys(
    terms: NDArray[np.int64], width: int, reach: int, *, ordered: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    keys: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    for distance in range(1, min(reach, terms.shape[1] - 1) + 1):
        left, right = terms[:, :-distance], terms[:, distance:]
        at, place = np.nonzero((left >= 0) & (right >= 0) & (left != right))
        one, other = left[at, place], right[at, place]
        if not ordered:
            one, other = np.minimum(one, other), np.maximum(one, other)
        rows.append(at)
        keys.append(one * width + other)
    return np.concatenate(rows), np.concatenate(keys)


Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

FROM_BASE = 0.05
"""The base likeness from which a pair may be a match: it holds 97 of 100 matches of both years, .24 held 86."""
_AT_ONCE = 20_000  # texts in one block, to bound memory
_BREAK = 0.4  # of the mean likeness: what a word without counterpart costs a span
_EDIT_S = 3600  # texts within this time of each other are near


def _read_rising() -> dict[str, int]:
    text = (files(__package__) / "pair_features.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {name: int(sign) for name, sign in rows}


RISING = _read_rising()
"""Each feature, an encoder's last, and whether a match may only become likelier (1) or less likely (-1) as it grows."""

NAMES_WITH_MEANING = tuple(RISING)
NAMES = tuple(name for name in RISING if not name.startswith("meaning"))


@dataclass(frozen=True)
class PairFeatures:
    """The pairs that may be a match: number of the text, number of the nugget, features.

    Features are as `NAMES`, or as `NAMES_WITH_MEANING` where an encoder was asked.
    """

    texts: Ints
    nuggets: Ints
    rows: Floats


def _ranks(values: Floats, axis: int | None) -> Floats:
    """Of each value the share of the others (along an axis) that are smaller; of equal ones by their place."""
    if axis is None:
        return _ranks(values.reshape(-1, 1), 0).reshape(values.shape)
    order = np.argsort(values, axis=axis, kind="stable")
    ranks = np.empty(values.shape, dtype=np.float32)
    places = np.arange(values.shape[axis], dtype=np.float32) / max(values.shape[axis] - 1, 1)
    np.put_along_axis(ranks, order, places[:, None] if axis == 0 else places[None, :], axis=axis)
    return ranks


def pair_features(
    event: EventTexts, from_base: float = FROM_BASE, encode: Encode | None = None
) -> PairFeatures:
    """The pairs whose base likeness is at least `from_base`, with the features of each, an encoder's last."""
    likeness = Likeness.of(event)
    base = likeness.base
    texts, nuggets = np.nonzero(base >= from_base)
    at = (texts, nuggets)
    weights = event.weights()
    own: dict[str, Floats] = {
        name: getattr(likeness, name)[at]
        for name in ("contained", "soft", "bm25", "cosine", "vectors", "base", "feedback", "votes")
    }
    own["bigrams"] = pair_containment(event.terms, event.nugget_terms, event.rarity, 1, ordered=True)[at]
    own["skip_bigrams"] = pair_containment(event.terms, event.nugget_terms, event.rarity, 4, ordered=False)[
        at
    ]
    own["run"], own["window"] = _runs(event, weights, texts, nuggets)
    own["names"], own["names_missing"] = (name[at] for name in _names(event))
    agree, conflict = number_agreement([nugget.text for nugget in event.nuggets], event.texts, event.analyzer)
    own["numbers_agree"], own["numbers_conflict"] = agree[at], conflict[at]
    masses = np.array([event.rarity[sorted(set(own))].sum() for own in event.nugget_terms], dtype=np.float32)
    padded = np.append(event.rarity, np.float32(0))
    text_masses = padded[event.terms].sum(axis=1)
    own["contained_mass"] = own["contained"] * masses[nuggets]
    own["missing_mass"] = (1 - own["soft"]) * masses[nuggets]
    own["of_the_text"] = own["contained_mass"] / np.maximum(text_masses[texts], 1.0)
    ranked = _ranks(base, 1)
    own["rank_in_text"] = -np.log2(1 + (1 - ranked[at]) * max(base.shape[1] - 1, 1))
    two = -np.partition(-base, 1, axis=1)[:, :2] if base.shape[1] > 1 else np.repeat(base, 2, axis=1)
    own["margin_in_text"] = own["base"] - np.where(own["base"] >= two[texts, 0], two[texts, 1], two[texts, 0])
    own["rank_in_nugget"] = -np.log2(1 + (1 - _ranks(base, 0)[at]) * max(base.shape[0] - 1, 1))
    means, spreads = base.mean(axis=0), base.std(axis=0)
    own["above_nugget"] = (own["base"] - means[nuggets]) / np.maximum(spreads[nuggets], 1e-3)
    own["rank_in_event"] = -np.log2(np.maximum(1 - _ranks(base, None)[at], 1e-6))
    own["feedback_rank"] = -np.log2(1 + (1 - _ranks(likeness.feedback, 1)[at]) * max(base.shape[1] - 1, 1))
    own["votes_rank"] = -np.log2(1 + (1 - _ranks(likeness.votes, 1)[at]) * max(base.shape[1] - 1, 1))
    own["text_best"] = two[texts, 0]
    own["text_others"] = ((base.sum(axis=1)[texts] - own["base"]) / max(base.shape[1] - 1, 1)).astype(
        np.float32
    )
    own["nugget_mean"] = means[nuggets]
    own["nearest"] = likeness.nearest[texts]
    times = np.array([nugget.time for nugget in event.nuggets], dtype=np.float64)
    hours = np.where(event.times[texts] > 0, (event.times[texts] - times[nuggets]) / 3600, 0.0)
    own["after"] = (np.sign(hours) * np.log2(1 + np.abs(hours))).astype(np.float32)
    own["apart"] = np.log2(1 + np.abs(hours)).astype(np.float32)
    own["near_peak"] = _near_peak(event, base)[at]
    own["importance"] = np.array([nugget.importance for nugget in event.nuggets], dtype=np.float32)[nuggets]
    lengths = np.array([len(set(own)) for own in event.nugget_terms], dtype=np.float32)
    own["nugget_length"] = np.log2(1 + lengths[nuggets])
    own["text_length"] = np.log2(1 + event.lengths[texts]).astype(np.float32)
    own["rarest"] = np.array(
        [event.rarity[terms].max(initial=0) for terms in event.nugget_terms], dtype=np.float32
    )[nuggets]
    own["event_likeness"] = _event_likeness(event, base)[texts]
    own["same_edit"] = _same_edit(times, base)[at]
    if encode is not None:
        own |= meaning_features(*unit_vectors(event, encode), base, (texts, nuggets))
    names = NAMES if encode is None else NAMES_WITH_MEANING
    rows = np.stack([own[name].astype(np.float32) for name in names], axis=1)
    return PairFeatures(texts, nuggets, rows)


def _runs(event: EventTexts, weights: Floats, texts: Ints, nuggets: Ints) -> tuple[Floats, Floats]:
    """Of each pair the heaviest run, and the most that one window of 1.5 times the nugget's length contains."""
    run, window = np.zeros(len(texts), dtype=np.float32), np.zeros(len(texts), dtype=np.float32)
    padded = np.concatenate([weights, np.zeros((len(weights), 1), dtype=np.float32)], axis=1)
    counts = np.array([max(len(set(own)), 1) for own in event.nugget_terms])
    for start in range(0, len(texts), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        terms, number = event.terms[texts[part]], nuggets[part]
        worth = padded[number[:, None], terms]
        repeated = np.zeros(worth.shape, dtype=bool)
        order = np.argsort(terms, axis=1, kind="stable")
        in_order = np.take_along_axis(terms, order, axis=1)
        again = np.concatenate([np.zeros((len(terms), 1), bool), in_order[:, 1:] == in_order[:, :-1]], axis=1)
        np.put_along_axis(repeated, order, again, axis=1)
        single = np.where(repeated, 0, worth)
        mean = 1.0 / counts[number]
        total, best = np.zeros(len(terms), dtype=np.float32), np.zeros(len(terms), dtype=np.float32)
        sums = np.concatenate([np.zeros((len(terms), 1), np.float32), np.cumsum(single, axis=1)], axis=1)
        wide = np.ceil(counts[number] * 1.5).astype(int) + 1
        most = np.zeros(len(terms), dtype=np.float32)
        for place in range(terms.shape[1]):
            here = worth[:, place]
            total = np.maximum(total, 0) + np.where(here > 0, here, -_BREAK * mean)
            best = np.maximum(best, total)
            begin = np.maximum(place + 1 - wide, 0)
            most = np.maximum(most, sums[:, place + 1] - sums[np.arange(len(terms)), begin])
        run[part], window[part] = best, most
    return run, window


def _names(event: EventTexts) -> tuple[Floats, Floats]:
    """(texts, nuggets): the share of a nugget's names that a text holds (.5 of none), and how many it lacks."""
    marks = np.zeros((len(event.nuggets), event.width), dtype=np.float32)
    for number in range(len(event.nuggets)):
        marks[number, sorted(event.named_terms(number))] = 1
    own = np.nonzero(marks.any(axis=0))[0]
    totals = marks.sum(axis=1)
    here = (event.table(event.entry_counts, own) > 0).astype(np.float32) @ marks[:, own].T
    return np.where(totals > 0, here / np.maximum(totals, 1), 0.5).astype(np.float32), (totals - here).astype(
        np.float32
    )


def _near_peak(event: EventTexts, base: Floats) -> Floats:
    """(texts, nuggets): log2(1 + hours) between a text and the median time of the nugget's ten likest texts."""
    made = np.zeros(base.shape, dtype=np.float32)
    timed = np.nonzero(event.times > 0)[0]
    if not len(timed):
        return made
    for number in range(base.shape[1]):
        best = timed[highest(base[timed, number], 10)]
        hours = np.abs(event.times - np.median(event.times[best])) / 3600
        made[:, number] = np.where(event.times > 0, np.log2(1 + hours), 0.0)
    return made


def _event_likeness(event: EventTexts, base: Floats) -> Floats:
    """(texts,): cosine of a text to the sum of the others, each as often as it is like its likest nugget."""
    values, shares = event.tf_idf(), base.max(axis=1).astype(np.float64)
    centre = np.bincount(event.entry_terms, values * shares[event.entry_texts], event.width)
    dots = np.bincount(event.entry_texts, values * centre[event.entry_terms], len(shares))
    squares = np.bincount(event.entry_texts, values * values, len(shares))
    length = centre @ centre - 2 * shares * dots + shares**2 * squares
    said = (dots - shares * squares) / np.sqrt(np.maximum(length, 1e-9))
    return np.asarray(said, dtype=np.float32)


def _same_edit(times: NDArray[np.float64], base: Floats) -> Floats:
    """(texts, nuggets): log2(1 + Σ base²) of a text to the other nuggets that the page gained within an hour."""
    near = (np.abs(times[:, None] - times[None]) <= _EDIT_S).astype(np.float32)
    np.fill_diagonal(near, 0)
    return np.asarray(np.log2(1 + (base * base) @ near), dtype=np.float32)
