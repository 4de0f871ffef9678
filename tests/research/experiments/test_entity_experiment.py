"""`tidings experiment` with a plan of entities: the paper's tables, each kept when it is made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.research.training.conftest import make_year
from tests.sweeps import cases
from tidings.cli import run as tidings

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a plan for a small year of judged events; given lines are added."""
    make_year(tmp_path / "year", ["A.1", "A.2", "A.3", "A.4"])

    def writing(*lines: str) -> Path:
        head = ['task = "entities"', f'folders = ["{tmp_path / "year"}"]', f'output = "{tmp_path / "out"}"']
        path = tmp_path / "plan.toml"
        path.write_text("\n".join([*head, *lines]) + "\n")
        return path

    return writing


def test_it_says_how_long_it_takes_before_it_begins(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert tidings(["experiment", str(write("tables = [4]", 'takes = "a minute"')), "--dry-run"]) == 0
    assert capsys.readouterr().err == "1 of 1 tables to do; all of them take a minute\n"


@pytest.mark.long
def test_tables_are_made_printed_and_kept(
    write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = write("tables = [4, 5]", 'event = "A.2"', 'title = "A small year"')
    assert tidings(["experiment", str(plan), "--dry-run"]) == 0
    assert capsys.readouterr().out == "to do  table 4\nto do  table 5\n"
    assert tidings(["experiment", str(plan)]) == 0
    said = capsys.readouterr()
    assert "4 labelled" not in said.out
    assert "labelled entities, of which the days name" in said.err
    assert said.out.startswith("A small year\n\nTable 4:")
    assert "| nothing | " in said.out
    assert "Table 5: A.2, the first three of each day" in said.out
    files = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert set(files) == {"table-4.md", "table-5.md"}
    assert tidings(["experiment", str(plan), "--dry-run"]) == 0
    assert capsys.readouterr().out == "done   table 4\ndone   table 5\n"
    assert tidings(["experiment", str(plan)]) == 0
    assert capsys.readouterr().out == said.out
    plan = write("tables = [5]", 'event = "A.3"')
    assert tidings(["experiment", str(plan), "--dry-run"]) == 0
    assert capsys.readouterr().out == "to do  table 5\n"


@pytest.mark.parametrize(
    ("lines", "message"),
    cases(__file__, "a plan that is wrong", lists=True),
)
def test_a_plan_that_is_wrong(
    write: Write, lines: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tidings(["experiment", str(write(*lines))]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert "plan.toml" in said
    assert not (tmp_path / "out").exists()


def test_options_of_other_plans_are_refused(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    assert tidings(["experiment", str(write()), "--draw"]) == 2
    assert "--draw with a plan of entities" in capsys.readouterr().err
