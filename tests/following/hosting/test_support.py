"""Support in a run: kept, written and read again beside updates that it does not change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.cli import run as tidings
from tidings.core.errors import TidingsError
from tidings.core.records import Output, Support, Update
from tidings.core.store.store import read_stored_runs as read_store
from tidings.following.hosting.runs import host
from tidings.following.hosting.settings import RunSettings
from tidings.following.outputs.runs import read_runs
from tidings.sources import Source, bundled
from tidings.sources.streams import read_events, read_stream

FOLDER = bundled.path()


def settings(**more: object) -> RunSettings:
    events = tuple(read_events(FOLDER))
    return RunSettings(**{"events": events, "system": "cosine", "support": True, **more})  # type: ignore[arg-type]


def source() -> list[Source]:
    return [Source("news", lambda: read_stream(FOLDER))]


def outputs_of(run_settings: RunSettings) -> list[Output]:
    with host(run_settings, sources=source()) as run:
        return [output for _, outputs in run for output in outputs]


def test_updates_are_those_of_a_run_without(tmp_path: Path) -> None:
    beside = outputs_of(settings(out=str(tmp_path / "a.jsonl")))
    updates = [output for output in beside if isinstance(output, Update)]
    assert updates == outputs_of(settings(support=False))
    (read,) = read_runs(tmp_path / "a.jsonl")
    assert (list(read.updates), read.name) == (updates, "cosine")
    assert list(read.supports) == [output for output in beside if isinstance(output, Support)]
    assert len(read.supports) > 10


def test_counts_are_of_updates(tmp_path: Path) -> None:
    with host(settings(out=str(tmp_path / "a.jsonl")), sources=source()) as run:
        updates = sum(isinstance(output, Update) for _, outputs in run for output in outputs)
        assert run.emitted == updates == sum(run.tally.updates.values())
    with host(settings(out=str(tmp_path / "a.jsonl")), sources=source()) as run:
        assert (run.emitted, run.was_finished) == (updates, True)


def test_a_run_that_is_stopped_goes_on(tmp_path: Path) -> None:
    whole = outputs_of(settings())
    kept = settings(store=str(tmp_path / "s.db"), name="run")
    for limit in (5, 11, 40, 10_000):
        asked = iter(range(limit))
        with host(kept, sources=source(), stop=lambda asked=asked: next(asked, None) is None) as run:
            list(run)
            outputs = list(run.outputs())
    assert outputs == whole


def test_a_run_begun_without_is_not_taken_up_with_it(tmp_path: Path) -> None:
    outputs_of(settings(support=False, out=str(tmp_path / "a.jsonl")))
    with pytest.raises(TidingsError, match="support"):
        outputs_of(settings(out=str(tmp_path / "a.jsonl")))


@every(
    "name, option, counted",
    cases(__file__, "follow counts where it writes json lines", lists=True),
)
def test_follow_counts_where_it_writes_json_lines(
    tmp_path: Path, name: str, option: list[str], counted: bool
) -> None:
    out = tmp_path / name
    command = [
        "follow",
        str(FOLDER),
        "--event",
        "all",
        "--system",
        "cosine",
        "--out",
        str(out),
        "-q",
        *option,
    ]
    assert tidings(command) == 0
    assert ('"kind":"support"' in out.read_text()) == counted


def test_columns_of_trec_hold_updates_alone(tmp_path: Path) -> None:
    out = tmp_path / "a.run"
    command = ["follow", str(FOLDER), "--event", "all", "--system", "cosine", "--out", str(out), "-q"]
    assert tidings([*command, "--support"]) == 0
    with_support = out.read_bytes()
    (stored,) = read_store(f"{out}.db")
    assert stored.supports
    assert tidings([*command, "--no-support", "--restart"]) == 0
    assert out.read_bytes() == with_support


def test_evidence_says_where_it_is_from(tmp_path: Path) -> None:
    outputs_of(settings(out=str(tmp_path / "a.jsonl")))
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    evidence = [line["evidence"] for line in lines if line["kind"] == "support"]
    assert all(one["source"] and one["text"] and one["published_time"] for one in evidence)
