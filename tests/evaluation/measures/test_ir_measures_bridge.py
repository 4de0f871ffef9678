"""tidings' measures by the conventions of ir_measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidings.core.errors import UsageError
from tidings.core.records import Judgments, Run, Update
from tidings.core.records.outputs import ValueRun
from tidings.evaluation.measures import Measure, clusters_2017, msu, trec_ts, values
from tidings.evaluation.measures.ir_measures_bridge import Metric, calc_aggregate, iter_calc
from tidings.sources import bundled
from tidings.sources.streams import read_judgments


@pytest.fixture(scope="module")
def own() -> Judgments:
    return read_judgments(Path(bundled.path()))


@pytest.fixture(scope="module")
def run(own: Judgments) -> Run:
    told = [Update(one.event_id, one.doc_id, one.sentence_index, one.published_time) for one in own.pool[::3]]
    return Run("t", "r", told)


def test_values_are_those_of_the_family(own: Judgments, run: Run) -> None:
    prepared = trec_ts.prepare(own)
    expected = prepared.score(run, (Measure("H"), Measure("C", 3600)))
    assert calc_aggregate(["H", "C@3600"], prepared, run) == {
        measure: expected.mean(measure) for measure in expected.measures
    }
    event = own.events[0].id
    assert list(iter_calc([Measure("H")], prepared, run)) == [
        Metric(event, Measure("H"), expected.per_event[event][Measure("H")])
    ]


def test_judgments_as_read_mean_the_track_of_2014(own: Judgments, run: Run) -> None:
    assert calc_aggregate(["LC"], own, run) == calc_aggregate(["LC"], trec_ts.prepare(own), run)


def test_every_family_is_called_alike(own: Judgments, run: Run) -> None:
    small = msu.prepare(own, msu.Population(users=10))
    assert calc_aggregate(["MSU"], small, run)[Measure("MSU")] > 0
    assert calc_aggregate(["clusters:C"], clusters_2017.prepare(own), run)[Measure("clusters:C")] > 0
    tolls = values.prepare(own)
    assert calc_aggregate(["EE[deaths]"], tolls, ValueRun("t", "r", own.values)) == {
        Measure("EE[deaths]"): 0.0
    }


def test_an_unknown_measure_is_refused(own: Judgments, run: Run) -> None:
    with pytest.raises(UsageError, match="unknown measure"):
        calc_aggregate(["nope"], own, run)


def test_shaped_like_ir_measures(own: Judgments, run: Run) -> None:
    """The same fields, and the mean of what is iterated over is the aggregate."""
    ir_measures = pytest.importorskip("ir_measures")
    assert Metric._fields == ir_measures.Metric._fields
    metrics = list(iter_calc(["nE[LG]"], own, run))
    assert (
        sum(one.value for one in metrics) / len(metrics)
        == calc_aggregate(["nE[LG]"], own, run)[Measure("nE[LG]")]
    )
