"""The tables of docs/hres.md: what attention, query, penalty, encoder and each term of the reward are worth.

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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from tidings.training import JudgedEvent, load_events
from tidings.training.hres.course import Begun, begin, end, streams_of
from tidings.training.hres.modules import Encoder
from tidings.training.hres.options import HresOptions
from tidings.training.hres.reinforcement import Learner, encode, network_of, outcomes
from tidings.training.hres.rollouts import play
from tidings.training.hres.streams import Stream
from tidings.training.options import read_options
from tidings.training.trainers import Training

ENCODERS = {
    "learned": {},
    "uniform": {"attention": "uniform"},
    "one hop": {"hops": "1"},
    "no penalty": {"penalty": "0"},
    "penalty 1": {"penalty": "1"},
    "no query": {"query": "no"},
    "no texts": {"texts": "0"},
}
"""What changes the encoder; `shuffled` is `learned` with its weights dealt anew among each sentence's words."""

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
    """The same encoder, its weights dealt anew among each sentence's words, all hops alike."""
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


def measured(
    learner: Learner, streams: Sequence[Stream], ids: Sequence[str], seed: int = -1
) -> dict[str, Any]:
    """The figures of each event; with a seed, of its encoder with shuffled attention."""
    learner = copy.copy(learner)
    if seed >= 0:
        learner.encoder = shuffled(learner.encoder, seed)
    with torch.no_grad():
        relevance = [encode(learner.encoder, stream)[0][:, -3].numpy() for stream in streams]
    tables = learner.tables(streams)
    results = outcomes(tables, play(tables, network_of(learner.encoder, learner.policy), 1, None))
    figures = {}
    for place, n in enumerate(tables.order):
        one = results[place]
        area = auc([bool(spans) for spans in streams[n].spans], relevance[n])
        values = (area, one.eg, one.ncg, one.H, one.updates)
        figures[ids[n]] = dict(zip(FIGURES, map(float, values), strict=True))
    return figures


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


def tables(rows: Sequence[dict[str, Any]], first: str, stages: Sequence[str]) -> str:
    """One Markdown table: each stage's means, and its differences from `first` over the events and seeds of both."""
    lines = ["| | seeds | events | " + " | ".join(FIGURES) + f" | AUC - {first} | EG-1 - | H - |"]
    lines.append("|---|" + "---|" * (len(FIGURES) + 5))
    base = means_of(rows, first)
    for stage in stages:
        there = means_of(rows, stage)
        if not there:
            continue
        cells = [
            f"{np.mean([figures[name] for figures in there.values()]):.{0 if name == 'updates' else 4}f}"
            for name in FIGURES
        ]
        both = [key for key in there if key in base]
        events = sorted({event for event, _ in both})
        for name in ("AUC", "EG-1", "H"):
            paired = [
                np.mean([there[key][name] - base[key][name] for key in both if key[0] == event])
                for event in events
            ]
            cells.append(interval(np.array(paired)) if paired and stage != first else "")
        seeds = len({seed for _, seed in there})
        lines.append(f"| {stage} | {seeds} | {len({e for e, _ in there})} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def printed(rows: Sequence[dict[str, Any]]) -> str:
    """Three tables: encoders after imitation, the same reinforced, and rewards."""
    starts = ["learned, imitation", "shuffled, imitation", *(f"{name}, imitation" for name in ENCODERS)]
    ends = ["learned, reinforced", "learned, imitation", "shuffled, reinforced"]
    ends += [f"{name}, reinforced" for name in ENCODERS]
    rewards = [f"{name}, reinforced" for name in ("learned", *REWARDS)]
    parts = [
        ("learned, imitation", list(dict.fromkeys(starts))),
        ("learned, reinforced", list(dict.fromkeys(ends))),
        ("learned, reinforced", rewards),
    ]
    return "\n\n".join(tables(rows, first, stages) for first, stages in parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=Path("table.jsonl"))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--halves", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--encoders", nargs="+", default=list(ENCODERS), choices=list(ENCODERS))
    parser.add_argument(
        "--reinforce", nargs="*", default=["learned", "uniform", "one hop"], choices=list(ENCODERS)
    )
    parser.add_argument("--rewards", nargs="*", default=list(REWARDS), choices=list(REWARDS))
    parser.add_argument("--print", action="store_true")
    given = parser.parse_args()
    if given.print:
        print(printed(read_rows(given.out)))
        return
    events = load_events(given.folders)
    for seed in given.seeds:
        for half in given.halves:
            fill(events, seed, half, given)


def fill(events: Sequence[JudgedEvent], seed: int, half: int, given: argparse.Namespace) -> None:
    """Make the rows of one seed and half that the file lacks."""
    made = {row["stage"] for row in read_rows(given.out) if (row["seed"], row["half"]) == (seed, half)}
    streams = streams_of(events[half::2], HresOptions())
    ids = [stream.event.event.id for stream in streams]

    def put(stage: str, learner: Learner, seconds: float, shuffle: bool = False) -> None:
        figures = measured(learner, streams, ids, seed if shuffle else -1)
        row = {"stage": stage, "seed": seed, "half": half, "seconds": round(seconds, 1)}
        row |= {"curve": list(learner.curve), "tested": figures}
        with given.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        means = {name: round(float(np.mean([one[name] for one in figures.values()])), 4) for name in FIGURES}
        print(seed, half, stage, means, f"{seconds:.0f} s", flush=True)

    for name in given.encoders:
        rewards = given.rewards if name == "learned" else ["hres-new"]
        ends = {
            reward: f"{name if reward == 'hres-new' else reward}, reinforced"
            for reward in rewards
            if name in given.reinforce
        }
        if {f"{name}, imitation", *ends.values()} <= made:
            continue
        start = time.process_time()
        begun = begin(events[1 - half :: 2], [], Training("hres", ENCODERS[name], seed=seed))
        spent = time.process_time() - start
        if f"{name}, imitation" not in made:
            put(f"{name}, imitation", begun.learner, spent)
            if name == "learned":
                put("shuffled, imitation", begun.learner, 0, shuffle=True)
        for reward, stage in ends.items():
            if stage not in made:
                learner, seconds = reinforced(begun, ENCODERS[name] | REWARDS[reward], seed)
                put(stage, learner, seconds)
                if stage == "learned, reinforced":
                    put("shuffled, reinforced", learner, 0, shuffle=True)


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
