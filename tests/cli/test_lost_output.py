"""Output that cannot be written: every verb says so and fails, whether its output is closed, full or read by nobody.

Standard output of any kind: without letters, closed, or read by nobody.

Names that a shell left empty, and a program that is ended while it loads.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_inputs_stay import COMPARE, made_place
from tests.sweeps import cases, every
from tidings import cli
from tidings.cli import VERBS, join_words

__all__ = ["made_place"]

STREAM = ["event/documents.jsonl", "--query", "train"]
COMMANDS = [
    ["demo", "--help"],
    ["read", "event/documents.jsonl", "--out", "-"],
    ["follow", *STREAM, "--system", "first", "--out", "-"],
    ["stories", "event/documents.jsonl"],
    ["digest", *STREAM],
    ["values", *STREAM, "--out", "-"],
    ["entities", *STREAM, "--out", "-"],
    ["entities", "views", "--help"],
    ["timeline", "run.jsonl"],
    ["report", "--help"],
    ["judge", "measure", "--help"],
    ["tag", "run.jsonl"],
    ["serve", "--help"],
    ["serve", "demo", "--help"],
    ["systems"],
    ["convert", "run.tsv", "-", "--from", "run", "--to", "updates"],
    ["score", "run.jsonl", "-j", "event"],
    COMPARE,
    ["explain", "run.jsonl", "santiago-2013", "-j", "event"],
    ["explain", "--entity", "--help"],
    ["agreement", "--help"],
    ["study", "event", "event", "run.jsonl", "--seeds", "1"],
    ["reuse", "event", "run.jsonl", "other.jsonl", "--judged-only"],
    ["measures"],
    ["pool", "run.jsonl", "--stream", "event", "--out", "-"],
    ["match", "--help"],
    ["cluster", "run.jsonl", "-j", "event", "--out", "-"],
    ["assess", "serve", "--help"],
    ["assess", "import", "--help"],
    ["assess", "export", "--help"],
    ["assess", "projects", "--store", "desk.db"],
    ["assess", "progress", "--project", "p", "--store", "desk.db"],
    ["assess", "demo", "--help"],
    ["assess", "users", "--help"],
    ["assess", "agreement", "--project", "p", "--store", "desk.db"],
    ["assess", "simulate", "event", "--by", "time"],
    ["mcp", "--help"],
    ["store", "backup", "--help"],
    ["store", "restore", "--help"],
    ["store", "prune", "--help"],
    ["store", "marks", "--help"],
    ["train", "--help"],
    ["config", "show"],
    ["experiment", "plan.toml", "--dry-run"],
    ["systems", "attention", "--help"],
]
"""A command for each verb that writes to standard output; help, where a verb keeps its results elsewhere."""

# One process forks for each command, so that Python is loaded once.
RUNNER = """
import importlib, json, os, sys
import numpy, rich.table, tidings.evaluation.library
from tidings.cli import VERBS, main, module_of

for verb in VERBS:
    importlib.import_module(module_of(verb))

commands, ways = json.load(open(sys.argv[1]))
for way in ways:
    for number, command in enumerate(commands):
        child = os.fork()
        if child == 0:
            said = os.open(f"said-{way}-{number}", os.O_WRONLY | os.O_CREAT)
            os.dup2(said, 2)
            if way == "full":
                os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
            elif way == "unread":
                reading, writing = os.pipe()
                os.close(reading)
                os.dup2(writing, 1)
            else:
                os.close(1)
                sys.stdout = None
            main(command)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with open(f"code-{way}-{number}", "w") as file:
            file.write(str(code))
"""


def outcomes(place: Path, commands: list[list[str]], *ways: str) -> dict[str, tuple[int, str]]:
    """The exit code and what was said, for each command and way of losing its output."""
    (place / "commands.json").write_text(json.dumps([commands, ways]))
    subprocess.run([sys.executable, "-c", RUNNER, "commands.json"], cwd=place, check=True, timeout=300)
    return {
        f"{way}: {' '.join(command)}": (
            int((place / f"code-{way}-{number}").read_text()),
            (place / f"said-{way}-{number}").read_text(),
        )
        for way in ways
        for number, command in enumerate(commands)
    }


def test_no_verb_loses_its_output_in_silence(made_place: Path) -> None:
    silent = {
        name: (code, said)
        for name, (code, said) in outcomes(made_place, COMMANDS, "full").items()
        if code != 2 or "tidings: <stdout>: could not be written (No space left on device)" not in said
    }
    assert silent == {}


def test_every_verb_is_here() -> None:
    assert {join_words(command)[0] for command in COMMANDS} == set(VERBS)


@pytest.mark.parametrize(
    "command", [["timeline", "run.jsonl"], ["follow", *STREAM, "--system", "first", "--out", "-"]]
)
def test_a_closed_output_is_said_and_one_that_nobody_reads_is_not(
    made_place: Path, command: list[str]
) -> None:
    closed, unread = outcomes(made_place, [command], "closed", "unread").values()
    assert closed[0] == 2
    assert "tidings: <stdout>: could not be written (it is closed)" in closed[1]
    assert unread[0] == 141
    assert "could not be written" not in unread[1]


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


@every(
    "command",
    cases(__file__, "an empty name is refused"),
)
def test_an_empty_name_is_refused(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "news.jsonl").write_text('{"id": "d", "published_time": 60, "text": "A storm is near."}\n')
    assert cli.run([word.replace("@", "") for word in command.split()]) == 2
    assert "is a variable of the shell unset?" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["news.jsonl"]


def test_other_options_may_be_empty(tmp_path: Path) -> None:
    news = tmp_path / "news.jsonl"
    news.write_text('{"id": "d", "published_time": 60, "text": "A storm is near."}\n')
    command = ["follow", str(news), "--query", "storm", "--team", "", "--out", str(tmp_path / "o.jsonl")]
    assert cli.run(command) == 0


@every("error, code, words", [(KeyboardInterrupt, 130, "interrupted"), (MemoryError, 2, "memory")])
def test_a_program_that_is_ended_while_it_loads(
    error: type[BaseException],
    code: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def load(args: object) -> None:
        raise error

    monkeypatch.setattr(cli, "make_app", load)
    assert cli.run(["systems"]) == code
    said = capsys.readouterr().err
    assert words in said
    assert len(said.splitlines()) == 1
