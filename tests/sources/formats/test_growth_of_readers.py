"""Every reader takes time in proportion to what it is given, whatever that repeats.

What is measured runs in a process of its own, under a limit of processor time that only what grows with the square of
its size ever reaches.
"""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.sources.formats import samples
from tests.sources.formats.growing import FIELDS
from tidings.evaluation.formats.registry import FORMATS

READERS = [name for name in FORMATS if name in samples.FILES or name in samples.FOLDERS or name in FIELDS]
WORST = {
    "page": ("bars,half-spaced dashes,guillemets", 40_000),
    "feed": ("links", 480_000),
}
"""Of each reader seeds, and how much of them, that once took some minutes; now it takes a second."""


def read_growing(name: str, seeds: str, *lengths: int, most_s: int) -> list[tuple[str, str, list[float]]]:
    """(place, seed, seconds for each length); fails where the process needs more than `most_s` in all."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (most_s, most_s))

    command = [sys.executable, "-m", "tests.sources.formats.growing", name, seeds, *map(str, lengths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, preexec_fn=limit, check=False)
    lines = done.stdout.splitlines()
    last = lines[-1] if lines else "nothing"
    assert done.returncode == 0, f"{name}: ended by {done.returncode} at {last}\n{done.stderr[-2000:]}"
    rows = (line.split("\t") for line in lines)
    return [(place, seed, [float(one) for one in seconds]) for place, seed, *seconds in rows]


@pytest.mark.parametrize("name", WORST)
def test_what_once_took_minutes(name: str) -> None:
    seeds, length = WORST[name]
    assert read_growing(name, seeds, length, most_s=60)


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
def test_eight_times_as_much_takes_about_eight_times_as_long(name: str) -> None:
    rows = read_growing(name, "", 20_000, 160_000, most_s=600)
    grows = [row for row in rows if row[2][1] > 1 and row[2][1] > 24 * row[2][0]]
    assert grows == []
