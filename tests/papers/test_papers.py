"""docs/papers.md: its commands run, print what the page says, and a row without a command says why."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import ROOT
from tidings.cli import run
from tidings.sources import bundled

PAGE = ROOT / "docs" / "papers.md"
COLUMNS = ["place", "what", "command", "shows", "departs"]


class Row(NamedTuple):
    """A row of the page: its paper and place, its commands, what they show, where it departs, and if it takes long."""

    name: str
    commands: tuple[str, ...]
    shows: tuple[str, ...]
    departs: str
    long: bool


def page_rows() -> list[Row]:
    rows = []
    paper = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            paper = line[3:]
        if not line.startswith("| ") or not paper:
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells == COLUMNS:
            continue
        assert len(cells) == len(COLUMNS), line
        place, what, command, shows, departs = cells
        commands = tuple(part.replace("\\|", "|") for part in re.findall(r"`([^`]+)`", command))
        shown = tuple(" ".join(part.split()) for part in re.findall(r"`([^`]+)`", shows))
        rows.append(Row(f"{paper}, {place}: {what}", commands, shown, departs, command.endswith("*(long)*")))
    return rows


ROWS = page_rows()
PAPERS = re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def starting_commands() -> list[str]:
    return re.findall(r"^\$ (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """What the page says that its commands find."""
    place = tmp_path_factory.mktemp("papers")
    (place / "event").symlink_to(bundled.path())
    for name in ("linked", "views"):
        (place / name).symlink_to(Path(__file__).parent / name)
    (place / "runs").mkdir()
    shared = ROOT.parent / "shared" / "data"
    for name in ("trec-ts", "rts"):
        if (shared / name).is_dir():
            (place / name).symlink_to(shared / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for command in starting_commands():
            assert run(shlex.split(command)[1:]) == 0, command
    return place


def words_of(command: str) -> list[str]:
    """A command's words as a shell would give them, names with a star spelled out."""
    words: list[str] = []
    for word in shlex.split(command):
        words += sorted(map(str, Path().glob(word))) if "*" in word else [word]
    return words


def show(row: Row, capfd: pytest.CaptureFixture[str]) -> str:
    """Try a row; what it lacks, where it lacks something."""
    if not row.commands:
        assert row.departs, f"{row.name}: no command (expected one, or the reason why there is none)"
    capfd.readouterr()
    texts = []
    for command in row.commands:
        program, *words = words_of(command)
        assert program == "tidings", f"{row.name}: {command} (expected a command of tidings)"
        for name in ("trec-ts", "rts"):
            if any(word.startswith(f"{name}/") for word in words) and not Path(name).exists():
                return f"no folder {name} beside the checkout"
        code = run(words)
        printed = capfd.readouterr()
        assert code == 0, f"{command}: {printed.err}"
        texts += [printed.out, printed.err]
        if "--out" in words:
            texts.append(Path(words[words.index("--out") + 1]).read_text(encoding="utf-8", errors="replace"))
    found = " ".join(" ".join(texts).split())
    for shown in row.shows:
        assert shown in found, f"{row.name}: the commands do not show {shown!r}"
    return ""


@pytest.mark.parametrize("with_long", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("paper", PAPERS)
def test_commands_show_what_the_page_says(
    paper: str,
    with_long: bool,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Row by row: later ones read what earlier ones write."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")
    rows = [row for row in ROWS if row.name.startswith(f"{paper}, ")]
    lacking = [show(row, capfd) for row in rows if with_long or not row.long]
    if any(lacking):
        pytest.skip(max(lacking))


def test_every_paper_has_rows() -> None:
    assert len(PAPERS) == 5
    assert all(any(row.name.startswith(f"{paper}, ") for row in ROWS) for paper in PAPERS)
