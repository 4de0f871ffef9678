"""500 feeds at once: fetched from a server on this machine, read, and committed to the inbox of a store.

    python -m bench.polling [--feeds N] [--items N]

Each feed is a host of its own, is RSS and holds N items (30) of a paragraph each. The first poll brings all of them;
the second, for which two items of each feed are new, is what polling is like from then on; the third finds nothing new,
and each answer is a 304. The memory is the most of the whole process; the server is another one.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.frame import ROOT, Row, parser as command_line

SERVER = r"""
import asyncio, sys
items = int(sys.argv[1])
WORDS = "harbour council road bridge market school river night morning police crowd train field doctor".split()
state = {"round": 0}

def body(feed, done):
    rows = []
    for n in range(2 * done, items + 2 * done):
        text = " ".join(WORDS[(feed + n * k) % len(WORDS)] for k in range(3, 60))
        rows.append(f"<item><guid>{feed}-{n}</guid><title>Report {feed} of {n}: {text[:40]}</title>"
                    f"<link>http://f{feed}.localhost/{n}</link><description>{text}. {feed} {n}.</description></item>")
    return ("<rss version='2.0'><channel><title>Paper %d</title>%s</channel></rss>" % (feed, "".join(rows))).encode()

async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split()[1]
            if path.startswith("/round"):
                state["round"] = int(path[6:])
                data, status, tag = b"", "200 OK", "x"
            else:
                done, tag = state["round"], f'"{min(state["round"], 1)}"'
                data, status = body(int(path[1:]), min(done, 1)), "200 OK"
                if f"if-none-match: {tag}" in head.lower():
                    data, status = b"", "304 Not Modified"
            writer.write(f"HTTP/1.1 {status}\r\nETag: {tag}\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


class RoundClock:
    """Stands at a time, so that each feed is due once; a round ends when nothing more is due."""

    def __init__(self) -> None:
        self.time = 1_700_000_000

    def now(self) -> int:
        """The time."""
        return self.time

    async def wait(self, tasks: set[asyncio.Task[None]], until: int | None) -> None:
        """Wait for a task; where there is none, it is `until`."""
        if tasks:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        elif until is not None:
            self.time = max(self.time, until)


def measure(feeds: int, items: int) -> list[Row]:
    """Seconds of three rounds, as feeds a second, and the most memory."""
    from tidings.core.store import open_store
    from tidings.sources.inbox import open_inbox
    from tidings.sources.polling.client import Client, user_agent
    from tidings.sources.polling.manners import Manners
    from tidings.sources.polling.poller import Poller

    server = subprocess.Popen([sys.executable, "-c", SERVER, str(items)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    port = int(server.stdout.readline())
    addresses = [f"http://f{number}.localhost:{port}/{number}" for number in range(feeds)]
    day, clock, took = 86400, RoundClock(), []

    async def poll(inbox) -> int:
        async with Client(user_agent(), allow_private=True) as client:
            # One round: all feeds are due, and none again before the round is over.
            manners = Manners(least_s=day, most_s=day)
            poller = Poller(addresses, inbox, client, clock, manners=manners)
            for number in range(3):
                await client.fetch(f"http://127.0.0.1:{port}/round{number}")
                began = time.perf_counter()
                await poller.run(lambda: False, clock.time + day // 2)
                took.append(time.perf_counter() - began)
                clock.time += day
            return poller.status.items

    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/inbox.db") as store:
        try:
            with open_inbox(store, "feeds of the bench") as inbox:
                came = asyncio.run(poll(inbox))
                size = Path(f"{folder}/inbox.db").stat().st_size / 1e6
        finally:
            server.kill()
            server.wait()
    assert came == feeds * (items + 2), came
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    note = f"{feeds} feeds of {items} items"
    return [
        (
            "polling, all items new",
            feeds / took[0],
            "feeds/s",
            f"{note}, {feeds * items / took[0]:,.0f} items/s",
        ),
        ("polling, two items new", feeds / took[1], "feeds/s", note),
        ("polling, nothing new (304)", feeds / took[2], "feeds/s", note),
        ("polling, memory at most", memory, "MiB", note),
        ("polling, the store then", size, "MB", f"{came:,} documents"),
    ]


def rows(feeds: int = 500, items: int = 30) -> list[Row]:
    """The same in a process of its own, for its memory."""
    command = [sys.executable, "-m", "bench.polling", "--feeds", str(feeds), "--items", str(items), "--rows"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    return [(what, float(figure), unit, note) for what, figure, unit, note in map(_cells, said.splitlines())]


def _cells(line: str) -> list[str]:
    return line.split("\t")


def main() -> int:
    """Measure and print."""
    parser = command_line(__doc__)
    parser.add_argument("--feeds", type=int, default=500)
    parser.add_argument("--items", type=int, default=30)
    parser.add_argument("--rows", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    for what, figure, unit, note in measure(wanted.feeds, wanted.items):
        print(
            f"{what}\t{figure}\t{unit}\t{note}" if wanted.rows else f"{what}: {figure:,.1f} {unit} ({note})"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
