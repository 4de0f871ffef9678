"""The days of judged events as rankers of entities learn from them and are tested on them.

What entities were worth on a day of a judged event: the nuggets that name them and came to be matched that day.

Nuggets that no sentence of the stream matches are left out, and nothing of a day rests on what came after it: the
names of its nuggets are found in them, in earlier ones and in the stream up to that day.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

import numpy as np
from msgspec import Struct

from tidings.analysis import (
    NameRecogniser,
    bare_words,
    gazetteers,
    is_name,
    resolve,
    same_entity,
    token_spans,
)
from tidings.core import ENGLISH
from tidings.following import (
    Array,
    DayEntity,
    EntityFeatures,
    EventDay,
    EventDays,
    FeatureMatrix,
    SentenceRows,
)
from tidings.research.training.labelled_events import JudgedEvent

Words = tuple[str, ...]
_CLEAR = 0.5
"""A word is a name by the stream when at least this share of its occurrences is."""


class DayNugget(Struct, frozen=True):
    """A nugget's text, what it is worth, and the day (YYYY-MM-DD, UTC) on which the stream first matched it."""

    date: str
    text: str
    importance: int


class LabelledEntity(Struct, frozen=True):
    """An entity that nuggets name: what it is worth on this day.

    Attributes:
        name: its fullest name in the nuggets up to this day.
        type: PER, ORG or LOC.
        names: all its names up to this day, as bare words.
        worth: the summed importance of the day's nuggets that name it.
        is_first: no nugget of an earlier day names it.
        in_query: the event's query names it.
    """

    name: str
    type: str
    names: frozenset[Words]
    worth: int
    is_first: bool
    in_query: bool


class StreamNames:
    """The names that a stream has used so far, with how often each stood there as a name and how often at all."""

    def __init__(self) -> None:
        self._types: dict[Words, Counter[str]] = {}
        self._words: Counter[str] = Counter()
        self._longest = 1

    def add(self, tokens: Sequence[str], spans: Iterable[tuple[int, int, str]]) -> None:
        """Count a sentence and the names in it."""
        self._words.update(tokens)
        for start, end, kind in spans:
            words = tuple(tokens[start:end])
            self._types.setdefault(words, Counter())[kind] += 1
            self._longest = max(self._longest, min(len(words), 8))

    def spans(self, tokens: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """The longest of the names known here, from left to right; those seen once or mostly not as names left out."""
        at = 0
        while at < len(tokens):
            for end in range(min(len(tokens), at + self._longest), at, -1):
                kind = self._kind(tuple(tokens[at:end]))
                if kind:
                    yield at, end, kind
                    at = end
                    break
            else:
                at += 1

    def _kind(self, words: Words) -> str:
        types = self._types.get(words)
        if types is None or types.total() < 2 or not is_name(" ".join(words)) or not _has_case(words):
            return ""
        if len(words) == 1:
            word = words[0]
            if word.lower() in ENGLISH or types.total() < _CLEAR * self._words[word]:
                return ""
        return max(types, key=lambda kind: (types[kind], kind))


def _has_case(words: Words) -> bool:
    # Its first and last words with a capital, or of a script without.
    return all(not word[0].islower() for word in (words[0], words[-1]))


def is_in_query(names: Iterable[Words], query: str) -> bool:
    """Whether one of these names, or of the places that the query's demonyms speak of, stands in an event's query.

    >>> is_in_query([("egypt",)], "egyptian riots"), is_in_query([("boston", "globe")], "boston marathon bombing")
    (True, False)
    """
    words = [word.lower() for word in re.findall(r"[\w'’-]+", query)]
    demonyms = gazetteers().demonyms
    known = set(words)
    for word in words:
        known.update(bare_words(demonyms.get(word, "")))
    return any(set(name) <= known for name in names if name)


def day_labels(
    nuggets: Iterable[DayNugget], recogniser: NameRecogniser, query: str, streams: Mapping[str, StreamNames]
) -> dict[str, list[LabelledEntity]]:
    """The labelled entities of each day that has any, those worth most first.

    Args:
        nuggets: those that were matched, in any order.
        recogniser: finds names in nuggets.
        query: the event's.
        streams: by day, the names that the stream used up to its end.
    """
    ordered = sorted(nuggets, key=lambda nugget: (nugget.date, nugget.text))
    tokens = [[nugget.text[start:end] for start, end in token_spans(nugget.text)] for nugget in ordered]
    labels = {}
    for date in sorted({nugget.date for nugget in ordered}):
        count = sum(nugget.date <= date for nugget in ordered)
        spans = _spans(tokens[:count], recogniser, streams.get(date))
        entities = []
        for chain in resolve(tokens[:count], spans, pronouns=False):
            where = {reference.sentence for reference in chain.references if reference.how == "name"}
            spelt = [
                " ".join(tokens[reference.sentence][reference.start : reference.end])
                for reference in chain.references
                if reference.how == "name"
            ]
            worth = sum(max(ordered[at].importance, 0) for at in where if ordered[at].date == date)
            if worth:
                if not any(map(str.isupper, "".join(spelt))):
                    continue  # what no nugget writes with a capital is hardly a name
                names = frozenset(bare_words(name) for name in spelt)
                first = all(ordered[at].date == date for at in where)
                entities.append(
                    LabelledEntity(chain.name, chain.type, names, worth, first, is_in_query(names, query))
                )
        if entities:
            labels[date] = sorted(entities, key=lambda entity: (-entity.worth, entity.name))
    return labels


def _spans(
    tokens: Sequence[Sequence[str]], recogniser: NameRecogniser, stream: StreamNames | None
) -> list[list[tuple[int, int, str]]]:
    spans = recogniser.spans(tokens)
    if stream is None:
        return spans
    joined = []
    for sentence, own in zip(tokens, spans, strict=True):
        by_stream = [
            span
            for span in stream.spans(sentence)
            # Where both see a name, the longer one stands.
            if all(
                span[1] <= other[0] or other[1] <= span[0] or span[1] - span[0] > other[1] - other[0]
                for other in own
            )
        ]
        kept = [
            other for other in own if all(span[1] <= other[0] or other[1] <= span[0] for span in by_stream)
        ]
        joined.append(sorted([*kept, *by_stream]))
    return joined


_SHARE = 0.2
"""A label counts as an entity's when at least this share of its mentions by name bear it."""


def label_of(entity: DayEntity, labelled: Sequence[LabelledEntity]) -> int | None:
    """The number of the labelled entity that this is, None where it is none of them.

    It is the one under whose names most of its mentions stand, the best name counted as one mention more; failing all,
    one of its type whose full name the rules of co-reference join with its own.
    """
    names = Counter(bare_words(candidate.label) for candidate in entity.mentions if candidate.how == "name")
    names[bare_words(entity.name)] += 1
    total = names.total()
    best, most = None, _SHARE * total
    for number, candidate in enumerate(labelled):
        shared = sum(count for name, count in names.items() if name in candidate.names)
        if shared >= most and (best is None or shared > most):
            best, most = number, shared
    if best is not None:
        return best
    own = bare_words(entity.name)
    if not own:
        return None
    for number, candidate in enumerate(labelled):
        full = max(candidate.names, key=lambda name: (len(name), name))
        longer, shorter = (full, own) if len(full) >= len(own) else (own, full)
        if candidate.type == entity.type and shorter and same_entity(longer, shorter, entity.type):
            return number
    return None


LabelKind = Literal["match", "first mention"]
"""match: what the day's nuggets name; first mention: only what no nugget of an earlier day names."""


@dataclass(eq=False)
class JudgedDay:
    """A day with its entities' features, and what they were worth.

    Attributes:
        event_id: of which event.
        day, matrix: the day and its features.
        labels: what the day's nuggets name, found in the stream or not.
        label: for each entity the number of its label, -1 for none.
        repeats: which entities are labelled as one that is mentioned more often is.
        in_query: which entities the query names.
        named_before: which entities a nugget of an earlier day names.
        sentences: the features of the day's sentences, document after document.
        sentence_worth: of each of them the summed importance of the nuggets that were first matched that day.
    """

    event_id: str
    day: EventDay
    matrix: FeatureMatrix
    labels: list[LabelledEntity]
    label: Array
    repeats: Array
    in_query: Array
    named_before: Array
    sentences: Array = field(default_factory=lambda: np.zeros((0, 0)))
    sentence_worth: Array = field(default_factory=lambda: np.zeros(0))

    def left_out(self, kind: LabelKind, with_query: bool = False) -> Array:
        """Which entities are not ranked."""
        out = np.zeros(len(self.label), bool) if with_query else self.in_query
        joined: Array = out | self.named_before if kind == "first mention" else out
        return joined

    def worth(self, kind: LabelKind) -> Array:
        """What each entity was worth by its label, 0 without one."""
        worth = [label.worth if kind == "match" or label.is_first else 0 for label in self.labels]
        return np.array([worth[number] if number >= 0 else 0 for number in self.label], float)


def judged_days(event: JudgedEvent, recogniser: NameRecogniser) -> list[JudgedDay]:
    """All days of an event that have news."""
    first = _first_matches(event)
    labels = _labels(event, recogniser, first)
    features = EntityFeatures(event.event.query)
    sentences = SentenceRows()
    judged = []
    earlier: list[LabelledEntity] = []
    for day in _days(event, recogniser):
        own = labels.pop(day.date, [])
        # Days of which no document is about the event are none, but their nuggets were known.
        for date in sorted(date for date in labels if date < day.date):
            earlier += labels.pop(date)
        judged_day = _judge_day(event, day, features.matrix(day), own, earlier)
        judged_day.sentences = sentences.rows(day)
        judged_day.sentence_worth = np.array(
            [
                sum(max(0, event.importances[n]) for n in event.nuggets_of(sentence) if first[n] == day.date)
                for document in day.documents
                for sentence in document.sentences
            ],
            float,
        )
        judged.append(judged_day)
        earlier += own
    return judged


def _judge_day(
    event: JudgedEvent,
    day: EventDay,
    matrix: FeatureMatrix,
    labels: list[LabelledEntity],
    earlier: Sequence[LabelledEntity],
) -> JudgedDay:
    found = [label_of(entity, labels) for entity in day.entities]
    label = np.array([-1 if number is None else number for number in found], int)
    best: dict[int, int] = {}
    for row, number in enumerate(found):
        if number is not None and (
            number not in best or len(day.entities[row].mentions) > len(day.entities[best[number]].mentions)
        ):
            best[number] = row
    repeats = np.array([n is not None and best[n] != row for row, n in enumerate(found)], bool)
    in_query = [
        is_in_query([bare_words(entity.name)], event.event.query) or (n is not None and labels[n].in_query)
        for entity, n in zip(day.entities, found, strict=True)
    ]
    before = [
        (n is None or not labels[n].is_first) and label_of(entity, earlier) is not None
        for entity, n in zip(day.entities, found, strict=True)
    ]
    return JudgedDay(
        event.event.id, day, matrix, labels, label, repeats, np.array(in_query, bool), np.array(before, bool)
    )


def _days(event: JudgedEvent, recogniser: NameRecogniser) -> list[EventDay]:
    builder = EventDays(event.event, finder=recogniser)
    days: list[EventDay] = []
    for sentences, now in event.pushes:
        days += builder.add(sentences, now)
    return days + builder.finish(event.end)


def _date_of(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")


def _first_matches(event: JudgedEvent) -> dict[int, str]:
    """The day on which the stream first matched each nugget that it matches."""
    first: dict[int, str] = {}
    for sentence, now in event.sentences:
        for nugget in event.nuggets_of(sentence):
            first.setdefault(nugget, _date_of(now))
    return first


def _labels(
    event: JudgedEvent, recogniser: NameRecogniser, first: Mapping[int, str]
) -> dict[str, list[LabelledEntity]]:
    by_date: dict[str, list[list[str]]] = {}
    for sentence, now in event.sentences:
        tokens = [sentence.text[start:end] for start, end in token_spans(sentence.text)]
        by_date.setdefault(_date_of(now), []).append(tokens)
    names = StreamNames()
    streams = {}
    wanted = set(first.values())
    for date in sorted(by_date):
        for tokens, spans in zip(by_date[date], recogniser.spans(by_date[date]), strict=True):
            names.add(tokens, spans)
        if date in wanted:
            streams[date] = deepcopy(names)
    importance = event.importances
    texts = event.nugget_texts
    nuggets = [DayNugget(date, texts[number], importance[number]) for number, date in first.items()]
    return day_labels(nuggets, recogniser, event.event.query, streams)


def count_labels(days: Sequence[JudgedDay], kind: LabelKind) -> Counter[str]:
    """How many days have labels, how many entities are labelled, and how many of these the days name.

    Entities of the query are not counted.
    """
    counts: Counter[str] = Counter()
    for judged in days:
        wanted = {
            number
            for number, label in enumerate(judged.labels)
            if not label.in_query and (kind == "match" or label.is_first)
        }
        counts["days"] += bool(wanted)
        counts["labelled"] += len(wanted)
        counts["named"] += len(wanted & set(judged.label.tolist()))
    return counts
