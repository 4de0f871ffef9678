"""Which questions of a topic something changed on, day by day, each with its documents; silence where nothing did.

    documents of a day ──▶ evidence of each sentence ──▶ how likely it is to be new and to answer (logistic)
                                                              │
    a document's score: 1 − Π (1 − p) over its sentences ◀────┘
    a question is answered on a day where its best document reaches LEVEL, with the documents that reach DOCUMENT_LEVEL

A day is answered from what was published up to its end, and from nothing later. The weights are in `weights.json`
(scripts/changes.py train); what a run reported does not enter, so that a topic's answers do not depend on others'.

The evidence that a sentence brings a change on a question: is it on the topic, does it answer, and is it new?

    topic, question ──▶ QuestionMemory ◀── sentences of earlier days that seemed to answer, and the examples
                              │
    document ──▶ ReadDocument ─▶ evidence(memory, document): a row of numbers for each sentence that may answer

Weights of stems are their rarity in the news at large, ln(1001 / (documents of 1,000 + .5)). Whether a claim is new is
asked of what was there before the day alone, so that the order of documents within a day does not count.
"""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from math import fsum, log, log1p

import msgspec
import numpy as np
from msgspec import Struct

from tidings.analysis import find_casualties
from tidings.core import Document, UsageError, cut, shared_analyzer
from tidings.following.background import usual
from tidings.following.changes.formats import MOST_DOCUMENTS, Answer, Question, RankedDocument, Topic
from tidings.following.digests.relevance import dot, unit

TOPIC_TERMS = (
    8  # the heaviest stems of label and narrative: a long narrative has many words that are not its topic
)
_NARRATIVE_WEIGHT = 0.5
_LEAST_TOPIC = 0.25  # of the topic's weight: a document that holds less is not read for its questions
_MOST_SENTENCES, _LONGEST = 60, 1_000  # of a document; characters of a sentence
_LEAST_STEMS = 4
_REMEMBERED = 300  # sentences, of each question
_REMEMBER_FROM = 0.75
_NUMBER = re.compile(r"\d[\d,.]*")
_ASKING = frozenset(
    shared_analyzer().stems(
        "how many much people what who whom whose when where why which happen new does did find say know want tell "
        "follow topic examine learn interested"
    )
)
FEATURES = (
    "topic in the document", "topic in the sentence", "topic cosine", "question in the sentence",
    "question around it", "answers", "answers, counted", "examples cosine", "like an example",
    "length", "position", "capitals", "sentences", "new words", "new numbers", "nearest answer",
    "documents on the topic",
)  # fmt: skip
CLAIMS = ("new words", "new numbers", "nearest answer")
"""The features that say whether a claim is new."""


@lru_cache(maxsize=1)
def _cues() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    tables = tomllib.loads(files(__package__).joinpath("cues.toml").read_text(encoding="utf-8"))
    return tuple(
        (kind, re.compile(table["asks"], re.IGNORECASE), re.compile(table["gives"], re.IGNORECASE))
        for kind, table in tables.items()
    )


def rarity(stem: str) -> float:
    """How rare a stem is in news: 7.6 for one that is in no document of 1,000, about 0 for one that is in all."""
    return usual(stem).rarity


def _vector(stems: Iterable[str]) -> dict[str, float]:
    counts = Counter(stems)
    return unit({stem: (1.0 + log(count)) * rarity(stem) for stem, count in counts.items()})


def _share(weights: Mapping[str, float], stems: frozenset[str], total: float) -> float:
    return fsum(weight for stem, weight in weights.items() if stem in stems) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as it is compared: its sentences with their stems, and all stems together."""

    id: str
    sentences: tuple[str, ...]
    stems: tuple[tuple[str, ...], ...]
    all_stems: frozenset[str]


def read_document(document: Document) -> ReadDocument:
    """Read the first sentences of a document."""
    texts = tuple(sentence.text[:_LONGEST] for sentence in cut(document).sentences[:_MOST_SENTENCES])
    stems = tuple(shared_analyzer().stems(text) for text in texts)
    return ReadDocument(document.id, texts, stems, frozenset(stem for found in stems for stem in found))


class TopicTerms:
    """The stems by which a topic is known."""

    def __init__(self, topic: Topic) -> None:
        stems = shared_analyzer().stems
        label = frozenset(stems(topic.label.replace("-", " "))) - _ASKING
        narrative = frozenset(stems(topic.narrative)) - _ASKING
        weights = {
            stem: rarity(stem) * (1.0 if stem in label else _NARRATIVE_WEIGHT)
            for stem in sorted(label | narrative)
            if not stem.isdigit()
        }
        heaviest = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:TOPIC_TERMS]
        self.weights = dict(heaviest)
        self.total = fsum(self.weights.values())
        self.vector = unit(self.weights)
        self.documents = 0

    def share(self, stems: frozenset[str]) -> float:
        """The share of the topic's weight that stems hold, 0 to 1."""
        return _share(self.weights, stems, self.total)

    def is_about(self, document: ReadDocument) -> bool:
        """Whether a document is read for the topic's questions."""
        return self.share(document.all_stems) >= _LEAST_TOPIC


class MemoryState(Struct, frozen=True, array_like=True):
    """What a question remembers, as it is kept: the stems of its examples, and sentences as stems and numbers."""

    examples: dict[str, int]
    remembered: list[tuple[list[str], list[str]]]


@dataclass(slots=True)
class _Candidate:
    stems: frozenset[str]
    numbers: frozenset[str]


@dataclass(slots=True)
class QuestionMemory:
    """What is known of a question: its words, its examples, and the sentences that seemed to answer it before today."""

    question: Question
    own: dict[str, float]
    kinds: tuple[int, ...]
    counts: bool
    examples: Counter[str] = field(default_factory=Counter)
    example_vector: dict[str, float] = field(default_factory=dict)
    remembered: deque[_Candidate] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    words: Counter[str] = field(default_factory=Counter)
    numbers: Counter[str] = field(default_factory=Counter)
    today: list[_Candidate] = field(default_factory=list)

    @classmethod
    def of(cls, question: Question, topic: TopicTerms) -> QuestionMemory:
        """What a question asks for beside its topic."""
        stems = frozenset(shared_analyzer().stems(question.question)) - _ASKING
        own = {stem: rarity(stem) for stem in sorted(stems) if stem not in topic.weights}
        kinds = tuple(n for n, (_, asks, _) in enumerate(_cues()) if asks.search(question.question))
        return cls(question, own, kinds, any(_cues()[kind][0] == "count" for kind in kinds))

    def end_day(self) -> None:
        """Take what seemed to answer today for known."""
        for found in self.today:
            if len(self.remembered) == _REMEMBERED:
                oldest = self.remembered[0]
                self.words.subtract(oldest.stems)
                self.numbers.subtract(oldest.numbers)
            self.remembered.append(found)
            self.words.update(found.stems)
            self.numbers.update(found.numbers)
        self.today.clear()
        self.words, self.numbers = +self.words, +self.numbers

    def state(self) -> MemoryState:
        """What is remembered between two days."""
        remembered = [(sorted(found.stems), sorted(found.numbers)) for found in self.remembered]
        return MemoryState(dict(self.examples), remembered)

    def restore(self, state: MemoryState) -> None:
        """Go on from what was remembered."""
        self.examples = Counter(state.examples)
        self.example_vector = _vector(self.examples.elements()) if self.examples else {}
        self.today = [_Candidate(frozenset(stems), frozenset(numbers)) for stems, numbers in state.remembered]
        self.end_day()

    def learn(self, document: ReadDocument) -> None:
        """Take a document for an example, if the question names it."""
        if document.id in self.question.rel_docs:
            self.examples.update(stem for stems in document.stems for stem in stems)
            self.example_vector = _vector(self.examples.elements())


def evidence(
    memory: QuestionMemory, topic: TopicTerms, document: ReadDocument, vector: dict[str, float]
) -> list[tuple[int, list[float]]]:
    """The number and a row of FEATURES of each sentence that holds a word of the question, or what it asks for.

    `vector` is that of all stems of the document. What seems to answer is remembered, and taken for known from the next
    day on.
    """
    own, own_total = memory.own, fsum(memory.own.values())
    examples = memory.example_vector
    in_document, topic_cosine = topic.share(document.all_stems), dot(vector, topic.vector)
    examples_cosine = dot(vector, examples)
    rows = []
    for place, (text, stems) in enumerate(zip(document.sentences, document.stems, strict=True)):
        if len(stems) < _LEAST_STEMS:
            continue
        held = frozenset(stems)
        found = [len(_cues()[kind][2].findall(text)) for kind in memory.kinds]
        if memory.counts:
            found.append(2 * len(find_casualties(text)))
        answers = float(any(found))
        asked = _share(own, held, own_total)
        if not asked and not answers:
            continue
        around = frozenset(stem for near in document.stems[max(0, place - 1) : place + 2] for stem in near)
        weights = {stem: rarity(stem) for stem in sorted(held)}
        total = fsum(weights.values()) or 1.0
        numbers = frozenset(number.strip(".,") for number in _NUMBER.findall(text))
        like_example = dot(unit(weights), examples) if examples else 0.0
        nearest = max((_share(weights, known.stems, total) for known in memory.remembered), default=0.0)
        words = text.split()
        in_sentence = topic.share(held)
        rows.append((place, [
            in_document, in_sentence, topic_cosine, asked, _share(own, around, own_total), answers,
            log1p(sum(found)), examples_cosine, like_example, log(len(stems)), log1p(place),
            sum(word[:1].isupper() for word in words) / max(1, len(words)), log(len(document.sentences)),
            fsum(weight for stem, weight in weights.items() if stem not in memory.words) / total,
            log1p(sum(number not in memory.numbers for number in numbers)), nearest, log1p(topic.documents),
        ]))  # fmt: skip
        if in_sentence + 0.6 * asked + 0.3 * answers + 0.4 * like_example > _REMEMBER_FROM:
            memory.today.append(_Candidate(held, numbers))
    return rows


def read_day(
    topic: TopicTerms, questions: Sequence[QuestionMemory], documents: Sequence[ReadDocument]
) -> Iterator[tuple[QuestionMemory, ReadDocument, list[tuple[int, list[float]]]]]:
    """The evidence of a day's documents, all of which are there by then; afterwards what seemed to answer is known."""
    for document in documents:
        for memory in questions:
            memory.learn(document)
    about = [document for document in documents if topic.is_about(document)]
    for document in about:
        vector = _vector(stem for stems in document.stems for stem in stems)
        for memory in questions:
            if rows := evidence(memory, topic, document, vector):
                yield memory, document, rows
    topic.documents += len(about)
    for memory in questions:
        memory.end_day()


LEVEL = 0.1
"""How likely the best document of a question must be to bring a change, for the question to be answered on a day."""
DOCUMENT_LEVEL = 0.02
"""How likely a document must be to stand in the ranking of a question that is answered."""
_FURTHEST = 40.0  # of a logit: exp of more overflows


@dataclass(frozen=True)
class ChangeWeights:
    """A weight for each of FEATURES and for the products of pairs of them, on features of mean 0 and deviation 1."""

    bias: float
    means: np.ndarray
    deviations: np.ndarray
    weights: np.ndarray

    def likely(self, rows: Sequence[Sequence[float]]) -> np.ndarray:
        """How likely each row is to answer and to be new, 0 to 1."""
        columns = (with_products(np.asarray(rows, dtype=float)) - self.means) / self.deviations
        logits = np.clip(columns @ self.weights + self.bias, -_FURTHEST, _FURTHEST)
        likely: np.ndarray = 1.0 / (1.0 + np.exp(-logits))
        return likely


PRODUCTS = (
    ("topic in the sentence", "question in the sentence"), ("topic in the sentence", "answers"),
    ("topic in the sentence", "new words"), ("topic in the sentence", "nearest answer"),
    ("question in the sentence", "new words"), ("nearest answer", "nearest answer"),
    ("topic in the document", "topic in the document"),
)  # fmt: skip


def with_products(rows: np.ndarray) -> np.ndarray:
    """Rows of FEATURES with PRODUCTS behind them."""
    at = {name: place for place, name in enumerate(FEATURES)}
    products = [rows[:, at[left]] * rows[:, at[right]] for left, right in PRODUCTS]
    return np.column_stack([rows, *products])


@lru_cache(maxsize=1)
def change_weights() -> ChangeWeights:
    """The weights that come along."""
    content = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    arrays = (np.array(content[name], dtype=float) for name in ("means", "deviations", "weights"))
    return ChangeWeights(float(content["bias"]), *arrays)


@dataclass
class _FollowedTopic:
    topic: Topic
    terms: TopicTerms
    questions: list[QuestionMemory]


class ChangeTracker:
    """Answers the questions of topics a day at a time; bounded by what a question remembers (300 sentences).

    >>> from tidings.following.changes.formats import Question
    >>> ferry = Topic("t", "Ferry fire", "The fire on the ferry.", (Question("q", "How many people died?"),))
    >>> text = "The ferry fire killed twelve people, police said."
    >>> tracker = ChangeTracker([ferry])
    >>> [answer.qid for answer in tracker.push([Document(id="a", published_time=0, text=text)])["t"]]
    ['q']
    >>> tracker.push([Document(id="b", published_time=90_000, text="Wheat is dear.")])
    {'t': ()}
    """

    def __init__(
        self, topics: Iterable[Topic], *, weights: ChangeWeights | None = None, level: float = LEVEL
    ) -> None:
        self._weights = change_weights() if weights is None else weights
        self._level = level
        self._topics = []
        for topic in topics:
            terms = TopicTerms(topic)
            questions = [QuestionMemory.of(question, terms) for question in topic.questions]
            self._topics.append(_FollowedTopic(topic, terms, questions))

    def push(self, documents: Iterable[Document]) -> dict[str, tuple[Answer, ...]]:
        """Answer one day: of each topic, the questions on which something changed, the likeliest first."""
        by_id = {document.id: document for document in documents}  # one that several sources hold counts once
        read = [read_document(document) for document in by_id.values()]
        return {followed.topic.tid: self._answer(followed, read) for followed in self._topics}

    def state(self) -> dict[str, bytes]:
        """What is remembered of each topic, by its id."""
        return {
            followed.topic.tid: msgspec.msgpack.encode(
                (followed.terms.documents, [memory.state() for memory in followed.questions])
            )
            for followed in self._topics
        }

    def restore(self, states: Mapping[str, bytes]) -> None:
        """Go on from what a tracker of the same topics remembered.

        Raises:
            UsageError: it is of other topics, or damaged.
        """
        for followed in self._topics:
            try:
                state = msgspec.msgpack.decode(states[followed.topic.tid], type=tuple[int, list[MemoryState]])
                pairs = list(zip(followed.questions, state[1], strict=True))
            except (KeyError, ValueError) as error:  # msgspec's errors are ValueErrors
                raise UsageError(
                    f"what is kept of topic {followed.topic.tid} is damaged ({error}); start over with --restart"
                ) from None
            followed.terms.documents = state[0]
            for memory, kept in pairs:
                memory.restore(kept)

    def _answer(self, followed: _FollowedTopic, documents: Sequence[ReadDocument]) -> tuple[Answer, ...]:
        scores: dict[str, list[tuple[float, str]]] = {}
        for memory, document, rows in read_day(followed.terms, followed.questions, documents):
            likely = self._weights.likely([row for _, row in rows])
            score = 1.0 - float(np.prod(1.0 - likely))
            scores.setdefault(memory.question.qid, []).append((score, document.id))
        ranked = {qid: sorted(found, key=lambda pair: (-pair[0], pair[1])) for qid, found in scores.items()}
        answered = [
            memory.question
            for memory in followed.questions
            if memory.question.qid in ranked and ranked[memory.question.qid][0][0] >= self._level
        ]
        answered.sort(key=lambda question: -ranked[question.qid][0][0])
        return tuple(
            Answer(
                question.qid,
                rank,
                question.question,
                tuple(
                    RankedDocument(name, round(score, 6))
                    for score, name in ranked[question.qid][:MOST_DOCUMENTS]
                    if score >= DOCUMENT_LEVEL
                ),
            )
            for rank, question in enumerate(answered)
        )


def by_days(documents: Iterable[Document]) -> Iterator[tuple[str, list[Document]]]:
    """The documents of each day (UTC), which must come in the order of their times."""
    day, held = "", list[Document]()
    for document in documents:
        its_day = datetime.datetime.fromtimestamp(document.published_time, datetime.UTC).date().isoformat()
        if its_day != day and held:
            yield day, held
            held = []
        day = its_day
        held.append(document)
    if held:
        yield day, held
