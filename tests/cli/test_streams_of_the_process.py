"""Standard output of any kind: without letters, closed, or read by nobody."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TEAM = "\u00e9quipe"


def call(*arguments: object, encoding: str = "", shell: str = "") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "tidings", *map(str, arguments)]
    if shell:
        command = ["sh", "-c", f'"$@" {shell}', "sh", *command]
    environment = {**os.environ, "PYTHONIOENCODING": encoding} if encoding else None
    return subprocess.run(command, capture_output=True, check=False, env=environment)


@pytest.fixture
def told(tmp_path: Path) -> Path:
    path = tmp_path / "told.jsonl"
    update = {"event": "santiago-2013", "doc": "1374691950-canal", "sentence": 0, "time": 1374691950}
    path.write_text(json.dumps({**update, "text": "Caf\u00e9 \u2013 burns", "team": TEAM, "run": "r"}) + "\n")
    return path


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "ascii:surrogateescape"])
class TestALetterThatTheTerminalLacks:
    def test_is_shown_as_a_question_mark(self, told: Path, encoding: str) -> None:
        done = call("timeline", told, encoding=encoding)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"? burns" in done.stdout

    def test_stays_in_json(self, told: Path, encoding: str) -> None:
        from tidings.sources import bundled

        done = call("score", told, "-j", bundled.path(), "-f", "jsonl", "-m", "C", encoding=encoding)
        assert done.returncode == 0
        assert {json.loads(line)["team"] for line in done.stdout.splitlines()} == {TEAM}


@pytest.mark.parametrize(("closed", "code"), [(">&-", 2), ("2>&-", 0), (">&- 2>&-", 2), ("<&-", 0)])
def test_a_closed_stream_is_no_traceback(told: Path, closed: str, code: int) -> None:
    done = call("timeline", told, shell=closed)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
