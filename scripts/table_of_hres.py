"""The table of docs/hres.md: hops and terms of the reward, trained on most events and tested on the others.

    python scripts/table_of_hres.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014 --fold 0 --out table.jsonl

Every fourth event is tested (from event number FOLD on); of the others every sixth chooses when REINFORCE stops, the
rest train. Encoder and imitation are the same for all rewards, so they are learned once for each number of hops. With
--print nothing is trained: the rows of the file become the tables of the page, means over the folds it holds.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tidings.models.files import write_model_bytes
from tidings.records import ModelCard
from tidings.systems.hres import Hres
from tidings.training import load_events
from tidings.training.hres.course import begin, end
from tidings.training.trainers import Training

PLAIN = {"steps": "24", "check": "4"}
VARIANTS = [
    (2, {}),
    (2, {"reward": "h"}),
    (2, {"reward": "hres"}),
    (2, {"without": "ncg"}),
    (2, {"without": "eg"}),
    (2, {"without": "silence"}),
    (2, {"steps": "0"}),
    (1, {}),
    (4, {}),
]


def name_of(row: dict[str, Any]) -> str:
    if row.get("steps") == "0":
        return f"{row['hops']} hops, imitation alone"
    said = "h" if row.get("reward") == "h" else row.get("reward", "hres-new")
    return f"{row['hops']} hops, {said}" + (f" without {row['without']}" if row.get("without") else "")


def tables(rows: list[dict[str, Any]]) -> str:
    """Two Markdown tables: each variant by its tested events, and the learning curve of the first."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(name_of(row), []).append(row)
    shown = ["nE[LG]", "LC", "H", "updates", "words"]
    checked = ["reward", "H", "updates"]
    lines = [
        "| trained with | "
        + " | ".join(shown)
        + " | reward, first to kept | development reward, first to kept |"
    ]
    lines.append("|---|" + "---|" * (len(shown) + 2))
    for name, group in groups.items():
        tested = [score for row in group for score in row["tested"].values()]
        cells = [
            f"{np.mean([score[key] for score in tested]):.{0 if key[0] in 'uw' else 4}f}" for key in shown
        ]
        for key in ("reward", "development reward"):
            kept = [max(row["curve"], key=lambda step: step["development reward"]) for row in group]
            first = np.mean([row["curve"][0][key] for row in group])
            cells.append(f"{first:.3f} to {np.mean([step[key] for step in kept]):.3f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    for name in [name for name in groups if name in ("2 hops, hres-new", "2 hops, h")]:
        columns = [*checked, *(f"development {key}" for key in checked)]
        lines += [
            "",
            f"{name}:",
            "",
            "| round | " + " | ".join(columns) + " |",
            "|---|" + "---|" * len(columns),
        ]
        curves = [row["curve"] for row in groups[name]]
        for steps in zip(*curves, strict=False):
            cells = [f"{np.mean([s[key] for s in steps]):.{0 if 'up' in key else 3}f}" for key in columns]
            lines.append(f"| {steps[0]['step']:.0f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--fold", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("table.jsonl"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--only", type=int, nargs="*", help="numbers of the variants to train; all if left out"
    )
    parser.add_argument("--print", action="store_true")
    given = parser.parse_args()
    if given.print:
        print(tables([json.loads(line) for line in given.out.read_text().splitlines()]))
        return
    events = load_events(given.folders)
    tested, others = events[given.fold :: 4], [e for n, e in enumerate(events) if n % 4 != given.fold]
    development, learned = others[1::6], [e for n, e in enumerate(others) if n % 6 != 1]
    begun = {}
    for hops, changed in [VARIANTS[n] for n in given.only or range(len(VARIANTS))]:
        options = PLAIN | {"hops": str(hops)} | changed
        start = time.process_time()
        if hops not in begun:
            begun[hops] = begin(learned, development, Training("hres", options, seed=given.seed))
        result = end(copy.deepcopy(begun[hops]), Training("hres", options, seed=given.seed))
        path = given.out.with_suffix(".safetensors")
        path.write_bytes(write_model_bytes(result.model(ModelCard(system="hres"))))
        system = Hres(model=str(path))
        scores = [event.score(event.run(system)) for event in tested]
        row = {
            "fold": given.fold,
            "hops": hops,
            **changed,
            "seconds": round(time.process_time() - start, 1),
            "curve": list(result.curve),
            "tested": {event.event.id: score for event, score in zip(tested, scores, strict=True)},
        }
        with given.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        means = {name: round(float(np.mean([score[name] for score in scores])), 4) for name in scores[0]}
        print(hops, changed, means, f"{row['seconds']} s", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
