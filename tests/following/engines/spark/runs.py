"""The same run in this process and on Spark, and streams that are cut into files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec

from tests.conftest import ROOT
from tidings.cli import run

BUNDLED = ROOT / "src" / "tidings" / "sources" / "bundled" / "santiago-2013"
LATENESS_S = 600


class _Line(msgspec.Struct):
    id: str
    published_time: int


def surroundings() -> dict[str, str]:
    """What the processes of Spark need in their environment: workers find what tests register."""
    startup = Path(__file__).with_name("startup")
    found = [str(startup), str(ROOT), str(ROOT / "src"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    # Queries here are short: what the compiler makes of them best comes too late.
    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    return {"PYTHONPATH": os.pathsep.join(dict.fromkeys(filter(None, found))), "JDK_JAVA_OPTIONS": java}


def timed(lines: Sequence[bytes]) -> list[tuple[int, str, bytes]]:
    """(time, id, line) of each document."""
    read = ((msgspec.json.decode(line, type=_Line), line) for line in lines)
    return [(said.published_time, said.id, line) for said, line in read]


def in_order(lines: Sequence[bytes], path: Path) -> Path:
    """The documents in one file, in the order of their times and ids."""
    path.write_bytes(b"".join(line + b"\n" for _, _, line in sorted(timed(lines))))
    return path


def cut(lines: Sequence[bytes], folder: Path, files: int, seed: int) -> Path:
    """The documents in a folder of files cut anywhere, in disorder, none later than the lateness allows."""
    random = Random(seed)
    coming = [
        line for _, _, line in sorted(timed(lines), key=lambda one: one[0] + random.randrange(LATENESS_S))
    ]
    borders = [0, *sorted(random.sample(range(1, len(coming)), files - 1)), len(coming)]
    folder.mkdir()
    for number in range(files):
        part = coming[borders[number] : borders[number + 1]]
        (folder / f"part-{number:03d}.jsonl").write_bytes(b"".join(line + b"\n" for line in part))
    return folder


def on_this_machine(out: Path, *options: str | Path) -> bytes:
    """What `tidings follow` writes, followed by this process."""
    assert run(["follow", *map(str, options), "--out", str(out), "--quiet"]) == 0
    return out.read_bytes()


def on_spark(out: Path, *options: str | Path) -> bytes:
    """The same on the session of this process."""
    return on_this_machine(out, *options, "--engine", "spark", "--master", "local[2]")
