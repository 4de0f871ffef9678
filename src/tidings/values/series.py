"""From mentions to the current value: claims vote, age, and must be corroborated where they surprise.

A *claim* is one document's statement of one value. A value's support is the weight of the claims within a tenth of it,
each halved after the *half-life*; the current value is changed for the best supported one. Values far above the current
one are *admitted* only on the word of several documents with texts of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from tidings.values.mentions import Mention

__all__ = ["Claim", "Rules", "Series"]


class Rules(Struct, frozen=True, kw_only=True):
    """How claims become the current value; times in seconds of event time.

    `half_life_s` is the shortest: claims never fade faster than the last `span_claims` of them came in. `keep` favours
    the current value, `rise` a larger one. A value above `doubling` times the current one needs two documents with
    different texts, one above `tripling` times three; `start` stands for the current value before there is one.
    """

    half_life_s: float = 48 * 3600.0
    span_claims: int = 20
    tolerance: float = 0.1
    near: float = 0.5
    keep: float = 1.5
    rise: float = 1.6
    doubling: float = 2.0
    tripling: float = 3.0
    start: float = 30.0
    corroborated: int = 3
    floor: float = 0.5
    least: float = 0.5
    alike: float = 2.0
    repeat: float = 0.5
    max_claims: int = 128


class Claim(Struct):
    """That one document says so many; `weight` is how much the wording is worth, `text` a digest of the sentence."""

    value: float
    low: float
    high: float
    weight: float
    time: int
    doc_id: str
    sentence_index: int
    source: str
    text: int
    sentence: str = ""
    title: str = ""
    url: str = ""
    published_time: int = 0


class Series:
    """The claims of one attribute of one event, and its current value.

    >>> series = Series(Rules())
    >>> for number, value in enumerate([12.0, 13.0, 13.0]):
    ...     series.add(Claim(value, value, value, 1.0, 60 * number, f"d{number}", 0, f"paper {number}", number))
    >>> series.settle(180), series.current
    (True, 13.0)
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.claims: list[Claim] = []
        self.current: float | None = None

    def add(self, claim: Claim) -> bool:
        """Note a claim; one document has one vote for a value. True where that changes anything."""
        for other in reversed(self.claims):
            if other.doc_id == claim.doc_id and other.value == claim.value:
                if claim.weight <= other.weight:
                    return False
                self.claims.remove(other)
                break
        self.claims.append(claim)
        if len(self.claims) > self.rules.max_claims:
            del self.claims[0]
        return True

    def settle(self, now: int) -> bool:
        """Choose the current value at `now`; True where it is another than before."""
        best = self._best(now)
        if best is None or best == self.current:
            return False
        self.current = best
        return True

    def _best(self, now: int) -> float | None:
        rules, current = self.rules, self.current
        weights = self.weights(now)
        best, best_score = current, 0.0
        for value in sorted({claim.value for claim in self.claims if claim.weight > 0}):
            score = self._support(value, weights)
            if current is not None:
                score *= rules.keep if value == current else rules.rise if value > current else 1.0
            if score > best_score and (value == current or self._is_admitted(value)):
                best, best_score = value, score
        return best if current is not None or best_score >= rules.least else None

    def _outdated_before(self) -> list[tuple[float, int]]:
        """Pairs (value, time): claims of less than `value` that are older than `time` speak of an earlier state."""
        rules = self.rules
        pairs = []
        for value in {claim.value for claim in self.claims if claim.weight > 0}:
            texts: set[int] = set()
            documents: set[str] = set()
            for claim in self.supporters(value):
                texts.add(claim.text)
                documents.add(claim.doc_id)
                if min(len(texts), len(documents)) >= rules.corroborated:
                    pairs.append((value / (1.0 + rules.tolerance), claim.time))
                    break
        return pairs

    def weights(self, now: int) -> list[float]:
        """What each claim is worth at `now`: its wording, faded, and shared where a text repeats."""
        rules, claims = self.rules, self.claims
        if not claims:
            return []
        recent = claims[-rules.span_claims :]
        half_life = max(rules.half_life_s, float(now - recent[0].time))
        repeats: dict[int, int] = {}
        for claim in claims:
            repeats[claim.text] = repeats.get(claim.text, 0) + 1
        pairs = self._outdated_before() if rules.floor < 1.0 else []
        return [
            (rules.floor if any(claim.value < value and claim.time < time for value, time in pairs) else 1.0)
            * claim.weight * 0.5 ** ((now - claim.time) / half_life) / repeats[claim.text] ** rules.repeat for claim in claims
        ]

    def _support(self, value: float, weights: Sequence[float]) -> float:
        rules = self.rules
        room = rules.tolerance * max(value, 1.0)
        score = 0.0
        for claim, weight in zip(self.claims, weights, strict=True):
            if claim.value == value:
                score += weight
            elif abs(claim.value - value) <= room or claim.low <= value <= claim.high:
                score += rules.near * weight
        return score

    def _is_admitted(self, value: float) -> bool:
        rules = self.rules
        measure = self.current if self.current is not None else rules.start
        base = max(measure, 1.0)
        need = 3 if value > rules.tripling * base else 2 if value > rules.doubling * base else 1
        if self.current is not None and value < base:
            need = 3 if value * rules.tripling < base else 2 if value * rules.doubling < base else 1
            near = list(self.supporters(value))
            return min(len({claim.doc_id for claim in near}), len({claim.text for claim in near})) >= need
        if need == 1:
            return True
        near = [claim for claim in self.claims if value / rules.alike <= claim.high and claim.low <= value * rules.alike]
        documents = {claim.doc_id for claim in near}
        texts = {claim.text for claim in near}
        return min(len(documents), len(texts)) >= need

    def supporters(self, value: float) -> Iterator[Claim]:
        """The claims within a tenth of `value`, in the order in which they came."""
        room = self.rules.tolerance * max(value, 1.0)
        for claim in self.claims:
            if claim.weight > 0 and abs(claim.value - value) <= room:
                yield claim

    def state(self) -> tuple[float | None, list[Claim]]:
        """What is remembered."""
        return self.current, self.claims

    @classmethod
    def of(cls, rules: Rules, state: object) -> Series:
        """The series whose `state` this was, decoded."""
        series = cls(rules)
        series.current, series.claims = msgspec.convert(state, tuple[float | None, list[Claim]])
        return series


def weight_of(mention: Mention) -> float:
    """What a mention's vote is worth by its wording alone; 0: none."""
    weight = 1.0
    for doubt in mention.doubts:
        weight *= DOUBTS[doubt]
    if mention.toll:
        weight *= 2.0
    if not mention.near:
        weight *= FAR
    return weight


FAR = 0.1
DOUBTS = {
    "other": 0.0,
    "combined": 0.0,
    "past": 0.0,
    "modal": 0.0,
    "rate": 0.0,
    "comment": 0.0,
    "question": 0.0,
    "vague": 0.0,
    "superseded": 0.0,
    "more": 0.0,
    "part": 0.3,
    "place": 0.5,
}
"""What is left of a vote under each doubt."""
