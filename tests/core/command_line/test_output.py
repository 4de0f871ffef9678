"""Lines on standard error."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.cli import run
from tidings.core.command_line.output import say


def test_lines_stay_and_escapes_do_not(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\x1b]0;title\x07\nb\u202ec")
    assert capsys.readouterr().err == "tidings: a\ufffd]0;title\ufffd\nb\ufffdc\n"


def test_an_error_that_quotes_a_name_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "no\x1b[31msuch.run", "--judgments", "nowhere"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("tidings: ")
    assert "\x1b" not in said


def test_an_id_of_a_late_document_cannot_steer_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = [*range(9999, 10028), 1]
    documents = [{"id": f"{time}\x1b[2J", "published_time": time, "text": "A fire."} for time in times]
    lines = "".join(json.dumps(document) + "\n" for document in documents).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))  # a file would be sorted
    assert run(["follow", "-", "--query", "fire", "--out", str(tmp_path / "a.jsonl")]) == 0
    said = capsys.readouterr().err
    assert "document 30 (1\ufffd[2J)" in said
    assert "\x1b" not in said


@every("form", ["table", "tsv", "markdown", "latex"])
def test_a_name_in_a_table_cannot_steer_the_terminal(form: str) -> None:
    from tidings.core.display.tables import Table, render

    text = render(Table(("run",), (("a\x1b[31m b\tc",),)), form)
    assert "a\ufffd[31m b c" in text


def test_data_is_whole_in_a_pipe_and_steers_no_terminal() -> None:
    code = (
        "from tidings.core.files.writing import write_atomically\n"
        "with write_atomically('-') as file:\n"
        "    for part in (b'd\\x1b[2J\\xe2', b'\\x80\\xae\\t0\\r\\n\\xff', b'x' * 100_000, b'\\n'):\n"
        "        file.write(part); file.flush()\n"
    )
    command = [sys.executable, "-c", code]
    piped = subprocess.run(command, capture_output=True, check=True)
    assert piped.stdout == b"d\x1b[2J\xe2\x80\xae\t0\r\n\xff" + b"x" * 100_000 + b"\n"
    master, terminal = os.openpty()
    with subprocess.Popen(command, stdout=terminal) as process:
        os.close(terminal)
        parts = []
        try:
            while part := os.read(master, 1 << 16):
                parts.append(part)
        except OSError:
            pass  # how Linux says that a terminal's other side is closed
        assert process.wait() == 0
    os.close(master)
    shown = b"".join(parts).decode().replace("\r\n", "\n")
    tab = "\t" if "\t" in shown else " " * (8 - len("d?[2J?"))  # a terminal may write tabs as blanks
    assert shown == f"d\ufffd[2J\ufffd{tab}0 \n\ufffd{'x' * 100_000}\n"
