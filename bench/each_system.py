"""What each system costs: the table in docs/following/systems.md.

    python -m bench.each_system [--data FOLDER] [--system SPEC ...] [--runs 3]

Every registered system follows the extended pool of TREC 2014, all events in one pass, a decision per document, in a
process of its own on one core. Printed, as a table in Markdown: whether it has learned weights and how large their
file is, when it decides, sentences a second of CPU time (each is offered to the events it was pooled for; reading is
not counted; the best of the runs, which come in rounds, because other work on the machine makes a run slower and
never quicker), the largest state of a follower, which is what a checkpoint keeps of an event, and the updates told. A
system whose weights are not there is left out, saying so.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from typing import Any

from bench.frame import TREC, apart, parser as command_line


def measure(folder: Path, spec: str) -> dict[str, Any]:
    """Follow in this process."""
    from tidings.core.errors import TidingsError
    from tidings.following.stream.loop import follow_stream
    from tidings.following.systems.registry import describe, make
    from tidings.sources.streams import read_events, read_stream

    info = describe(spec.partition(":")[0])
    options = {option.name: option.default for option in info.options}
    documents = list(read_stream(folder, pool="extended"))
    try:
        system = _Watched(make(spec))
        events = read_events(folder)
        for event in events[:1]:
            system.start(event)  # what is read once, weights above all, is read before the clock runs
        system.followers.clear()
    except TidingsError as error:
        return {"system": spec, "missing": str(error)}
    began = process_time()
    told = sum(len(updates) for _, updates in follow_stream(documents, events, system))
    took_s = process_time() - began
    return {
        "system": spec,
        "learns": options.get("model") == "",
        "weights_kib": _weights(info.name.partition("-")[0]),
        "minutes": options.get("minutes"),
        "speed": sum(len(document.sentences) for document in documents) / took_s,
        "state_kib": max(len(follower.state()) for follower in system.followers) / 1024,
        "updates": told / len(events),
    }


def _weights(name: str) -> float:
    """KiB of the weights that come with the package; those of `l2s-cos` are those of `l2s`."""
    from importlib import resources

    file = resources.files("tidings.core.models") / "weights" / f"{name}.safetensors"
    return len(file.read_bytes()) / 1024 if file.is_file() else 0.0


class _Watched:
    """A system whose followers can be looked at afterwards."""

    def __init__(self, system: Any) -> None:
        self._system = system
        self.followers: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._system, name)

    def start(self, event: Any) -> Any:
        self.followers.append(self._system.start(event))
        return self.followers[-1]


def table(folder: Path, specs: Sequence[str], runs: int) -> list[str]:
    """The lines of the table; systems without weights are named on standard error."""
    lines = [
        "| system | learned | decides | sentences/s | state of an event | updates of an event |",
        "|---|---|---|---|---|---|",
    ]
    best: dict[str, dict[str, Any]] = {}
    for _ in range(runs):
        for spec in specs:
            row = apart("each_system", "--child", "--data", folder, "--system", spec)
            if row.get("speed", 0) >= best.get(spec, {}).get("speed", 0):
                best[spec] = row
    for spec, found in best.items():
        if "missing" in found:
            print(f"{spec}: {found['missing']}", file=sys.stderr)
            continue
        minutes = found["minutes"]
        cells = (
            f"`{spec}`",
            f"{found['weights_kib']:,.0f} KiB" if found["learns"] else "no",
            f"every {minutes} min" if minutes else "at once",
            f"{found['speed']:,.0f}",
            f"{found['state_kib']:,.0f} KiB",
            f"{found['updates']:,.0f}",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def main() -> int:
    """Measure and print."""
    from tidings.following.systems.registry import available

    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=TREC)
    parser.add_argument("--system", action="append", default=[])
    parser.add_argument("--runs", type=int, default=1, help="the best of so many runs (default: 1)")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.child:
        print(json.dumps(measure(said.data, said.system[0])))
        return 0
    print("\n".join(table(said.data, said.system or list(available()), said.runs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
