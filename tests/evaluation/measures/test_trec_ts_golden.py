"""Scores of the TREC Temporal Summarization track, number for number.

Origin: expected/*.tsv beside the runs in the shared data: NIST's own table of TREC 2014 (all teams), and what the
official scorers of 2013 and 2014, run unmodified, print for the other files. All are printed to four decimals.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tidings.evaluation.measures.trec_ts import default_measures, named, prepare
from tidings.following.outputs.runs import read_runs
from tidings.sources.streams import read_judgments

pytestmark = pytest.mark.shared_data

_STATISTIC = {"AVG": "mean", "STD": "std", "MIN": "min", "MAX": "max"}

CASES = [
    # year, run, table, pool, options, numbers in the table that belong to the run
    (2014, "cunlp", "all-teams.official", "sampled", {}, 1083),
    (2014, "cunlp", "all-teams.official.with-duplicates", "extended", {}, 1083),
    (2014, "cunlp", "cunlp.ignore-unsampled", "sampled", {"unpooled": "skip"}, 1083),
    (2014, "cunlp", "cunlp.binary", "sampled", {"relevance": "binary"}, 1083),
    (2014, "synthA", "synthA", "sampled", {}, 361),
    (2014, "synthA", "synthA.ignore-unsampled", "sampled", {"unpooled": "skip"}, 361),
    (2014, "synthA", "synthA.binary", "sampled", {"relevance": "binary"}, 361),
    (2013, "synthA", "synthA", "sampled", {}, 169),
]


@pytest.mark.parametrize(("year", "run", "table", "pool", "options", "count"), CASES)
def test_every_number_of_the_official_table(
    shared_data: Path, year: int, run: str, table: str, pool: str, options: dict[str, str], count: int
) -> None:
    folder = shared_data / "trec-ts" / str(year)
    prepared = prepare(read_judgments(folder, pool=pool), named(f"trec-{year}", **options))
    lines = [line.split("\t") for line in (folder / "expected" / f"{table}.tsv").read_text().splitlines()[1:]]
    compared = 0
    wrong = []
    for one in read_runs(folder / "runs" / f"{run}.run.gz"):
        scores = prepared.score(one)
        for event, team, name, *numbers in lines:
            if (team, name) != (one.team, one.name):
                continue
            for measure, expected in zip(default_measures(prepared.rules), numbers, strict=True):
                if event in _STATISTIC:
                    value = scores.summary(measure)[_STATISTIC[event]]
                else:
                    value = scores.per_event[prepared.event_id(event)][measure]
                compared += 1
                if f"{value:.4f}" != expected:
                    wrong.append((event, name, measure, value, expected))
    assert not wrong
    assert compared == count
