"""Killed at any statement, a run with outputs of every kind ends as if it had never stopped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.core.store.databases import killed_at, needs_fork
from tests.following.stream.fakes import Every, EveryFollower, make_documents, make_event
from tidings.core.protocols import System
from tidings.core.records import EntityRanking, Evidence, Output, Sentence, ValueUpdate
from tidings.core.store import open_store
from tidings.following.stream import loop
from tidings.following.stream.loop import follow_stream

DOCUMENTS = make_documents(range(40))


class EveryKind(Every):
    """Gives of each sentence an update, a value and a ranking of entities."""

    def start(self, event) -> EveryKindFollower:
        return EveryKindFollower(self, event)


class EveryKindFollower(EveryFollower):
    def push(self, sentences: Sequence[Sentence], now: int) -> list[Output]:
        outputs: list[Output] = []
        for update in super().push(sentences, now):
            evidence = Evidence(update.doc_id, update.sentence_index, update.text)
            outputs += [
                update,
                ValueUpdate(update.event_id, now, "deaths", (float(self.seen),), evidence=(evidence,)),
                EntityRanking(update.event_id, "2013-07-24", ("Santiago", update.doc_id), now),
            ]
        return outputs


def run_to_end(path: str) -> list[tuple[int, Output]]:
    system: System = EveryKind()
    with open_store(path) as store, store.begin("r", {}, events=[make_event()]) as run:
        for _ in follow_stream(DOCUMENTS, [make_event()], system, run, lateness_s=0):
            pass
        return list(run.outputs())


@pytest.fixture(autouse=True)
def commit_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "_COMMIT_EVERY_S", 0)
    monkeypatch.setattr(loop, "_COMMIT_SHARE", 0)


@needs_fork
@pytest.mark.parametrize("statement", [3, 45, 60, 61, 62, 63, 64, 65, 120, 200])
def test_killed_at(tmp_path: Path, statement: int) -> None:
    expected = run_to_end(str(tmp_path / "undisturbed.db"))
    assert [seq for seq, _ in expected] == list(range(1, 241))
    killed = str(tmp_path / "killed.db")
    assert killed_at(statement, lambda: run_to_end(killed))
    assert run_to_end(killed) == expected
