"""Documents that cannot be read: each is named with its place and why, and the others are followed."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec

from tests.following.engines.poison import POISON, document, write_poison
from tests.sweeps import every
from tidings.core.records import Document, Event
from tidings.following.engines.offers import OfferReader
from tidings.following.engines.spark.rows import Fault, Kind, OfferRows
from tidings.following.engines.spark.stream_files import StreamFile, _read_file, _read_record
from tidings.following.systems.registry import make

STORM = Event(id="storm", title="Storm", query="storm")


def read(path: Path) -> tuple[list[Fault], int]:
    """The faults of a file, and how many documents it gave."""
    rows = OfferRows(OfferReader([STORM], make("cosine")))
    assert not list(_read_file(StreamFile(str(path)), rows))
    contents = [row[-1] for row in rows._rows if Kind.FAULT in row]
    return [msgspec.json.decode(content, type=Fault) for content in contents], rows._documents


@every("name", POISON)
def test_a_file_with_faults(name: str, tmp_path: Path) -> None:
    write_poison(tmp_path, name)
    faults, documents = read(tmp_path / name)
    expected, whole = POISON[name]
    assert documents == whole
    assert [(fault.where, bool(fault.expected)) for fault in faults] == [
        (f"{tmp_path / name}{place}", True) for place, _ in expected
    ]
    for fault, (_, words) in zip(faults, expected, strict=True):
        assert words in fault.found


def test_a_file_that_has_gone(tmp_path: Path) -> None:
    faults, documents = read(tmp_path / "gone.jsonl")
    assert documents == 0
    assert [fault.where for fault in faults] == [str(tmp_path / "gone.jsonl")]


def test_faults_without_end_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(b"nonsense\n" * 1500 + document("last"))
    faults, documents = read(path)
    assert documents == 1
    assert len(faults) == 1001
    assert faults[-1].found == "500 more bad lines"


@every(
    "value, words",
    [
        (None, "no value"),
        (b"\xff\xfe", "malformed"),
        ('{"id":7}', "got `int`"),
        ("[" * 100_000, ""),
        ('{"id":"a","published_time":60}', "neither 'text' nor 'sentences'"),
        ('{"id":"a","published_time":"soon","text":"x"}', "soon"),
        (b" " * ((16 << 20) + 1), "a record of 16,777,217 bytes"),
        (gzip.compress(document("a")), "malformed"),
    ],
)
def test_a_record_of_a_queue(value: str | bytes | None, words: str) -> None:
    fault = _read_record(value, "topic:0:7")
    assert isinstance(fault, Fault)
    assert fault.where == "topic:0:7"
    assert words in fault.found
    assert fault.expected


def test_a_record_that_can_be_read() -> None:
    assert isinstance(_read_record(document("a"), "topic:0:7"), Document)
