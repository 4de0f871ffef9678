"""The tracker: documents of one event in, the values that are current after each of them out."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from tidings.records import Event, Evidence, Sentence, ValueUpdate
from tidings.text import shared_analyzer
from tidings.values.claims import Claim, claim_of
from tidings.values.mentions import Mention, find_mentions
from tidings.values.series import Rules, Series, decode_states, encode_states

__all__ = ["STARTS", "Relevance", "Tracker", "mentions_of"]

STARTS = {
    "deaths": 30.0,
    "injuries": 100.0,
    "missing": 50.0,
    "displaced": 3_000.0,
    "arrested": 100.0,
    "financialimpact": 3e8,
}
"""What is no surprise as the first value of each attribute: admission measures by it."""

_EVIDENCE = 5
_WROTE = re.compile(r"\b\w+ wrote ?:|\b(?:[Aa]dd your comment|Your comments|Have your say)\b")


class Relevance:
    """Which sentences of a document may speak of an event: the gate before anything is read.

    The document must hold two of the stems of query and title, in its sentences or its title, and the sentence one,
    unless the document's title holds two.

    >>> relevance = Relevance(Event(id="e", title="Ferry fire of 2014", query="ferry fire port"))
    >>> sorted(relevance.stems), relevance.need
    (['ferri', 'fire', 'port'], 2)
    """

    def __init__(self, event: Event) -> None:
        stems_of = shared_analyzer().stems
        self.stems = frozenset(
            stem for stem in stems_of(f"{event.query} {event.title}") if not stem.isdigit()
        )
        self.need = min(2, len(self.stems))

    def relevant(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences of one document that pass, in order; none where the document does not."""
        stems_of, own = shared_analyzer().stems, self.stems
        held: set[str] = set()
        holding = []
        for sentence in sentences:
            stems = stems_of(sentence.text)
            if not own.isdisjoint(stems):
                held.update(own.intersection(stems))
                holding.append(sentence)
        if not holding:
            return []
        titled = own.intersection(stems_of(sentences[0].title)) if sentences[0].title else frozenset()
        if len(held | titled) < self.need:
            return []
        return list(sentences) if len(titled) >= max(2, self.need) else holding


def mentions_of(relevance: Relevance, sentences: Iterable[Sentence]) -> list[tuple[Sentence, list[Mention]]]:
    """The sentences of one document that give numbers of the event, each with its mentions.

    What stands behind the first sign of readers' comments is passed over.
    """
    document = list(sentences)
    relevant = relevance.relevant(document)
    if not relevant:
        return []
    titled = len(relevance.stems.intersection(shared_analyzer().stems(document[0].title)))
    year = time.gmtime(max(0, min(document[0].published_time, 1 << 37))).tm_year
    comments = next((one.index for one in document if _begins_comments(one.text)), None)
    read = []
    for sentence in relevant:
        if comments is not None and sentence.index >= comments:
            break
        mentions = find_mentions(sentence.text, year, relevance.stems, about=titled)
        if mentions:
            read.append((sentence, mentions))
    return read


def _begins_comments(text: str) -> bool:
    return ("wrote" in text or "our comment" in text or "Have your" in text) and bool(
        _WROTE.search(text[:4_000])
    )


class Tracker:
    """Follows the values of one event; `read` gives those that have changed.

    >>> tracker = Tracker(Event(id="e", title="Ferry fire", query="ferry fire"))
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

    def read(self, sentences: Sequence[Sentence], now: int) -> list[ValueUpdate]:
        """What these sentences, in the order of time and document, change of the event's values at `now`."""
        touched: set[str] = set()
        for _, document in groupby(sentences, key=attrgetter("doc_id")):
            for sentence, mentions in mentions_of(self.relevance, document):
                for mention in mentions:
                    claim = claim_of(mention, sentence)
                    if claim is not None:
                        self._series_of(mention.attribute).add(claim)
                        touched.add(mention.attribute)
        if not touched:
            return []
        self.has_changed = True
        return [
            self._update(attribute, now)
            for attribute in sorted(touched)
            if self._series[attribute].settle(now)
        ]

    def _series_of(self, attribute: str) -> Series:
        series = self._series.get(attribute)
        if series is None:
            series = self._series[attribute] = Series(self._rules_of(attribute))
        return series

    def _rules_of(self, attribute: str) -> Rules:
        from msgspec.structs import replace

        return replace(self._rules, start=STARTS[attribute])

    def _update(self, attribute: str, now: int) -> ValueUpdate:
        series = self._series[attribute]
        value = series.current
        assert value is not None
        support = series.supports(series.weights(now))
        claims = series.supporters(value)
        exact = [claim for claim in claims if claim.value == value]
        evidence = _evidence(exact)
        outlets = len({claim.source or claim.doc_id for claim in claims})
        against = sum(weight for other, weight in support.items() if not _alike(other, value))
        share = support[value] / max(support[value] + against, 1e-9)
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
        )

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        return encode_states(
            {attribute: series.state() for attribute, series in sorted(self._series.items())}
        )

    def restore(self, data: bytes) -> None:
        """Become the tracker whose `state()` gave `data`."""
        self._series = {
            attribute: Series.of(self._rules_of(attribute), state)
            for attribute, state in decode_states(data).items()
        }


def _alike(one: float, other: float) -> bool:
    return abs(one - other) <= 0.1 * max(one, other, 1.0)


def _evidence(claims: Sequence[Claim]) -> tuple[Evidence, ...]:
    """The first sentence that says so and the last ones of other documents, in the order of their times."""
    chosen = [claims[0]]
    for claim in reversed(claims[1:]):
        if len(chosen) == _EVIDENCE:
            break
        if all((claim.doc_id, claim.sentence) != (one.doc_id, one.sentence) for one in chosen):
            chosen.insert(1, claim)
    return tuple(claim.evidence() for claim in chosen)
