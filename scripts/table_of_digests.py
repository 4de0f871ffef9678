"""How good digests are on topics that they have not learned from: the table in docs/following/digest.md.

    python scripts/table_of_digests.py ../shared/data/tls
    python scripts/table_of_digests.py ../shared/data/tls --fit src/tidings/systems/digest/day_weights.json

For each reference timeline a digest of as many days as it has, with as many sentences a day as it has on average
(rounded); rules `tls-each`. What ranks days has learned from the other topics. With the period given, the first and the
last day of the reference are known, as in the published figures. p: the share of all swaps of topics between `ours` and
the other whose difference in F1 is at least as large (two-sided, so at least 2 / 2^topics). `--fit` writes the weights
learned from all topics instead.
"""

from __future__ import annotations

import datetime
from itertools import product
from pathlib import Path

import msgspec
from frame import STORIES, heading, parser as command_line
from msgspec.structs import replace

from tidings.core.records import DailyTimeline
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.tls import named, prepare
from tidings.following.digests.making import (
    Choice,
    ChosenDays,
    choose_clust,
    choose_datewise,
    choose_ours,
    choose_submodular,
    digest_of,
)
from tidings.following.digests.story import Story
from tidings.research.training.day_weights import TimelineTopic, fit_day_weights, read_topics

SYSTEMS = ("ours", "datewise", "submodular", "clust")
NAMES = {"R1": "R1-align+m1", "R2": "R2-align+m1", "date": "date"}
Parts = dict[str, tuple[float, float]]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder")
    parser.add_argument("--fit", metavar="FILE")
    parser.add_argument("--each", action="store_true", help="Also a row for each topic.")
    asked = parser.parse_args()
    topics = read_topics(asked.folder, STORIES)
    if asked.fit:
        stories = [(one.story, one.days()) for one in topics]
        fitted = {name: fit_day_weights(stories, name) for name in ("ours", "datewise")}
        content = msgspec.json.encode({"systems": fitted, "learned_from": sorted(STORIES)})
        Path(asked.fit).write_bytes(msgspec.json.format(content) + b"\n")
        return
    print(heading("period | system | AR-1 | AR-2 | date F1 | least and most AR-1 | p (AR-1, AR-2, date F1)"))
    for period in (True, False):
        scores = {name: [score(topic, topics, name, period) for topic in topics] for name in SYSTEMS}
        for name, rows in scores.items():
            means = " | ".join(f"{f_of(rows, part):.{4 if part != 'date' else 3}f}" for part in NAMES)
            singles = [f_of([row], "R1") for row in rows]
            chance = (
                ""
                if name == "ours"
                else " ".join(f"{p_of(scores['ours'], rows, part):.3f}" for part in NAMES)
            )
            print(
                f"| {'given' if period else 'not given'} | `{name}` | {means} | "
                f"{min(singles):.3f} {max(singles):.3f} | {chance} |"
            )
            if asked.each:
                for topic, row in zip(topics, rows, strict=True):
                    print(
                        f"| | {topic.name} | "
                        + " | ".join(f"{f_of([row], part):.3f}" for part in NAMES)
                        + " | | |"
                    )


def score(topic: TimelineTopic, topics: list[TimelineTopic], system: str, period: bool) -> Parts:
    """Mean precision and recall over a topic's references."""
    rest = [(one.story, one.days()) for one in topics if one is not topic]
    totals = dict.fromkeys(NAMES, (0.0, 0.0))
    for reference in topic.references:
        days = {day.date: len(day.sentences) for day in reference.days}
        numbers = sorted(datetime.date.fromisoformat(day).toordinal() for day in days)
        story = replace(topic.story, first_day=numbers[0], last_day=numbers[-1]) if period else topic.story
        choice = Choice(len(days), max(1, round(sum(days.values()) / len(days))))
        chosen = choose(story, choice, system, rest)
        prepared = prepare({topic.name: [reference]}, named("tls-each"))
        timeline: DailyTimeline = replace(digest_of(story, chosen, system).to_timeline(), name=topic.name)
        measures = {part: tuple(Measure(f"{name}-{side}") for side in "PR") for part, name in NAMES.items()}
        values = prepared.score({topic.name: timeline}, [one for pair in measures.values() for one in pair])
        totals = {
            part: (
                totals[part][0] + values.mean(measures[part][0]) / len(topic.references),
                totals[part][1] + values.mean(measures[part][1]) / len(topic.references),
            )
            for part in NAMES
        }
    return totals


def choose(story: Story, choice: Choice, system: str, rest: list[tuple[Story, object]]) -> ChosenDays:
    """The days that a system chooses, having learned from other stories."""
    if system == "ours":
        return choose_ours(story, choice, fit_day_weights(rest, "ours"))
    if system == "datewise":
        return choose_datewise(story, choice, fit_day_weights(rest, "datewise"))
    return choose_clust(story, choice) if system == "clust" else choose_submodular(story, choice)


def f_of(rows: list[Parts], part: str) -> float:
    """F1 of the mean precision and the mean recall."""
    precision, recall = (sum(row[part][side] for row in rows) / len(rows) for side in (0, 1))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def p_of(one: list[Parts], other: list[Parts], part: str) -> float:
    """Two-sided p of the difference, over all ways to swap topics."""
    seen = abs(f_of(one, part) - f_of(other, part))
    swaps = list(product((False, True), repeat=len(one)))
    extreme = 0
    for swap in swaps:
        left = [b if swapped else a for a, b, swapped in zip(one, other, swap, strict=True)]
        right = [a if swapped else b for a, b, swapped in zip(one, other, swap, strict=True)]
        extreme += abs(f_of(left, part) - f_of(right, part)) >= seen - 1e-12
    return extreme / len(swaps)


if __name__ == "__main__":
    main()
