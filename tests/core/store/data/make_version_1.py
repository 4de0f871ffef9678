"""How version-1.db was made: by the code of commit 607323e, the last that wrote stores of version 1.

    git worktree add /tmp/607323e 607323e
    PYTHONPATH=/tmp/607323e/src python tests/core/store/data/make_version_1.py tests/store/data

`storm.run` is a run of the command line, stopped half-way through version-1.jsonl (called STREAM in its settings);
`texts` is a finished run with texts that databases refuse, and `empty` was begun and nothing more.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
from pathlib import Path

from tidings.cli.following import describe_events, make_event
from tidings.formats.documents import read_documents

from tidings.core.records import LateDocument, Position, Update
from tidings.core.store import open_store
from tidings.following.stream import Source, follow_stream, loop
from tidings.following.systems import make, spec_of

folder = Path(sys.argv[1])
documents, store_file = folder / "version-1.jsonl", folder / "version-1.db"

TEXT = """
harbour council road bridge market school river night police crowd train doctor minister engine island
"""
WORDS = TEXT.split()
chance = random.Random(607323)
time = 1_400_000_000
with documents.open("w", encoding="utf-8") as file:
    for number in range(100):
        time += chance.randrange(90)
        sentences = []
        for _ in range(3):
            words = chance.choices(WORDS, k=chance.randrange(5, 12))
            if chance.random() < 0.4:
                words[:0] = ["storm", "damage", str(chance.randrange(2000))]
            sentences.append(" ".join(words).capitalize() + ".")
        published_time = time - chance.randrange(300) - (5000 if number == 30 else 0)
        record = {
            "id": f"doc-{number:03d}",
            "published_time": published_time,
            "source": "wire",
            "sentences": sentences,
        }
        file.write(json.dumps(record) + "\n")

store_file.unlink(missing_ok=True)
loop._COMMIT_EVERY_S = 0
event, system = make_event("storm damage", None, None), make("cosine:similarity=0.8")
with open_store(str(store_file)) as store:
    settings = {
        "system": spec_of(system),
        "events": describe_events([event]),
        "streams": "STREAM",
        "interval": "document",
        "lateness": "10m",
        "mixed": "no",
        "pool": "sampled",
        "lenient": "no",
    }
    left = iter(range(50))
    with store.begin("storm.run", settings) as run:
        source = Source("STREAM", lambda: read_documents(documents))
        list(follow_stream([source], [event], system, run, stop=lambda: next(left, None) is None))
    with store.begin("texts", {"system": "none", "caf\xe9": "\udcff"}) as run:
        run.load()
        texts = ["", "\x00", "\udcff caf\xe9", '\x1b"a"', "\U0001f600", "a\nb"]
        position = Position(
            source="\udcff",
            released=9,
            read=9,
            first_id="\x00",
            last_id="z",
            last_time=9,
            digest=2**32 - 1,
            ends=((4, 9),),
        )
        updates = [
            Update(text, text, number, 9, float("nan") if number == 3 else 0.5, text, 9, text)
            for number, text in enumerate(texts)
        ]
        run.commit(
            [position],
            {text: text.encode("utf-8", "surrogatepass") for text in texts},
            updates,
            [LateDocument("\udcff", 2, "\x00", 1, 5)],
            finished=True,
        )
    store.begin("empty", {}).close()

with sqlite3.connect(store_file) as connection:
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.execute("VACUUM")
