"""Nuggets as clusters in experiments: the same figures as `tidings score`, and columns of a plan's tables."""

from __future__ import annotations

import json
import math

import pytest

from tests.sweeps import every
from tidings.cli import run
from tidings.core.records import Run
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.nuggets_as_clusters import prepare
from tidings.evaluation.measures.rts_rules import MODES
from tidings.following.systems import make
from tidings.research.experiments.results import Row
from tidings.research.training.labelled_events import load_events, score_as_clusters
from tidings.sources import bundled
from tidings.sources.streams import read_judgments


@every("mode", MODES)
def test_the_figures_are_those_of_scoring_a_run(event, mode: str) -> None:
    updates = event.run(make("cosine"))
    scores = prepare(read_judgments(bundled.path()), mode).score(Run("me", "r", tuple(updates)))  # type: ignore[arg-type]
    found = score_as_clusters(event, updates, mode)  # type: ignore[arg-type]
    assert len(updates) > 3
    for measure in scores.measures:
        assert found[str(measure)] == pytest.approx(scores.per_event[event.event.id][measure])
    assert found["EG-0"] > 0
    assert found["updates"] == len(updates)


def test_a_latency_is_pooled_over_pushes_or_averaged_over_events() -> None:
    """Two means under two names: one push of 10 s in an event, three of 50 s in another."""
    scores = {
        "a": {"latency_by_event": 10.0, "latency_sum": 10.0, "earning": 1.0},
        "b": {"latency_by_event": 50.0, "latency_sum": 150.0, "earning": 3.0},
        "silent": {"latency_sum": 0.0, "earning": 0.0},
    }
    row = Row("r", scores, 0.0)
    assert row.mean("latency_by_event", list(scores)) == pytest.approx(30.0)
    assert row.mean("latency_mean", list(scores)) == pytest.approx(40.0)
    assert math.isnan(row.mean("latency_mean", ["silent"]))


def test_silence_is_not_early(event) -> None:
    found = score_as_clusters(event, [])
    assert math.isnan(found["latency_mean"])
    assert found["EG-0"] == 0


def test_a_thinned_stream_is_held_against_whole_judgments() -> None:
    whole, thin = (load_events([bundled.path()], keep=keep)[0] for keep in (1.0, 0.4))
    updates = thin.run(make("first"))
    assert score_as_clusters(thin, updates) == score_as_clusters(whole, updates)


@pytest.mark.long
def test_columns_of_a_plan(write_plan, tmp_path, capsys) -> None:
    """Gain first, latency left out where nothing earned, marks of both tests explained."""
    pytest.importorskip("scipy")
    plan = write_plan(
        'measures = ["EG-1", "nCG-1", "latency_mean", "H"]',
        "t_test = true",
        'baseline = "cosine"',
        systems='["first", "cosine", "cosine:similarity=0,overlap=40,min_words=90,max_words=91"]',
    )
    assert run(["experiment", str(plan)]) == 0
    out = capsys.readouterr().out
    assert "the paired t-test" in out and "p(t)" in out
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    rows = {row["system"]: row["scores"] for row in results["tables"][0]["rows"]}
    silent = rows["cosine:similarity=0,overlap=40,min_words=90,max_words=91"]
    assert all(
        "latency_mean" not in figures and not figures["earning"] and figures["EG-1"] >= 0
        for figures in silent.values()
    )
    events = {event.event.id: event for event in load_events([tmp_path / "2030"])}
    for name, figures in rows["first"].items():
        expected = score_as_clusters(events[name], events[name].run(make("first")))
        assert figures["EG-1"] == pytest.approx(expected["EG-1"])
        assert figures["H"] == pytest.approx(events[name].score(events[name].run(make("first")))["H"])


@pytest.mark.long
def test_real_events_keep_the_identity(shared_data) -> None:
    """Credit for silent days is one figure, in EG as in nCG."""
    for event in load_events([shared_data / "trec-ts" / "2013", shared_data / "trec-ts" / "2014"]):
        found = score_as_clusters(event, event.run(make("cosine")))
        assert found["EG-1"] - found["EG-0"] == pytest.approx(found["nCG-1"] - found["nCG-0"])
        assert found[str(Measure("nCG-1"))] <= 1
