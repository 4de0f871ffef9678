"""`tidings stories`: the listing, the files, an earlier moment, the command that follows a story, and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases
from tidings.cli import run

FIRE = "The ferry Aurora caught fire off Brennholm on Monday, and the coast guard took 212 passengers off."
AGAIN = "A fire broke out on the ferry Aurora off Brennholm. The coast guard rescued 212 passengers and crew."
BANK = (
    "Shares of Northway Bank fell by a third on Tuesday after the lender warned of losses on property loans."
)


@pytest.fixture
def stream(tmp_path: Path) -> str:
    reports = [
        ("a", "2024-05-01T10:00:00Z", "Coast Wire", "Ferry on fire off Brennholm", FIRE),
        ("b", "2024-05-01T11:00:00Z", "Echo", "Fire on <b>Brennholm</b> ferry Aurora", AGAIN),
        ("c", "2024-05-02T10:00:00Z", "Echo", "Northway Bank shares fall", BANK),
    ]
    names = ("id", "published_time", "source", "title", "text")
    records = [
        dict(zip(names, report, strict=True)) | {"url": f"https://example.org/{report[0]}"}
        for report in reports
    ]
    path = tmp_path / "documents.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def test_stories_are_listed_with_state_and_outlets(stream: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stories", stream]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0].split(None, 1) == ["1", "Fire on <b>Brennholm</b> ferry Aurora"]
    assert "steady · 2 documents · 1 May 2024 10:00 – 1 May 2024 11:00 · Coast Wire, Echo" in lines[1]
    assert not any("Northway" in line for line in lines)
    assert "1 stories in 3 documents" not in printed.err
    assert "1 story in 3 documents" in printed.err


def test_stories_of_one_document_are_listed_where_asked(
    stream: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stories", stream, "--least", "1", "-q"]) == 0
    assert "Northway Bank shares fall" in capsys.readouterr().out


def test_an_earlier_moment_sees_nothing_of_later_documents(
    stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "stories.jsonl"
    assert run(["stories", stream, "--at", "2024-05-01T10:30:00Z", "--least", "1", "--out", str(out)]) == 0
    (story,) = [json.loads(line) for line in out.read_text().splitlines()]
    assert (story["story"], story["documents"], story["state"]) == ("a", ["a"], "new")
    assert set(story) >= {"title", "keywords", "names", "outlets", "first_time", "last_time", "see_also"}


def test_a_page_escapes_what_documents_say(stream: str, tmp_path: Path) -> None:
    page = tmp_path / "stories.html"
    assert run(["stories", stream, "--out", str(page), "-q"]) == 0
    text = page.read_text()
    assert '<h2 id="t1">Fire on &lt;b&gt;Brennholm&lt;/b&gt; ferry Aurora</h2>' in text
    assert "<b>Brennholm" not in text
    assert '<a href="https://example.org/a" rel="noopener noreferrer nofollow">' in text


def test_markdown_keeps_titles_plain(stream: str, tmp_path: Path) -> None:
    listing = tmp_path / "stories.md"
    assert run(["stories", stream, "--out", str(listing), "-q"]) == 0
    assert listing.read_text().startswith("1. **Fire on \\<b\\>Brennholm\\</b\\> ferry Aurora**")


def test_the_command_that_follows_a_story_runs(
    stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shlex

    assert run(["stories", stream, "--follow", "1"]) == 0
    words = shlex.split(capsys.readouterr().out)
    assert words[:3] == ["tidings", "follow", stream]
    out = tmp_path / "run.jsonl"
    assert run([*words[1:], "--system", "cosine", "--out", str(out), "-q"]) == 0
    assert '"kind":"update"' in out.read_text()


def test_stories_in_a_store_go_on_and_are_followed_from_there(
    stream: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shlex

    store = str(tmp_path / "stories.db")
    lines = Path(stream).read_text().splitlines(keepends=True)
    Path(stream).write_text("".join(lines[:1]))
    assert run(["stories", stream, "--store", store, "--least", "1", "-q"]) == 0
    Path(stream).write_text("".join(lines))
    assert run(["stories", stream, "--store", store]) == 0
    printed = capsys.readouterr()
    assert "1 story in 3 documents" in printed.err
    page = tmp_path / "stories.html"
    assert run(["stories", stream, "--store", store, "--out", str(page), "-q"]) == 0
    assert "https://example.org/a" in page.read_text()
    assert run(["stories", stream, "--store", store, "--follow", "1"]) == 0
    words = shlex.split(capsys.readouterr().out)
    assert words[-6:] == ["--story", "a", "--store", store, "--out", "fire-on-b-brennholm-b-ferry.jsonl"]
    out = tmp_path / "run.jsonl"
    assert run([*words[1:-1], str(out), "--system", "cosine", "-q"]) == 0
    assert '"kind":"update"' in out.read_text()
    assert "Northway" not in out.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    cases(__file__, "mistakes are said in one line", lists=True),
)
def test_mistakes_are_said_in_one_line(
    arguments: list[str], said: str, stream: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stories", stream, *arguments]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert not printed.out
    assert len(printed.err.splitlines()) == 1
