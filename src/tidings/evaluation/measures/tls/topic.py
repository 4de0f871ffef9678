"""The reference timelines of one topic, counted once, and the comparison of any number of timelines with them.

Counts are ROUGE's: for each pair of a day of the timeline and a day of the references, hits h; over all days, p (what
the timeline holds, once for each reference) and m (what the references hold). Precision is sum h / p, recall sum h / m.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from tidings.core import DailyTimeline, UsageError
from tidings.evaluation.measures.tls.assignment import Pairs, cheapest, nearest
from tidings.evaluation.measures.tls.days import Day, days_of
from tidings.evaluation.measures.tls.multisets import References, ngrams
from tidings.evaluation.measures.tls.rules import Rules
from tidings.evaluation.measures.tls.subsequences import union_hits

__all__ = ["KINDS", "VARIANTS", "Comparison", "Counts", "Topic", "f_score"]

KINDS = ("R1", "R2", "RL")
VARIANTS = ("concat", "agree", "align", "align+", "align+m1")
_TOKENS = "tokens"  # a kind of its own: what the costs of alignment compare
Counts = tuple[float, float]  # hits for precision, hits for recall


def f_score(precision: float, recall: float) -> float:
    """The harmonic mean; 0 when both are 0.

    >>> f_score(0.5, 1.0), f_score(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _items(kind: str, day: Day) -> Sequence[object]:
    if kind == _TOKENS:
        return day.tokens
    return list(ngrams(day.words, 2 if kind == "R2" else 1))


class Column:
    """Everything of one kind (n-grams of one length, or tokens) that the references hold, by days."""

    def __init__(self, kind: str, references: Sequence[dict[int, Day]], dates: Sequence[int]) -> None:
        self.kind = kind
        self.references = References()
        self.days = dict.fromkeys(dates, 0)
        self.sizes = dict.fromkeys(dates, 0)
        for number, reference in enumerate(references):
            for date, day in reference.items():
                items = _items(kind, day)
                self.days[date] |= self.references.add(number, items)
                self.sizes[date] += len(items)


class Topic:
    """One topic with its reference timelines.

    Raises:
        UsageError: no reference, or one without days.
    """

    def __init__(self, name: str, references: Iterable[DailyTimeline], rules: Rules) -> None:
        self.name = name
        self.rules = rules
        self.timelines = tuple(references)
        self.references = [days_of(timeline, rules) for timeline in self.timelines]
        if not self.references or not all(self.references):
            raise UsageError(
                f"topic {name}: found a reference timeline without days, expected at least one day"
            )
        self.dates = sorted(set().union(*self.references))
        self._columns: dict[str, Column] = {}
        self._joined: dict[str, tuple[References, int, int]] = {}

    def compare(self, timeline: DailyTimeline) -> Comparison:
        """A timeline beside the references; nothing is counted before it is asked for."""
        return Comparison(self, days_of(timeline, self.rules))

    def column(self, kind: str) -> Column:
        """What the references hold of a kind, counted when it is first asked for."""
        if kind not in self._columns:
            self._columns[kind] = Column(kind, self.references, self.dates)
        return self._columns[kind]

    def joined(self, kind: str) -> tuple[References, int, int]:
        """All days of each reference as one text: its n-grams, their bits, their number."""
        if kind not in self._joined:
            texts, bits, size = References(), 0, 0
            for number, reference in enumerate(self.references):
                items = _joined_items(kind, reference)
                bits |= texts.add(number, items)
                size += len(items)
            self._joined[kind] = texts, bits, size
        return self._joined[kind]


def _joined_items(kind: str, days: dict[int, Day]) -> Sequence[object]:
    words = [word for day in days.values() for word in day.words]
    return list(ngrams(words, 2 if kind == "R2" else 1))


class Comparison:
    """One timeline and the references of its topic."""

    def __init__(self, topic: Topic, days: dict[int, Day]) -> None:
        self.topic = topic
        self.days = days
        self.dates = list(days)
        self._bits: dict[str, dict[int, int]] = {}
        self._sizes: dict[str, dict[int, int]] = {}
        self._aligned: dict[str, tuple[Pairs, Pairs]] = {}

    def dates_found(self) -> tuple[float, float]:
        """Precision and recall of the choice of days."""
        common = len(self.days.keys() & set(self.topic.dates))
        return common / len(self.dates) if self.dates else 0.0, common / len(self.topic.dates)

    def scores(self, kind: str, variant: str) -> tuple[float, float]:
        """Precision and recall of one of `KINDS` in one of `VARIANTS`; 0 where there is nothing to count."""
        if variant == "concat":
            return self._concatenated(kind)
        precise, complete = self._hits(kind, variant)
        references = len(self.topic.references)
        self._count(kind)
        said = references * sum(self._sizes[kind].values())
        wanted = sum(self.topic.column(kind).sizes.values())
        return precise / said if said else 0.0, complete / wanted if wanted else 0.0

    def _concatenated(self, kind: str) -> tuple[float, float]:
        items = _joined_items(kind, self.days)
        texts, bits, wanted = self.topic.joined(kind)
        if kind == "RL":
            summary = [sentence for day in self.days.values() for sentence in day.sentences]
            hits = sum(
                union_hits(summary, [sentence for day in reference.values() for sentence in day.sentences])
                for reference in self.topic.references
            )
        else:
            hits = (texts.of(items) & bits).bit_count()
        said = len(items) * len(self.topic.references)
        return hits / said if said else 0.0, hits / wanted if wanted else 0.0

    def _hits(self, kind: str, variant: str) -> Counts:
        self._count(kind)
        hits = self._pair_hits(kind)
        if variant == "agree":
            common = float(
                sum(hits(date, date) for date in self.dates if date in self.topic.column(kind).days)
            )
            return common, common
        precise, complete = self._alignment(variant)
        mine, theirs = self.dates, self.topic.dates
        return (
            sum(_near(mine[row], theirs[col]) * hits(mine[row], theirs[col]) for row, col in precise),
            sum(_near(mine[col], theirs[row]) * hits(mine[col], theirs[row]) for row, col in complete),
        )

    def _count(self, kind: str) -> None:
        if kind not in self._bits:
            references = self.topic.column(kind).references
            items = {date: _items(kind, day) for date, day in self.days.items()}
            self._bits[kind] = {date: references.of(those) for date, those in items.items()}
            self._sizes[kind] = {date: len(those) for date, those in items.items()}

    def _pair_hits(self, kind: str) -> Callable[[int, int], int]:
        if kind == "RL":
            return lambda mine, theirs: sum(
                union_hits(self.days[mine].sentences, reference[theirs].sentences)
                for reference in self.topic.references
                if theirs in reference
            )
        bits, column = self._bits[kind], self.topic.column(kind)
        return lambda mine, theirs: (bits[mine] & column.days[theirs]).bit_count()

    def _alignment(self, variant: str) -> tuple[Pairs, Pairs]:
        """Pairs of places (a day of mine, a day of theirs) for precision, (of theirs, of mine) for recall."""
        if variant not in self._aligned:
            costs = self._date_costs if variant == "align" else self._content_costs
            turned = [list(column) for column in zip(*costs, strict=True)]
            choose = nearest if variant == "align+m1" else cheapest
            self._aligned[variant] = choose(costs), choose(turned)
        return self._aligned[variant]

    @property
    def _date_costs(self) -> list[list[float]]:
        return [[1 - 1 / (abs(mine - theirs) + 1) for theirs in self.topic.dates] for mine in self.dates]

    @cached_property
    def _content_costs(self) -> list[list[float]]:
        self._count(_TOKENS)
        column = self.topic.column(_TOKENS)
        theirs = [(date, column.days[date], column.sizes[date]) for date in self.topic.dates]
        bits, sizes = self._bits[_TOKENS], self._sizes[_TOKENS]
        references = len(self.topic.references)
        return [_row(date, bits[date], references * sizes[date], theirs) for date in self.dates]


def _near(one: int, other: int) -> float:
    return 1 / (abs(one - other) + 1)


def _row(date: int, bits: int, said: int, theirs: Sequence[tuple[int, int, int]]) -> list[float]:
    # Cost of each day of the references: far in time times unlike in tokens (1 - F1). Written out: the inner loop.
    row = []
    for other, reference_bits, wanted in theirs:
        common = (bits & reference_bits).bit_count()
        cost = 1 - 1 / (abs(date - other) + 1)
        if common:
            precision, recall = common / said, common / wanted
            cost *= 1 - 2 * precision * recall / (precision + recall)
        row.append(cost)
    return row
