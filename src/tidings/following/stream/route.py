"""Which events the sentences of a document go to, and in which languages those are.

A sentence that holds `need` >= 2 stems of an event holds a pair of those that are left when any `need` - 2 are put
aside; the commonest are. Each pair stands by its rarer stem, so that a sentence costs one look at each of its stems
that some event asks for, and a meeting of two sets: its stems, and the partners of that one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from tidings.core import (
    LEARNED_NEED,
    Document,
    Event,
    Interest,
    Sentence,
    bare_event_id,
    is_spelling,
    shared_analyzer,
    sound_of,
)

if TYPE_CHECKING:
    from tidings.core import Analyzer


_MOST_PAIRED = 64  # stems of a query whose pairs are looked up; longer queries are asked one by one
_MOST_FORMS = 1 << 16  # words whose other spellings are remembered


class InterestIndex:
    """Interests by number; `matches` gives the numbers of those that a text meets, each with the places of these texts.

    >>> index = InterestIndex({
    ...     7: Interest(stems=frozenset({"ferri", "fire", "port"}), need=2),
    ...     9: Interest(stems=frozenset({"storm"})),
    ... })
    >>> texts = ["A storm.", "Fires on the ferry in the storm"]
    >>> index.matches(texts) == {7: [1], 9: [0, 1]}, index.matches(["A port."])
    (True, {})
    """

    def __init__(self, interests: Mapping[int, Interest]) -> None:
        by_language: dict[str, dict[int, Interest]] = {}
        for number, interest in interests.items():
            by_language.setdefault(interest.language, {})[number] = interest
        self._indices = [_OneLanguage(language, own) for language, own in by_language.items()]

    @property
    def pairs(self) -> int:
        """How many pairs of stems the index holds."""
        return sum(len(others) for index in self._indices for others in index.partners.values())

    def matches(self, texts: Iterable[str]) -> dict[int, list[int]]:
        """The interests of which one of these texts holds enough, and which of the texts do."""
        places: dict[int, list[int]] = {}
        texts = list(texts)
        for index in self._indices:
            index.add_matches(texts, places)
        return places

    def places(self, number: int, texts: Sequence[str]) -> list[int]:
        """Which of these texts hold enough for this one interest."""
        own = next(index for index in self._indices if number in index.interests)
        return own.places(number, texts)


class _OneLanguage:
    """The interests whose stems one stemmer made."""

    def __init__(self, language: str, interests: dict[int, Interest]) -> None:
        self.interests = interests
        self._analyzer: Analyzer = shared_analyzer(language)
        asked = Counter(stem for interest in interests.values() for stem in interest.stems)
        self._forms: dict[str, set[str]] = {}
        self._sounds: dict[str, set[str]] = {}
        self._known_forms: dict[str, tuple[str, ...]] = {}
        self._no_forms: set[str] = set()
        for interest in interests.values():
            for form, stem in interest.forms:
                self._forms.setdefault(form, set()).add(stem)
            for name in interest.names:
                self._sounds.setdefault(sound_of(name), set()).add(name)
        self._alone: dict[str, list[int]] = {}
        self.partners: dict[str, dict[str, list[int]]] = {}
        self._long: list[int] = []
        for number, interest in interests.items():
            self._add(number, interest, asked)
        self._stems = frozenset(self._alone) | frozenset(
            stem for first, partners in self.partners.items() for stem in (first, *partners)
        )

    def _add(self, number: int, interest: Interest, asked: Mapping[str, int]) -> None:
        enough = interest.stems if interest.need <= 1 else interest.stems & interest.alone
        for stem in enough:
            self._alone.setdefault(stem, []).append(number)
        if interest.need <= 1 or interest.need > len(interest.stems):
            return
        rarest = sorted(interest.stems, key=lambda stem: (asked[stem], stem))
        paired = rarest[: len(rarest) - interest.need + 2]
        if len(paired) > _MOST_PAIRED:
            self._long.append(number)
            return
        for first, second in combinations(paired, 2):
            # A pair with a stem that is enough by itself says nothing more.
            if first not in interest.alone and second not in interest.alone:
                self.partners.setdefault(first, {}).setdefault(second, []).append(number)

    def add_matches(self, texts: Iterable[str], places: dict[int, list[int]]) -> None:
        stems_of, asked = self._analyzer.stems, self._stems
        alone, partners, long = self._alone, self.partners, self._long
        has_forms = bool(self._forms or self._sounds)
        for place, text in enumerate(texts):
            stems = stems_of(text)
            numbers = {number for number in long if self._holds(number, stems)} if long else set()
            meant = self._with_forms(stems) if has_forms else stems
            own = asked.intersection(meant)
            if not own and not numbers:
                continue
            for stem in own:
                if stem in alone:
                    numbers.update(alone[stem])
                others = partners.get(stem)
                if others is not None:
                    for other in others.keys() & own:
                        self._add_pair(others[other], stems, numbers)
            if meant is not stems:
                # A form may be one of another interest.
                numbers = {number for number in numbers if self._holds(number, stems)}
            for number in numbers:
                earlier = places.get(number)
                if earlier is None:
                    places[number] = [place]
                else:
                    earlier.append(place)

    def _with_forms(self, stems: Sequence[str]) -> Sequence[str]:
        # The stems, and those of the interests of which they are forms.
        known = self._known_forms
        others: list[str] = []
        for stem in set(stems) - self._no_forms:
            meant = known.get(stem)
            if meant is None:
                names = self._sounds.get(sound_of(stem), ()) if self._sounds else ()
                meant = (
                    *sorted(self._forms.get(stem, ())),
                    *sorted(n for n in names if is_spelling(n, stem)),
                )
                if len(known) >= _MOST_FORMS:
                    known.clear()
                    self._no_forms.clear()
                known[stem] = meant
                if not meant:
                    self._no_forms.add(stem)
            others += meant
        return [*stems, *others] if others else stems

    def _add_pair(self, found: Sequence[int], stems: Sequence[str], numbers: set[int]) -> None:
        interests = self.interests
        for number in found:
            if number not in numbers and (interests[number].need == 2 or self._holds(number, stems)):
                numbers.add(number)

    def places(self, number: int, texts: Iterable[str]) -> list[int]:
        stems_of = self._analyzer.stems
        return [place for place, text in enumerate(texts) if self._holds(number, stems_of(text))]

    def _holds(self, number: int, stems: Sequence[str]) -> bool:
        return self.interests[number].met_by(stems)


_MOST_REMEMBERED = 4096  # sets of event ids of pools
_INDEX = attrgetter("index")
_TEXT = attrgetter("text")
_SLOT = itemgetter(0)
_EARLIEST, _LATEST = -(1 << 62), 1 << 62

Routed = list[tuple[int, Sequence[Sentence]]]
InterestIn = Callable[[Event, str], Interest | None]


class Router:
    """Sends sentences to the events in whose period they were published and that they interest.

    An event wants what was published from start_time to end_time, both included. A sentence that was pooled
    for certain events goes to those only, unless `mixed`. The ids of events may be written with
    or without the year's prefix: a sentence pooled for `TS14.11` goes to event `11`.

    `interests` holds, by an event's number, what interests it; an event that is not there wants everything. A document
    interests an event if one of the sentences that are offered to the event does; then it gets all of those, or where
    the event does not ask for `whole` documents, those that do. One that `learns` also gets whole documents with words
    that its follower has learned (`learn`) or, where it `learns_elsewhere`, all of them. `interest_in` says what does
    among documents of one language; events that read certain languages get documents in these only, and those whose
    language nobody knows.

    >>> fire = Event(id="11", title="Fire", query="fire", start_time=100, end_time=200)
    >>> router = Router([fire], {0: Interest(stems=frozenset({"fire"}))})
    >>> sentence = Sentence("d", 0, "Fire in the port.", 150, events=("TS14.11",))
    >>> [slot for slot, _ in router.route(150, [sentence])]
    [0]
    >>> router.route(201, [sentence]), router.route(150, [Sentence("d", 0, "The weather.", 150)])
    ([], [])
    """

    def __init__(
        self,
        events: Sequence[Event],
        interests: Mapping[int, Interest] | None = None,
        *,
        mixed: bool = False,
        interest_in: InterestIn | None = None,
        learns_elsewhere: bool = False,
    ) -> None:
        self._events = tuple(events)
        self._learns_elsewhere = learns_elsewhere
        self._interest_in = interest_in
        self._own = _Demand(dict(interests or {}))
        self._by_language = {"": self._own}
        self.has_languages = any(event.languages for event in self._events)
        self._refusing: dict[str, frozenset[int]] = {}
        self._mixed = mixed
        self._periods = _Periods(self._events)
        self._by_id: dict[str, list[int]] = {}
        for slot, event in enumerate(self._events):
            self._by_id.setdefault(bare_event_id(event.id), []).append(slot)
        self._slots_by_ids: dict[tuple[str, ...], frozenset[int]] = {}

    @property
    def learning(self) -> tuple[int, ...]:
        """The numbers of the events whose followers learn words."""
        return self._own.learning

    def learn(self, slot: int, words: frozenset[str]) -> None:
        """From now on offer an event whole documents that hold three of these words too."""
        self._own.learn(slot, words)

    def wants(self, document: Document) -> bool:
        """Whether any event is in its period at the document's time."""
        self._periods.move(document.published_time)
        return bool(self._periods.active)

    def route(self, time: int, sentences: Sequence[Sentence]) -> Routed:
        """(number of the event, its sentences) for a document of this time, in the order of the events.

        The sentences of each are in the order of their index.
        """
        self._periods.move(time)
        if not self._periods.active or not sentences:
            return []
        if not self.has_languages:
            return self._route(time, sentences)
        refusing = self._find_refusing(sentences[0].language)
        routed = self._route(time, sentences)
        return [part for part in routed if part[0] not in refusing] if refusing else routed

    def reads(self, language: str) -> bool:
        """Whether any event that is in its period reads documents of this language."""
        return not self._periods.active <= self._find_refusing(language)

    def _find_refusing(self, language: str) -> frozenset[int]:
        slots = self._refusing.get(language)
        if slots is None:
            slots = frozenset(slot for slot, event in enumerate(self._events) if not event.reads(language))
            self._refusing[language] = slots
        return slots

    def _demand(self, language: str) -> _Demand:
        """What interests the events among documents of a language."""
        demand = self._by_language.get(language)
        if demand is None:
            demand = self._by_language[language] = self._demand_in(language)
        return demand

    def _demand_in(self, language: str) -> _Demand:
        own, interest_in, events = self._own, self._interest_in, self._events
        first = next(iter(own.interests), None)
        # The first says whether it is the system's own language: then all of them are the same as without one.
        if interest_in is None or (
            first is not None and interest_in(events[first], language) == own.interests[first]
        ):
            return own
        numbered = ((slot, interest_in(event, language)) for slot, event in enumerate(events))
        return _Demand({slot: interest for slot, interest in numbered if interest is not None})

    def _route(self, time: int, sentences: Sequence[Sentence]) -> Routed:
        pooled_for, alike, last = sentences[0].events, True, -1
        for sentence in sentences:
            if sentence.events != pooled_for:
                alike = False
            if sentence.index < last:
                return self._route(time, sorted(sentences, key=_INDEX))
            last = sentence.index
        if self._mixed or (alike and pooled_for is None):
            return self._route_interested(sentences)
        if alike and pooled_for is not None:
            active = self._periods.active
            slots = sorted(slot for slot in self._slots(pooled_for) if slot in active)
            return [(slot, own) for slot in slots if (own := self._of_interest(slot, sentences))]
        return self._route_each(sentences)

    def _route_interested(self, sentences: Sequence[Sentence]) -> Routed:
        """For all events in their period, in their order, what they get of sentences that are offered to them all."""
        periods, demand = self._periods, self._demand(sentences[0].language).among(sentences)
        if demand.undemanding_of != periods.version:
            demand.undemanding = tuple(sorted(periods.active.difference(demand.interests)))
            demand.undemanding_of = periods.version
        routed: Routed = [(slot, sentences) for slot in demand.undemanding]
        if not demand.interests:
            return routed
        matches = demand.index.matches(map(_TEXT, sentences))
        if (demand.has_learned or self._learns_elsewhere) and sentences[0].events is None:
            everything = list(range(len(sentences)))
            learned = demand.learning if self._learns_elsewhere else demand.by_learned(sentences)
            matches |= {slot: everything for slot in learned if slot not in matches}
        if matches:
            active = periods.active
            routed += [
                (slot, demand.part(slot, places, sentences))
                for slot, places in matches.items()
                if slot in active
            ]
            routed.sort(key=_SLOT)
        return routed

    def _of_interest(self, slot: int, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        """What an event gets of sentences that are offered to it."""
        demand = self._demand(sentences[0].language).among(sentences)
        if slot not in demand.interests:
            return sentences
        places = demand.index.places(slot, [sentence.text for sentence in sentences])
        return demand.part(slot, places, sentences) if places else ()

    def _route_each(self, sentences: Sequence[Sentence]) -> Routed:
        # Some are offered to all, some to certain events: what an event is offered must hold what interests it.
        active = self._periods.active
        open_to_all = [sentence for sentence in sentences if sentence.events is None]
        slots = {slot for slot, _ in self._route_interested(open_to_all)} if open_to_all else set()
        for sentence in sentences:
            if sentence.events is not None:
                slots |= active & self._slots(sentence.events)
        routed: Routed = []
        for slot in sorted(slots):
            offered = [
                sentence
                for sentence in sentences
                if sentence.events is None or slot in self._slots(sentence.events)
            ]
            own = self._of_interest(slot, offered)
            if own:
                routed.append((slot, own))
        return routed

    def _slots(self, pooled_for: tuple[str, ...]) -> frozenset[int]:
        slots = self._slots_by_ids.get(pooled_for)
        if slots is None:
            slots = frozenset(
                slot
                for event_id in pooled_for
                for slot in self._by_id.get(bare_event_id(event_id), ())
                if _same(self._events[slot].id, event_id)
            )
            if len(self._slots_by_ids) >= _MOST_REMEMBERED:
                self._slots_by_ids.clear()
            self._slots_by_ids[pooled_for] = slots
        return slots


class _Demand:
    """What interests the events, by their numbers, among documents of one language."""

    def __init__(self, interests: Mapping[int, Interest]) -> None:
        self.interests = interests
        self.index = InterestIndex(interests)
        self._pooled: _Demand | None = None
        self.learning = tuple(slot for slot, interest in interests.items() if interest.learns)
        self._words: dict[int, frozenset[str]] = {}
        self._by_word: dict[str, dict[int, None]] = {}
        # Those that want everything, and the version of the periods that they were found for.
        self.undemanding: tuple[int, ...] = ()
        self.undemanding_of = -1

    @property
    def has_learned(self) -> bool:
        """Whether any follower has learned words."""
        return bool(self._by_word)

    def learn(self, slot: int, words: frozenset[str]) -> None:
        """Look for other words of an event from now on."""
        old = self._words.get(slot, frozenset())
        if words == old:
            return
        self._words[slot] = words
        for word in old - words:
            del self._by_word[word][slot]
            if not self._by_word[word]:
                del self._by_word[word]
        for word in words - old:
            self._by_word.setdefault(word, {})[slot] = None

    def by_learned(self, sentences: Sequence[Sentence]) -> list[int]:
        """The events of whose learned words a document holds enough."""
        stems_of = shared_analyzer("english").stems
        stems = frozenset().union(*(stems_of(sentence.text) for sentence in sentences))
        counts = Counter(slot for word in self._by_word.keys() & stems for slot in self._by_word[word])
        return sorted(slot for slot, count in counts.items() if count >= LEARNED_NEED)

    def among(self, sentences: Sequence[Sentence]) -> _Demand:
        """What interests them in these sentences, which a track may have pooled."""
        if sentences[0].events is None:
            return self
        if self._pooled is None:
            interests = {slot: interest.pooled or interest for slot, interest in self.interests.items()}
            self._pooled = _Demand(interests) if interests != self.interests else self
        return self._pooled

    def part(self, slot: int, places: Sequence[int], sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        """What an event gets of sentences of which those at `places` interest it."""
        if self.interests[slot].whole or len(places) == len(sentences):
            return sentences
        return [sentences[place] for place in places]


class _Periods:
    """The events that are in their period at the stream's time, kept up as that moves on.

    `version` is another whenever `active` may be another.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        numbered = list(enumerate(events))
        self._starts = sorted((_or(event.start_time, _EARLIEST), slot) for slot, event in numbered)
        # From this moment on an event is over.
        self._ends = sorted((_or(event.end_time, _LATEST - 1) + 1, slot) for slot, event in numbered)
        self._events = events
        self.version = 0
        self.active: set[int] = set()
        self._started = self._ended = 0
        # An empty time: the first move goes on from here.
        self._from = self._until = _EARLIEST

    def move(self, time: int) -> None:
        """Make `active` what it is at `time`."""
        if self._from <= time < self._until:
            return
        if time < self._from:
            self.active.clear()
            self._started = self._ended = 0
        starts, ends, active = self._starts, self._ends, self.active
        while self._started < len(starts) and starts[self._started][0] <= time:
            slot = starts[self._started][1]
            self._started += 1
            # One that is over by now never comes in.
            if self._events[slot].covers(time):
                active.add(slot)
        while self._ended < len(ends) and ends[self._ended][0] <= time:
            active.discard(ends[self._ended][1])
            self._ended += 1
        self._from = time
        self._until = min(
            starts[self._started][0] if self._started < len(starts) else _LATEST,
            ends[self._ended][0] if self._ended < len(ends) else _LATEST,
        )
        self.version += 1


def _or(time: int | None, otherwise: int) -> int:
    return otherwise if time is None else time


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    bare = bare_event_id(one)
    return bare == bare_event_id(other) and bare in (one, other)


class DocumentReader:
    """Cuts documents into sentences, says their language where nobody has, and counts both.

    Args:
        router: which languages are read by the events in their period.
        languages: documents by language ("": not known), kept up here.
        unread: those of them in none of the languages of these events.
    """

    def __init__(self, router: Router, languages: dict[str, int], unread: dict[str, int]) -> None:
        self._router, self._languages, self._unread = router, languages, unread

    def read(self, document: Document) -> tuple[Sentence, ...]:
        """The sentences of a document for which some event is in its period."""
        sentences = document.sentences
        if sentences:
            if not sentences[0].language and sentences[0].events is None:
                from tidings.core import in_their_language

                sentences = in_their_language(sentences)
        elif document.text or document.title:
            from tidings.core import cut

            sentences = cut(document).sentences
        if not sentences:
            return ()
        language, counts = sentences[0].language, self._languages
        counts[language] = counts.get(language, 0) + 1
        if self._router.has_languages and not self._router.reads(language):
            self._unread[language] = self._unread.get(language, 0) + 1
        return sentences
