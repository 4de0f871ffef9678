"""Standing events whose process is killed at any statement: the same documents and the same log, the same outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import Engine, event

from tests.live.pages.followed import INBOX, documents, fill, follow_inbox, santiago
from tidings.core.records.standing import ReaderMark, StandingState
from tidings.core.store import open_store
from tidings.live.store import LiveStore
from tidings.sources.inbox import open_inbox

ID = "santiago-2013"


def changed(live: LiveStore, **fields: object) -> None:
    standing = live.events.find(ID)
    assert standing is not None
    live.events.change(replace(standing, event=replace(standing.event, **fields)), "ada")


def turned(live: LiveStore, state: StandingState) -> None:
    standing = live.events.find(ID)
    assert standing is not None
    live.events.change(replace(standing, state=state), "ada")


def marked(live: LiveStore) -> None:
    update = live.outputs.latest(event_id=ID, kinds=["update"], limit=1)[0].output
    live.events.mark(ID, ReaderMark(update_id=update.id, text=update.text, mark="known"), "bo")  # type: ignore[union-attr]


def another(live: LiveStore) -> None:
    standing = santiago("cosine", "10/day")
    other = replace(standing.event, id="rescue", query="rescue hospital injured")
    live.events.add(replace(standing, event=other, since=documents(8)[-1].published_time), "bo")


PLAN: list[tuple[Callable[[LiveStore], object], int]] = [
    (lambda live: live.events.add(santiago("tidings:values=yes,wait=20m", "up to 40/day"), "ada"), 12),
    (lambda live: changed(live, query="santiago train driver", languages=("en",)), 18),
    (marked, 22),
    (another, 26),
    (lambda live: turned(live, "paused"), 29),
    (lambda live: turned(live, "followed"), 33),
    (lambda live: turned(live, "closed"), 35),
    (lambda live: turned(live, "followed"), 38),
]
"""What is written to the log, and up to which document the inbox is filled and followed before the next of it."""


def drive(store: str) -> None:
    """Do what of the plan is not done yet."""
    with open_store(store) as opened, open_inbox(opened, INBOX) as inbox:
        live = LiveStore(opened)
        for number, (write, last) in enumerate(PLAN):
            if len(live.events.log()) == number:
                write(live)
            if inbox.last_seq < last:
                fill(inbox, documents(last)[inbox.last_seq :])
            follow_inbox(opened, inbox)


def outcome(store: str) -> list[bytes]:
    """All that was told, and where each change took effect."""
    with open_store(store) as opened:
        live = LiveStore(opened)
        applied = [msgspec.json.encode((entry.seq, entry.kind, entry.applied)) for entry in live.events.log()]
        return [msgspec.json.encode(one.output) for one in live.outputs.after(0)] + applied


class Killed(BaseException):
    """The process ends here."""


@contextmanager
def killed_after(statements: int) -> Iterator[list[int]]:
    """End the block before that statement; what was not committed is lost, as with a process."""
    seen = [0]

    def count(*_: object) -> None:
        seen[0] += 1
        if seen[0] == statements:
            raise Killed

    event.listen(Engine, "before_cursor_execute", count)
    try:
        yield seen
    except Killed:
        pass
    finally:
        event.remove(Engine, "before_cursor_execute", count)


def killed_again_and_again(store: str, every: int) -> int:
    """Drive it with a kill every so many statements, until it is done; how often it was killed."""
    kills = 0
    while True:
        with killed_after(every) as seen:
            drive(store)
        if seen[0] < every:
            return kills
        kills += 1
        every += kills % 7  # so that no kill meets the same statement for ever


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[bytes], int]:
    """What is told without any kill, and after how many statements."""
    store = str(tmp_path_factory.mktemp("undisturbed") / "a.db")
    with killed_after(-1) as seen:
        drive(store)
    return outcome(store), seen[0]


def test_kills_change_nothing(undisturbed: tuple[list[bytes], int], tmp_path: Path) -> None:
    expected, _ = undisturbed
    assert {b'"rescue"' in line for line in expected} == {True, False}
    assert [line for line in expected if b'"closed"' in line] == [b'[7,"closed",33]']
    store = str(tmp_path / "a.db")
    assert killed_again_and_again(store, 200) >= 2
    assert outcome(store) == expected


@pytest.mark.long
def test_a_kill_at_every_statement_changes_nothing(
    undisturbed: tuple[list[bytes], int], tmp_path: Path
) -> None:
    expected, statements = undisturbed
    for number in range(1, statements + 1):
        store = str(tmp_path / f"{number}.db")
        with killed_after(number):
            drive(store)
        drive(store)
        assert outcome(store) == expected, f"killed before statement {number}"
        for path in tmp_path.iterdir():
            path.unlink()
