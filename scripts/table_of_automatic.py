"""What runs score by a program's matches beside what they score by people's: chosen on one year, tested on another.

    python scripts/make_diverse_runs.py ../shared/data/trec-ts/2013 runs/2013
    python scripts/make_diverse_runs.py ../shared/data/trec-ts/2014 runs/2014
    python scripts/table_of_automatic.py ../shared/data/trec-ts/2013 runs/2013 ../shared/data/trec-ts/2014 runs/2014

All matches are a program's, none a person's. The learned matcher learned from the first year alone, and thresholds were
chosen there: that of the best F1, and that by which the runs' mean measure is nearest to people's; for the learned
matcher with each third of the events left out of learning. τ is Kendall's τ-b over runs, MAE the mean absolute error of
the runs' means, bias the mean error; intervals are of 1,000 samples of topics with replacement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
from frame import parser as command_line

from tidings.core.records import Judgments, PossibleMatch, Run
from tidings.evaluation.matching.learned import (
    JudgedPairs,
    JudgedRows,
    MatchWeights,
    best_threshold,
    judged_event_texts,
    judged_rows,
    learn_matcher,
    out_of_fold,
)
from tidings.evaluation.matching.likeness import BaselineMatcher
from tidings.evaluation.matching.pair_features import pair_features
from tidings.evaluation.matching.pairs_out import possible_matches
from tidings.evaluation.matching.texts import match_events
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.significance import quantile
from tidings.evaluation.measures.trec_ts import Prepared, prepare
from tidings.evaluation.measures.trec_ts.automatic import SPREAD, AutomaticJudgments, judge_automatically
from tidings.following.outputs.runs import read_runs
from tidings.sources.streams import read_judgments

BASELINES = ("exact", "containment", "soft", "sum")
THRESHOLDS = tuple(round(0.06 + 0.02 * step, 2) for step in range(20))
SAMPLES, HALVES, LEAST = 1_000, 200, 0.02

Values = np.ndarray
"""(runs, topics): a measure."""


@dataclass
class Year:
    """A year's judgments, its runs, what people say of them, and what was learned from or is said of its pairs."""

    judged: Judgments
    prepared: Prepared
    runs: list[Run]
    people: Values
    rows: list[JudgedRows]

    @property
    def topics(self) -> int:
        """How many there are."""
        return len(self.prepared.events)


def load(folder: Path, runs: Path, measure: Measure) -> Year:
    """A year."""
    judged = read_judgments(folder)
    prepared = prepare(judged, "trec-2014")
    read = [run for path in sorted(runs.glob("*.jsonl")) for run in read_runs(path)]
    rows = [judged_rows(event) for event in judged_event_texts(judged)]
    return Year(judged, prepared, read, np.array([by_topic(prepared, run, measure) for run in read]), rows)


def by_topic(prepared: Prepared, run: Run, measure: Measure) -> list[float]:
    """The run's measure on each topic; 0 where it is silent."""
    return [values[measure] for values in prepared.score(run, [measure]).per_event.values()]


def learned_matches(year: Year, said: Sequence[np.ndarray]) -> list[PossibleMatch]:
    """The pairs of a year's pool with the probabilities that are said of them."""
    of_event = {one.event_id: probabilities for one, probabilities in zip(year.rows, said, strict=True)}
    pool: dict[str, list] = {}
    for update in year.judged.pool:
        pool.setdefault(update.event_id, []).append(update)
    matches: list[PossibleMatch] = []
    for event in judged_event_texts(year.judged):
        pairs = pair_features(event.texts)
        matches += possible_matches(
            event.texts, pool[event.event_id], pairs.texts, pairs.nuggets, of_event[event.event_id], LEAST
        )
    return matches


def left_out(weights: MatchWeights, rows: Sequence[JudgedRows]) -> list[np.ndarray]:
    """What is said of each event's pairs by what was learned without it."""
    return [1 / (1 + np.exp(-(weights.slope * odds + weights.shift))) for odds in out_of_fold(rows)]


def automatic(year: Year, matches: Sequence[PossibleMatch]) -> AutomaticJudgments:
    """The year with a program's matches in place of people's."""
    return judge_automatically(year.prepared, year.judged, matches, instead=True)


def f1_threshold(year: Year, matches: Sequence[PossibleMatch]) -> float:
    """The threshold of the best F1 over distinct texts."""
    scores = {(one.event_id, one.update_id, one.nugget_id): one.probability for one in matches}
    pairs = []
    for event in judged_event_texts(year.judged):
        pool = [one for one in year.judged.pool if one.event_id == event.event_id]
        first = {text: one.id for one, text in reversed(list(zip(pool, event.texts.text_of, strict=True)))}
        said = np.array(
            [
                [scores.get((event.event_id, first[text], nugget.id), 0.0) for nugget in event.texts.nuggets]
                for text in range(len(event.texts.texts))
            ]
        )
        given = said > 0
        pairs.append(JudgedPairs(said[given], event.matched[given], int(event.matched.sum())))
    return best_threshold(pairs)


def decided(year: Year, matches: AutomaticJudgments, threshold: float, measure: Measure) -> Values:
    """Each run's measure on each topic where pairs from the threshold on are matches."""
    prepared = matches.decided(threshold)
    return np.array([by_topic(prepared, run, measure) for run in year.runs])


def expected(
    year: Year, matches: AutomaticJudgments, measure: Measure, draws: int, spread: float
) -> tuple[Values, float, float]:
    """Each run's means over draws by topic; the share of runs whose intervals hold people's mean, and their width."""
    values, held, widths = [], 0, []
    for run, people in zip(year.runs, year.people, strict=True):
        scores = matches.score(run, [measure], threshold=0.5, draws=draws, spread=spread, mean="all")
        values.append([of_topic[measure].mean for of_topic in scores.per_event.values()])
        interval = scores.overall[measure]
        held += interval.low <= fmean(people) <= interval.high
        widths.append(interval.high - interval.low)
    return np.array(values), held / len(year.runs), fmean(widths)


def tau(one: np.ndarray, other: np.ndarray) -> float:
    """Kendall's τ-b, as `kendall_tau_b` has it, for many samples."""
    first, second = (np.sign(np.round(x[:, None] - x[None, :], 12)) for x in (one, other))
    return float((first * second).sum() / np.sqrt((first != 0).sum() * (second != 0).sum()))


def figures(people: Values, program: Values, topics: Sequence[int]) -> tuple[float, float, float]:
    """(τ, MAE, bias) over some topics."""
    one, other = people[:, topics].mean(axis=1), program[:, topics].mean(axis=1)
    return tau(one, other), float(np.abs(other - one).mean()), float((other - one).mean())


def interval(people: Values, program: Values, topics: int, samples: int) -> list[tuple[float, float]]:
    """Where 95 % of samples of topics put τ, MAE and bias."""
    draw = Random("topics")
    drawn = [figures(people, program, draw.choices(range(topics), k=topics)) for _ in range(samples)]
    return [
        (quantile(sorted(column), 0.025), quantile(sorted(column), 0.975))
        for column in zip(*drawn, strict=True)
    ]


def line(name: str, threshold: str, year: Year, program: Values, samples: int) -> str:
    """A row of the table."""
    ends = interval(year.people, program, year.topics, samples)
    shown = figures(year.people, program, list(range(year.topics)))
    cells = [f"{value:.3f} [{low:.3f}, {high:.3f}]" for value, (low, high) in zip(shown, ends, strict=True)]
    return f"| {name} | {threshold} | " + " | ".join(cells) + " |"


def halves(people: Values, other: Values, topics: int, samples: int) -> tuple[float, float, float]:
    """τ of one half of the topics by people against the other half by `other`: mean, and where 95 % of halvings lie."""
    draw, taus = Random("halves"), []
    for _ in range(samples):
        order = draw.sample(range(topics), topics)
        half = topics // 2
        taus.append(tau(people[:, order[:half]].mean(axis=1), other[:, order[half:]].mean(axis=1)))
    return fmean(taus), quantile(sorted(taus), 0.025), quantile(sorted(taus), 0.975)


def nearest(year: Year, matches: AutomaticJudgments, measure: Measure) -> float:
    """The threshold by which the runs' means are nearest to people's."""

    def error(threshold: float) -> float:
        program = decided(year, matches, threshold, measure)
        return float(np.abs(program.mean(axis=1) - year.people.mean(axis=1)).mean())

    return min(THRESHOLDS, key=error)


def lines(chosen: Year, tested: Year, measure: Measure, draws: int, samples: int) -> Iterator[str]:
    """The tables."""
    yield f"{len(tested.runs)} runs over {tested.topics} topics; {len(chosen.runs)} over {chosen.topics} to choose by"
    yield ""
    yield f"| matcher | threshold | τ of mean {measure} | MAE | bias |"
    yield "|---|---|---|---|---|"
    makers: dict[str, Callable[[Year], list[PossibleMatch]]] = {
        name: lambda year, name=name: list(match_events(BaselineMatcher(name, LEAST), year.judged))
        for name in BASELINES
    }
    for name, make in makers.items():
        mine = make(chosen)
        threshold = f1_threshold(chosen, mine)
        program = decided(tested, automatic(tested, make(tested)), threshold, measure)
        yield line(name, f"{threshold:.3f}, F1", tested, program, samples)
    weights = learn_matcher(chosen.rows)
    mine = learned_matches(chosen, left_out(weights, chosen.rows))
    theirs = automatic(
        tested, learned_matches(tested, [weights.probabilities(one.rows) for one in tested.rows])
    )
    threshold = f1_threshold(chosen, mine)
    best = decided(tested, theirs, threshold, measure)
    yield line("learned", f"{threshold:.3f}, F1", tested, best, samples)
    by_runs = nearest(chosen, automatic(chosen, mine), measure)
    yield line("learned", f"{by_runs:.2f}, runs", tested, decided(tested, theirs, by_runs, measure), samples)
    covered = []
    for spread in (0.0, SPREAD):
        values, share, width = expected(tested, theirs, measure, draws, spread)
        covered.append((spread, share, width))
        yield line("learned", f"expected, spread {spread:g}", tested, values, samples)
    yield ""
    for spread, share, width in covered:
        yield f"spread {spread:g}: {share:.1%} of the intervals hold people's mean; they are {width:.3f} wide"
    for name, other in (("people", tested.people), ("learned, F1", best)):
        mean, low, high = halves(tested.people, other, tested.topics, HALVES)
        yield f"τ of people on one half of the topics and {name} on the other: {mean:.3f} [{low:.3f}, {high:.3f}]"


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    for name in ("chosen_on", "its_runs", "tested_on", "runs"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--measure", default="H")
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    given = parser.parse_args()
    measure = Measure(given.measure)
    chosen = load(given.chosen_on, given.its_runs, measure)
    tested = load(given.tested_on, given.runs, measure)
    for one in lines(chosen, tested, measure, given.draws, given.samples):
        print(one, flush=True)


if __name__ == "__main__":
    main()
