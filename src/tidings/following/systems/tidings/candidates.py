"""What is considered for an update, what waits for a better wording, and what an update has said already.

Whether an update has said what a sentence says: the words that most of what is said of the event shares (its query,
its topic) do not count: they are no news. But where they are counted too, of a sentence of twelve words and more
seven tenths repeat: early in a story the words of a report that several outlets copy are all that is shared. Where
the sentence counts something in a number that no update has given, only nearly the same words repeat; more casualties
than any update has given are always news. After two days too only nearly the same words repeat: who is sentenced to
four years was said to face them, and who lost an appeal to have made one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tidings.analysis import Surfaces, label_end
from tidings.core import Sentence, Update
from tidings.following.systems.stages import UNLIMITED
from tidings.following.systems.tidings.text_features import ReadDocument, WeighedText, casualties_of

if TYPE_CHECKING:
    from tidings.following.systems.tidings.stream_memory import Postings


_MOST_WORDINGS = 20
_MOST_GROUPS = 500

Weighed = tuple[Mapping[str, float], float]
"""Stems with their weights, and the length of that vector."""


class Wording(Struct):
    """A sentence that may be emitted: its probability, its casualties, its stems with weights and their length."""

    sentence: Sentence
    probability: float
    casualties: dict[str, int]
    stems: Mapping[str, float]
    norm: float


class Waiting:
    """Groups of wordings of one thing, each from when its first was met.

    Args:
        wait_s: for how long a group waits, in seconds of event time.
        likeness: the cosine from which a wording joins a group.

    The best wording of a group states the most casualties of its kind; of those it is the one with the highest sum of
    its probability and its mean cosine to the others, the earliest where two are equal.

    >>> waiting = Waiting(wait_s=3600, likeness=0.5)
    >>> first = Wording(Sentence("d1", 0, "A ferry burnt.", 60), 0.7, {}, {"ferri": 3.0, "burnt": 1.0}, 3.2)
    >>> other = Wording(Sentence("d2", 0, "The ferry burnt.", 90), 0.9, {}, {"ferri": 3.0, "burnt": 1.0}, 3.2)
    >>> waiting.join(first), waiting.begin(first, 60), waiting.join(other)
    (False, None, True)
    >>> [one.sentence.doc_id for one in waiting.due(100)], [one.sentence.doc_id for one in waiting.due(3660)]
    ([], ['d2'])
    """

    def __init__(self, wait_s: int, likeness: float) -> None:
        self._wait_s, self._likeness = wait_s, likeness
        self._groups: list[tuple[int, list[Wording]]] = []

    def __len__(self) -> int:
        return len(self._groups)

    def join(self, wording: Wording) -> bool:
        """Add a wording to the group that it is most like, if any is like it; whether one was."""
        best, nearest = None, self._likeness
        for _, wordings in self._groups:
            likeness = max(_cosine(wording, other) for other in wordings)
            if likeness >= nearest:
                best, nearest = wordings, likeness
        if best is None:
            return False
        if len(best) < _MOST_WORDINGS:
            best.append(wording)
        return True

    def begin(self, wording: Wording, now: int) -> None:
        """Let a wording wait as the first of a group."""
        self._groups.append((now, [wording]))

    def put_back(self, wording: Wording, now: int) -> None:
        """Let one that was due wait on as the first of a group, due again with the next look."""
        self._groups.insert(0, (now - self._wait_s, [wording]))

    def due(self, now: int, room: int = UNLIMITED) -> list[Wording]:
        """The best wordings of the groups whose time is up, which then wait no more; those of too many groups too.

        Where there is `room` for fewer than wait, the most important come first, and of those that are due only what
        is among so many of all that wait is given; the others never are.
        """
        count = len(self._groups)
        ready = [
            number
            for number, (begun, _) in enumerate(self._groups)
            if begun + self._wait_s <= now or number < count - _MOST_GROUPS
        ]
        given = ready
        if ready and count > room:
            order = sorted(range(count), key=lambda number: -_importance(self._groups[number][1]))
            given = [number for number in order[:room] if number in set(ready)]
        best = [_best(self._groups[number][1]) for number in given]
        for number in reversed(ready):
            del self._groups[number]
        return best

    def state(self) -> Any:
        """What waits, as plain values."""
        return [
            (
                begun,
                [
                    (msgspec.structs.astuple(wording.sentence), wording.probability, wording.casualties)
                    for wording in wordings
                ],
            )
            for begun, wordings in self._groups
        ]

    def restore(self, state: Sequence[Any], weigh: Callable[[str], Weighed]) -> None:
        """Become what gave `state`; `weigh` gives the stems of a text."""
        self._groups = [
            (
                begun,
                [_wording(parts, probability, casualties, weigh) for parts, probability, casualties in own],
            )
            for begun, own in state
        ]


def _wording(
    parts: Sequence[Any], probability: float, casualties: dict[str, int], weigh: Callable[[str], Weighed]
) -> Wording:
    values = list(parts)
    values[6] = None if values[6] is None else tuple(values[6])
    sentence = Sentence(*values)
    stems, norm = weigh(sentence.text)
    return Wording(sentence, probability, casualties, stems, norm)


def _cosine(wording: Wording, other: Wording) -> float:
    return cosine((wording.stems, wording.norm), (other.stems, other.norm))


def cosine(one: Weighed, other: Weighed) -> float:
    """How alike two texts are."""
    small, large = sorted((one[0], other[0]), key=len)
    product = sum(weight * large[stem] for stem, weight in small.items() if stem in large)
    return product / (one[1] * other[1]) if one[1] and other[1] else 0.0


def _best(wordings: Sequence[Wording]) -> Wording:
    most = {
        kind: max(wording.casualties.get(kind, 0) for wording in wordings)
        for wording in wordings
        for kind in wording.casualties
    }
    latest = [
        wording
        for wording in wordings
        if all(wording.casualties.get(kind, 0) == value for kind, value in most.items())
    ]
    chosen = latest or wordings
    return max(
        chosen,
        key=lambda one: one.probability + sum(_cosine(one, other) for other in wordings) / len(wordings),
    )


def _importance(wordings: Sequence[Wording]) -> float:
    """How much of what its best wording says the wordings of a group say, times its probability."""
    best = _best(wordings)
    return best.probability * sum(_cosine(best, other) for other in wordings)


_FEWEST = 2  # stems of its own, without which a sentence joins no group
_LONG = 12
_WHOLE = 0.7


def repeats(
    candidate: ArticleCandidate | Wording,
    emitted: Postings[str],
    is_old: Any,
    common: frozenset[str] | set[str],
    casualties: Mapping[str, int],
    limits: Limits,
    has_new_number: Callable[[], bool],
    words_only: bool,
) -> bool:
    """Whether one of the updates, whose stems are `emitted`, has said what the candidate says.

    Args:
        candidate: a sentence with its stems, weighed, and its casualties.
        emitted: the stems of the updates.
        is_old: of each of their rows, whether it is older than two days.
        common: the stems that do not count.
        casualties: the highest number of each kind that an update has given.
        limits: `contained`, the share of a sentence's weight above which an update that holds it has said it; `same`,
            that share where a number is new, or the update is old.
        has_new_number: tells whether it counts something in a number that no update has given.
        words_only: ask for `same` of any sentence.
    """
    own = {stem: weight for stem, weight in candidate.stems.items() if stem not in common}
    if len(own) < _FEWEST:
        own = dict(candidate.stems)
    contained = _containment(own, emitted, is_old, limits.same)
    if len(candidate.stems) >= _LONG:
        whole = _containment(candidate.stems, emitted, is_old, limits.same)
        contained = max(contained, limits.contained * whole / _WHOLE)
    if contained <= min(limits.same, limits.contained):
        return False
    if any(value > casualties.get(kind, 0) for kind, value in candidate.casualties.items()):
        return False
    return contained > (limits.same if words_only or has_new_number() else limits.contained)


def _containment(stems: Mapping[str, float], emitted: Postings[str], is_old: Any, same: float) -> float:
    """The largest share of the weight of these stems that one update holds; of an old one only from `same` on."""
    row, _, weight = emitted.meet(stems)
    if not len(row):
        return 0.0
    import numpy as np

    shares = np.bincount(row, weights=weight, minlength=len(is_old)) / sum(stems.values())
    return float(np.maximum.reduce(shares[~is_old | (shares > same)], initial=0.0))


FRESH_S = 28 * 86_400
"""For how long after the first one all updates count in `emitted`: longer than the events that were learned from."""

EMITTED_HALF_LIFE_S = 16 * 86_400
"""How long it takes after that until an update counts half."""

PACED_EMITTED = 20
"""At a pace `emitted` grows no further than this."""

PACED_WORDS = 40
"""At a pace sentences of so many words may be emitted."""

PACED_LENGTH = (14.0, log(14.0))
"""At a pace the features `words` and `log_words` of every sentence."""


_OPENING = 6
_SAYS_TITLE = 0.5
_NO_NEWS = frozenset({"none", "asks", "opines"})


def is_no_news(mode: str, surfaces: Surfaces, number: int) -> bool:
    """Whether a sentence is emitted at a pace only when all else is used up: asks, opines, or someone's own word.

    Readers' comments are such. What someone says of himself in quotation marks is another matter.
    """
    return mode in _NO_NEWS or bool(
        surfaces.first[number] and not surfaces.quotes[number] and mode != "quotes"
    )


class Limits(Struct, frozen=True):
    """How much is remembered, and which sentences are looked at."""

    min_words: int = 4
    max_words: int = 25
    memory: int = 512
    max_kept: int = 200
    max_sentences: int = 2_000
    article_words: int = 45
    longest: int = 60
    most_letters: int = 2_000
    least_value: float = 0.1
    likeness: float = 0.4
    contained: float = 0.5
    same: float = 0.8

    @property
    def seen(self) -> int:
        """How many texts are known again."""
        return 8 * self.memory


class ArticleCandidate(Struct):
    """A sentence of a whole article under consideration: its words, the answers about it, and the decision's features.

    `raises_toll`: it gives more dead than any update has.
    """

    sentence: Sentence
    weighed: WeighedText
    answers: tuple[float, ...]
    row: tuple[float, ...]
    rank: int = 0
    raises_toll: bool = False

    @property
    def stems(self) -> dict[str, float]:
        """Its stems, each once, with their weights."""
        return self.weighed.stems

    @property
    def norm(self) -> float:
        """The length of the vector that they make."""
        return self.weighed.norm

    @property
    def casualties(self) -> dict[str, int]:
        """So many people of each kind, as it counts them."""
        return casualties_of(self.sentence.text, self.weighed)

    @property
    def states(self) -> bool:
        """Whether it is likelier than not to state something."""
        _, states, _, _ = self.answers
        return states >= 0.5

    @property
    def states_news(self) -> bool:
        """Whether it is likelier than not to state something, and to be news of the day."""
        _, _, news, _ = self.answers
        return self.states and news >= 0.5


def is_title(candidate: ArticleCandidate) -> bool:
    """Whether a candidate is the title of its document, from where its label ends."""
    title = candidate.sentence.title
    return candidate.sentence.text == title[label_end(title) :]


def title_first(scored: list[tuple[float, ArticleCandidate]]) -> list[tuple[float, ArticleCandidate]]:
    """Of the scored candidates of an item of a feed the title alone, if it states something that none below it says.

    The likeliest sentence then holds less than half of the title's weight: it tells what else is to be said ("The
    direct talks last week came as officials ..."). The title gets its probability. Otherwise all of them, as they are.
    """
    probability, likeliest = max(scored, key=itemgetter(0), default=(0.0, None))
    title = next((one for _, one in scored if is_title(one)), None)
    if title is None or likeliest is None or title is likeliest or not title.states:
        return scored
    held = sum(weight for stem, weight in title.stems.items() if stem in likeliest.stems)
    return scored if held >= _SAYS_TITLE * title.weighed.mass else [(probability, title)]


def main_first(
    updates: list[Update], documents: Sequence[ReadDocument], weigh: Callable[[str], Weighed]
) -> list[Update]:
    """The updates of articles that came together, first what others of them open with too and is likely an update."""
    if not (updates[1:] and documents[1:]):
        return updates
    openings = {
        document.sentences[0].sentence.doc_id: [
            weigh(one.sentence.text) for one in document.sentences[:_OPENING]
        ]
        for document in documents
    }

    def importance(update: Update) -> float:
        own = weigh(update.text)
        taken_up = sum(
            max(cosine(own, other) for other in opening)
            for doc_id, opening in openings.items()
            if doc_id != update.doc_id
        )
        return taken_up * (update.confidence or 0.0)

    return sorted(updates, key=importance, reverse=True)


class Candidate(Struct, gc=False):
    """A sentence under consideration: its stems (each once) with their weights, its features, its rank at a pace."""

    stems: dict[str, float]
    norm: float
    casualties: dict[str, int]
    features: Any
    rank: int = 0
