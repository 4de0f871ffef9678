"""Which questions of a topic something changed on, day by day, each with its documents; silence where nothing did.

    documents of a day ──▶ evidence of each sentence ──▶ how likely it is to be new and to answer (logistic)
                                                              │
    a document's score: 1 − Π (1 − p) over its sentences ◀────┘
    a question is answered on a day where its best document reaches LEVEL, with the documents that reach DOCUMENT_LEVEL

A day is answered from what was published up to its end, and from nothing later. The weights are in `weights.json`
(scripts/changes.py train); what a run reported does not enter, so that a topic's answers do not depend on others'.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import msgspec
import numpy as np

from tidings.core import Document, UsageError
from tidings.following.changes.evidence import (
    FEATURES,
    MemoryState,
    QuestionMemory,
    ReadDocument,
    TopicTerms,
    read_day,
    read_document,
)
from tidings.following.changes.formats import MOST_DOCUMENTS, Answer, RankedDocument, Topic

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
