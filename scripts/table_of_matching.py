"""How well matchers find what assessors matched: chosen on one collection, tested on another.

    python scripts/table_of_matching.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014 [--encoder use]

Every distinct text of the judged pool against every nugget of its event. The threshold of F1 is chosen on the first
collection; average precision is the mean over the second one's events. The learned matcher learned from the first
collection alone: what it says of that one is said of each third of its events by what was learned from the others.
With `--encoder` there is a row of what was learned with an encoder's figures, too, and probabilities are of that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from frame import heading, parser as command_line

from tidings.analysis.judges.encoders import unit_encoder
from tidings.evaluation.matching.learned import (
    JudgedEventTexts,
    JudgedPairs,
    JudgedRows,
    average_precision,
    best_threshold,
    calibration,
    judged_event_texts,
    judged_rows,
    learn_matcher,
    mean_average_precision,
    out_of_fold,
    precision_recall,
)
from tidings.evaluation.matching.likeness import BASELINES, Likeness
from tidings.evaluation.matching.meaning import Encode
from tidings.evaluation.matching.pair_features import NAMES
from tidings.sources.streams import read_judgments

LEARNED, ENCODED = "learned", "learned, with encoder"
Scored = dict[str, dict[str, JudgedPairs]]


def scored(folder: Path, encode: Encode | None) -> tuple[Scored, list[JudgedRows]]:
    """By matcher and event the scores of all pairs, and what a learner sees of each event."""
    made: Scored = {by: {} for by in BASELINES}
    rows: list[JudgedRows] = []
    for event in judged_event_texts(read_judgments(folder)):
        rows.append(judged_rows(event, encode))
        likeness = Likeness.of(event.texts)
        for by, scores in BASELINES.items():
            made[by][event.event_id] = _pairs(event, scores(event.texts, likeness))
    return made, rows


def without_encoder(rows: list[JudgedRows]) -> list[JudgedRows]:
    """The same without an encoder's figures, which stand last."""
    return [replace(one, rows=one.rows[:, : len(NAMES)]) for one in rows]


def learn(
    by: str, chosen_on: Scored, rows: list[JudgedRows], tested_on: Scored, others: list[JudgedRows]
) -> None:
    """Add the learned matcher to both, under that name."""
    weights = learn_matcher(rows)
    left_out = [1 / (1 + np.exp(-(weights.slope * odds + weights.shift))) for odds in out_of_fold(rows)]
    chosen_on[by] = {
        one.event_id: JudgedPairs(said, one.right, one.total)
        for one, said in zip(rows, left_out, strict=True)
    }
    tested_on[by] = {
        one.event_id: JudgedPairs(weights.probabilities(one.rows), one.right, one.total) for one in others
    }


def _pairs(event: JudgedEventTexts, scores: np.ndarray) -> JudgedPairs:
    return JudgedPairs(scores.ravel().astype(float), event.matched.ravel(), int(event.matched.sum()))


def lines(chosen_on: Scored, tested_on: Scored) -> Iterator[str]:
    """The table of matchers, then average precision by event."""
    yield heading("matcher | mean AP there | mean AP | threshold | precision | recall | F1", 1)
    for by, events in tested_on.items():
        threshold = best_threshold(list(chosen_on[by].values()))
        figures = precision_recall(list(events.values()), threshold)
        means = (mean_average_precision(chosen_on[by]), mean_average_precision(events))
        cells = [f"{value:.3f}" for value in (*means, threshold, *figures)]
        yield f"| {by} | " + " | ".join(cells) + " |"
    yield ""
    yield heading("probability | pairs | mean said | share matched", 1)
    for one in calibration(list(tested_on[ENCODED if ENCODED in tested_on else LEARNED].values())):
        tenth = int(min(one.said, 0.999) * 10)
        yield f"| .{tenth}–{(tenth + 1) / 10:.1f} | {one.count:,} | {one.said:.3f} | {one.seen:.3f} |"
    yield ""
    yield "| event | matches | " + " | ".join(tested_on) + " |"
    yield "|---|---:|" + "---:|" * len(tested_on)
    for event, pairs in next(iter(tested_on.values())).items():
        cells = [f"{average_precision(tested_on[by][event]):.3f}" for by in tested_on]
        yield f"| {event} | {pairs.total} | " + " | ".join(cells) + " |"


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("chosen_on", type=Path)
    parser.add_argument("tested_on", type=Path)
    parser.add_argument("--encoder", default="")
    given = parser.parse_args()
    encode = unit_encoder(given.encoder) if given.encoder else None
    chosen_on, rows = scored(given.chosen_on, encode)
    tested_on, others = scored(given.tested_on, encode)
    learn(LEARNED, chosen_on, without_encoder(rows), tested_on, without_encoder(others))
    if encode is not None:
        learn(ENCODED, chosen_on, rows, tested_on, others)
    for line in lines(chosen_on, tested_on):
        print(line, flush=True)


if __name__ == "__main__":
    main()
