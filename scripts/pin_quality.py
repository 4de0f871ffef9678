"""Pin what each system scores, so that no change makes one worse unnoticed: writes quality.toml.

    python scripts/pin_quality.py                        # measure all, raise floors
    python scripts/pin_quality.py --only tidings         # measure some; the others stay as they are
    python scripts/pin_quality.py --digests              # digests alone, of stories that they have not learned from
    python scripts/pin_quality.py --stories              # stories alone, of ECB+ and the labelled feeds
    python scripts/pin_quality.py --supports             # repeats alone, of the labelled pairs
    python scripts/pin_quality.py --check                # measure all, write nothing, exit 1 where a floor is not held
    python scripts/pin_quality.py --allow-lower --why "..."   # a floor may fall; the reason stands in the file

Every system that needs no training and every one whose weights are shipped is run at its defaults on each part of
`PARTS`. A floor stands a little under the mean H measured when it was set (`floor_under`). It goes up with better
figures and never down: a system that falls below its floor, and one that is gone, make this script refuse and write
nothing, unless --allow-lower says so, with --why. Shipped weights have learned from these very events: their figures
here guard them against damage, and say nothing of how good they are; that is what `tidings experiment` measures.

tests/test_quality.py checks the quick parts in the default suite (the slice for `tidings` and `cosine`), and all of
them in the long one.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path

from tidings.core.models.files import shipped_models
from tidings.following.systems.registry import available, make
from tidings.research.training.labelled_events import JudgedEvent, StreamKind, load_events
from tidings.research.training.trainers import TRAINERS
from tidings.sources import bundled

ROOT = Path(__file__).parents[1]
FILE = ROOT / "quality.toml"
DATA = Path(os.environ.get("TIDINGS_DATA", ROOT.parent / "shared" / "data"))
COMMAND = "python scripts/pin_quality.py"
FIGURES = ("H", "nE[G]", "nE[LG]", "C", "LC", "updates", "words")


@dataclass(frozen=True)
class Part:
    """Some events on one kind of stream; `quick` parts are checked in the default suite."""

    name: str
    year: str
    stream: StreamKind = "pooled"
    events: tuple[str, ...] = ()
    quick: bool = False


PARTS = (
    Part("bundled", "", quick=True),
    Part("slice-2014", "2014", events=("TS14.12", "TS14.19", "TS14.22"), quick=True),
    Part("2013", "2013"),
    Part("2014", "2014"),
    Part("2014-mixed", "2014", "mixed"),
)


@dataclass(frozen=True)
class Pin:
    """What one system scored on one part: means over its events, with digests of the data and of the weights."""

    system: str
    part: str
    data: str
    model: str
    figures: dict[str, float]
    floor: float

    @property
    def key(self) -> tuple[str, str]:
        return self.part, self.system


@dataclass(frozen=True)
class Floors:
    """Figures, or the floors under them, and the digest of the data that they were measured on."""

    figures: dict[str, float] = field(default_factory=dict)
    data: str = ""


@dataclass(frozen=True)
class Pinned:
    """The file: pins, why floors were lowered, and the floors of `digests` and of `stories`, each with its data."""

    pins: dict[tuple[str, str], Pin] = field(default_factory=dict)
    lowered: tuple[str, ...] = ()
    floors: dict[str, Floors] = field(default_factory=dict)


class WorseError(Exception):
    """Floors would have to fall; the lines say which."""


def floor_under(H: float) -> float:
    """The floor for a mean H: a hundredth of it and .001 below, so that another machine's rounding does no harm.

    >>> floor_under(0.23), floor_under(0.0)
    (0.2267, 0.0)
    """
    return max(0.0, math.floor((H * 0.99 - 0.001) * 1e4) / 1e4)


def gated() -> list[str]:
    """The systems of tidings under the gate: those that learn nothing, and those whose weights are shipped."""
    shipped = set(shipped_models())
    own = [name for name in available() if type(make(name)).__module__.startswith("tidings.")]
    return [name for name in own if name not in TRAINERS or name in shipped]


def model_digest(system: str) -> str:
    """SHA-256 of the shipped weights; empty for a system without."""
    if system not in TRAINERS:
        return ""
    place = resources.files("tidings.core.models").joinpath("weights", f"{system}.safetensors")
    return hashlib.sha256(place.read_bytes()).hexdigest()


@lru_cache(maxsize=3)
def events_of(part: Part, data: Path) -> tuple[JudgedEvent, ...]:
    """The events of a part with their streams."""
    folder = data / "trec-ts" / part.year if part.year else bundled.path()
    found = load_events([folder], part.stream)
    return tuple(event for event in found if not part.events or event.event.id in part.events)


def measure(system: str, part: Part, data: Path = DATA) -> Pin:
    """Run one system at its defaults on one part."""
    events = events_of(part, data)
    decider = make(system)
    each = [event.score(event.run(decider)) for event in events]
    figures = {name: round(sum(one[name] for one in each) / len(each), 6) for name in FIGURES}
    return Pin(system, part.name, events[0].digest, model_digest(system), figures, floor_under(figures["H"]))


def read(path: Path = FILE) -> Pinned:
    """What is pinned; nothing where there is no file yet."""
    if not path.is_file():
        return Pinned()
    text = tomllib.loads(path.read_text(encoding="utf-8"))
    pins = [
        Pin(
            row["system"],
            row["part"],
            row["data"],
            row.get("model", ""),
            {name: float(row[name]) for name in FIGURES},
            float(row["floor"]),
        )
        for row in text.get("pin", [])
    ]
    floors = {}
    for kind in MEASURED:
        figures = dict(text.get(kind, {}))
        if figures:
            floors[kind] = Floors(data=figures.pop("data", ""), figures=figures)
    return Pinned({pin.key: pin for pin in pins}, tuple(text.get("lowered", [])), floors)


def merge(old: Pinned, new: Sequence[Pin], wanted: Sequence[str], why: str = "") -> Pinned:
    """The old pins with new measurements: floors go up, and down only with a reason.

    `wanted` are the systems that are to be there; a pinned one that is missing from them counts as lowered.

    Raises:
        WorseError: something is below its floor, or gone, and `why` is empty.
    """
    worse = [
        f"{pin.system} on {pin.part}: H {pin.figures['H']:.4f}, its floor is {old.pins[pin.key].floor:.4f}"
        for pin in new
        if pin.key in old.pins and pin.figures["H"] < old.pins[pin.key].floor
    ]
    gone = sorted({pin.system for pin in old.pins.values() if pin.system not in wanted})
    worse += [f"{system}: is gone" for system in gone]
    if worse and not why:
        raise WorseError("\n".join(worse))
    pins = {key: pin for key, pin in old.pins.items() if pin.system in wanted}
    for pin in new:
        before = pins.get(pin.key)
        fell = before is not None and pin.figures["H"] < before.floor
        floor = pin.floor if before is None or fell else max(pin.floor, before.floor)
        pins[pin.key] = Pin(pin.system, pin.part, pin.data, pin.model, pin.figures, floor)
    lowered = (*old.lowered, *(f"{line} ({why})" for line in worse))
    return Pinned(pins, lowered, old.floors)


def measure_digests(data: Path = DATA) -> Floors:
    """What digests score by each measure of scripts/table_of_digests.py, each topic left out."""
    from table_of_digests import f_of, left_out, measure, read_all

    topics = read_all(data)
    scores = measure(topics, "ours", left_out(topics), given=True)
    figures = {name: round(float(f_of(rows)), 6) for name, rows in scores.columns.items()}
    return Floors(figures, digest_of([*sorted(data.glob("tls/*/*")), *sorted(data.glob("tls-persons/*/*"))]))


def measure_stories(data: Path = DATA) -> Floors:
    """How well documents are grouped: B-cubed F1 of ECB+ over six orders and of the labelled feeds, and its pairs."""
    from table_of_stories import (
        KINDS,
        LABELS,
        ORDERS,
        bcubed,
        by_tracker,
        orders_of,
        pairs_found,
        read_ecb,
        read_feeds,
        read_many,
        shares,
    )

    ecb, figures = data / "stories/ecbplus.jsonl.gz", {}
    for kind in KINDS:
        documents, gold = read_ecb(ecb, kind)
        read = list(zip(documents, read_many(documents), strict=True))
        scores = [bcubed(by_tracker(order), gold)[2] for order in orders_of(read, ORDERS)]
        figures[f"ECB+ {kind} F1"] = sum(scores) / len(scores)
    feeds = read_feeds(data)
    found = by_tracker(feeds.read)
    figures["feeds F1"] = bcubed(found, feeds.stories)[2]
    for name, figure in zip(
        ("strict", "lenient", "recall"), shares(pairs_found(found, feeds, feeds.stories)), strict=True
    ):
        figures[f"feeds pairs {name}"] = figure
    files = [ecb, LABELS / "first-reading.tsv", *sorted((data / "feeds/news").iterdir())]
    return Floors({name: round(figure, 6) for name, figure in figures.items()}, digest_of(files))


def digest_of(files: Sequence[Path]) -> str:
    """SHA-256 of what files hold, in this order."""
    digest = hashlib.sha256()
    for path in files:
        if path.is_file():
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def measure_supports(data: Path = DATA) -> Floors:
    """Precision and recall of what repeats an update, over all labelled pairs."""
    from table_of_support import HALVES, LABELS, Pairs, is_counted

    pairs = Pairs(data, [half for halves in HALVES.values() for half in halves])
    counted = [is_counted(*pairs.of(row)) for row in pairs.rows]
    same = [row["label"] == "y" for row in pairs.rows]
    right = sum(one and other for one, other in zip(counted, same, strict=True))
    figures = {"precision": round(right / sum(counted), 6), "recall": round(right / sum(same), 6)}
    return Floors(figures, digest_of([LABELS]))


MEASURED: dict[str, Callable[[Path], Floors]] = {
    "digests": measure_digests,
    "stories": measure_stories,
    "supports": measure_supports,
}


def merge_floors(old: Pinned, kind: str, new: Floors, why: str = "") -> Pinned:
    """The old pins with floors under new figures of one of `MEASURED`; they go down only with a reason.

    Raises:
        WorseError: one is below its floor, and `why` is empty.
    """
    floors = old.floors.get(kind, Floors()).figures
    worse = below(old, kind, new)
    if worse and not why:
        raise WorseError("\n".join(worse))
    lowered = (*old.lowered, *(f"{line} ({why})" for line in worse))
    under = {name: floor_under(value) for name, value in new.figures.items()}
    if not worse:
        under = {name: max(floor, floors.get(name, 0.0)) for name, floor in under.items()}
    return Pinned(old.pins, lowered, {**old.floors, kind: Floors(under, new.data)})


def below(pinned: Pinned, kind: str, found: Floors) -> list[str]:
    """The figures of `digests` or `stories` that are below their floors, one line each."""
    floors = pinned.floors.get(kind, Floors()).figures
    return [
        f"{kind}: {name} {value:.4f}, its floor is {floors[name]:.4f}"
        for name, value in found.figures.items()
        if value < floors.get(name, 0.0)
    ]


def render(pinned: Pinned) -> str:
    """The text of the file."""
    lines = [
        "# What each system scores at its defaults, with the floor under its mean H. Written by",
        f"# `{COMMAND}`, checked by tests/test_quality.py; see docs/research/training.md. Do not edit.",
        "# Shipped weights (those with `model`) learned from these events: this guards them and does not grade them.",
        f'command = "{COMMAND}"',
    ]
    if pinned.lowered:
        lines += ["lowered = [", *(f"  {_text(line)}," for line in pinned.lowered), "]"]
    for kind, floors in sorted(pinned.floors.items()):
        lines += ["", f"[{kind}]"]
        lines += [f"{_text(name)} = {floors.figures[name]:.4f}" for name in sorted(floors.figures)]
        lines += [f'data = "{floors.data}"'] if floors.data else []
    order = [part.name for part in PARTS]
    for pin in sorted(pinned.pins.values(), key=lambda pin: (order.index(pin.part), pin.system)):
        lines += ["", "[[pin]]", f'system = "{pin.system}"', f'part = "{pin.part}"']
        lines.append(f"floor = {pin.floor:.4f}")
        lines += [
            f"{name if name.isidentifier() else _text(name)} = {pin.figures[name]:.6f}" for name in FIGURES
        ]
        lines.append(f'data = "{pin.data}"')
        if pin.model:
            lines.append(f'model = "{pin.model}"')
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    plain = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{plain}"'


def failures(pinned: Pinned, found: Pin) -> list[str]:
    """What is wrong with a measurement in the light of what is pinned, one line each."""
    pin = pinned.pins.get(found.key)
    if pin is None:
        return [f"{found.system} on {found.part} is not pinned: run `{COMMAND} --only {found.system}`"]
    said = []
    if pin.data != found.data:
        said.append(f"{found.part}: other data than was pinned ({found.data[:12]}, not {pin.data[:12]})")
    if pin.model != found.model:
        said.append(f"{found.system}: other weights than were pinned: run `{COMMAND} --only {found.system}`")
    if found.figures["H"] < pin.floor:
        said.append(
            f"{found.system} on {found.part}: H {found.figures['H']:.4f} is below its floor {pin.floor:.4f}"
        )
    return said


def pin_floors(path: Path, kind: str, found: Floors, why: str) -> int:
    """Raise the floors of `digests` or `stories` in a file."""
    print(", ".join(f"{name} {value:.4f}" for name, value in found.figures.items()))
    try:
        path.write_text(render(merge_floors(read(path), kind, found, why)), encoding="utf-8")
    except WorseError as error:
        print(f"nothing was written; a floor may fall only with a reason:\n{error}", file=sys.stderr)
        return 1
    return 0


def main(arguments: Sequence[str] | None = None, measuring: Callable[..., Pin] = measure) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", metavar="SYSTEM")
    parser.add_argument("--check", action="store_true")
    for kind in MEASURED:
        parser.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind)
    parser.add_argument("--allow-lower", action="store_true")
    parser.add_argument("--why", default="")
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--data", type=Path, default=DATA)
    chosen = parser.parse_args(arguments)
    if chosen.allow_lower and not chosen.why.strip():
        parser.error("--allow-lower needs --why: the reason is kept in the file")
    why = chosen.why.strip() if chosen.allow_lower else ""
    if chosen.kind:
        return pin_floors(chosen.file, chosen.kind, MEASURED[chosen.kind](chosen.data), why)
    wanted = gated()
    systems = chosen.only or wanted
    for system in systems:
        if system not in wanted:
            parser.error(f"{system} is not under the gate; known are {', '.join(wanted)}")
    parts = [part for part in PARTS if not part.year or chosen.data.is_dir()]
    old, new = read(chosen.file), []
    for part in parts:
        for system in systems:
            new.append(measuring(system, part, chosen.data))
            print(f"{part.name:12} {system:12} H {new[-1].figures['H']:.4f}", flush=True)
    if chosen.check:
        said = [line for pin in new for line in failures(old, pin)]
        print("\n".join(dict.fromkeys(said)) or "every floor is held")
        return 1 if said else 0
    try:
        pinned = merge(old, new, wanted, why)
    except WorseError as error:
        print(
            f"nothing was written; a floor may fall only with --allow-lower --why REASON:\n{error}",
            file=sys.stderr,
        )
        return 1
    chosen.file.write_text(render(pinned), encoding="utf-8")
    print(f"{chosen.file.name}: {len(pinned.pins)} pins")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
