"""What the size of the pool does to a system: the second table in docs/following/systems.md.

    python scripts/table_of_pools.py ../shared/data/trec-ts/2014 --system cosine --system centroid

H over the events of a folder, those that a system is silent on counting 0, on four streams: the pool with every second
sentence left out, the pool, the pool extended by exact duplicates, and the extended pools of all events in one stream.
"""

from __future__ import annotations

from frame import parser as command_line

from tidings.following.systems.registry import make
from tidings.research.training.labelled_events import load_events

STREAMS = (
    ("half", {"stream": "pooled", "keep": 0.5}),
    ("pooled", {"stream": "pooled"}),
    ("extended", {"stream": "extended"}),
    ("mixed", {"stream": "mixed"}),
)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folder")
    parser.add_argument("--system", action="append", required=True)
    chosen = parser.parse_args()
    found: dict[str, list[float]] = {system: [] for system in chosen.system}
    for _, options in STREAMS:
        events = load_events([chosen.folder], **options)
        for system, figures in found.items():
            figures.append(sum(event.score(event.run(make(system)))["H"] for event in events) / len(events))
    print(f"| system | {' | '.join(name for name, _ in STREAMS)} |")
    print("|---" * (1 + len(STREAMS)) + "|")
    for system, figures in found.items():
        print(f"| `{system}` | " + " | ".join(f"{figure:.4f}" for figure in figures) + " |")


if __name__ == "__main__":
    main()
