"""The ledger of an event: what was offered and not emitted, and why; and how complete that leaves its updates.

Whoever leaves a sentence out says why: `surroundings.reasons` takes the word of the marks, the news, the story and the
system. Of the rest the ledger says what holds first: its document holds less than half of the words of query and of
title, so that it is about another event; it came a day late, an update says it, it does not stand alone; else it is
background. Counts are kept by hour and reason, and the latest sentences of each reason.

Developments that the updates lack are estimated by what outlets agree on: left-out sentences that no update covers, and
that are unlike those that repeat one, are put together where they share half of their content and, of named outlets,
claim the same (`support`); a group of two outlets (where none are named, of six documents) is a development that was
missed.

    completeness = updates / (updates + such groups that no update covers)

A sentence that a reader wants is emitted with the next decision on the event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import groupby
from math import sqrt
from operator import attrgetter
from typing import ClassVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Event, Output, ReaderMark, Sentence, Update, shared_analyzer
from tidings.following.digests.story import is_readable
from tidings.following.systems.stages import Stage, StageFollower, Surroundings
from tidings.following.systems.support import ClaimReader, outlet_of

LEFT_OUT_REASONS = {
    "repeats": "repeats",
    "background": "background",
    "off-topic": "about another event",
    "pace": "more than you asked for",
    "unclear": "unclear alone",
    "late": "a day late or more",
    "marked": "like what readers marked",
}
"""Why a sentence is left out, each in words."""

LATE_S = 86_400
"""Seconds after its publication from which a sentence is late."""

SAME = 0.5
"""Cosine of the content of two sentences from which they tell the same development."""

OUTLETS = 2
"""Outlets that make a group of left-out sentences a development."""

DOCUMENTS = 6
"""Documents that do where no outlets are named: crawls have a page many times."""

_KEPT = {"repeats": 40, "background": 40, "pace": 40}
_KEPT_OF_OTHERS = 15  # sentences kept of each reason that has no number of its own
_MOST_HOURS = 24 * 31  # a month
_MOST_UPDATES = 60  # the latest, to which what is left out is compared
_MOST_GROUPS = 120  # beyond that, one of the older half goes
_LONGEST_OF_GROUP = 160
_MOST_OUTLETS = 5  # named with a group
_MOST_STEMS = 40
_FEWEST_SHARED = 3  # stems; fewer say too little to compare
_LONGEST = 240
_LONGEST_URL = 500  # characters; ids of documents may be addresses
_DEVELOPMENTS = frozenset({"background", "pace", "unclear"})


class LeftOut(Struct, frozen=True, array_like=True):
    """A sentence that was not emitted: where it stands, why (of `LEFT_OUT_REASONS`), and the update that it repeats."""

    doc_id: str
    sentence_index: int
    published_time: int
    reason: str
    text: str
    source: str = ""
    url: str = ""
    title: str = ""
    of: str = ""

    @property
    def id(self) -> str:
        """What it would be called as an update."""
        return f"{self.doc_id}-{self.sentence_index}"


class Group(Struct, array_like=True):
    """Left-out sentences of one development: the first one's text, the outlets, and how many sentences name none."""

    text: str
    outlets: list[str] = []
    documents: int = 0

    @property
    def is_development(self) -> bool:
        """Whether enough say so."""
        return self.is_of_outlets or self.documents >= DOCUMENTS

    @property
    def is_of_outlets(self) -> bool:
        """Whether several outlets say so."""
        return len(self.outlets) >= OUTLETS

    def note(self, outlet: str) -> None:
        """Count one that says so."""
        if not outlet:
            self.documents += 1
        elif outlet not in self.outlets and len(self.outlets) < _MOST_OUTLETS:
            self.outlets.append(outlet)


class Ledger(Struct, array_like=True):
    """What was left out of an event: counts by hour (since 1970, UTC) and reason, and the latest sentences.

    `updates` counts what was emitted, `missed` the developments of several outlets that are no longer waited for;
    `groups` are those that an update may still cover, `wanted` what readers want and the next decision gives.
    """

    hours: dict[int, dict[str, int]] = {}
    sentences: list[LeftOut] = []
    latest: list[tuple[str, str]] = []
    groups: list[Group] = []
    wanted: list[LeftOut] = []
    updates: int = 0
    missed: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences were left out for each reason, in the order of `LEFT_OUT_REASONS`."""
        total: Counter[str] = Counter()
        for counts in self.hours.values():
            total.update(counts)
        return {reason: total[reason] for reason in LEFT_OUT_REASONS if total[reason]}

    @property
    def own(self) -> int:
        """How many sentences of the event's own documents were left out."""
        return sum(count for reason, count in self.counts.items() if reason != "off-topic")

    @property
    def developments(self) -> list[Group]:
        """The groups of several outlets that no update covers, the latest last."""
        return [group for group in self.groups if group.is_development]

    @property
    def completeness(self) -> float | None:
        """The share of developments that updates cover, as outlets let one guess; None where nothing is known.

        >>> Ledger(updates=3, groups=[Group("A dam burst.", ["Wire", "Post"]), Group("A plan.", ["Wire"])]).completeness
        0.75
        """
        whole = self.updates + self.missed + len(self.developments)
        return self.updates / whole if whole else None


def read_ledger(memory: bytes) -> Ledger:
    """The ledger in what its stage remembers; an empty one of b""."""
    return msgspec.msgpack.decode(memory, type=Ledger) if memory else Ledger()


class LedgerKeeping(Stage, frozen=True, kw_only=True):
    """A ledger of what is left out, kept beside any system."""

    stage: ClassVar[str] = "ledger"
    remembers: ClassVar[str] = "counts by hour of what was left out and why, and the latest of it"

    def start(self, event: Event, surroundings: Surroundings) -> LedgerFollower:
        """An empty ledger of `event`; who leaves something out from here on says why."""
        surroundings.reasons = {}
        return LedgerFollower(event, surroundings.reasons)


class LedgerFollower(StageFollower):
    """Gives what is decided inside and what readers wanted, and notes the rest.

    >>> follower = LedgerFollower(Event(id="e", title="", query="ferry fire"), {})
    >>> said = [Sentence("d1", n, text, 60) for n, text in enumerate(("The ferry is on fire.", "It is large."))]
    >>> outputs = follower.give([Update("e", "d1", 0, 60, text=said[0].text)], said, 60)
    >>> [(one.text, one.reason) for one in follower.ledger.sentences], follower.ledger.counts
    ([('It is large.', 'unclear')], {'unclear': 1})
    >>> follower.mark(ReaderMark(update_id="d1-1", text="It is large.", mark="wanted"))
    >>> [update.text for update in follower.give([], [], 90)]
    ['It is large.']
    """

    def __init__(self, event: Event, reasons: dict[tuple[str, int], str]) -> None:
        self._event, self._reasons = event, reasons
        asked = (frozenset(shared_analyzer().stems(text)) for text in (event.query, event.title))
        self._asked = [stems for stems in asked if stems]
        self._query = frozenset(shared_analyzer().stems(f"{event.query} {event.title}"))
        self._claims = ClaimReader(event, lambda _: 0.0, skips_asides=True)
        self.restore(b"")

    @property
    def ledger(self) -> Ledger:
        """What it has noted."""
        return self._ledger

    def mark(self, mark: ReaderMark) -> None:
        """Emit a sentence with the next decision, as a reader wants; or no longer, where that is withdrawn."""
        if mark.mark != "wanted":
            return
        ledger = self._ledger
        ledger.wanted = [sentence for sentence in ledger.wanted if sentence.id != mark.update_id]
        if not mark.withdrawn:
            ledger.wanted += [sentence for sentence in ledger.sentences if sentence.id == mark.update_id]

    def give(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """All of these, and what readers wanted; what else was received is noted."""
        ledger = self._ledger
        updates = [output for output in outputs if isinstance(output, Update)]
        if ledger.wanted:
            wanted = [self._update(sentence, now) for sentence in ledger.wanted]
            ids = {update.id for update in updates}
            updates += (wanted := [update for update in wanted if update.id not in ids])
            outputs = [*outputs, *wanted]
            ledger.wanted = []
            ids = {update.id for update in wanted}
            ledger.sentences = [sentence for sentence in ledger.sentences if sentence.id not in ids]
        for update in updates:
            self._cover(update)
        emitted = {(update.doc_id, update.sentence_index) for update in updates}
        own = {update.doc_id for update in updates}
        for doc_id, group in groupby(sentences or (), key=attrgetter("doc_id")):
            document = list(group)
            left = [sentence for sentence in document if (doc_id, sentence.index) not in emitted]
            # A system that says why it left each of them out need not be asked what the document is about.
            is_own = doc_id in own or all((doc_id, sentence.index) in self._reasons for sentence in left)
            is_own = is_own or self._holds_query(document)
            for sentence in left:
                self._leave(sentence, now, is_own=is_own)
        self._reasons.clear()
        return outputs

    def _update(self, sentence: LeftOut, now: int) -> Update:
        return Update(
            self._event.id,
            sentence.doc_id,
            sentence.sentence_index,
            now,
            1.0,
            sentence.text,
            sentence.published_time,
            sentence.source,
            sentence.title,
            sentence.url,
        )

    def _cover(self, update: Update) -> None:
        ledger, stems = self._ledger, self._stems_of(update.text)
        ledger.updates += 1
        ledger.latest.append((update.id, _plain(update.text, _LONGEST)))
        self._latest.append(stems)
        if len(ledger.latest) > _MOST_UPDATES:
            del ledger.latest[0], self._latest[0]
        self._cover_groups(stems)

    def _cover_groups(self, stems: frozenset[str]) -> None:
        groups = self._ledger.groups
        for place in range(len(groups) - 1, -1, -1):
            if _alike(self._groups[place], stems):
                del groups[place], self._groups[place]

    def _holds_query(self, document: Sequence[Sentence]) -> bool:
        texts = [document[0].title, *(sentence.text for sentence in document)]
        held = frozenset(shared_analyzer().stems(" \n".join(texts)))
        return not self._asked or any(2 * len(asked & held) >= len(asked) for asked in self._asked)

    def _leave(self, sentence: Sentence, now: int, *, is_own: bool) -> None:
        ledger = self._ledger
        reason, of = self._reasons.get((sentence.doc_id, sentence.index), ""), ""
        stems: frozenset[str] = frozenset()
        if not reason and not is_own:
            reason = "off-topic"
        if reason in ("", "pace", "repeats", "background"):
            stems = self._stems_of(sentence.text)
            of = self._repeated_update(stems)
        if not reason:
            is_late = now - sentence.published_time >= LATE_S
            is_alone = len(stems) >= _FEWEST_SHARED and is_readable(sentence.text)
            reason = "late" if is_late else "repeats" if of else "background" if is_alone else "unclear"
        elif reason in ("background", "pace") and of:
            reason = "repeats"
        hour = ledger.hours.setdefault(now // 3600, {})
        hour[reason] = hour.get(reason, 0) + 1
        if len(ledger.hours) > _MOST_HOURS:
            del ledger.hours[min(ledger.hours)]
        left = LeftOut(
            _plain(sentence.doc_id, _LONGEST_URL),
            sentence.index,
            sentence.published_time,
            reason,
            _plain(sentence.text, _LONGEST),
            _plain(sentence.source, _LONGEST),
            _plain(sentence.url, _LONGEST_URL),
            _plain(sentence.title, _LONGEST),
            of if reason == "repeats" else "",
        )
        self._keep(left)
        if of or (reason == "repeats" and stems):
            self._cover_groups(stems)
        elif reason in _DEVELOPMENTS and len(stems) >= _FEWEST_SHARED:
            self._group(left, stems)

    def _keep(self, left: LeftOut) -> None:
        kept = self._ledger.sentences
        kept.append(left)
        self._held[left.reason] += 1
        if self._held[left.reason] > _KEPT.get(left.reason, _KEPT_OF_OTHERS):
            del kept[next(place for place, sentence in enumerate(kept) if sentence.reason == left.reason)]
            self._held[left.reason] -= 1

    def _group(self, left: LeftOut, stems: frozenset[str]) -> None:
        ledger = self._ledger
        outlet, text = outlet_of(left.source, left.url), left.text[:_LONGEST_OF_GROUP]
        for place, group in enumerate(ledger.groups):
            if _alike(self._groups[place], stems) and (not outlet or self._says(group, outlet, text)):
                group.note(outlet)
                if group.is_of_outlets and self._is_covered(group):
                    del ledger.groups[place], self._groups[place]
                return
        ledger.groups.append(group := Group(text))
        group.note(outlet)
        self._groups.append(stems)
        if len(ledger.groups) > _MOST_GROUPS:
            # The oldest of those that the fewest say; the new ones have time to grow.
            old = ledger.groups[: _MOST_GROUPS // 2]
            place = min(range(len(old)), key=lambda place: len(old[place].outlets) + old[place].documents)
            ledger.missed += ledger.groups[place].is_development
            del ledger.groups[place], self._groups[place]

    def _says(self, group: Group, outlet: str, text: str) -> bool:
        """Whether an outlet claims what a group does."""
        if not group.outlets or outlet in group.outlets:
            return True
        return self._claims.likeness(*map(self._claims.content, (group.text, text)))[0]

    def _is_covered(self, group: Group) -> bool:
        """Whether one of the latest updates claims what a group does."""
        said = self._claims.content(group.text)
        return any(
            self._claims.likeness(self._claims.content(text), said)[0] for _, text in self._ledger.latest
        )

    def _repeated_update(self, stems: frozenset[str]) -> str:
        for place in range(len(self._latest) - 1, -1, -1):
            if _alike(self._latest[place], stems):
                return self._ledger.latest[place][0]
        return ""

    def _stems_of(self, text: str) -> frozenset[str]:
        return frozenset(shared_analyzer().stems(text)[:_MOST_STEMS]) - self._query

    def state(self) -> bytes:
        """The ledger."""
        return msgspec.msgpack.encode(self._ledger)

    def restore(self, data: bytes) -> None:
        """Become the one whose `state()` gave `data`."""
        self._ledger = ledger = replace(read_ledger(data))
        self._held = Counter(sentence.reason for sentence in ledger.sentences)
        self._latest = [self._stems_of(text) for _, text in ledger.latest]
        self._groups = [self._stems_of(group.text) for group in ledger.groups]


def _alike(stems: Collection[str], others: frozenset[str]) -> bool:
    shared = len(others.intersection(stems))
    return shared >= _FEWEST_SHARED and shared >= SAME * sqrt(len(stems) * len(others))


def _plain(text: str, most: int) -> str:
    return text[:most].encode("utf-8", "replace").decode("utf-8")
