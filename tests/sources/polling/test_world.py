"""Two weeks of feeds with every fault, in a process that is killed: nothing is lost, doubled or asked too often."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time as machine
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from tests.core.store.databases import killed_at, needs_fork
from tests.sources.polling.servers import Served, serving
from tests.sources.polling.world import DAY, FAULTS, START, World
from tidings.core.records import Document
from tidings.following.hosting.live import LiveSettings, host_live
from tidings.following.hosting.settings import RunSettings
from tidings.following.hosting.sources import query_events
from tidings.following.outputs.outputs import read_updates
from tidings.sources.polling.filling import CLOCK_VARIABLE
from tidings.sources.polling.manners import Manners

IMPATIENT = Path(__file__).with_name("impatient.py")
MANNERS = Manners()


@dataclass
class Simulation:
    """A folder with a clock, a list of feeds and a run, and a server that goes by that clock."""

    folder: Path
    world: World
    served: Served
    until: int
    kills: list[int] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)

    @property
    def out(self) -> Path:
        return self.folder / "out.jsonl"

    def command(self, *more: str) -> list[str]:
        return [
            *(sys.executable, str(IMPATIENT), "follow", str(self.folder / "feeds.opml"), "--live", "--quiet"),
            *("--query", "storm", "--system", "first:min_words=0", "--until", str(self.until), *more),
        ]

    def follow(self, *, offline: bool = False) -> None:
        """The same in this process."""
        settings = RunSettings(
            streams=(str(self.folder / "feeds.opml"),),
            events=tuple(query_events(["storm"])),
            system="first:min_words=0",
            out=str(self.folder / "again.jsonl" if offline else self.out),
            store=f"{self.out}.db",
        )
        polling = LiveSettings(allow_private=True, until=self.until, offline=offline)
        with host_live(settings, polling) as live:
            for _ in live.run:
                pass
            assert live.run.tally.complete

    def now(self) -> int:
        return int((self.folder / "clock").read_text())

    def start(self, *more: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "TIDINGS_CLOCK": str(self.folder / "clock")}
        given = more or ("--out", str(self.out))
        return subprocess.Popen(self.command(*given), env=environment, stderr=subprocess.PIPE)

    def finish(self, *more: str) -> None:
        process = self.start(*more)
        while process.poll() is None:
            with suppress(OSError, IndexError):
                self.memory.append(int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * 4)
            machine.sleep(0.05)
        _, said = process.communicate()
        assert process.returncode == 0, said.decode()

    def kill_after(self, seconds: float) -> bool:
        """Start, and kill; False where it was done before."""
        process = self.start()
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.communicate()
        self.kills.append(self.now())
        return process.returncode == -signal.SIGKILL

    def replayed(self) -> bytes:
        """What a run gives that reads the same inbox, without the network."""
        out = self.folder / "again.jsonl"
        asked = len(self.served.log)
        self.finish("--offline", "--store", f"{self.out}.db", "--out", str(out))
        assert len(self.served.log) == asked
        return out.read_bytes()

    def documents(self) -> list[Document]:
        with sqlite3.connect(f"{self.out}.db") as connection:
            rows = connection.execute("SELECT document FROM inbox_items ORDER BY seq").fetchall()
        connection.close()
        return [msgspec.msgpack.decode(document, type=Document) for (document,) in rows]

    def updates(self) -> list[str]:
        return sorted(update.text for run in read_updates(self.out) for update in run.updates)


@contextmanager
def simulation(folder: Path, faults: Sequence[str], days: int) -> Iterator[Simulation]:
    folder.mkdir()
    clock = folder / "clock"
    clock.write_text(str(START))
    world = World(faults=tuple(faults))
    with serving(world.answer, clock) as served:
        world.port = served.port
        outlines = "".join(f'<outline xmlUrl="{url}"/>' for url in world.urls())
        (folder / "feeds.opml").write_text(f"<opml><body>{outlines}</body></opml>")
        yield Simulation(folder, world, served, START + days * DAY)


def check_manners(sim: Simulation) -> None:
    """No request above its rate, by the server's own log."""
    by_host, by_path = defaultdict(list), defaultdict(list)
    for asked, reply in sim.served.log:
        by_host[asked.host].append((asked, reply))
        by_path[asked.host, asked.path].append((asked, reply))
    assert max(sim.served.most_at_once.values()) == 1
    assert "127.0.0.2" not in by_host
    for host, log in by_host.items():
        for (one, reply), (two, _) in pairwise(log):
            # What was answered in the very moment of a kill was never heard.
            heard = one.time not in sim.kills
            assert two.time >= one.time + MANNERS.gap_s, host
            if heard and "retry-after" in reply.headers and reply.headers["retry-after"].isdigit():
                assert two.time >= one.time + int(reply.headers["retry-after"]), host
            if heard and reply.status in (429, 403):
                assert two.time >= one.time + 900, host
        days = [asked.time // DAY for asked, _ in log]
        assert max(map(days.count, set(days))) <= MANNERS.ceiling
    for (host, path), log in by_path.items():
        for (one, reply), (two, _) in pairwise(log):
            assert two.time >= one.time + MANNERS.least_s, (host, path)
            if one.time not in sim.kills and reply.headers.get("cache-control"):
                assert two.time >= one.time + 10800
    for number in range(len(sim.world.faults)):
        times = [START, *(asked.time for asked in _of_feed(sim, number)), sim.until]
        assert max(two - one for one, two in pairwise(times)) < 1.3 * MANNERS.rare_s, "given up"


def _of_feed(sim: Simulation, number: int) -> list:
    name = str(number)
    return [asked for asked, _ in sim.served.log if asked.path.strip("/").partition("/")[0] == name]


def check_contents(sim: Simulation) -> None:
    """Everything that the feeds held is there, once."""
    documents = sim.documents()
    titles = [document.title for document in documents if "corrected" not in document.title]
    assert len(titles) == len(set(titles)), "a double"
    expected = sim.world.expected(sim.until - 8 * 3600)
    assert expected <= set(titles), sorted(expected - set(titles))[:5]
    times = [document.published_time for document in documents]
    assert times == sorted(times)


def contents(sim: Simulation, until: int) -> set[tuple[str, str]]:
    """Titles and texts, of what was there in time for any run to see it."""
    expected = sim.world.expected(until)
    return {
        (document.title, document.text)
        for document in sim.documents()
        if document.title.removesuffix(" corrected") in expected
    }


@pytest.mark.kill
@needs_fork
def test_a_day_of_three_feeds_killed_three_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in small: a forked process is killed before a certain statement to the store."""
    with simulation(tmp_path / "killed", ("other guids", "retry seconds", "neighbour"), 1) as sim:
        monkeypatch.setenv(CLOCK_VARIABLE, str(sim.folder / "clock"))
        for statement in (40, 90, 140):
            assert killed_at(statement, sim.follow)
            sim.kills.append(sim.now())
        sim.follow()
        asked = len(sim.served.log)
        check_manners(sim)
        check_contents(sim)
        sim.follow(offline=True)
        assert len(sim.served.log) == asked
        assert (sim.folder / "again.jsonl").read_bytes() == sim.out.read_bytes()


@pytest.mark.long
def test_two_weeks_of_twenty_feeds_killed_fifty_times(tmp_path: Path) -> None:
    with simulation(tmp_path / "undisturbed", FAULTS, 14) as calm:
        began = machine.perf_counter()
        calm.finish()
        took_s = machine.perf_counter() - began
        check_manners(calm)
        check_contents(calm)
        assert calm.out.read_bytes() == calm.replayed()
        share = sum(reply.status == 304 for _, reply in calm.served.log) / len(calm.served.log)
        quarter = len(calm.memory) // 4
        growth = max(calm.memory[-quarter:]) - max(calm.memory[quarter : 2 * quarter])
        print(
            f"undisturbed: {len(calm.served.log):,} requests in {took_s:.0f} s, {share:.0%} answered 304, "
            f"{len(calm.documents()):,} documents, {max(calm.memory) / 1024:.0f} MiB at most, "
            f"{growth / 1024:.1f} MiB more in the last quarter than in the second"
        )
        assert growth < 20 * 1024
    with simulation(tmp_path / "killed", FAULTS, 14) as killed:
        chance, kills = random.Random(50), 0
        while kills < 50:
            assert killed.kill_after(chance.uniform(0.8, 0.8 + took_s / 40)), f"done after {kills} kills"
            kills += 1
        killed.finish()
        check_manners(killed)
        check_contents(killed)
        assert killed.out.read_bytes() == killed.replayed()
        print(f"killed 50 times: {len(killed.served.log):,} requests, {len(killed.documents()):,} documents")
    until = calm.until - 8 * 3600
    assert contents(killed, until) == contents(calm, until)
    expected = calm.world.expected(until)
    told = [
        {
            text
            for text in sim.updates()
            if any(part in expected for part in (text, text.removesuffix(" corrected")))
        }
        for sim in (calm, killed)
    ]
    assert told[0] == told[1]
