"""From labelled sentences to the sparse matrices that the field is fitted on, and from its weights to a model."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tidings.analysis import Lexicon, WordFacts, context_features, is_caseless, look_at
from tidings.research.training.entities.field import Gathered
from tidings.research.training.entities.labelled import LabelledSentence

__all__ = ["LABELS", "OFFSETS", "Gathering", "gather", "labels_of"]

LABELS = ("O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC")
OFFSETS = (0, -1, 1, -2, 2)
"""From where a token is looked at, in the order of the parts of a gathering."""


class Gathering(Struct, frozen=True):
    """The matrices, and the name of each of their features: what is seen, and from where."""

    gathered: Gathered
    names: tuple[str, ...]


def labels_of(sentence: LabelledSentence) -> list[int]:
    """The number of each token's label, in BIO form."""
    labels = [0] * len(sentence.tokens)
    for start, end, kind in sentence.spans:
        number = LABELS.index(f"B-{kind}")
        labels[start] = number
        labels[start + 1 : end] = [number + 1] * (end - start - 1)
    return labels


def gather(
    sentences: Sequence[LabelledSentence],
    lexicon: Lexicon,
    *,
    least: int = 2,
    least_pairs: int = 3,
    forgotten: float = 0.1,
    caseless: float = 0.12,
    lowered: float = 0.0,
    sources: Sequence[str] = (),
    seed: int = 0,
) -> Gathering:
    """The matrices of these sentences.

    Args:
        sentences: what is learned from.
        lexicon: clusters of words.
        least: how often a feature of one token must occur; `least_pairs` the same for several tokens.
        forgotten: the share of tokens whose word is hidden, so that shape, clusters and neighbours are learned too.
        caseless: the share of sentences that are learned a second time without capitals.
        lowered: the share that is learned a second time with its names in small letters.
        sources: the corpus of each sentence, where what is its own shall be learned apart.
        seed: for which ones.
    """
    chance = random.Random(seed)
    seen: dict[tuple[bool, bool, str], int] = {}
    facts_of: list[WordFacts] = []
    shown: list[tuple[tuple[str, ...], ...]] = []
    sequences: list[tuple[list[int], list[int], list[list[str]]]] = []
    for sentence, source in _with_lowered(sentences, sources, lowered, seed):
        plain = is_caseless(list(sentence.tokens))
        ways = [plain, True] if not plain and chance.random() < caseless else [plain]
        for way in ways:
            rows, facts, hidden = [], [], []
            for token in sentence.tokens:
                hide = chance.random() < forgotten
                key = (way, hide, token)
                row = seen.get(key)
                if row is None:
                    row = seen[key] = len(facts_of)
                    fact = look_at(token, way, lexicon)
                    facts_of.append(fact)
                    own = tuple(one for one in fact.own if not hide or one[:2] not in _WORD)
                    shown.append((own, fact.near, fact.far))
                rows.append(row)
                facts.append(facts_of[row])
                hidden.append(hide)
            context = context_features(facts)
            context = [
                [one for one in line if not hide or one[:2] not in _WORD]
                for line, hide in zip(context, hidden, strict=True)
            ]
            if source:
                for features, fact in zip(context, facts, strict=True):
                    features.extend(_own_to(source, fact))
            sequences.append((rows, labels_of(sentence), context))
    return _matrices(shown, sequences, least, least_pairs)


def _with_lowered(
    sentences: Sequence[LabelledSentence], sources: Sequence[str], share: float, seed: int
) -> Iterator[tuple[LabelledSentence, str]]:
    chance = random.Random(f"lowered {seed}")
    for sentence, source in zip(sentences, sources or [""] * len(sentences), strict=True):
        yield sentence, source
        if sentence.spans and chance.random() < share:
            tokens = list(sentence.tokens)
            for start, end, _ in sentence.spans:
                tokens[start:end] = [token.lower() for token in tokens[start:end]]
            yield replace(sentence, tokens=tuple(tokens)), source


def _own_to(source: str, facts: WordFacts) -> tuple[str, ...]:
    # What one corpus does otherwise than the rest is learned here, and left out of the model.
    return (
        f"@{source}",
        f"@{source}|{facts.shape}",
        f"@{source}|{facts.kind}|{facts.shape}",
        f"@{source}|{facts.coarse}|{facts.shape}",
        f"@{source}|{facts.low}",
    )


_WORD = ("w=", "l=", "b-", "b+", "e=", "f=", "p4", "x4", "m=")


def _matrices(
    shown: list[tuple[tuple[str, ...], ...]],
    sequences: list[tuple[list[int], list[int], list[list[str]]]],
    least: int,
    least_pairs: int,
) -> Gathering:
    from scipy.sparse import csr_matrix

    tokens = sum(len(rows) for rows, _, _ in sequences)
    choices: dict[int, np.ndarray[Any, Any]] = {}
    labels = np.fromiter((label for _, line, _ in sequences for label in line), np.int64, tokens)
    ranges, at = [], 0
    for rows, _, _ in sequences:
        ranges.append((at, at + len(rows)))
        at += len(rows)
    ids = np.fromiter((row for rows, _, _ in sequences for row in rows), np.int64, tokens)
    start_of = np.zeros(tokens, np.int64)
    end_of = np.zeros(tokens, np.int64)
    for start, end in ranges:
        start_of[start:end], end_of[start:end] = start, end
    for offset in OFFSETS:
        places = np.arange(tokens) + offset
        inside = (places >= start_of) & (places < end_of)
        choices[offset] = np.where(inside, ids[np.clip(places, 0, tokens - 1)], -1)
    parts: list[tuple[Any, Any]] = []
    names: list[str] = []
    for offset in OFFSETS:
        used = Counter[str]()
        frequency = np.bincount(choices[offset][choices[offset] >= 0], minlength=len(shown))
        for line, count in zip(shown, frequency, strict=True):
            for feature in line[abs(offset)]:
                used[feature] += int(count)
        bound = least if not offset else least_pairs * abs(offset)
        index = {feature: number for number, feature in enumerate(f for f, n in used.items() if n >= bound)}
        names += [f"{offset}{feature}" for feature in index]
        kinds = _incidence([line[abs(offset)] for line in shown], index, csr_matrix)
        good = np.flatnonzero(choices[offset] >= 0)
        chosen = csr_matrix(
            (np.ones(len(good), np.float32), (good, choices[offset][good])), shape=(tokens, len(shown))
        )
        parts.append((chosen, kinds))
    counts = Counter(feature for _, _, context in sequences for line in context for feature in line)
    index = {
        feature: number for number, feature in enumerate(f for f, n in counts.items() if n >= least_pairs)
    }
    names += index
    lines = [line for _, _, context in sequences for line in context]
    parts.append((None, _incidence(lines, index, csr_matrix)))
    return Gathering(Gathered(tuple(parts), tuple(ranges), labels), tuple(names))


def _incidence(lines: Sequence[Sequence[str]], index: dict[str, int], csr_matrix: Any) -> Any:
    columns: list[int] = []
    ends = [0]
    for line in lines:
        columns += {index[feature] for feature in line if feature in index}
        ends.append(len(columns))
    data = np.ones(len(columns), np.float32)
    return csr_matrix(
        (data, np.array(columns, np.int64), np.array(ends, np.int64)), shape=(len(lines), len(index))
    )
