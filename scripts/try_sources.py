"""Change the sample of every format of items at random, and read it: a result or one error for people, in bounded time.

    python scripts/try_sources.py [--variants 5000] [--only feed,warc] [--seed 1]

Each variant is a sample with some bytes flipped, cut out, doubled, put in from elsewhere, or with what parsers fear put
in between, read through `tidings.sources.items.open_reading` as `tidings read` does. Prints a row for each format;
leaves with 1 where a variant raised anything but a TidingsError, or took longer than five seconds. A fault is told
by the number of its variant: `--only FORMAT --first NUMBER --variants 1` repeats it.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from msgspec import Struct

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.sources.formats import samples  # noqa: E402

from tidings.core.errors import TidingsError  # noqa: E402
from tidings.evaluation.formats.registry import FORMATS  # noqa: E402
from tidings.sources import open_reading  # noqa: E402

MOST_SECONDS = 5
FEARED = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"<![CDATA[", b"<!DOCTYPE a [", b"&#0;", b"&#xFFFFFFFF;", b"]]>",
    b"<html>", b"'", b'"', b"\r", b"\n\n", b"-1", b"9" * 40, b"1e999", b"NaN", b"{" * 300, b"[" * 300, b"<a>" * 300,
    b"\xed\xa0\x80", b"%00", "\u202e\u2028".encode(), b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"http://[",
    b"0000-00-00", b"99999-99-99T99:99",
)  # fmt: skip


class Tried(Struct):
    """What came of the variants of one format."""

    format: str
    read: int = 0
    refused: int = 0
    slowest_s: float = 0.0
    faults: list[tuple[int, str]] = []


class TooLongError(Exception):
    """A variant took longer than it may."""


def names() -> list[str]:
    """The formats of items that there is a sample of."""
    return [one.name for one in FORMATS.values() if one.holds == "items" and one.name in known()]


def known() -> set[str]:
    """The formats with a sample."""
    return {*samples.FILES, *samples.FOLDERS}


def changed(data: bytes, rng: random.Random) -> bytes:
    """The bytes with one to six changes."""
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 1, 2, 5, 20, 200)))
        part = data[at:end]
        way = rng.randrange(6)
        if way == 0 and part:
            part = bytes(byte ^ (1 << rng.randrange(8)) for byte in part[:2]) + part[2:]
        elif way == 1:
            part = b""
        elif way == 2:
            part *= rng.choice((2, 3, 50))
        elif way == 3:
            other = rng.randrange(len(data) + 1)
            part = data[other : other + rng.choice((4, 40))] + part
        elif way == 4:
            part = rng.choice(FEARED) + part
        elif rng.random() < 0.3:
            end = len(data)
            part = b""
        data = data[:at] + part + data[end:]
    return data


def attempt(name: str, variants: range, seed: int = 1) -> Tried:
    """Read these variants of a format's sample."""
    tried = Tried(name)
    with tempfile.TemporaryDirectory() as place:
        path = samples.write_sample(Path(place), name)
        files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
        good = [one.read_bytes() for one in files]
        for number in variants:
            rng = random.Random(f"{seed} {name} {number}")
            which = rng.randrange(len(files))
            files[which].write_bytes(changed(good[which], rng))
            began = perf_counter()
            try:
                with bounded(), contextlib.redirect_stderr(io.StringIO()):
                    for _ in open_reading([str(path)]):
                        pass
                tried.read += 1
            except TidingsError as error:
                tried.refused += 1
                if not str(error) or len(str(error)) > 20_000:
                    tried.faults.append((number, f"a message of {len(str(error)):,} characters"))
            except Exception as error:  # noqa: BLE001 that is what is looked for
                where = traceback.extract_tb(error.__traceback__)[-1]
                said = f"{type(error).__name__}: {error}"[:200]
                tried.faults.append((number, f"{Path(where.filename).name}:{where.lineno} {said!r}"))
            tried.slowest_s = max(tried.slowest_s, perf_counter() - began)
            files[which].write_bytes(good[which])
    return tried


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Stop what takes too long, as far as Python can."""

    def stop(number: int, frame: object) -> None:
        raise TooLongError(f"longer than {MOST_SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def main() -> int:
    """Try, print, and say whether all went well."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variants", type=int, default=5000)
    parser.add_argument("--first", type=int, default=0, help="The number of the first variant.")
    parser.add_argument("--only", default="", help="Formats, apart by commas.")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print("| format | variants | read | refused | slowest, ms | faults |")
    print("|---|---|---|---|---|---|")
    found = []
    for name in [one for one in asked.only.split(",") if one] or names():
        tried = attempt(name, range(asked.first, asked.first + asked.variants), asked.seed)
        found += [f"{name} {number}: {fault}" for number, fault in tried.faults]
        print(
            f"| {name} | {asked.variants:,} | {tried.read:,} | {tried.refused:,} | {tried.slowest_s * 1000:.0f} "
            f"| {len(tried.faults)} |",
            flush=True,
        )
    print(*found[:50], sep="\n", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
