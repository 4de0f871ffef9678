"""From documents and an event to its digest: the digest systems, and how each chooses the sentences of days.

DATEWISE (Ghalandari and Ifrim, ACL 2020). Rebuilt from the paper: seven counts of a day, divided by the length of
their column in the story, weighted by linear regression. A day's candidates are the sentences that name it and the
heads of documents published on it or the day after; its vector is the mean of the means of both; kept are those above
the knee of their cosines to it. Reconstructed: the knee (the point farthest below the line from the highest to the
lowest cosine); what counts as a sentence (4 stems, 450 characters); documents are those about the event, where the
paper's code asks for a keyword.

CLUST (Ghalandari and Ifrim, ACL 2020). Rebuilt from the paper: documents at most a day apart are joined by the cosine
of their tf-idf vectors; Markov clustering; the day of a cluster is the one that its documents name most, else the day
of its first publication; clusters ranked by how many of their sentences name their day; CENTROID-OPT over the first
five sentences of each document. Reconstructed: the inflation of 2; ties by the earlier day; stories of more than
1,500 documents are clustered in parts of so many, in time order.

The submodular model of tilse (Martschat and Markert, CoNLL 2018). Rebuilt from the paper: f(S) = Σ_i min(Σ_{j in S}
w_ij, α Σ_j w_ij) / max + Σ_days √(Σ_{j in S on the day} r_j) / max + Σ_{days of S} (sentences that name the day) /
max, w the cosine, r_j the mean of w_j; each time the sentence that adds most is taken, within so many days and so
many sentences of a day. Each part is divided by its value for all candidates. Reconstructed: α = 5 / n; a sentence
stands under the first day that it names, else under its publication; candidates are the 1,500 sentences most about
the event that name a day or stand in the head of their document.

`ours`. Days by eight features of each, spread over the story (`day_ranking`); sentences by nine (`sentence_ranking`).
What names a day is shown under no other one; what does not stand alone is left out, and what is like a sentence of a
day chosen before is passed over; what was to come is shown only for days with nothing else; a day before
the first document needs several documents that name it; of a day no figure is shown that was out of date when the day
was last spoken of (`states`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, tzinfo
from math import sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Digest, DigestDay, Document, Event, UsageError, Vector
from tidings.following.digests.day_ranking import (
    DayWeights,
    DigestWeights,
    day_features,
    rank_days,
    shipped_weights,
    spread_days,
    worth_of_days,
)
from tidings.following.digests.opening import opening_lines
from tidings.following.digests.relevance import HEAD_SENTENCES, add, dot, mean_of, unit
from tidings.following.digests.sentence_ranking import (
    centre_of,
    cosines,
    sentence_features,
    worth_of_sentences,
)
from tidings.following.digests.states import DayClaims
from tidings.following.digests.story import Story, StorySentence, day_of, is_cut_off, looks_ahead, read_story

if TYPE_CHECKING:
    from numpy import ndarray


_MOST_COMPARED = 400
"""Sentences of a day that are looked at, those most about the event; a day of a long story has tens of thousands."""

_FEWEST_STEMS = 4  # less says nothing by itself
_LONGEST_CHARS = 450
_NOON_S = 43_200  # published before noon, a sentence may speak of the day before

ChosenDays: TypeAlias = dict[int, list[StorySentence]]
"""Day number to its sentences, in the order in which they were chosen."""


class Choice(Struct):
    """How many days at most, how many sentences of each at most, and whom to tell how far the work is."""

    days: int
    sentences: int
    progress: Callable[[int, int], None] = lambda done, total: None


def is_candidate(sentence: StorySentence) -> bool:
    """Whether a sentence is long enough to tell something, and short enough to be one."""
    return len(sentence.stems) >= _FEWEST_STEMS and len(sentence.sentence.text) <= _LONGEST_CHARS


def candidates_by_day(story: Story) -> dict[int, Sequence[StorySentence]]:
    """For each day the sentences that name it, and those of the heads of documents published on it or the day after.

    In the order of the story; of a day that has too many those that are most about the event.
    """
    return _by_day(
        story,
        lambda sentence: (
            {*sentence.days, *_recent(sentence)} if sentence.place < HEAD_SENTENCES else sentence.days
        ),
    )


def dated_candidates(story: Story) -> dict[int, Sequence[StorySentence]]:
    """As `candidates_by_day`, but what names a day stands under no other one.

    A sentence of a head that names none may be of the day of publication or of the day before: of those of the two that
    its head names, else of both. What was published after noon, by the clock of the story's zone, is of its own day.
    """
    named: dict[int, set[int]] = {}
    for sentence in story.sentences:
        if sentence.place < HEAD_SENTENCES:
            named.setdefault(sentence.document, set()).update(sentence.days)

    def days_of(sentence: StorySentence) -> Iterable[int]:
        if sentence.days or sentence.elsewhen or sentence.place >= HEAD_SENTENCES:
            return sentence.days
        late = day_of(sentence.sentence.published_time - _NOON_S, story.zone) == sentence.published
        near = {sentence.published} if late else _recent(sentence)
        return _recent(sentence) & named[sentence.document] or near

    return _by_day(story, days_of)


def _recent(sentence: StorySentence) -> set[int]:
    return {sentence.published, sentence.published - 1}


def _by_day(
    story: Story, days_of: Callable[[StorySentence], Iterable[int]]
) -> dict[int, Sequence[StorySentence]]:
    by_day: dict[int, list[StorySentence]] = {}
    for sentence in story.sentences:
        if is_candidate(sentence):
            for day in days_of(sentence):
                by_day.setdefault(day, []).append(sentence)
    return {day: _fewer(candidates) for day, candidates in by_day.items()}


def _fewer(candidates: list[StorySentence]) -> list[StorySentence]:
    if len(candidates) <= _MOST_COMPARED:
        return candidates
    order = sorted(range(len(candidates)), key=lambda place: (-candidates[place].weight, place))
    return [candidates[place] for place in sorted(order[:_MOST_COMPARED])]


SAME = 0.95
"""Cosine from which on two sentences say the same; the later one is passed over."""


def choose_central(
    candidates: Sequence[StorySentence], centre: Vector, number: int, *, same: float = SAME
) -> list[StorySentence]:
    """At most `number` sentences, in the order in which they were chosen.

    Each time the sentence s is taken that makes cos(sum of the chosen ones + s, centre) largest, the first of equals.

    Args:
        candidates: in an order that does not depend on chance.
        centre: a unit vector.
        number: how many, at least 1.
        same: the cosine from which on what is like a chosen sentence is passed over.
    """
    vectors = [candidate.vector for candidate in candidates]
    nearness = [dot(vector, centre) for vector in vectors]
    overlap = [0.0] * len(candidates)  # with the sum of the chosen ones
    left = [place for place, vector in enumerate(vectors) if vector]
    chosen: list[int] = []
    near, square = 0.0, 0.0
    while left and len(chosen) < number:
        worths = [(near + nearness[place]) / sqrt(square + 2 * overlap[place] + 1.0) for place in left]
        best = max(worths)
        place = next(place for place, worth in zip(left, worths, strict=True) if worth >= best - 1e-12)
        chosen.append(place)
        near += nearness[place]
        square += 2 * overlap[place] + 1.0
        rest = []
        for other in left:
            likeness = dot(vectors[other], vectors[place])
            overlap[other] += likeness
            if other != place and likeness < same:
                rest.append(other)
        left = rest
    return [candidates[place] for place in chosen]


_STEPS = 60
_LEAST = 1e-3
"""Probabilities below this are dropped, so that the walk comes to rest."""


def markov_clusters(similarity: ndarray[Any, Any], *, inflation: float = 2.0) -> list[list[int]]:
    """The clusters of a graph, the largest first, of equals the one with the first node.

    The walk's matrix is squared and its entries raised to `inflation`, columns made to sum to 1 each time, until
    nothing changes; nodes that end in the same attractors are a cluster.

    Args:
        similarity: weights of the edges, symmetric, not negative.

    >>> import numpy as np
    >>> markov_clusters(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0.0]]))
    [[0, 1], [2]]
    """
    import numpy as np

    number = len(similarity)
    if not number:
        return []
    walk = np.array(similarity, dtype=np.float64)
    np.fill_diagonal(walk, np.maximum(walk.max(axis=0), 1e-9))
    walk /= walk.sum(axis=0)
    for _ in range(_STEPS):
        before = walk
        walk = (walk @ walk) ** inflation
        walk /= walk.sum(axis=0)
        walk[walk < _LEAST] = 0.0
        walk /= walk.sum(axis=0)
        if np.abs(walk - before).max() < 1e-6:
            break
    groups: dict[int, list[int]] = {}
    for node, attractor in enumerate(walk.argmax(axis=0).tolist()):
        groups.setdefault(attractor, []).append(node)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0]))


def choose_datewise(story: Story, choice: Choice, weights: DayWeights | None = None) -> ChosenDays:
    """Days and their sentences, the best day first."""
    by_day = candidates_by_day(story)
    chosen: ChosenDays = {}
    ranked = rank_days(story, weights or shipped_weights().days["datewise"])
    for number, day in enumerate(ranked):
        if len(chosen) >= choice.days:
            break
        choice.progress(number, len(ranked))
        candidates = above_knee(by_day.get(day, ()), day)
        sentences = choose_central(
            candidates, mean_of(candidate.vector for candidate in candidates), choice.sentences
        )
        if sentences:
            chosen[day] = sentences
    return chosen


def above_knee(candidates: Sequence[StorySentence], day: int) -> list[StorySentence]:
    """PM-MEAN: the candidates of a day that are nearest to what is said of it and published on it, nearest first."""
    named = mean_of(candidate.vector for candidate in candidates if day in candidate.days)
    published = mean_of(candidate.vector for candidate in candidates if candidate.published in (day, day + 1))
    centre = mean_of([vector for vector in (named, published) if vector])
    values = [round(dot(candidate.vector, centre), 12) for candidate in candidates]
    order = sorted(range(len(candidates)), key=lambda place: (-values[place], place))
    return [candidates[place] for place in order[: knee([values[place] for place in order])]]


def knee(values: Sequence[float]) -> int:
    """How many of some falling values stand before the knee; at least one, all of fewer than three.

    >>> knee([1.0, 0.9, 0.2, 0.1, 0.0]), knee([0.5, 0.4]), knee([])
    (2, 2, 0)
    """
    if len(values) < 3 or values[0] == values[-1]:
        return len(values)
    height, width = values[0] - values[-1], len(values) - 1
    below = [1.0 - place / width - (value - values[-1]) / height for place, value in enumerate(values)]
    return max(1, below.index(max(below)))


_FIRST_SENTENCES = 5  # of a document, for what names the day
_DAYS_APART = 1
_LARGEST = 1_500


def choose_clust(story: Story, choice: Choice) -> ChosenDays:
    """Days and their sentences, the best day first."""
    sentences = _by_document(story)
    clusters = _clusters(story, sentences, choice)
    ranked = sorted(
        (_rank_key(story, cluster, sentences) for cluster in clusters), key=lambda entry: entry[:3]
    )
    chosen: ChosenDays = {}
    for _, _, day, cluster in ranked:
        if len(chosen) >= choice.days:
            break
        if day in chosen or not story.first_day <= day <= story.last_day:
            continue
        candidates = [
            sentence
            for number in cluster
            for sentence in sentences[number][:_FIRST_SENTENCES]
            if is_candidate(sentence)
        ]
        said = choose_central(
            candidates, mean_of(candidate.vector for candidate in candidates), choice.sentences
        )
        if said:
            chosen[day] = said
    return chosen


def _by_document(story: Story) -> list[list[StorySentence]]:
    sentences: list[list[StorySentence]] = [[] for _ in story.published]
    for sentence in story.sentences:
        sentences[sentence.document].append(sentence)
    return sentences


def _clusters(story: Story, sentences: Sequence[Sequence[StorySentence]], choice: Choice) -> list[list[int]]:
    import numpy as np

    vectors = [_vector(own) for own in sentences]
    clusters: list[list[int]] = []
    for begin in range(0, len(vectors), _LARGEST):
        numbers = range(begin, min(begin + _LARGEST, len(vectors)))
        similarity = np.zeros((len(numbers), len(numbers)))
        for row in numbers:
            choice.progress(row, len(vectors))
            for column in range(row + 1, numbers.stop):
                if story.published[column] - story.published[row] > _DAYS_APART:
                    break
                value = dot(vectors[row], vectors[column])
                similarity[row - begin, column - begin] = similarity[column - begin, row - begin] = value
        clusters += [[begin + node for node in cluster] for cluster in markov_clusters(similarity)]
    return clusters


def _vector(sentences: Sequence[StorySentence]) -> Vector:
    total: Vector = {}
    for sentence in sentences:
        add(total, sentence.vector)
    return unit(total)


def _rank_key(
    story: Story, cluster: list[int], sentences: Sequence[Sequence[StorySentence]]
) -> tuple[int, int, int, list[int]]:
    named = Counter(day for number in cluster for sentence in sentences[number] for day in sentence.days)
    day = min(named, key=lambda day: (-named[day], day)) if named else story.published[cluster[0]]
    return -named[day], -len(cluster), day, cluster


_MOST_CANDIDATES = 1_500
_SATURATION = 5.0
_BATCH = 256


def choose_submodular(story: Story, choice: Choice) -> ChosenDays:
    """Days and their sentences, the first that is chosen first."""
    import numpy as np

    candidates = _candidates(story)
    if not candidates:
        return {}
    likeness = cosines(sentence for _, sentence in candidates)
    days = [day for day, _ in candidates]
    named: dict[int, int] = {}
    for sentence in story.sentences:
        for day in sentence.days:
            named[day] = named.get(day, 0) + 1
    numbers = {day: number for number, day in enumerate(sorted(set(days)))}
    day_of = np.array([numbers[day] for day in days])
    references = np.array([float(named.get(day, 0)) for day in sorted(numbers)])
    total = likeness.sum(axis=1)
    limit = total * _SATURATION / len(candidates)
    reward = total / len(candidates)
    whole = np.minimum(total, limit).sum() or 1.0
    diverse = np.sqrt(np.bincount(day_of, reward)).sum() or 1.0
    dated = references.sum() or 1.0
    covered = np.zeros(len(candidates))
    rewarded = np.zeros(len(numbers))
    left = np.ones(len(candidates), dtype=bool)
    counts: dict[int, int] = {}
    chosen: ChosenDays = {}
    most = choice.days * choice.sentences
    for step in range(most):
        choice.progress(step, most)
        begun = np.array([day in counts for day in days])
        open_now = left & np.array([counts.get(day, 0) < choice.sentences for day in days])
        if len(counts) >= choice.days:
            open_now &= begun
        places = np.flatnonzero(open_now)
        if not len(places):
            break
        gain = _coverage_gains(likeness, covered, limit, places) / whole
        before = rewarded[day_of[places]]
        gain += (np.sqrt(before + reward[places]) - np.sqrt(before)) / diverse
        gain += np.where(begun[places], 0.0, references[day_of[places]]) / dated
        place = int(places[int(np.argmax(np.round(gain, 12)))])
        left[place] = False
        covered += likeness[:, place]
        rewarded[day_of[place]] += reward[place]
        counts[days[place]] = counts.get(days[place], 0) + 1
        chosen.setdefault(days[place], []).append(candidates[place][1])
    return chosen


def _candidates(story: Story) -> list[tuple[int, StorySentence]]:
    candidates = []
    for sentence in story.sentences:
        if is_candidate(sentence) and (sentence.days or sentence.place < HEAD_SENTENCES):
            days = [
                day
                for day in sentence.days or (sentence.published,)
                if story.first_day <= day <= story.last_day
            ]
            if days:
                candidates.append((days[0], sentence))
    order = sorted(range(len(candidates)), key=lambda place: (-candidates[place][1].weight, place))
    return [candidates[place] for place in sorted(order[:_MOST_CANDIDATES])]


def _coverage_gains(
    likeness: ndarray[Any, Any],
    covered: ndarray[Any, Any],
    limit: ndarray[Any, Any],
    places: ndarray[Any, Any],
) -> ndarray[Any, Any]:
    import numpy as np

    room = np.maximum(limit - covered, 0.0)
    gains = [
        np.minimum(likeness[:, places[begin : begin + _BATCH]], room[:, None]).sum(axis=0)
        for begin in range(0, len(places), _BATCH)
    ]
    return np.concatenate(gains)


_SAME = 0.4
"""Cosine to a sentence of the same day from which on a sentence adds nothing."""

_LEAST_SHARE = 0.02
"""Share of a story's documents that must name a day before the first of them, for it to be shown."""

_REPEATED = 0.7
"""Cosine to a sentence of another day from which on a sentence is a repetition."""


def choose_ours(story: Story, choice: Choice, weights: DigestWeights | None = None) -> ChosenDays:
    """Days and their sentences, the best day first."""
    weights = weights or shipped_weights()
    by_day = quotable_candidates(story)
    support = _documents_naming(story)
    needed = _LEAST_SHARE * len(story.published)
    first = min(story.published, default=0)
    worth = {
        day: value
        for day, value in worth_of_days(day_features(story), weights.days["ours"]).items()
        if day in by_day and (day >= first or support[day] >= needed)
    }
    centre = centre_of(story)
    chosen: ChosenDays = {}
    shown: list[StorySentence] = []
    for number, day in enumerate(spread_days(worth, choice.days)):
        if len(chosen) >= choice.days:
            break
        choice.progress(number, len(worth))
        sentences = _best_of(by_day[day], day, story, centre, shown, weights.sentences, choice.sentences)
        if sentences:
            chosen[day] = sentences
            shown += sentences
    return chosen


def quotable_candidates(story: Story) -> dict[int, list[StorySentence]]:
    """Of the candidates of each day (`dated_candidates`) those that can be quoted alone, for days that have any.

    What breaks off is quoted only of stories that have nothing else.
    """
    by_day = {day: [one for one in all_of if one.readable] for day, all_of in dated_candidates(story).items()}
    whole = {day: [one for one in some if not is_cut_off(one.text)] for day, some in by_day.items()}
    by_day = whole if any(whole.values()) else by_day
    return {day: candidates for day, candidates in by_day.items() if candidates}


def _best_of(
    candidates: Sequence[StorySentence],
    day: int,
    story: Story,
    centre: Vector,
    shown: Sequence[StorySentence],
    weights: Sequence[float],
    number: int,
) -> list[StorySentence]:
    likeness = cosines(candidates)
    worth = worth_of_sentences(
        candidates, sentence_features(candidates, day, story, centre, likeness), weights
    )
    fresh = [place for place, candidate in enumerate(candidates) if not _is_repeated(candidate, shown)]
    left = [place for place in fresh if not _is_plan(candidates[place], day)] or fresh
    claims = DayClaims(story.event, [candidate.sentence for candidate in candidates])
    left = [place for place in left if not claims.is_old[place]] or left
    sentences: list[StorySentence] = []
    while left and len(sentences) < number:
        best = max(left, key=lambda place: (worth[place], -place))
        sentences.append(candidates[best])
        left = [
            place
            for place in left
            if place != best and likeness[best, place] < _SAME and not claims.exclude(best, place)
        ]
    return sentences


def _documents_naming(story: Story) -> Counter[int]:
    pairs = {(sentence.document, day) for sentence in story.sentences for day in sentence.days}
    return Counter(day for _, day in pairs)


def _is_plan(sentence: StorySentence, day: int) -> bool:
    """Whether a sentence tells of the day as something still to come."""
    return sentence.published <= day and looks_ahead(sentence.text)


def _is_repeated(sentence: StorySentence, shown: Sequence[StorySentence]) -> bool:
    return any(dot(sentence.vector, other.vector) >= _REPEATED for other in shown)


DIGEST_SYSTEMS: dict[str, Callable[[Story, Choice], ChosenDays]] = {
    "ours": choose_ours,
    "datewise": choose_datewise,
    "clust": choose_clust,
    "submodular": choose_submodular,
}
"""Who chooses days and sentences, by the name that `--system` takes."""


def make_digest(
    documents: Iterable[Document],
    event: Event,
    *,
    dates: int = 30,
    sentences: int = 2,
    system: str = "ours",
    zone: tzinfo = UTC,
    chosen: bool = False,
    shorten: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Digest:
    """An event by days: at most `dates` days with at most `sentences` sentences each, days in time order.

    Args:
        documents: any documents, in any order; those that are not about the event are passed over.
        event: what to tell of; its period bounds the days.
        dates, sentences: at most so many, at least 1.
        system: one of `DIGEST_SYSTEMS`.
        zone: on whose clock days are counted.
        chosen: the documents were chosen for the event already: none is passed over.
        shorten: what sentences can do without is cut (`ballast`), those of the opening excepted.
        progress: called with how much is done and of how much (0 while that is not known).

    Raises:
        UsageError: no such system, or a number below 1.

    >>> said = ("A ferry is on fire near Nador today.", "Divers were at the scene of the ferry fire on Wednesday.")
    >>> documents = [Document(id=f"d{n}", published_time=n * 86400, text=text) for n, text in enumerate(said, 5)]
    >>> digest = make_digest(documents, Event(id="1", title="", query="ferry fire"))
    >>> [(day.date, day.sentences[0].text) for day in digest.days]  # doctest: +ELLIPSIS
    [('1970-01-06', 'A ferry is on fire ...'), ('1970-01-07', 'Divers were ...')]
    """
    if system not in DIGEST_SYSTEMS:
        raise UsageError(f"system {system!r} (expected one of: {', '.join(DIGEST_SYSTEMS)})")
    for name, number in (("dates", dates), ("sentences", sentences)):
        if number < 1:
            raise UsageError(f"{name} {number} (expected a number from 1 on)")
    story = read_story(documents, event, zone=zone, chosen=chosen, progress=progress)
    days = DIGEST_SYSTEMS[system](story, Choice(dates, sentences, progress))
    digest = digest_of(story, days, system, shorten=shorten)
    if not digest.days:
        return digest
    return replace(
        digest, opening=opening_lines(story, [chosen_line for some in days.values() for chosen_line in some])
    )


def digest_of(story: Story, chosen: ChosenDays, system: str, *, shorten: bool = False) -> Digest:
    """The digest of the days and sentences that a system has chosen."""
    support: dict[int, set[int]] = {}
    for number, day in enumerate(story.published):
        support.setdefault(day, set()).add(number)
    for sentence in story.sentences:
        for day in sentence.days:
            support.setdefault(day, set()).add(sentence.document)
    return Digest(
        event=story.event,
        system=system,
        days=tuple(
            DigestDay(
                date.fromordinal(day).isoformat(),
                tuple(sentence.evidence(shorten=shorten) for sentence in chosen[day]),
                len(support.get(day, ())),
            )
            for day in sorted(chosen)
            if chosen[day]
        ),
        documents=story.documents_read,
        story_documents=len(story.published),
        first_time=story.first_time,
        last_time=story.last_time,
    )
