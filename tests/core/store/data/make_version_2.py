"""How version-2.db was made: by the code of commit badb7d6, the last that wrote stores of version 2.

    git worktree add /tmp/badb7d6 badb7d6
    PYTHONPATH=/tmp/badb7d6/src python tests/core/store/data/make_version_2.py tests/store/data

`storm.run` is a run over version-1.jsonl (called STREAM in its settings), stopped half-way.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from tidings.following.hosting import RunSettings, host, query_events
from tidings.following.stream import Source, loop
from tidings.sources.own.documents import read_documents

folder = Path(sys.argv[1])
store_file = folder / "version-2.db"
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

with sqlite3.connect(store_file) as connection:
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("VACUUM")
