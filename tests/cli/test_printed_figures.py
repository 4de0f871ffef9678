"""What the pages print of the bundled event is what the commands beside it print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.sweeps import every
from tidings.cli import run as tidings
from tidings.sources import bundled

RUNS = {
    "santiago": (),
    "first": ("--system", "first"),
    "cosine": ("--system", "cosine"),
    "more": ("--system", "tidings:article_level=0.5"),
    "hourly": ("--system", "sumbasic", "--interval", "1h"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runs of the tutorial."""
    folder = tmp_path_factory.mktemp("tutorial")
    for name, options in RUNS.items():
        out = str(folder / f"{name}.jsonl")
        assert tidings(["follow", str(bundled.path()), "--out", out, "--quiet", *options]) == 0
    return folder


def printed(folder: Path, capsys: pytest.CaptureFixture[str], names: list[str], *options: str) -> list[str]:
    capsys.readouterr()
    runs = [str(folder / f"{name}.jsonl") for name in names]
    assert tidings(["score", *runs, "--judgments", str(bundled.path()), *options]) == 0
    return capsys.readouterr().out.splitlines()


@every("page", ["docs/following/tutorial.md", "docs/sources/bundled-event.md"])
def test_scores_of_the_bundled_event(page: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines()]
    asked = re.findall(r"tidings score (.+?) --judgments santiago-2013(?: --measures '(.+?)')?\n", text)
    assert asked
    for files, measures in asked:
        names = [name.removesuffix(".jsonl") for name in files.split()]
        options = ("--measures", measures) if measures else ()
        for line in printed(folder, capsys, names, *options):
            assert line in lines, f"{page}: {line}"


def test_readme_says_what_the_demo_scores(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    ours, plain = [
        line.split()[-1] for line in printed(folder, capsys, ["santiago", "cosine"], "--measures", "H")[2:]
    ]
    assert f"its H of {ours[1:]} there" in text
    assert f"scores {plain[1:]} on it" in text


def test_page_of_the_bundled_event_says_what_explain_finds(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = " ".join((ROOT / "docs/sources/bundled-event.md").read_text(encoding="utf-8").split())
    out = str(folder / "matching.jsonl")
    matching = ("--system", "random:probability=1", "--quiet")
    assert tidings(["follow", str(bundled.path()), "--out", out, *matching]) == 0

    def lost(run: str) -> tuple[int, int, int]:
        capsys.readouterr()
        judgments = str(bundled.path())
        assert tidings(["explain", str(folder / run), "santiago-2013", "--judgments", judgments]) == 0
        said = capsys.readouterr().out
        counts = [
            re.search(rf"(\d+) updates {what}", said) for what in ("covered", "that only repeat", "judged to")
        ]
        emitted, repeated, irrelevant = (int(count[1]) if count else 0 for count in counts)
        return emitted, repeated, irrelevant

    emitted, _, irrelevant = lost("matching.jsonl")
    assert irrelevant == 0
    assert f"Each of the {emitted} sentences that hold two words of the query" in text
    emitted, repeated, irrelevant = lost("santiago.jsonl")
    assert (
        f"Its {emitted} updates include {repeated} that only repeat and {irrelevant} without a nugget" in text
    )


def test_the_tutorial_shows_what_is_read_of_the_feeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    feeds = str(bundled.feeds() / "feeds.opml")
    page = (ROOT / "docs" / "following" / "tutorial.md").read_text(encoding="utf-8")
    assert tidings(["read", feeds]) == 0
    assert capsys.readouterr().out.strip() in page
    out = str(tmp_path / "story.jsonl")
    assert tidings(["follow", feeds, "--query", "santiago train derailment", "--out", out]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0].partition(" in ")[0] in page
    assert said[1] in page
