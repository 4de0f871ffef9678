"""Small things that a caller relies on: names that are filled in, what is counted, what is shown, what seeds do."""

from __future__ import annotations

import pandas as pd
import pytest

import tidings
from tests.sweeps import every
from tidings.core.files.jsonl import LATEST_TIME
from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.following.library.arguments import ArgumentValueError, as_time

EVENTS = tuple(
    Event(id=name, title=name, query=name, start_time=0, end_time=9000) for name in ("a", "b", "c")
)
JUDGED = Judgments(
    name="made",
    events=EVENTS,
    nuggets=tuple(Nugget(one.id, f"n-{one.id}", 100, 3, "something happened") for one in EVENTS),
    matches=tuple(Match(one.id, f"100-{one.id}-0", f"n-{one.id}", 0, 9) for one in EVENTS),
    pool=tuple(PooledUpdate(one.id, f"100-{one.id}", 0, "something happened") for one in EVENTS),
)
ROWS = [{"event": "a", "doc": "100-a", "sentence": 0, "time": 100}]


def told(*events: str) -> list[Update]:
    return [Update(event, f"100-{event}", 0, 100) for event in events]


def test_a_table_without_names_is_the_run_run() -> None:
    scores = tidings.score(pd.DataFrame(ROWS), JUDGED)
    assert [(one.team, one.run) for one in scores.runs] == [("", "run")]
    named = tidings.score({"mine": pd.DataFrame(ROWS)}, JUDGED)
    assert [one.run for one in named.runs] == ["mine"]


def test_counted_are_the_events_that_means_are_taken_over() -> None:
    own = tidings.score(told("a"), JUDGED, measures="C")
    assert {row.event: row.counted for row in own} == {"a": True, "b": False, "c": False}
    assert own.mean("C") == 1.0
    whole = tidings.score(told("a"), JUDGED, measures="C", mean="all")
    assert {row.event: row.counted for row in whole} == {"a": True, "b": True, "c": True}
    assert whole.mean("C") == pytest.approx(1 / 3)


def test_unasked_a_table_shows_the_short_list_and_rows_have_all() -> None:
    scores = tidings.score(told("a"), JUDGED)
    columns = scores.table().columns[3:]
    assert "H" in columns
    assert not any(name.startswith("c") for name in columns)
    assert set(columns) < {row.measure for row in scores}
    asked = tidings.score(told("a"), JUDGED, measures="LC,C")
    assert asked.table().columns[2:] == ("event", "LC", "C")
    assert {row.measure for row in asked} == {"LC", "C"}


def test_compared_runs_count_silence() -> None:
    compared = tidings.compare({"one": told("a"), "two": told("a", "b")}, JUDGED, measures="C", samples=50)
    row = compared.differences()[0]
    assert (row.baseline_mean, row.mean) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert (row.wins, row.ties, row.losses) == (1, 2, 0)


def test_the_seed_of_a_comparison_is_the_one_given() -> None:
    runs = {"one": told("a"), "two": told("a", "b")}
    seeds = [
        tidings.compare(
            runs, JUDGED, measures="C", samples=50, resamples=50, seed=seed
        ).comparison.settings.seed
        for seed in (0, 7)
    ]
    assert seeds == [0, 7]


@every("mean", ["own", "all"])
def test_the_command_line_and_python_say_the_same_of_scores(mean, tmp_path, capsys) -> None:
    from tidings.cli import run
    from tidings.following.outputs.outputs import write_updates
    from tidings.sources.own.judgments import write_own_judgments

    write_own_judgments(tmp_path / "made", JUDGED)
    write_updates(tmp_path / "r.jsonl", [Run("us", "r", tuple(told("a")))])
    assert run(["score", str(tmp_path / "r.jsonl"), "-j", str(tmp_path / "made"), "--mean", mean]) == 0
    said = [line.removeprefix("tidings: ") for line in capsys.readouterr().err.splitlines()]
    notes = tidings.score(tmp_path / "r.jsonl", tmp_path / "made", mean=mean).notes
    assert [line.replace("--mean all", 'mean="all"') for line in said] == list(notes)
    assert "run us r is silent on 2 of 3 events (b, c)" in notes[0]


@every(
    "seconds, hint",
    [(LATEST_TIME + 1, True), (LATEST_TIME * 1000 - 1, True), (LATEST_TIME * 1000, False), (-1, False)],
)
def test_only_what_can_be_milliseconds_is_called_so(seconds: int, hint: bool) -> None:
    assert as_time(LATEST_TIME, "start") == LATEST_TIME
    with pytest.raises(ArgumentValueError, match="expected a time from 1970 to 9999") as caught:
        as_time(seconds, "start")
    assert ("milliseconds" in str(caught.value)) is hint
