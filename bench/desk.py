"""The assessors' desk with a large topic: how soon its page is painted, and how soon a judgment is known to be kept.

    python -m bench.desk [--updates N] [--nuggets N] [--judgments N] [--stores sqlite,postgres]

A topic of N updates (5,000; every tenth an exact copy) and N nuggets (400), half judged, is served by `tidings assess
serve` in a process of its own. Judgments are sent one after the other over HTTP on one connection, then made in
Chromium by keys: from the key to the page's "all saved", which stands for an answer that comes after the commit. SQLite
runs with synchronous=FULL and PostgreSQL with fsync, so that what is acknowledged survives a power cut. Nobody else
works in the meantime. Peers (doccano, label-studio) are not measured: they are servers with a database and a queue of
their own, and are not installed here.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from bench.frame import ROOT, Row, parser as command_line, stores_of, write_results

TEXT = """
ferry harbour council road bridge market school river night morning police crowd train field doctor fire
smoke rescue injured dead coast captain passengers crew deck engine storm wave pier island helicopter
survivors mayor hospital blaze rope boat lifeboat vehicle lorry tourist child mother official statement
minister inquiry cause
"""
WORDS = TEXT.split()
MATCHING = "/projects/1/topics/1/matching"
START = 1_400_000_000


def sentence(draw: Random, least: int, most: int) -> str:
    """Made-up words."""
    return " ".join(draw.choices(WORDS, k=draw.randint(least, most))).capitalize() + "."


def fill(store: str, updates: int, nuggets: int) -> tuple[str, list[tuple[str, int]]]:
    """Put the topic into a store; gives a cookie's token, and (id, characters) of updates that are not judged."""
    from tidings.annotation.desk.exchange.importing import import_judgments
    from tidings.annotation.desk.pools import topic_pool
    from tidings.annotation.store import Act, Desk
    from tidings.core.records import Event, Judgments, Nugget, PooledUpdate
    from tidings.core.records.judgments import Change, judge_layer
    from tidings.core.store import open_store

    draw = Random(7)
    listed = tuple(Nugget("e", f"N{n}", START + 60 * n, n % 4, sentence(draw, 4, 10)) for n in range(nuggets))
    pool: list[PooledUpdate] = []
    for n in range(updates):
        copied = draw.choice(pool) if pool and n % 10 == 9 else None
        text = copied.text if copied else sentence(draw, 12, 35)
        pool.append(PooledUpdate("e", f"{START + 30 * n}-{n:032x}", n % 40, text))
    judgments = Judgments(
        name="bench",
        events=(Event(id="e", title="Ferry", query="ferry fire"),),
        nuggets=listed,
        pool=tuple(pool),
    )
    with open_store(store) as opened:
        desk = Desk(opened)
        project = desk.projects.add("bench")
        account = desk.accounts.add("judge")
        desk.projects.set_member(project.id, account.id, "assessor")
        import_judgments(desk, project, judgments)
        candidates = topic_pool(desk, project.id, 1).candidates
        half = candidates[: len(candidates) // 2]
        changes = []
        for number, one in enumerate(half):
            span = {"nugget": f"N{number % nuggets}", "start": 0, "end": len(one.text)}
            for copy in one.copies:
                matches = [{**span, "automatic": copy != one.id}] if number % 3 else []
                changes.append(Change(judge_layer(account.id), "matches", copy, {"matches": matches}))
        act = Act(key="half of it", operation="match", topic=1, account_id=account.id)
        desk.log.record(project.id, act, changes)
        token = desk.accounts.begin_session(account.id)
    return token, [(one.id, len(one.text)) for one in candidates[len(half) :]]


@contextmanager
def served(store: str) -> Iterator[str]:
    """`tidings assess serve` in a process of its own; gives host:port."""
    command = [sys.executable, "-m", "tidings", "assess", "serve", "--store", store, "--port", "0"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, cwd=ROOT
    )
    assert server.stdout is not None
    try:
        for line in server.stdout:
            if found := re.search(r"http://([0-9.:]+)", line):
                break
        else:
            raise SystemExit("the desk did not start")
        yield found.group(1)
    finally:
        server.terminate()
        server.wait()


def spread(seconds: list[float]) -> str:
    """The slowest of twenty, and the slowest."""
    ordered = sorted(seconds)
    late = ordered[max(int(len(ordered) * 0.95) - 1, 0)]
    return f"{len(ordered)} times, 95 % within {late * 1000:.0f} ms, at most {ordered[-1] * 1000:.0f} ms"


def over_http(address: str, token: str, updates: list[tuple[str, int]]) -> list[float]:
    """Seconds from sending a judgment to its answer, of each."""
    connection = http.client.HTTPConnection(address)
    took = []
    for number, (update, length) in enumerate(updates):
        matches = [{"nugget": f"N{number % 50}", "start": 0, "end": length}] if number % 3 else []
        body = json.dumps({"key": f"bench-{number:08}", "update": update, "matches": matches})
        headers = {"content-type": "application/json", "cookie": f"tidings_desk={token}"}
        began = time.perf_counter()
        connection.request("POST", f"/api{MATCHING}", body, headers)
        answer = connection.getresponse()
        said = answer.read()
        took.append(time.perf_counter() - began)
        if answer.status != 200:
            raise SystemExit(f"{answer.status}: {said.decode()}")
    connection.close()
    return took


_PAINT = Path(__file__).with_name("desk_paint.js").read_text()

_WATCH = Path(__file__).with_name("desk_watch.js").read_text()


def in_chromium(address: str, token: str, judgments: int, loads: int = 9) -> dict[str, list[float]]:
    """Seconds to the first paint and until one can judge, of each load; from key to saved, and to the next update."""
    from playwright.sync_api import sync_playwright
    from tests.web.browser.chromium import ARGUMENTS, CHROMIUM

    found: dict[str, list[float]] = {"paint": [], "ready": []}
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=str(CHROMIUM), headless=True, args=ARGUMENTS)
        context = browser.new_context(viewport={"width": 1366, "height": 768})
        cookie = {"name": "tidings_desk", "value": token, "url": f"http://{address}"}
        context.add_cookies([cookie])
        page: Any = context.new_page()
        for _ in range(loads):
            page.goto(f"http://{address}{MATCHING}")
            page.wait_for_selector("html[data-loaded=all]")
            times = page.evaluate(_PAINT)
            for name, loaded in found.items():
                loaded.append(times[name] / 1000)
        page.evaluate(_WATCH)
        for number in range(judgments):
            # A likely nugget and on, or nothing.
            page.wait_for_selector("#nuggets q")
            page.keyboard.press("1" if number % 3 else "0")
            page.wait_for_selector("#saving:text-is('all saved')")
            if number % 3:
                page.keyboard.press("Enter")
        found |= {name: [ms / 1000 for ms in times] for name, times in page.evaluate("window.took").items()}
        browser.close()
    return found


def measure(kind: str, store: str, updates: int, nuggets: int, judgments: int) -> list[Row]:
    """All figures of a store."""
    token, free = fill(store, updates, nuggets)
    with served(store) as address:
        seen = in_chromium(address, token, judgments)
        # Those at the end, which the browser has not come to.
        took = over_http(address, token, free[-5 * judgments :])
    what = f"{updates:,} updates, {nuggets} nuggets, {kind}"
    first = f"; the first, of a server just started, {seen['paint'][0] * 1000:.0f} ms"
    middle = statistics.median
    return [
        (f"first paint, {what}", middle(seen["paint"]) * 1000, "ms", spread(seen["paint"]) + first),
        (f"first update ready to judge, {what}", middle(seen["ready"]) * 1000, "ms", spread(seen["ready"])),
        (f"judgment over HTTP, {what}", middle(took) * 1000, "ms", spread(took)),
        (f"key to saved, {what}", middle(seen["saved"]) * 1000, "ms", spread(seen["saved"])),
        (f"key to the next update, {what}", middle(seen["shown"]) * 1000, "ms", spread(seen["shown"])),
    ]


def main() -> int:
    """Measure, print, write."""
    from bench.processes import machine
    from tidings.core.display.tables import Table, render

    parser = command_line(__doc__)
    parser.add_argument("--updates", type=int, default=5000)
    parser.add_argument("--nuggets", type=int, default=400)
    parser.add_argument("--judgments", type=int, default=60)
    parser.add_argument("--stores", default="sqlite,postgres")
    wanted = parser.parse_args()
    measured = [
        row
        for kind, url in stores_of(wanted.stores)
        for row in measure(kind, url, wanted.updates, wanted.nuggets, wanted.judgments)
    ]
    table = Table(
        ("what", "median", "unit", "note"), tuple((row[0], f"{row[1]:.0f}", *row[2:]) for row in measured)
    )
    print(render(table))
    about = machine().replace("one core used", "server and browser beside each other")
    load = f"load average {os.getloadavg()[0]:.0f} at the end"
    peers = "\n\nPeers (doccano, label-studio) are not installed here and were not measured."
    head = f"{about}, {load}. Printed by `python -m bench.desk`."
    write_results("-desk", "The desk, ", head, render(table, "markdown") + peers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
