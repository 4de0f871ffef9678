"""Whatever a file holds, a reader gives a result or a TidingsError that says where and what: never anything else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from tests.sources.formats.test_hostile_others import cuts, damaged
from tests.sweeps import every
from tidings.core.errors import FormatError, LimitError, OutputError, Problems, TidingsError, UsageError
from tidings.core.files.reading import Limits
from tidings.core.records import Document, Event, Nugget, Run, Update
from tidings.following.digests.timeline_files import read_timelines
from tidings.following.outputs.outputs import read_updates
from tidings.following.outputs.runs import read_runs, write_runs
from tidings.following.outputs.trec_runs import read_run
from tidings.sources.own.documents import read_documents, write_documents
from tidings.sources.own.events import read_event_file, write_event
from tidings.sources.streams import read_events, read_judgments, read_stream
from tidings.sources.trec.judgments import (
    read_duplicates,
    read_matches,
    read_nuggets,
    read_pool,
    write_nuggets,
)
from tidings.sources.trec.topics import read_topics, write_topics

Reader = Callable[..., Any]

GOOD: dict[str, bytes] = {
    "documents.jsonl": b'{"id":"1-a","published_time":1,"sentences":["A ferry burns."]}\n',
    "updates.jsonl": b'{"event":"11","doc":"1-a","sentence":0,"time":1,"team":"us","run":"r"}\n',
    "events.jsonl": b'{"id":"11","query":"ferry"}\n',
    "event.json": b'{"id":"11","query":"ferry"}\n',
    "topics.xml": b"<events><event><id>11</id><start>1</start><end>9</end><query>q</query></event></events>\n",
    "a.run": b"11 us r 1-a 0 1 1.0\n",
    "nuggets.tsv": b"query_id\tnugget_id\ttimestamp\timportance\tnugget_len\tnugget_text\n"
    b"TS14.11\tVMTS14.11.001\t1\t2\t5\tFire!\n",
    "matches.tsv": b"query_id\tupdate_id\tnugget_id\tmatch_start\tmatch_end\tauto_p\n"
    b"TS14.11\t1-a-0\tVMTS14.11.001\t0\t5\t0\n",
    "updates_sampled.tsv": b"query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
    b"TS14.11\t1-a-0\t1-a\t0\t5\tNULL\tFire!\n",
    "duplicates.tsv": b"1-a-0\t1-b-0\n",
    "timeline.txt": b"2010-01-01\nJust a test .\n"
    + b"-" * 32
    + b"\n2010-01-03\nMore .\n"
    + b"-" * 32
    + b"\n",
}
READERS: dict[str, Reader] = {
    "documents.jsonl": read_documents,
    "updates.jsonl": read_updates,
    "events.jsonl": read_event_file,
    "event.json": read_event_file,
    "topics.xml": read_topics,
    "a.run": read_run,
    "nuggets.tsv": read_nuggets,
    "matches.tsv": read_matches,
    "updates_sampled.tsv": read_pool,
    "duplicates.tsv": read_duplicates,
    "timeline.txt": read_timelines,
}
every_reader = pytest.mark.parametrize("name", list(READERS))


def read(path: Path, name: str, **options: Any) -> list[Any]:
    return list(READERS[name](path, **options))


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def judgments_folder(folder: Path) -> Path:
    for name in ("topics.xml", "nuggets.tsv", "matches.tsv", "updates_sampled.tsv"):
        put(folder, name, GOOD[name])
    return folder


def said(path: Path, name: str) -> str:
    """The message about a file that must be refused, which must begin with its name and say what was found."""
    with pytest.raises(TidingsError) as raised:
        read(path, name)
    assert str(raised.value).startswith(str(path))
    return str(raised.value)


def check_damaged(folder: Path, name: str, changes: Any, lenient: bool) -> None:
    path = put(folder, name, damaged(GOOD[name] * 2, changes))
    try:
        read(path, name, problems=Problems(lenient=lenient))
    except TidingsError as error:
        assert str(error)


class TestEveryReader:
    @every_reader
    def test_a_good_file_is_read(self, tmp_path: Path, name: str) -> None:
        assert len(read(put(tmp_path, name, GOOD[name]), name)) in {1, 2}

    @every_reader
    def test_a_byte_order_mark_and_crlf_do_not_matter(self, tmp_path: Path, name: str) -> None:
        plain = read(put(tmp_path, name, GOOD[name]), name)
        marked = b"\xef\xbb\xbf" + GOOD[name].replace(b"\n", b"\r\n")
        assert read(put(tmp_path, name, marked), name) == plain

    @every_reader
    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
    def test_a_file_that_may_not_be_read(self, tmp_path: Path, name: str) -> None:
        put(tmp_path, name, GOOD[name]).chmod(0)
        assert "check its permissions" in said(tmp_path / name, name)

    @every_reader
    @pytest.mark.parametrize("other", [name for name in GOOD if name not in {"event.json", "updates.jsonl"}])
    def test_a_file_of_another_format(self, tmp_path: Path, name: str, other: str) -> None:
        if name == other or {name, other} == {"event.json", "events.jsonl"}:
            return
        if (name, other) == ("a.run", "matches.tsv"):
            pytest.skip("six columns: told by their number only")
        assert "expected" in said(put(tmp_path, name, GOOD[other]), name)

    @every_reader
    def test_an_empty_file(self, tmp_path: Path, name: str) -> None:
        for data in (b"", b"\n \n\n"):
            path = put(tmp_path, name, data)
            try:
                assert read(path, name) == []  # what may be empty: a stream, a run that says nothing
                assert name in {"documents.jsonl", "updates.jsonl", "a.run", "duplicates.tsv"}
            except FormatError as error:
                assert "expected" in str(error)

    @every_reader
    @given(changes=cuts, lenient=st.booleans())
    def test_damage(
        self, tmp_path_factory: pytest.TempPathFactory, name: str, changes: Any, lenient: bool
    ) -> None:
        check_damaged(tmp_path_factory.mktemp("r"), name, changes, lenient)

    @pytest.mark.long
    @every_reader
    def test_a_thousand_damages(self, tmp_path: Path, name: str) -> None:
        @settings(max_examples=1000)
        @given(cuts, st.booleans())
        def damage(changes: Any, lenient: bool) -> None:
            check_damaged(tmp_path, name, changes, lenient)

        damage()


class TestEmptyChoice:
    """Where something must be there, nothing is an error."""

    @every("name", ["a.run", "updates.jsonl"])
    def test_a_run_without_a_line_cannot_be_scored(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(FormatError, match=r"(no updates|an empty file) \(expected"):
            read_runs(put(tmp_path, name, b""))

    def test_a_stream_file_without_a_document(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match=r"no document \(expected a document a line\); check that"):
            list(read_stream(put(tmp_path, "documents.jsonl", b"")))


class TestWrongPlaces:
    @every("name", ["topics.xml", "event.json"])
    def test_a_stream_is_no_event(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(FormatError, match=r"expected documents \(.jsonl\), a pool \(.tsv\) or a folder"):
            list(read_stream(put(tmp_path, name, GOOD[name])))

    def test_a_run_is_no_stream(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match=r"a.run: nothing that is known"):
            list(read_stream(put(tmp_path, "a.run", GOOD["a.run"])))

    def test_a_folder_is_no_run(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="this is a folder"):
            read_runs(tmp_path)

    def test_an_unknown_pool(self, tmp_path: Path) -> None:
        folder = judgments_folder(tmp_path)
        for read_it in (read_judgments, read_stream):
            with pytest.raises(UsageError, match="there is no pool 'all'; it is sampled or extended"):
                read_it(folder, pool="all")
            with pytest.raises(UsageError, match="has no extended pool"):
                read_it(folder, pool="extended")


class TestTrecFolder:
    def test_a_good_folder(self, tmp_path: Path) -> None:
        judged = read_judgments(judgments_folder(tmp_path))
        assert [len(part) for part in (judged.events, judged.nuggets, judged.matches, judged.pool)] == [
            1,
            1,
            1,
            1,
        ]
        assert judged.events[0].id == "TS14.11"
        assert judged.byte_spans and not judged.pool_headless
        (document,) = read_stream(tmp_path)
        assert (document.published_time, document.sentences[0].events) == (1, ("TS14.11",))

    @every(
        "name, old, new, message",
        [
            ("nuggets.tsv", b"\t2\t5", b"\t2", r"nuggets.tsv:2: 5 columns \(expected 6"),
            ("nuggets.tsv", b"\t2\t5", b"\thigh\t5", r"nuggets.tsv:2: importance 'high'"),
            ("nuggets.tsv", b"\t1\t2", b"\t-1\t2", r"nuggets.tsv:2: timestamp -1"),
            ("nuggets.tsv", b"\t1\t2", b"\tinf\t2", r"nuggets.tsv:2: timestamp 'inf'"),
            ("nuggets.tsv", b"\t1\t2", b"\t1326491100000\t2", "divide by 1000"),
            ("matches.tsv", b"\t0\t5\t0", b"\t6\t5\t0", "a match from 6 to 5"),
            ("matches.tsv", b"VMTS14.11.001", b"VMTS13.01.001", "take both files from one year"),
            ("matches.tsv", b"\t0\t5\t0", b"\t0\tnan\t0", r"matches.tsv:2: match_end 'nan'"),
            (
                "updates_sampled.tsv",
                b"1-a-0",
                b"1-b-0",
                r"update_id '1-b-0' \(expected doc_id-sentence_id",
            ),
            ("topics.xml", b"<start>1<", b"<start>soon<", r"topics.xml:1: <start> 'soon'"),
            ("topics.xml", b"<id>11</id>", b"", "an <event> without <id>"),
            ("topics.xml", b"<events>", b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><events>', "DOCTYPE"),
            ("topics.xml", b"<query>q", b"<query>&lol;", "topics.xml:1: bad XML"),
        ],
    )
    def test_a_bad_place(self, tmp_path: Path, name: str, old: bytes, new: bytes, message: str) -> None:
        assert old in GOOD[name]
        put(judgments_folder(tmp_path), name, GOOD[name].replace(old, new))
        with pytest.raises(FormatError, match=message):
            read_judgments(tmp_path)

    def test_an_entity_bomb_is_not_expanded(self, tmp_path: Path) -> None:
        bomb = b'<!DOCTYPE e [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><events>&b;</events>'
        with pytest.raises(FormatError, match=r"a document type \(DOCTYPE\) .*; remove it"):
            read_events(put(tmp_path, "topics.xml", bomb))

    def test_a_pool_whose_ids_hold_no_time_cannot_be_followed(self, tmp_path: Path) -> None:
        path = put(tmp_path, "p.tsv", GOOD["updates_sampled.tsv"].replace(b"1-a", b"x-a"))
        with pytest.raises(
            FormatError, match=r"document id 'x-a' \(expected an id that begins with its time"
        ):
            list(read_stream(path))
        problems = Problems(lenient=True)
        assert list(read_stream(path, problems=problems)) == []
        assert problems.count == 1


class TestLongLines:
    def test_a_line_without_end_is_refused_before_it_fills_memory(self, tmp_path: Path) -> None:
        limits = Limits(max_line_bytes=1 << 20)
        path = put(tmp_path, "d.jsonl", b'{"id":"' + b"a" * (3 << 20))
        with pytest.raises(LimitError, match=r"d.jsonl:1: a line of more than 1 MiB"):
            list(read_documents(path, limits=limits))

    def test_a_stream_of_any_length_is_read_in_flat_memory(self, tmp_path: Path) -> None:
        import tracemalloc

        def peak(count: int) -> int:
            path = put(tmp_path, f"{count}.jsonl", GOOD["documents.jsonl"] * count)
            tracemalloc.start()
            assert sum(1 for _ in read_documents(path)) == count
            size = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return size

        assert peak(24_000) < 1.5 * peak(6_000)


WRITERS: dict[str, Callable[[Path], None]] = {
    "documents.jsonl": lambda path: write_documents(
        path, [Document(id="a", published_time=1, text="x" * 70_000)]
    ),
    "updates.jsonl": lambda path: write_runs(path, [Run("us", "r", (Update("e", "a", 0, 1),) * 2000)]),
    "a.run.gz": lambda path: write_runs(path, [Run("us", "r", (Update("e", "a", 0, 1),) * 2000)]),
    "event.json": lambda path: write_event(
        path, Event(id="e", title="", query="q", start_time=0, end_time=9)
    ),
    "topics.xml": lambda path: write_topics(
        path, [Event(id="e", title="", query="q", start_time=0, end_time=9)]
    ),
    "nuggets.tsv": lambda path: write_nuggets(path, [Nugget("e", "n", 1, 1, "text")]),
}


class TestWriting:
    @pytest.mark.parametrize("name", list(WRITERS))
    @pytest.mark.parametrize("call", ["write", "fsync", "replace"])
    def test_a_full_disk_leaves_the_old_file_and_nothing_else(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, call: str
    ) -> None:
        put(tmp_path, name, b"old")

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(os, call, full)
            with pytest.raises(
                OutputError, match=r"could not be written \(No space left on device\).*make room"
            ):
                WRITERS[name](tmp_path / name)
        assert [path.name for path in tmp_path.iterdir()] == [name]
        assert (tmp_path / name).read_bytes() == b"old"

    @every("name", list(WRITERS))
    def test_a_full_device(self, name: str) -> None:
        if not Path("/dev/full").exists():
            pytest.skip("no /dev/full here")
        with pytest.raises(OutputError, match=r"/dev/full: could not be written \(No space left on device\)"):
            WRITERS[name](Path("/dev/full")) if not name.startswith("updates") else WRITERS["a.run.gz"](
                Path("/dev/full")
            )

    @every("name", list(WRITERS))
    def test_places_that_cannot_be_written_to(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(OutputError, match="could not be written"):
            WRITERS[name](tmp_path / "no such folder" / name)
        (tmp_path / name).mkdir()
        with pytest.raises(OutputError, match="is a folder; name a file"):
            WRITERS[name](tmp_path / name)
        assert [path.name for path in tmp_path.iterdir()] == [name]

    def test_an_error_of_the_source_leaves_the_old_file(self, tmp_path: Path) -> None:
        put(tmp_path, "d.jsonl", b"old")
        bad = put(tmp_path, "bad.jsonl", GOOD["documents.jsonl"] * 3000 + b"{}\n")
        with pytest.raises(FormatError, match=r"bad.jsonl:3001"):
            write_documents(tmp_path / "d.jsonl", read_documents(bad))
        assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.jsonl", "d.jsonl"]
        assert (tmp_path / "d.jsonl").read_bytes() == b"old"

    def test_text_that_json_cannot_hold(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError, match="JSON can hold no broken text"):
            write_documents(tmp_path / "d.jsonl", [Document(id="a", published_time=1, text="\udcff")])
        assert list(tmp_path.iterdir()) == []
