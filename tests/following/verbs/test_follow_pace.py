"""`tidings follow --about`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases
from tidings.cli import run


@pytest.fixture(name="news")
def _news(tmp_path: Path) -> Path:
    news = tmp_path / "news.jsonl"
    documents = [
        {
            "id": f"d{n}",
            "published_time": 10_800 * n,
            "text": f"A storm hits the village {n % 9} with {n} houses.",
        }
        for n in range(120)
    ]
    news.write_text("".join(json.dumps(document) + "\n" for document in documents))
    return news


def follow(news: Path, *words: str) -> tuple[int, list[dict[str, object]]]:
    out = news.parent / "out.jsonl"
    code = run(["follow", str(news), "--query", "storm village", "--out", str(out), "--quiet", *words])
    lines = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    return code, [line for line in lines if line["kind"] in ("run", "update")]


@pytest.mark.parametrize(
    ("words", "system"),
    cases(__file__, "the run says its pace"),
)
def test_the_run_says_its_pace(news: Path, words: tuple[str, ...], system: str) -> None:
    code, lines = follow(news, *words)
    assert code == 0
    assert lines[0]["system"] == system


def test_holds_it(news: Path) -> None:
    _, lines = follow(news, "--system", "first", "--about", "40")
    assert 36 <= len(lines) - 1 <= 44
    _, lines = follow(news, "--system", "first", "--about", "4/day", "--restart")
    assert 3 <= (len(lines) - 1) / 15 <= 5


def test_another_pace_is_another_run(news: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert follow(news, "--system", "first", "--about", "5/day")[0] == 0
    assert follow(news, "--system", "first", "--about", "6/day")[0] == 2
    assert "first:about=5/day" in capsys.readouterr().err
    assert follow(news, "--system", "first", "--about", "6/day", "--restart")[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    cases(__file__, "what is refused"),
)
def test_what_is_refused(
    news: Path, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert follow(news, *words)[0] == 2
    assert said in capsys.readouterr().err


def test_the_usual_pace_is_no_part_of_the_runs_name(news: Path) -> None:
    _, lines = follow(news)
    assert lines[0]["run"] == "tidings"
    _, lines = follow(news, "--about", "up to 3/day", "--restart")
    assert lines[0]["run"] == "tidings:about=up_to_3/day"
