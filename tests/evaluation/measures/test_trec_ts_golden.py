"""Scores of the TREC Temporal Summarization track, number for number.

Origin: expected/*.tsv beside the runs in the shared data: NIST's own table of TREC 2014 (all teams), and what the
official scorers of 2013 and 2014, run unmodified, print for the other files. All are printed to four decimals.
"""

from __future__ import annotations

import gzip
import math
import re
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest

from tidings.evaluation.measures import parse_measure
from tidings.evaluation.measures.trec_ts import default_measures, prepare, rules_named
from tidings.following.outputs.runs import read_runs
from tidings.sources.streams import read_judgments

pytestmark = pytest.mark.shared_data

_PRINTED = ("EG", "ELG", "E[G]", "C", "LC", "E[V]", "EG@86400s", "C@86400s", "I[C]")
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
    prepared = prepare(read_judgments(folder, pool=pool), rules_named(f"trec-{year}", **options))
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


def _by_the_paper(folder: Path, event_id: str) -> dict[str, float]:
    """(10), (12), (14), (15), (17), (18) and (24) of synthA, from the files alone."""

    def rows(name: str) -> list[list[str]]:
        with gzip.open(folder / name, "rt", encoding="utf-8", newline="\n") as file:
            return [line.rstrip("\n").split("\t") for line in file]

    nuggets = {row[1]: row for row in rows("nuggets.tsv.gz") if row[0] == event_id}
    pool = {row[1]: row for row in reversed(rows("updates.tsv.gz")) if row[0] == event_id}
    blocks = [list(block) for key, block in groupby(rows("matches.tsv.gz"), itemgetter(0)) if key == event_id]
    run = [row[0].split() for row in rows("runs/synthA.run.gz")]
    emitted = sorted((int(row[5]), f"{row[3]}-{row[4]}") for row in run if f"TS13.{row[0]}" == event_id)
    top = max(int(row[3]) for row in nuggets.values())
    relevance = {nugget: math.exp(int(row[3]) - top) for nugget, row in nuggets.items()}
    mean_words = sum(len(row[5].split()) for row in nuggets.values()) / len(nuggets)
    topics = (folder / "topics.xml").read_text(encoding="utf-8")
    period = re.search(
        rf"<id>{event_id[5:]}</id>.*?<start>(\d+)</start>.*?<end>(\d+)</end>", topics, re.DOTALL
    )
    assert period
    start_time, end_time = map(int, period.groups())
    gain = late_gain = verbosity = early_gain = covered_seconds = 0.0
    seen: set[str] = set()
    for time, update in emitted:
        judged = pool[update][5] if pool[update][5] in pool else update
        own = [row for row in blocks[len(blocks) > 1] if row[1] == judged and row[2] in nuggets]
        covered = set()
        for _, _, nugget, start, end, _ in own:
            words = enumerate(re.finditer(r"\S+", pool[judged][6]))
            covered.update(
                place for place, word in words if word.start() < int(end) and word.end() > int(start)
            )
            if nugget not in seen:
                discount = 1 - 2 / math.pi * math.atan((time - int(nuggets[nugget][2])) / (3600 * 6))
                gain, late_gain = gain + relevance[nugget], late_gain + relevance[nugget] * discount
                early_gain += relevance[nugget] * (time < start_time + 86_400)
                covered_seconds += relevance[nugget] * max(0, end_time - max(time, start_time))
            seen.add(nugget)
        verbosity += 1 + (len(pool[judged][6].split()) - len(covered)) / mean_words
    early = sum(time < start_time + 86_400 for time, _ in emitted)
    total = sum(relevance.values())
    return {
        "EG": gain / len(emitted),
        "ELG": late_gain / len(emitted),
        "E[G]": gain / verbosity,
        "C": gain / total,
        "LC": late_gain / total,
        "E[V]": verbosity / len(emitted),
        "EG@86400s": early_gain / early if early else 0.0,
        "C@86400s": early_gain / total,
        "I[C]": covered_seconds / total,
    }


def test_formulas_written_anew_give_the_same_on_the_tracks_data(shared_data: Path) -> None:
    folder = shared_data / "trec-ts" / "2013"
    (run,) = read_runs(folder / "runs" / "synthA.run.gz")
    scores = prepare(read_judgments(folder), "paper-2013").score(run, list(map(parse_measure, _PRINTED)))
    for event_id in ("TS13.1", "TS13.3", "TS13.4", "TS13.5", "TS13.6", "TS13.10"):
        expected = _by_the_paper(folder, event_id)
        found = {name: scores.per_event[event_id][parse_measure(name)] for name in _PRINTED}
        assert found == pytest.approx(expected, abs=5e-5), event_id
