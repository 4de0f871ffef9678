"""Pools: what is taken of runs, how copies are linked, and what was judged before."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.cli import run as tidings
from tidings.core.errors import UsageError
from tidings.core.records import PooledUpdate, Run, Update, bare_event_id
from tidings.evaluation.pooling import pool_runs
from tidings.following.outputs.outputs import write_updates
from tidings.following.outputs.runs import read_runs
from tidings.sources.streams import read_judgments


def update(number: int, confidence: float = 1.0, text: str = "", event: str = "e") -> Update:
    return Update(event, f"{number}-d", 0, number, confidence, text or f"Fact number {number}.", number)


def ids(pool) -> list[str]:
    return [row.id for row in pool.updates]


def test_the_highest_confidence_is_taken_and_rows_stand_by_time() -> None:
    run = Run("us", "a", (update(1, 0.1), update(2, 0.9), update(3, 0.5)))
    assert ids(pool_runs([run], depth=2)) == ["2-d-0", "3-d-0"]
    assert ids(pool_runs([run], depth=2, order="time")) == ["1-d-0", "2-d-0"]


def test_of_equal_confidence_the_first_of_the_run_is_taken() -> None:
    run = Run("us", "a", (update(9), update(1), update(5)))
    assert ids(pool_runs([run], depth=2)) == ["1-d-0", "9-d-0"]


def test_in_turns_each_run_gives_its_next() -> None:
    one = Run("us", "a", tuple(update(n, 1 - n / 100) for n in range(1, 9)))
    other = Run("us", "b", tuple(update(n, 1 - n / 100) for n in range(21, 29)))
    assert ids(pool_runs([one, other], depth=3, order="round-robin")) == ["1-d-0", "2-d-0", "21-d-0"]


def test_in_turns_what_two_runs_give_counts_once() -> None:
    runs = [Run("us", name, (update(1), update(2), update(3))) for name in "ab"]
    pool = pool_runs(runs, depth=2, order="round-robin")
    assert ids(pool) == ["1-d-0", "2-d-0"]
    assert pool.statistics[0].shared == 2


def test_copies_are_linked_to_the_earliest_and_near_ones_told() -> None:
    words = "The ferry burnt in the port of Nador on Monday"
    rows = (
        update(1, text=words),
        update(2, text=words.replace(" ", "  ")),
        update(3, text=f"{words} evening"),
    )
    pool = pool_runs([Run("us", "a", rows)], depth=9)
    assert [row.duplicate_of for row in pool.updates] == ["", "1-d-0", ""]
    assert [(one.update_id, one.earlier_id) for one in pool.near_copies] == [("3-d-0", "1-d-0")]
    statistics = pool.statistics[0]
    assert (statistics.duplicates, statistics.near, statistics.left) == (1, 1, 2)


def test_what_was_judged_is_carried_over_with_its_copies() -> None:
    judged = PooledUpdate("TS14.7", "1-d", 0, "Fact number 1.", listed_length=77)
    run = Run(
        "us", "a", tuple(update(n, event="7", text="Fact number 1." if n == 4 else "") for n in (1, 2, 4))
    )
    pool = pool_runs([run], depth=9, judged=[judged])
    assert pool.updates[0] is judged
    assert pool.updates[2].duplicate_of == "1-d-0"
    statistics = pool.statistics[0]
    assert (statistics.judged, statistics.duplicates, statistics.left) == (2, 0, 1)


def test_events_are_pooled_apart() -> None:
    run = Run("us", "a", tuple(update(n, event=event) for n in (1, 2, 3) for event in ("TS14.1", "TS14.2")))
    pool = pool_runs([run, Run("us", "b", (update(9, event="1"),))], depth=2)
    assert Counter(row.event_id for row in pool.updates) == {"TS14.1": 3, "TS14.2": 2}


def test_what_nobody_can_read_is_refused_or_left_out() -> None:
    run = Run("us", "a", (Update("e", "d", 0, 5), update(2)))
    with pytest.raises(UsageError, match=r"1 updates of event e have no text.*d-0.*--stream"):
        pool_runs([run])
    pool = pool_runs([run], lenient=True)
    assert (ids(pool), pool.statistics[0].wordless) == (["2-d-0"], 1)
    assert ids(pool_runs([run], texts={"d-0": "Words."})) == ["2-d-0", "d-0"]


@every("wrong, words", [({"depth": 0}, "depth of 0"), ({"order": "size"}, "'size'")])
def test_what_makes_no_pool_is_refused(wrong, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        pool_runs([], **wrong)


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3)), max_size=12), max_size=4),
    st.integers(1, 6),
)
def test_each_run_gives_as_many_as_the_depth_and_each_row_stands_once(drawn, depth: int) -> None:
    runs = [Run("us", str(at), tuple(update(n, c / 3) for n, c in part)) for at, part in enumerate(drawn)]
    pool = pool_runs(runs, depth=depth)
    assert len(set(ids(pool))) == len(pool.updates)
    expected = set()
    for run in runs:
        firsts = {one.id: one for one in reversed(run.updates)}
        kept = [firsts[one] for one in dict.fromkeys(one.id for one in run.updates)]
        expected |= {one.id for one in sorted(kept, key=lambda one: -one.confidence)[:depth]}
    assert set(ids(pool)) == expected


def test_the_verb_writes_a_table_that_is_a_pool(tmp_path: Path, capsys) -> None:
    write_updates(
        tmp_path / "a.jsonl", [Run("us", "a", (update(1, 0.5), update(2), update(3, text="Fact number 2.")))]
    )
    out = tmp_path / "pool.tsv"
    command = [
        "pool",
        str(tmp_path / "a.jsonl"),
        "--depth",
        "5",
        "--out",
        str(out),
        "--near",
        str(tmp_path / "near.tsv"),
    ]
    assert tidings(command) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].split() == [
        "event",
        "runs",
        "offered",
        "taken",
        "updates",
        "shared",
        "duplicates",
        "near",
        "judged",
        "left",
    ]
    assert said[2].split() == ["e", "1", "3", "3", "3", "0", "1", "0", "0", "2"]
    lines = out.read_text().splitlines()
    assert lines[0].startswith("query_id\tupdate_id\tdoc_id")
    assert lines[3].split("\t")[5] == "2-d-0"
    assert tidings([*command, "--likeness", "0.3"]) == 0
    assert (tmp_path / "near.tsv").read_text().splitlines()[1].split("\t")[:3] == ["e", "2-d-0", "1-d-0"]
    assert tidings(["pool", str(tmp_path / "a.jsonl"), "--by", "size", "--out", str(out)]) == 2
    assert "--by 'size'" in capsys.readouterr().err


@pytest.mark.shared_data
def test_it_takes_what_the_track_took(shared_data: Path) -> None:
    """Of the top 60 by confidence 99.9 % of 1APSalRed's and 99.7 % of 2APSal's are in NIST's pool of 2014."""
    year = shared_data / "trec-ts" / "2014"
    pooled = {(bare_event_id(row.event_id), row.id) for row in read_judgments(year).pool}
    runs = [run for run in read_runs(year / "runs" / "cunlp.run.gz") if run.name != "3AP"]
    texts = {one.id: "words" for run in runs for one in run.updates}
    rows = pool_runs(runs, depth=60, texts=texts).updates
    inside = sum((bare_event_id(row.event_id), row.id) in pooled for row in rows)
    assert inside > 0.995 * len(rows)
