"""Runs of one year that differ as much as runs do: for studies of what judgments and measures tell apart.

    python scripts/make_diverse_runs.py ../shared/data/trec-ts/2014 OUT
    python scripts/make_diverse_runs.py src/tidings/sources/bundled/santiago-2013 OUT --seed 7

In OUT, a file for each run, named as the run is:

- those submitted (FOLDER/runs), as they are;
- our systems at several settings, over the pool of judged sentences as the stream;
- worse ones, made from some of both: `thinned` (a share of the updates kept), `delayed` (told hours later),
  `shuffled` (confidences dealt out again), `noisy` (sentences of the same pool put in that were not told), `early`
  (silent after the first part of the event).

The same folder and seed give the same files. The learned systems among ours learned from the same judgments: their
scores here are those of no test, which matters little where measures are compared on the same runs.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from frame import parser as command_line
from msgspec.structs import replace

from tidings.core.records import Run, Update
from tidings.core.records.documents import bare_event_id
from tidings.following.outputs.runs import read_runs, write_runs
from tidings.following.systems.registry import make
from tidings.research.training.labelled_events import JudgedEvent, load_events

SYSTEMS = {
    "first": "first",
    "first-all": "first:overlap=0,max_words=0",
    "random-3": "random:overlap=0,max_words=0,probability=0.03",
    "random-10": "random:overlap=0,max_words=0",
    "random-30": "random:overlap=0,max_words=0,probability=0.3",
    "cosine-10": "cosine:similarity=0.1",
    "cosine-35": "cosine",
    "cosine-60": "cosine:similarity=0.6,max_words=0",
    "cosine-open": "cosine:overlap=0",
    "cst": "cst",
    "cst-30": "cst:similarity=0.3",
    "centroid": "centroid",
    "centroid-low": "centroid:level=0.2",
    "allan2001": "allan2001",
    "allan2001-high": "allan2001:level=0.6",
    "ips": "ips",
    "tidings": "tidings",
    "tidings-1-an-hour": "tidings:updates_per_hour=1",
}
"""Ours by the name of the run: those that need no hours."""

BASES = ("cosine-35", "cst", "tidings")
"""Of ours, those that worse ones are made from; of the submitted, all are."""

Worse = Callable[[Sequence[Update], "random.Random", dict[str, list[Update]]], list[Update]]


def thinned(share: float) -> Worse:
    """A share of the updates, drawn."""
    return lambda updates, draw, pool: [one for one in updates if draw.random() < share]


def delayed(hours: float) -> Worse:
    """All told `hours` later."""
    return lambda updates, draw, pool: [replace(one, time=one.time + int(hours * 3600)) for one in updates]


def shuffled(updates: Sequence[Update], draw: random.Random, pool: dict[str, list[Update]]) -> list[Update]:
    """The run's confidences dealt out again."""
    confidences = [one.confidence for one in updates]
    draw.shuffle(confidences)
    return [replace(one, confidence=confidence) for one, confidence in zip(updates, confidences, strict=True)]


def noisy(share: float) -> Worse:
    """For each update told of an event that is in its pool, `share` sentences of the pool that were not."""

    def with_noise(
        updates: Sequence[Update], draw: random.Random, pool: dict[str, list[Update]]
    ) -> list[Update]:
        noise: list[Update] = []
        for event_id in dict.fromkeys(one.event_id for one in updates):
            told = {one.id for one in updates if one.event_id == event_id}
            pooled = pool.get(bare_event_id(event_id), [])
            judged = sum(one.id in told for one in pooled)
            others = [one for one in pooled if one.id not in told]
            chosen = draw.sample(others, min(len(others), round(share * judged)))
            noise += [replace(one, event_id=event_id) for one in chosen]
        return sorted([*updates, *noise], key=lambda one: one.time)

    return with_noise


def early(share: float) -> Worse:
    """Of each event what was told in the first `share` of its updates' time."""

    def until(updates: Sequence[Update], draw: random.Random, pool: dict[str, list[Update]]) -> list[Update]:
        times: dict[str, list[int]] = {}
        for one in updates:
            times.setdefault(one.event_id, []).append(one.time)
        ends = {
            event_id: min(of_event) + share * (max(of_event) - min(of_event))
            for event_id, of_event in times.items()
        }
        return [one for one in updates if one.time <= ends[one.event_id]]

    return until


WORSE: dict[str, Worse] = {
    "thinned-50": thinned(0.5),
    "thinned-15": thinned(0.15),
    "delayed-6h": delayed(6),
    "delayed-48h": delayed(48),
    "shuffled": shuffled,
    "noisy-50": noisy(0.5),
    "noisy-200": noisy(2.0),
    "early-25": early(0.25),
}


def submitted(folder: Path) -> list[Run]:
    """The runs that stand in the folder."""
    files = sorted(path for path in (folder / "runs").glob("*") if not path.name.endswith(".card.json"))
    return [run for path in files for run in read_runs(path)]


def ours(events: Sequence[JudgedEvent]) -> Iterator[Run]:
    """Our systems, each over all events."""
    for name, spec in SYSTEMS.items():
        updates: list[Update] = []
        for event in events:
            updates += event.run(make(spec))
        yield Run("ours", name, tuple(updates))


def pooled_updates(events: Sequence[JudgedEvent]) -> dict[str, list[Update]]:
    """Each event's pool as updates that were told at once, by the event's bare id."""
    pool: dict[str, list[Update]] = {}
    for event in events:
        of_event = {
            sentence.id: Update(
                event.event.id,
                sentence.doc_id,
                sentence.index,
                now,
                0.1,
                sentence.text,
                sentence.published_time,
            )
            for sentence, now in event.sentences
        }
        pool[bare_event_id(event.event.id)] = list(of_event.values())
    return pool


def worse(runs: Sequence[Run], pool: dict[str, list[Update]], seed: int) -> Iterator[Run]:
    """What is made from each of some runs."""
    for run in runs:
        for name, change in WORSE.items():
            draw = random.Random(f"{seed} {run.team} {run.name} {name}")
            yield Run(run.team, f"{run.name}-{name}", tuple(change(tuple(run.updates), draw, pool)))


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--most-updates", type=int, default=20_000, help="of a run that worse ones are made from"
    )
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    events = load_events([chosen.folder])

    def keep(run: Run) -> None:
        if not run.updates:
            print(f"{run.team}-{run.name}: tells nothing, left out", file=sys.stderr)
            return
        write_runs(chosen.out / f"{run.team}-{run.name}.jsonl", [run])
        print(f"{run.team}-{run.name}\t{len(run.updates)}", flush=True)

    bases = []
    for run in submitted(chosen.folder):
        keep(run)
        if len(run.updates) <= chosen.most_updates:
            bases.append(run)
    for run in ours(events):
        keep(run)
        if run.name in BASES:
            bases.append(run)
    for run in worse(bases, pooled_updates(events), chosen.seed):
        keep(run)


if __name__ == "__main__":
    main()
