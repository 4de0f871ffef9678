"""The tracker: documents of one event in, the values and places that are current after each of them out.

Where an event is: each document has one vote for a name (`place_mentions` says how much it speaks for a place). From
votes to a place:

1. A name is a place only if it stands free at least as often as behind another name (`Hurricane Sandy`).
2. Of several places of one name that one counts whose country and region are named most, where people are many:
   p · (.05 + share of the country) · (.1 + share of the region), p = people^.75; `Aurora, Colorado` is in Colorado, and
   what begins a longer name of title or query is that place.
3. The country with the most votes, those for its cities and regions included, is that of the event; three times as much
   counts a country that title or query name or whose people they name.
4. In it the city with the most votes is given if it has a good part of them, else the region, else the country.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from tidings.analysis import (
    CityGazetteer,
    Mention,
    NamedPlace,
    Relevance,
    Surfaces,
    find_endings,
    find_kind,
    find_mentions,
    is_of_ongoing,
    is_of_whole,
    load_gazetteer,
    may_end,
    place_mentions,
)
from tidings.core import (
    ATTRIBUTES,
    ENGLISH,
    Event,
    Evidence,
    Sentence,
    Update,
    ValueUpdate,
    shared_analyzer,
)
from tidings.following.values.series import (
    STATED,
    Claim,
    Rules,
    Series,
    SeriesState,
    claim_of,
    plain_claim,
)
from tidings.following.values.stated import stated_numbers

__all__ = [
    "CityGazetteer",
    "NamedPlace",
    "PlaceTracker",
    "ValueTracker",
    "load_gazetteer",
    "mentions_of",
]


_MOST_NAMES = 200
_decode_series = msgspec.msgpack.Decoder(dict[str, SeriesState]).decode
_KEEP = 1.5
"""By how much the place that was given last is favored."""
_OWN = 3.0
"""By how much a place is favoured that title or query name."""
_CITY_SHARE, _REGION_SHARE = 0.15, 0.3
_BY_OTHER_NAME = 0.3
_NO_CITY = 10.0
"""By how much a country or a state is favoured over a city of its name."""
_LEAST = 0.9
"""Votes for a country from which anything is given."""
_LONGEST_NAME = 4
_LONGEST_KEPT = 1_000
"""Characters of a sentence that are kept as evidence."""

Votes = dict[str, float]


class PlaceTracker:
    """Follows where one event is; gives it again whenever that changes.

    >>> cities = [("Santiago", "Chile", -33.4, -70.6, 9), ("Santiago", "Spain", 42.9, -8.5, 1)]
    >>> spain = ("Spain", "Spain", 40.4, -3.7, 47, "", "country")
    >>> class Cities:
    ...     def find(self, name):
    ...         return [NamedPlace(*place) for place in (*cities, spain) if place[0].lower() == name.lower()]
    >>> tracker = PlaceTracker(Event(id="e", title="Train derailment in Spain", query="santiago train"), Cities())
    >>> given = tracker.read([Sentence("d", 0, "The train left the rails near Santiago, Spain.", 60)], 60)[0]
    >>> given.value, given.place
    ((42.9, -8.5), 'Santiago, Spain')
    """

    def __init__(self, event: Event, gazetteer: CityGazetteer | None = None) -> None:
        self.event = event
        self.has_changed = False
        self._gazetteer = gazetteer or load_gazetteer()
        self._stems = frozenset(shared_analyzer().stems(f"{event.query} {event.title}"))
        self._own = frozenset(_names_within(f"{event.title} {event.query}".lower().split(), self._is_place))
        self._own_countries = frozenset(
            place.country
            for name in self._own
            for place in self._gazetteer.find(name)
            if place.kind != "city"
        )
        self._votes: Votes = {}
        self._bound: Votes = {}
        self._evidence: dict[str, Evidence] = {}
        self._current = ""

    def _is_place(self, name: str) -> bool:
        return bool(self._gazetteer.find(name))

    def read(
        self, sentences: Iterable[Sentence], now: int, updates: Sequence[Update] = ()
    ) -> list[ValueUpdate]:
        """Where these sentences, those of them that hold a word of the event, put it at `now`."""
        for _, document in groupby(sentences, key=attrgetter("doc_id")):
            self._count(document)
        if not self.has_changed:
            return []
        best = self._best()
        if best is None:
            return []
        key, place, share = best
        name = _full_name(place)
        if name == self._current:
            return []
        self._current = name
        evidence = self._evidence[key]
        return [
            ValueUpdate(
                self.event.id, now, "location", (place.latitude, place.longitude),
                round(min(1.0, max(share, 0.001)), 4), evidence.doc_id, evidence.sentence_index, (evidence,),
                place=name,
            )
        ]  # fmt: skip

    def _count(self, document: Iterator[Sentence]) -> None:
        votes: Votes = {}
        bound: set[str] = set()
        stems_of = shared_analyzer().stems
        for sentence in document:
            if self._stems.isdisjoint(stems_of(sentence.text)):
                continue
            for mention in place_mentions(sentence.text, self._is_place):
                name = mention.name.lower()
                if not mention.is_free:
                    bound.add(name)
                elif mention.weight:
                    key = f"{name}, {mention.within.lower()}" if mention.within else name
                    if key not in self._evidence:
                        self._evidence[key] = Evidence.of(
                            replace(sentence, text=sentence.text[:_LONGEST_KEPT])
                        )
                    votes[key] = max(votes.get(key, 0.0), mention.weight)
        for key, weight in votes.items():
            self._votes[key] = self._votes.get(key, 0.0) + weight
        for name in bound:
            self._bound[name] = self._bound.get(name, 0.0) + 1.0
        if votes or bound:
            self.has_changed = True
            self._forget_rare()

    def _forget_rare(self) -> None:
        for counts in (self._votes, self._bound):
            if len(counts) > _MOST_NAMES:
                for name in sorted(counts, key=lambda name: (counts[name], name))[: _MOST_NAMES // 2]:
                    del counts[name]
        for name in self._evidence.keys() - self._votes.keys():
            del self._evidence[name]

    def _best(self) -> tuple[str, NamedPlace, float] | None:
        """The name that has put the event where it is, that place, and its share of all votes."""
        votes = {
            key: weight
            for key, weight in sorted(self._votes.items())
            if weight >= self._bound.get(key.partition(", ")[0], 0.0)
        }
        places = _told_apart(votes, self._gazetteer, self._own)
        countries, regions, within = _sums(votes, places)
        if not countries:
            return None
        told_country = self._current.rpartition(", ")[2]
        country = max(
            countries,
            key=lambda place: (
                countries[place]
                * (_OWN if place in self._own_countries else 1.0)
                * (_KEEP if place == told_country else 1.0),
                place,
            ),
        )

        def worth(key: str) -> float:
            own = _OWN if key.partition(", ")[0] in self._own else 1.0
            return within[key] * own * (_KEEP if _full_name(places[key]) == self._current else 1.0)

        if countries[country] < _LEAST:
            return None
        own = [key for key in within if places[key].country == country]
        cities = [key for key in own if places[key].kind == "city"]
        best = max(cities, key=lambda key: (worth(key), key), default="")
        total = sum(countries.values())
        if best and worth(best) >= _CITY_SHARE * countries[country]:
            return best, places[best], within[best] / total
        states = [key for key in own if places[key].kind == "region"]
        best_state = max(states, key=lambda key: (regions[country, places[key].region], key), default="")
        if best_state and regions[country, places[best_state].region] >= _REGION_SHARE * countries[country]:
            return best_state, places[best_state], regions[country, places[best_state].region] / total
        whole = [key for key in own if places[key].kind == "country"]
        chosen = max(whole, key=lambda key: (votes[key], key), default=best or best_state)
        return chosen, places[chosen], countries[country] / total

    def state(self) -> bytes:
        """Everything remembered, as msgpack; what is no text is written so that it comes back."""
        evidence = [(name, _pack(evidence)) for name, evidence in sorted(self._evidence.items())]
        return msgspec.msgpack.encode(
            (self._current, sorted(self._votes.items()), sorted(self._bound.items()), evidence)
        )

    def restore(self, data: bytes) -> None:
        """Become the tracker whose `state()` gave `data`."""
        self._current, votes, bound, evidence = msgspec.msgpack.decode(data)
        self._votes = {name: float(count) for name, count in votes}
        self._bound = {name: float(count) for name, count in bound}
        self._evidence = {name: _unpack(held) for name, held in evidence}


def _names_within(words: Sequence[str], is_place: Any) -> Iterator[str]:
    """The names of places in a query, in which nothing has capitals."""
    for length in range(1, _LONGEST_NAME + 1):
        for at in range(len(words) - length + 1):
            name = " ".join(words[at : at + length]).strip(".,:;()")
            if name not in ENGLISH and is_place(name):
                yield name


def _told_apart(votes: Votes, gazetteer: CityGazetteer, own: frozenset[str]) -> dict[str, NamedPlace]:
    """The place of each name, by the countries and regions that are named beside it."""
    choices: dict[str, list[NamedPlace]] = {}
    countries: Votes = {}
    regions: dict[tuple[str, str], float] = {}
    for key, weight in votes.items():
        name, _, within = key.partition(", ")
        longer = max((place for place in own if place.startswith(f"{name} ")), key=len, default=name)
        found = list(gazetteer.find(longer))
        if within:
            around = {(place.country, place.region) for place in gazetteer.find(within)}
            beside = [
                mention for mention in found
                if (mention.country, "") in around or (mention.country, mention.region) in around
            ]  # fmt: skip
            found = beside or found
        if not found:
            continue
        choices[key] = found
        if len(found) == 1 or all(mention.kind != "city" for mention in found):
            countries[found[0].country] = countries.get(found[0].country, 0.0) + weight
            if found[0].region:
                place = found[0].country, found[0].region
                regions[place] = regions.get(place, 0.0) + weight
    named, parts = sum(countries.values()) or 1.0, sum(regions.values()) or 1.0

    def likely(place: NamedPlace) -> tuple[float, str, str]:
        people = (place.population + 1.0) ** 0.75 * (1.0 if place.is_own_name else _BY_OTHER_NAME)
        country = 0.05 + countries.get(place.country, 0.0) / named
        region = 0.1 + regions.get((place.country, place.region), 0.0) / parts
        return people * country * (region if place.kind == "city" else _NO_CITY), place.country, place.region

    return {key: max(found, key=likely) for key, found in choices.items()}


def _sums(votes: Votes, places: dict[str, NamedPlace]) -> tuple[Votes, dict[tuple[str, str], float], Votes]:
    """The votes for each country, for each region, and for the place of each name, by whatever name it has them."""
    countries: Votes = {}
    regions: dict[tuple[str, str], float] = {}
    by_place: Votes = {}
    for key, place in places.items():
        countries[place.country] = countries.get(place.country, 0.0) + votes[key]
        region = place.country, place.region
        regions[region] = regions.get(region, 0.0) + votes[key]
        by_place[_full_name(place)] = by_place.get(_full_name(place), 0.0) + votes[key]
    return countries, regions, {key: by_place[_full_name(place)] for key, place in places.items()}


def _full_name(place: NamedPlace) -> str:
    return place.name if place.kind == "country" or not place.country else f"{place.name}, {place.country}"


def _pack(evidence: Evidence) -> list[bytes | int]:
    fields = msgspec.structs.astuple(evidence)
    return [field.encode("utf-8", "surrogatepass") if isinstance(field, str) else field for field in fields]


def _unpack(fields: Sequence[bytes | int]) -> Evidence:
    plain: list[Any] = [
        field.decode("utf-8", "surrogatepass") if isinstance(field, bytes) else field for field in fields
    ]
    return Evidence(*plain)


_FALLING = frozenset({"missing"})
"""Counts that fall as news comes in: who was missing is found."""

_REMAINING = re.compile(r"\b(?:now|still|remain(?:s|ed)?|yet to be)\b", re.IGNORECASE)
_ARTICLE = 15
"""Sentences from which on a document shows what kind of article it is."""

_KINDS = {"comments": "comment", "opinion": "opinion"}
"""Kinds of articles of which no number is believed, or not much: what doubt it raises."""

_FIRST_PERSON = re.compile(r"\b(?:I|me|my|we|our|us)\b")
_PERSONAL = 0.2
"""Words of the first person a sentence, below which an article is no page of comments and no opinion."""

_EVIDENCE = 5  # sentences beside a value
_WROTE = re.compile(r"\b\w+ wrote ?:|\b(?:[Aa]dd your comment|Your comments|Have your say)\b")


def mentions_of(relevance: Relevance, sentences: Iterable[Sentence]) -> list[tuple[Sentence, list[Mention]]]:
    """The sentences of one document that give numbers of the event, or say who was found, each with its mentions.

    What stands behind the first sign of readers' comments is passed over, and a long document is asked what kind of
    article it is.
    """
    document = list(sentences)
    relevant = relevance.relevant(document)
    if not relevant:
        return []
    titled = len(relevance.stems.intersection(shared_analyzer().stems(document[0].title)))
    synonyms = tuple(relevance.synonyms.items())
    year = time.gmtime(max(0, min(document[0].published_time, 1 << 37))).tm_year
    begun = next(
        ((sentence.index, at) for sentence in document if (at := _comments_start(sentence.text)) is not None),
        None,
    )
    read = []
    for sentence in relevant:
        if begun is not None and sentence.index > begun[0]:
            break
        text = sentence.text if begun is None or sentence.index < begun[0] else sentence.text[: begun[1]]
        mentions = find_mentions(
            text, year, relevance.stems, about=titled, synonyms=synonyms, title=document[0].title
        )
        if mentions or may_end(text):
            read.append((sentence, mentions))
    doubt = _doubt_of_kind(document) if read and len(document) >= _ARTICLE else None
    if doubt is None:
        return read
    return [
        (sentence, [replace(each, doubts=(*each.doubts, doubt)) for each in found])
        for sentence, found in read
    ]


def _doubt_of_kind(document: Sequence[Sentence]) -> str | None:
    """The doubt that the kind of an article raises; asked only where people speak of themselves."""
    if sum(len(_FIRST_PERSON.findall(sentence.text)) for sentence in document) < _PERSONAL * len(document):
        return None
    return _KINDS.get(find_kind(Surfaces([sentence.text for sentence in document])))


def _comments_start(text: str) -> int | None:
    """Where in the text readers' comments begin."""
    if "wrote" not in text and "our comment" not in text and "Have your" not in text:
        return None
    match = _WROTE.search(text[:4_000])
    return match.start() if match is not None else None


class ValueTracker:
    """Follows the values of one event; `read` gives those that have changed.

    >>> tracker = ValueTracker(Event(id="e", title="Ferry fire", query="ferry fire"))
    >>> said = Sentence("d1", 0, "The fire on the ferry killed at least 12 people.", 60, "Post")
    >>> [(one.attribute, one.value, one.evidence[0].source) for one in tracker.read([said], 60)]
    [('deaths', (12.0,), 'Post')]
    """

    def __init__(self, event: Event, rules: Rules | None = None) -> None:
        self.event = event
        self.relevance = Relevance(event)
        self._rules = rules or Rules()
        self._series: dict[str, Series] = {}
        self.has_changed = False

    def read(
        self, sentences: Sequence[Sentence], now: int, updates: Sequence[Update] = ()
    ) -> list[ValueUpdate]:
        """What these sentences, in the order of time and document, change of the event's values at `now`.

        `updates` are those that are emitted at `now`: no value stands against what they say.
        """
        documents = groupby(sentences, key=attrgetter("doc_id"))
        return self.note(
            (each for _, document in documents for each in mentions_of(self.relevance, document)),
            now,
            updates,
        )

    def note(
        self,
        mentions: Iterable[tuple[Sentence, list[Mention]]],
        now: int,
        updates: Sequence[Update] = (),
    ) -> list[ValueUpdate]:
        """What the mentions of these sentences, as `mentions_of` gives them, change of the event's values at `now`."""
        touched: set[str] = set()
        changed: set[str] = set()
        for sentence, stated in mentions:
            changed |= self._end(sentence)
            for mention in stated:
                if self._is_of_part(sentence, mention):
                    continue
                claim = claim_of(mention, sentence)
                if "retracted" in mention.doubts and mention.attribute in self._series:
                    self._series[mention.attribute].revoke(mention.value, sentence.published_time)
                    touched.add(mention.attribute)
                if claim is not None:
                    series = self._series_of(mention.attribute)
                    series.add(claim)
                    touched.add(mention.attribute)
                    if claim.weight >= STATED and not claim.qualifier and series.confirm(claim.value):
                        changed.add(mention.attribute)
        changed |= {attribute for attribute in touched if self._series[attribute].settle(now)}
        for update in (*updates, *updates) if len(updates) > 1 else updates:
            changed |= self._state_in(update, now)  # again, against what others of them have raised
        self.has_changed = self.has_changed or bool(touched or changed or updates)
        return [self._update(attribute, now) for attribute in sorted(changed)]

    def _is_of_part(self, sentence: Sentence, mention: Mention) -> bool:
        """Whether a number is of a day of what runs on for weeks."""
        return (
            self._is_ongoing(f"{sentence.title} {sentence.text}")
            and mention.attribute != "financialimpact"
            and not is_of_whole(sentence.text, mention)
        )

    def _is_ongoing(self, said: str = "") -> bool:
        times = [series.first for series in self._series.values() if series.first is not None]
        lasts = max((series.last for series in self._series.values()), default=0) - min(times, default=0)
        return is_of_ongoing(self.event, lasts if times else 0, said)

    def _end(self, sentence: Sentence) -> set[str]:
        """The values that a sentence ends: who was missing is found, and is one of the dead where a body is found."""
        changed: set[str] = set()
        series = self._series.get("missing")
        for ending in find_endings(sentence.text) if series is not None and may_end(sentence.text) else ():
            assert series is not None
            before, since = series.current or 0.0, series.since
            left = ending.left(before)
            if not series.end(ending.count, left, plain_claim(left, sentence), is_dead=ending.is_dead):
                continue
            changed.add("missing")
            deaths = self._series_of("deaths")
            if ending.is_dead and (deaths.current is None or deaths.since <= since):
                # Since it was said who is missing, nobody has counted the dead again.
                found = ending.count if ending.count is not None else ending.of
                known = (deaths.current or 0.0) + min(before - left if found is None else found, before)
                claim = msgspec.structs.replace(
                    plain_claim(known, sentence), qualifier="at least", worked_out=True
                )
                deaths.add(claim)
                if deaths.state_in_update(claim, sentence.published_time):
                    changed.add("deaths")
        return changed

    def _state_in(self, update: Update, now: int) -> set[str]:
        """The values that an emitted update changes, or disputes."""
        sentence = Sentence(
            update.doc_id,
            update.sentence_index,
            update.text,
            update.published_time or now,
            update.source,
            title=update.title,
            url=update.url,
        )
        changed = self._end(sentence)
        for mention in stated_numbers(
            self.relevance, update, lasts=self._is_ongoing(f"{update.title} {update.text}")
        ):
            claim = claim_of(mention, sentence)
            series = self._series.get(mention.attribute)
            if claim is None or (not claim.value and (series is None or series.current is None)):
                continue
            series = self._series_of(mention.attribute)
            series.add(claim)
            if not claim.qualifier and claim.value == series.current:
                changed.update({mention.attribute} if series.confirm(claim.value) else ())
            is_money = (
                mention.attribute == "financialimpact"
            )  # what it costs so far, in the end, whom: all beside it
            if mention.attribute in _FALLING and _REMAINING.search(update.text):
                if series.end(None, claim.value, claim):
                    changed.add(mention.attribute)
                continue
            whole = mention.toll or is_of_whole(update.text, mention)
            if series.state_in_update(claim, now, revises=mention.revised, raises=not is_money, whole=whole):
                changed.add(mention.attribute)
        return changed

    def _series_of(self, attribute: str) -> Series:
        series = self._series.get(attribute)
        if series is None:
            series = self._series[attribute] = Series(self._rules_of(attribute))
        return series

    def _rules_of(self, attribute: str) -> Rules:
        rules = replace(self._rules, start=ATTRIBUTES[attribute].first, placed=attribute == "deaths")
        return replace(rules, fall=0.0) if attribute in _FALLING else rules

    def _update(self, attribute: str, now: int) -> ValueUpdate:
        series = self._series[attribute]
        value = series.current
        assert value is not None
        support = series.supports(series.weights(now))
        claims = series.supporters(value)
        exact = [claim for claim in claims if claim.value == value] or series.claims[-1:]
        evidence = _evidence(exact)
        outlets = len({claim.source or claim.doc_id for claim in claims})
        against = sum(weight for other, weight in support.items() if not _alike(other, value))
        share = support.get(value, 0.0) / max(support.get(value, 0.0) + against, 1e-9)
        newest = evidence[-1]
        return ValueUpdate(
            self.event.id,
            now,
            attribute,
            (value,),
            round(max(share * (1.0 - 0.5**outlets), 0.001), 4),
            newest.doc_id,
            newest.sentence_index,
            evidence,
            series.disputed(now),
            qualifier=self._qualifier(attribute, value),
        )

    def _qualifier(self, attribute: str, value: float) -> str:
        if self._is_ongoing() and value and attribute != "financialimpact":
            return "at least"
        return self._series[attribute].qualifier_of(value)

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        return msgspec.msgpack.encode(
            {attribute: series.state() for attribute, series in sorted(self._series.items())}
        )

    def restore(self, data: bytes) -> None:
        """Become the tracker whose `state()` gave `data`."""
        self._series = {
            attribute: Series.of(self._rules_of(attribute), state)
            for attribute, state in _decode_series(data).items()
        }


def _alike(one: float, other: float) -> bool:
    return abs(one - other) <= 0.1 * max(one, other, 1.0)


def _evidence(claims: Sequence[Claim]) -> tuple[Evidence, ...]:
    """The first sentence that says so and the last ones of other documents, in the order of their times."""
    chosen = [claims[0]]
    for claim in reversed(claims[1:]):
        if len(chosen) == _EVIDENCE:
            break
        if all(
            (claim.doc_id, claim.sentence) != (other_claim.doc_id, other_claim.sentence)
            for other_claim in chosen
        ):
            chosen.insert(1, claim)
    return tuple(claim.evidence() for claim in chosen)
