"""The tables of docs/appendix/hres.md: what attention, query, penalty, encoder and each term of the reward are worth.

    python scripts/table_of_hres.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014 --out t.jsonl --seeds 0 1 2
    python scripts/table_of_hres.py --out t.jsonl --print

Events are dealt into two halves, turn by turn; each half is tested by what the other taught, so that every event is
tested once for each seed. Relevance is the encoder's own, before any policy: the area under its curve over an event's
gated sentences. Encoder and imitation are learned once for all rewards. Rows that the file holds are not made again;
with --print nothing is trained. Intervals are of paired differences (means over seeds) by 10,000 bootstrap samples of
events.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from frame import parser as command_line
from torch import Tensor

from tidings.research.training.hres.encoder import Encoder
from tidings.research.training.hres.event_tables import HresOptions, Stream
from tidings.research.training.hres.reinforcement import (
    Begun,
    Learner,
    encode,
    end,
    imitate,
    network_of,
    outcomes,
    streams_of,
    taught,
)
from tidings.research.training.hres.rollouts import play
from tidings.research.training.labelled_events import load_events
from tidings.research.training.trainers import Training, read_options

ENCODERS = {
    "learned": {},
    "uniform": {"attention": "uniform"},
    "one hop": {"hops": "1"},
    "no penalty": {"penalty": "0"},
    "penalty 1": {"penalty": "1"},
    "no query": {"query": "no"},
    "no texts": {"texts": "0"},
}
"""What changes the encoder; `shuffled` is `learned` with its weights dealt again among each sentence's words."""

REWARDS = {
    "hres-new": {},
    "frozen encoder": {"encoder_rate": "0"},
    "hres": {"reward": "hres"},
    "without eg": {"without": "eg"},
    "without ncg": {"without": "ncg"},
    "without silence": {"without": "silence"},
    "h": {"reward": "h"},
}
"""What changes REINFORCE alone."""

FIGURES = ("AUC", "EG-1", "nCG-1", "H", "updates")


def auc(relevant: Sequence[bool], scores: np.ndarray[Any, Any]) -> float:
    """The share of pairs (relevant, not) that the scores order rightly."""
    ranks = np.argsort(np.argsort(scores, kind="stable"), kind="stable")
    count = sum(relevant)
    below = ranks[np.array(relevant)].sum() - count * (count - 1) / 2
    return float(below / (count * (len(relevant) - count)))


def shuffled(encoder: Encoder, seed: int) -> Encoder:
    """The same encoder, its weights dealt again among each sentence's words, all hops alike."""
    changed = copy.deepcopy(encoder)
    attend: Callable[..., Tensor] = changed.attend
    generator = torch.Generator().manual_seed(seed)

    def deal(H: Tensor, words: Tensor, lengths: Tensor, query: Tensor) -> Tensor:
        A = attend(H, words, lengths, query)
        for n, length in enumerate(lengths.tolist()):
            A[n, :, :length] = A[n, :, torch.randperm(length, generator=generator)]
        return A

    changed.attend = deal  # type: ignore[method-assign]
    return changed


def measured(learner: Learner, streams: Sequence[Stream], seed: int, *, alone: bool) -> dict[str, Any]:
    """The figures of each event; with a seed >= 0, with shuffled attention; `alone`: of the encoder without policy."""
    learner = copy.copy(learner)
    if seed >= 0:
        learner.encoder = shuffled(learner.encoder, seed)
    figures: dict[str, dict[str, float]] = {}
    for stream in streams:
        with torch.no_grad():
            relevance = encode(learner.encoder, stream)[0][:, -3].numpy()
        figures[stream.event.event.id] = {"AUC": auc([bool(spans) for spans in stream.spans], relevance)}
    if not alone:
        tables = learner.tables(streams)
        results = outcomes(tables, play(tables, network_of(learner.encoder, learner.policy), 1, None))
        for stream, one in zip(tables.streams, results, strict=True):
            values = {"EG-1": one.eg, "nCG-1": one.ncg, "H": one.H, "updates": float(one.updates)}
            figures[stream.event.event.id] |= values
    return figures


def means(figures: Iterable[dict[str, float]]) -> dict[str, float]:
    rows = list(figures)
    return {name: round(float(np.mean([row[name] for row in rows])), 4) for name in rows[0]}


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def interval(differences: np.ndarray[Any, Any]) -> str:
    draws = np.random.default_rng(0).integers(len(differences), size=(10_000, len(differences)))
    low, high = np.percentile(differences[draws].mean(1), [2.5, 97.5])
    return f"{differences.mean():+.4f} [{low:+.4f}, {high:+.4f}]"


def means_of(rows: Sequence[dict[str, Any]], key: str) -> dict[tuple[str, int], dict[str, float]]:
    """(event, seed) → figures of all rows that stand at the stage `key`."""
    return {
        (event, row["seed"]): figures
        for row in rows
        if row["stage"] == key
        for event, figures in row["tested"].items()
    }


def table(rows: Sequence[dict[str, Any]], first: str, stages: Sequence[str]) -> str:
    """A Markdown table: each stage's means, and its differences from `first` over the events and seeds of both."""
    base = means_of(rows, first)
    names = [name for name in FIGURES if all(name in one for one in base.values())]
    compared = [name for name in ("AUC", "EG-1", "H") if name in names]
    heads = ["", "seeds", "events", *names, *(f"{name} less that of {first}" for name in compared)]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for stage in dict.fromkeys(stages):
        there = means_of(rows, stage)
        if not there:
            continue
        cells = [
            f"{np.mean([figures[name] for figures in there.values()]):.{0 if name == 'updates' else 4}f}"
            for name in names
        ]
        both = [key for key in there if key in base]
        events = sorted({event for event, _ in both})
        for name in compared:
            paired = [
                np.mean([there[key][name] - base[key][name] for key in both if key[0] == event])
                for event in events
            ]
            cells.append(interval(np.array(paired)) if paired and stage != first else "")
        counts = [str(len({key[n] for key in there})) for n in (1, 0)]
        lines.append(f"| {stage} | " + " | ".join(counts + cells) + " |")
    return "\n".join(lines)


def printed(rows: Sequence[dict[str, Any]]) -> str:
    """Encoders alone; with their policies after imitation; reinforced; and rewards."""
    made = {row["stage"] for row in rows}
    names = ["learned", "shuffled", *ENCODERS]
    parts = [
        ("learned", names),
        ("learned, imitation", [f"{name}, imitation" for name in names]),
        ("learned, reinforced", ["learned, imitation", *(f"{name}, reinforced" for name in names)]),
        ("learned, reinforced", [f"{name}, reinforced" for name in ("learned", *REWARDS)]),
    ]
    return "\n\n".join(table(rows, first, stages) for first, stages in parts if first in made)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=Path("table.jsonl"))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--halves", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--encoders", nargs="+", default=list(ENCODERS), choices=list(ENCODERS))
    parser.add_argument("--reinforce", nargs="*", default=["learned", "uniform"], choices=list(ENCODERS))
    parser.add_argument("--imitate", nargs="*", default=[], choices=list(ENCODERS))
    parser.add_argument("--rewards", nargs="*", default=list(REWARDS), choices=list(REWARDS))
    parser.add_argument("--print", action="store_true")
    given = parser.parse_args()
    if given.print:
        print(printed(read_rows(given.out)))
        return
    streams = streams_of(load_events(given.folders), HresOptions())
    for seed in given.seeds:
        for half in given.halves:
            for name in given.encoders:
                fill(streams, name, seed, half, given)


def fill(streams: Sequence[Stream], name: str, seed: int, half: int, given: argparse.Namespace) -> None:
    """Make the rows of one encoder, seed and half that the file lacks."""
    rewards = given.rewards if name == "learned" else ["hres-new"]
    ends = {
        reward: f"{name if reward == 'hres-new' else reward}, reinforced"
        for reward in rewards
        if name in given.reinforce
    }
    imitates = bool(ends) or name in given.imitate
    stages = [name, *([f"{name}, imitation"] if imitates else []), *ends.values()]
    made = {row["stage"] for row in read_rows(given.out) if (row["seed"], row["half"]) == (seed, half)}
    if set(stages) <= made:
        return
    tested = streams[half::2]

    def put(stage: str, learner: Learner, seconds: float) -> None:
        if stage in made:
            return
        shuffles = [(stage, -1)]
        if stage.startswith("learned"):
            shuffles.append((stage.replace("learned", "shuffled"), seed))
        for written, shuffle in shuffles:
            figures = measured(learner, tested, shuffle, alone="," not in stage)
            row = {"stage": written, "seed": seed, "half": half, "seconds": round(seconds, 1)}
            row |= {"curve": list(learner.curve), "tested": figures}
            with given.out.open("a") as file:
                file.write(json.dumps(row) + "\n")
            print(seed, half, written, means(figures.values()), f"{seconds:.0f} s", flush=True)

    start = time.process_time()
    training = Training("hres", ENCODERS[name], seed=seed)
    begun = taught(streams[1 - half :: 2], read_options(HresOptions, ENCODERS[name], "hres"), training)
    put(name, begun.learner, time.process_time() - start)
    if imitates:
        start = time.process_time()
        imitate(begun, [], training)
        put(f"{name}, imitation", begun.learner, time.process_time() - start)
    for reward, stage in ends.items():
        if stage not in made:
            put(stage, *reinforced(begun, ENCODERS[name] | REWARDS[reward], seed))


def reinforced(begun: Begun, options: dict[str, str], seed: int) -> tuple[Learner, float]:
    """A copy of what was begun, reinforced, and the seconds that took."""
    start = time.process_time()
    copied = copy.copy(begun)
    learner = copied.learner = copy.copy(begun.learner)
    learner.encoder, learner.policy = copy.deepcopy(learner.encoder), copy.deepcopy(learner.policy)
    learner.rng, learner.curve = copy.deepcopy(learner.rng), []
    learner.options = read_options(HresOptions, options, "hres")
    end(copied, Training("hres", options, seed=seed))
    return learner, time.process_time() - start


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
