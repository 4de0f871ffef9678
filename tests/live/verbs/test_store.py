"""`tidings store`: old documents and alarms pruned beside who fills them, copies made and put back."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from sqlalchemy import insert, select

from tests.core.store.test_backup import fill_store
from tests.live.pages.followed import documents, fill, santiago, site
from tidings.cli import run as tidings
from tidings.core.store import open_store
from tidings.core.store.schema import live_alarms, live_channels
from tidings.core.store.table_rows import with_digest
from tidings.live.verbs.store_prune import prune
from tidings.sources.inbox import open_inbox


def test_pruning_beside_who_fills_it(any_store: str) -> None:
    before_s = documents(40)[25].published_time
    with site(any_store, santiago(), count=40) as (live, _), open_inbox(live.store, "old") as inbox:
        fill(inbox, documents(40))
        with open_store(any_store) as other:
            _deliver_alarms(other, before_s)
            # What is followed stays as far as the run reads it again when it goes on.
            pruned = prune(other, before_s)
            assert pruned.documents == {"old": 25} and pruned.sizes["old"] > 0 and pruned.alarms == 2
            assert prune(other, before_s).documents == {}
        # Who fills it knows of that with the next document.
        fill(inbox, documents(60)[40:])
        assert (inbox.items, inbox.last_seq) == (35, 60)
        kept = inbox.documents(0, 500)
        assert [seq for seq, _ in kept] == list(range(26, 61))
        assert inbox.size == sum(len(msgspec.msgpack.encode(one)) for _, one in kept)
        with live.store.asking() as connection:
            left = connection.execute(select(live_alarms.c.seq).order_by(live_alarms.c.seq)).scalars().all()
        assert left == [3, 4, 5]


def _deliver_alarms(store: object, before_s: int) -> None:
    channel = {"id": 1, "name": "c", "kind": "webhook", "address": "", "secret": "", "settings": "{}"}
    with store.writing() as connection:  # type: ignore[attr-defined]
        connection.execute(
            insert(live_channels).values(**with_digest(live_channels, {**channel, "disabled_ms": None}))
        )
        for seq, delivered in enumerate((1, 2, None, before_s * 1000, 1), 1):
            row = dict.fromkeys(
                ("created_ms", "next_ms", "leased_until_ms", "attempts", "rule_id", "output_seq"), 0
            ) | {
                "seq": seq,
                "alarm_id": f"a{seq}",
                "channel_id": 1,
                "event_id": "e",
                "body": "{}",
                "delivered_ms": delivered,
                "error": "",
            }
            connection.execute(insert(live_alarms).values(**with_digest(live_alarms, row)))


def test_the_verbs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert tidings(["store", "backup", "copy"]) == 2
    assert tidings(["store", "prune", "--older", "30d"]) == 2
    assert tidings(["store", "restore", "copy"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3 and list(Path().iterdir()) == []
    fill_store("tidings.db")
    assert tidings(["store", "backup", "copy"]) == 0
    assert "copy: 1 run" in capsys.readouterr().err
    assert tidings(["store", "restore", "copy"]) == 2
    assert tidings(["store", "restore", "copy", "--force"]) == 0
    assert tidings(["store", "prune", "--older", "long"]) == 2
    with open_store("tidings.db") as opened, open_inbox(opened, "old") as inbox:
        fill(inbox, documents(20))
    capsys.readouterr()
    assert tidings(["store", "prune", "--older", "30d"]) == 0
    assert "removed 20 documents (0.0 MB) of the inbox of old" in capsys.readouterr().err
    assert tidings(["store", "prune", "--older", "30d"]) == 0
    assert "nothing is older than 30d" in capsys.readouterr().err
