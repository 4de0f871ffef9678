"""The measures of UMass's temporal summaries: `umass-2001`."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems
from tidings.formats import read_judgments, read_runs
from tidings.measures import Measure, RunScores
from tidings.measures.novelty_2001 import INFO, links_of, prepare
from tidings.scoring import Scorer, ScoringOptions
from tidings.scoring.places import score_each

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """A folder's links.tsv, or else its clusters or matched nuggets, ready for runs ranked by confidence."""
    from tidings.formats.files.layout import find, need_folder
    from tidings.formats.others.linked_2001 import read_links

    path = find(need_folder(judgments), "links.tsv")
    links = read_links(path) if path is not None else links_of(read_judgments(judgments, pool=options.pool))
    prepared = prepare(links)

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        runs = read_runs(path, problems=problems)
        return score_each(path, runs, lambda run: prepared.score(run, measures))

    return Scorer(
        info=INFO,
        measures=tuple(map(Measure, INFO)),
        events=len(prepared.topics),
        score_file=score_file,
    )
