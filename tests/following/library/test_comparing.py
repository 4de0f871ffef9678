"""`tidings.compare`: the command line's figures, as rows and tables."""

from __future__ import annotations

import json

import msgspec
import pandas as pd
import polars as pl
import pytest

import tidings
from tests.sweeps import every
from tidings.cli import run as command
from tidings.core.errors import TidingsError, UsageError
from tidings.core.records import Event, Judgments, Nugget, Run, Update
from tidings.following.outputs.runs import write_runs
from tidings.sources import bundled

EVENTS = [
    Event(id=f"e{number}", title=f"E{number}", query="x", start_time=0, end_time=100_000)
    for number in range(6)
]


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    """Six copies of the bundled event, so that there is something to test."""
    one = tidings.read_judgments(bundled.path())
    parts = [
        [msgspec.structs.replace(row, event_id=event.id, id=f"{event.id}-{row.id}") for row in one.nuggets]
        for event in EVENTS
    ]
    nuggets: list[Nugget] = [row for part in parts for row in part]
    matches = [
        msgspec.structs.replace(row, event_id=event.id, nugget_id=f"{event.id}-{row.nugget_id}")
        for event in EVENTS
        for row in one.matches
    ]
    pool = [msgspec.structs.replace(row, event_id=event.id) for event in EVENTS for row in one.pool]
    return msgspec.structs.replace(
        one,
        events=tuple(msgspec.structs.replace(one.events[0], id=event.id) for event in EVENTS),
        nuggets=tuple(nuggets),
        matches=tuple(matches),
        pool=tuple(pool),
    )


@pytest.fixture(scope="module")
def runs() -> dict[str, list[Update]]:
    stream = list(tidings.read_documents(bundled.path()))
    updates = {}
    for system in ("first", "cosine"):
        told = list(tidings.follow(stream, events=bundled.path(), system=system))
        updates[system] = [
            msgspec.structs.replace(update, event_id=event.id)
            for number, event in enumerate(EVENTS)
            for update in told[: 5 + 3 * number]
        ]
    return updates


@pytest.fixture(scope="module")
def compared(runs, judgments):
    return tidings.compare(runs, judgments, measures="H,C,updates", samples=500, resamples=200)


def test_each_run_against_the_baseline(compared):
    rows = compared.differences()
    assert [(row.run, row.baseline, row.measure) for row in rows] == [
        ("cosine", "first", measure) for measure in ("H", "C", "updates")
    ]
    for row in rows:
        assert row.difference == pytest.approx(row.mean - row.baseline_mean)
        assert row.low <= row.difference <= row.high
        assert 0 <= row.p <= row.p_holm <= 1
        assert row.wins + row.ties + row.losses == len(EVENTS)


def test_rows_are_what_score_gives(compared, runs, judgments):
    scores = tidings.score(runs, judgments, measures="H,C,updates", mean="all")
    assert sorted(compared.rows()) == sorted(row._replace(counted=True) for row in scores)
    for row in compared.differences():
        assert row.mean == pytest.approx(scores.mean(row.measure, row.run))


@every("backend", ["pandas", "polars", "pyarrow"])
def test_to_frame(compared, backend):
    frame = compared.to_frame(backend)
    assert len(frame) == len(compared.rows()) == 2 * len(EVENTS) * 3
    differences = compared.differences_to_frame(backend)
    assert len(differences) == 3
    assert all(0 <= float(str(p)) <= 1 for p in differences["p_t"])


def test_every_form_of_a_run_is_taken(compared, runs, judgments):
    frames = {
        name: pd.DataFrame([msgspec.structs.asdict(one) for one in updates]) for name, updates in runs.items()
    }
    as_one = pl.concat(
        [pl.from_pandas(frame).with_columns(run=pl.lit(name)) for name, frame in frames.items()]
    )
    as_runs = [Run("us", name, tuple(updates)) for name, updates in runs.items()]
    for form in (frames, as_one, as_runs):
        again = tidings.compare(form, judgments, measures="H,C,updates", samples=500, resamples=200)
        assert again.differences() == compared.differences()


def test_the_baseline_may_be_chosen(runs, judgments):
    compared = tidings.compare(runs, judgments, measures="H", baseline="cosine", samples=50, resamples=50)
    assert [row.run for row in compared.differences()] == ["first"]
    with pytest.raises(UsageError, match="baseline"):
        tidings.compare(runs, judgments, measures="H", baseline="third")


def test_it_prints_as_the_command_does(compared):
    text = repr(compared)
    assert "H against first" in text
    assert "cosine" in text


def test_html_is_escaped(runs, judgments):
    named = {"<img onerror=1>": runs["first"], "b": runs["cosine"]}
    html = tidings.compare(named, judgments, measures="H", samples=50, resamples=50)._repr_html_()
    assert "<img" not in html
    assert "&lt;img onerror=1&gt;" in html


def test_the_command_line_says_the_same(tmp_path, capsys):
    paths = []
    for system in ("first", "cosine"):
        run = tidings.follow(bundled.path(), events=bundled.path(), system=system).to_run(system)
        write_runs(tmp_path / f"{system}.jsonl", [run])
        paths.append(str(tmp_path / f"{system}.jsonl"))
    assert command(["compare", *paths, "--judgments", str(bundled.path()), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    compared = tidings.compare(paths, bundled.path())
    assert [str(one.measure) for one in compared.comparison.measures] == [
        one["measure"] for one in printed["measures"]
    ]
    means = {one["measure"]: one["means"] for one in printed["measures"]}
    for one in compared.comparison.measures:
        assert list(one.means) == (
            list(means[str(one.measure)].values())
            if isinstance(means[str(one.measure)], dict)
            else means[str(one.measure)]
        )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "at least two runs"),
        ({"a": []}, "at least two runs"),
        (3, "an int"),
        ([Run("", "a", ()), Run("", "a", ())], "twice"),
    ],
    ids=str,
)
def test_what_cannot_be_compared_is_refused(given, message, judgments):
    with pytest.raises(TidingsError, match=message):
        tidings.compare(given, judgments)
