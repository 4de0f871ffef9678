"""What a stream argument names, and pools as streams."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, Problems, UsageError
from tidings.core.records import Document, PooledUpdate, Run, Sentence, Update
from tidings.core.text.sentences import cut
from tidings.following.hosting.sources import choice_of, open_source
from tidings.following.outputs.runs import read_runs, write_runs
from tidings.sources import bundled
from tidings.sources.own.documents import pool_documents, read_documents, write_documents
from tidings.sources.streams import read_events, read_judgments, read_stream, read_stream_places

TABLE = "query_id\tupdate_id\tdoc_id\tsentence_id\tupdate_len\tduplicate_id\tupdate_text\n"
ROWS = cases(__file__, "rows")
DOCUMENTS = [
    Document(
        id="100-a",
        published_time=100,
        sentences=(
            Sentence("100-a", 0, "First.", 100, events=("TS14.11",)),
            Sentence("100-a", 2, "Second.", 100, events=("TS14.11", "TS14.12")),
        ),
    ),
    Document(
        id="200-b", published_time=200, sentences=(Sentence("200-b", 3, "Later.", 200, events=("TS14.11",)),)
    ),
]


def table(folder: Path, name: str = "pool.tsv") -> Path:
    lines = [
        f"{event}\t{doc}-{index}\t{doc}\t{index}\t{len(text)}\tNULL\t{text}\n"
        for event, doc, index, text in ROWS
    ]
    path = folder / name
    path.write_text(TABLE + "".join(lines))
    return path


class TestPools:
    def test_rows_of_one_sentence_are_one_that_names_its_events(self, tmp_path: Path) -> None:
        assert list(read_stream(table(tmp_path))) == DOCUMENTS

    def test_a_folder_names_its_pool(self, tmp_path: Path) -> None:
        table(tmp_path, "updates_sampled.tsv")
        assert list(read_stream(tmp_path)) == DOCUMENTS
        with pytest.raises(UsageError, match="has no extended pool"):
            read_stream(tmp_path, pool="extended")
        table(tmp_path, "updates_sampled.extended.tsv")
        assert list(read_stream(tmp_path, pool="extended")) == DOCUMENTS

    @given(st.lists(st.tuples(st.sampled_from("ef"), st.integers(0, 3), st.integers(0, 3)), max_size=12))
    def test_every_row_is_in_the_stream_once_and_time_rises(self, rows: list[tuple[str, int, int]]) -> None:
        pool = [PooledUpdate(event, f"{doc}-d", index, f"{doc} {index}") for event, doc, index in rows]
        made = pool_documents(pool)
        assert [document.published_time for document in made] == sorted({doc for _, doc, _ in rows})
        told = [(e, d.published_time, s.index) for d in made for s in d.sentences for e in s.events or ()]
        assert sorted(told) == sorted(set(rows))
        assert all(list(d.sentences) == sorted(d.sentences, key=lambda s: s.index) for d in made)

    def test_the_pools_own_time_goes_before_the_ids(self) -> None:
        (document,) = pool_documents([PooledUpdate("e", "100-a", 0, "x", published_time=160, source="Wire")])
        assert (document.published_time, document.source) == (160, "Wire")

    def test_a_pool_as_documents_is_the_same_stream(self, tmp_path: Path) -> None:
        write_documents(tmp_path / "d.jsonl", read_stream(table(tmp_path)))
        assert list(read_stream(tmp_path / "d.jsonl")) == DOCUMENTS

    @pytest.mark.shared_data
    def test_the_pool_of_2014(self, shared_data: Path) -> None:
        """14,651 rows hold 14,642 different update ids (`cut -f2 | sort -u | wc -l`)."""
        stream = list(read_stream(shared_data / "trec-ts" / "2014"))
        assert sum(len(document.sentences) for document in stream) == 14_642
        assert Counter(len(s.events or ()) for d in stream for s in d.sentences) == {1: 14_633, 2: 9}
        assert [d.published_time for d in stream] == sorted(d.published_time for d in stream)


class TestFiles:
    def test_a_folder_of_tidings_gives_its_documents(self) -> None:
        folder = bundled.path()
        assert list(read_stream(folder)) == list(read_documents(folder / "documents.jsonl"))

    def test_a_folder_without_stream(self, tmp_path: Path) -> None:
        (tmp_path / "notes").write_text("x")
        with pytest.raises(
            UsageError, match=r"there is no pool of updates; it is called updates_sampled.tsv or"
        ):
            read_stream(tmp_path)
        (tmp_path / "event.json").write_text("{}")
        with pytest.raises(UsageError, match=r"there is no documents.jsonl"):
            read_stream(tmp_path)

    @every("name", ["r.run", "r.jsonl", "r.run.gz", "r.JSONL.zst"])
    def test_the_name_of_a_run_says_its_format(self, tmp_path: Path, name: str) -> None:
        written = [
            Run("us", "a", (Update("11", "1-d", 0, 60, 0.25), Update("12", "1-d", 1, 60))),
            Run("us", "b", ()),
        ]
        write_runs(tmp_path / name, written)
        (run,) = read_runs(tmp_path / name)
        assert (run.team, run.name, list(run.updates)) == ("us", "a", list(written[0].updates))

    @pytest.mark.shared_data
    def test_judgments_have_the_sizes_of_the_track(self, shared_data: Path) -> None:
        """Counts as the track gives them: nuggets by importance, matches, rows of the pool."""
        early, late = (read_judgments(shared_data / "trec-ts" / year) for year in ("2013", "2014"))
        assert [len(j.nuggets) for j in (early, late)] == [1_340, 1_394]
        assert Counter(n.importance for n in late.nuggets) == {1: 688, 2: 386, 3: 320}
        assert Counter(n.importance for n in early.nuggets) == {-1: 5, 1: 588, 2: 468, 3: 279}
        assert [len(j.matches) for j in (early, late)] == [5_157, 13_635]
        assert [len(j.pool) for j in (early, late)] == [10_376, 14_651]
        assert [sum(m.automatic for m in j.matches) for j in (early, late)] == [33, 1_003]


def test_importing_the_sources_loads_no_parser_and_no_decompressor() -> None:
    heavy = {"lzma", "zstandard", "xml.parsers.expat", "tidings.sources.own.documents", "sqlalchemy", "rich"}
    code = f"import sys, tidings.sources; print(sorted({heavy} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


class TestUrls:
    """Nothing is fetched, and a URL is not made a path of."""

    URL = "https://example.org/data/a.jsonl.gz"

    @pytest.mark.parametrize(
        "read",
        [read_runs, read_judgments, read_events, lambda path: list(read_stream(path))],
        ids=["runs", "judgments", "events", "stream"],
    )
    @pytest.mark.parametrize("make", [str, Path], ids=["text", "path"])
    def test_a_url_is_said_to_be_one(self, read: Callable[[Any], Any], make: Callable[[str], Any]) -> None:
        for url in (self.URL, "https://example.org/a.xml", "http://example.org/folder"):
            with pytest.raises(UsageError) as caught:
                read(make(url))
            assert str(caught.value).startswith(f"{url}: addresses cannot be read here; download the f")


def test_sentences_have_the_title_and_address_of_their_document(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    about = {"published_time": 5, "title": "Ferry", "url": "https://example.org/1"}
    rows = [
        {"id": "a", "sentences": ["One.", {"text": "Two.", "id": 4}], **about},
        {"id": "b", "text": "One. Two.", **about},
        {"id": "c", "text": "One. Two.", "events": ["e"], **about},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for document in read_stream(path):
        sentences = cut(document).sentences
        titled = ["Ferry"] if document.text else []
        assert [one.text for one in sentences] == [*titled, "One.", "Two."]
        assert {(one.title, one.url) for one in sentences} == {("Ferry", "https://example.org/1")}


def test_what_is_of_no_kind_is_not_taken_for_a_pool(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("root:x:0:0:root\n")
    with pytest.raises(FormatError, match=r"nothing that is known \(expected a feed, pages"):
        list(read_stream(tmp_path / "notes"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="the folder is empty"):
        list(read_stream(tmp_path / "empty"))


def test_a_folder_of_nothing_but_files_of_documents_is_all_of_them(tmp_path: Path) -> None:
    line = '{{"id": "{}", "published_time": {}, "text": "Rain."}}\n'
    (tmp_path / "b.jsonl").write_text(line.format("b", 200) + line.format("c", 100))
    (tmp_path / "a.ndjson").write_text(line.format("z", 100))
    (tmp_path / ".part.jsonl").write_text("half")
    (tmp_path / "_part.jsonl").write_text("half")
    assert [one.id for one in read_stream(tmp_path)] == ["c", "z", "b"]
    assert [one.id for one in read_stream_places(tmp_path) or ()] == ["c", "z", "b"]
    assert read_stream_places(tmp_path, cursor=b"1") is None
    assert choice_of([str(tmp_path)]) == "corpus"
    (tmp_path / "documents.jsonl").write_text(line.format("own", 1))
    assert [one.id for one in read_stream(tmp_path)] == ["own"]


def test_feeds_whose_names_have_no_ending_are_a_folder_of_items(tmp_path: Path) -> None:
    others, feeds = tmp_path / "others", tmp_path / "feeds"
    for folder in (others, feeds):
        folder.mkdir()
        (folder / "Makefile").write_text("all:\n\techo\n")
        (folder / "broken.gz").write_bytes(b"no gzip")
    (feeds / "ef194bf7").write_text(
        "<?xml version='1.0'?><rss version='2.0'><channel><title>A</title><item><guid>1</guid><title>A ferry burns"
        "</title><pubDate>Mon, 16 Feb 2026 10:00:00 GMT</pubDate></item></channel></rss>"
    )
    with pytest.raises(UsageError, match="no pool"):
        list(open_source(str(others), "sampled", Problems(lenient=True)).open())
    found = open_source(str(feeds), "sampled", Problems(lenient=True)).open()
    assert [one.title for one in found if one] == ["A ferry burns"]


def test_following_a_folder_of_nothing_known_says_why_there_is_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.bin").write_bytes(b"\0\1\2")
    (tmp_path / "in" / "b.html").write_text("no page")
    problems = Problems(lenient=True)
    assert not [one for one in open_source(str(tmp_path / "in"), "sampled", problems).open() if one]
    assert len(problems.remarks) == 1
    assert "no document (left out: a file of no kind" in problems.remarks[0]
