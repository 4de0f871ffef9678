"""Floors under what systems score on the TREC pools. Figures: `python scripts/table_of_systems.py FOLDER`.

A floor stands a little under the figure in docs/systems.md; raise it when a system gets better, and never lower it
without saying why in the changelog.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from table_of_systems import load, score

pytestmark = pytest.mark.shared_data


@lru_cache(maxsize=2)
def pool(folder):
    return load(folder)


@pytest.mark.parametrize(
    ("year", "system", "floor"),
    [
        (2013, "cosine", 0.14),
        (2014, "cosine", 0.225),
        (2013, "allan2001", 0.12),
        (2014, "allan2001", 0.19),
        (2014, "sumbasic", 0.20),
        (2014, "first", 0.15),
    ],
)
def test_harmonic_mean(shared_data, year, system, floor):
    assert score(pool(shared_data / "trec-ts" / str(year)), system)["H"] >= floor


def test_events_in_one_pass_are_told_as_each_alone(shared_data):
    """15 events followed in one pass over the pool of 2014 and each by itself: the same updates."""
    from tidings.stream import follow
    from tidings.systems import make

    year = pool(shared_data / "trec-ts" / "2014")
    together: dict[str, list] = {event.id: [] for event in year.events}
    for _, updates in follow(year.documents, year.events, make("cosine")):
        for update in updates:
            together[update.event_id].append(update)
    for event in year.events[:5]:
        alone = [u for _, updates in follow(year.documents, [event], make("cosine")) for u in updates]
        assert alone == together[event.id]
