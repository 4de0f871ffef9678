"""How version-3.db was made: by the code of commit 3bf05e5, the last that wrote stores of version 3.

    git worktree add /tmp/3bf05e5 3bf05e5
    PYTHONPATH=/tmp/3bf05e5/src python tests/core/store/data/make_version_3.py tests/store/data

It holds a run over version-1.jsonl (called STREAM in its settings), stopped half-way, and an inbox with three items,
one of which is waiting.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from tidings.core.records import Document
from tidings.core.records.inbox import Arrival, InboxChange, KeptFeed
from tidings.core.store import open_store
from tidings.following.hosting import RunSettings, host, query_events
from tidings.following.stream import Source, loop
from tidings.sources.inbox import open_inbox
from tidings.sources.own.documents import read_documents

folder = Path(sys.argv[1])
store_file = folder / "version-3.db"
store_file.unlink(missing_ok=True)
loop._COMMIT_EVERY_S = 0
settings = RunSettings(
    events=tuple(query_events(["storm damage"])),
    system="cosine:similarity=0.8",
    store=str(store_file),
    name="storm.run",
)
left = iter(range(50))
source = Source("STREAM", lambda: read_documents(folder / "version-1.jsonl"))
with host(settings, sources=[source], choice="corpus", stop=lambda: next(left, None) is None) as run:
    for _ in run:
        pass

feed = "https://feed.example/storm.xml"
arrivals = [
    Arrival(feed, Document(id=f"item-{n}", published_time=1000 + n, text=f"Storm item {n}."))
    for n in range(3)
]
with open_store(str(store_file)) as store, open_inbox(store, f"feeds of {feed}") as inbox:
    inbox.commit(
        InboxChange(
            now=2000,
            feeds=(KeptFeed(url=feed, title="Storm", next_time=2600, error="", state=b"state"),),
            hosts={"feed.example": b"host"},
            arrivals=tuple(arrivals[:2]),
            waiting={1: arrivals[2]},
            memory=b"memory",
            fresh=(b"fresh",),
        )
    )

with sqlite3.connect(store_file) as connection:
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("VACUUM")
