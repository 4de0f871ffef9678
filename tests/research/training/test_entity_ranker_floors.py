"""Floors under what the shipped rankers of entities score, so that no change makes one worse unnoticed.

The shipped rankers have learned from these very events: the floors guard them against damage, and say nothing of how
good they are; that is what tidings experiment plans/entities.toml measures.
"""

from __future__ import annotations

import pytest

from tests.sweeps import cases
from tidings.analysis.names.weights import shipped_recogniser
from tidings.core.models.files import read_model
from tidings.evaluation.measures import Measure
from tidings.following.entities.ranking import RANKERS, ranker_named
from tidings.research.training.entities.judged_days import judged_days
from tidings.research.training.entities.ranker_training import rankings, score_rankings
from tidings.research.training.labelled_events import load_events

EVENTS = ("TS13.1", "TS13.9", "TS14.19")
FLOORS = cases(__file__, "floors")
"""MAP of *match* and *first mention* over the days of three events, each some .02 under what was measured."""


def test_cards_say_what_was_learned_from_and_how_good_it_was() -> None:
    for name, info in RANKERS.items():
        if info.learns and name != "taer":  # whose two counts weigh the same without a model
            card = read_model(f"entities-{name}").card
            assert sum(len(used.events) for used in card.data) == 24
            assert all(used.digest for used in card.data)
            assert f"tidings train entities-{name}" in card.command
            assert "Labels: nuggets" in card.notes
            assert 0 < card.scores["MAP first mention"] < card.scores["MAP match"] < 1


@pytest.mark.long
def test_no_ranker_falls_below_its_floor(shared_data) -> None:
    folders = [shared_data / "trec-ts" / year for year in ("2013", "2014")]
    recogniser = shipped_recogniser()
    days = [
        day
        for event in load_events(folders)
        if event.event.id in EVENTS
        for day in judged_days(event, recogniser)
    ]
    for name, floors in FLOORS.items():
        ranked = rankings(days, lambda event, name=name: ranker_named(name))
        for label, floor in zip(("match", "first mention"), floors, strict=True):
            assert score_rankings(days, ranked, label).mean(Measure("MAP")) >= floor, (name, label)
