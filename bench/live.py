"""Many readers of live pages at once: how long from a commit to each of them, and whether each gets all of it once.

    python -m bench.live [--streams N] [--updates N] [--seconds N] [--kills N] [--stores sqlite,postgres] [--write]

A process commits updates of two events at an even pace, one a transaction, as a follower does. `tidings serve
--no-follow` serves them with its own limits. Clients in this process hold the streams open, four of five of everything
and one of an event, and check each number: the next one, once. With `--kills` the server is killed (SIGKILL) so often
and started again; clients come again after a second with the last id that they had. Server, writer and clients share
the machine's cores. A delay is from the return of the commit to the arrival of the message at a client.
"""

from __future__ import annotations

import asyncio
import datetime
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from array import array
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.frame import RESULTS, ROOT, parser as command_line, stores_of

Row = tuple[str, str, str]
EVENTS = ("even", "odd")
AGAIN_AFTER_S = 1.0
TEXT = "Officials said on {n} that the ferry had been towed to the harbour, where divers searched for those missing."
_MESSAGE = re.compile(rb"id: (\d+)\nevent: (\w+)\n")


def write_updates(store: str, per_s: float, seconds: float, out: str) -> None:
    """The writer: begins the run, waits for a line, commits, and leaves when each commit was done."""
    from tidings.core.records import Event, Update
    from tidings.core.store import open_store

    events = [Event(id=name, title=name, query=f"{name} numbers") for name in EVENTS]
    with open_store(store) as opened, opened.begin("live", {}, events=events) as run:
        run.commit([], {}, [], [])
        print("ready", flush=True)
        sys.stdin.readline()
        done: list[float] = []
        began = time.monotonic()
        for n in range(int(per_s * seconds)):
            time.sleep(max(0.0, began + n / per_s - time.monotonic()))
            number = n + 1
            text = TEXT.format(n=number)
            one = Update(
                EVENTS[number % 2], f"d{number}", 0, 1_374_667_200 + number, 0.9, text, source="Wire"
            )
            run.commit([], {}, [one], [])
            done.append(time.monotonic())
    Path(out).write_text(json.dumps(done))


class Server:
    """`tidings serve --no-follow` in a process of its own, always at the same address."""

    def __init__(self, store: str) -> None:
        self._store = store
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it."""
        command = [
            sys.executable,
            "-m",
            "tidings",
            "serve",
            "--no-follow",
            "--read-only",
            "--store",
            self._store,
        ]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    async def answers(self) -> None:
        """Wait until it can be reached."""
        for _ in range(600):
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.close()
                return
            await asyncio.sleep(0.1)
        raise SystemExit("the server did not start")

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def resident_mib(self) -> float:
        """The memory that it has now."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def cpu_s(self) -> float:
        """The processor time that it has had."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client(asyncio.Protocol):
    """One reader: what it was sent last, and when each piece came."""

    def __init__(self, port: int, number: int) -> None:
        self._port = port
        self._event = EVENTS[number // 5 % 2] if number % 5 == 4 else None
        self.cursor = 0
        self.is_open = self.is_done = False
        self.faults: list[str] = []
        self.opened = 0
        self.came = array("d")
        self.first, self.last = array("l"), array("l")
        self._rest = b""
        self._transport: Any = None

    async def connect(self) -> None:
        """Open it; try again until it is."""
        while not self.is_done:
            try:
                await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self._port)
            except OSError:
                await asyncio.sleep(AGAIN_AFTER_S)
            else:
                return

    def connection_made(self, transport: Any) -> None:
        path = f"/api/events/{self._event}/stream" if self._event else "/api/stream"
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: {self.cursor}\r\n\r\n"
        self._transport, self._rest = transport, b""
        self.opened += 1
        transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        whole, found, rest = (self._rest + data).rpartition(b"\n\n")
        self._rest = rest if found else self._rest + data
        first = 0
        for number, kind in _MESSAGE.findall(whole + found):
            seq = int(number)
            if kind == b"run":
                self.is_open = True
                if seq != self.cursor:
                    self.faults.append(f"began at {seq} instead of {self.cursor}")
                continue
            expected = self.cursor + 1
            if self._event is not None and EVENTS[expected % 2] != self._event:
                expected += 1
            if seq != expected:
                self.faults.append(f"{seq} instead of {expected}")
            first, self.cursor = first or seq, seq
        if first:
            self.came.append(now)
            self.first.append(first)
            self.last.append(self.cursor)

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False
        if not self.is_done:
            loop = asyncio.get_running_loop()
            loop.call_later(AGAIN_AFTER_S, lambda: loop.create_task(self.connect()))

    def close(self) -> None:
        self.is_done = True
        if self._transport is not None:
            self._transport.close()

    def lacks(self, total: int) -> int:
        """How many it has not got of those that were told."""
        if self._event is None:
            return total - self.cursor
        return sum(EVENTS[n % 2] == self._event for n in range(self.cursor + 1, total + 1))


async def watch_own_stalls(stalls: list[float]) -> None:
    """How long this process itself stood still: on a busy machine all delays hold that too."""
    while True:
        before = time.monotonic()
        await asyncio.sleep(0.1)
        stalls.append(time.monotonic() - before - 0.1)


async def measure(store: str, streams: int, per_s: float, seconds: float, kills: int) -> dict[str, Any]:
    """One trial."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/done.json"
        arguments = [store, str(per_s), str(seconds), out]
        writer = subprocess.Popen(
            [sys.executable, "-m", "bench.live", "--writer", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        assert writer.stdin is not None and writer.stdout is not None
        writer.stdout.readline()
        server = Server(store)
        server.start()
        try:
            await server.answers()
            clients = [Client(server.port, number) for number in range(streams)]
            for client in clients:
                await client.connect()
            while not all(client.is_open for client in clients):
                await asyncio.sleep(0.1)
            stalls: list[float] = []
            watch = asyncio.create_task(watch_own_stalls(stalls))
            writer.stdin.write(b"\n")
            writer.stdin.flush()
            await asyncio.sleep(min(5.0, seconds / 10))
            memory, cpu, began = [server.resident_mib()], server.cpu_s(), time.monotonic()
            for number in range(kills + 1):
                # At even times, however long a start takes.
                await asyncio.sleep(max(0.0, began + (number + 1) * seconds / (kills + 1) - time.monotonic()))
                if number < kills:
                    server.kill()
                    server.start()
                    await server.answers()
            cpu_share = 0.0 if kills else (server.cpu_s() - cpu) / (time.monotonic() - began)
            await asyncio.to_thread(writer.wait)
            done = json.loads(Path(out).read_text())
            for _ in range(600):
                if not any(client.lacks(len(done)) for client in clients):
                    break
                await asyncio.sleep(0.1)
            memory.append(server.resident_mib())
            watch.cancel()
            for client in clients:
                client.close()
            await asyncio.sleep(0.2)  # until their connections are closed
        finally:
            server.kill()
            writer.kill()
            writer.communicate()
    return {"clients": clients, "done": done, "memory": memory, "cpu": cpu_share, "stalls": stalls}


def delays(clients: list[Client], done: list[float]) -> Any:
    """Seconds from each commit to each arrival."""
    import numpy as np

    committed = np.asarray(done)
    parts = [
        came - committed[first - 1 : last]
        for client in clients
        for came, first, last in zip(client.came, client.first, client.last, strict=True)
    ]
    return np.concatenate(parts) if parts else np.zeros(1)


def rows(kind: str, trial: dict[str, Any], streams: int, per_s: float, kills: int) -> list[Row]:
    """The figures of a trial."""
    import numpy as np

    clients, done = trial["clients"], trial["done"]
    found = delays(clients, done) * 1000
    p50, p95, p99, most = np.percentile(found, [50, 95, 99, 100])
    lost = sum(client.lacks(len(done)) for client in clients)
    faults = [fault for client in clients for fault in client.faults]
    what = f"{kind}, {streams} streams, {per_s:g} updates/s" + (f", killed {kills} times" if kills else "")
    longest = done[-1] - done[0]
    memory = " → ".join(f"{mib:.0f}" for mib in trial["memory"])
    pieces = sum(len(client.came) for client in clients)
    stood = 1000 * max(trial["stalls"])
    spread = f"{p50:.0f} / {p95:.0f} / {p99:.0f} / {most:.0f} ms"
    made = [
        (f"{what}: commit to client", spread, "p50 / p95 / p99 / most"),
        (f"{what}: told", f"{len(done):,} in {longest:.0f} s", f"{pieces:,} pieces"),
        (f"{what}: lost, or not the next one", f"{lost}, {len(faults)}", "; ".join(faults[:3])),
        (f"{what}: server's memory", f"{memory} MiB", "start → end"),
        (f"{what}: the clients' process stood still", f"at most {stood:.0f} ms", "in every delay too"),
    ]
    if kills:
        again = sum(client.opened - 1 for client in clients)
        made.append((f"{what}: streams opened again", f"{again:,}", "times"))
    else:
        made.append((f"{what}: server's processor time", f"{100 * trial['cpu']:.0f} %", "of one core"))
    return made


def main() -> int:
    """Measure, print, write."""
    if sys.argv[1:2] == ["--writer"]:
        store, per_s, seconds, out = sys.argv[2:]
        write_updates(store, float(per_s), float(seconds), out)
        return 0
    from bench.processes import machine
    from tidings.core.display.tables import Table, render

    parser = command_line(__doc__)
    parser.add_argument("--streams", type=int, default=500)
    parser.add_argument("--updates", type=float, default=50, help="a second")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--stores", default="sqlite,postgres")
    parser.add_argument("--write", action="store_true", help="add the table to bench/results/")
    wanted = parser.parse_args()
    pace = wanted.streams, wanted.updates
    measured = [
        row
        for kind, url in stores_of(wanted.stores)
        for row in rows(
            kind, asyncio.run(measure(url, *pace, wanted.seconds, wanted.kills)), *pace, wanted.kills
        )
    ]
    table = Table(("what", "figure", "note"), tuple(measured))
    print(render(table))
    if wanted.write:
        path = RESULTS / f"{datetime.date.today().isoformat()}-live.md"
        about = machine().replace("one core used", "server, writer and clients beside each other")
        head = "" if path.exists() else f"# Live pages\n\n{about}. Printed by `python -m bench.live`.\n"
        load = f"load average {os.getloadavg()[0]:.0f} at the end, of all that ran"
        with path.open("a") as file:
            file.write(f"{head}\n`python -m bench.live {' '.join(sys.argv[1:])}` ({load})\n\n")
            file.write(f"{render(table, 'markdown')}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
