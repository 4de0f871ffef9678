"""Output that cannot be written: every verb says so and fails, whether its output is closed, full or read by nobody."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_inputs_stay import COMPARE, made_place
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
