"""What a page says against itself: figures that newer updates contradict, supports that say something else, days.

`find_contradictions` reads what a page is made of (`TimelineReport`) at the moment of each of its updates, as a reader
saw it then; `find_wrong_days` a digest. Each finding is of a kind:

    figure   a newer update gives the whole event another number than the one that stands
    resolved a figure counts as missing who has been found, by a newer update
    total    a war, an epidemic or a protest has a total that no source gives for the whole of it
    number   "also reported" by a sentence that counts other people, or none, where the update counts some
    polarity "also reported" by a sentence that denies, plans, or still misses what the update says
    subject  "also reported" by a sentence that shares nothing with the update but the event's own words
    early    "also reported" before the day of which the update speaks
    start    a day or a support of before the event began
    twice    two updates of one article that say the same
    again    an update that says what an earlier one of another outlet said, and claims nothing more
    weekday  a day of a digest before the weekday of which its sentence speaks
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime

from msgspec import Struct

from tidings.analysis import find_mentions, is_of_ongoing, is_of_whole
from tidings.core import DAY_S, Digest, Event, Evidence, Support, ValueUpdate, shared_analyzer
from tidings.following.report.timeline import Entry, TimelineReport
from tidings.following.systems.claims import MARGIN_S, named_day
from tidings.following.systems.support import same_claim
from tidings.following.values.stated import against, label_of

KINDS = (
    "figure", "resolved", "total", "number", "polarity", "subject", "early", "start", "twice", "again", "weekday"
)  # fmt: skip
"""The kinds of findings, in the order of tables."""

_TWICE = 0.8
_PLANNED = re.compile(
    r"\b(?<!had been )(?:will|due to|scheduled to|set to|expected to|agreed to (?!the\b)|plans? to|is to|are to)\b"
    r"(?! have\b)(?:(?!\b(?:said|says|told|after|since|when|that|as)\b)[^.;]){0,80}?"
    r"\bon (?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
"""A plan with its weekday, which is none of before its publication."""


class Contradiction(Struct, frozen=True):
    """One thing that does not agree: its kind, the update or document that shows it, and in words what it is."""

    kind: str
    place: str
    time: int
    words: str


def find_contradictions(timeline: TimelineReport, supports: Sequence[Support] = ()) -> list[Contradiction]:
    """What a page of this timeline says against itself, in the order of its updates.

    `supports` are those from which the page was made; it shows no update as a repeat.

    >>> from tidings.core.records import Update
    >>> from tidings.following.report.timeline import build_timeline
    >>> event = Event(id="e", title="Ferry fire", query="ferry fire")
    >>> late = [ValueUpdate("e", time, "injuries", (number,)) for time, number in ((60, 9.0), (3600, 11.0))]
    >>> said = Update("e", "b", 0, 90, text="The ferry fire left 11 people injured.", published_time=90)
    >>> [one.words for one in find_contradictions(build_timeline(event, [said], values=late))]
    ['9 injured beside 11 injured: The ferry fire left 11 people injured.']
    """
    found: list[Contradiction] = []
    for entry in timeline.entries:
        found += _figures(timeline, entry)
        found += _supports(timeline.event, entry)
    found += _totals(timeline.event, timeline.values)
    found += _repeats(timeline.event, timeline.entries)
    found += _told_again(timeline.event, timeline.entries, supports)
    return found


def _find_standing(values: Sequence[ValueUpdate], time: int) -> list[ValueUpdate]:
    return list({value.attribute: value for value in values if value.time <= time}.values())


def _figures(timeline: TimelineReport, entry: Entry) -> Iterator[Contradiction]:
    update = entry.update
    for value in _find_standing(timeline.values, update.time):
        for kind, _, words in against(timeline.event, value, update):
            standing = f"{value.value[0]:,.0f} {label_of(value.attribute)}"
            yield Contradiction(
                kind, update.id, update.time, f"{standing} beside {words}: {entry.text[:200]}"
            )


def _totals(event: Event, values: Sequence[ValueUpdate]) -> Iterator[Contradiction]:
    for value in values:
        if value.attribute in ("location", "financialimpact") or not value.evidence:
            continue
        if not any(_is_total(event, value, evidence) for evidence in value.evidence):
            yield Contradiction(
                "total", value.doc_id, value.time, f"{value.value[0]:,.0f} {value.attribute} of a part"
            )


def _is_total(event: Event, value: ValueUpdate, evidence: Evidence) -> bool:
    return not is_of_ongoing(event, said=evidence.text) or any(
        mention.attribute == value.attribute and is_of_whole(evidence.text, mention)
        for mention in find_mentions(evidence.text)
    )


def _supports(event: Event, entry: Entry) -> Iterator[Contradiction]:
    update = entry.update
    named = named_day(entry.text, update.published_time or update.time)
    for evidence in entry.again:
        reason = same_claim(event, entry.text, evidence.text)
        place, time = update.id, evidence.published_time
        if reason:
            yield Contradiction(reason, place, time, f'"{entry.text[:200]}" by "{evidence.text[:200]}"')
        elif time and named is not None and time < named - MARGIN_S:
            yield Contradiction("early", place, time, f'"{entry.text[:200]}" by "{evidence.text[:200]}"')
        if time and event.start_time is not None and time < event.start_time:
            yield Contradiction("start", place, time, f'"{evidence.text[:200]}"')


def _repeats(event: Event, entries: Sequence[Entry]) -> Iterator[Contradiction]:
    by_article: dict[str, list[Entry]] = {}
    own = frozenset(shared_analyzer().stems(f"{event.query} {event.title}"))
    for entry in entries:
        earlier = by_article.setdefault(entry.update.doc_id, [])
        stems = frozenset(shared_analyzer().stems(entry.text)) - own
        for other in earlier:
            others = frozenset(shared_analyzer().stems(other.text)) - own
            least = min(len(stems), len(others))
            if least >= 2 and len(stems & others) >= _TWICE * least:
                words = f'"{other.text[:150]}" and "{entry.text[:150]}"'
                yield Contradiction("twice", entry.update.id, entry.update.time, words)
                break
        earlier.append(entry)


def _told_again(
    event: Event, entries: Sequence[Entry], supports: Sequence[Support]
) -> Iterator[Contradiction]:
    again: dict[str, list[Evidence]] = {}
    for support in supports:
        if support.same:
            again.setdefault(support.update_id, []).append(support.evidence)
    earlier: dict[tuple[str, int], Entry] = {}
    for entry in entries:
        update = entry.update
        first = earlier.get((update.doc_id, update.sentence_index))
        if first is not None and not same_claim(event, entry.text, first.text, leaves_out=False):
            words = f'"{first.text[:150]}" and "{entry.text[:150]}"'
            yield Contradiction("again", update.id, update.time, words)
        for evidence in again.get(update.id, ()):
            earlier.setdefault((evidence.doc_id, evidence.sentence_index), entry)


def find_wrong_days(digest: Digest) -> list[Contradiction]:
    """The sentences of a digest that stand under a day of before the event began, or before their own weekday.

    >>> from tidings.core.records import DigestDay
    >>> said = Evidence("a", 0, "Ministers agreed to meet for talks on Friday.", 1770249600)
    >>> day = DigestDay("2026-01-30", (said,))
    >>> talks = Event(id="e", title="", query="talks")
    >>> [one.kind for one in find_wrong_days(Digest(event=talks, system="ours", days=(day,)))]
    ['weekday']
    """
    found: list[Contradiction] = []
    start = digest.event.start_time
    for day in digest.days:
        opens = int(datetime.combine(date.fromisoformat(day.date), datetime.min.time(), UTC).timestamp())
        for sentence in day.sentences:
            place = f"{sentence.doc_id}-{sentence.sentence_index}"
            if start is not None and opens + DAY_S <= start:
                found.append(Contradiction("start", place, opens, f'{day.date}: "{sentence.text[:200]}"'))
            published = sentence.published_time
            if published and opens + DAY_S <= published:
                shown = date.fromisoformat(day.date).strftime("%A").lower()
                if any(match["day"].lower() == shown for match in _PLANNED.finditer(sentence.text)):
                    words = f'{day.date}: "{sentence.text[:200]}"'
                    found.append(Contradiction("weekday", place, opens, words))
    return found
