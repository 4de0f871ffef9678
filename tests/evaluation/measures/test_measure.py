"""Measures as values, and what they say about themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.records import Event
from tidings.evaluation.measures import Measure, every_measure, parse_measure
from tidings.evaluation.measures.run_scores import closed_period

ALL = every_measure()


@given(st.sampled_from(sorted(ALL)), st.none() | st.integers(0, 10**9))
def test_a_measure_prints_as_what_it_parses_from(name: str, at: int | None) -> None:
    measure = Measure(name, at if ALL[name].takes_time else None)
    assert parse_measure(repr(measure)) == measure


@every(
    "text, hint",
    cases(__file__, "a wrong name is named and a near one offered"),
)
def test_a_wrong_name_is_named_and_a_near_one_offered(text: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        parse_measure(text)


@every("info", ALL.values(), ids=str)
def test_every_measure_says_what_it_is(info) -> None:
    assert info.title and info.formula and info.meaning and info.unit and info.source
    assert info.high is None or info.high > info.low
    assert info.better in {"higher", "lower", ""}


@every(
    "start, end, lacking",
    [(None, 9, "no start"), (1, None, "no end"), (None, None, "no start or end")],
)
def test_an_open_period_is_refused(start: int | None, end: int | None, lacking: str) -> None:
    event = Event(id="e", title="", query="", start_time=start, end_time=end)
    with pytest.raises(UsageError, match=f"event e has {lacking}"):
        closed_period(event, "nI")
