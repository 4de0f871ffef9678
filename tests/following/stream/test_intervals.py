"""Durations and decision intervals."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.core import format_duration, parse_duration
from tidings.core.errors import UsageError
from tidings.following.stream.kernel import moment_of
from tidings.following.stream.loop import parse_interval


@given(st.integers(0, 10**7))
def test_a_duration_reads_back(seconds: int) -> None:
    assert parse_duration(format_duration(seconds)) == seconds


@every("text", ["", "m", "10x", "1.5h", "-3m", "10 m x", "ten"])
def test_what_is_no_duration_is_said(text: str) -> None:
    with pytest.raises(UsageError, match="expected a number and a unit"):
        parse_duration(text, "lateness")


@every("text", ["36526d", "999999999999999999d", "9" * 5000])
def test_what_no_clock_reaches_is_said(text: str) -> None:
    assert parse_duration("36525d") == 36525 * 86400
    with pytest.raises(UsageError, match="expected at most a century"):
        parse_duration(text, "lateness")


def test_an_interval_is_document_or_at_least_a_second() -> None:
    assert parse_interval("Document") == 0
    assert parse_interval("1h") == 3600
    with pytest.raises(UsageError, match="at least 1s"):
        parse_interval("0m")


@given(st.integers(-(10**10), 10**10), st.integers(1, 10**6))
def test_an_interval_is_half_open_and_aligned_to_the_epoch(time: int, interval_s: int) -> None:
    end = moment_of(time, interval_s)
    assert end % interval_s == 0
    assert end - interval_s <= time < end
