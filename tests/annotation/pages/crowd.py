"""A crowd at the desk: scripted assessors who judge at once over HTTP, while the server is killed now and then.

    python -m tests.annotation.pages.crowd --store sqlite --seconds 120
    python -m tests.annotation.pages.crowd --store postgres --seconds 120 --kills 10

Each sends judgments as a page does: with a key, again with the same key when no answer came. In the end the log is held
against what was answered: each judgment that was said to be saved is there once, by who sent it; nothing else is there;
every entry follows from the one before; no item went to more people than were asked.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from msgspec import Struct, field

from tests.annotation.pages.desks import bundled_judgments
from tests.core.store.postgres import server_of_its_own
from tidings.annotation.desk.exchange.importing import import_judgments
from tidings.annotation.store import Desk
from tidings.core.store import open_store
from tidings.web.visitors import COOKIE

JUDGES = 3
API = "/api/projects/1/topics/1"


class Sent(Struct):
    """An act that was sent: by whom, with which key, what was answered (0: nothing yet), and what it changed."""

    account_id: int
    key: str
    status: int = 0
    changed: frozenset[tuple[str, int]] = frozenset()
    seconds: float = 0.0
    tries: int = 1


class CrowdReport(Struct):
    """What came of it."""

    acts: list[Sent] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    kills: int = 0
    entries: int = 0

    def lines(self) -> list[str]:
        """In words."""
        kinds = Counter(act.status for act in self.acts)
        quick = sorted(act.seconds for act in self.acts if act.tries == 1)
        middle = quick[len(quick) // 2] * 1000 if quick else float("nan")
        late = quick[int(len(quick) * 0.99)] * 1000 if quick else float("nan")
        return [
            f"{len(self.acts):,} acts sent, {kinds[200]:,} written, {kinds[409]:,} conflicts, "
            f"{sum(n for status, n in kinds.items() if status not in (200, 409)):,} others",
            f"{sum(act.tries > 1 for act in self.acts):,} sent more than once, {self.kills} kills",
            f"answered after {middle:.1f} ms in the median, {late:.1f} ms for one in a hundred",
            f"{self.entries:,} entries in the log; faults: {len(self.faults)}",
            *self.faults[:20],
        ]


def try_crowd(store: str, *, assessors: int, seconds: float, kills: int = 0, seed: int = 7) -> CrowdReport:
    """Let `assessors` judge for `seconds`, kill the server so often, and check what the log holds."""
    with open_store(store, durable=True) as opened:
        desk = Desk(opened)
        project = desk.projects.add("crowd", judges=JUDGES)
        import_judgments(desk, project, bundled_judgments(judged=False))
        accounts = [desk.accounts.add(f"assessor {n}") for n in range(assessors)]
        for account in accounts:
            desk.projects.set_member(project.id, account.id, "assessor")
        tokens = [desk.accounts.begin_session(account.id) for account in accounts]
        updates = [
            (item.id, len(item.content["text"])) for item in desk.projects.items(project.id, 1, "update")
        ]
        nuggets = [one.id for one in desk.log.objects(project.id, 1, kind="nugget")]
    report, ended = CrowdReport(), threading.Event()
    with server_process(store) as server:
        crowd = [
            threading.Thread(
                target=_assess,
                args=(server.address, account.id, token, updates, nuggets, report, ended, seed + account.id),
            )
            for account, token in zip(accounts, tokens, strict=True)
        ]
        for one in crowd:
            one.start()
        for number in range(kills + 1):
            time.sleep(seconds / (kills + 1))
            if number < kills:
                server.kill()
                report.kills += 1
                server.start()
        ended.set()
        for one in crowd:
            one.join(60)
            if one.is_alive():
                report.faults.append("an assessor did not end")
    with open_store(store) as opened:
        report.faults += check_log(Desk(opened), project.id, report)
    return report


def _assess(
    address: str,
    account_id: int,
    token: str,
    updates: list[tuple[str, int]],
    nuggets: list[str],
    report: CrowdReport,
    ended: threading.Event,
    seed: int,
) -> None:
    """Judge as a person with a quick hand would: mostly new updates, now and then one again, one taken back."""
    chance = random.Random(seed)
    versions: dict[str, int] = {}
    client = httpx.Client(base_url=address, cookies={COOKIE: token}, timeout=120)
    number = 0
    try:
        while not ended.is_set():
            number += 1
            key = f"act-{account_id}-{number:06}"
            luck = chance.random()
            if luck < 0.08:
                path, body = f"{API}/undo", {"key": key, "task": "matching"}
            else:
                known = list(versions)
                update, length = chance.choice(updates)
                if known and luck < 0.25:
                    update = chance.choice(known)
                    length = dict(updates)[update]
                matches = [
                    {"nugget": nugget, "start": 0, "end": length}
                    for nugget in chance.sample(nuggets, chance.choice((0, 1, 1, 2)))
                ]
                expected = versions.get(update, 0)
                path = f"{API}/matching"
                body = {"key": key, "update": update, "matches": matches, "expected": expected}
            answer = _send(client, path, body, account_id, report)
            if answer is None:
                return
            if answer.status_code == 200:
                for one in answer.json()["objects"]:
                    versions[one["id"]] = one["version"]
            elif answer.status_code == 409 and (current := answer.json().get("current")):
                versions[current["id"]] = current["version"]
            if number % 10 == 0:
                _read(client, report)
    except Exception as error:  # noqa: BLE001 - a thread's fault belongs in the report
        report.faults.append(f"assessor {account_id}: {error!r}")
    finally:
        client.close()


def _send(
    client: httpx.Client, path: str, body: dict[str, Any], account_id: int, report: CrowdReport
) -> httpx.Response | None:
    """Send it until there is an answer, for a minute; the same key each time."""
    act = Sent(account_id, body["key"])
    report.acts.append(act)
    given_up = time.monotonic() + 60
    while time.monotonic() < given_up:
        began = time.monotonic()
        try:
            answer = client.post(path, json=body)
        except httpx.TransportError:
            act.tries += 1
            time.sleep(0.1)
            continue
        act.status, act.seconds = answer.status_code, time.monotonic() - began
        if answer.status_code == 200:
            act.changed = frozenset((one["id"], one["version"]) for one in answer.json()["objects"])
        elif answer.status_code != 409:
            report.faults.append(f"{path}: {answer.status_code} {answer.text[:200]}")
        return answer
    report.faults.append(f"{body['key']}: no answer for a minute")
    return None


def _read(client: httpx.Client, report: CrowdReport) -> None:
    for path in ("/projects/1", "/projects/1/topics/1/matching"):
        try:
            answer = client.get(path)
        except httpx.TransportError:
            return
        if answer.status_code != 200:
            report.faults.append(f"{path}: {answer.status_code} {answer.text[:200]}")


def check_log(desk: Desk, project_id: int, report: CrowdReport) -> list[str]:
    """What is wrong with the log, in sentences."""
    faults = []
    entries = [entry for entry in desk.log.entries(project_id) if entry.operation != "import"]
    everything = list(desk.log.entries(project_id))
    report.entries = len(everything)
    if [entry.seq for entry in everything] != list(range(1, len(everything) + 1)):
        faults.append("the log's numbers have a gap")
    sent = {act.key: act for act in report.acts}
    if len(sent) != len(report.acts):
        faults.append("a key was sent for two acts")
    written: dict[str, list[Any]] = {}
    for entry in entries:
        written.setdefault(entry.act, []).append(entry)
    for key, of_act in written.items():
        act = sent.get(key)
        if act is None:
            faults.append(f"{key} is in the log, and nobody sent it")
        elif {entry.account_id for entry in of_act} != {act.account_id}:
            faults.append(f"{key} is in the log as somebody else's")
        elif act.status == 409:
            faults.append(f"{key} was refused, and is in the log")
        if len({entry.object_id for entry in of_act}) != len(of_act):
            faults.append(f"{key} changed an object twice")
        if of_act[-1].seq - of_act[0].seq != len(of_act) - 1:
            faults.append(f"{key} is torn apart")
    for act in report.acts:
        there = frozenset((entry.object_id, entry.seq) for entry in written.get(act.key, ()))
        if act.status == 200 and act.changed != there:
            faults.append(f"{act.key} was said to be saved, and the log has something else")
    values: dict[tuple[Any, ...], Any] = {}
    versions: dict[tuple[Any, ...], int] = {}
    for entry in everything:
        place = (entry.topic, entry.layer, entry.kind, entry.object_id)
        if entry.before != values.get(place):
            faults.append(f"entry {entry.seq} does not follow from the one before it")
        values[place], versions[place] = entry.after, entry.seq
    shown = {(one.topic, one.layer, one.kind, one.id): one for one in desk.log.objects(project_id)}
    standing = {place: value for place, value in values.items() if value is not None}
    if {place: one.value for place, one in shown.items()} != standing:
        faults.append("what is shown is not what the log adds up to")
    if any(one.version != versions[place] for place, one in shown.items()):
        faults.append("an object has another version than its last entry's number")
    holders = desk.claims.holders(project_id, 1, "matching")
    if any(len(people) > JUDGES or len(set(people)) != len(people) for people in holders.values()):
        faults.append("an item went to more people than were asked, or to somebody twice")
    judged = Counter(
        object_id
        for _, layer, kind, object_id in standing
        if kind == "matches" and layer.startswith("judge-")
    )
    if judged and max(judged.values()) > JUDGES:
        faults.append("an item was judged by more people than were asked")
    return faults


class ServerProcess:
    """`tidings assess serve` in a process of its own, always at the same address."""

    def __init__(self, store: str) -> None:
        self._store = store
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "tidings", "assess", "serve", "--store", self._store]
        self._process = subprocess.Popen(
            [*command, "--port", str(self._port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(600):
            try:
                httpx.get(f"{self.address}/sign-in", timeout=60)
            except httpx.TransportError:
                time.sleep(0.1)
            else:
                return
        raise TimeoutError("the desk did not start")

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def server_process(store: str) -> Iterator[ServerProcess]:
    """A desk that is served until the end of the `with`."""
    server = ServerProcess(store)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def main() -> int:
    """Try it as the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--assessors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args()
    more = {"assessors": options.assessors, "seconds": options.seconds, "kills": options.kills}
    if options.store == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            report = try_crowd(str(Path(folder) / "desk.db"), **more)
    else:
        with server_of_its_own(durable=True) as url:
            report = try_crowd(url, **more)
    print("\n".join(report.lines()))
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
