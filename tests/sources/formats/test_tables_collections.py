"""Timeline17 and CrisisFACTS: folders of days, JSON Lines of articles, streams of posts and sentences."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tidings.core.errors import FormatError, UsageError
from tidings.core.files.reading import Content, Notes, as_content
from tidings.sources import open_reading
from tidings.sources.recognition import recognise
from tidings.sources.tables.published import is_collection, read_crisisfacts_stream, read_timeline17

SHARED = ROOT.parent / "shared" / "data" / "tls"


def topic(folder: Path, name: str = "ferry_wire") -> Path:
    for day, file, text in (
        ("2010-04-22", "7.htm.cont", "The fire is out .\nNobody is missing .\n"),
        ("2010-04-21", "12.htm.cont", "A ferry burns .\n\nTwo are missing .\n"),
        ("2010-04-21", "3.txt", "It was on its way to Nador .\n"),
        ("2010-04-21", "notes.pdf", "no article"),
    ):
        path = folder / name / "InputDocs" / day / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    timelines = folder / name / "timelines"
    timelines.mkdir(exist_ok=True)
    (timelines / "wire.txt").write_text("2010-04-21\nA ferry burnt.\n----\n")
    return folder / name


def test_days_of_articles(tmp_path: Path) -> None:
    items = list(read_timeline17(topic(tmp_path)))
    assert [(item.published, item.id, item.sentences) for item in items] == [
        ("2010-04-21", "2010-04-21-12", ("A ferry burns .", "Two are missing .")),
        ("2010-04-21", "2010-04-21-3", ("It was on its way to Nador .",)),
        ("2010-04-22", "2010-04-22-7", ("The fire is out .", "Nobody is missing .")),
    ]


def test_a_folder_of_topics(tmp_path: Path) -> None:
    topic(tmp_path / "Timeline17" / "Data", "one")
    topic(tmp_path / "Timeline17" / "Data", "two")
    folder = tmp_path / "Timeline17"
    assert len(list(read_timeline17(folder))) == 6
    kind = recognise(as_content(folder))
    assert kind is not None
    assert kind.name == "timeline17"


def test_days_without_their_folder_are_told_by_their_ending(tmp_path: Path) -> None:
    (tmp_path / "2010-04-21").mkdir()
    (tmp_path / "2010-04-21" / "a.txt").write_text("A person's own notes.\nOver two lines.\n")
    assert not is_collection(tmp_path)
    (tmp_path / "2010-04-21" / "1.htm.cont").write_text("A ferry burns .\n")
    assert is_collection(tmp_path)


def test_articles_in_lines(tmp_path: Path) -> None:
    lines = [
        {"id": "1", "time": "2010-04-21", "text": "A ferry burns . \nTwo are missing . "},
        {"id": "2", "time": "2010-04-22", "text": "The fire is out. Nobody is missing.\nThat was all."},
    ]
    path = tmp_path / "articles.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    for source in (path, tmp_path):
        first, second = read_timeline17(source)
        assert (first.id, first.published, first.sentences) == (
            "1",
            "2010-04-21",
            ("A ferry burns .", "Two are missing ."),
        )
        assert (second.sentences, second.text) == ((), "The fire is out. Nobody is missing.\nThat was all.")


def test_broken_articles_are_noted(tmp_path: Path) -> None:
    folder = topic(tmp_path)
    day = folder / "InputDocs" / "2010-04-21"
    (day / "12.htm.cont").write_bytes(b"\0\0")
    (day / "13.htm.cont.gz").write_bytes(b"\x1f\x8b\x08")
    (day / "14.htm.cont").write_text(" \n")
    notes = Notes()
    assert len(list(read_timeline17(folder, notes=notes))) == 2
    assert {reason for _, reason in notes.examples} >= {"binary data", "no text"}
    assert len(notes.examples) == 3


def test_a_folder_without_articles(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no article \(expected TOPIC/InputDocs/DATE"):
        list(read_timeline17(tmp_path))
    with pytest.raises(UsageError, match="there is no such"):
        list(read_timeline17(tmp_path / "nothing"))


@pytest.mark.shared_data
@pytest.mark.parametrize("name", ["H1N1_bbc", pytest.param("haiti_bbc", marks=pytest.mark.long)])
def test_the_articles_that_are_passed_on(name: str) -> None:
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"the data is not at {folder}")
    with gzip.open(folder / "articles.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    reading = open_reading([str(folder)])
    documents = list(reading)
    full = [line for line in lines if line["text"].strip()]
    assert reading.items == len(lines)
    assert len(documents) + reading.duplicates == len(full)
    assert [document.published_time for document in documents] == sorted(
        one.published_time for one in documents
    )
    assert sum(len(document.sentences) > 1 for document in documents) > 0.9 * len(documents)


def line(key: str, time: int, text: str, kind: str = "News", **more: Any) -> str:
    return json.dumps(
        {"event": "CrisisFACTS-001", "streamID": key, "unixTimestamp": time, "text": text, "sourceType": kind}
        | more
    )


def stream(*lines: str, notes: Notes | None = None) -> list[Any]:
    content = Content("CrisisFACTS-001.jsonl", data="\n".join(lines).encode())
    return list(read_crisisfacts_stream(content, notes=notes))


def test_sentences_of_one_document_become_one() -> None:
    items = stream(
        line("CrisisFACTS-001-News-7-0", 60, "A fire."),
        line("CrisisFACTS-001-Twitter-9-0", 60, "Fire!!", "Twitter"),
        line("CrisisFACTS-001-News-7-1", 60, "Two dead."),
        line("CrisisFACTS-001-News-8-0", 90, "It is out."),
    )
    assert [(item.id, item.sentences, item.source, item.published) for item in items] == [
        ("CrisisFACTS-001-News-7", ("A fire.", "Two dead."), "News", 60),
        ("CrisisFACTS-001-Twitter-9", ("Fire!!",), "Twitter", 60),
        ("CrisisFACTS-001-News-8", ("It is out.",), "News", 90),
    ]
    assert items[0].origin == "CrisisFACTS-001.jsonl:1"


def test_other_names_of_the_same_fields() -> None:
    [item] = stream(
        json.dumps(
            {
                "doc_id": "CrisisFACTS-009-Reddit-3-0",
                "unix_timestamp": "1512604876",
                "text": "A fire.",
                "source_type": "Reddit",
            }
        )
    )
    assert (item.id, item.published, item.source) == ("CrisisFACTS-009-Reddit-3", "1512604876", "Reddit")


def test_lines_that_are_none_of_a_stream_are_noted() -> None:
    notes = Notes()
    items = stream("{", line("a-b-1-0", 60, "A fire."), '{"text": "x"}', '{"streamID": "x"}', notes=notes)
    assert len(items) == 1
    assert [origin for origin, _ in notes.examples] == [
        f"CrisisFACTS-001.jsonl:{number}" for number in (1, 3, 4)
    ]
    with pytest.raises(FormatError, match="no line of a CrisisFACTS stream"):
        stream('{"text": "x"}')


def test_documents_are_given_out_as_the_time_goes_on() -> None:
    """A stream of years is not held."""
    lines = [line(f"CrisisFACTS-001-News-{number}-0", 60, "A fire.") for number in range(3000)]
    assert [item.id.rpartition("-")[2] for item in stream(*lines)] == [str(number) for number in range(3000)]


def test_sentences_stand_by_their_numbers_and_times() -> None:
    items = stream(
        line("CrisisFACTS-001-News-7-1", 60, "Second."),
        line("CrisisFACTS-001-News-7-0", 60, "First."),
        line("CrisisFACTS-001-News-7-0", 90, "Later."),
    )
    assert [(item.published, item.sentences) for item in items] == [
        (60, ("First.", "Second.")),
        (90, ("Later.",)),
    ]


def test_one_blank_before_a_full_stop_is_no_cut_text(tmp_path: Path) -> None:
    text = "A fire burns .\nNobody knows why.\nIt goes on.\nThat is all."
    (tmp_path / "articles.jsonl").write_text(json.dumps({"id": "1", "time": "2010-04-21", "text": text}))
    [item] = read_timeline17(tmp_path)
    assert (item.text, item.sentences) == (text, ())


def test_updates_have_the_ids_of_the_stream(tmp_path: Path) -> None:
    path = tmp_path / "day.jsonl"
    path.write_text(
        line("CrisisFACTS-001-News-7-1", 60, "A fire burns.") + "\n"
        + line("CrisisFACTS-001-News-7-3", 60, "Two are missing.") + "\n"
        + line("CrisisFACTS-001-Twitter-9999999-99999999", 60, "A fire.", "Twitter")
    )  # fmt: skip
    documents = list(open_reading([str(path)]))
    ids = [f"{one.id}-{sentence.index}" for one in documents for sentence in one.sentences]
    assert ids[:2] == ["CrisisFACTS-001-News-7-1", "CrisisFACTS-001-News-7-3"]
    assert len(ids) == 3
