"""Lines on standard error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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
    times = [*range(9999, 10028), 1]
    documents = [{"id": f"{time}\x1b[2J", "published_time": time, "text": "A fire."} for time in times]
    stream.write_text("".join(json.dumps(document) + "\n" for document in documents))
    assert run(["follow", str(stream), "--query", "fire", "--out", str(tmp_path / "a.jsonl")]) == 0
    said = capsys.readouterr().err
    assert "document 30 (1\ufffd[2J)" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("form", ["table", "tsv", "markdown", "latex"])
def test_a_name_in_a_table_cannot_steer_the_terminal(form: str) -> None:
    from tidings.report.tables import Table, render

    text = render(Table(("run",), (("a\x1b[31m b\tc",),)), form)
    assert "a\ufffd[31m b c" in text


def test_data_is_whole_in_a_pipe_and_steers_no_terminal(tmp_path: Path) -> None:
    stream = tmp_path / "documents.jsonl"
    document = {
        "id": "d\x1b[2J\u202e",
        "published_time": 9999,
        "text": "A fire at the port killed 12 people.",
    }
    stream.write_text(json.dumps(document) + "\n")
    command = [
        sys.executable,
        "-m",
        "tidings",
        "follow",
        str(stream),
        "--system",
        "first",
        "--query",
        "fire port",
    ]
    command += ["--out", "-"]
    piped = subprocess.run(command, capture_output=True, check=True)
    assert b"d\xe2\x80\xae" in piped.stdout.replace(b"\x1b[2J", b"")
    master, terminal = os.openpty()
    subprocess.run(command, stdout=terminal, stderr=subprocess.DEVNULL, check=True)
    os.close(terminal)
    shown = os.read(master, 1 << 16).decode()
    os.close(master)
    assert "d\ufffd[2J\ufffd\t0" in shown
    assert not {"\x1b", "\u202e"} & set(shown)
