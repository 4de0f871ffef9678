"""ROUGE of timelines beside tilse, in one run and at equal numbers.

    python -m bench.tls_speed [FOLDER]

FOLDER holds one reference timeline in each file (text); without it made-up ones are taken. tilse needs Perl.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from bench.frame import Row
from tidings.core.records import DailyTimeline, TimelineDay
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.tls import prepare
from tidings.following.digests.timeline_files import read_timelines

VARIANTS = {
    "agree": "evaluate_agreement",
    "align": "evaluate_align_date_costs",
    "align+": "evaluate_align_date_content_costs",
    "align+m1": "evaluate_align_date_content_costs_many_to_one",
}
PARTS = {"precision": "P", "recall": "R", "f_score": "F"}


def made_up(days: int, seed: int) -> DailyTimeline:
    """A timeline of two sentences of twenty words a day."""
    draw = Random(seed)
    words = [
        f"{start}{middle}{end}"
        for start in "bcdfglmnprst"
        for middle in "aeiou"
        for end in ("ring", "tal", "ment")
    ]
    chosen = sorted(draw.sample(range(1, 120), days))
    return DailyTimeline(
        f"made up {seed}",
        tuple(
            TimelineDay(
                f"2010-{1 + day // 28:02}-{1 + day % 28:02}",
                tuple(" ".join(draw.choices(words, k=20)) + " ." for _ in range(2)),
            )
            for day in chosen
        ),
    )


def rows(folder: Path | None = None) -> list[Row]:
    """Each aligned variant with R1 and R2: ours, and tilse's where it is installed."""
    timelines = [read_timelines(file)[0] for file in sorted(folder.glob("*.txt"))] if folder else []
    if len(timelines) < 4:
        timelines = [made_up(36, 0), *(made_up(days, days) for days in (30, 36, 40))]
    ours, references = timelines[0], timelines[1:4]
    note = f"{len(ours.days)} days against {', '.join(str(len(one.days)) for one in references)}, R1 and R2"
    found: list[Row] = []
    for variant in VARIANTS:
        measures = [Measure(f"R{n}-{variant}-{part}") for n in (1, 2) for part in "PRF"]

        def work(measures: list[Measure] = measures) -> dict[Measure, float]:
            return prepare({"x": references}).score({"x": ours}, measures).per_event["x"]

        work()  # stems once
        took = min(_wall(work)[0] for _ in range(5))
        found.append((f"timelines, {variant}", took * 1000, "ms", note + ", references prepared anew"))
        if find_spec("tilse"):
            theirs, numbers = _wall(lambda variant=variant: _tilse(ours, references, variant))
            apart = max(abs(work()[measure] - value) for measure, value in numbers.items())
            how = f"{theirs / took:,.0f} times as long; numbers at most {apart:.1g} apart"
            found.append((f"timelines, {variant}, tilse", theirs * 1000, "ms", how))
    return found


def _wall(work: Any) -> tuple[float, Any]:
    # Wall time, not CPU: tilse calls ROUGE in Perl as another process.
    before = time.perf_counter()
    result = work()
    return time.perf_counter() - before, result


def _tilse(ours: DailyTimeline, references: list[DailyTimeline], variant: str) -> dict[Measure, float]:
    import datetime

    with contextlib.redirect_stderr(io.StringIO()):
        from tilse.data.timelines import DailyTimeline as Theirs, GroundTruth
        from tilse.evaluation.rouge import TimelineRougeEvaluator

    def given(one: DailyTimeline) -> Any:
        return Theirs({datetime.date.fromisoformat(day.date): list(day.sentences) for day in one.days})

    evaluator = TimelineRougeEvaluator(measures=["rouge_1", "rouge_2"])
    scores = getattr(evaluator, VARIANTS[variant])(
        given(ours), GroundTruth([given(one) for one in references])
    )
    return {
        Measure(f"R{kind[-1]}-{variant}-{PARTS[part]}"): value
        for kind, parts in scores.items()
        for part, value in parts.items()
    }


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    for what, figure, unit, remark in rows(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
        print(f"{what:30} {figure:12,.2f} {unit} {remark}")
