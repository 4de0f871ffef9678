"""How version-4.db was made: by the code of commit 013af16, the last that wrote stores of version 4.

    git worktree add /tmp/013af16 013af16
    PYTHONPATH=/tmp/013af16/src python tests/core/store/data/make_version_4.py tests/store/data

It holds a run over version-1.jsonl (called STREAM in its settings), stopped half-way, and a desk with one project.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from tidings.annotation.store import Act, Desk
from tidings.core.records.assessment import Change
from tidings.core.store import open_store
from tidings.following.hosting import RunSettings, host, query_events
from tidings.following.stream import Source, loop
from tidings.sources.own.documents import read_documents

folder = Path(sys.argv[1])
store_file = folder / "version-4.db"
store_file.unlink(missing_ok=True)
loop._COMMIT_EVERY_S = 0
settings = RunSettings(
    events=tuple(query_events(["storm damage"])),
    system="cosine:similarity=0.8",
    store=str(store_file),
    name="storm.run",
)
left = iter(range(30))
source = Source("STREAM", lambda: read_documents(folder / "version-1.jsonl"))
with host(settings, sources=[source], choice="corpus", stop=lambda: next(left, None) is None) as run:
    for _ in run:
        pass

with open_store(str(store_file)) as store:
    desk = Desk(store)
    project = desk.projects.add("storm")
    desk.log.record(project.id, Act(key="a", operation="x", topic=1), [Change("final", "k", "o", 1)])

with sqlite3.connect(store_file) as connection:
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("VACUUM")
