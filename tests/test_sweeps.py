"""A sweep runs every case, each by itself, and reports all that fail."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import pytest

from tests.sweeps import every


def test_every_case_is_run_and_every_failure_named(tmp_path: Path) -> None:
    tried = []

    @every("number, word", [(1, "one"), (2, "two"), (3, "three")])
    def check(tmp_path: Path, number: int, word: str) -> None:
        tried.append(number)
        assert not list(tmp_path.iterdir())
        (tmp_path / "file").touch()
        if number == 1:
            pytest.fail("so it is")
        assert number == 2, word

    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases fail") as raised:
        check(tmp_path=tmp_path)
    assert tried == [1, 2, 3]
    notes = [error.__notes__[-1] for error in raised.value.exceptions]
    assert notes == ["case 0: 1, 'one'", "case 2: 3, 'three'"]
    assert list(inspect.signature(check).parameters) == ["tmp_path"]


def test_what_a_case_patches_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    @every("number", range(3), ids=str)
    def check(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
        assert "TIDINGS_SWEEP" not in os.environ
        monkeypatch.setenv("TIDINGS_SWEEP", str(number))

    check(monkeypatch=monkeypatch)
    assert "TIDINGS_SWEEP" not in os.environ


def test_a_case_that_skips_hides_no_failure() -> None:
    def check(number: int) -> None:
        if number == 0:
            pytest.skip("not here")
        assert number != 2

    with pytest.raises(ExceptionGroup, match="1 of 3 cases fail"):
        every("number", range(3))(check)()
    with pytest.raises(pytest.skip.Exception, match="1 of 2 cases: not here"):
        every("number", range(2))(check)()


def test_no_cases_are_refused() -> None:
    with pytest.raises(AssertionError, match="no cases"):
        every("number", [])
