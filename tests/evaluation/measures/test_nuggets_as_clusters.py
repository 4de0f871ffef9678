"""Nuggets taken as clusters and scored as tweets: a small case by hand, and what holds for any run."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tidings.core.errors import UsageError
from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, Run, Update
from tidings.evaluation.measures import Measure, UnknownEventError
from tidings.evaluation.measures.nuggets_as_clusters import INFO, MEASURES, Prepared, choose, prepare
from tidings.evaluation.measures.rts_rules import MODES
from tidings.evaluation.measures.trec_ts.prepared import prepare_events
from tidings.evaluation.measures.trec_ts.rules import RULES
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

START = 1_356_998_400  # 1 January 2013, 00:00 UTC
HOUR, DAY = 3600, 86400
EVENT = Event(id="TS14.1", title="", query="", start_time=START + 6 * HOUR, end_time=START + 3 * DAY + HOUR)

# Four days. The first: fire (importance 3) told by a1 and a2, toll (1) by b1 and a1; the second: fire again (a3);
# the third: nothing but x; the fourth: a copy of b1, which the pool names so.
POOL = {
    "a1": (7 * HOUR, ""),
    "b1": (8 * HOUR, ""),
    "a2": (9 * HOUR, ""),
    "x1": (10 * HOUR, ""),
    "a3": (DAY + HOUR, ""),
    "x2": (2 * DAY + HOUR, ""),
    "b2": (3 * DAY, f"{START + 8 * HOUR}-b1-0"),
}
TELLS = (("a1", "toll"), ("a1", "fire"), ("b1", "toll"), ("a2", "fire"), ("a3", "fire"), ("a3", "rumour"))


def name(sentence: str) -> str:
    """TREC's way: seconds, then a hash."""
    return f"{START + POOL[sentence][0]}-{sentence}"


def judgments(*, listed_times: bool = False) -> Judgments:
    return Judgments(
        name="test",
        events=(EVENT, Event(id="TS14.2", title="", query="", start_time=0, end_time=1)),
        nuggets=(
            Nugget("TS14.1", "toll", START, 1, "two dead"),
            Nugget("TS14.1", "fire", START, 3, "a fire broke out"),
            Nugget("TS14.1", "rumour", START, 0, "nobody cares"),
        ),
        matches=tuple(Match("TS14.1", f"{name(one)}-0", nugget, 0, 4) for one, nugget in TELLS),
        pool=tuple(
            PooledUpdate(
                "TS14.1", name(one), 0, "some text of it", copy, 0, START + at if listed_times else 0
            )
            for one, (at, copy) in POOL.items()
        ),
    )


def told(*rows: tuple[str, int]) -> Run:
    """Updates of (sentence, seconds after it was published)."""
    updates = (
        Update("1", name(one), 0, START + POOL[one][0] + late)
        if one in POOL
        else Update("1", one, 0, START + late)
        for one, late in rows
    )
    return Run("me", "r", tuple(updates))


def values(run: Run, mode: str = "guideline", prepared: Prepared | None = None) -> dict[str, float]:
    ready = prepared or prepare(judgments(), mode)  # type: ignore[arg-type]
    scores = ready.score(run, [Measure(name) for name in INFO])
    return {measure.name: value for measure, value in scores.per_event["TS14.1"].items()}


class TestByHand:
    """The case above."""

    def test_gain_cover_pain_and_latency(self) -> None:
        """b1 (0.5) and the late a2 (1.0, two hours after a1) of day 1's 1.5; x1 needless; a3 tells nothing new."""
        found = values(told(("b1", 0), ("a2", 0), ("x1", 0), ("a3", 0)))
        assert found["EG-0"] == pytest.approx((1.5 / 3 + 0) / 4)
        assert found["nCG-0"] == pytest.approx(1.0 / 4)
        assert found["EG-1"] == pytest.approx((1.5 / 3 + 1) / 4)
        assert found["GMP@.5"] == pytest.approx((0.5 * (1.5 - 1) - 0.5 * 1) / 4)
        assert found["latency_mean"] == HOUR  # b1 at once, a2 two hours after a1
        assert found["pushes"] == 4

    def test_a_sentence_of_two_nuggets_is_of_the_more_important_one(self) -> None:
        """a1 is of the fire's cluster, so the toll, which it tells too, can still be earned."""
        assert values(told(("a1", 0), ("b1", 0)))["nCG-0"] == pytest.approx(1.0 / 4)
        assert values(told(("a1", 0), ("a2", 0)))["nCG-0"] == pytest.approx((1.0 / 1.5) / 4)

    def test_a_copy_is_judged_as_what_it_copies(self) -> None:
        found = values(told(("b2", 60)))
        assert found["EG-0"] == pytest.approx(0.5 / 4)
        assert found["latency_mean"] == 3 * DAY - 8 * HOUR + 60

    def test_nuggets_of_no_importance_earn_nothing(self) -> None:
        """The rumour makes a3 neither of two clusters nor of none."""
        ready = prepare_events(judgments(), RULES["trec-2013"])["TS14.1"]
        assert choose(ready, [2]) is None
        assert choose(ready, [0, 1, 2]) == 1
        assert choose(ready, []) is None

    def test_the_two_modes_part_where_the_family_says(self) -> None:
        """Officially day 2 is silent for whoever told the fire on day 1, and what nobody judged is not there."""
        run = told(("a1", 0), ("unjudged", DAY * 2 + 5))
        guideline, official = values(run), values(run, "official")
        assert guideline["EG-1"] == pytest.approx((1 + 0 + 0 + 0) / 4)
        assert official["EG-1"] == pytest.approx((1 + 1 + 1 + 0) / 4)

    def test_silence(self) -> None:
        found = values(Run("me", "r", ()))
        assert found["EG-1"] == found["nCG-1"] == 1 / 4  # the third day
        assert found["EG-0"] == found["nCG-0"] == found["GMP@.5"] == 0


def test_times_of_publishing_may_stand_in_the_pool() -> None:
    run = told(("b1", 0), ("a2", 30), ("b2", 0))
    assert values(run) == values(run, prepared=prepare(judgments(listed_times=True), "guideline"))


def test_without_a_time_of_publishing_it_says_so() -> None:
    pool = (PooledUpdate("TS14.1", "canal", 0, "text"),)
    with pytest.raises(UsageError, match="give a pool that does"):
        prepare(Judgments(name="test", events=(EVENT,), nuggets=judgments().nuggets, pool=pool))


def test_events_without_pool_and_unknown_events() -> None:
    with pytest.raises(UsageError, match="no event has nuggets"):
        prepare(Judgments(name="test", events=(EVENT,), nuggets=judgments().nuggets))
    with pytest.raises(UnknownEventError):
        prepare(judgments()).score(Run("me", "r", (Update("TS13.9", "a", 0, 1),)))


def test_events_of_absurd_length_are_refused() -> None:
    endless = Judgments(
        name="test",
        events=(Event(id="TS14.1", title="", query="", start_time=0, end_time=10**11),),
        nuggets=judgments().nuggets,
        pool=judgments().pool,
    )
    with pytest.raises(UsageError, match="correct its start_time"):
        prepare(endless)


pushes = st.lists(st.tuples(st.sampled_from([*POOL, "unjudged"]), st.integers(0, DAY)), max_size=12)


@given(pushes, st.sampled_from(MODES))
def test_identities_that_the_tables_of_the_hres_appendix_break(
    rows: list[tuple[str, int]], mode: str
) -> None:
    """Credit for silent days is the same in EG and nCG; -1 is never below -0; nothing is out of its range."""
    found = values(told(*rows), mode)
    assert found["EG-1"] - found["EG-0"] == pytest.approx(found["nCG-1"] - found["nCG-0"])
    assert found["EG-1"] >= found["EG-0"] and found["nCG-1"] >= found["nCG-0"]
    for measure, value in found.items():
        assert value >= INFO[measure].low
        assert INFO[measure].high is None or value <= INFO[measure].high + 1e-12


@given(pushes)
def test_an_update_that_earns_nothing_never_raises_gain(rows: list[tuple[str, int]]) -> None:
    without, besides = values(told(*rows)), values(told(*rows, ("x1", DAY)))
    for measure in ("EG-0", "EG-1", "nCG-0", "nCG-1", "GMP@.5"):
        assert besides[measure] <= without[measure] + 1e-12


def test_bundled_event() -> None:
    """The made-up event of the tutorial: telling every sentence that matches is covered whole but not precise."""
    judged = read_judgments(bundled.path())
    every = tuple(
        Update(update.event_id, update.doc_id, update.sentence_index, update.published_time)
        for update in judged.pool
    )
    scores = prepare(judged).score(Run("me", "all", every))
    assert scores.measures == MEASURES
    assert 0 < scores.mean(Measure("EG-0")) < 1
    assert scores.mean(Measure("nCG-0")) > scores.mean(Measure("EG-0"))
    assert scores.mean(Measure("latency_mean")) == 0
    limited = prepare(judged, "guideline").score(Run("me", "all", every))
    assert limited.mean(Measure("pushes")) < scores.mean(Measure("pushes")) == len(every)  # ten a day
