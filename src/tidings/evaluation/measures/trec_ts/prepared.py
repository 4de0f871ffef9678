"""Judgments made ready for scoring: once, for any number of runs."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, groupby
from typing import TypeVar

from tidings.core import Event, Judgments, Match, Nugget, PooledUpdate, Run, Update, UpdateColumns
from tidings.evaluation.measures.trec_ts.rules import Rules


@dataclass(frozen=True, slots=True)
class EventUpdates:
    """One event's updates in the order of the run's file.

    `ids` are their update ids; `positions` says where in the run each stands.
    """

    source: Sequence[Update]
    ids: list[str]
    positions: Sequence[int]

    def __len__(self) -> int:
        return len(self.ids)

    def time(self, number: int) -> int:
        """The decision time of the event's update of that number."""
        source, position = self.source, self.positions[number]
        return source.time(position) if isinstance(source, UpdateColumns) else source[position].time

    def written_times(self) -> list[str]:
        """The decision time of each, as text."""
        source, positions = self.source, self.positions
        if not isinstance(source, UpdateColumns):
            return [str(source[position].time) for position in positions]
        if isinstance(positions, range):
            return source.written_times(positions.start, positions.stop)
        return [time for position in positions for time in source.written_times(position, position + 1)]

    def confidences(self) -> list[float]:
        """The confidence of each."""
        source = self.source
        if isinstance(source, UpdateColumns):
            return [source.confidence(position) for position in self.positions]
        return [source[position].confidence for position in self.positions]

    def update(self, number: int) -> Update:
        """The event's update of that number."""
        return self.source[self.positions[number]]


NOTHING = EventUpdates((), [], ())


def by_event(run: Run) -> dict[str, EventUpdates]:
    """The run's updates apart by event id as written, in order of first appearance."""
    source = run.updates
    if isinstance(source, UpdateColumns):
        return _by_block(source)
    ids: dict[str, list[str]] = {}
    positions: dict[str, list[int]] = {}
    for position, update in enumerate(source):
        ids.setdefault(update.event_id, []).append(update.id)
        positions.setdefault(update.event_id, []).append(position)
    return {event: EventUpdates(source, ids[event], positions[event]) for event in ids}


def _by_block(source: UpdateColumns) -> dict[str, EventUpdates]:
    blocks: dict[str, list[tuple[int, int]]] = {}
    for event, start, end in source.blocks:
        blocks.setdefault(event, []).append((start, end))
    by_event_id = {}
    for event, ranges in blocks.items():
        start, end = ranges[0]
        if len(ranges) == 1:
            by_event_id[event] = EventUpdates(source, source.ids(start, end), range(start, end))
        else:
            positions = [position for start, end in ranges for position in range(start, end)]
            ids = [key for start, end in ranges for key in source.ids(start, end)]
            by_event_id[event] = EventUpdates(source, ids, positions)
    return by_event_id


_BLANKS = re.compile(r"[ \t\r\n\x0b\x0c]+")
_Judged = TypeVar("_Judged", Nugget, Match, PooledUpdate)

WordSpan = tuple[int, int, int]
"""A match made ready: index of the nugget, first matched word, first word after."""


def word_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Which words characters start..end take up, counted as the official scorers count: (first, first after).

    Both ends move outwards to the next blank, and a word's number is the count of blanks before that place. So a
    word is numbered by the blank in front of it (the first two words of a text share number 0), and the
    last word of a text is never counted: an update matched from end to end keeps one unmatched word.

    >>> word_span("eighty people have died", 7, 10)
    (0, 1)
    >>> word_span("eighty people have died", 0, 23)
    (0, 3)
    """
    outer_start = max(text.rfind(" ", 0, start + 1), 0)
    outer_end = text.find(" ", end)
    return text.count(" ", 0, outer_start), text.count(" ", 0, outer_end if outer_end >= 0 else len(text))


def whole_word_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Which words the characters start..end touch: (first, first after), counted from 0; any blanks part words.

    >>> whole_word_span("eighty people have died", 7, 10), whole_word_span("eighty people have died", 0, 23)
    ((1, 2), (0, 4))
    >>> whole_word_span("eighty people have died", 6, 8), whole_word_span("eighty people", 7, 7)
    ((1, 2), (0, 0))
    """
    start = max(start, 0)
    touched = text[start:end]
    if not touched.strip():
        return 0, 0
    first = start + len(touched) - len(touched.lstrip())
    return len(text[: first + 1].split()) - 1, len(text[: start + len(touched.rstrip())].split())


@dataclass(slots=True)
class PreparedEvent:
    """One event's judgments.

    Attributes:
        nuggets: the nuggets that count under the rules.
        gains: R(n) for each of them.
        times: n.t for each (seconds UTC).
        mean_words: mean length of a nugget, in words.
        total_gain: sum of R(n).
        ideal: ideal[k-1] = mean of the k largest R: the most that k updates can earn on average.
        texts: update id to (id under which its text was judged, words in that text).
        matches: judged id to its matches, in the order of the file.
        numbers: nugget id to its place in `nuggets`.
        read: judged id to its text as the scorers see it.
        words_of: which words of a text its characters from..to take up, by the rules.
    """

    id: str
    event: Event | None
    nuggets: list[Nugget]
    gains: list[float]
    times: list[int]
    mean_words: float
    total_gain: float
    ideal: list[float]
    texts: dict[str, tuple[str, int]] = field(default_factory=dict)
    matches: dict[str, list[Match]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    read: Callable[[str], str] = str
    words_of: Callable[[str, int, int], tuple[int, int]] = word_span
    _spans: dict[str, list[WordSpan]] = field(default_factory=dict)

    @property
    def has_period(self) -> bool:
        """Whether the event's start and end are known: NIST's nuggets of 2013 hold two events without a topic."""
        return self.event is not None and None not in (self.event.start_time, self.event.end_time)

    def spans(self, judged_id: str) -> list[WordSpan]:
        """The matches of one judged text, made ready when first asked for, since a run touches only some."""
        spans = self._spans.get(judged_id)
        if spans is None:
            spans = self._spans[judged_id] = []
            text = self.read(judged_id) if judged_id in self.matches else ""
            for match in self.matches.get(judged_id, ()):
                if match.nugget_id in self.numbers:
                    spans.append(
                        (self.numbers[match.nugget_id], *self.words_of(text, match.start, match.end))
                    )
        return spans

    def with_texts(self, texts: Mapping[str, tuple[str, int]]) -> PreparedEvent:
        """The same event with further judged texts (as `texts`); what was judged already stays."""
        for judged_id in self.matches:
            self.spans(judged_id)
        return replace(self, texts={**texts, **self.texts})

    def with_spans(self, spans: Mapping[str, list[WordSpan]]) -> PreparedEvent:
        """The same event, of which these judged texts have these matches."""
        return replace(self, _spans={**self._spans, **spans})

    def without_matches(self) -> PreparedEvent:
        """The same event and texts, as if nobody had matched any."""
        return replace(self, matches={}, _spans={})

    def without_texts(self, ids: Collection[str]) -> PreparedEvent:
        """The same event, as if nobody had seen the updates of these ids."""
        return replace(
            self,
            texts={key: judged for key, judged in self.texts.items() if key not in ids},
            matches={key: own for key, own in self.matches.items() if key not in ids},
            _spans={},
        )

    def best_mean(self, updates: int) -> float:
        """Z: the mean R that the best `updates` updates, or all nuggets if they are fewer, would have."""
        k = min(updates, len(self.ideal))
        return self.ideal[k - 1] if self.ideal else 0.0


def prepare_events(judgments: Judgments, rules: Rules) -> dict[str, PreparedEvent]:
    """Each event that has nuggets, by its id in the judgments, in order of first appearance."""
    pools = _by_event(_pool(judgments))
    matches = _by_event(_official(judgments.matches, rules))
    about = {event.id: event for event in judgments.events}
    prepared = {}
    for event_id, nuggets in _by_event(judgments.nuggets).items():
        event = _weigh(event_id, about.get(event_id), nuggets, rules)
        _add_texts(event, pools.get(event_id, []), matches.get(event_id, []), rules, judgments.byte_spans)
        if rules.duplicates:
            _add_duplicates(event, judgments.duplicates)
        prepared[event_id] = event
    return prepared


def _pool(judgments: Judgments) -> tuple[PooledUpdate, ...]:
    # The scripts skip one line of the file, header or not.
    return judgments.pool[1:] if judgments.pool_headless else judgments.pool


def _official(matches: tuple[Match, ...], rules: Rules) -> list[Match]:
    chosen = dict(rules.assessments)
    kept: list[Match] = []
    blocks: dict[str, list[list[Match]]] = defaultdict(list)
    for event_id, block in groupby(matches, key=lambda match: match.event_id):
        if event_id in chosen:
            blocks[event_id].append(list(block))
        else:
            kept.extend(block)
    for event_id, assessed in blocks.items():
        kept.extend(assessed[chosen[event_id]] if chosen[event_id] < len(assessed) else assessed[-1])
    return kept


def _weigh(event_id: str, about: Event | None, nuggets: list[Nugget], rules: Rules) -> PreparedEvent:
    kept = [nugget for nugget in nuggets if not (rules.drop_unimportant and nugget.importance <= 0)]
    gains = _gains([nugget.importance for nugget in kept], rules)
    if rules.listed_lengths:
        words = [nugget.listed_length for nugget in kept]
    elif rules.whole_words:
        words = [len(nugget.text.split()) for nugget in kept]
    else:
        words = [_words(_trim(nugget.text) if rules.trim_nuggets else nugget.text) for nugget in kept]
    best_first = accumulate(sorted(gains, reverse=True))
    return PreparedEvent(
        id=event_id,
        event=about,
        nuggets=kept,
        gains=gains,
        times=[nugget.time for nugget in kept],
        mean_words=sum(words) / len(words) if words else 0.0,
        total_gain=sum(gains),
        ideal=[total / k for k, total in enumerate(best_first, start=1)],
        words_of=whole_word_span if rules.whole_words else word_span,
    )


def _gains(importances: list[int], rules: Rules) -> list[float]:
    if rules.relevance == "binary":
        return [1.0 if (value > 0 if rules.topic_scale else value) else 0.0 for value in importances]
    top = max(importances, default=3) if rules.topic_scale else 3
    return [math.exp(value) / math.exp(top) for value in importances]


def _add_texts(
    event: PreparedEvent, pool: list[PooledUpdate], matches: list[Match], rules: Rules, byte_spans: bool
) -> None:
    by_id = {update.id: update for update in pool}
    plain = not (rules.listed_lengths or rules.whole_words)
    for update_id, update in by_id.items():
        # One step only: a duplicate's own duplicate is not looked up.
        judged_id = update.duplicate_of if update.duplicate_of in by_id else update_id
        twin = by_id[judged_id]
        event.texts[update_id] = (judged_id, twin.text.count(" ") + 1 if plain else _length(twin, rules))
    for match in matches:
        matched = event.matches.get(match.update_id)
        if matched is not None:
            matched.append(match)
        elif match.update_id in by_id or rules.unpooled_may_match:
            event.matches[match.update_id] = [match]
    event.numbers = {nugget.id: number for number, nugget in enumerate(event.nuggets)}
    event.read = lambda update_id: (
        _as_read(by_id[update_id].text, rules, byte_spans) if update_id in by_id else ""
    )


def _add_duplicates(event: PreparedEvent, duplicates: dict[str, str]) -> None:
    # The twin lends its text, or its own twin's; matches are looked up under the id that the text was judged under
    # only where the pool itself names it a duplicate.
    for update_id, twin in duplicates.items():
        if update_id not in event.texts and twin in event.texts:
            judged_id, words = event.texts[twin]
            event.texts[update_id] = (update_id if judged_id == twin else judged_id, words)


def _as_read(text: str, rules: Rules, byte_spans: bool) -> str:
    if byte_spans and not rules.whole_words and not text.isascii():
        # One character for each byte, as the scorers see the file.
        text = text.encode("utf-8", "surrogatepass").decode("latin-1")
    return _BLANKS.sub(" ", text).strip(" ") if rules.collapse_spaces else text


def _length(update: PooledUpdate, rules: Rules) -> int:
    if rules.listed_lengths:
        return update.listed_length
    return len(update.text.split())


def text_words(text: str, rules: Rules) -> int:
    """How many words a text has that no file of judgments lists."""
    return len(text.split()) if rules.whole_words else _words(text)


def _words(text: str) -> int:
    return text.count(" ") + 1


def _trim(text: str) -> str:
    return text.strip(" \t\r\n\x0b\x0c")


def _by_event(items: Iterable[_Judged]) -> dict[str, list[_Judged]]:
    grouped: dict[str, list[_Judged]] = defaultdict(list)
    for item in items:
        grouped[item.event_id].append(item)
    return grouped
