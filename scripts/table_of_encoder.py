"""What `encoder=` brings on judged events, by how near an update must be: docs/judge.md.

    python scripts/table_of_encoder.py use ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014

Printed is the mean H by nearness, for the events of each folder, and for the first folder the mean H where each event
is followed with the nearness that is best on the others.
"""

from __future__ import annotations

import sys

from tidings.systems import make
from tidings.training import load_events

NEARNESSES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


def main(encoder: str, folders: list[str]) -> None:
    specs = {"none": "tidings"} | {
        f"{nearness:g}": f"tidings:encoder={encoder},nearness={nearness}" for nearness in NEARNESSES
    }
    for place, folder in enumerate(folders):
        events = load_events([folder])
        heights = {
            name: [event.score(event.run(make(spec)))["H"] for event in events]
            for name, spec in specs.items()
        }
        print(f"{folder}, {len(events)} events")
        print("nearness  H")
        for name, column in heights.items():
            print(f"{name:8}  {sum(column) / len(column):.4f}")
        if place:
            continue
        left_out, chosen = 0.0, []
        for number in range(len(events)):
            best = max(heights, key=lambda name, number=number: sum(heights[name]) - heights[name][number])
            chosen.append(best)
            left_out += heights[best][number] / len(events)
        print(f"left out  {left_out:.4f} (chosen: {', '.join(chosen)})", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
