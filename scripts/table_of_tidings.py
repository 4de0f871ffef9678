"""How well `tidings` decides on events that it did not learn from, by yardsticks that waver less than one H.

    python scripts/table_of_tidings.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014 --out new.jsonl \
        [--seeds 4] [--set starts=8] [--splits folds] [--half] [--against old.jsonl]

Six folds over all events, and each folder learned from alone with the others as tests. For each split and seed it
trains, follows the tested events, and writes a line to `--out`, so that a run that was stopped goes on. Printed are
means over the events, each the mean of its seeds:

- AUC: the probability that of two candidates, nothing being told yet, the one that matches a nugget is worth more; top
  tenth: the share of those that match one among the tenth that is worth most;
- H at level 0, as it is followed; its mean over levels 0, .1, .2 and .3; its change where the level is .1 lower or
  higher; updates of each event;
- half, extended: H on half of the pool (mean of three draws), on the pool with all copies, as shares of H on the pool.

`--against` adds the difference to the lines of another run over the same events, with a 95 % interval (bootstrap over
events).
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from frame import heading, interval, parser as command_line

from tidings.following.systems.tidings.candidates import Limits
from tidings.following.systems.tidings.model import AdditiveModel
from tidings.research.experiments.plan import Fold, Listed, Split, folds_of
from tidings.research.training.labelled_events import JudgedEvent, load_events
from tidings.research.training.replays import Replay
from tidings.research.training.tidings import (
    LEVEL,
    TidingsOptions,
    learn_worth,
    read_replays,
    stem_weights_of,
)
from tidings.research.training.trainers import Training, read_options

LEVELS = (0.0, 0.1, 0.2, 0.3)
NEAR = 0.1
DRAWS = (1, 2, 3)

Scores = dict[str, dict[str, float]]
"""By event, its figures by name."""


def splits_of(events: Sequence[JudgedEvent]) -> dict[str, list[Fold]]:
    """The six folds, and each folder alone against the others."""
    listed = [Listed(one.event.id, one.year) for one in events]
    years = list(dict.fromkeys(one.year for one in events))
    splits = {"folds": folds_of(listed, Split(kind="folds", folds=6))}
    for year in years if len(years) > 1 else ():
        others = tuple(other for other in years if other != year)
        splits[f"from {year}"] = folds_of(listed, Split(kind="by-year", train=(year,), test=others))
    return splits


def auc(values: Any, is_relevant: Any) -> float:
    """The share of pairs of a relevant and another candidate in which the former is worth more."""
    others = np.sort(values[~is_relevant])
    own = values[is_relevant]
    below = np.searchsorted(others, own, "left") + np.searchsorted(others, own, "right")
    return float(below.sum() / 2 / max(1, len(own) * len(others)))


def scores_of(replay: Replay, model: AdditiveModel) -> dict[str, float]:
    """The figures of one event."""
    worth, level = model.rows, LEVEL
    values = worth(replay.features, 0, len(replay.features))
    first = np.argsort(-values, kind="stable")[: max(1, len(values) // 10)]
    followed = replay.follow(worth, level)
    return {
        "AUC": auc(values, replay.is_relevant),
        "top tenth": float(replay.is_relevant[first].mean()),
        "H": followed.h,
        "mean H": float(np.mean([replay.follow(worth, one).h for one in LEVELS])),
        "lower": replay.follow(worth, level - NEAR).h - followed.h,
        "higher": replay.follow(worth, level + NEAR).h - followed.h,
        "updates": float(len(followed.updates)),
    }


def run(
    folders: Sequence[str], out: Path, options: dict[str, str], *, seeds: int, kinds: str, half: bool
) -> None:
    """Train and test what `out` does not hold yet."""
    lines = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    done = {(line["split"], line["fold"], line["seed"]) for line in lines}
    settings = read_options(TidingsOptions, options, "tidings")
    events = {one.event.id: one for one in load_events(folders)}
    others: list[tuple[str, dict[str, JudgedEvent]]] = []
    if half:
        streams = [("half", load_events(folders, keep=0.5, seed=draw)) for draw in DRAWS]
        streams.append(("extended", load_events(folders, "extended")))
        others = [(name, {one.event.id: one for one in own}) for name, own in streams]
    for split, folds in splits_of(list(events.values())).items():
        for fold in folds if kinds in split else ():
            wanted = [seed for seed in range(seeds) if (split, fold.name, seed) not in done]
            if not wanted:
                continue
            learned_from = [events[name] for name in fold.train]
            replays = read_replays(learned_from, settings.language, Training("tidings"))
            weights = stem_weights_of(learned_from, settings.language)

            def read(one: JudgedEvent, weights: dict[str, float] = weights) -> Replay:
                return Replay(one, weights, settings.language, Limits())

            tested = [(name, read(events[name])) for name in fold.test]
            swollen = [(kind, name, read(own[name])) for kind, own in others for name in fold.test]
            for seed in wanted:
                model = learn_worth(replays, settings, Training("tidings", seed=seed))
                scores: Scores = {name: scores_of(replay, model) for name, replay in tested}
                drawn: dict[tuple[str, str], list[float]] = defaultdict(list)
                for kind, name, replay in swollen:
                    drawn[kind, name].append(replay.follow(model.rows, LEVEL).h)
                for (kind, name), values in drawn.items():
                    scores[name][kind] = sum(values) / len(values)
                line = {"split": split, "fold": fold.name, "seed": seed, "events": scores}
                with out.open("a") as file:
                    file.write(json.dumps(line) + "\n")
                print(f"{split} {fold.name} seed {seed}", file=sys.stderr)


def means_of(path: Path) -> dict[str, Scores]:
    """By split, the figures of each event, means over the seeds."""
    kept: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for line in map(json.loads, path.read_text().splitlines()):
        for event, scores in line["events"].items():
            for name, value in scores.items():
                kept[line["split"], event, name].append(value)
    means: dict[str, Scores] = {}
    for (split, event, name), values in kept.items():
        means.setdefault(split, {}).setdefault(event, {})[name] = sum(values) / len(values)
    return means


def rows_of(means: dict[str, Scores], against: dict[str, Scores]) -> Iterator[str]:
    """The tables."""
    yield heading(
        "split | events | AUC | top tenth | H | mean H | level -.1 | +.1 | updates | half | extended"
    )
    for split, scores in means.items():
        mean = _mean_over(scores)
        cells = [f"{mean(name):.3f}" for name in ("AUC", "top tenth")]
        cells += [f"{mean(name):.4f}" for name in ("H", "mean H")]
        cells += [f"{mean(name):+.4f}" for name in ("lower", "higher")]
        cells.append(f"{mean('updates'):.0f}")
        has_streams = all("half" in own for own in scores.values())
        cells += [f"{mean(kind) / mean('H'):.3f}" if has_streams else "" for kind in ("half", "extended")]
        yield f"| {split} | {len(scores)} | {' | '.join(cells)} |"
    if not any(split in means for split in against):
        return
    yield ""
    yield heading("split | AUC | top tenth | H | mean H")
    for split, scores in means.items():
        other = against.get(split, {})
        both = [event for event in scores if event in other]
        cells = []
        for name in ("AUC", "top tenth", "H", "mean H") if both else ():
            differences = [scores[event][name] - other[event][name] for event in both]
            low, high = interval(differences)
            cells.append(f"{sum(differences) / len(both):+.4f} ({low:+.4f} to {high:+.4f})")
        if cells:
            yield f"| {split} | {' | '.join(cells)} |"


def _mean_over(scores: Scores) -> Callable[[str], float]:
    return lambda name: sum(own[name] for own in scores.values()) / len(scores)


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("folders", nargs="*", help="judged events; none: print what --out holds")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="option of the trainer"
    )
    parser.add_argument("--splits", default="", help="only those whose name holds this: folds, or from")
    parser.add_argument("--half", action="store_true", help="also half of the pool, and the extended pool")
    parser.add_argument("--against", type=Path, help="lines of another run")
    given = parser.parse_args()
    options = dict(one.split("=", 1) for one in given.set)
    if given.folders:
        run(given.folders, given.out, options, seeds=given.seeds, kinds=given.splits, half=given.half)
    for row in rows_of(means_of(given.out), means_of(given.against) if given.against else {}):
        print(row)


if __name__ == "__main__":
    main()
