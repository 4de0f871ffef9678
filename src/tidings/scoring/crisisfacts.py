"""CrisisFACTS: `crisisfacts-2022`, `crisisfacts-2023`."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems
from tidings.formats import read_judgments
from tidings.formats.others.crisisfacts import read_facts, read_requests
from tidings.measures import Measure, RunScores
from tidings.measures.crisisfacts import INFO, measures_of, prepare
from tidings.scoring import Scorer, ScoringOptions
from tidings.scoring.places import score_each

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """Nuggets and matches of a folder as daily facts; requests.jsonl in it says what was asked, if not day by day."""
    from tidings.formats.files.layout import find, need_folder

    asked = find(need_folder(judgments), "requests.jsonl")
    prepared = prepare(
        read_judgments(judgments, pool=options.pool), read_requests(asked) if asked is not None else None
    )

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        runs = [read_facts(path, problems=problems)]
        return score_each(path, runs, lambda run: prepared.score(run, measures))

    events = {prepared.requests[request].event_id for request in prepared.facts}
    return Scorer(
        info=INFO,
        measures=measures_of(rules.removeprefix("crisisfacts-")),
        events=len(events),
        score_file=score_file,
    )
