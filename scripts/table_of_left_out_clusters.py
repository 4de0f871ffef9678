"""What left-out runs lose where judgments are clusters: `tidings reuse` for the measures of clusters-2017.

    tidings match -j ../shared/data/trec-ts/2014 --model matcher-2013.safetensors --least 0.01 --out pairs.jsonl
    python scripts/table_of_left_out_clusters.py ../shared/data/trec-ts/2014 pairs.jsonl runs/2014/*.jsonl --by team

There are no people's clusters of these topics at hand: clusters are the nuggets, each relevant update with its most
popular one. Without a run (or its team) the texts that nobody else tells leave their clusters, and clusters that are
empty then are gone, as if nobody had known of them. Automatic: the removed updates are put into the clusters of the
nuggets that a matcher gives them, by the same rule; those are all known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from frame import heading, parser as command_line
from msgspec.structs import replace

from tidings.core.records import Judgments, Match, PossibleMatch, Run
from tidings.evaluation.formats.judge_answers import read_possible_matches
from tidings.evaluation.measures.clusters_2017 import prepare
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.projection import project
from tidings.evaluation.measures.trec_ts import prepare as prepare_nuggets
from tidings.evaluation.measures.trec_ts.automatic import THRESHOLD
from tidings.evaluation.reuse import Agreement, JudgedTexts, agreement
from tidings.following.outputs.runs import read_runs
from tidings.sources.streams import read_judgments

MEASURES = (Measure("clusters:EG"), Measure("clusters:C"))
RULE = "most-popular"
Scores = list[dict[Measure, float]]


def scored(judged: Judgments, run: Run) -> dict[Measure, float]:
    """The run's means over events."""
    result = prepare(judged).score(run, MEASURES)
    return {measure: result.mean(measure) for measure in MEASURES}


def without(judged: Judgments, removed: dict[str, set[str]]) -> Judgments:
    """Clusters, matches and the pool without some updates."""
    clusters = []
    for cluster in judged.clusters:
        gone = removed.get(cluster.event_id, set())
        left = tuple(one for one in cluster.update_ids if one not in gone)
        clusters += [replace(cluster, update_ids=left)] if left else []
    return replace(
        judged,
        clusters=tuple(clusters),
        matches=tuple(one for one in judged.matches if one.update_id not in removed.get(one.event_id, set())),
        pool=tuple(row for row in judged.pool if row.id not in removed.get(row.event_id, set())),
    )


def mended(
    judged: Judgments, left: Judgments, removed: dict[str, set[str]], pairs: Sequence[PossibleMatch]
) -> Judgments:
    """What is left, with removed updates put into clusters by a matcher."""
    matches = [
        Match(one.event_id, one.update_id, one.nugget_id, one.start, one.end, automatic=True)
        for one in pairs
        if one.probability >= THRESHOLD and one.update_id in removed.get(one.event_id, set())
    ]
    again = replace(left, matches=(*left.matches, *matches), pool=judged.pool)
    return replace(again, clusters=project(again, RULE))


def left_out(
    judged: Judgments, runs: Sequence[Run], pairs: Sequence[PossibleMatch], by: str
) -> tuple[Scores, Scores, Scores]:
    """Each run's scores by all clusters, by those that are left, and with automatic ones."""
    texts = JudgedTexts(prepare_nuggets(judged), runs)
    groups: dict[str, list[int]] = {}
    for number, run in enumerate(runs):
        groups.setdefault(run.team if by == "team" else str(number), []).append(number)
    full = [scored(judged, run) for run in runs]
    people: Scores = [{} for _ in runs]
    program: Scores = [{} for _ in runs]
    for members in groups.values():
        _, ids = texts.without(texts.only_of(members))
        removed = {name: set(own) for name, own in ids.items()}
        left = without(judged, removed)
        again = mended(judged, left, removed, pairs)
        for number in members:
            people[number], program[number] = scored(left, runs[number]), scored(again, runs[number])
    return full, people, program


def moved(full: Scores, fewer: Scores, measure: Measure) -> Agreement:
    """How scores and ranks move, each run's among all others' by all judgments."""
    one, other = [scores[measure] for scores in full], [scores[measure] for scores in fewer]

    def rank(number: int, score: float) -> int:
        return 1 + sum(value > score + 1e-12 for place, value in enumerate(one) if place != number)

    ranks = [[rank(number, score) for number, score in enumerate(scores)] for scores in (one, other)]
    return agreement(one, other, ranks[0], ranks[1])


def lines(full: Scores, people: Scores, program: Scores) -> Iterator[str]:
    """The table."""
    yield heading(
        "measure | by | τ | mean change | mean abs. change | runs that move | mean move | greatest", 2
    )
    for measure in MEASURES:
        for name, fewer in (("judged only", people), ("with automatic clusters", program)):
            one = moved(full, fewer, measure)
            yield (
                f"| {measure} | {name} | {one.tau:.3f} | {one.change:+.4f} | {one.absolute:.4f} | {one.moved} | "
                f"{one.ranks:.2f} | {one.most} |"
            )


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--by", choices=("run", "team"), default="run")
    given = parser.parse_args()
    judged = read_judgments(given.folder)
    judged = replace(judged, clusters=project(judged, RULE))
    runs = [run for path in given.runs for run in read_runs(path)]
    for line in lines(*left_out(judged, runs, read_possible_matches(given.pairs), given.by)):
        print(line)


if __name__ == "__main__":
    main()
