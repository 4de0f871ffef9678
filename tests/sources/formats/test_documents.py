"""Documents in and updates out, as JSON Lines."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, Problems
from tidings.core.records import Document, Run, Sentence, Update
from tidings.following.outputs.outputs import read_updates, write_updates
from tidings.sources.own.documents import read_documents, write_documents

# What any text may hold: everything but lone surrogates (no UTF-8) and the zero character (no database).
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
ids = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=12)
times = st.integers(0, 253402300799)
numbers = st.floats(allow_nan=False, allow_infinity=False)
pooled_for = st.none() | st.lists(ids, max_size=3).map(tuple)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    doc_id, time, source, title, url = draw(ids), draw(times), draw(texts), draw(texts), draw(texts)
    indices = sorted(draw(st.sets(st.integers(0, 500), max_size=5)))
    title, url = draw(texts), draw(texts)
    sentences = tuple(
        Sentence(
            doc_id, index, draw(texts), time, source, draw(st.integers(0, 9)), draw(pooled_for), title, url
        )
        for index in indices
    )
    return Document(
        id=doc_id,
        published_time=time,
        source=source,
        title=title,
        url=url,
        text=draw(texts),
        sentences=sentences,
    )


updates = st.builds(
    Update, ids, ids, st.integers(0, 10**6), times, numbers, texts, st.one_of(st.just(0), times), texts
)


def lines(folder: Path, *rows: object, name: str = "d.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def one(folder: Path, **fields: object) -> Document:
    (document,) = read_documents(lines(folder, {"id": "a", "published_time": 60} | fields))
    return document


class TestDocuments:
    @given(st.lists(documents(), min_size=1, max_size=4))
    def test_what_was_written_is_read_again(
        self, tmp_path_factory: pytest.TempPathFactory, written: list[Document]
    ) -> None:
        path = tmp_path_factory.mktemp("d") / "d.jsonl"
        write_documents(path, written)
        assert list(read_documents(path)) == written

    @every("ending", ["", ".gz", ".xz", ".zst"])
    def test_the_ending_of_the_name_compresses(self, tmp_path: Path, ending: str) -> None:
        written = [Document(id=f"a{n}", published_time=n, text="A ferry burns. " * 9) for n in range(500)]
        path = tmp_path / f"d.jsonl{ending}"
        write_documents(path, written)
        assert list(read_documents(path)) == written
        assert (path.stat().st_size < 30_000) == bool(ending)

    def test_times_are_seconds_or_iso_with_a_zone(self, tmp_path: Path) -> None:
        # 2013-07-24T18:41:00Z by `date -u -d ... +%s`.
        for written in (1374691260, "2013-07-24T18:41:00Z", "2013-07-24T20:41:00.9+02:00"):
            assert one(tmp_path, published_time=written, text="").published_time == 1374691260

    def test_sentences_are_strings_or_objects(self, tmp_path: Path) -> None:
        document = one(
            tmp_path,
            sentences=["One.", {"text": "Two.", "id": 7, "events": ["e"], "start": 5}],
            source="Wire",
        )
        assert document.sentences == (
            Sentence("a", 0, "One.", 60, "Wire"),
            Sentence("a", 7, "Two.", 60, "Wire", 5, ("e",)),
        )

    def test_events_of_a_document_go_for_sentences_without_their_own(self, tmp_path: Path) -> None:
        document = one(tmp_path, events=["e"], sentences=["One.", {"text": "Two.", "events": []}])
        assert [sentence.events for sentence in document.sentences] == [("e",), ()]

    def test_events_of_a_text_go_for_the_sentences_cut_from_it(self, tmp_path: Path) -> None:
        document = one(tmp_path, events=["e"], text="A ferry burnt. All were saved.")
        assert [(s.text, s.start, s.events) for s in document.sentences] == [
            ("A ferry burnt.", 0, ("e",)),
            ("All were saved.", 15, ("e",)),
        ]

    def test_a_text_is_not_cut_here(self, tmp_path: Path) -> None:
        assert one(tmp_path, text="A ferry burnt. All were saved.").sentences == ()

    def test_unknown_keys_byte_order_mark_line_ends_and_empty_lines_do_not_matter(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "d.jsonl"
        line = b'{"id":"a%d","published_time":1,"text":"x","tags":{"code":"en"}}\r\n'
        path.write_bytes(b"\xef\xbb\xbf" + line % 1 + b"\r\n\n  \n" + line % 2 + (line % 3).strip())
        assert [document.id for document in read_documents(path)] == ["a1", "a2", "a3"]

    def test_reading_is_lazy(self, tmp_path: Path) -> None:
        """Ten thousand documents lie in front of the bad line: they come before it is reached."""
        rows = [{"id": f"a{n}", "published_time": 1, "text": "x" * 80} for n in range(10_000)]
        stream = read_documents(lines(tmp_path, *rows, "bad"))
        assert next(stream).id == "a0"
        with pytest.raises(FormatError, match=r'd.jsonl:10001: ."bad".'):
            list(stream)

    def test_a_pipe_is_read_as_it_fills(self, tmp_path: Path) -> None:
        path = tmp_path / "pipe"
        os.mkfifo(path)
        go_on = threading.Event()

        def write() -> None:
            with path.open("w") as pipe:
                pipe.write('{"id":"a","published_time":1,"text":""}\n')
                pipe.flush()
                go_on.wait(10)
                pipe.write("bad\n")
                pipe.flush()
                # Written only when reading stopped at the bad line, as it must where more may never come.
                ended.wait(10)

        ended = threading.Event()
        writer = threading.Thread(target=write)
        writer.start()
        try:
            stream = read_documents(path)
            assert next(stream).id == "a"
            go_on.set()
            with pytest.raises(FormatError, match="pipe:2"):
                next(stream)
        finally:
            go_on.set()
            ended.set()
            writer.join()


class TestBadDocuments:
    """Each fault of a line has its own words."""

    @every(
        "fields, message",
        cases(__file__, "a bad field", lists=True),
    )
    def test_a_bad_field(self, tmp_path: Path, fields: dict[str, object], message: str) -> None:
        row = {"id": "a", "published_time": 60, "text": "x"} | fields
        with pytest.raises(FormatError, match=message) as raised:
            list(read_documents(lines(tmp_path, row)))
        assert str(raised.value).startswith(f"{tmp_path}/d.jsonl:1: ")

    def test_a_missing_field_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match=r"no 'published_time' \(expected .*\); add 'published_time'"):
            list(read_documents(lines(tmp_path, {"id": "a", "text": ""})))

    @every(
        "data, message",
        [
            (b'{"id":"a"', "truncated"),
            (b"[\n", "write each object on one line"),
            (b"{\n", "write each object on one line"),
            (b"<events>", "this looks like XML"),
            (b"11 cunlp 2APSal 1326-8b 3 1326502200 1.0", "this looks like a TREC run"),
            (b"TS14.11\tu\td\t3\t92\tNULL\ttext", "this looks like a TREC run|this looks like a table"),
            (b'{"id":"\xff\xfe","published_time":1,"text":""}', "bytes that are not UTF-8.*iconv"),
            (b'{"x":' + b"[" * 100_000, "nested without end|truncated"),
            (b"\0\1\2", "binary data"),
        ],
    )
    def test_a_line_that_is_no_object(self, tmp_path: Path, data: bytes, message: str) -> None:
        path = tmp_path / "d.jsonl"
        path.write_bytes(data + b"\n")
        with pytest.raises(FormatError, match=message):
            list(read_documents(path))

    def test_bad_lines_are_told_together_the_first_twenty_in_full(self, tmp_path: Path) -> None:
        good = {"id": "a", "published_time": 60, "text": "x"}
        path = lines(tmp_path, good, *[{"id": "b"}] * 5, good, {"id": "c"})
        with pytest.raises(FormatError) as raised:
            list(read_documents(path))
        assert [problem.line for problem in raised.value.problems] == [2, 3, 4, 5, 6, 8]
        path = lines(tmp_path, *[{"id": "b"}] * 50)
        with pytest.raises(FormatError) as raised:
            list(read_documents(path))
        assert len(raised.value.problems) == 20

    def test_nothing_after_the_first_bad_line_is_given_out(self, tmp_path: Path) -> None:
        rows = [{"id": f"a{n}", "published_time": 60, "text": "x"} for n in range(6)]
        given_out = []
        with pytest.raises(FormatError):
            for document in read_documents(lines(tmp_path, *rows[:3], {}, *rows[3:])):
                given_out.append(document.id)
        assert given_out == ["a0", "a1", "a2"]

    def test_looking_on_ends_after_ten_thousand_lines(self, tmp_path: Path) -> None:
        path = tmp_path / "d.jsonl"
        good = b'{"id":"a","published_time":1,"text":""}\n'
        path.write_bytes(b"bad\n" + good * 9_999 + b"bad\n" + good * 20_000 + b"bad\n")
        with pytest.raises(FormatError) as raised:
            list(read_documents(path))
        assert [problem.line for problem in raised.value.problems] == [1, 10_001]

    def test_lenient_reading_skips_and_counts(self, tmp_path: Path) -> None:
        rows = [{"id": f"a{n}", "published_time": 60, "text": "x"} for n in range(3)]
        problems = Problems(lenient=True)
        path = lines(tmp_path, rows[0], {}, rows[1], "x", rows[2])
        assert [d.id for d in read_documents(path, problems=problems)] == ["a0", "a1", "a2"]
        assert problems.count == 2
        assert "skipped 2 bad lines; the first: " in problems.summary()


class TestUpdates:
    @given(
        st.dictionaries(
            st.tuples(texts, texts),
            st.lists(updates, min_size=1, max_size=4).map(tuple),
            min_size=1,
            max_size=3,
        )
    )
    def test_what_was_written_is_read_again(
        self, tmp_path_factory: pytest.TempPathFactory, runs: dict[tuple[str, str], tuple[Update, ...]]
    ) -> None:
        path = tmp_path_factory.mktemp("u") / "u.jsonl"
        written = [Run(team, name, told) for (team, name), told in runs.items()]
        write_updates(path, written)
        assert read_updates(path) == written

    def test_a_line_is_readable_by_people(self, tmp_path: Path) -> None:
        update = Update("e", "a-1", 3, 120, 0.5, "A ferry burns.", 60, "Wire")
        write_updates(tmp_path / "u.jsonl", [Run("us", "first", (update,))])
        assert json.loads((tmp_path / "u.jsonl").read_text()) == {
            "kind": "update",
            "event": "e",
            "update": "a-1-3",
            "doc": "a-1",
            "sentence": 3,
            "time": 120,
            "published_time": 60,
            "source": "Wire",
            "confidence": 0.5,
            "text": "A ferry burns.",
            "team": "us",
            "run": "first",
        }

    @every(
        "fields, message",
        cases(__file__, "a bad field 2"),
    )
    def test_a_bad_field(self, tmp_path: Path, fields: dict[str, object], message: str) -> None:
        row = {"event": "e", "doc": "a", "sentence": 0, "time": 60} | fields
        with pytest.raises(FormatError, match=message):
            read_updates(lines(tmp_path, row))

    @every("number", ["NaN", "Infinity", "1e999"])
    def test_confidence_is_finite(self, tmp_path: Path, number: str) -> None:
        path = tmp_path / "u.jsonl"
        path.write_text(f'{{"event":"e","doc":"a","sentence":0,"time":60,"confidence":{number}}}\n')
        with pytest.raises(FormatError, match=r"u.jsonl:1: "):
            read_updates(path)


class TestStandardInput:
    def test_documents_come_from_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        read, write = os.pipe()
        os.write(write, b'{"id":"a","published_time":1,"text":""}\n')
        os.close(write)
        with os.fdopen(read) as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            assert [document.id for document in read_documents("-")] == ["a"]

    def test_updates_go_to_standard_output(self, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
        update = Update("e", "a", 0, 1)
        write_updates("-", [Run("", "", (update,))])
        assert json.loads(io.BytesIO(capsysbinary.readouterr().out).read())["doc"] == "a"


@every(
    "stated, zone, time",
    cases(__file__, "times are read as people write them"),
)
def test_times_are_read_as_people_write_them(tmp_path: Path, stated: str | int, zone: str, time: int) -> None:
    from tidings.sources.own.documents import read_documents, read_times

    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({"id": "a", "published_time": stated, "text": "A fire."}) + "\n")
    problems = Problems()
    assert [one.published_time for one in read_documents(path, problems=problems, zone=zone)] == [time]
    assert list(read_times(path, zone=zone) or ()) == [time]
    named = not isinstance(stated, str) or "+" in stated or stated.isdigit()
    said = [f"{path}: times that name no zone are read as {zone or 'UTC (--zone)'}"]
    assert problems.remarks == ([] if named else said)
