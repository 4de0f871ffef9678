"""Expected gain and comprehensiveness with nuggets and with clusters, as in 2017."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases
from tidings.core.errors import UsageError
from tidings.core.records import Cluster, Event, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.evaluation.measures import Measure, UnknownEventError, trec_ts
from tidings.evaluation.measures.clusters_2017 import Prepared, prepare
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

EG_N, C_N, EG_C, C_C = map(Measure, ("nuggets:EG", "nuggets:C", "clusters:EG", "clusters:C"))

# Table 1 of the 2017 study: topic, updates in the pool, nuggets, updates relevant by nuggets. Not TS13.5, whose pool
# and matches at hand are another snapshot (definitions: 2,332 rows instead of 1,069).
TABLE_1 = cases(__file__, "table 1")


def judgments() -> Judgments:
    """Four judged updates; d-0 tells two nuggets, d-1 one of them again, d-2 none, d-3 copies d-0 without a match."""
    importances = (("n1", 3), ("n2", 1), ("n3", -1))
    pairs = (("d-0", "n1"), ("d-0", "n2"), ("d-1", "n1"), ("d-1", "unlisted"))
    return Judgments(
        name="test",
        events=(Event(id="TS14.1", title="", query="", start_time=0, end_time=9),),
        nuggets=tuple(Nugget("TS14.1", name, 0, importance, "") for name, importance in importances),
        matches=tuple(Match("TS14.1", update, nugget, 0, 1) for update, nugget in pairs),
        pool=tuple(PooledUpdate("TS14.1", "d", index, "", "d-0" if index == 3 else "") for index in range(4)),
        clusters=(Cluster("TS14.1", "c1", ("d-0", "d-2")), Cluster("TS14.1", "c2", ("d-1",))),
    )


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare(judgments())


def run(*indexes: int, event: str = "1") -> Run:
    return Run("t", "r", [Update(event, "d", index, 5) for index in indexes])


def test_by_hand(prepared: Prepared) -> None:
    scores = prepared.score(run(0, 1, 2)).per_event["TS14.1"]
    assert scores == {EG_N: 2 / 3, C_N: 2 / 3, EG_C: 2 / 3, C_C: 1.0}


def test_unjudged_updates_are_removed(prepared: Prepared) -> None:
    assert prepared.score(run(0, 7, 8, 9)).per_event == prepared.score(run(0)).per_event


def test_a_repeated_update_or_a_copy_earns_nothing_new(prepared: Prepared) -> None:
    once = prepared.score(run(0)).per_event["TS14.1"]
    for again in (run(0, 0), run(0, 3)):
        scores = prepared.score(again).per_event["TS14.1"]
        assert (scores[EG_N], scores[C_N]) == (once[EG_N] / 2, once[C_N])
    assert prepared.score(run(3)).mean(C_N) == 0


def test_silence_and_unknown_events(prepared: Prepared) -> None:
    assert set(prepared.score(Run("t", "r", ())).per_event["TS14.1"].values()) == {0.0}
    with pytest.raises(UnknownEventError, match="99"):
        prepared.score(run(0, event="99"))


def test_only_what_was_judged_is_measured() -> None:
    one = judgments()
    only = Judgments(name="c", events=one.events, pool=one.pool, clusters=one.clusters)
    assert prepare(only).measures() == (EG_C, C_C)
    with pytest.raises(UsageError, match="no event"):
        prepare(Judgments(name="c", events=one.events, clusters=one.clusters))


@given(st.lists(st.integers(0, 5), max_size=8), st.integers(0, 5))
def test_more_updates_never_tell_less(indexes: list[int], another: int) -> None:
    prepared = prepare(judgments())
    before, after = (
        prepared.score(run(*told)).per_event["TS14.1"] for told in (indexes, [*indexes, another])
    )
    assert after[C_N] >= before[C_N] and after[C_C] >= before[C_C]
    assert 0 <= after[C_N] <= 1 and 0 <= after[C_C] <= 1 and after[EG_C] <= 1
    if another == 2:
        assert after[EG_N] <= before[EG_N]  # d-2 matches no nugget


def test_agrees_with_the_track_where_both_say_the_same() -> None:
    """On the bundled event: binary relevance, unpooled skipped, comprehensiveness of the track's scorer."""
    own = read_judgments(Path(bundled.path()))
    track = trec_ts.prepare(own, trec_ts.rules_named("trec-2014", unpooled="skip", relevance="binary"))
    mine = prepare(own)
    for step in (2, 5, 17):
        told = [Update(one.event_id, one.doc_id, one.sentence_index, 0) for one in own.pool[::step]]
        whole = Run("t", "r", told)
        assert mine.score(whole).mean(C_N) == pytest.approx(track.score(whole).mean(Measure("C")))


def test_everything_told_covers_every_cluster_of_the_bundled_event() -> None:
    own = read_judgments(Path(bundled.path()))
    everything = Run("t", "r", [Update(one.event_id, one.doc_id, one.sentence_index, 0) for one in own.pool])
    scores = prepare(own).score(everything)
    assert scores.mean(C_C) == 1
    assert scores.mean(EG_C) == len(own.clusters) / len(own.pool)


@pytest.mark.shared_data
@pytest.mark.parametrize("year", ["2013", "2014"])
def test_table_1(shared_data: Path, year: str) -> None:
    """Updates, nuggets and relevant updates of each topic are those that the study counted."""
    judged = read_judgments(shared_data / "trec-ts" / year)
    prepared = prepare(judged)
    # The study also counted the few updates that match only nuggets which the list lacks (four of TS13.6).
    listed = {nugget.id for nugget in judged.nuggets}
    matched = {match.update_id for match in judged.matches if match.nugget_id in listed}
    unlisted = {match.update_id: match.event_id for match in judged.matches if match.update_id not in matched}
    for row in TABLE_1[year].replace("\n", "|").split("|"):
        topic, updates, nuggets, relevant = row.split()
        event = prepared.events[f"TS{topic}"]
        told = event.units_by_update["nuggets"]
        assert (len(event.judged), event.units["nuggets"]) == (int(updates), int(nuggets)), topic
        assert len(told) + list(unlisted.values()).count(f"TS{topic}") == int(relevant), topic
