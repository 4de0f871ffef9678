"""How well matchers find what assessors matched: chosen on one collection, tested on another.

    python scripts/table_of_matching.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014

Every distinct text of the judged pool against every nugget of its event. The threshold of F1 is chosen on the first
collection; average precision is the mean over the second one's events.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tidings.formats import read_judgments
from tidings.judgments.matching.baselines import BASELINES
from tidings.judgments.matching.evaluation import (
    JudgedPairs,
    average_precision,
    best_threshold,
    mean_average_precision,
    precision_recall,
)
from tidings.judgments.matching.judged import JudgedEventTexts, judged_event_texts
from tidings.judgments.matching.likeness import Likeness

Scored = dict[str, dict[str, JudgedPairs]]


def scored(folder: Path) -> Scored:
    """By matcher and event the scores of all pairs."""
    made: Scored = {by: {} for by in BASELINES}
    for event in judged_event_texts(read_judgments(folder)):
        likeness = Likeness.of(event.texts)
        for by, scores in BASELINES.items():
            made[by][event.event_id] = _pairs(event, scores(event.texts, likeness))
    return made


def _pairs(event: JudgedEventTexts, scores: np.ndarray) -> JudgedPairs:
    return JudgedPairs(scores.ravel().astype(float), event.matched.ravel(), int(event.matched.sum()))


def lines(chosen_on: Scored, tested_on: Scored) -> Iterator[str]:
    """The table of matchers, then average precision by event."""
    yield "| matcher | mean AP there | mean AP | threshold | precision | recall | F1 |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for by, events in tested_on.items():
        threshold = best_threshold(list(chosen_on[by].values()))
        figures = precision_recall(list(events.values()), threshold)
        means = (mean_average_precision(chosen_on[by]), mean_average_precision(events))
        cells = [f"{value:.3f}" for value in (*means, threshold, *figures)]
        yield f"| {by} | " + " | ".join(cells) + " |"
    yield ""
    yield "| event | matches | " + " | ".join(tested_on) + " |"
    yield "|---|---:|" + "---:|" * len(tested_on)
    for event, pairs in next(iter(tested_on.values())).items():
        cells = [f"{average_precision(tested_on[by][event]):.3f}" for by in tested_on]
        yield f"| {event} | {pairs.total} | " + " | ".join(cells) + " |"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chosen_on", type=Path)
    parser.add_argument("tested_on", type=Path)
    given = parser.parse_args()
    for line in lines(scored(given.chosen_on), scored(given.tested_on)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
