"""Going on with a run after a million documents: from where it was, and beside it by reading everything again.

    python -m bench.resume [--documents N] [--ending .jsonl|.jsonl.zst|.jsonl.gz]

A stream of N documents (1,000,000) is followed and kept in a store; then 1,000 documents are added to its end, and the
same command is timed as a whole process. What it reads again depends on whether the file is still the same one: a copy
in its place is read from its beginning and compared, as every resumed run was before positions had cursors.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.frame import ROOT, Row, parser as command_line

START = 1_400_000_000
TEXT = "harbour council road bridge market school river night morning police crowd train field doctor"
WORDS = TEXT.split()


def lines(first: int, number: int) -> Iterator[bytes]:
    """Documents a few seconds apart, in the order of their times but for a minute."""
    for n in range(first, first + number):
        said = " ".join(WORDS[(n * k) % len(WORDS)] for k in range(3, 12))
        if n % 50 == 0:
            said = f"Storm {n} {said}"
        line = {
            "id": f"doc-{n}",
            "published_time": START + 3 * n + 60 * (first > 0) - (n * 7) % 60,
            "sentences": [said, f"{n}."],
        }
        yield json.dumps(line).encode() + b"\n"


def write(path: Path, first: int, number: int) -> None:
    """Add documents to the end of a file, compressed as its name says."""
    from tidings.core.files.compression import compression_of

    how = compression_of(path)
    with path.open("ab") as file:
        if not how:
            file.writelines(lines(first, number))
        elif how == "gzip":
            import gzip

            with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1) as packed:
                packed.writelines(lines(first, number))
        else:
            import zstandard

            with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as packed:
                for line in lines(first, number):
                    packed.write(line)


def follow(path: Path, out: Path) -> float:
    """Seconds that the command takes, as a whole process."""
    command = [sys.executable, "-m", "tidings", "follow", str(path), "--query", "storm", "--system", "cosine"]
    began = time.perf_counter()
    subprocess.run([*command, "--out", str(out), "--quiet"], check=True, cwd=ROOT)
    return time.perf_counter() - began


def rows(documents: int = 1_000_000, ending: str = ".jsonl") -> list[Row]:
    """What going on costs: the first time, from its place, and from the beginning."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / f"documents{ending}", Path(folder) / "out.run"
        write(path, 0, documents)
        whole = follow(path, out)
        write(path, documents, 1000)
        resumed = follow(path, out)
        # The same documents in another file, as far as anyone can tell.
        shutil.copyfile(path, path.with_name("copy"))
        path.with_name("copy").replace(path)
        again = follow(path, out)
    what = f"{documents:,} documents ({ending})"
    return [
        (f"following {what}", whole, "s", "whole process"),
        ("going on with 1,000 more, from the place kept", resumed, "s", "whole process"),
        ("going on by reading everything again", again, "s", "whole process"),
    ]


def main() -> int:
    """Measure and print."""
    from tidings.core.display.tables import Table, render

    parser = command_line(__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--ending", default=".jsonl")
    wanted = parser.parse_args()
    measured = tuple((row[0], f"{row[1]:.2f}", *row[2:]) for row in rows(wanted.documents, wanted.ending))
    print(render(Table(("what", "figure", "unit", "note"), measured)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
