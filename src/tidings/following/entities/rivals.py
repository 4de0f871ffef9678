"""What AdaptER is measured against: counts, TAER, and IUS turned into a ranker of entities.

`taer`: Demartini, Missen, Blanco and Zaragoza (CIKM 2010) rank the entities of a document by features of the document
and of the relevant ones before it; the frequency in the history, F(e,H), was the best single one, and joined with the
frequency in the document, F(e,d), among the best pairs. Reconstructed: with the documents of a day for d, a · log(1 +
F(e,d)) + b · log(1 + F(e,H)); a = b = 1, or as a model file says.

`ius`: incremental update summarization (McCreadie, Macdonald and Ounis, CIKM 2014) as section 6.2 of "Balancing Novelty
and Salience" (CIKM 2015) has it: no cut-off; a learned order of sentences; "the ranking score of the entity is
calculated as the average of scores of all of its sentences across all documents". Reconstructed: the learner, a linear
RankSVM over the sentences of a day, and its features, which are of the three kinds that the title and abstract of the
paper of 2014 name: prevalence, novelty beside the days before, quality.
"""

from __future__ import annotations

from itertools import chain

import msgspec
import numpy as np
from msgspec import Struct, field

from tidings.core import check_arrays, read_model
from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features.matrix import FeatureMatrix
from tidings.following.entities.features.word_facts import stem_of_token
from tidings.following.entities.ranker import (
    SIDE_OF,
    Array,
    Contribution,
    EntityRanker,
    RankedEntity,
    Side,
    by_amount,
    in_order,
    other_features,
    row_of,
)


class CountRanker(EntityRanker):
    """By one feature as it was computed."""

    def __init__(self, name: str, feature: str) -> None:
        self.name, self.feature = name, feature

    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities by the feature, greatest first."""
        return in_order(matrix.ids, matrix.raw[:, matrix.names.index(self.feature)])

    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """The feature itself."""
        row, column = row_of(matrix, entity_id), matrix.names.index(self.feature)
        value = float(matrix.raw[row, column])
        amount = value - float(matrix.raw[:, column].mean())
        place = float(matrix.values[row, column])
        return [Contribution(self.feature, SIDE_OF[self.feature], value, place, amount)]


MOST_ENTITIES = 50_000
"""Entities whose history is kept; those not named for longest go first."""


class _History(Struct):
    """Mentions of each entity before the day that was ranked last, and on that day."""

    date: str = ""
    before: dict[int, int] = field(default_factory=dict)
    today: dict[int, int] = field(default_factory=dict)

    def come_to(self, day: EventDay) -> None:
        if day.date == self.date:
            return
        for number, count in self.today.items():
            self.before[number] = self.before.pop(number, 0) + count
        while len(self.before) > MOST_ENTITIES:
            del self.before[next(iter(self.before))]
        self.date = day.date
        self.today = {entity.id: len(entity.mentions) for entity in day.entities}


class Taer(EntityRanker):
    """By log(1 + mentions today) + log(1 + mentions on earlier days), each times its weight."""

    name = "taer"

    def __init__(self, weights: Array | None = None) -> None:
        self.weights = np.ones(2) if weights is None else weights
        self._history = _History()

    @classmethod
    def of(cls, model: str) -> Taer:
        """With the weights of a model file; both 1 where none is named."""
        if not model:
            return cls()
        read = read_model("entities-taer", model)
        check_arrays(read, {"weights": "(2)"}, {})
        return cls(read.array("weights").astype(float))

    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities by both frequencies."""
        return in_order(matrix.ids, self.rows(day, matrix) @ self.weights)

    def rows(self, day: EventDay, matrix: FeatureMatrix) -> Array:
        """Both frequencies of the day's entities, as logarithms: (entities, 2)."""
        self._history.come_to(day)
        counts = [self._history.today, self._history.before]
        return np.log1p([[own.get(number, 0) for own in counts] for number in matrix.ids]).reshape(-1, 2)

    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """What both frequencies add."""
        row = row_of(matrix, entity_id)
        rows = self.rows(day, matrix)
        contributions = [
            Contribution(
                name,
                "salience",
                float(np.expm1(values[row])),
                float((values < values[row]).mean()),
                float(weight * (values[row] - values.mean())),
            )
            for name, values, weight in zip(
                ("mentions", "mentions before"), rows.T, self.weights, strict=True
            )
        ]
        return by_amount(contributions)

    def state(self) -> bytes:
        """The frequencies so far."""
        return msgspec.msgpack.encode(self._history)

    def restore(self, state: bytes) -> None:
        """Go on from where `state` was taken."""
        self._history = msgspec.msgpack.decode(state, type=_History)


SENTENCE_FEATURES: dict[str, Side] = {
    "alike": "salience",
    "copies": "salience",
    "day_share": "salience",
    "expansion": "salience",
    "confidence": "salience",
    "new": "informativeness",
    "new_stems": "informativeness",
    "new_figures": "informativeness",
    "length": "salience",
    "stop_share": "salience",
    "capital_share": "salience",
    "figures": "salience",
    "position": "salience",
    "title": "salience",
}
"""What `ius` sees of a sentence, with the side on which it counts: prevalence, novelty, then quality.

`alike` is the mean cosine to the day's other sentences, `copies` log(1 + those with a cosine over .8), `day_share` the
mean share of the day's documents that have a stem of it, `expansion` the share of the stems by which the query is
widened that day, `confidence` its document's times the documents; `new` 1 - the greatest cosine to a sentence of an
earlier day, `new_stems` and `new_figures` the stems (a share) and figures (halves, 1 at most) that none of those has;
`length` log(1 + tokens), `stop_share` and `capital_share` of its tokens, `figures` thirds, 1 at most, `position` 1 /
(1 + its number), `title` 1 for one.
"""
MOST_SENTENCES = 400
"""Sentences of earlier days that are kept, the latest ones."""
_COPY = 0.8  # cosine above which a sentence counts as a copy


class EarlierSentences(Struct):
    """The stems of the sentences of earlier days, and of the day that was ranked last."""

    date: str = ""
    before: list[list[str]] = field(default_factory=list)
    today: list[list[str]] = field(default_factory=list)

    def come_to(self, day: EventDay) -> None:
        """Take in that a day is ranked; the same day again changes nothing."""
        if day.date != self.date:
            self.before = [*self.before, *self.today][-MOST_SENTENCES:]
            self.date = day.date
            self.today = [
                [stem for stem in map(stem_of_token, tokens) if stem]
                for document in day.documents
                for tokens in document.tokens
            ]


def sentence_rows(day: EventDay, today: list[list[str]], before: list[list[str]]) -> Array:
    """One row of `SENTENCE_FEATURES` for each sentence of the day's documents; `today` and `before` are stems."""
    numbers = {stem: number for number, stem in enumerate(dict.fromkeys(chain(*today, *before)))}
    counts = np.zeros((len(today) + len(before), len(numbers)), np.float32)
    for row, stems in enumerate([*today, *before]):
        for stem in stems:
            counts[row, numbers[stem]] += 1
    vectors = counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)
    own, earlier = vectors[: len(today)], vectors[len(today) :]
    cosines = own @ own.T
    np.fill_diagonal(cosines, 0.0)
    new = 1.0 - (own @ earlier.T).max(axis=1, initial=0.0)
    known = frozenset(chain(*before))
    documents = [document for document in day.documents for _ in document.sentences]
    sentences = [sentence for document in day.documents for sentence in document.sentences]
    tokens_of = [tokens for document in day.documents for tokens in document.tokens]
    in_documents: dict[str, set[str]] = {}
    for stems, document in zip(today, documents, strict=True):
        for stem in stems:
            in_documents.setdefault(stem, set()).add(document.id)
    count = max(1, len(day.documents))
    rows = []
    for number, (sentence, document, tokens, stems) in enumerate(
        zip(sentences, documents, tokens_of, today, strict=True)
    ):
        different = dict.fromkeys(stems)
        figures = [stem for stem in different if stem[0].isdigit()]
        rows.append(
            (
                float(cosines[number].sum()) / max(1, len(today) - 1),
                float(np.log1p((cosines[number] > _COPY).sum())),
                sum(len(in_documents[stem]) for stem in different) / count / max(1, len(different)),
                sum(stem in different for stem in day.expansion) / max(1, len(day.expansion)),
                document.confidence * count,
                float(new[number]),
                sum(stem not in known for stem in different) / max(1, len(different)),
                min(2, sum(stem not in known for stem in figures)) / 2,
                float(np.log1p(len(tokens))),
                1.0 - len(stems) / max(1, len(tokens)),
                sum(token[:1].isupper() for token in tokens) / max(1, len(tokens)),
                min(3, len(figures)) / 3,
                1.0 / (1 + max(0, sentence.index)),
                float(sentence.index < 0),
            )
        )
    return np.array(rows, float).reshape(-1, len(SENTENCE_FEATURES))


class SentenceRows:
    """The features of an event's sentences, day by day; days come in order."""

    def __init__(self) -> None:
        self.earlier = EarlierSentences()

    def rows(self, day: EventDay) -> Array:
        """One row of `SENTENCE_FEATURES` for each sentence of the day, document after document."""
        self.earlier.come_to(day)
        return sentence_rows(day, self.earlier.today, self.earlier.before)


class SentenceWeights(Struct, frozen=True):
    """A linear order of sentences: w · (x - mean) / scale over `SENTENCE_FEATURES`."""

    mean: Array
    scale: Array
    weights: Array


class SentenceRanker(EntityRanker):
    """`ius`: by the mean score of the sentences that mention an entity, over all of the day's documents."""

    name = "ius"

    def __init__(self, weights: SentenceWeights, rows: SentenceRows | None = None) -> None:
        self.weights = weights
        self._rows = rows or SentenceRows()

    @classmethod
    def of(cls, model: str = "") -> SentenceRanker:
        """With the weights of a model file, or of the one that comes with tidings."""
        read = read_model("entities-ius", model)
        if read.settings.get("sentence_features") != list(SENTENCE_FEATURES):
            raise other_features(read)
        count = f"({len(SENTENCE_FEATURES)})"
        arrays = check_arrays(read, dict.fromkeys(("mean", "scale", "weights"), count), nonzero=("scale",))
        return cls(SentenceWeights(**{name: array.astype(float) for name, array in arrays.items()}))

    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities by the mean of their sentences' scores, with the parts that both sides have in it."""
        parts = self._means(day, matrix) * self.weights.weights
        is_new = np.array([side == "informativeness" for side in SENTENCE_FEATURES.values()])
        return in_order(
            matrix.ids, parts.sum(axis=1), parts[:, ~is_new].sum(axis=1), parts[:, is_new].sum(axis=1)
        )

    def _means(self, day: EventDay, matrix: FeatureMatrix) -> Array:
        # The score is linear: the mean of scores is the score of the mean.
        rows = (self._rows.rows(day) - self.weights.mean) / self.weights.scale
        means = np.zeros((len(matrix.ids), len(SENTENCE_FEATURES)))
        for place, numbers in enumerate(sentences_of_entities(day, matrix)):
            if numbers:
                means[place] = rows[numbers].mean(axis=0)
        return means

    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """What each feature of sentences adds, beside an average entity of the day."""
        row = row_of(matrix, entity_id)
        means = self._means(day, matrix)
        values = means * self.weights.scale + self.weights.mean
        return by_amount(
            Contribution(
                name,
                side,
                float(values[row, column]),
                float((values[:, column] < values[row, column]).mean()),
                float(self.weights.weights[column] * (means[row, column] - means[:, column].mean())),
            )
            for column, (name, side) in enumerate(SENTENCE_FEATURES.items())
        )

    def state(self) -> bytes:
        """The stems of earlier sentences."""
        return msgspec.msgpack.encode(self._rows.earlier)

    def restore(self, state: bytes) -> None:
        """Go on from where `state` was taken."""
        self._rows.earlier = msgspec.msgpack.decode(state, type=EarlierSentences)


def sentences_of_entities(day: EventDay, matrix: FeatureMatrix) -> list[list[int]]:
    """For each row of the matrix the numbers of the sentences that mention the entity, document after document."""
    starts = [0]
    for document in day.documents:
        starts.append(starts[-1] + len(document.sentences))
    of_entity = {
        entity.id: sorted({starts[mention.document] + mention.sentence for mention in entity.mentions})
        for entity in day.entities
    }
    return [of_entity.get(entity_id, []) for entity_id in matrix.ids]
