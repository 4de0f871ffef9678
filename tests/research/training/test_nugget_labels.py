"""What entities were worth on a day: by the nuggets that were matched on it, and by nothing later."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, strategies as st

from tests.sweeps import every
from tidings.analysis.names.weights import shipped_recogniser
from tidings.following.entities.event_days import DayEntity, EntityMention
from tidings.research.training.entities.judged_days import (
    DayNugget,
    LabelledEntity,
    StreamNames,
    day_labels,
    is_in_query,
    label_of,
)
from tidings.research.training.folds import deal, means_by_folds, summit


def labels(*nuggets, query="ferry fire", streams=None):
    rows = [DayNugget(date, text, importance) for date, importance, text in nuggets]
    found = day_labels(rows, shipped_recogniser(), query, streams or {})
    return {date: {one.name: (one.worth, one.is_first) for one in own} for date, own in found.items()}


def test_an_entity_is_worth_the_importance_of_the_days_nuggets_that_name_it() -> None:
    by_day = labels(
        ("2013-01-01", 3, "The ferry left Genoa for Palermo."),
        ("2013-01-01", 2, "Ambulances came from Genoa."),
        ("2013-01-02", 1, "Police in Genoa questioned Maria Rossi."),
        ("2013-01-02", 0, "Rossi was born in Turin."),
    )
    assert by_day["2013-01-01"] == {"Genoa": (5, True), "Palermo": (3, True)}
    assert by_day["2013-01-02"] == {"Genoa": (1, False), "Maria Rossi": (1, True)}


def test_the_name_of_a_day_does_not_come_from_a_later_one() -> None:
    by_day = labels(
        ("2013-01-01", 1, "Police questioned Mr. Rossi."), ("2013-01-02", 1, "Maria Rossi was released.")
    )
    assert list(by_day["2013-01-01"]) == ["Rossi"]


def test_names_that_the_stream_used_are_found_in_nuggets() -> None:
    stream = StreamNames()
    nugget = ("2013-01-01", 2, "zorvane said to have sunk the ferry")
    assert "2013-01-01" not in labels(nugget)
    stream.add(["Zorvane", "burns"], [(0, 1, "ORG")])
    assert list(stream.spans(["Zorvane"])) == []
    for _ in range(2):
        stream.add(["the", "Zorvane", "burns"], [(1, 2, "ORG")])
    capital = ("2013-01-01", 2, "ferry sunk by Zorvane")
    assert labels(capital, streams={"2013-01-01": stream})["2013-01-01"] == {"Zorvane": (2, True)}
    assert list(stream.spans(["Zorvane", "zorvane"])) == [(0, 1, "ORG")]
    for _ in range(9):
        stream.add(["Zorvane"], [])
    assert list(stream.spans(["Zorvane"])) == []


def test_whom_the_query_names_is_said() -> None:
    assert is_in_query([("genoa",)], "genoa ferry fire")
    assert is_in_query([("bulgaria",)], "bulgarian protests")
    assert not is_in_query([("genoa", "police")], "genoa ferry fire")


def entity(name, *labels, kind="PER") -> DayEntity:
    mentions = [EntityMention(0, number, 0, 1, label) for number, label in enumerate(labels)]
    return DayEntity(1, name, kind, tuple(mentions))


def label(name, *names, kind="PER") -> LabelledEntity:
    return LabelledEntity(name, kind, frozenset(tuple(one.split()) for one in names), 1, True, False)


def test_an_entity_is_the_labelled_one_under_whose_names_it_stands() -> None:
    labelled = [label("Genoa", "genoa", kind="LOC"), label("Maria Rossi", "maria rossi", "rossi")]
    assert label_of(entity("Maria Rossi", "Rossi", "Rossi"), labelled) == 1
    assert label_of(entity("Genoa", kind="LOC"), labelled) == 0
    # One stray mention among ten is not enough, a fuller name of the same person is.
    assert label_of(entity("Pirelli", *["Pirelli"] * 9, "Rossi"), labelled) is None
    assert label_of(entity("Maria Anna Rossi"), [label("Rossi", "rossi")]) == 0
    assert label_of(entity("Rossi", kind="ORG"), [label("Maria Rossi", "maria rossi")]) is None


@given(st.integers(2, 30), st.integers(2, 6))
@example(2, 4)
def test_every_event_is_left_out_once_and_never_learned_from_then(count, folds):
    dealt = deal(count, folds)
    assert sorted(number for _, out in dealt for number in out) == list(range(count))
    assert all(sorted([*learned, *out]) == list(range(count)) for learned, out in dealt)
    assert len(dealt) == min(count, folds) and all(learned and out for learned, out in dealt)
    sizes = [len(out) for _, out in dealt]
    assert max(sizes) - min(sizes) <= 1


def test_no_event_has_no_folds():
    assert deal(0, 3) == []


def test_means_are_over_events_not_over_folds():
    """Folds of two and one event: each event counts once."""
    asked = []

    def measure(learned, left_out):
        asked.append((list(learned), list(left_out)))
        return np.array([[3.0 * number**2 for number in left_out], [1.0] * len(left_out)])

    assert means_by_folds(3, 2, measure).tolist() == [5.0, 1.0]
    assert asked == [([1], [0, 2]), ([0, 2], [1])]


@every(
    "means, place",
    [
        ([0.1, 0.2], (1,)),  # two are taken as they are
        ([0.0, 0.5, 0.0, 0.4, 0.4, 0.4], (4,)),
        ([0.3, 0.3, 0.0, 0.35, 0.0], (0,)),  # an end has itself for a neighbour
        ([[0.0, 0.0, 0.9, 0.0], [0.3, 0.6, 0.6, 0.4]], (1, 2)),
        ([[0.0, 0.5], [0.6, 0.5], [0.0, 0.2]], (0, 1)),  # the lucky .6 has poor neighbours
    ],
)
def test_summit_is_the_middle_of_a_good_stretch(means, place):
    assert summit(np.array(means)) == place
