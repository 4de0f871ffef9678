"""How far judged events can be trusted with systems that were not pooled, by taking judgments away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import nan
from typing import Literal

from msgspec import Struct

from tidings.core import Judgments, PossibleMatch, Run, UsageError
from tidings.evaluation.measures.agreement import kendall_tau_b, sign
from tidings.evaluation.measures.measure import Measure, parse_measure
from tidings.evaluation.measures.trec_ts import INFO, Prepared, prepare
from tidings.evaluation.measures.trec_ts.automatic import (
    SPREAD,
    THRESHOLD,
    AutomaticJudgments,
    AutomaticScores,
    judge_automatically,
)
from tidings.evaluation.measures.trec_ts.prepared import EventUpdates, PreparedEvent

Texts = dict[str, frozenset[str]]
"""Ids under which texts were judged, by event."""


def by_confidence(emitted: EventUpdates) -> list[str]:
    """The ids of what a run emitted of an event, the surest first, each once; the order of the file breaks ties."""
    confidences = emitted.confidences()
    order = sorted(range(len(emitted)), key=lambda number: -confidences[number])
    return list(dict.fromkeys(emitted.ids[number] for number in order))


class JudgedTexts:
    """Judgments made ready, and the judged texts that runs emitted; a text counts once, however many copies there are.

    Attributes:
        prepared: the judgments.
        emitted_texts: of each run the texts that it emitted.
        all: all judged texts.
    """

    def __init__(self, prepared: Prepared, runs: Sequence[Run]) -> None:
        self.prepared = prepared
        self._splits = [prepared.split(run) for run in runs]
        self.emitted_texts: list[Texts] = [
            {
                name: self._of(prepared.events[name], emitted.ids)
                for name, emitted in split.items()
                if name in prepared.events
            }
            for split in self._splits
        ]
        self.all: Texts = {
            name: frozenset(judged for judged, _ in event.texts.values()) | event.matches.keys()
            for name, event in prepared.events.items()
        }

    @staticmethod
    def _of(event: PreparedEvent, ids: Iterable[str]) -> frozenset[str]:
        return frozenset(
            event.texts[key][0] if key in event.texts else key
            for key in ids
            if key in event.texts or key in event.matches
        )

    def only_of(self, runs: Collection[int]) -> Texts:
        """The texts that some of these runs emitted and no other run did."""
        own: dict[str, set[str]] = {}
        others: dict[str, set[str]] = {}
        for number, emitted_texts in enumerate(self.emitted_texts):
            side = own if number in runs else others
            for name, texts in emitted_texts.items():
                side.setdefault(name, set()).update(texts)
        return {name: frozenset(texts - others.get(name, set())) for name, texts in own.items()}

    def below(self, depth: int) -> Texts:
        """The texts that are among no run's `depth` surest updates of their event."""
        taken: dict[str, set[str]] = {}
        for split in self._splits:
            for name, emitted in split.items():
                if name in self.prepared.events:
                    ids = by_confidence(emitted)[:depth]
                    taken.setdefault(name, set()).update(self._of(self.prepared.events[name], ids))
        return {name: texts - taken.get(name, set()) for name, texts in self.all.items()}

    def without(self, texts: Mapping[str, Collection[str]]) -> tuple[Prepared, dict[str, list[str]]]:
        """The judgments as if nobody had seen these texts; and the ids of the updates that nobody has seen then."""
        events: dict[str, PreparedEvent] = {}
        removed: dict[str, list[str]] = {}
        for name, event in self.prepared.events.items():
            gone = texts.get(name, ())
            ids = [key for key, (judged, _) in event.texts.items() if judged in gone] if gone else []
            removed[name] = [*ids, *(key for key in gone if key not in event.texts)]
            events[name] = event.without_texts({*ids, *gone}) if gone else event
        return Prepared(self.prepared.rules, events, self.prepared.listed), removed


By = Literal["run", "team"]


class Agreement(Struct, frozen=True):
    """Scores of some runs by fewer judgments beside those by all.

    Args:
        tau: Kendall's τ-b of the two.
        change: mean of the score by fewer less the score by all.
        absolute: mean of its absolute value.
        moved: runs whose rank is another.
        ranks: mean of the absolute difference of ranks.
        most: the greatest of these.
    """

    tau: float
    change: float
    absolute: float
    moved: int
    ranks: float
    most: int


class Taking(Struct, frozen=True):
    """How a matcher's pairs are taken: as `tidings.evaluation.scoring.automatic.AutomaticOptions`, with fewer draws."""

    threshold: float = THRESHOLD
    draws: int = 20
    seed: int = 0
    spread: float = SPREAD
    calibrate: bool = True


class Mended(Struct, frozen=True):
    """What a left-out run scores where a matcher judges what people did not.

    Args:
        decided: with pairs from the threshold on.
        rank: of that.
        expected: mean over draws.
        low: 2.5 % of the draws are below.
        high: 97.5 % of the draws are below.
        rank_expected: of the mean over draws.
    """

    decided: float
    rank: int
    expected: float
    low: float
    high: float
    rank_expected: int


class LeftRun(Struct, frozen=True):
    """A run scored as if it, or its team, had not been there when people judged.

    Args:
        run: team and name.
        judged: judged texts that it emitted.
        lost: those of them that no run outside emitted: nobody would have judged them.
        full: its score by all judgments.
        people: by those that are left.
        rank: by all judgments, from 1 for the best.
        rank_people: where it stands by those that are left, other runs being scored by all.
        mended: the same with a matcher's judgments for the rest; None without one.
    """

    run: str
    judged: int
    lost: int
    full: float
    people: float
    rank: int
    rank_people: int
    mended: Mended | None


class AtDepth(Struct, frozen=True):
    """All runs scored with the judgments of each run's `depth` surest updates of each event.

    `texts` judged are left; `automatic` is with a matcher's judgments of the others, None without one.
    """

    depth: int
    texts: int
    people: Agreement
    automatic: Agreement | None


class Reuse(Struct, frozen=True):
    """Both experiments, of runs in their order; `texts` are judged, each once whatever copies there are."""

    name: str
    rules: str
    measure: str
    by: By
    how: Taking
    events: int
    texts: int
    left: tuple[LeftRun, ...]
    depths: tuple[AtDepth, ...]

    @property
    def people(self) -> Agreement:
        """Left-out runs by people's judgments alone beside all judgments."""
        left = self.left
        return agreement(
            [run.full for run in left],
            [run.people for run in left],
            [run.rank for run in left],
            [run.rank_people for run in left],
        )

    @property
    def automatic(self) -> Agreement | None:
        """The same with a matcher's judgments at the threshold; None without one."""
        return self._mend([(run.mended.decided, run.mended.rank) for run in self.left if run.mended])

    @property
    def expected(self) -> Agreement | None:
        """The same with the means over draws of a matcher's judgments; None without one."""
        return self._mend(
            [(run.mended.expected, run.mended.rank_expected) for run in self.left if run.mended]
        )

    def _mend(self, scores: Sequence[tuple[float, int]]) -> Agreement | None:
        """Scores and ranks of the runs that have a matcher's judgments, beside all judgments."""
        left = [run for run in self.left if run.mended]
        if not left:
            return None
        return agreement(
            [run.full for run in left],
            [score for score, _ in scores],
            [run.rank for run in left],
            [rank for _, rank in scores],
        )

    @property
    def covered(self) -> float:
        """The share of left-out runs whose score by all judgments lies within the interval; nan without a matcher."""
        pairs = [(run, run.mended) for run in self.left if run.mended is not None]
        if not pairs:
            return nan
        within = sum(sign(m.low - pair.full) <= 0 and sign(pair.full - m.high) <= 0 for pair, m in pairs)
        return within / len(pairs)


class _Bench:
    """The runs, by all judgments and by fewer, with a program's matches for the rest if there is one."""

    def __init__(
        self,
        judgments: Judgments,
        runs: Sequence[Run],
        matches: Sequence[PossibleMatch],
        rules: str,
        measure: Measure,
        how: Taking,
    ) -> None:
        self.judgments, self.runs, self.measure, self.how = judgments, runs, measure, how
        prepared = prepare(judgments, rules)
        self.texts = JudgedTexts(prepared, runs)
        self.full = [prepared.score(run, [measure]).mean(measure) for run in runs]
        self.program = bool(matches)
        self._rows = {(update.event_id, update.id): update for update in judgments.pool}
        self.matches = tuple(matches)

    def without(self, gone: Mapping[str, Collection[str]]) -> tuple[Prepared, AutomaticJudgments | None]:
        """The judgments without some texts, and with a program's for these."""
        left, removed = self.texts.without(gone)
        if not self.program:
            return left, None
        keys = [(name, key) for name, ids in removed.items() for key in ids]
        rows = [self._rows[key] for key in keys if key in self._rows]
        calibrate = SPREAD if self.how.calibrate else 0.0
        return left, judge_automatically(left, self.judgments, self.matches, rows, calibrate=calibrate)

    def rank(self, run: int, score: float) -> int:
        """The place of a run of that score among all others' by all judgments, from 1; equal scores share it."""
        others = (full for number, full in enumerate(self.full) if number != run)
        return 1 + sum(sign(full - score) > 0 for full in others)

    def leave_out(self, members: Sequence[int], names: Sequence[str]) -> Iterator[tuple[int, LeftRun]]:
        """Each of some runs, as if none of them had been there."""
        gone = self.texts.only_of(members)
        left, automatic = self.without(gone)
        for number in members:
            emitted_texts, run, full = self.texts.emitted_texts[number], self.runs[number], self.full[number]
            people = left.score(run, [self.measure]).mean(self.measure)
            scores = (
                None
                if automatic is None
                else automatic.score(
                    run,
                    [self.measure],
                    threshold=self.how.threshold,
                    draws=self.how.draws,
                    seed=self.how.seed,
                    spread=self.how.spread,
                )
            )
            yield (
                number,
                LeftRun(
                    run=names[number],
                    judged=sum(map(len, emitted_texts.values())),
                    lost=sum(
                        len(texts & gone.get(name, frozenset())) for name, texts in emitted_texts.items()
                    ),
                    full=full,
                    people=people,
                    rank=self.rank(number, full),
                    rank_people=self.rank(number, people),
                    mended=None if scores is None else self._mend(number, scores),
                ),
            )

    def _mend(self, number: int, scores: AutomaticScores) -> Mended:
        decided, expected = scores.decided.mean(self.measure), scores.overall[self.measure]
        return Mended(
            decided,
            self.rank(number, decided),
            expected.mean,
            expected.low,
            expected.high,
            self.rank(number, expected.mean),
        )

    def at_depth(self, depth: int) -> AtDepth:
        """All runs with the judgments of a pool of that depth."""
        gone = self.texts.below(depth)
        left, automatic = self.without(gone)
        people = [left.score(run, [self.measure]).mean(self.measure) for run in self.runs]
        mended = None
        if automatic is not None:
            decided = automatic.decided(self.how.threshold)
            mended = [decided.score(run, [self.measure]).mean(self.measure) for run in self.runs]
        texts = sum(map(len, self.texts.all.values())) - sum(map(len, gone.values()))
        return AtDepth(
            depth,
            texts,
            agreement(self.full, people, _ranks(self.full), _ranks(people)),
            None if mended is None else agreement(self.full, mended, _ranks(self.full), _ranks(mended)),
        )


def agreement(
    full: Sequence[float], fewer: Sequence[float], ranks: Sequence[int], other: Sequence[int]
) -> Agreement:
    """Scores and ranks by fewer judgments beside those by all.

    >>> agreement([0.5, 0.3], [0.4, 0.3], [1, 2], [1, 2]).absolute
    0.04999999999999999
    """
    changes = [b - a for a, b in zip(full, fewer, strict=True)]
    moves = [abs(b - a) for a, b in zip(ranks, other, strict=True)]
    count = len(changes)
    return Agreement(
        kendall_tau_b(full, fewer),
        sum(changes) / count,
        sum(map(abs, changes)) / count,
        sum(map(bool, moves)),
        sum(moves) / count,
        max(moves),
    )


def _ranks(scores: Sequence[float]) -> list[int]:
    return [1 + sum(sign(other - score) > 0 for other in scores) for score in scores]


def _names(runs: Sequence[Run]) -> list[str]:
    seen: dict[str, int] = {}
    names = []
    for run in runs:
        name = " ".join(filter(None, (run.team, run.name)))
        seen[name] = seen.get(name, 0) + 1
        names.append(f"{name} ({seen[name]})" if seen[name] > 1 else name)
    return names


def _groups(runs: Sequence[Run], by: By) -> list[list[int]]:
    """Which runs are left out together, by their numbers."""
    if by == "run":
        groups = [[number] for number in range(len(runs))]
    else:
        teams: dict[str, list[int]] = {}
        for number, run in enumerate(runs):
            teams.setdefault(run.team, []).append(number)
        groups = list(teams.values())
    if len(groups) < 2:
        raise UsageError(
            f"{len(groups)} {by}{'' if len(groups) == 1 else 's'} to leave out in turn: there must be at least 2"
        )
    return groups


def reuse(
    judgments: Judgments,
    runs: Sequence[Run],
    matches: Sequence[PossibleMatch] = (),
    *,
    rules: str = "trec-2014",
    measure: str = "H",
    by: By = "run",
    depths: Sequence[int] = (5, 10, 20, 40),
    how: Taking | None = None,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> Reuse:
    """How scores and ranks move when judgments are taken away.

    Args:
        judgments: nuggets, matches and the pool.
        runs: at least two.
        matches: of the pooled updates, as if nobody had matched them; none: only what people judged is looked at.
        rules: of TREC Temporal Summarization.
        measure: by which runs are ranked.
        by: leave out one run, or all runs of a team.
        depths: of pools, in updates of each run and event.
        how: how possible matches are taken.
        progress: called with how far this is.

    Raises:
        UsageError: fewer than two runs or teams, no nuggets, an unknown measure, or a depth below 1.
    """
    groups, names, how = _groups(runs, by), _names(runs), how or Taking()
    if any(depth < 1 for depth in depths):
        raise UsageError(f"the depth {min(depths)} (expected at least 1)")
    bench = _Bench(judgments, runs, matches, rules, parse_measure(measure, INFO), how)
    left: dict[int, LeftRun] = {}
    steps = len(groups) + len(depths)
    for done, members in enumerate(groups):
        progress(done, steps, names[members[0]])
        left |= dict(bench.leave_out(members, names))
    at_depths = []
    for done, depth in enumerate(depths, start=len(groups)):
        progress(done, steps, f"depth {depth}")
        at_depths.append(bench.at_depth(depth))
    progress(steps, steps, "")
    return Reuse(
        name=judgments.name,
        rules=rules,
        measure=measure,
        by=by,
        how=how,
        events=len(bench.texts.all),
        texts=sum(map(len, bench.texts.all.values())),
        left=tuple(left[number] for number in range(len(runs))),
        depths=tuple(at_depths),
    )
