"""Expected error of tracked values."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tidings.core.errors import UsageError
from tidings.core.records import Event, Judgments, ValueUpdate
from tidings.core.records.outputs import ValueRun
from tidings.evaluation.measures import Measure, UnknownEventError
from tidings.evaluation.measures.values import HALF_EQUATOR_KM, kilometres, prepare
from tidings.evaluation.scoring import scorer_for
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

EVENT = Event(id="TS13.6", title="", query="", start_time=1000, end_time=2000, type="storm")
DEATHS, PLACE = Measure("EE[deaths]"), Measure("EE[location]")


def judgments(*values: ValueUpdate, events: tuple[Event, ...] = (EVENT,)) -> Judgments:
    return Judgments(name="test", events=events, values=values)


def deaths(time: int, value: float, event: str = "TS13.6") -> ValueUpdate:
    return ValueUpdate(event, time, "deaths", (float(value),))


def place(time: int, lat: float, lon: float) -> ValueUpdate:
    return ValueUpdate("TS13.6", time, "location", (lat, lon))


def run(*values: ValueUpdate) -> ValueRun:
    return ValueRun("t", "r", values)


counts = st.lists(st.builds(deaths, st.integers(0, 3000), st.integers(0, 500)), min_size=1, max_size=6)
places = st.lists(
    st.builds(place, st.integers(0, 3000), st.floats(-90, 90), st.floats(-180, 180)),
    min_size=1, max_size=4, unique_by=lambda one: one.time,
)  # fmt: skip


class TestDistance:
    def test_equals_published_vincenty_figures(self) -> None:
        # Flinders Peak to Buninyong, 54,972.271 m: the worked example of the Geocentric Datum of Australia manual
        # (on GRS 80, which differs from WGS-84 by less than a tenth of a millimetre here).
        flinders = (-(37 + 57 / 60 + 3.72030 / 3600), 144 + 25 / 60 + 29.52440 / 3600)
        buninyong = (-(37 + 39 / 60 + 10.15610 / 3600), 143 + 55 / 60 + 35.38390 / 3600)
        assert kilometres(flinders, buninyong) == pytest.approx(54.972271, abs=1e-6)

    def test_places_on_opposite_sides_of_the_earth_have_a_distance(self) -> None:
        # 19,944,127.421 m: the known pair for which Vincenty's iteration does not converge.
        assert kilometres((0.0, 0.0), (0.5, 179.7)) == pytest.approx(19944.127421, abs=1e-6)
        assert kilometres((-90.0, 0.0), (90.0, 0.0)) < HALF_EQUATOR_KM < 20038

    @given(st.floats(-90, 90), st.floats(-180, 180), st.floats(-90, 90), st.floats(-180, 180))
    def test_is_a_distance(self, a: float, b: float, c: float, d: float) -> None:
        there = kilometres((a, b), (c, d))
        assert 0 <= there <= HALF_EQUATOR_KM
        assert there == pytest.approx(kilometres((c, d), (a, b)), abs=1e-6)


class TestExpectedError:
    def test_by_hand(self) -> None:
        """Targets 10 then 50 (from 1400); told 20 at 1200: |10-0|*200 + |10-20|*200 + |50-20|*600 over 1000 s."""
        prepared = prepare(judgments(deaths(500, 10), deaths(1400, 50)))
        scores = prepared.score(run(deaths(1200, 20)))
        assert scores.mean(DEATHS) == (10 * 200 + 10 * 200 + 30 * 600) / 1000

    def test_a_single_target_holds_from_the_start(self) -> None:
        """The paper's "single target value" is constant, whenever it was noted."""
        prepared = prepare(judgments(deaths(1900, 10)))
        assert prepared.score(run(deaths(0, 10))).mean(DEATHS) == 0

    def test_an_update_holds_after_its_own_second(self) -> None:
        """u.t < tau: an update at te tells nobody anything."""
        prepared = prepare(judgments(deaths(0, 10)))
        assert prepared.score(run(deaths(2000, 10))).mean(DEATHS) == 10

    def test_the_last_line_of_a_second_counts(self) -> None:
        prepared = prepare(judgments(deaths(0, 10)))
        assert prepared.score(run(deaths(0, 3), deaths(0, 10))).mean(DEATHS) == 0

    def test_several_target_places_at_once_are_averaged(self) -> None:
        prepared = prepare(judgments(place(0, 0, 0), place(0, 0, 90)))
        quarter = math.pi / 2 * 6378.137
        assert prepared.score(run(place(0, 0, 0))).mean(PLACE) == pytest.approx(quarter / 2)

    def test_locations_are_the_location(self) -> None:
        prepared = prepare(judgments(ValueUpdate("TS13.6", 0, "locations", (1.0, 2.0))))
        assert prepared.score(run(place(0, 1, 2))).mean(PLACE) == pytest.approx(0, abs=1e-9)

    @given(counts)
    def test_is_nothing_for_the_truth(self, values: list[ValueUpdate]) -> None:
        once = list({value.time: value for value in values}.values())
        first = min(once, key=lambda value: value.time)
        truth = run(deaths(0, first.value[0]) if first.time else first, *once)
        assert prepare(judgments(*once)).score(truth).mean(DEATHS) == 0

    @given(places)
    def test_is_nothing_for_the_true_places(self, values: list[ValueUpdate]) -> None:
        first = min(values, key=lambda value: value.time)
        prior = ValueUpdate("TS13.6", 0, "location", first.value)
        told = run(*(values if first.time == 0 else [prior, *values]))
        assert prepare(judgments(*values)).score(told).mean(PLACE) == pytest.approx(0, abs=1e-6)

    @given(counts, counts)
    def test_equals_the_sum_over_every_second(
        self, truth: list[ValueUpdate], told: list[ValueUpdate]
    ) -> None:
        """The exact integral and a slow one, second by second."""

        def at(values: list[ValueUpdate], second: float) -> float | None:
            seen = [
                (value.time, place, value.value[0])
                for place, value in enumerate(values)
                if value.time < second
            ]
            return max(seen)[2] if seen else None

        once = list({value.time: value for value in truth}.values())
        first = min(once, key=lambda value: value.time).value[0]
        total = 0.0
        for second in range(1000, 2000):
            target = at(once, second + 0.5)
            total += abs((first if target is None else target) - (at(told, second + 0.5) or 0.0))
        scored = prepare(judgments(*once)).score(run(*told))
        assert scored.mean(DEATHS) == pytest.approx(total / 1000)


class TestNeverPredicting:
    @given(counts, places)
    def test_scores_the_baseline(self, toll: list[ValueUpdate], where: list[ValueUpdate]) -> None:
        prepared = prepare(judgments(*toll, *where))
        wanted = prepared.measures(base=True)
        scores = prepared.score(run(), wanted)
        assert scores.mean(DEATHS) == scores.mean(Measure("EE0[deaths]"))
        # The organisers' baseline and BJUT's run without any location scored 20038.0 in the 2013 table.
        assert scores.mean(PLACE) == 20038.0
        assert scores.silent == ("TS13.6",)

    def test_scores_half_the_equator_as_the_paper_means_it(self) -> None:
        prepared = prepare(judgments(place(0, 1, 2)), official=False)
        assert prepared.score(run()).mean(PLACE) == pytest.approx(20037.508, abs=1e-3)

    @given(counts, places, places)
    def test_is_no_better_than_any_place(
        self, toll: list[ValueUpdate], where: list[ValueUpdate], told: list[ValueUpdate]
    ) -> None:
        assert prepare(judgments(*toll, *where)).score(run(*told)).mean(PLACE) <= 20038.0


class TestEvents:
    def test_an_event_without_a_target_is_left_out_of_that_mean(self) -> None:
        other = Event(id="TS13.1", title="", query="", start_time=0, end_time=10, type="accident")
        prepared = prepare(
            judgments(deaths(0, 4), place(0, 0, 0), deaths(0, 8, "TS13.1"), events=(EVENT, other))
        )
        scores = prepared.score(run(deaths(0, 4)))
        assert scores.mean(DEATHS) == 4  # (0 + 8) / 2
        assert scores.mean(PLACE) == 20038.0
        assert PLACE not in scores.per_event["TS13.1"]

    def test_bare_ids_are_understood(self) -> None:
        assert prepare(judgments(deaths(0, 4))).score(run(deaths(0, 4, "6"))).mean(DEATHS) == 0

    def test_an_unknown_event_is_refused(self) -> None:
        with pytest.raises(UnknownEventError, match="99"):
            prepare(judgments(deaths(0, 4))).score(run(deaths(0, 4, "99")))

    @pytest.mark.parametrize(
        "bad",
        [
            judgments(),
            judgments(deaths(0, 1, "other")),
            judgments(ValueUpdate("TS13.6", 0, "cost", (1.0,))),
            judgments(deaths(0, 1e300)),
            judgments(deaths(0, -1)),
            judgments(place(0, 91, 0)),
        ],
        ids=["none", "no period", "attribute", "huge", "negative", "beyond the pole"],
    )
    def test_judgments_without_usable_targets_are_refused(self, bad: Judgments) -> None:
        with pytest.raises(UsageError, match="test: "):
            prepare(bad)

    def test_the_bundled_event_has_a_toll_to_follow(self) -> None:
        own = read_judgments(Path(bundled.path()))
        prepared = prepare(own)
        truth = prepared.score(ValueRun("t", "truth", own.values))
        assert {str(measure) for measure in truth.measures} == {"EE[deaths]", "EE[injuries]", "EE[location]"}
        nothing = prepared.score(ValueRun("t", "nothing", ()))
        assert truth.mean(DEATHS) == 0 < nothing.mean(DEATHS) < 80


def test_targets_may_stand_beside_the_topics(tmp_path: Path) -> None:
    """`values.jsonl` with `topics.xml` alone, without nuggets: what the error about missing targets asks for."""
    topic = "<event><id>1</id><title>t</title><start>0</start><end>1000</end><query>q</query></event>"
    (tmp_path / "topics.xml").write_text(f"<events>{topic}</events>")
    (tmp_path / "values.jsonl").write_text('{"event": "1", "time": 0, "attribute": "deaths", "value": 8}\n')
    scorer = scorer_for("values-2013", tmp_path)
    assert scorer.score_run(ValueRun("us", "silent", ())).mean(DEATHS) == 8
