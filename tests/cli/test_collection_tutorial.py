"""The tutorial of a collection: its commands exist, run in their order, and print what the page says they print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from shutil import copytree

import pytest
from typer.main import get_command

from tests.conftest import ROOT
from tidings.annotation.desk.demo import match_as
from tidings.annotation.desk.exchange.importing import nugget_value
from tidings.annotation.store import Act, Desk
from tidings.cli import join_words, make_app, run as tidings
from tidings.core.records.judgments import FINAL, SHARED, Change, judge_layer
from tidings.core.store import open_store
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

PAGE = ROOT / "docs" / "annotation" / "tutorial.md"
SERVED = ("serve", "demo")


def commands_of(page: Path) -> list[tuple[list[str], list[str]]]:
    """The words of each command of the page, and the lines that it shows of what is printed."""
    found: list[tuple[list[str], list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("$ "):
                found.append((shlex.split(line[2:]), []))
            elif line.strip():
                found[-1][1].append(line.rstrip())
    return [(words[1:], shown) for words, shown in found if words[0] == "tidings"]


def assert_commands(found: list[tuple[list[str], list[str]]], least: int) -> None:
    """Each is one that the command line knows, and there are as many as this at least."""
    assert len(found) >= least
    for words, _ in found:
        verb, *arguments = join_words(words)
        command = vars(get_command(make_app([verb])))["commands"][verb]
        command.make_context(verb, list(arguments))


COMMANDS = commands_of(PAGE)


def test_every_command_of_the_page_is_one() -> None:
    assert_commands(COMMANDS, 10)


def judge() -> None:
    """What Anna and Ben do in their browsers: list the nuggets, match all updates, decide where they differ."""
    shipped = read_judgments(bundled.path())
    with open_store("desk.db") as store:
        desk = Desk(store)
        project = desk.projects.find("angrois")
        anna, ben = desk.accounts.find("anna"), desk.accounts.find("ben")
        assert project is not None and anna is not None and ben is not None
        act = Act(key="list", operation="add-nugget", topic=1, account_id=anna.id)
        nuggets = [Change(SHARED, "nugget", one.id, nugget_value(one)) for one in shipped.nuggets]
        desk.log.record(project.id, act, nuggets)
        match_as(desk, project, shipped, anna, 1000)
        match_as(desk, project, shipped, ben, 1000, overlooks=4)


def decide() -> None:
    """Anna's matches become final."""
    with open_store("desk.db") as store:
        desk = Desk(store)
        anna = desk.accounts.find("anna")
        assert anna is not None
        found = desk.log.objects(1, 1, layer=judge_layer(anna.id), kind="matches")
        act = Act(key="decide", operation="decide", topic=1, account_id=anna.id)
        desk.log.record(1, act, [Change(FINAL, "matches", one.id, one.value) for one in found])


@pytest.mark.long
def test_the_page_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    copytree(bundled.path(), tmp_path / "santiago-2013")
    (tmp_path / "guidelines.md").write_text("Be *kind*.")
    for words, shown in COMMANDS:
        if words[:2] == ["assess", "serve"]:
            judge()
            continue
        if words[:2] == ["assess", "demo"]:
            continue
        if words[:2] == ["assess", "export"] and "--judge" not in words:
            decide()
        assert tidings(words) == 0, words
        told = capsys.readouterr()
        printed = [line.rstrip() for line in (told.out + told.err).splitlines()]
        for line in shown:
            assert any(same_line(line, one) for one in printed), f"{' '.join(words)}: {line}\n" + "\n".join(
                printed
            )


def same_line(shown: str, printed: str) -> bool:
    """Whether a line is the one that a page shows."""
    # A page writes … for what is another each time.
    pattern = ".*".join(map(re.escape, shown.split("…")))
    return re.fullmatch(pattern, printed) is not None
