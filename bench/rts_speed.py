"""Speed of scoring pushes: the whole process, on a run of 20,000 pushes against the judgments of 2017.

python -m bench.rts_speed [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

from bench.frame import ROOT
from bench.processes import TIDINGS, Row, median

PUSHES = 20_000


def made_up(folder: Path, pushes: int = PUSHES) -> str:
    """A run of judged tweets drawn by chance, each pushed within two hours, sorted by topic and time."""
    from tidings.evaluation.formats.tweets import read_tweet_judgments

    judgments, draw = read_tweet_judgments(folder), Random(1)
    pairs = [(topic, tweet) for topic, judged in judgments.grades.items() for tweet in judged]
    rows = [
        (topic, judgments.times.get(tweet, 1501300000) + draw.randrange(7200), tweet)
        for topic, tweet in draw.sample(pairs, pushes)
    ]
    return "".join(f"{topic}\t{tweet}\t{time}\tmade-up\n" for topic, time, tweet in sorted(rows))


def rows(folder: Path) -> list[Row]:
    """Rows of (what, figure, unit, note) for the folder of 2017."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "made-up.run"
        path.write_text(made_up(folder))
        cost = median((*TIDINGS, "score", str(path), "-j", str(folder), "--rules", "rts-2017-a"))
    return [
        (f"score {PUSHES:,} pushes of 2017, whole process", cost.cpu_s, "s CPU", f"{cost.peak_mib:.0f} MiB")
    ]


if __name__ == "__main__":
    chosen = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared/data/rts/2017"
    for what, figure, unit, note in rows(chosen):
        print(f"{what:50} {figure:8.3f} {unit:8} {note}")
