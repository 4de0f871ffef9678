"""Which documents of a day are about the event: BM25 of its query, widened by what its best documents speak of.

Statistics of words are those of the stream so far, never of what comes later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log

from msgspec import Struct

__all__ = ["EXPANSION_TERMS", "Statistics", "bm25", "expansion_terms", "ranked_documents"]

EXPANSION_TERMS = 30
"""Words that widen the query, as in the paper."""
_K1, _B = 1.2, 0.75
_FEEDBACK = 10
"""Documents that the query alone finds best, from which it is widened."""
_EXPANSION_WEIGHT = 0.5
"""What all words of the expansion count together, beside 1 for all words of the query."""
MOST_STEMS = 100_000
"""Stems whose frequencies are remembered; those of a single document are forgotten first."""

Frequencies = Mapping[str, int]


class Statistics(Struct):
    """How often the stream has used each stem so far: in how many documents, and how many times.

    >>> seen = Statistics()
    >>> seen.count(["storm", "coast", "storm"], new=["storm", "coast"], first=True)
    >>> seen.documents, seen.length, seen.document_counts["storm"], seen.term_counts["storm"]
    (1, 3, 1, 2)
    """

    documents: int = 0
    length: int = 0
    document_counts: dict[str, int] = {}
    term_counts: dict[str, int] = {}

    def count(self, stems: Iterable[str], *, new: Iterable[str], first: bool) -> None:
        """Count a document, or more of it.

        Args:
            stems: all that it says.
            new: each different one that was not yet counted for this document, once.
            first: whether the document is counted for the first time.
        """
        if first:
            self.documents += 1
        terms, documents = self.term_counts, self.document_counts
        for stem in stems:
            terms[stem] = terms.get(stem, 0) + 1
            self.length += 1
        for stem in new:
            documents[stem] = documents.get(stem, 0) + 1
        if len(documents) > MOST_STEMS:
            self._forget_rare()

    def _forget_rare(self) -> None:
        least = 1
        while len(self.document_counts) > MOST_STEMS * 3 // 4:
            kept = [stem for stem, count in self.document_counts.items() if count > least]
            self.document_counts = {stem: self.document_counts[stem] for stem in kept}
            self.term_counts = {stem: self.term_counts[stem] for stem in kept}
            least *= 2

    def idf(self, stem: str) -> float:
        """log(1 + (N − n + ½) / (n + ½)) of N documents, n of which hold the stem; above 0."""
        holding = self.document_counts.get(stem, 0)
        return log(1.0 + (max(self.documents - holding, 0) + 0.5) / (holding + 0.5))


def bm25(weights: Mapping[str, float], frequencies: Frequencies, length: int, seen: Statistics) -> float:
    """Σ w · idf · f (k₁ + 1) / (f + k₁ (1 − b + b · length / mean)) over the weighted stems, 0 where none occurs.

    k₁ = 1.2 and b = .75 (Robertson and Zaragoza 2009).

    >>> seen = Statistics()
    >>> seen.count(["storm", "coast"], new=["storm", "coast"], first=True)
    >>> bm25({"storm": 1.0}, {"storm": 2}, 2, seen) > bm25({"storm": 1.0}, {"storm": 1}, 2, seen) > 0
    True
    """
    mean = seen.length / seen.documents if seen.documents else 1.0
    norm = _K1 * (1.0 - _B + _B * length / max(mean, 1.0))
    total = 0.0
    for stem, weight in weights.items():
        frequency = frequencies.get(stem, 0)
        if frequency:
            total += weight * seen.idf(stem) * frequency * (_K1 + 1.0) / (frequency + norm)
    return total


def expansion_terms(
    best: Sequence[Frequencies], seen: Statistics, query: Iterable[str], most: int = EXPANSION_TERMS
) -> dict[str, float]:
    """The stems that set documents apart from the stream so far, with weights that sum to 1.

    The weight of a stem is its share of the Kullback-Leibler divergence, P(w|best) · log(P(w|best) / P(w|stream)).
    Stems of the query, of a single character, of digits alone, and of only one document (where there are more) are
    left out.

    >>> seen = Statistics()
    >>> for text in (["storm", "coast"], ["storm", "coast", "ferri"], ["bank", "ferri"], ["bank", "vote"]):
    ...     seen.count(text, new=text, first=True)
    >>> expansion_terms([{"storm": 1, "coast": 1}, {"storm": 1, "coast": 1, "ferri": 1}], seen, ["storm"])
    {'coast': 1.0}
    """
    totals: dict[str, int] = {}
    holding: dict[str, int] = {}
    for frequencies in best:
        for stem, count in frequencies.items():
            totals[stem] = totals.get(stem, 0) + count
            holding[stem] = holding.get(stem, 0) + 1
    size = sum(totals.values())
    leave = frozenset(query)
    need = 2 if len(best) > 2 else min(2, len(best))
    shares: dict[str, float] = {}
    for stem, count in totals.items():
        if stem in leave or len(stem) < 2 or stem.isdigit() or holding[stem] < need:
            continue
        share = count / size
        divergence = share * log(share * seen.length / max(seen.term_counts.get(stem, 0), count))
        if divergence > 0:
            shares[stem] = divergence
    chosen = sorted(shares, key=lambda stem: (-shares[stem], stem))[:most]
    total = sum(shares[stem] for stem in chosen)
    return {stem: shares[stem] / total for stem in chosen}


def ranked_documents(
    documents: Sequence[Frequencies], query: Iterable[str], seen: Statistics
) -> list[tuple[float, int]]:
    """(score, number) of each document, best first, equal ones in their order.

    The query's words count 1 together; those of the expansion, from the ten documents that the query alone finds best,
    half as much together.
    """
    stems = sorted(set(query))
    weights = dict.fromkeys(stems, 1.0 / max(len(stems), 1))
    lengths = [sum(frequencies.values()) for frequencies in documents]
    scores = [
        bm25(weights, frequencies, length, seen)
        for frequencies, length in zip(documents, lengths, strict=True)
    ]
    order = sorted(range(len(documents)), key=lambda number: (-scores[number], number))
    best = [documents[number] for number in order[:_FEEDBACK] if scores[number] > 0]
    wider = expansion_terms(best, seen, stems) if best else {}
    extra = {stem: _EXPANSION_WEIGHT * weight for stem, weight in wider.items()}
    totals = [
        score + bm25(extra, frequencies, length, seen)
        for score, frequencies, length in zip(scores, documents, lengths, strict=True)
    ]
    return sorted(((total, number) for number, total in enumerate(totals)), key=lambda one: (-one[0], one[1]))
