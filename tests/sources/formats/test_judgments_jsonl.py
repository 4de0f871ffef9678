"""tidings' own folder of judgments, and the way from TREC's into it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, OutputError, Problems, TidingsError, UsageError
from tidings.core.records import (
    Cluster,
    Document,
    EntityGrade,
    Event,
    Judgments,
    Match,
    Nugget,
    PooledUpdate,
    Sentence,
    ValueUpdate,
)
from tidings.sources import bundled
from tidings.sources.own.judgments import write_own_judgments
from tidings.sources.streams import read_judgments, read_stream

FERRY = Event(id="ferry", title="A ferry burns", query="ferry fire", start_time=60, end_time=900)
TRAIN = Event(id="train", title="A train derails", query="train", start_time=0, end_time=900)
DOCUMENTS = [
    Document(
        id="100-a",
        published_time=100,
        source="Wire",
        sentences=(
            Sentence("100-a", 0, "A ferry burns.", 100, "Wire", 0, ("ferry", "train")),
            Sentence("100-a", 2, "All saved.", 100, "Wire", 0, ("ferry",)),
        ),
    ),
    Document(id="200-b", published_time=200, text="A train left its rails. Nobody was hurt."),
]


def rows(event: str, doc: Document, *sentences: tuple[int, str]) -> list[PooledUpdate]:
    return [
        PooledUpdate(event, doc.id, index, text, published_time=doc.published_time, source=doc.source)
        for index, text in sentences
    ]


def judgments() -> Judgments:
    one, two = DOCUMENTS
    cut = [(0, "A train left its rails."), (1, "Nobody was hurt.")]
    return Judgments(
        name="j",
        events=(FERRY, TRAIN),
        nuggets=(Nugget("ferry", "n1", 90, 3, "The ferry burns"), Nugget("train", "n1", 190, -1, "Rails", 5)),
        matches=(Match("ferry", "100-a-0", "n1", 2, 13), Match("train", "200-b-0", "n1", 0, 23, True)),
        pool=(
            *rows("ferry", one, (0, "A ferry burns.")),
            *rows("train", one, (0, "A ferry burns.")),
            *rows("ferry", one, (2, "All saved.")),
            *(row for pair in cut for name in ("ferry", "train") for row in rows(name, two, pair)),
        ),
        clusters=(Cluster("ferry", "c", ("100-a-0",), "Fire"),),
        entities=(EntityGrade("ferry", "1970-01-01", "Ferry", "product", 4, ("the boat",)),),
        values=(
            ValueUpdate("ferry", 100, "deaths", (0.0,)),
            ValueUpdate("ferry", 100, "location", (42.5, -8.25), 0.5, "100-a", 0),
        ),
        pool_whole=True,
    )


def written(folder: Path) -> Path:
    write_own_judgments(folder, judgments(), DOCUMENTS)
    return folder


def change(folder: Path, name: str, **fields: object) -> None:
    path = folder / name
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | fields), *rest]) + "\n")


class TestFolder:
    def test_what_was_written_is_read_again(self, tmp_path: Path) -> None:
        assert read_judgments(written(tmp_path / "j")) == judgments()
        assert list(read_stream(tmp_path / "j")) == DOCUMENTS

    def test_the_pool_is_written_only_when_it_is_not_simply_all_sentences(self, tmp_path: Path) -> None:
        assert not (written(tmp_path / "j") / "pool.jsonl").exists()
        odd = judgments().pool[1:4][::-1]
        odd = (*odd, odd[0], replace(odd[1], text="Another text.", duplicate_of="9-x-1", listed_length=7))
        write_own_judgments(tmp_path / "j", replace(judgments(), pool=odd), DOCUMENTS)
        assert read_judgments(tmp_path / "j").pool == odd

    def test_what_is_peculiar_to_the_origin_is_kept(self, tmp_path: Path) -> None:
        peculiar = replace(
            judgments(),
            pool_headless=True,
            byte_spans=True,
            duplicates={"100-a-0": "9-x-1"},
            nuggets=(*judgments().nuggets, Nugget("TEST", "n", 1, 1, "of no topic")),
            matches=(Match("ferry", "9-unknown-1", "n9", 0, 3), Match("ferry", "100-a-0", "n1", 0, 999)),
        )
        write_own_judgments(tmp_path / "j", peculiar, DOCUMENTS)
        assert read_judgments(tmp_path / "j") == peculiar

    def test_documents_are_made_of_the_pool_where_there_are_no_others(self, tmp_path: Path) -> None:
        notes: list[str] = []
        write_own_judgments(tmp_path / "j", judgments(), notes=notes)
        assert read_judgments(tmp_path / "j").pool == judgments().pool
        assert [len(d.sentences) for d in read_stream(tmp_path / "j")] == [2, 2]
        assert notes == ["documents hold the pooled sentences only; the judgments have no others"]

    def test_files_of_an_earlier_writing_do_not_stay(self, tmp_path: Path) -> None:
        folder = written(tmp_path / "j")
        (folder / "readme.txt").write_text("mine")
        write_own_judgments(folder, Judgments(name="j", events=(FERRY,)), DOCUMENTS[1:])
        assert sorted(path.name for path in folder.iterdir()) == [
            "documents.jsonl",
            "event.json",
            "pool.jsonl",
            "readme.txt",
        ]

    def test_files_may_be_compressed(self, tmp_path: Path) -> None:
        import gzip

        folder = written(tmp_path / "j")
        for path in list(folder.iterdir()):
            (folder / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
            path.unlink()
        assert read_judgments(folder) == judgments()

    def test_the_bundled_event_is_such_a_folder(self, tmp_path: Path) -> None:
        read = read_judgments(bundled.path())
        write_own_judgments(tmp_path / read.name, read, read_stream(bundled.path()))
        assert read_judgments(tmp_path / read.name) == read
        assert len(read.nuggets) >= 40

    @pytest.mark.shared_data
    @pytest.mark.parametrize("year", ["2013", "2014"])
    def test_a_folder_of_trec_keeps_everything(self, tmp_path: Path, shared_data: Path, year: str) -> None:
        official = read_judgments(shared_data / "trec-ts" / year)
        write_own_judgments(tmp_path / year, official)
        own = read_judgments(tmp_path / year)
        plain = tuple(replace(row, published_time=0) for row in own.pool)
        assert replace(own, pool=plain) == official
        assert list(read_stream(tmp_path / year)) == list(read_stream(shared_data / "trec-ts" / year))


class TestBadFolders:
    @every(
        "name, fields, message",
        cases(__file__, "a bad line", lists=True),
    )
    def test_a_bad_line(self, tmp_path: Path, name: str, fields: dict[str, object], message: str) -> None:
        folder = written(tmp_path / "j")
        change(folder, name, **fields)
        with pytest.raises(FormatError, match=message):
            read_judgments(folder)

    @every("name", ["nuggets.jsonl", "clusters.jsonl", "documents.jsonl", "events.jsonl"])
    def test_an_id_a_second_time(self, tmp_path: Path, name: str) -> None:
        path = written(tmp_path / "j") / name
        path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
        with pytest.raises(FormatError, match=f"{name}.*(a second time|more than once)"):
            read_judgments(tmp_path / "j")

    def test_all_bad_lines_of_a_file_are_told_together(self, tmp_path: Path) -> None:
        path = written(tmp_path / "j") / "matches.jsonl"
        path.write_text(path.read_text() + path.read_text().replace('"n1"', '"n9"'))
        with pytest.raises(FormatError) as raised:
            read_judgments(tmp_path / "j")
        assert [problem.line for problem in raised.value.problems] == [3, 4]

    def test_a_bad_origin(self, tmp_path: Path) -> None:
        (written(tmp_path / "j") / "origin.json").write_text('{"byte_spans": 1}')
        with pytest.raises(
            FormatError, match=r"origin.json: a whole number as 'byte_spans' \(expected true or false\)"
        ):
            read_judgments(tmp_path / "j")

    @given(data=st.data())
    def test_random_damage_is_an_error_of_the_user_or_none(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        folder = tmp_path_factory.getbasetemp() / "good"
        if not folder.exists():
            written(folder)
        folder = Path(shutil.copytree(folder, tmp_path_factory.mktemp("j") / "j"))
        (folder / "origin.json").write_text('{"byte_spans": true, "unlisted_nuggets": ["n2"]}')
        path = data.draw(st.sampled_from(sorted(folder.iterdir())))
        good = path.read_bytes()
        at = data.draw(st.integers(0, len(good)))
        until = data.draw(st.integers(at, min(at + 9, len(good))))
        odd = st.sampled_from([b"null", b"[]", b"{", b"-9", b"1e999", b'"', b"\xff", b"\n", b"9" * 30])
        path.write_bytes(good[:at] + data.draw(st.binary(max_size=3) | odd) + good[until:])
        for problems in (None, Problems(lenient=True)):
            try:
                read_judgments(folder, problems=problems)
            except TidingsError as error:
                assert str(error)

    def test_missing_parts(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="there is no such folder"):
            read_judgments(tmp_path / "j")
        (written(tmp_path / "j") / "documents.jsonl").unlink()
        with pytest.raises(UsageError, match=r"there is no documents\.jsonl"):
            read_judgments(tmp_path / "j")
        with pytest.raises(UsageError, match="this is a file, not a folder"):
            read_judgments(tmp_path / "j" / "nuggets.jsonl")
        (tmp_path / "empty").mkdir()
        with pytest.raises(UsageError, match=r"no nuggets \(expected nuggets.tsv \(TREC\) or event.json"):
            read_judgments(tmp_path / "empty")

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(OutputError, match="the folder cannot be made"):
            write_own_judgments(tmp_path / "file", judgments(), DOCUMENTS)
