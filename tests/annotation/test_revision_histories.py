"""Revision histories in every form, and what is said of those that are none."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.sweeps import cases, every
from tidings.annotation.revisions import read_revisions, time_of_name, without_markup
from tidings.core.errors import FormatError, LimitError, TidingsError, UsageError
from tidings.core.files.reading import Limits

PAGE = (
    "<!doctype html><html><head><title>Derailment</title></head><body><nav><a href='/'>Home</a></nav><article>"
    "<h1>Derailment</h1><p>A passenger train has left the rails at Angrois, near Santiago de Compostela, on Wednesday."
    "</p><p>Several coaches lie on their side and residents ran to help, people on the spot said.</p></article>"
    "</body></html>"
)
QUERY = cases(__file__, "query", lists=True)
EXPORT = """<mediawiki><siteinfo><namespaces><namespace key="0" /></namespaces></siteinfo><page>
<title>Derailment</title>
<id>7</id><revision><id>12</id><timestamp>2013-07-24T19:00:00Z</timestamp><contributor><username>Ana</username><id>3</id>
</contributor><comment>more</comment><text xml:space="preserve">'''Ten''' [[people]] died.</text></revision>
<revision><id>13</id><timestamp>2013-07-24T19:10:00Z</timestamp><contributor><ip>1.2.3.4</ip></contributor>
<text deleted="deleted" /></revision>
<revision><id>11</id><timestamp>2013-07-24T18:41:00Z</timestamp><contributor><username>Brais</username></contributor>
<text>A train derailed.</text></revision></page></mediawiki>"""


def lines(*objects: Any) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in objects)


def file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


class TestFolders:
    def test_each_file_is_a_revision_of_the_time_in_its_name(self, tmp_path: Path) -> None:
        file(tmp_path, "20130724-184100.txt", "A train\r\nderailed.")
        file(tmp_path, "1374692400.md", "Ten people died.")
        file(tmp_path, "2013-07-24T19:30:00Z.html", PAGE)
        file(tmp_path, "2013-07-24T21-40+0200.wiki", "'''Twelve''' people died.")
        (tmp_path / "b").mkdir()
        (tmp_path / "b" / "2013-07-24 20:00.txt.gz").write_bytes(gzip.compress(b"Thirty died."))
        file(tmp_path, "1374692401.txt", "")
        file(tmp_path, "table.csv", "a,b")
        notes: list[str] = []
        read = read_revisions(tmp_path, notes=notes)
        assert [(one.time, one.id) for one in read] == [
            (1374691260, "20130724-184100.txt"),
            (1374692400, "1374692400.md"),
            (1374694200, "2013-07-24T19:30:00Z.html"),
            (1374694800, "2013-07-24T21-40+0200.wiki"),
            (1374696000, "b/2013-07-24 20:00.txt.gz"),
        ]
        assert [read[0].text, read[3].text, read[4].text] == [
            "A train\nderailed.",
            "Twelve people died.",
            "Thirty died.",
        ]
        assert read[2].title == "Derailment" and "Angrois" in read[2].text and "Home" not in read[2].text
        assert len(notes) == 2 and all("passed over 1 files" in note for note in notes)

    def test_a_name_without_a_time_is_named(self, tmp_path: Path) -> None:
        file(tmp_path, "1374692400.md", "Ten people died.")
        bad = file(tmp_path, "first.txt", "A train")
        with pytest.raises(FormatError, match="a name without a time") as raised:
            read_revisions(tmp_path)
        assert str(raised.value).startswith(f"{bad}: ")

    @every(
        "name, time",
        cases(__file__, "times of names"),
    )
    def test_times_of_names(self, name: str, time: int | None) -> None:
        assert time_of_name(f"{name}.txt") == time


class TestLines:
    def test_lines_are_put_in_order_of_time_and_get_an_id(self, tmp_path: Path) -> None:
        rows = [
            {"time": 90, "text": "c", "comment": "later"},
            {
                "time": "1970-01-01T00:01:00Z",
                "text": "b\u0000\r\nb",
                "id": 7,
                "author": "Ana",
                "title": "T",
                "more": 1,
            },
            {"time": 90, "text": "d"},
        ]
        read = read_revisions(file(tmp_path, "h.jsonl", lines(*rows)))
        assert [(one.id, one.time, one.text, one.author, one.title, one.comment) for one in read] == [
            ("7", 60, "b\nb", "Ana", "T", ""),
            ("90", 90, "c", "", "", "later"),
            ("90-2", 90, "d", "", "", ""),
        ]

    @every(
        "row, said",
        [
            ({"text": "x"}, "h.jsonl:2: "),
            ({"time": 1, "text": 5}, "h.jsonl:2: "),
            ({"time": "yesterday", "text": "x"}, "h.jsonl:2: time 'yesterday'"),
            ({"time": 1374691260000, "text": "x"}, "milliseconds"),
            ({"time": 70, "text": "x" * 4_000_001}, "h.jsonl:2: a text of 4,000,001 characters"),
        ],
    )
    def test_a_bad_line_is_named(self, tmp_path: Path, row: dict[str, Any], said: str) -> None:
        with pytest.raises(FormatError, match="^(?s:.*)" + said):
            read_revisions(file(tmp_path, "h.jsonl", lines({"time": 60, "text": "b"}, row)))

    def test_one_id_twice_is_an_error(self, tmp_path: Path) -> None:
        row = {"time": 60, "text": "b", "id": "r1"}
        with pytest.raises(FormatError, match="revision r1 twice"):
            read_revisions(file(tmp_path, "h.jsonl", lines(row, row)))


@every("name, content", [("h.json", json.dumps(QUERY)), ("h.xml", EXPORT)])
def test_what_mediawiki_gives(tmp_path: Path, name: str, content: str) -> None:
    read = read_revisions(file(tmp_path, name, content))
    assert [(one.time, one.id, one.text, one.title, one.author, one.comment) for one in read] == [
        (1374691260, "11", "A train derailed.", "Derailment", "Brais", ""),
        (1374692400, "12", "Ten people died.", "Derailment", "Ana", "more"),
    ]


def test_newer_answers_of_mediawiki_list_their_pages(tmp_path: Path) -> None:
    page = QUERY["query"]["pages"]["7"] | {
        "revisions": [{"revid": 1, "timestamp": "2013-07-24T18:41:00Z", "slots": {"main": {"content": "A."}}}]
    }
    read = read_revisions(file(tmp_path, "h.json", json.dumps({"query": {"pages": [page]}})))
    assert [one.text for one in read] == ["A."]


def _revisions(whole: dict[str, Any]) -> list[Any]:
    found: list[Any] = whole["query"]["pages"]["7"]["revisions"]
    return found


def _bad_query(change: Callable[[dict[str, Any]], Any]) -> str:
    whole = json.loads(json.dumps(QUERY))
    change(whole)
    return json.dumps(whole)


BAD = {
    "no JSON": ("h.json", "<html>", "no JSON"),
    "no query": ("h.json", "[1]", "no page with revisions"),
    "two pages": (
        "h.json",
        _bad_query(lambda one: one["query"]["pages"].update(x={"revisions": []})),
        "2 pages with revisions",
    ),
    "no text": ("h.json", _bad_query(lambda it: _revisions(it)[1].pop("*")), "revision 2 of the page without"),
    "no time": ("h.json", _bad_query(lambda it: _revisions(it)[1].pop("timestamp")), "no timestamp"),
    "odd revision": ("h.json", _bad_query(lambda it: _revisions(it).append(5)), "revision 4 of the page that"),
    "no XML": ("h.xml", "hello", "h.xml:1: bad XML"),
    "other XML": ("h.xml", "<rss></rss>", "the element 'rss' (expected <mediawiki>"),
    "cut off": ("h.xml", EXPORT[:-30], "bad XML"),
    "entities": ("h.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><mediawiki>&b;</mediawiki>", "a document type"),
    "two pages of XML": ("h.xml", "<mediawiki><page/>\n<page/></mediawiki>", "h.xml:2: a second <page>"),
    "XML without a time": ("h.xml", "<mediawiki><page><revision/></page></mediawiki>", "h.xml:1: no timestamp"),
    "deep": ("h.xml", "<mediawiki>" + "<a>" * 40, "expected <mediawiki>"),
    "nothing in it": ("h.xml", "<mediawiki></mediawiki>", "no revision"),
    "another encoding": ("h.xml", "<?xml version='1.0' encoding='martian'?><mediawiki/>", "h.xml:1: "),
    "another kind": ("h.pdf", "%PDF", "not a history of revisions"),
    "one text": ("1374691260.txt", "A train", "not a history of revisions"),
    "empty": ("h.jsonl", "", "no revision"),
}  # fmt: skip


@every("kind", BAD)
def test_what_is_no_history_is_said(tmp_path: Path, kind: str) -> None:
    name, content, said = BAD[kind]
    path = file(tmp_path, name, content)
    with pytest.raises(TidingsError) as raised:
        read_revisions(path)
    message = str(raised.value)
    assert said in message and str(path) in message and "\n" not in message and len(message) < 2000


def test_nothing_and_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing-there"):
        read_revisions(tmp_path / "nothing-there")
    with pytest.raises(FormatError, match="no revision"):
        read_revisions(tmp_path)


def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.annotation.revisions.MOST_BYTES", 20)
    monkeypatch.setattr("tidings.annotation.revisions.MOST_CHARACTERS", 10)
    for name, content in (("h.json", json.dumps(QUERY)), ("h.xml", EXPORT)):
        with pytest.raises(LimitError, match="more than"):
            read_revisions(file(tmp_path, name, content))
    folder = tmp_path / "texts"
    folder.mkdir()
    file(folder, "1374691260.txt", "x" * 11)
    with pytest.raises(LimitError, match="11 characters"):
        read_revisions(folder)
    packed = file(tmp_path, "b.jsonl.gz", gzip.compress(lines({"time": 1, "text": "x" * 500})))
    with pytest.raises(LimitError):
        read_revisions(packed, limits=Limits(max_bytes=100))


class TestMarkup:
    @every(
        "written, read",
        cases(__file__, "what it shows"),
    )
    def test_what_it_shows(self, written: str, read: str) -> None:
        assert without_markup(written) == read

    @every("piece", ["{{", "[[", "<ref>", "=", "'", "[//a ", "<!--", "[[a|", "}}", "<ref name=a", "* ", " "])
    def test_no_text_takes_long(self, piece: str) -> None:
        assert len(without_markup(piece * 20_000 + "x")) <= len(piece) * 20_000 + 1
