"""A service that tells, and servers that deliver, killed at random; and what a receiver got in the end.

    python -m tests.live.alarms.kills STORE FOLDER KILLS [SEED]

STORE is a path or URL of none yet, or `postgres` for a server of its own.
Ends with 1, and says what is missing, unless every alarm of every channel arrived with its one id, in order for each
event, and unless every update that was committed has its alarm. One channel leads to nobody and stops nobody.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.core.store.postgres import server_of_its_own
from tests.live.alarms.receiver import PATHS
from tests.live.alarms.runs import NOON, update
from tidings.core.records import Event
from tidings.core.records.standing import AlarmChannel, AlarmRule, StandingEvent, UpdateAbove
from tidings.core.store import Store, open_store
from tidings.live.alarms.deliveries import Deliveries
from tidings.live.alarms.settings import DeliverySettings
from tidings.live.alarms.watch import RuleWatch
from tidings.live.store import LiveStore

EVENTS = ("storm", "fire", "flood")
UPDATES = 240
SETTINGS = DeliverySettings(
    allow_private=True, look_every_s=0.05, send_s=0.5, lease_s=1.0, unit_s=0.02, longest_s=0.5
)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def begin(store: str, port: int) -> None:
    with open_store(store) as opened:
        live = LiveStore(opened)
        for event in EVENTS:
            live.events.add(StandingEvent(event=Event(id=event, title=f"The {event}", query=event)), "test")
        addresses = {path: f"http://127.0.0.1:{port}/{path}" for path in PATHS}
        addresses["gone"] = f"http://127.0.0.1:{free_port()}/"
        ids = [
            live.channels.add(AlarmChannel(name=name, kind="webhook", address=address, secret="s")).id
            for name, address in addresses.items()
        ]
        live.rules.add(AlarmRule(name="everything", when=UpdateAbove(), channels=tuple(ids)))


def tell(store: str, folder: Path) -> None:
    """What a follower does: commit outputs from where the run stands, a few at a time."""
    chance = random.Random()
    with open_store(store) as opened, _begun(opened) as run:
        live = LiveStore(opened)
        run.beside.append(RuleWatch(live, run.name, run.created_time).beside)
        run.load()
        say_ready(folder)
        while run.emitted < UPDATES:
            count = min(chance.randint(1, 3), UPDATES - run.emitted)
            numbers = range(run.emitted + 1, run.emitted + count + 1)
            outputs = [update(one, event=EVENTS[one % len(EVENTS)], time=NOON + one) for one in numbers]
            run.commit((), {}, outputs, ())
            time.sleep(0.3 * count)


def _begun(opened: Store) -> Any:
    events = [Event(id=event, title="", query=event) for event in EVENTS]
    for _ in range(200):  # whoever was killed may hold the lock for a moment
        try:
            return opened.begin("live", {}, events=events)
        except Exception as error:  # noqa: BLE001
            last = error
            time.sleep(0.1)
    raise last


async def deliver(store: str, folder: Path) -> None:
    with open_store(store) as opened:
        async with Deliveries(LiveStore(opened), SETTINGS):
            say_ready(folder)
            await asyncio.Event().wait()


def say_ready(folder: Path) -> None:
    (folder / f"ready-{os.getpid()}").touch()


def start(*words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.live.alarms.kills", *words], env={**os.environ})


def requests_of(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def first_arrivals(requests: Sequence[dict[str, Any]], path: str) -> list[dict[str, Any]]:
    first: dict[str, dict[str, Any]] = {}
    for request in requests:
        if request["path"] == path and request["status"] == 200:
            first.setdefault(request["id"], request)
    return list(first.values())


def run_all(store: str, folder: Path, kills: int, seed: int) -> int:
    port, log, chance = free_port(), folder / "requests.jsonl", random.Random(seed)
    begin(store, port)
    receiver = subprocess.Popen([sys.executable, "-m", "tests.live.alarms.receiver", str(port), str(log)])
    words = {"tell": "tell", "first": "deliver", "second": "deliver"}
    running = {name: start(word, store, str(folder)) for name, word in words.items()}
    began, done = time.monotonic(), 0
    try:
        while done < kills:
            time.sleep(chance.uniform(0.1, 2.0))
            name = chance.choice(sorted(running))
            victim = running[name]
            if victim.poll() is None:
                if not (folder / f"ready-{victim.pid}").exists():
                    continue  # it has not begun yet: to kill it would show nothing
                victim.send_signal(signal.SIGKILL)
                victim.wait()
                done += 1
            elif victim.returncode != 0:
                print(f"{name} ended with {victim.returncode}")
                return 1
            elif name == "tell":
                continue  # all is told
            running[name] = start(words[name], store, str(folder))
        if running["tell"].poll() is not None:
            running["tell"] = start("tell", store, str(folder))
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            requests = requests_of(log)
            if all(len(first_arrivals(requests, path)) >= UPDATES for path in PATHS):
                break
            time.sleep(0.5)
        took = time.monotonic() - began
    finally:
        for process in (*running.values(), receiver):
            process.kill()
            process.wait()
    return judged(store, requests_of(log), kills, took)


def judged(store: str, requests: list[dict[str, Any]], kills: int, took: float) -> int:
    problems = []
    with open_store(store) as opened:
        live = LiveStore(opened)
        deliveries = live.outbox.latest(100_000)
        committed = live.outputs.last_seq()
        counts = {live.channels.find(one).name: count for one, count in live.outbox.counts().items()}  # type: ignore[union-attr]
    by_channel: dict[int, list[int]] = {}
    for one in deliveries:
        by_channel.setdefault(one.channel_id, []).append(one.alarm.items[0].seq)
    for channel, seqs in by_channel.items():
        if sorted(seqs) != list(range(1, committed + 1)):
            problems.append(f"channel {channel}: {len(seqs)} alarms of {committed} updates")
    ids = {one.alarm.items[0].seq: one.alarm.id for one in deliveries}
    print(f"{kills} kills, {took:.0f} s, {committed} updates, {len(requests)} requests")
    for path in PATHS:
        arrivals = first_arrivals(requests, path)
        again = sum(1 for one in requests if one["path"] == path and one["status"] == 200) - len(arrivals)
        print(
            f"{path}: {len(arrivals)} arrived, {again} more than once; waiting, arrived, given up: {counts[path]}"
        )
        if {one["id"] for one in arrivals} != set(ids.values()):
            problems.append(f"{path}: {len(arrivals)} of {len(ids)} arrived")
        if any(ids[one["seqs"][0]] != one["id"] for one in arrivals):
            problems.append(f"{path}: an id that did not stay")
        for event in EVENTS:
            seqs = [one["seqs"][0] for one in arrivals if one["event"] == event]
            if seqs != sorted(seqs):
                problems.append(f"{path}: not in order for {event}")
    print(f"gone: waiting, arrived, given up: {counts['gone']}")
    print("\n".join(problems) or "all is well")
    return 1 if problems or committed != UPDATES else 0


def main(words: Sequence[str]) -> int:
    if words[0] == "tell":
        tell(words[1], Path(words[2]))
    elif words[0] == "deliver":
        asyncio.run(deliver(words[1], Path(words[2])))
    elif words[0] == "postgres":
        with server_of_its_own(durable=True) as url:
            return main([url, *words[1:]])
    else:
        return run_all(words[0], Path(words[1]), int(words[2]), int(words[3]) if len(words) > 3 else 1)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
