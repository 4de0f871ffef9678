"""A part of `scripts/try_sources.py`: changed samples of every format of items give a result or one error."""

from __future__ import annotations

import sys

import pytest

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

import try_sources


@pytest.mark.parametrize("name", try_sources.names())
def test_changed_samples(name: str) -> None:
    tried = try_sources.attempt(name, range(25))
    assert not tried.faults
    assert tried.read + tried.refused == 25


@pytest.mark.long
@pytest.mark.parametrize("name", try_sources.names())
def test_many_changed_samples(name: str) -> None:
    assert not try_sources.attempt(name, range(25, 2000)).faults


def test_what_is_changed_is_the_same_in_every_run() -> None:
    import random

    assert try_sources.changed(b"A ferry burns.", random.Random("1 feed 7")) == try_sources.changed(
        b"A ferry burns.", random.Random("1 feed 7")
    )


def test_a_fault_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(sources: list[str]) -> list[str]:
        raise KeyError(sources[0][:1])

    monkeypatch.setattr(try_sources, "open_reading", broken)
    ((number, said),) = try_sources.attempt("feed", range(3, 4)).faults
    assert number == 3
    assert "KeyError" in said


def test_a_zip_archive_with_a_file_without_a_name() -> None:
    """Of the many changed samples the one that the standard library's reader fails on."""
    assert not try_sources.attempt("zip", range(1470, 1471)).faults
