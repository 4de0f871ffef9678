"""`tidings follow` on streams that are not in English."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.languages.streams import LANGUAGES, stream
from tests.sweeps import cases
from tidings.cli import run
from tidings.core.records import Event
from tidings.sources.own.documents import write_documents
from tidings.sources.own.events import write_event
from tidings.sources.streams import read_events


@pytest.fixture(name="places")
def _places(tmp_path: Path) -> dict[str, Path]:
    for code in ("zh", "de"):
        write_documents(tmp_path / f"{code}.jsonl", stream(code))
    return {code: tmp_path / f"{code}.jsonl" for code in ("zh", "de")}


def updates(path: Path) -> list[str]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line["text"] for line in lines if line["kind"] == "update"]


def test_chinese_is_told_and_the_fallback_said_once(
    places: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert (
        run(["follow", str(places["zh"]), "--query", LANGUAGES["zh"]["query"], "--out", str(out), "-q"]) == 0
    )
    said = capsys.readouterr().err
    assert said == "system tidings knows English alone: documents in Chinese are decided on by centroid\n"
    assert len(updates(out)) >= 8
    assert (
        run(
            [
                "follow",
                str(places["zh"]),
                "--query",
                "洪水",
                "--system",
                "cosine",
                "--out",
                str(out),
                "-q",
                "--restart",
            ]
        )
        == 0
    )
    assert capsys.readouterr().err == ""


def test_words_of_another_language_than_the_documents(
    places: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(["follow", str(places["zh"]), "--query", "flood dam", "--out", str(tmp_path / "o.jsonl"), "-q"])
        == 0
    )
    assert (
        "no document of Chinese (60) holds the words of event query, 'flood dam'" in capsys.readouterr().err
    )


def test_documents_in_none_of_the_languages_are_counted(
    places: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "o.jsonl"
    both = [str(places["zh"]), str(places["de"])]
    words = ["--query", "Hochwasser Sorel", "--system", "cosine", "--out", str(out)]
    assert run(["follow", *both, *words, "--languages", "de"]) == 0
    said = capsys.readouterr().err
    assert "60 documents are in none of the events' languages: Chinese (60)" in said
    assert "got no document" not in said
    assert updates(out)
    # The same settings go on, others do not.
    assert run(["follow", *both, *words, "--languages", "de"]) == 0
    assert "this run is finished" in capsys.readouterr().err
    assert run(["follow", *both, *words]) == 2
    assert run(["follow", *both, *words, "--languages", "fr", "--restart"]) == 0
    said = capsys.readouterr().err
    assert (
        "event query got no document: it is followed in French, the documents are in German (60), Chinese (60)"
        in said
    )
    assert "no document is of their time" not in said


@pytest.mark.parametrize(
    ("languages", "query", "words"),
    cases(__file__, "languages that are none"),
)
def test_languages_that_are_none(
    places: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    languages: str,
    query: str,
    words: str,
) -> None:
    import re

    out = str(tmp_path / "o.jsonl")
    assert run(["follow", str(places["de"]), "--query", query, "--languages", languages, "--out", out]) == 2
    assert re.search(words, capsys.readouterr().err)


def test_an_event_file_says_its_languages(
    places: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "event.json", tmp_path / "o.jsonl"
    event = Event(id="flut", title="Flut", query="Hochwasser Sorel", languages=("de", "pt"))
    write_event(path, event)
    assert read_events(path) == [event]
    words = ["--event", str(path), "--system", "centroid", "--out", str(out), "--interval", "6h"]
    assert run(["follow", str(places["zh"]), str(places["de"]), *words]) == 0
    assert "Chinese (60)" in capsys.readouterr().err
    assert updates(out)
    path.write_text('{"id": "x", "query": "y", "languages": ["german"]}')
    assert run(["follow", str(places["de"]), *words]) == 2
    assert "codes of two letters" in capsys.readouterr().err


def test_a_store_keeps_the_languages_of_events(places: dict[str, Path], tmp_path: Path) -> None:
    from tidings.core.store import open_store

    path, place = tmp_path / "event.json", tmp_path / "runs.db"
    write_event(path, Event(id="flut", title="Flut", query="Hochwasser Sorel", languages=("de",)))
    words = [
        "--event",
        str(path),
        "--system",
        "cosine",
        "--out",
        str(tmp_path / "o.jsonl"),
        "--store",
        str(place),
        "-q",
    ]
    assert run(["follow", str(places["de"]), *words]) == 0
    with open_store(str(place)) as store:
        (name,) = [one.name for one in store.runs()]
        assert [event.languages for event in store.events(name)] == [("de",)]


def test_values_of_other_languages_are_none_and_said(
    places: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "o.jsonl"
    words = ["--query", "Hochwasser Sorel", "--values", "--out", str(out), "-q"]
    assert run(["follow", str(places["de"]), *words]) == 0
    assert "values are read in English alone: none from documents in German (60)" in capsys.readouterr().err
    assert '"kind":"value"' not in out.read_text()


def test_the_page_says_language_and_direction(tmp_path: Path) -> None:
    source, out, page = tmp_path / "ar.jsonl", tmp_path / "o.jsonl", tmp_path / "o.html"
    write_documents(source, stream("ar"))
    query = LANGUAGES["ar"]["query"]
    assert run(["follow", str(source), "--query", query, "--system", "cosine", "--out", str(out), "-q"]) == 0
    assert run(["timeline", str(out), "--out", str(page)]) == 0
    text = page.read_text()
    assert text.count('<p class="said" lang="ar" dir="rtl">') >= 9
    assert '<bdi lang="ar" dir="rtl">صحيفة سورل</bdi>' in text
    assert '<html lang="en">' in text
