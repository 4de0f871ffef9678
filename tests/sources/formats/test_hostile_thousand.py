"""A thousand damaged files for each reader of the first formats: a clear error or a result, never a traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.sources.formats.test_hostile_others import cuts, damaged
from tests.sweeps import every
from tidings.core.errors import Problems, TidingsError
from tidings.following.digests.timeline_files import read_timelines
from tidings.following.outputs.runs import read_runs
from tidings.sources import bundled
from tidings.sources.own.documents import read_documents
from tidings.sources.own.events import read_event_file
from tidings.sources.trec.judgments import read_matches, read_nuggets, read_pool
from tidings.sources.trec.topics import read_topics

RUN = b"11 team run 1374691950-aa 0 1374691950 1\n11 team run 1374691950-bb 3 1374691999 .5\n"
UPDATES = b'{"event":"e","update":"d-0","doc":"d","sentence":0,"time":5,"published_time":4,"text":"x","confidence":1}\n'
NUGGETS = (
    b"query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text\n"
    b"TS14.11\tVMTS14.11.001\t1326600584\t2\t9\tran aground\nTS14.11\tVMTS14.11.002\t1326600585\t3\t4\t32 dead\n"
)
MATCHES = (
    b"query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p\n"
    b"TS14.11\t1326502200-aa-5\tVMTS14.11.001\t0\t8\t0\nTS14.11\t1326502200-aa-6\tVMTS14.11.002\t3\t8\t1\n"
)
POOL = (
    b"query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
    b"TS14.11\t1326502200-aa-5\t1326502200-aa\t5\t20\tNULL\tThe ship ran aground\n"
)
TOPICS = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<events><event><id>11</id><title>A ship</title><description/>'
    b"<start>1326491100</start><end>1328054400</end><query>ship aground</query><type>accident</type></event></events>\n"
)
DASHES = b"-" * 32 + b"\n"
TIMELINE = b"2010-01-01\nJust a test .\nAnother sentence .\n" + DASHES + b"2010-01-03\nMore .\n" + DASHES

READERS: dict[str, tuple[str, bytes, Callable[[Path, Problems], Any]]] = {
    "runs": ("a.run", RUN, lambda path, problems: read_runs(path, problems=problems)),
    "updates": ("a.jsonl", UPDATES, lambda path, problems: read_runs(path, problems=problems)),
    "nuggets": ("nuggets.tsv", NUGGETS, lambda path, problems: read_nuggets(path, problems=problems)),
    "matches": ("matches.tsv", MATCHES, lambda path, problems: read_matches(path, problems=problems)),
    "pool": ("pool.tsv", POOL, lambda path, problems: read_pool(path, problems=problems)),
    "topics": ("topics.xml", TOPICS, lambda path, _: read_topics(path)),
    "event": (
        "event.json",
        (bundled.path() / "event.json").read_bytes(),
        lambda path, _: read_event_file(path),
    ),
    "documents": (
        "documents.jsonl",
        b"".join((bundled.path() / "documents.jsonl").read_bytes().splitlines(keepends=True)[:3]),
        lambda path, problems: list(read_documents(path, problems=problems)),
    ),
    "timelines": ("a.txt", TIMELINE, lambda path, problems: read_timelines(path, problems=problems)),
}


def check(path: Path, name: str, changes: Any, lenient: bool) -> None:
    """One damaged file, read."""
    _, whole, read = READERS[name]
    path.write_bytes(damaged(whole, changes))
    try:
        read(path, Problems(lenient=lenient))
    except TidingsError as error:
        assert str(error)


@every("name", READERS)
def test_whole_files_are_read(tmp_path: Path, name: str) -> None:
    """So that the damage is what the other tests are about."""
    file, whole, read = READERS[name]
    (tmp_path / file).write_bytes(whole)
    assert read(tmp_path / file, Problems())


@pytest.mark.long
@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
@pytest.mark.parametrize("name", READERS)
def test_a_thousand_damaged_files(tmp_path: Path, name: str, lenient: bool) -> None:
    @settings(max_examples=1000)
    @given(cuts)
    def damage(changes: Any) -> None:
        check(tmp_path / READERS[name][0], name, changes, lenient)

    damage()
