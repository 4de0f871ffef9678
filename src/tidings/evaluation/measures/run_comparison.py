"""Several runs beside each other: means, pairs, what is more than the luck of the topics, and what is marked.

scores of several runs ──compare_scores──▶ Comparison
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from tidings.core import UsageError, pip_install
from tidings.evaluation.measures.measure import Measure, MeasureInfo
from tidings.evaluation.measures.run_scores import Origin, RunCounts, RunScores
from tidings.evaluation.measures.significance import (
    Interval,
    IntervalMethod,
    PValue,
    TTest,
    bootstrap_interval,
    cohens_d,
    holm,
    mean,
    randomization_test,
    randomized_tukey,
    t_test,
    wins_ties_losses,
)

Correction = Literal["holm", "tukey", "none"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How runs are compared; the defaults are those of the command line.

    Attributes:
        seed: of all that is drawn at random.
        samples: rounds of the randomization test (where it is not exact) and of Tukey's.
        resamples: draws of the bootstrap.
        level: of the confidence intervals.
        interval: how they are made.
        alpha: below which a corrected p-value earns a mark.
        correction: which p-values the marks go by: randomization with Holm, randomized Tukey, or uncorrected.
        with_t: also the t-test, for which SciPy is needed.
    """

    seed: int = 0
    samples: int = 20_000
    resamples: int = 10_000
    level: float = 0.95
    interval: IntervalMethod = "bca"
    alpha: float = 0.05
    correction: Correction = "holm"
    with_t: bool = True

    def warnings(self) -> list[str]:
        """What cannot be found with so few draws.

        >>> Settings(samples=1).warnings()
        ['--samples 1: p(Tukey), and p by randomization where it is not exact, cannot fall below .5; nothing can be \
        found by them at .05: take 1,000 or more']
        """
        lines = []
        least = 1 / (self.samples + 1)
        if least >= self.alpha / 5:
            what = "nothing can be found" if least >= self.alpha else "little can be told apart"
            lines.append(
                f"--samples {self.samples}: p(Tukey), and p by randomization where it is not exact, cannot fall below "
                f"{f'{least:.3g}'.lstrip('0')}; {what} by them at {f'{self.alpha:g}'.lstrip('0')}: take 1,000 or more"
            )
        if self.resamples * (1 - self.level) / 2 < 5:
            lines.append(
                f"--resamples {self.resamples}: too few for the ends of {100 * self.level:g} % intervals, which rest "
                "on the outermost of them: take 1,000 or more"
            )
        return lines


WITHOUT_T = f"the t-test is left out: no SciPy installed. Run: {pip_install('[stats]')}"


def has_t() -> bool:
    """Whether the t-test can be had: it needs SciPy, which is an extra."""
    from importlib.util import find_spec

    return find_spec("scipy") is not None


@dataclass(frozen=True, slots=True)
class RunColumn:
    """A run under comparison: how it is called, the letter of its marks, where it said nothing, where it comes from."""

    name: str
    letter: str
    team: str
    run: str
    silent: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    origin: Origin | None = None
    counts: RunCounts | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """One run (`run`) minus another (`other`), by their places, over all topics.

    `wins` are topics on which `run` is better, by the measure's own direction (above, where it has none). `holm` is the
    randomization p-value corrected over the pairs with the baseline; marks and `tukey` are over all pairs.
    """

    run: int
    other: int
    differences: tuple[float, ...]
    mean: float
    interval: Interval
    d: float
    wins: int
    ties: int
    losses: int
    randomization: PValue
    t: TTest | None
    holm: float
    tukey: float


@dataclass(frozen=True, slots=True)
class MeasureComparison:
    """One measure: scores by run and topic, means, each run against the baseline, and who beats whom.

    `beats[run]` are the places of the runs that it is significantly better than. `topics` are those on
    which all runs have a finite value; `left_out` are the others. Of them `unspoken` are left out because a run is
    silent there and the measure would take that for its best: what says nothing is not brief.
    """

    measure: Measure
    info: MeasureInfo
    topics: tuple[str, ...]
    left_out: tuple[str, ...]
    unspoken: tuple[str, ...]
    scores: tuple[tuple[float, ...], ...]
    means: tuple[float, ...]
    against: tuple[Pair | None, ...]
    beats: tuple[tuple[int, ...], ...]

    @property
    def sign(self) -> int:
        """1 where more is better, -1 where less is, 0 where neither."""
        return {"higher": 1, "lower": -1}.get(self.info.better, 0)

    @property
    def best(self) -> tuple[int, ...]:
        """The runs with the best mean; none where the measure has no direction."""
        if not self.sign or not self.topics:
            return ()
        top = max(self.sign * value for value in self.means)
        return tuple(place for place, value in enumerate(self.means) if self.sign * value == top)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs, the topics that they are compared on, and one `MeasureComparison` for each measure."""

    runs: tuple[RunColumn, ...]
    baseline: int
    topics: tuple[str, ...]
    measures: tuple[MeasureComparison, ...]
    settings: Settings = field(default_factory=Settings)


def compare_scores(
    scored: Sequence[RunScores],
    infos: dict[str, MeasureInfo],
    baseline: str | None = None,
    settings: Settings | None = None,
) -> Comparison:
    """Compare runs that were scored by the same judgments and measures.

    Topics are all that any of the runs was scored on. A topic on which a run is silent counts with what the
    measure gives to silence (0 for most), never with nothing; which topics those are stands in `RunColumn.silent`.
    Where that would be the best there is, as for verbosity, the topic is left out of the measure for all runs.

    Args:
        scored: two runs or more, each with the same measures.
        infos: what the measures mean (their direction above all).
        baseline: name of the run to hold the others against, as `run` or `team run`; default: the first.
        settings: tests and corrections.

    Raises:
        UsageError: fewer than two runs, two of one name, no such baseline, or no topics.
    """
    settings = settings or Settings()
    if len(scored) < 2:
        raise UsageError(f"comparing needs at least two runs, and there is {len(scored) or 'none'}")
    if not 0 < settings.alpha < 1:
        raise UsageError(f"alpha {settings.alpha} (expected it between 0 and 1, such as 0.05)")
    runs = _columns(scored)
    topics = tuple(dict.fromkeys(topic for run in scored for topic in run.per_event))
    if not topics:
        raise UsageError("no topic has judgments to compare the runs on")
    place = _place(runs, baseline)
    compared = tuple(
        _measure(measure, infos[measure.name], scored, topics, place, settings)
        for measure in scored[0].measures
    )
    return Comparison(runs, place, topics, compared, settings)


def _columns(scored: Sequence[RunScores]) -> tuple[RunColumn, ...]:
    full = [f"{run.team} {run.run}".strip() for run in scored]
    twice = sorted({name for name in full if full.count(name) > 1})
    if twice:
        raise UsageError(
            f"run {twice[0]!r} twice (expected runs of different names); "
            "rename one of them (`tidings follow --run-name`, or the second and third columns of its file)"
        )
    short = [run.run for run in scored]
    names = short if len(set(short)) == len(short) and all(short) else full
    return tuple(
        RunColumn(
            name,
            _letter(number),
            scores.team,
            scores.run,
            scores.silent,
            scores.unjudged,
            scores.origin,
            scores.counts,
        )
        for number, (name, scores) in enumerate(zip(names, scored, strict=True))
    )


def _letter(number: int) -> str:
    """Letters as in a, b, …, z, aa, ab."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _place(runs: Sequence[RunColumn], name: str | None) -> int:
    if name is None:
        return 0
    places = [
        place
        for place, run in enumerate(runs)
        if name in (run.name, run.run, f"{run.team} {run.run}".strip())
    ]
    if len(places) == 1:
        return places[0]
    how = "no run" if not places else f"{len(places)} runs"
    raise UsageError(
        f"{how} called {name!r} for the baseline (expected one of {', '.join(run.name for run in runs)})"
    )


def _measure(
    measure: Measure,
    info: MeasureInfo,
    scored: Sequence[RunScores],
    topics: Sequence[str],
    baseline: int,
    settings: Settings,
) -> MeasureComparison:
    values = {topic: _values(scored, topic, measure, info) for topic in topics}
    left_out = tuple(topic for topic in topics if not all(math.isfinite(value) for value in values[topic]))
    kept = tuple(topic for topic in topics if topic not in left_out)
    scores = tuple(tuple(values[topic][place] for topic in kept) for place in range(len(scored)))
    sign = {"higher": 1, "lower": -1}.get(info.better, 0)
    tukey = randomized_tukey(scores, samples=settings.samples, seed=settings.seed)
    pairs = list(combinations(range(len(scored)), 2))
    tested = {pair: _randomise(scores, pair, settings) for pair in pairs}
    return MeasureComparison(
        measure=measure,
        info=info,
        topics=kept,
        left_out=left_out,
        unspoken=tuple(topic for topic in left_out if _crowns_silence(scored, topic, info)),
        scores=scores,
        means=tuple(mean(row) for row in scores),
        against=_against(scores, baseline, sign, tested, tukey, settings),
        beats=_beats(scores, sign, tested, tukey, settings),
    )


def _values(scored: Sequence[RunScores], topic: str, measure: Measure, info: MeasureInfo) -> list[float]:
    scores = [run.per_event.get(topic, {}).get(measure) for run in scored]
    # What no run has a value for cannot be judged there; what only some have is silence of the others.
    nothing = math.nan if all(value is None for value in scores) else info.empty
    if _crowns_silence(scored, topic, info):
        return [math.nan for _ in scored]
    return [nothing if value is None else float(value) for value in scores]


def _crowns_silence(scored: Sequence[RunScores], topic: str, info: MeasureInfo) -> bool:
    """Whether a run is silent on a topic by a measure that would give it the best value for that."""
    return info.better == "lower" and info.empty == info.low and any(topic in run.silent for run in scored)


def _randomise(scores: Sequence[Sequence[float]], pair: tuple[int, int], settings: Settings) -> PValue:
    one, other = pair
    differences = [a - b for a, b in zip(scores[one], scores[other], strict=True)]
    return randomization_test(differences, samples=settings.samples, seed=settings.seed)


def _against(
    scores: Sequence[Sequence[float]],
    baseline: int,
    sign: int,
    tested: dict[tuple[int, int], PValue],
    tukey: dict[tuple[int, int], float],
    settings: Settings,
) -> tuple[Pair | None, ...]:
    others = [place for place in range(len(scores)) if place != baseline]
    keys = {place: (min(place, baseline), max(place, baseline)) for place in others}
    corrected = dict(zip(others, holm([tested[keys[place]].p for place in others]), strict=True))
    pairs: list[Pair | None] = []
    for place in range(len(scores)):
        if place == baseline:
            pairs.append(None)
            continue
        differences = tuple(a - b for a, b in zip(scores[place], scores[baseline], strict=True))
        interval = bootstrap_interval(
            differences,
            level=settings.level,
            resamples=settings.resamples,
            method=settings.interval,
            seed=settings.seed,
        )
        wins, ties, losses = wins_ties_losses(differences)
        if sign < 0:
            wins, losses = losses, wins
        pairs.append(
            Pair(
                run=place,
                other=baseline,
                differences=differences,
                mean=mean(differences),
                interval=interval,
                d=cohens_d(differences),
                wins=wins,
                ties=ties,
                losses=losses,
                randomization=tested[keys[place]],
                t=t_test(differences) if settings.with_t else None,
                holm=corrected[place],
                tukey=tukey[keys[place]],
            )
        )
    return tuple(pairs)


def _beats(
    scores: Sequence[Sequence[float]],
    sign: int,
    tested: dict[tuple[int, int], PValue],
    tukey: dict[tuple[int, int], float],
    settings: Settings,
) -> tuple[tuple[int, ...], ...]:
    pairs = list(tested)
    raw = [tested[pair].p for pair in pairs]
    adjusted = {
        "holm": lambda: holm(raw),
        "tukey": lambda: [tukey[pair] for pair in pairs],
        "none": lambda: raw,
    }[settings.correction]()
    beats: list[list[int]] = [[] for _ in scores]
    for (pair, other), p in zip(pairs, adjusted, strict=True):
        ahead = sign * (mean(scores[pair]) - mean(scores[other]))
        if p < settings.alpha and ahead:
            winner, loser = (pair, other) if ahead > 0 else (other, pair)
            beats[winner].append(loser)
    return tuple(tuple(sorted(places)) for places in beats)
