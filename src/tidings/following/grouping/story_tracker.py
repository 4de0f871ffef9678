"""Documents grouped into stories as they come: each joins the nearest story, or begins one.

A document is compared with at most twelve stories, found by its heaviest stems and its names, and joins the best of
them where the evidence reaches a threshold. A story that has come near to another one is merged with it and keeps
the older id; one that turns out to be two while it is still small is parted again. All is decided from what has come
so far, in the order in which it came, and a story of which nothing has come for thirty days is closed: it takes no more
documents and is forgotten with `take_closed`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain
from math import log

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tidings.core import DAY_S, Document, UsageError
from tidings.following.grouping.document_features import WEEKDAYS, DocumentFeatures, read_features, read_many
from tidings.following.grouping.evidence import (
    NAME_TERMS,
    Compared,
    Traits,
    evidence,
    join_traits,
    packed,
)
from tidings.following.grouping.parting import Member, parts_of
from tidings.following.grouping.profiles import PROFILE_TERMS, write_profile
from tidings.following.grouping.summaries import StorySummary, first_spellings, importance, state_of
from tidings.following.grouping.terms import Terms, Vocabulary
from tidings.following.grouping.titles import title_value

__all__ = ["StoryTracker", "TrackedStory"]

DOCUMENT_TERMS = 80  # the heaviest, by which a document is compared
QUIET_DAYS = 30  # without a document, after which a story is closed
# The evidence from which a document joins a story, or one document another (a wrong pair draws others after it) …
JOIN_AT, JOIN_ONE_AT = 0.0, 0.2
# … two stories are merged, are shown beside each other, and one is parted; very short texts need less.
MERGE_AT, SEE_ALSO_AT, PART_AT = -1.0, -3.0, -1.0
RIVAL_AT = -5.0  # below it a document says nothing of two stories
BRIEF, BRIEF_LESS = log(16), 1.0
RENAMED_AT, RENAMED_LATER_AT = 1.15, 0.9  # times the value of the title there is, and of one a day old
_LOOKUP_TERMS, _LOOKUP_NAMES = 14, 5
_MOST_POSTINGS = 1_500  # story numbers that are looked at for one document
_MOST_COMPARED = 12
_KEYWORDS = 8
COPY_AT = 0.8  # of the pairs of stems of both heads together, from which a document is a copy of another
_LEAST_MERGED = 3  # documents in two stories that are merged: two of one document each had their chance
_PARTED = frozenset((4, 5, 6, 8, 10, 12, 15, 18, 22, 26))  # documents at which a story is looked at for parts
_CLOSE_EVERY = 500  # documents between two looks for stories that have gone quiet
_STATE_VERSION = 6


class TrackedStory(Struct):
    """A story as the tracker holds it; `StorySummary` is what others are shown.

    `members` are its documents with what each is compared by, while it is small enough to be parted.
    """

    id: str
    number: int
    language: str
    traits: Traits
    documents: list[str] = []
    times: list[int] = []
    outlets: list[str] = []
    members: list[Member] = []
    title: str = ""
    title_terms: tuple[int, ...] = ()
    title_names: int = 0
    title_time: int = 0
    see_also: list[int] = []

    @property
    def first_time(self) -> int:
        """When its first document was published, seconds UTC."""
        return self.traits.first_time

    @property
    def last_time(self) -> int:
        """When its latest document was published, seconds UTC."""
        return self.traits.last_time


_NOTHING = Traits(Terms(), Terms(), 0.0, 0)


class _State(Struct):
    version: int
    join_at: float
    documents: int
    latest: int
    vocabulary: Vocabulary
    stories: list[TrackedStory]
    closed: list[StorySummary]
    merged: dict[int, int]
    aliases: dict[str, str]


class StoryTracker:
    """Group documents into stories as they come.

    Args:
        join_at: how much evidence (a sum of log odds) a document needs to join a story. Higher values give smaller
            stories.

    >>> tracker = StoryTracker()
    >>> text = "The ferry Aurora caught fire off Brennholm on Monday, and the coast guard took 212 people off."
    >>> tracker.push(Document(id="a", published_time=60, title="Ferry on fire off Brennholm", text=text))
    'a'
    >>> text = "A fire broke out on the ferry Aurora off Brennholm; 212 people were taken off by the coast guard."
    >>> tracker.push(Document(id="b", published_time=120, title="Fire on Brennholm ferry", text=text))
    'a'
    >>> [(story.title, story.documents) for story in tracker.stories()]
    [('Ferry on fire off Brennholm', ('a', 'b'))]
    """

    def __init__(self, *, join_at: float = JOIN_AT) -> None:
        self.join_at = join_at
        self.aliases: dict[str, str] = {}
        self._documents = 0
        self._latest = 0
        self._vocabulary = Vocabulary()
        self._stories: dict[int, TrackedStory] = {}
        self._closed: list[StorySummary] = []
        self._postings: dict[int, array[int]] = {}
        self._merged: dict[int, int] = {}
        self._of_document: dict[str, int] = {}
        self._changed: set[int] = set()
        self._gone: list[str] = []
        self._watched = ""
        self.watched: tuple[StorySummary, str] | None = None
        """The story that was watched and is closed, with its profile."""

    def watch(self, story: str) -> None:
        """Keep this story's profile when the story closes."""
        self._watched = story

    def __contains__(self, document_id: object) -> bool:
        """Whether a document of this id is in an open story."""
        return document_id in self._of_document

    def __len__(self) -> int:
        """How many documents were grouped so far, those of closed stories too."""
        return self._documents

    def push(self, document: Document) -> str:
        """Add a document to its story and return the story's id, which may later become an alias of another story's.

        A document whose id is already in an open story stays there and changes nothing.
        """
        if not isinstance(document, Document):
            raise UsageError(
                f"push takes a tidings.Document, not {type(document).__name__}; tidings.stories takes dicts too"
            )
        return self.push_features(document, read_features(document))

    @property
    def latest_time(self) -> int:
        """The time of the latest document, seconds UTC; 0 before the first."""
        return self._latest

    def push_many(self, documents: Iterable[Document]) -> Iterator[tuple[Document, str]]:
        """`push` each document in order, and yield it with its story's id. Names are found in several documents at
        once."""
        waiting: list[Document] = []

        def pass_on() -> Iterator[Document]:
            for document in documents:
                waiting.append(document)
                yield document

        for features in read_many(pass_on()):
            document = waiting.pop(0)
            yield document, self.push_features(document, features)

    def push_features(self, document: Document, features: DocumentFeatures) -> str:
        """Like `push`, for a document whose features have already been read."""
        if document.id in self._of_document:
            return self._stories[self._number_now(document.id)].id
        self._documents += 1
        self._latest = max(self._latest, document.published_time)
        if self._documents % _CLOSE_EVERY == 0:
            self._close_quiet()
        now = document.published_time
        traits = self._traits(features, now, counted=True)
        near, compared = self._candidates(traits, features.language, now), Compared(traits)
        values = compared.evidence([story.traits for story in near], RIVAL_AT)
        scored = [pair for pair in zip(values, near, strict=True) if pair[0] >= RIVAL_AT]
        scored.sort(key=lambda pair: (-pair[0], pair[1].number))
        for value, story in scored:
            alone = JOIN_ONE_AT - JOIN_AT if story.traits.documents == 1 else 0.0
            if value >= _bar(traits, story.traits, self.join_at + alone):
                joined = story
                break
        else:
            joined = TrackedStory(document.id, self._documents, features.language, _NOTHING)
            self._stories[joined.number] = joined
        self._add(joined, document, features, compared)
        if len(joined.documents) > 1:
            joined = self._consider_merging(joined, [rival for _, rival in scored if rival is not joined])
            self._consider_parting(joined)
        return self._stories[self._number_now(document.id)].id

    def evidence_for(
        self, features: DocumentFeatures, others: Iterable[tuple[Document, DocumentFeatures]]
    ) -> float:
        """The evidence (a sum of log odds) that a document belongs to the story of the others, as if all had one
        date.

        Words are weighted by their rarity in the documents grouped so far. The call itself groups nothing.
        """
        read = (self._traits(features) for _, features in others)
        return evidence(self._traits(features), reduce(join_traits, read))

    def stories(self, now: int | None = None) -> list[StorySummary]:
        """The open stories as they stand at `now` (default: the latest document's time), the most important first.

        Importance is the sum, over outlets, of the square root of the number of their documents in the last 48 hours.
        """
        at = self._latest if now is None else now
        ranked = sorted(
            (-importance(story.outlets, story.times, at), number) for number, story in self._stories.items()
        )
        return [self._shown(self._stories[number], at) for _, number in ranked]

    def profile(self, story: str) -> str:
        """The profile by which an open story is followed: its heaviest stems with their weights (the system option
        `profile`).

        Raises:
            UsageError: no open story has this id or had it before a merge.
        """
        wanted = self.aliases.get(story, story)
        found = next((held for held in self._stories.values() if held.id == wanted), None)
        if found is None:
            raise UsageError(
                f"story {story!r} is not open; `tidings stories --out FILE.jsonl` lists those that are"
            )
        return self._profile_of(found)

    def _profile_of(self, story: TrackedStory) -> str:
        weights = story.traits.words.heaviest(2 * PROFILE_TERMS)
        return write_profile({self._vocabulary.term(term): weight for term, weight in weights})

    def take_closed(self) -> list[StorySummary]:
        """Return the stories closed since the last call, the latest first, and forget them."""
        closed, self._closed = self._closed, []
        return sorted(closed, key=lambda story: (-story.last_time, story.story))

    def take_changed(self) -> list[StorySummary]:
        """The open stories that were merged or gained documents since the last call."""
        changed, self._changed = self._changed, set()
        numbers = sorted(number for number in changed if number in self._stories)
        return [self._shown(self._stories[number], self._latest) for number in numbers]

    def first_reports(self, story: str) -> list[int]:
        """When each outlet first reported an open story (seconds UTC), in order; [] if the story is not open."""
        held = next((held for held in self._stories.values() if held.id == story), None)
        firsts: dict[str, int] = {}
        for outlet, time in zip(held.outlets, held.times, strict=True) if held is not None else ():
            firsts[outlet] = min(time, firsts.get(outlet, time))
        return sorted(firsts.values())

    def take_merged(self) -> list[str]:
        """The ids that became aliases of other stories since the last call."""
        gone, self._gone = self._gone, []
        return gone

    def _number_now(self, document_id: str) -> int:
        number = self._of_document[document_id]
        return self._merged.get(number, number)

    def state(self) -> bytes:
        """The tracker's whole state."""
        state = _State(
            version=_STATE_VERSION,
            join_at=self.join_at,
            documents=self._documents,
            latest=self._latest,
            vocabulary=self._vocabulary,
            stories=list(self._stories.values()),
            closed=self._closed,
            merged=self._merged,
            aliases=self.aliases,
        )
        return msgspec.msgpack.encode(state)

    @classmethod
    def restore(cls, state: bytes) -> StoryTracker:
        """The tracker that gave a state, to go on from there."""
        try:
            held = msgspec.msgpack.decode(state, type=_State)
        except msgspec.MsgspecError as error:
            raise UsageError(f"the state of a story tracker is damaged ({error}); start over") from error
        if held.version != _STATE_VERSION:
            raise UsageError(f"the state is of another version of tidings ({held.version}); start over")
        tracker = cls(join_at=held.join_at)
        tracker._documents, tracker._latest = held.documents, held.latest
        tracker._vocabulary = held.vocabulary
        tracker._stories = {story.number: story for story in held.stories}
        for story in held.stories:
            if len(story.documents) == len(story.members) == 1:
                story.traits = story.members[0].traits  # kept once
        tracker._closed, tracker._merged, tracker.aliases = held.closed, held.merged, held.aliases
        tracker._index()
        return tracker

    def _traits(self, features: DocumentFeatures, time: int = 0, *, counted: bool = False) -> Traits:
        # What a document is compared by; `counted` counts it among those that rarity comes from.
        vocabulary = self._vocabulary
        names = {"@" + name: count for name, (count, _) in features.names.items()}
        if counted:
            for name, (_, shown) in features.names.items():
                vocabulary.show("@" + name, shown)
            for stem, word in features.title_words.items():
                vocabulary.show(stem, word)
        return Traits(
            words=vocabulary.weigh(features.words, DOCUMENT_TERMS, self._documents, counted=counted),
            names=vocabulary.weigh(names, NAME_TERMS, self._documents, counted=counted),
            stems=log(1 + len(features.words)),
            first_time=time,
            last_time=time,
            weekdays=tuple(sorted(features.weekdays)),
            month_days=tuple(sorted(features.month_days)),
            shingles=packed(features.shingles),
        )

    def _candidates(self, traits: Traits, language: str, time: int) -> list[TrackedStory]:
        lookup = traits.words.heaviest(_LOOKUP_TERMS) + traits.names.heaviest(_LOOKUP_NAMES)
        lists = sorted(
            (len(self._postings[term]), term, weight) for term, weight in lookup if term in self._postings
        )
        numbers: list[NDArray[np.int32]] = []
        read = 0
        for size, term, _ in lists:
            read += size
            if read > _MOST_POSTINGS and numbers:
                break
            numbers.append(np.frombuffer(self._postings[term], np.int32)[-_MOST_POSTINGS:])
        fitting: list[TrackedStory] = []
        for number in _heaviest_first(numbers, [weight for _, _, weight in lists]):
            story = self._stories.get(number)
            if story is None or time - story.last_time > QUIET_DAYS * DAY_S:
                continue
            if not language or not story.language or story.language == language:
                fitting.append(story)
                if len(fitting) == _MOST_COMPARED:
                    break
        return fitting

    def _add(
        self, story: TrackedStory, document: Document, features: DocumentFeatures, compared: Compared
    ) -> None:
        terms = tuple(sorted({self._vocabulary.number(stem) for stem in features.title_words}))
        member = Member(compared.traits, features.title, terms, features.title_names)
        copied = None
        if compared.shared_shingles(story.traits.shingles) >= COPY_AT:
            copied = next((held for held in story.members if compared.is_copy(held.traits, COPY_AT)), None)
        self._gather(story, document.id, document.published_time, document.source, copied or member)
        self._changed.add(story.number)

    def _gather(self, story: TrackedStory, document_id: str, time: int, outlet: str, member: Member) -> None:
        # Adds a document to a story. A copy of one that is there, which has its member, says nothing more of the story.
        before, is_copy = len(story.documents), member in story.members
        story.documents.append(document_id)
        story.times.append(time)
        story.outlets.append(outlet)
        self._of_document[document_id] = story.number
        if is_copy:
            story.traits = replace(
                story.traits,
                first_time=min(time, story.first_time),
                last_time=max(time, story.last_time),
            )
        else:
            self._become(story, join_traits(story.traits, member.traits) if before else member.traits)
        story.members = [*story.members, member] if len(story.members) == before < max(_PARTED) else []
        if not is_copy:
            self._consider_title(story, member.title, member.title_terms, member.title_names, time)

    def _become(self, story: TrackedStory, traits: Traits) -> None:
        # Gives a story other traits, and its look-up lists the terms that came and those that went.
        old, story.traits = story.traits, traits
        before, after = {*old.words.terms, *old.names.terms}, {*traits.words.terms, *traits.names.terms}
        self._post(story.number, after - before, before - after)

    def _consider_title(
        self, story: TrackedStory, title: str, terms: tuple[int, ...], names: int, time: int
    ) -> None:
        # The title that says most of what the story's documents share; another one must be clearly better, unless
        # the one there is has grown old.
        words = story.traits.words
        at = RENAMED_AT if time - story.title_time < DAY_S else RENAMED_LATER_AT
        if not story.title or title_value(title, terms, names, words) > at * title_value(
            story.title, story.title_terms, story.title_names, words
        ):
            story.title, story.title_terms, story.title_names = title, terms, names
            story.title_time = time

    def _consider_merging(self, story: TrackedStory, rivals: Sequence[TrackedStory]) -> TrackedStory:
        rivals = [
            rival
            for rival in rivals
            if rival is not story
            and rival.number in self._stories
            and story.traits.documents + rival.traits.documents >= _LEAST_MERGED
        ]
        if not rivals:
            return story
        values = Compared(story.traits).evidence([rival.traits for rival in rivals], SEE_ALSO_AT)
        for rival, value in zip(rivals, values, strict=True):
            if value >= _bar(story.traits, rival.traits, MERGE_AT):
                older, younger = sorted((story, rival), key=lambda either: either.number)
                self._merge(older, younger)
                return self._consider_merging(older, rivals)
            if value >= SEE_ALSO_AT:
                for near, other in ((story, rival), (rival, story)):
                    if other.number not in near.see_also:
                        near.see_also.append(other.number)
        return story

    def _merge(self, older: TrackedStory, younger: TrackedStory) -> None:
        traits, members = join_traits(older.traits, younger.traits), [*older.members, *younger.members]
        self._become(younger, _NOTHING)
        self._become(older, traits)
        if younger.title_time >= older.title_time + DAY_S:
            self._consider_title(
                older, younger.title, younger.title_terms, younger.title_names, younger.title_time
            )
        older.documents += younger.documents
        older.times += younger.times
        older.outlets += younger.outlets
        older.members = members if len(members) == len(older.documents) <= max(_PARTED) else []
        older.see_also += [number for number in younger.see_also if number not in older.see_also]
        del self._stories[younger.number]
        for number, into in self._merged.items():
            if into == younger.number:
                self._merged[number] = older.number
        self._merged[younger.number] = older.number
        for story_id, into_id in self.aliases.items():
            if into_id == younger.id:
                self.aliases[story_id] = older.id
        self.aliases[younger.id] = older.id
        self._gone.append(younger.id)
        self._changed.add(older.number)

    def _consider_parting(self, story: TrackedStory) -> None:
        documents, members = story.documents, story.members
        if len(members) < min(_PARTED) or len(members) != len(documents) or story.traits.mean_stems < BRIEF:
            return
        distinct: list[Member] = []
        places: list[list[int]] = []
        for place, member in enumerate(members):
            if member not in distinct:
                distinct.append(member)
                places.append([])
            places[distinct.index(member)].append(place)
        found = parts_of(distinct, PART_AT) if len(distinct) in _PARTED else None
        if found is None:
            return
        parts = [sorted(chain.from_iterable(places[number] for number in part)) for part in found]
        times, outlets = story.times, story.outlets
        self._become(story, _NOTHING)
        story.documents, story.times, story.outlets, story.members, story.title = [], [], [], [], ""
        other = TrackedStory(documents[parts[1][0]], self._documents, story.language, _NOTHING)
        self._stories[other.number] = other
        for into, part in zip((story, other), parts, strict=True):
            for place in part:
                self._gather(into, documents[place], times[place], outlets[place], members[place])
            self._changed.add(into.number)
        story.see_also.append(other.number)
        other.see_also.append(story.number)
        self.aliases.pop(other.id, None)
        self.aliases |= dict.fromkeys(self.aliases.keys() & set(other.documents), other.id)

    def _post(self, number: int, entered: Iterable[int], left: Iterable[int] = ()) -> None:
        # Lists hold exactly the stories that have a term, in order: they are the same however they came about.
        for term in entered:
            numbers = self._postings.get(term)
            if numbers is None:
                numbers = self._postings[term] = array("i")
            insort(numbers, number)
        for term in left:
            numbers = self._postings[term]
            del numbers[bisect_left(numbers, number)]
            if not numbers:
                del self._postings[term]

    def _close_quiet(self) -> None:
        before = self._latest - QUIET_DAYS * DAY_S
        quiet = [story for story in self._stories.values() if story.last_time < before]
        if not quiet:
            return
        closed = {story.id for story in quiet}
        watched = self.aliases.get(self._watched, self._watched)
        if watched in closed:
            story = next(story for story in quiet if story.id == watched)
            self.watched = self._shown(story, self._latest), self._profile_of(story)
        self._closed += [self._shown(story, self._latest) for story in quiet]
        for story in quiet:
            del self._stories[story.number]
        self._merged = {number: into for number, into in self._merged.items() if into in self._stories}
        self.aliases = {name: into for name, into in self.aliases.items() if into not in closed}
        self._forget()
        self._index()

    def _forget(self) -> None:
        # What no open story holds and few documents held.
        renumbered = self._vocabulary.forget(
            term for story in self._stories.values() for term in _terms_of(story)
        )
        if renumbered:
            for story in self._stories.values():
                kept = story.traits, *(member.traits for member in story.members)
                for traits in {id(traits): traits for traits in kept}.values():
                    traits.words.renumber(renumbered)
                    traits.names.renumber(renumbered)
                story.title_terms = tuple(renumbered[term] for term in story.title_terms)
                for member in story.members:
                    member.title_terms = tuple(renumbered[term] for term in member.title_terms)

    def _index(self) -> None:
        # Look-up lists of the open stories alone.
        self._postings, self._of_document = {}, {}
        for story in self._stories.values():
            self._of_document.update(dict.fromkeys(story.documents, story.number))
            self._post(story.number, {*story.traits.words.terms, *story.traits.names.terms})

    def _shown(self, story: TrackedStory, now: int) -> StorySummary:
        show = self._vocabulary.shown
        heaviest = [term for term, _ in story.traits.words.heaviest(3 * _KEYWORDS)]
        # A stem that stood in no title has no spelling for people.
        spelled = [show(term) for term in heaviest if term in self._vocabulary.shown_as]
        words = [word.removesuffix("’s").removesuffix("'s") for word in spelled or map(show, heaviest)]
        named = {self._merged.get(number, number) for number in story.see_also} - {story.number}
        return StorySummary(
            story=story.id,
            title=story.title,
            keywords=tuple(first_spellings(word for word in words if _tells(word)))[:_KEYWORDS],
            names=tuple(show(term) for term, _ in story.traits.names.heaviest(5)),
            documents=tuple(story.documents),
            outlets=tuple(dict.fromkeys(story.outlets)),
            first_time=story.first_time,
            last_time=story.last_time,
            state=state_of(story.times, now),
            see_also=tuple(self._stories[number].id for number in sorted(named) if number in self._stories),
            language=story.language,
        )


def _tells(word: str) -> bool:
    """Whether a word says what a story is about, and not when or how many: no day, and no bare number."""
    return len(word) > 1 and not word.isdigit() and word.lower() not in WEEKDAYS


def _heaviest_first(lists: Sequence[NDArray[np.int32]], weights: Sequence[float]) -> Iterator[int]:
    # The numbers in lists by the sum of their lists' weights, of equal ones the lower first.
    if not lists:
        return
    each = np.repeat(weights[: len(lists)], [len(numbers) for numbers in lists])
    numbers = np.concatenate(lists)
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    is_first = np.concatenate(([True], numbers[1:] != numbers[:-1]))
    numbers, sums = numbers[is_first], np.bincount(np.cumsum(is_first) - 1, each[order])
    asked = min(2 * _MOST_COMPARED, len(sums))  # few are, so that all are seldom sorted
    least = np.partition(sums, -asked)[-asked]
    for chosen in (sums >= least, sums < least):
        among = numbers[chosen]
        yield from among[np.argsort(-sums[chosen], kind="stable")].tolist()


def _bar(traits: Traits, others: Traits, at: float) -> float:
    # The evidence that is asked of two groups: less of two that hold very few words.
    return at - BRIEF_LESS if max(traits.mean_stems, others.mean_stems) < BRIEF else at


def _terms_of(story: TrackedStory) -> Iterator[int]:
    yield from story.title_terms
    for traits in (story.traits, *(member.traits for member in story.members)):
        yield from traits.words.terms
        yield from traits.names.terms
    for member in story.members:
        yield from member.title_terms
