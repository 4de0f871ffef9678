"""Names that a shell left empty, and a program that is ended while it loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings import cli


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
