"""Places in files of lines: going on there gives the rest, and a file that is another one is not gone on with."""

from __future__ import annotations

import gzip
import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, strategies as st

from tidings.core.errors import FormatError, Problems
from tidings.core.files import reading
from tidings.core.records import Document, Place
from tidings.sources.streams import read_stream, read_stream_places


def plain(parts: list[bytes]) -> bytes:
    return b"".join(parts)


PACKERS: dict[str, Callable[[list[bytes]], bytes]] = {
    "": plain,
    ".gz": lambda parts: b"".join(map(gzip.compress, parts)),
    ".xz": lambda parts: b"".join(map(lzma.compress, parts)),
    ".zst": lambda parts: b"".join(map(zstandard.compress, parts)),
    ".one.gz": lambda parts: gzip.compress(plain(parts)),
    ".one.zst": lambda parts: zstandard.compress(plain(parts)),
}


def file_of(folder: Path, kind: str, parts: list[bytes]) -> Path:
    path = folder / f"documents.jsonl{kind.removeprefix('.one')}"
    path.write_bytes(PACKERS[kind](parts))
    return path


def lines(numbers: range) -> bytes:
    return b"".join(
        b'{"id": "d%d", "published_time": %d, "text": "%s"}\n' % (number, number, b"word %d " % number * 20)
        for number in numbers
    )


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_CHUNK", 4096)
    monkeypatch.setattr("tidings.core.files.jsonl._CHUNK", 4096)


def read_all(path: Path, cursor: bytes = b"") -> tuple[list[Document], list[tuple[int, bytes]]]:
    """The documents, and of each place how many came before it, and its cursor."""
    documents, places = [], []
    for item in read_stream_places(path, cursor=cursor):
        if isinstance(item, Place):
            places.append((len(documents), item.cursor()))
        else:
            documents.append(item)
    return documents, places


@pytest.mark.parametrize("kind", PACKERS)
class TestGoingOn:
    def test_from_every_place_the_rest_follows(self, kind: str, tmp_path: Path) -> None:
        path = file_of(tmp_path, kind, [lines(range(n, n + 50)) for n in range(0, 500, 50)])
        documents, places = read_all(path)
        assert documents == list(read_stream(path))
        assert len(documents) == 500
        assert len(places) > 10
        for number, cursor in places:
            rest, further = read_all(path, cursor)
            assert rest == documents[number:]
            if further:
                assert read_all(path, further[0][1])[0] == documents[number + further[0][0] :]

    def test_a_file_that_grew_is_gone_on_with(self, kind: str, tmp_path: Path) -> None:
        parts = [lines(range(100)), lines(range(100, 200))]
        path = file_of(tmp_path, kind, parts)
        _, places = read_all(path)
        number, cursor = places[-1]
        assert number == 200
        with path.open("ab") as file:
            file.write(PACKERS[kind]([lines(range(200, 250))]))
        assert [one.id for one in read_all(path, cursor)[0]] == [f"d{number}" for number in range(200, 250)]

    def test_a_file_that_is_another_is_not(self, kind: str, tmp_path: Path) -> None:
        path = file_of(tmp_path, kind, [lines(range(100)), lines(range(100, 200))])
        places = read_all(path)[1]
        cursors = [cursor for _, cursor in places]
        taken = path.stat()
        data = path.read_bytes()
        # As long, and written later.
        path.write_bytes(data)
        os.utime(path, ns=(taken.st_atime_ns, taken.st_mtime_ns + 1))
        assert all(read_stream_places(path, cursor=cursor) is None for cursor in cursors)
        # Untouched again, it is good again.
        os.utime(path, ns=(taken.st_atime_ns, taken.st_mtime_ns))
        assert all(read_stream_places(path, cursor=cursor) is not None for cursor in cursors)
        # Shorter.
        path.write_bytes(data[: len(data) - 1])
        assert all(read_stream_places(path, cursor=cursor) is None for cursor in cursors)
        # Longer, with another beginning.
        path.write_bytes(PACKERS[kind]([lines(range(1, 400))]))
        assert all(read_stream_places(path, cursor=cursor) is None for cursor in cursors)
        # A copy under the same name.
        copy = tmp_path / "copy"
        copy.write_bytes(data)
        os.utime(copy, ns=(taken.st_atime_ns, taken.st_mtime_ns))
        copy.replace(path)
        assert all(read_stream_places(path, cursor=cursor) is None for cursor in cursors)


class TestTrust:
    def test_a_longer_file_with_other_words_before_the_place_is_another(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, "", [lines(range(200))])
        data = path.read_bytes()
        number, cursor = read_all(path)[1][-1]
        assert number == 200
        end = len(data)
        for at in (10, 4000, end - 10, end - 16_000):
            changed = bytearray(data)
            changed[at] ^= 1
            path.write_bytes(bytes(changed) + lines(range(200, 210)))
            assert read_stream_places(path, cursor=cursor) is None
        path.write_bytes(data + lines(range(200, 210)))
        assert len(read_all(path, cursor)[0]) == 10

    def test_what_a_damaged_archive_was_is_left_to_a_reading_from_the_beginning(self, tmp_path: Path) -> None:
        path = file_of(tmp_path, ".one.gz", [lines(range(200))])
        cursor = read_all(path)[1][3][1]
        taken, data = path.stat(), bytearray(path.read_bytes())
        data[40] ^= 255
        path.write_bytes(bytes(data[:4096]) + b"\0" * max(0, len(data) - 4096))
        os.utime(path, ns=(taken.st_atime_ns, taken.st_mtime_ns))
        assert read_stream_places(path, cursor=cursor) is None

    @given(st.binary(max_size=40))
    def test_no_bytes_upset_it(self, tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
        path = tmp_path_factory.getbasetemp() / "any.jsonl"
        if not path.exists():
            path.write_bytes(lines(range(3)))
        if data:
            assert read_stream_places(path, cursor=data) is None

    def test_a_last_line_without_its_end_is_no_place(self, tmp_path: Path) -> None:
        path = tmp_path / "documents.jsonl"
        path.write_bytes(lines(range(100)).removesuffix(b"\n"))
        documents, places = read_all(path)
        assert len(documents) == 100
        assert places[-1][0] < 100
        with path.open("ab") as file:
            file.write(b"\n" + lines(range(100, 103)))
        assert [one.id for one in read_all(path, places[-1][1])[0]] == [
            f"d{number}" for number in range(places[-1][0], 103)
        ]

    def test_pools_and_pipes_have_no_places(self, shared_data: Path, tmp_path: Path) -> None:
        assert not read_all(shared_data / "trec-ts" / "2014")[1]
        assert read_stream_places(shared_data / "trec-ts" / "2014", cursor=b"x") is None


class TestLines:
    def test_bad_lines_after_a_place_have_their_own_numbers(self, tmp_path: Path) -> None:
        path = tmp_path / "documents.jsonl"
        path.write_bytes(b"\xef\xbb\xbf" + lines(range(100)) + b"{}\n" + lines(range(101, 103)))
        problems = Problems(lenient=True)
        items = list(read_stream_places(path, problems=problems))
        assert [problem.line for problem in problems.kept] == [101]
        cursor = next(one for one in items if isinstance(one, Place)).cursor()
        again = Problems(lenient=True)
        list(read_stream_places(path, cursor=cursor, problems=again))
        assert [problem.line for problem in again.kept] == [101]
        with pytest.raises(FormatError, match=r"documents\.jsonl:101: "):
            list(read_stream_places(path, cursor=cursor))

    def test_an_empty_file_is_an_error_and_nothing_after_a_place_is_none(self, tmp_path: Path) -> None:
        path = tmp_path / "documents.jsonl"
        path.write_bytes(b"")
        with pytest.raises(FormatError, match="no document"):
            list(read_stream_places(path))
        path.write_bytes(lines(range(5)))
        assert read_all(path, read_all(path)[1][-1][1]) == ([], [])

    def test_a_line_longer_than_a_block(self, tmp_path: Path) -> None:
        path = tmp_path / "documents.jsonl"
        long = json.dumps({"id": "long", "published_time": 5, "text": "word " * 9000}).encode() + b"\n"
        path.write_bytes(lines(range(3)) + long + lines(range(5, 90)))
        documents, places = read_all(path)
        assert len(documents) == 89
        for number, cursor in places:
            assert read_all(path, cursor)[0] == documents[number:]
