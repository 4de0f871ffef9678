"""Support counted beside any system: the same updates, and which outlets say them again.

Whether a sentence repeats an update is a sum of clues, each times a weight that was learned from labelled pairs
(`CLUES`; scripts/table_of_support.py): how much alike they are by their stems, of which the rare ones weigh more and
words of one meaning are one (`support.toml`); whether what they tell first is told in the same words, names aside;
whether these come in the same order; and whether the same became of people. Figures must agree: what counts people
otherwise or gives other numbers supports nothing; nor does what denies an update, or only plans it. What says something
near is noted once for each update, so that nobody calls it the word of one outlet alone. What is counted changes
nothing in what is told.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import fsum, log, sqrt
from operator import mul
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.analysis import as_written
from tidings.core import (
    Event,
    Evidence,
    Output,
    Sentence,
    Support,
    Update,
    analyzer_of,
    data_beside,
    detect,
    shared_analyzer,
)
from tidings.following.background import usual
from tidings.following.systems.claims import LONGEST_TEXT, MARGIN_S, Content, Told, in_digits, named_day
from tidings.following.systems.particulars import CAPITALS, by_country
from tidings.following.systems.stages import Stage, StageFollower, Surroundings

KEEP_S = 48 * 3600
"""Seconds of event time after its telling in which what repeats an update is counted."""

MOST_UPDATES = 200
"""Updates that wait for support; the oldest go first."""

MOST_OUTLETS, MOST_RECENT = 50, 256
"""Outlets counted for each update, and sentences remembered, in which an update that is told is looked for."""

RARITY = 0.25
"""How much more a rare stem weighs: 1 + RARITY log of the recent sentences for each that holds it."""

OF_QUERY = 0.6
"""What a stem weighs that is one of the words by which the event is followed, or says who says so, or on which day."""

OF_SPEAKER = 0.3
"""What a stem weighs that stands only in who says so."""

CLUES = (
    "alike",  # the weighted cosine of their stems
    "first",  # the cosine of the words, no names, that they tell first, each as rare as in the news at large
    "covered",  # the share of those of the update, by weight, that the sentence holds
    "in order",  # the longest run of stems that both hold in the same order, as a share of the shorter one
    "outcome",  # whether the same became of people
)
"""What speaks for a sentence saying what an update says, each 0 to 1."""

LEAST_OF_MAIN = 0.15
"""The share of what an update tells, without who says so, that a sentence holds which says the same."""

LEAST_OF_MAIN_BESIDE = 0.45
"""The same for an update that counts people beside the point."""

NEAR = 0.2
"""Weighted cosine from which a sentence says something near an update."""

_HARDLY = 0.75 * NEAR
_LEAST_OVERLAP = 0.2
_LEAST_SHARED = 3
_LEAST_NEAR = 2
_LONGEST = 60
_FEWEST_FIRST = 4
_TABLES = data_beside(__file__)
_ENDS = re.compile(_TABLES["ends"])
_ASKS = re.compile(_TABLES["asks"], re.IGNORECASE)
_PHRASES = [*_TABLES["phrases"]]
_PHRASE = re.compile(
    rf"\b(?=[a-z])(?:{'|'.join(f'({phrase})' for phrase in _TABLES['phrases'].values())})".replace("\n", ""),
    re.IGNORECASE,
)
"""Words that say together what one says; each is a group of its own. That a letter must stand first is seen at once."""
_OPENERS, _PUT = frozenset(shared_analyzer().stems(_TABLES["openers"])), "put"
"""Stems of which each of these phrases holds one, but for "put out", whose words have none."""
_CAPITALS = frozenset(shared_analyzer().stems(" ".join(CAPITALS)))
SAYING, _COUNTS = (frozenset(shared_analyzer().stems(_TABLES[kind])) for kind in ("saying", "counts"))


WEIGHTS = Path(__file__).with_name("support_weights.json")
"""What was learned."""


@lru_cache(maxsize=1)
def _same() -> dict[str, str]:
    """Stems by the one that they count as."""
    lines = [shared_analyzer().stems(line) for line in _TABLES["same"].split("\n")]
    return {stem: stems[0] for stems in reversed(lines) for stem in stems}


@lru_cache(maxsize=1)
def _turns() -> frozenset[str]:
    return frozenset(_same().get(stem, stem) for stem in shared_analyzer().stems(_TABLES["turns"]))


@lru_cache(maxsize=1)
def weights() -> tuple[float, ...]:
    """What each of `CLUES` counts, and the sum from which a sentence repeats an update."""
    learned = json.loads(WEIGHTS.read_bytes())
    return (*(learned["weights"][clue] for clue in CLUES), learned["bound"])


def outlet_of(source: str, url: str = "") -> str:
    """What an outlet goes by: its name, else the host of its address; "" where neither is known.

    >>> outlet_of("Meseta Press"), outlet_of("", "https://www.example.org/news/1"), outlet_of("", "")
    ('Meseta Press', 'example.org', '')
    """
    if source or not url:
        return source
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def same_claim(event: Event, text: str, other: str, leaves_out: bool = True) -> str:
    """Why a sentence does not claim what an update claims: `number`, `polarity` or `subject`; "" where it may.

    It may leave out what became of people where `leaves_out` says so.

    >>> ferry = Event(id="e", title="Ferry fire", query="ferry fire")
    >>> same_claim(ferry, "Two people missing in the ferry fire were found alive.", "Two missing in ferry fire")
    'polarity'
    """
    one, another = (_content(event, words) for words in (text, other))
    return "subject" if not shares_subject(one, another) else one.differs(another, leaves_out)


def may_repeat(event: Event, text: str, other: str) -> bool:
    """Whether a sentence that was counted as a repeat is shown as one: not with other numbers, nor denying the update.

    >>> ferry = Event(id="e", title="Ferry fire", query="ferry fire")
    >>> may_repeat(ferry, "Eleven people were hurt.", "Nine people were hurt."), may_repeat(ferry, "", "A fire.")
    (False, True)
    """
    return not _content(event, text).differs(_content(event, other), leaves_out=True)


@dataclass(slots=True)
class _Waiting:
    """An update that waits for support."""

    time: int
    place: tuple[str, int]
    own: str
    content: Content
    outlets: set[str]
    unmatched: bool = True


class _WaitingState(Struct, array_like=True):
    time: int
    place: tuple[str, int]
    own: str
    text: str
    outlets: list[str]
    unmatched: bool
    published: int | None = None


class _State(Struct, array_like=True):
    waiting: list[_WaitingState]
    recent: list[Evidence]


class ClaimReader:
    """Whether a sentence says what an update of an event said.

    Args:
        event: its query and title weigh less than other words.
        rarity: how rare a stem is in what was said of the event lately, as a logarithm.
        language: the event's own.
        skips_asides: as of a `Claim`.
    """

    def __init__(
        self,
        event: Event,
        rarity: Callable[[str], float],
        language: str = "english",
        skips_asides: bool = False,
    ) -> None:
        self._rarity, self._own_language, self._skips_asides = rarity, language, skips_asides
        self._query_text = f"{event.query} {event.title}"[:LONGEST_TEXT]
        self._queries: dict[str, frozenset[str]] = {}

    def _language(self, text: str) -> str:
        # Told by the text alone, since this is all that is kept of what was said before; "" for the query's own.
        code = "" if text.isascii() else detect(text)
        return "" if code == "en" else code

    def _stems_of(self, text: str, code: str) -> list[str]:
        stems = analyzer_of(code, self._own_language).stems(text)
        if not self._is_english(code):
            return [*stems]
        if not _OPENERS.isdisjoint(stems) or _PUT in text.lower():
            text = _PHRASE.sub(lambda match: _PHRASES[(match.lastindex or 1) - 1], text)
            stems = shared_analyzer().stems(text)
        if not _COUNTS.isdisjoint(stems):
            stems = shared_analyzer().stems(in_digits(text))
        return [*map(_same().get, stems, stems)]

    def _is_english(self, code: str) -> bool:
        return not code and self._own_language == "english"

    def _query_in(self, code: str) -> frozenset[str]:
        """The stems of the query, as those of a language."""
        query = self._queries.get(code)
        if query is None:
            query = self._queries[code] = frozenset(self._stems_of(self._query_text, code))
        return query

    def likeness(self, one: Content, other: Content) -> tuple[bool, float]:
        """Whether `other` says what the update `one` says, and how much alike they are."""
        clues = self.clues(one, other)
        *counts, bound = weights()
        same = fsum(map(mul, clues, counts)) >= bound and self.may_say(one, other)
        return same, clues[0]

    def clues(self, one: Content, other: Content) -> tuple[float, ...]:
        """The `CLUES` that `other` says what the update `one` says; nothing but the first where it is too low."""
        overlap = len(one.stems & other.stems)
        if overlap * overlap < _LEAST_OVERLAP**2 * len(one.stems) * len(other.stems):
            return (0.0,)  # a first look, which costs little
        common = one.stems & other.stems
        alike = self._alike(one, other, common)
        if alike < _HARDLY:
            return (alike,)
        mine, theirs = self._told(one), self._told(other)
        if speakers := mine.speakers | theirs.speakers:
            alike = self._alike(one, other, common, speakers)
        if alike < NEAR:
            return (alike,)
        begun = _rarity(mine.first & theirs.first)
        return (
            alike,
            begun / sqrt(mine.rarity * theirs.rarity) if begun else 0.0,
            self._weigh(mine.first & other.stems, one) / (self._weigh(mine.first, one) or 1.0),
            _in_order(one.order, other.order, common) / min(len(one.order), len(other.order)),
            float(not mine.outcome.isdisjoint(theirs.outcome)),
        )

    def _alike(
        self, one: Content, other: Content, common: frozenset[str], speakers: frozenset[str] = frozenset()
    ) -> float:
        weight_of = self._weights(one.stems | other.stems, one, speakers).__getitem__
        shared, whole = fsum(map(weight_of, common)), fsum(map(weight_of, one.stems))
        return shared / sqrt(whole * fsum(map(weight_of, other.stems)))

    def may_say(self, one: Content, other: Content) -> bool:
        """Whether `other` holds some of what the update `one` tells, and asks nothing and claims nothing else."""
        least = LEAST_OF_MAIN_BESIDE if self._told(one).is_beside else LEAST_OF_MAIN
        return (
            shares_subject(one, other)
            and self.share_in(one, other) >= least
            and not any(_ASKS.search(each.text[:LONGEST_TEXT]) for each in (one, other))
            and not one.differs(other, leaves_out=self._skips_asides)
            and (not self._skips_asides or one.is_named_in(other))
        )

    def turns(self, content: Content) -> frozenset[str]:
        """The turns of a story that it tells: an agreement, a denial, an appointment and the like."""
        return self._told(content).main & _turns()

    def share_in(self, one: Content, other: Content) -> float:
        """The share of what `one` tells, without who says so, that `other` holds, by weight."""
        main = self._told(one).main
        return self._weigh(main & other.stems, one) / (self._weigh(main, one) or 1.0)

    def _told(self, content: Content) -> Told:
        if content.told is None:
            text, code = content.first, self._language(content.text)
            is_all = text == content.text and len(content.order) < _LONGEST
            main = first = [*content.order] if is_all else self._stems_of(text, code)
            end = _ENDS.search(text)
            if end is not None and len(begun := self._stems_of(text[: end.start()], code)) >= _FEWEST_FIRST:
                first = begun
            names = self._is_english(code)
            words = frozenset(
                stem
                for stem in first
                if not (stem.isdigit() or stem in SAYING or (names and usual(stem).is_name))
            )
            said, speaks = content.text.replace(content.aside, " "), self._stems_of(content.aside, code)
            content.told = Told(
                main=frozenset(main),
                first=words,
                rarity=_rarity(words),
                outcome=content.states,
                is_beside=content.tells_beside,
                speakers=frozenset(speaks).difference(self._stems_of(said, code) if speaks else ()),
            )
        return content.told

    def _weigh(self, stems: frozenset[str], content: Content) -> float:
        return fsum(self._weights(stems, content).values())

    def _weights(
        self, stems: frozenset[str], content: Content, speakers: frozenset[str] = frozenset()
    ) -> dict[str, float]:
        rarity, own = self._rarity, content.own
        return {
            stem: (1.0 + RARITY * rarity(stem))
            * (OF_SPEAKER if stem in speakers else 1.0 if stem in own and stem not in SAYING else OF_QUERY)
            for stem in stems
        }

    def is_named(self, text: str) -> bool:
        """Whether a text holds a word by which the event is followed."""
        code = self._language(text)
        return not self._query_in(code).isdisjoint(self._stems_of(text, code))

    def content(self, text: str, published: int | None = None) -> Content:
        """What of a sentence is compared."""
        code = self._language(text)
        stems = self._stems_of(text, code)[:_LONGEST]
        if self._is_english(code) and not _CAPITALS.isdisjoint(stems):
            text = by_country(text)
            stems = self._stems_of(text, code)[:_LONGEST]
        return Content(text, stems, self._query_in(code), code, self._skips_asides, published)


class SupportCounter:
    """Counts for one event which outlets say what its updates say, within two days and without looking ahead.

    >>> event = Event(id="e", title="Ferry fire", query="ferry fire")
    >>> counter = SupportCounter(event)
    >>> first = Sentence("a", 0, "The ferry fire was put out after nine hours, port police said.", 0, "Wire")
    >>> update = Update("e", "a", 0, 0, 1.0, first.text, 0, "Wire")
    >>> counter.count([first], [update], 0)
    []
    >>> again = Sentence("b", 3, "Fire on ferry put out after nine hours, says port police", 60, "Coast Radio")
    >>> [(one.doc_id, one.evidence.source) for one in counter.count([again], [], 60)]
    [('a', 'Coast Radio')]
    """

    def __init__(self, event: Event, language: str = "english") -> None:
        self._event = event
        self.reader = ClaimReader(event, self._rarity, language, skips_asides=True)
        self._forget()

    def _rarity(self, stem: str) -> float:
        return log((2 + len(self._recent)) / (1 + self._frequency.get(stem, 0)))

    def _forget(self) -> None:
        self._waiting: dict[int, _Waiting] = {}
        self._postings: dict[str, list[int]] = {}
        self._figures: dict[tuple[str, float], list[int]] = {}
        self._next = 0
        self._recent: deque[tuple[Evidence, Content]] = deque()
        self._frequency: dict[str, int] = {}

    def count(self, sentences: Sequence[Sentence], updates: Iterable[Update], now: int) -> list[Support]:
        """What of these sentences supports earlier updates, and what was said before of those told now."""
        self._evict(now - KEEP_S)
        supports: list[Support] = []
        postings = self._postings
        for sentence in sentences:
            content = self.reader.content(sentence.text, sentence.published_time)
            own = content.own
            if not own:
                continue
            is_named = len(own) < len(content.stems)
            is_kept = is_named and len(own) >= _LEAST_SHARED
            # A count is of the event where its sentence or headline holds a word by which the event is followed. It is
            # read where it decides something: what is kept in any case is kept without.
            counted: frozenset[tuple[str, float]] = frozenset()
            if (self._figures or not is_kept) and (is_named or self.reader.is_named(sentence.title)):
                counted = content.counted
            if self._waiting:
                shared = Counter(chain.from_iterable([postings[stem] for stem in own if stem in postings]))
                waiting = self._waiting
                candidates = [number for number, count in shared.items() if count >= _LEAST_NEAR]
                for figure in self._figures.keys() & counted if self._figures else ():
                    candidates += self._figures[figure]
                if candidates:
                    for number in sorted(set(candidates)):
                        self._compare(waiting[number], sentence, content, now, supports)
            if counted or is_kept:
                self._remember(sentence, content)
        for update in updates:
            self._await(update, now, supports)
        return supports

    def _compare(
        self,
        waiting: _Waiting,
        sentence: Sentence | Evidence,
        content: Content,
        now: int,
        supports: list[Support],
    ) -> None:
        outlet = outlet_of(sentence.source, sentence.url) or sentence.doc_id
        if outlet == waiting.own or outlet in waiting.outlets or sentence.doc_id == waiting.place[0]:
            return
        if len(waiting.outlets) >= MOST_OUTLETS:
            return
        same, likeness = self.reader.likeness(waiting.content, content)
        if same and sentence.published_time < waiting.time:
            day = named_day(waiting.content.text, waiting.time)
            same = day is None or sentence.published_time >= day - MARGIN_S
        if same:
            waiting.outlets.add(outlet)
        elif not waiting.unmatched or (
            likeness < NEAR and waiting.content.counted.isdisjoint(content.counted)
        ):
            return
        waiting.unmatched = False
        evidence = _as_evidence(sentence)
        evidence = replace(evidence, text=as_written(evidence.text))
        supports.append(Support(self._event.id, now, *waiting.place, evidence, same))

    def _await(self, update: Update, now: int, supports: list[Support]) -> None:
        content = self.reader.content(update.text, update.published_time or now)
        own, counted = content.own, content.counted
        if len(own) < _LEAST_NEAR:
            return
        outlet = outlet_of(update.source, update.url) or update.doc_id
        place = (update.doc_id, update.sentence_index)
        waiting = _Waiting(now, place, outlet, content, set())
        for evidence, earlier in self._recent:
            if len(earlier.own & own) >= _LEAST_NEAR or (counted and not earlier.counted.isdisjoint(counted)):
                self._compare(waiting, evidence, earlier, now, supports)
        self._insert(waiting)

    def _insert(self, waiting: _Waiting) -> None:
        number = self._next
        self._next += 1
        self._waiting[number] = waiting
        for stem in waiting.content.own:
            self._postings.setdefault(stem, []).append(number)
        for figure in waiting.content.counted:
            self._figures.setdefault(figure, []).append(number)
        if len(self._waiting) > MOST_UPDATES:
            self._remove_oldest()

    def _remove_oldest(self) -> None:
        number = next(iter(self._waiting))
        content = self._waiting.pop(number).content
        for stem in content.own:
            _remove(self._postings, stem, number)
        for figure in content.counted:
            _remove(self._figures, figure, number)

    def _remember(self, sentence: Sentence | Evidence, content: Content) -> None:
        self._recent.append((_as_evidence(sentence), content))
        frequency = self._frequency
        for stem in content.stems:
            frequency[stem] = frequency.get(stem, 0) + 1
        if len(self._recent) > MOST_RECENT:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        _, content = self._recent.popleft()
        for stem in content.stems:
            self._frequency[stem] -= 1
            if not self._frequency[stem]:
                del self._frequency[stem]

    def _evict(self, before: int) -> None:
        while self._waiting and next(iter(self._waiting.values())).time < before:
            self._remove_oldest()
        while self._recent and self._recent[0][0].published_time < before:
            self._drop_oldest()

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        waiting = [
            _WaitingState(
                waiting.time,
                waiting.place,
                waiting.own,
                waiting.content.text,
                sorted(waiting.outlets),
                waiting.unmatched,
                waiting.content.published,
            )
            for waiting in self._waiting.values()
        ]
        return msgspec.msgpack.encode(_State(waiting, [evidence for evidence, _ in self._recent]))

    def restore(self, data: bytes) -> None:
        """Become the counter whose `state()` gave `data`."""
        state = msgspec.msgpack.decode(data, type=_State)
        self._forget()
        for evidence in state.recent:
            self._remember(evidence, self.reader.content(evidence.text, evidence.published_time))
        for one in state.waiting:
            content, outlets = self.reader.content(one.text, one.published), set(one.outlets)
            self._insert(_Waiting(one.time, one.place, one.own, content, outlets, one.unmatched))


def _content(event: Event, text: str) -> Content:
    return ClaimReader(event, lambda _: 0.0, skips_asides=True).content(text)


def shares_subject(one: Content, other: Content) -> bool:
    """Whether two sentences share more than the words by which the event is followed."""
    return len(one.own & other.own) >= _LEAST_NEAR or not one.figures.isdisjoint(other.figures)


def _rarity(stems: Iterable[str]) -> float:
    return fsum(usual(stem).rarity ** 2 for stem in stems)


def _in_order(one: Sequence[str], other: Sequence[str], common: frozenset[str]) -> int:
    """The length of their longest common subsequence; `common` are the stems of both."""
    theirs = [stem for stem in other if stem in common]
    longest = [0] * (len(theirs) + 1)
    for stem in one:
        if stem not in common:
            continue
        before = 0
        for place, their in enumerate(theirs, 1):
            kept = longest[place]
            longest[place] = before + 1 if stem == their else max(kept, longest[place - 1])
            before = kept
    return longest[-1]


def _remove(postings: dict[Any, list[int]], key: str | tuple[str, float], number: int) -> None:
    numbers = postings[key]
    numbers.remove(number)
    if not numbers:
        del postings[key]


def _as_evidence(sentence: Sentence | Evidence) -> Evidence:
    if isinstance(sentence, Evidence):
        return sentence
    return Evidence.of(sentence)


class SupportCounting(Stage, frozen=True, kw_only=True):
    """Support counted beside a system; what the system is not offered is not counted either."""

    stage: ClassVar[str] = "support"
    remembers: ClassVar[str] = "updates of the last two days, and the latest sentences"

    def start(self, event: Event, surroundings: Surroundings) -> SupportFollower:
        """A fresh counter for `event`."""
        return SupportFollower(event)


class SupportFollower(StageFollower):
    """Gives what is decided inside, then what supports the updates, emitted now or before."""

    def __init__(self, event: Event) -> None:
        self._event, self._counter = event, SupportCounter(event)

    def give(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """All of these, and what supports them."""
        updates = [output for output in outputs if isinstance(output, Update)]
        return [*outputs, *self._counter.count(sentences or (), updates, now)]

    def state(self) -> bytes:
        """What the counter remembers."""
        return self._counter.state()

    def restore(self, data: bytes) -> None:
        """Become what gave `data`."""
        self._counter = SupportCounter(self._event)
        if data:
            self._counter.restore(data)
