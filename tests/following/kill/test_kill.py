"""SIGKILL at any moment: the same command again gives the run of an undisturbed process, byte for byte."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.following.kill.streams import START, write_stream

KILLED_AT = Path(__file__).with_name("killed_at.py")
SYSTEM = "cosine:similarity=0.5"


@dataclass(frozen=True)
class Example:
    """A command without its `--out`, its undisturbed run with its card, and the seconds that it took."""

    name: str
    options: tuple[str, ...]
    expected: bytes
    card: bytes
    took_s: float

    def command(self, out: Path) -> list[str]:
        return [sys.executable, "-m", "tidings", "follow", *self.options, "--out", str(out), "--quiet"]


def make_example(name: str, options: list[str], folder: Path) -> Example:
    out = folder / "undisturbed.run"
    example = Example(name, tuple(options), b"", b"", 0)
    began = time.perf_counter()
    subprocess.run(example.command(out), check=True)
    took_s = time.perf_counter() - began
    expected = out.read_bytes()
    assert expected.count(b"\n") > 50, "an example without updates shows nothing"
    card = Path(f"{out}.card.json").read_bytes()
    return Example(name, example.options, expected, card, took_s)


MadeUp = Callable[[str], Example]


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> MadeUp:
    """One stream, followed by document and by interval, by one event and by several; each made when it is asked for."""
    folder = tmp_path_factory.mktemp("made-up")
    stream = str(write_stream(folder / "documents.jsonl", 2500))
    second = str(write_stream(folder / "second.jsonl", 2000, seed=2))
    query = ["--query", "storm damage", "--start", str(START), "--lateness", "10m"]
    options = {
        "document": [stream, *query, "--system", SYSTEM],
        "interval": [stream, second, *query, "--system", "first", "--interval", "15m"],
    }
    return cache(lambda name: make_example(name, options[name], tmp_path_factory.mktemp(name)))


@pytest.fixture(scope="module")
def pool(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Example:
    folder = tmp_path_factory.mktemp("pool")
    options = [str(shared_data / "trec-ts" / "2014"), "--event", "all", "--system", "cosine"]
    return make_example("pool", options, folder)


def kill_and_finish(example: Example, seed: int, folder: Path) -> float:
    """Start, kill after a time drawn from `seed`, start again until done; returns the share of time at the kill."""
    chance = random.Random(seed)
    out = folder / "out.run"
    while True:
        share = chance.random()
        process = subprocess.Popen(example.command(out), stderr=subprocess.PIPE)
        try:
            process.wait(timeout=share * example.took_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        _, said = process.communicate()
        if process.returncode == -signal.SIGKILL:
            break
        assert process.returncode == 0, said
        for path in folder.iterdir():  # it was done before the kill came: draw again
            path.unlink()
    again = subprocess.run(example.command(out), capture_output=True, check=False)
    assert again.returncode == 0, again.stderr.decode()
    check_same(example, out)
    return share


def check_same(example: Example, out: Path) -> None:
    assert out.read_bytes() == example.expected
    store = sqlite3.connect(f"{out}.db")
    rows = store.execute("SELECT event_id, doc_id, sentence_index FROM updates ORDER BY seq").fetchall()
    store.close()
    assert len(rows) == example.expected.count(b"\n")
    assert max(Counter(rows).values()) == 1
    assert sorted(path.name for path in out.parent.iterdir()) == [
        "out.run",
        "out.run.card.json",
        "out.run.db",
    ]
    assert Path(f"{out}.card.json").read_bytes() == example.card


class TestAtRandomMoments:
    """The seeds are in the names of the tests; the same seed draws the same share of the run's time."""

    @pytest.mark.long
    @pytest.mark.parametrize("seed", range(10))
    def test_ten_kills(self, made_up: MadeUp, seed: int, tmp_path: Path) -> None:
        kill_and_finish(made_up("interval" if seed % 3 == 2 else "document"), seed, tmp_path)

    @pytest.mark.long
    @pytest.mark.parametrize("seed", range(1000, 1150))
    def test_many_kills_of_a_made_up_stream(self, made_up: MadeUp, seed: int, tmp_path: Path) -> None:
        kill_and_finish(made_up("interval" if seed % 3 == 2 else "document"), seed, tmp_path)

    @pytest.mark.long
    @pytest.mark.shared_data
    @pytest.mark.parametrize("seed", range(2000, 2050))
    def test_many_kills_over_the_pool(self, pool: Example, seed: int, tmp_path: Path) -> None:
        kill_and_finish(pool, seed, tmp_path)

    @pytest.mark.long
    def test_killed_again_and_again(self, made_up: MadeUp, tmp_path: Path) -> None:
        """Three attempts are killed before one may end."""
        example, out, chance = made_up("document"), tmp_path / "out.run", random.Random(99)
        kills, share = 0, 0.3
        while kills < 3:
            process = subprocess.Popen(example.command(out))
            try:
                process.wait(timeout=example.took_s * share * chance.uniform(0.7, 1))
            except subprocess.TimeoutExpired:
                process.kill()
            if process.wait() == 0:  # too quick for us: from the beginning, with less time
                kills, share = 0, share * 0.8
                for path in tmp_path.iterdir():
                    path.unlink()
            else:
                kills += 1
        assert subprocess.run(example.command(out), check=False).returncode == 0
        check_same(example, out)


@pytest.mark.long
class TestPostgres:
    @pytest.mark.parametrize("seed", range(3000, 3010))
    def test_kills_with_a_server_as_the_store(
        self, made_up: MadeUp, postgres_store: str, seed: int, tmp_path: Path
    ) -> None:
        chance, example, out = random.Random(seed), made_up("document"), tmp_path / "out.run"
        command = [*example.command(out), "--store", postgres_store]
        for _ in range(2):
            process = subprocess.Popen(command)
            try:
                process.wait(timeout=chance.uniform(0.3, 1) * example.took_s)
            except subprocess.TimeoutExpired:
                process.kill()
            process.wait()
        assert subprocess.run(command, check=False).returncode == 0
        assert out.read_bytes() == example.expected
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out.run", "out.run.card.json"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Example:
    folder = tmp_path_factory.mktemp("small")
    stream = str(write_stream(folder / "documents.jsonl", 300))
    options = [stream, "--query", "storm damage", "--system", "first"]
    return make_example("small", options, tmp_path_factory.mktemp("small-out"))


MOMENTS = [
    *("statement:500", "write:100", "replace:1"),
]
MORE_MOMENTS = [
    *(f"statement:{n}" for n in (*range(1, 40), 1000, 1100)),
    *(f"commit:{n}" for n in (1, 2, 3, 4, 5, 100, 200, 301)),
    *(f"committed:{n}" for n in (1, 2, 100, 300, 301)),
    *("write:1", "fsync:1", "replaced:1"),
]


class TestAtCertainMoments:
    """Killed at the n-th statement to the database, commit, flush to disk or renaming; see killed_at.py."""

    @pytest.mark.parametrize(
        "moment", [*MOMENTS, *(pytest.param(moment, marks=pytest.mark.long) for moment in MORE_MOMENTS)]
    )
    def test_killed_at(self, small: Example, moment: str, tmp_path: Path) -> None:
        out = tmp_path / "out.run"
        command = small.command(out)
        wrapped = [command[0], str(KILLED_AT), *command[3:]]
        killed = subprocess.run(
            wrapped, env={**os.environ, "KILLED_AT": moment}, capture_output=True, check=False
        )
        assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
        again = subprocess.run(command, capture_output=True, check=False)
        assert again.returncode == 0, again.stderr.decode()
        check_same(small, out)
