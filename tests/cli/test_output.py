"""Lines on standard error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tidings.cli import run
from tidings.cli.output import say


def test_lines_stay_and_escapes_do_not(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\x1b]0;title\x07\nb\u202ec")
    assert capsys.readouterr().err == "tidings: a\ufffd]0;title\ufffd\nb\ufffdc\n"


def test_an_error_that_quotes_a_name_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "no\x1b[31msuch.run", "--judgments", "nowhere"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("tidings: ")
    assert "\x1b" not in said


def test_an_id_of_a_late_document_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = tmp_path / "documents.jsonl"
    documents = [{"id": f"{time}\x1b[2J", "published_time": time, "text": "A fire."} for time in (9999, 1)]
    stream.write_text("".join(json.dumps(document) + "\n" for document in documents))
    assert run(["follow", str(stream), "--query", "fire", "--out", str(tmp_path / "a.jsonl")]) == 0
    said = capsys.readouterr().err
    assert "document 2 (1\ufffd[2J)" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("form", ["table", "tsv", "markdown", "latex"])
def test_a_name_in_a_table_cannot_steer_the_terminal(form: str) -> None:
    from tidings.report.tables import Table, render

    text = render(Table(("run",), (("a\x1b[31m b\tc",),)), form)
    assert "a\ufffd[31m b c" in text
