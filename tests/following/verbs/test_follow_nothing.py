"""Runs that cannot be: nothing on standard input, an output that is a link to itself."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tidings.cli import run


def test_nothing_on_standard_input_is_no_finished_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("what an earlier run told\n")
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
        assert run(["follow", "-", "--query", "storm", "--out", str(out)]) == 2
        assert "no document on standard input" in capsys.readouterr().err
        assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
        assert out.read_text() == "what an earlier run told\n"


def test_an_output_that_is_a_link_to_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stream, out = tmp_path / "news.jsonl", tmp_path / "out.jsonl"
    stream.write_text('{"id": "d", "published_time": 60, "text": "A storm is near."}\n')
    out.symlink_to(out)
    assert run(["follow", str(stream), "--query", "storm", "--out", str(out)]) == 2
    assert "a link that leads back to itself" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"news.jsonl", "out.jsonl"}
