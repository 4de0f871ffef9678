"""Every figure that the scripts of tweet timeline generation 2014 print, to its printed digits.

The files under expected/ are what evaluate2014.py (unweighted) and evaluate2014-weighted.py of the task print, run
unmodified; they print numbers as Python 2 does, with twelve significant digits.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.evaluation.formats.tweet_runs import read_timeline_run
from tidings.evaluation.formats.tweets import read_tweet_judgments
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.ttg import prepare

pytestmark = pytest.mark.shared_data


@every(
    "table, names",
    [
        ("expected.ttgA.evaluate2014.txt", ("cP", "cR", "F1")),
        ("expected.ttgA.evaluate2014-weighted.txt", ("cPw", "cRw", "F1w")),
    ],
)
def test_every_figure(shared_data: Path, table: str, names: tuple[str, ...]) -> None:
    folder = shared_data / "ttg" / "2014"
    (run,) = read_timeline_run(folder / "runs" / "ttgA.run.gz")
    scores = prepare(read_tweet_judgments(folder, days=False)).score(run)
    text = (folder / "expected" / table).read_text()
    blocks = re.findall(
        r"^(MB\d+|All)\n.*?([0-9.]+)\n.*?([0-9.]+)\n.* score\s+([0-9.]+)$", text, re.MULTILINE
    )
    assert [topic for topic, *_ in blocks] == [*scores.per_event, "All"]
    for topic, *figures in blocks:
        for name, figure in zip(names, figures, strict=True):
            measure = Measure(name)
            value = scores.mean(measure) if topic == "All" else scores.per_event[topic][measure]
            assert f"{value:.12g}" == figure, (topic, name)
