"""Judging a finished collection again in another order, its judgments being the assessor: what is found how soon.

A *course* is one such judging of one topic. What counts as found is what the judged updates hold: matches (an update
and a nugget), relevant updates, nuggets. An update and its exact copies are judged once and bring all that they hold.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import ceil, floor, nan
from statistics import fmean
from typing import Literal, get_args

from msgspec import Struct

from tidings.core import Event, Judgments, Match, Nugget, PooledUpdate, bare_event_id
from tidings.evaluation.selection.next_updates import NuggetSuggester, SuggestedNugget
from tidings.evaluation.selection.pool_texts import PoolTexts
from tidings.evaluation.selection.selection import PROMISING, UNLEARNED, Prior, Selection, Strategy

Found = Literal["matches", "relevant", "nuggets"]
FOUND: tuple[Found, ...] = get_args(Found)
"""What is counted: distinct matches of all copies, relevant updates (copies as one), distinct nuggets."""


class JudgedTopic(Struct, frozen=True):
    """One topic of a finished collection; `matches` are the nuggets of each pooled update that has some."""

    event: Event
    pool: tuple[PooledUpdate, ...]
    nuggets: tuple[Nugget, ...]
    matches: Mapping[str, Collection[str]]


class Course(Struct, frozen=True):
    """What was found in one topic after each judgment: element k of each sequence is the count after k of them.

    Args:
        event_id: of the topic.
        by: the order.
        seed: of its lots.
        matches, relevant, nuggets: counts, from 0 to all that there are.
        promised: what the order expected of each update when it came, one less than counts.
    """

    event_id: str
    by: Strategy
    seed: int
    matches: tuple[int, ...]
    relevant: tuple[int, ...]
    nuggets: tuple[int, ...]
    promised: tuple[float, ...] = ()

    @property
    def judgments(self) -> int:
        """How many there are to make: updates of the pool, exact copies as one."""
        return len(self.matches) - 1

    def count(self, what: Found, share: float) -> int:
        """How many are found when at most that share (0..1) of the pool is judged."""
        counts: tuple[int, ...] = getattr(self, what)
        return counts[floor(share * self.judgments + 1e-9)]

    def found(self, what: Found, share: float) -> float:
        """The same as a share of all there are, 0..1.

        >>> course = Course("e", "time", 0, (0, 2, 2, 3, 4), (0, 1, 1, 2, 3), (0, 2, 2, 2, 2))
        >>> course.found("matches", 0.5), course.found("nuggets", 0.3), course.found("relevant", 1)
        (0.5, 1.0, 1.0)
        """
        counts: tuple[int, ...] = getattr(self, what)
        return self.count(what, share) / counts[-1]

    def needed(self, what: Found, share: float) -> float:
        """The share of the pool that must be judged until that share of all is found, 0..1.

        >>> Course("e", "time", 0, (0, 2, 2, 3, 4), (0, 1, 1, 2, 3), (0, 2, 2, 2, 2)).needed("matches", 0.75)
        0.75
        """
        counts: tuple[int, ...] = getattr(self, what)
        return bisect_left(counts, share * counts[-1] - 1e-9) / self.judgments


def judged_topics(judgments: Judgments) -> tuple[JudgedTopic, ...]:
    """The topics of a collection that have a pool with matches, in its order."""
    pools: dict[str, list[PooledUpdate]] = {}
    for row in judgments.pool:
        pools.setdefault(bare_event_id(row.event_id), []).append(row)
    nuggets: dict[str, list[Nugget]] = {}
    for nugget in judgments.nuggets:
        nuggets.setdefault(bare_event_id(nugget.event_id), []).append(nugget)
    matches: dict[str, dict[str, set[str]]] = {}
    for match in judgments.matches:
        of_topic = matches.setdefault(bare_event_id(match.event_id), {})
        of_topic.setdefault(match.update_id, set()).add(match.nugget_id)
    made = []
    for event in judgments.events:
        bare = bare_event_id(event.id)
        pool = pools.get(bare, [])
        pooled = {row.id for row in pool}
        own = {update: frozenset(said) for update, said in matches.get(bare, {}).items() if update in pooled}
        if own:
            made.append(JudgedTopic(event, tuple(pool), tuple(nuggets.get(bare, ())), own))
    return tuple(made)


def topic_selection(topic: JudgedTopic, nuggets: bool = True, prior: Prior | None = None) -> Selection:
    """A topic made ready for orders, with or without its list of nuggets."""
    words = f"{topic.event.query} {topic.event.title}"
    return Selection(PoolTexts(topic.pool), topic.nuggets if nuggets else (), words, prior)


def simulate(
    topic: JudgedTopic, selection: Selection, by: Strategy = "yield", seed: int = 0, most: int = 10
) -> Course:
    """Judge all updates of a topic in an order that is made again after 1, 2, 3, … and at last `most` judgments.

    Args:
        topic: with the judgments that are asked.
        selection: of the same topic (`topic_selection`).
        by: the order.
        seed: of lots.
        most: how many are judged before the model is trained again; each time a tenth more than before.
    """
    held = [
        [topic.matches.get(copy, frozenset()) for copy in candidate.copies]
        for candidate in selection.texts.candidates
    ]
    number = {candidate.id: place for place, candidate in enumerate(selection.texts.candidates)}
    judged: dict[str, Collection[str]] = {}
    counts: dict[Found, list[int]] = {what: [0] for what in FOUND}
    promised: list[float] = []
    met: set[str] = set()
    size = 1
    while len(judged) < len(held):
        ranked = selection.order(judged, by, seed)
        for place in ranked if by in UNLEARNED else ranked[:size]:
            own = held[number[place.update_id]]
            said = frozenset().union(*own)
            judged[place.update_id] = said
            met |= said
            promised.append(place.expected)
            counts["matches"].append(counts["matches"][-1] + sum(map(len, own)))
            counts["relevant"].append(counts["relevant"][-1] + bool(said))
            counts["nuggets"].append(len(met))
        size = min(most, size + ceil(size / 10))
    matches, relevant, nuggets = (tuple(counts[what]) for what in FOUND)
    return Course(topic.event.id, by, seed, matches, relevant, nuggets, tuple(promised))


def share_needed(courses: Sequence[Course], what: Found, share: float) -> float:
    """The share of each topic's pool to be judged until that share of what all topics hold together is found."""
    total = sum(getattr(course, what)[-1] for course in courses)
    for percent in range(1001):
        if sum(course.count(what, percent / 1000) for course in courses) >= share * total - 1e-9:
            return percent / 1000
    return 1.0


def one_queue(courses: Sequence[Course]) -> tuple[int, ...]:
    """Matches found after each judgment when one queue serves all topics, the topic first whose next promises most.

    Each topic's own order stays; of equal promises the earlier topic comes first.

    >>> rich = Course("a", "yield", 0, (0, 3, 3), (0, 1, 1), (0, 1, 1), (2.5, 0.4))
    >>> poor = Course("b", "yield", 0, (0, 1, 1), (0, 1, 1), (0, 1, 1), (0.9, 0.2))
    >>> one_queue([poor, rich])
    (0, 3, 4, 4, 4)
    """
    waiting = [(-course.promised[0], number, 0) for number, course in enumerate(courses) if course.promised]
    heapify(waiting)
    found = [0]
    while waiting:
        _, number, place = heappop(waiting)
        own = courses[number]
        found.append(found[-1] + own.matches[place + 1] - own.matches[place])
        if place + 1 < own.judgments:
            heappush(waiting, (-own.promised[place + 1], number, place + 1))
    return tuple(found)


class OrderSummary(Struct, frozen=True):
    """One order over all topics; shares are 0..1, means over topics and seeds unless said otherwise.

    Args:
        by: the order.
        seeds: how many courses of each topic.
        tenth, quarter, half: matches found when so much of each pool is judged.
        half_least: the topic with the least at one half.
        half_together: matches of all topics together at one half.
        half_seeds: least and most mean of a seed at one half.
        needed: of each pool, to be judged until the target is found.
        needed_most: the topic that needs most.
        needed_together: of each pool, until the target of all topics' matches together is found.
        queue_half, queue_needed: the same two where one queue serves all topics, the topic first whose next update
            promises most; nan for an order that goes by no promise.
        relevant, nuggets: relevant updates and nuggets found at one half.
        area: mean of the share found over all shares judged: 0.5 for lots, at most 1.
    """

    by: Strategy
    seeds: int
    tenth: float
    quarter: float
    half: float
    half_least: float
    half_together: float
    half_seeds: tuple[float, float]
    needed: float
    needed_most: float
    needed_together: float
    queue_half: float
    queue_needed: float
    relevant: float
    nuggets: float
    area: float


class TopicSummary(Struct, frozen=True):
    """One order on one topic, mean over seeds: matches found at one half, and the share judged until the target."""

    event_id: str
    by: Strategy
    updates: int
    matches: int
    half: float
    needed: float


def mean_curve(courses: Sequence[Course], what: Found = "matches", points: int = 100) -> list[float]:
    """The mean share found over courses at 0, 1/points, … 1 of the pool judged.

    >>> mean_curve([Course("e", "time", 0, (0, 2, 2, 3, 4), (0, 1, 1, 2, 3), (0, 2, 2, 2, 2))], points=4)
    [0.0, 0.5, 0.5, 0.75, 1.0]
    """
    return [fmean(course.found(what, place / points) for course in courses) for place in range(points + 1)]


def summarise(courses: Sequence[Course], target: float = 0.9) -> OrderSummary:
    """The courses of one order over the same topics, for each seed once."""
    by_seed: dict[int, list[Course]] = {}
    for course in courses:
        by_seed.setdefault(course.seed, []).append(course)
    halves = [fmean(course.found("matches", 0.5) for course in own) for own in by_seed.values()]
    topics = topic_summaries(courses, target)
    together = [
        sum(course.count("matches", 0.5) for course in own) / sum(course.matches[-1] for course in own)
        for own in by_seed.values()
    ]
    queue = one_queue(courses) if courses[0].by in PROMISING else ()
    return OrderSummary(
        by=courses[0].by,
        seeds=len(by_seed),
        tenth=fmean(course.found("matches", 0.1) for course in courses),
        quarter=fmean(course.found("matches", 0.25) for course in courses),
        half=fmean(halves),
        half_least=min(topic.half for topic in topics),
        half_together=fmean(together),
        half_seeds=(min(halves), max(halves)),
        needed=fmean(topic.needed for topic in topics),
        needed_most=max(topic.needed for topic in topics),
        needed_together=fmean(share_needed(own, "matches", target) for own in by_seed.values()),
        queue_half=queue[(len(queue) - 1) // 2] / queue[-1] if queue else nan,
        queue_needed=bisect_left(queue, target * queue[-1] - 1e-9) / (len(queue) - 1) if queue else nan,
        relevant=fmean(course.found("relevant", 0.5) for course in courses),
        nuggets=fmean(course.found("nuggets", 0.5) for course in courses),
        area=fmean(fmean(course.matches) / course.matches[-1] for course in courses),
    )


def topic_summaries(courses: Sequence[Course], target: float = 0.9) -> list[TopicSummary]:
    """The courses of one order, topic by topic in their order."""
    by_topic: dict[str, list[Course]] = {}
    for course in courses:
        by_topic.setdefault(course.event_id, []).append(course)
    return [
        TopicSummary(
            topic,
            own[0].by,
            own[0].judgments,
            own[0].matches[-1],
            fmean(course.found("matches", 0.5) for course in own),
            fmean(course.needed("matches", target) for course in own),
        )
        for topic, own in by_topic.items()
    ]


class SuggestionFigures(Struct, frozen=True):
    """What suggestions for the matched updates of a topic were worth, each 0..1.

    Args:
        first: the share of updates whose first suggestion is right.
        three: the share with a right one among three.
        five: the share of an update's nuggets that are among five, in the mean over updates.
        spans: F of characters, 2 · shared / (both lengths), of right suggestions and the assessor's spans.
        whole: the same of the whole text in place of the suggested span.
    """

    first: float
    three: float
    five: float
    spans: float
    whole: float


def suggestion_figures(
    topic: JudgedTopic,
    matches: Sequence[Match],
    first: Mapping[str, Sequence[SuggestedNugget]] | None = None,
    learning: bool = True,
) -> SuggestionFigures:
    """Ask about each matched update of a topic, in the order of time, before its own matches are known.

    Args:
        topic: with its pool and nuggets.
        matches: of the collection; those of other topics are let be.
        first: what stands before the cosines as long as nothing is matched, by update.
        learning: whether the matches of the updates before are known, or none ever.
    """
    texts = PoolTexts(topic.pool)
    suggester = NuggetSuggester(texts.terms, topic.nuggets)
    bare = bare_event_id(topic.event.id)
    placed: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for match in matches:
        if bare_event_id(match.event_id) == bare:
            of_update = placed.setdefault(match.update_id, {})
            of_update.setdefault(match.nugget_id, []).append((match.start, match.end))
    right: list[tuple[float, float, float]] = []
    spans: list[tuple[float, float]] = []
    for candidate in texts.candidates:
        update = next((copy for copy in candidate.copies if copy in placed), None)
        if update is None:
            continue
        own, text = placed[update], texts.text_of(update)
        suggested = suggester.suggest(text, first=(first or {}).get(update, ()))
        ids = [suggestion.nugget_id for suggestion in suggested]
        hits = [sum(name in own for name in ids[:count]) for count in (1, 3, 5)]
        right.append((float(hits[0] > 0), float(hits[1] > 0), hits[2] / len(own)))
        for suggestion in suggested:
            if suggestion.nugget_id in own:
                ends = own[suggestion.nugget_id]
                spans.append((_best((suggestion.start, suggestion.end), ends), _best((0, len(text)), ends)))
        if learning:
            for nugget, places in own.items():
                for start, end in places:
                    suggester.add(update, nugget, text[start:end])
    means = [fmean(column) for column in zip(*right, strict=True)] or [0.0] * 3
    fitting = [fmean(column) for column in zip(*spans, strict=True)] or [0.0] * 2
    return SuggestionFigures(*means, *fitting)


def mean_figures(figures: Sequence[SuggestionFigures]) -> SuggestionFigures:
    """The means over topics.

    >>> mean_figures([SuggestionFigures(0, 0.5, 0, 1, 1), SuggestionFigures(1, 0.5, 0, 1, 0)]).first
    0.5
    """
    names = SuggestionFigures.__struct_fields__
    return SuggestionFigures(*(fmean(getattr(figure, name) for figure in figures) for name in names))


def _best(one: tuple[int, int], others: Sequence[tuple[int, int]]) -> float:
    """The highest F of characters of a span and some others."""
    shared = [(max(0, min(one[1], end) - max(one[0], start)), end - start) for start, end in others]
    return max(2 * both / max(1, one[1] - one[0] + length) for both, length in shared)
