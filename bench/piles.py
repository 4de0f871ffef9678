"""A pile in no order at all, sorted and followed in bounded memory.

    python -m bench.piles [--documents N] [--folder FOLDER] [--query WORDS] [--system SPEC] [--only STEP,…]

N documents (1,000,000: a file of 2 GB) of made-up news are written in an order drawn from a seed. Then whole processes
are timed, with their peak memory (as the system counts it): `tidings read --out`, which writes the pile in order;
`tidings follow` over the pile, which sorts it; the same command again, which finds that all was followed; and `tidings
follow` over what was written in order, whose run must be the same. Documents a second are of the processor's time.
Nothing but these files is read or written, in FOLDER or where temporary files go.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from pathlib import Path

from bench.frame import ROOT, Row, parser as command_line

START = 1_400_000_000
SENTENCES = 17
PLACES = ("Harwick", "Marlen", "Dunmore", "Ravensby", "Nordhaven", "Saltmere", "Westry", "Castelo")
PEOPLE = ("Officials", "Residents", "Engineers", "Ministers", "Doctors", "Farmers", "Teachers", "Drivers")
DEEDS = (
    "announced",
    "denied",
    "reviewed",
    "repaired",
    "opened",
    "closed",
    "postponed",
    "inspected",
    "rebuilt",
)
THINGS = (
    "the coastal road",
    "a new school",
    "the harbour bridge",
    "the railway line",
    "the annual budget",
    "the water supply",
    "a hospital wing",
    "the fishing fleet",
)
TAILS = (
    "after weeks of talks with the council",
    "despite objections from the opposition",
    "before the winter season begins",
    "in a statement read out on local radio",
    "while crowds gathered outside the town hall",
    "according to a report seen by reporters",
    "as prices rose for the third month in a row",
)


def sentences(chance: random.Random, number: int) -> list[str]:
    """Made-up sentences of news."""
    made = []
    for _ in range(number):
        made.append(
            f"{chance.choice(PEOPLE)} in {chance.choice(PLACES)} {chance.choice(DEEDS)} {chance.choice(THINGS)} "
            f"{chance.choice(TAILS)}, {chance.randrange(2, 9000)} people were told."
        )
    return made


def lines(documents: int, seed: int = 13) -> Iterator[bytes]:
    """Documents three seconds apart, each at a place of the file that the seed draws."""
    chance = random.Random(seed)
    times = array("q", range(START, START + 3 * documents, 3))
    chance.shuffle(times)
    said = sentences(chance, 4000)
    for number, published in enumerate(times):
        text = chance.choices(said, k=SENTENCES)
        if not number % 40:
            text[0] = f"The storm left {number % 977} homes damaged in {chance.choice(PLACES)}."
        line = {
            "id": f"doc-{number}",
            "published_time": published,
            "source": f"Post {number % 37}",
            "title": text[0],
        }
        yield json.dumps({**line, "language": "en", "text": " ".join(text)}).encode() + b"\n"


def measure(*arguments: str) -> tuple[float, float, float]:
    """Seconds, seconds of the processor, and peak MiB of a command, as a whole process."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "tidings", *arguments], cwd=ROOT)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"tidings {' '.join(arguments)}: ended with {status}")
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def rows(
    documents: int = 50_000,
    folder: str | None = None,
    query: str = "storm damage",
    system: str = "first",
    only: str = "",
) -> list[Row]:
    """What sorting and following a pile costs."""
    measured: list[Row] = []
    with tempfile.TemporaryDirectory(dir=folder) as place:
        pile, ordered = Path(place) / "pile.jsonl", Path(place) / "ordered.jsonl"
        with pile.open("wb") as file:
            file.writelines(lines(documents))
        size = f"{documents:,} documents, {pile.stat().st_size / 1e9:.2f} GB"
        follow = ["--query", query, "--system", system, "--quiet", "--out"]
        steps = {
            "read": ("read --out, which sorts", ["read", str(pile), "--out", str(ordered), "--quiet"]),
            "follow": (
                f"follow by {system}, which sorts",
                ["follow", str(pile), *follow, f"{place}/pile.run"],
            ),
            "again": (
                "the same again, with nothing new",
                ["follow", str(pile), *follow, f"{place}/pile.run"],
            ),
            "ordered": ("follow what is in order", ["follow", str(ordered), *follow, f"{place}/ordered.run"]),
        }
        for name in only.split(",") if only else steps:
            what, command = steps[name]
            took_s, processor_s, peak_mib = measure(*command)
            note = f"{size}; {peak_mib:,.0f} MiB at most, {processor_s:,.0f} s of the processor in {took_s:,.0f} s"
            measured.append((what, documents / processor_s, "documents/s", note))
        if not only and Path(f"{place}/pile.run").read_bytes() != Path(f"{place}/ordered.run").read_bytes():
            raise SystemExit("the run over the pile is not the one over what is in order")
    return measured


def main() -> int:
    """Measure and print."""
    from tidings.core.display.tables import Table, render

    parser = command_line(__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--folder")
    parser.add_argument("--query", default="storm damage")
    parser.add_argument("--system", default="first")
    parser.add_argument("--only", default="", help="steps: read,follow,again,ordered")
    wanted = parser.parse_args()
    measured = rows(wanted.documents, wanted.folder, wanted.query, wanted.system, wanted.only)
    printed = tuple((row[0], f"{row[1]:,.0f}", *row[2:]) for row in measured)
    print(render(Table(("what", "figure", "unit", "note"), printed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
