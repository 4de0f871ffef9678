"""Every figure that the official scripts print on the runs of 2015, 2016 and 2017, to its printed digits.

The files under expected/ are what the scripts print, run unmodified: NIST's rts2016-batchA-eval.py (v1.00: without
latency for each topic), rts2016-batchB-eval.py, rts2016-mobileA-eval.py (v1.00), rts2017-batchA-eval.py,
rts2017-batchB-eval.py (with one column more: nDCG-0), and the scripts of Microblog 2015 for scenarios A and B.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.core.records import Run
from tidings.evaluation.formats.tweet_runs import read_digest_run, read_push_run
from tidings.evaluation.formats.tweets import find_file, read_mobile_qrels, read_tweet_judgments
from tidings.evaluation.measures import Measure, RunScores
from tidings.evaluation.measures.rts import prepare
from tidings.evaluation.measures.rts_mobile import prepare_mobile
from tidings.evaluation.measures.rts_rules import RULES

pytestmark = pytest.mark.shared_data

PUSHES_2016 = cases(__file__, "pushes 2016")
PUSHES_2017 = cases(__file__, "pushes 2017")
MOBILE = ["relevant", "redundant", "not_relevant", "unjudged", "pushes"]


@cache
def prepared(folder: Path, rules: str):
    if RULES[rules].task == "mobile":
        qrels = find_file(folder, "mobile qrels", needs="mobile", ends=("qrels.txt",))
        return prepare_mobile(read_mobile_qrels(qrels), rules)
    return prepare(read_tweet_judgments(folder), rules)


def scored(folder: Path, rules: str, run: str) -> RunScores:
    read = read_digest_run if RULES[rules].task == "digest" else read_push_run
    runs = read(folder / "runs" / run)
    assert len(runs) == 1
    return prepared(folder, rules).score(runs[0])


def printed(value: float, like: str) -> str:
    """A value with as many decimals as the script printed."""
    decimals = len(like.strip().partition(".")[2])
    return f"{value:.{decimals}f}"


def compare(scores: RunScores, rows: list[list[str]], names: list[str]) -> int:
    """Compare rows of (topic, figures...); the number of figures that agree."""
    count = 0
    for topic, *figures in rows:
        for name, figure in zip(names, figures, strict=False):
            measure = Measure(name)
            value = scores.mean(measure) if topic == "All" else scores.per_event[topic][measure]
            assert printed(value, figure) == figure, (topic, name)
            count += 1
    return count


def rows_of(path: Path) -> list[list[str]]:
    """The rows of a table apart by tabs, without its header and its first column, figures stripped."""
    lines = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    return [[cell.strip() for cell in line[1:]] for line in lines]


@every(
    "rules, run, table, names, figures",
    [
        ("rts-2016-a", "synthA.A.run.gz", "expected.synthA.batchA.tsv", PUSHES_2016, 56 * 7 + 9),
        ("rts-2016-b", "synthA.B.run.gz", "expected.synthA.batchB.tsv", ["nDCG@10-1", "nDCG@10-0"], 57 * 2),
        ("rts-2017-a", "UDInfoBL-A.gz", "expected.UDInfoBL-A.batchA.tsv", PUSHES_2017, 98 * 10),
        ("rts-2017-a", "synthA.A.run.gz", "expected.synthA.batchA.tsv", PUSHES_2017, 98 * 10),
        (
            "rts-2017-b",
            "synthA.B.run.gz",
            "expected.synthA.batchB.tsv",
            ["nDCG@10-p", "nDCG@10-1", "nDCG@10-0"],
            98 * 3,
        ),
    ],
)
def test_every_figure_of_2016_and_2017(
    shared_data: Path, rules: str, run: str, table: str, names: list[str], figures: int
) -> None:
    folder = shared_data / "rts" / rules.split("-")[1]
    rows = [[cell for cell in row if cell] for row in rows_of(folder / "expected" / table)]
    assert compare(scored(folder, rules, run), rows, names) == figures


def test_every_count_of_the_telephones(shared_data: Path) -> None:
    folder = shared_data / "rts" / "2016"
    text = (folder / "expected" / "expected.synthA.mobileA.tsv").read_text()
    table = text[text.index("run topic") :].splitlines()[1:]
    rows = [line.split()[1:] for line in table]
    assert len(rows) == 123
    assert compare(scored(folder, "rts-2016-mobile", "synthA.A.run.gz"), rows, MOBILE) == 123 * 5


def test_every_figure_of_2015_in_scenario_a(shared_data: Path) -> None:
    folder = shared_data / "rts" / "2015"
    expected = folder / "expected"
    rows = rows_of(expected / "expected.mpii_hybrid.modelA.per-topic.tsv")
    total = ["All", *rows.pop()]
    assert total[1:] == (expected / "expected.mpii_hybrid.modelA.tsv").read_text().split()[1:]
    scores = scored(folder, "mb-2015-a", "mpii_hybrid.A.run.gz")
    assert compare(scores, [*rows, total], ["ELG", "nCG"]) == 52 * 2


def test_figures_of_2015_in_scenario_b(shared_data: Path) -> None:
    folder = shared_data / "rts" / "2015"
    figure = (folder / "expected" / "expected.synthA.modelB.tsv").read_text().split()[1]
    assert (
        printed(scored(folder, "mb-2015-b", "synthA.B.run.gz").mean(Measure("nDCG@10-1")), figure) == figure
    )
    empty = (folder / "expected" / "expected.empty.modelB.tsv").read_text().strip()
    silent = prepared(folder, "mb-2015-b").score(Run("", "empty", ()))
    assert printed(silent.mean(Measure("nDCG@10-1")), empty) == empty == "0.2471"


class TestSilence:
    """What a run is worth that says nothing: the share of silent days."""

    def test_of_2016(self, shared_data: Path) -> None:
        scores = prepared(shared_data / "rts" / "2016", "rts-2016-a").score(Run("", "empty", ()))
        for name in ("EG-1", "EG-p", "nCG-1", "nCG-p"):
            assert printed(scores.mean(Measure(name)), "0.2339") == "0.2339"
        for name in ("EG-0", "nCG-0", "GMP@.33", "GMP@.5", "GMP@.66", "latency_mean", "pushes"):
            assert scores.mean(Measure(name)) == 0

    def test_of_2015(self, shared_data: Path) -> None:
        scores = prepared(shared_data / "rts" / "2015", "mb-2015-a").score(Run("", "empty", ()))
        assert printed(scores.mean(Measure("ELG")), "0.2471") == "0.2471"
        assert printed(scores.mean(Measure("nCG")), "0.2471") == "0.2471"
