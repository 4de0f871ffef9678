"""How salient an entity is in a document, learned from graded documents: what salience features alone can tell.

A document is a day of its own. Two learners see the features of the salience side and their mean is taken: a linear
RankSVM on pairs of entities of a document that differ in grade, and boosted trees on grades made comparable within
each document.

Documents whose entities people graded by salience, as days of one document.

GUM: of each entity in how many of five summaries it is (0 to 5); the entities are the chains that have a name, their
mentions the given names and what co-reference finds to speak of them. Wikinews: what a crowd said of entities that were
linked to Wikipedia (0 to 3); their mentions are where their words stand, and the chains of names that they are in.
"""

from __future__ import annotations

import gzip
import html
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from name_corpora import GumDocument, read_gum

from tidings.analysis.names.coreference import Chain, resolve
from tidings.analysis.names.recogniser import NameRecogniser
from tidings.analysis.names.tagging import token_spans
from tidings.core.errors import UsageError
from tidings.core.models.files import Trees
from tidings.core.records.documents import Sentence
from tidings.core.text.sentences import split
from tidings.following.entities.event_days import DayDocument, DayEntity, EntityMention, EventDay
from tidings.following.entities.features.matrix import ENTITY_FEATURES, EntityFeatures
from tidings.research.training.model_files import need
from tidings.research.training.trees import learn_trees

Place = tuple[int, int, int]
"""(sentence, start, end) of a mention."""


class GradedDocument(Struct, frozen=True):
    """A document as a day of its own; `grades` by entities' ids; one is salient from the grade `salient` on."""

    id: str
    genre: str
    title: str
    day: EventDay
    grades: Mapping[int, float]
    salient: float


def read_graded_gum(folder: Path) -> Iterator[GradedDocument]:
    """GUM's documents, in the order of their names, those with two graded names or more."""
    for document in read_gum(folder):
        graded = _of_gum(document)
        if len(graded.grades) > 1:
            yield graded


def _of_gum(document: GumDocument) -> GradedDocument:
    sentences = [sentence.tokens for sentence in document.sentences]
    spans = [sentence.spans for sentence in document.sentences]
    owner: dict[tuple[int, int], int] = {}
    places: dict[int, dict[Place, str]] = defaultdict(dict)
    types: dict[int, Counter[str]] = defaultdict(Counter)
    for number, (own, chains) in enumerate(zip(spans, document.chains, strict=True)):
        for (start, end, kind), chain in zip(own, chains, strict=True):
            owner[number, start] = chain
            places[chain][number, start, end] = "name"
            types[chain][kind] += 1
    for found in resolve(sentences, spans):
        named = Counter(owner[one.sentence, one.start] for one in found.references if one.how == "name")
        [(chain, _)] = named.most_common(1)
        for one in found.references:
            if one.how != "name":
                places[chain].setdefault((one.sentence, one.start, one.end), one.how)
    kinds = {chain: own.most_common(1)[0][0] for chain, own in types.items()}
    day = _day(document.id, document.title, sentences, places, kinds)
    grades = {chain: float(document.grades.get(chain, 0)) for chain in places}
    return GradedDocument(document.id, document.genre, document.title, day, grades, 1.0)


class _Field(Struct):
    name: str
    value: str = ""


class _Graded(Struct):
    entityid: int
    score: float


class _Article(Struct):
    docId: int  # noqa: N815 - the file's own names
    title: str
    saliency: list[_Graded]
    document: list[_Field]


def read_graded_wikinews(folder: Path, recogniser: NameRecogniser) -> Iterator[GradedDocument]:
    """Wikinews' documents with crowd grades, in the order of the file."""
    words: dict[int, dict[int, list[str]]] = defaultdict(dict)
    try:
        listed = gzip.decompress((folder / "entity-titles.tsv.gz").read_bytes()).decode("utf-8")
        articles = gzip.decompress((folder / "wikinews.jsonl.gz").read_bytes()).splitlines()
    except OSError as error:
        raise UsageError(f"{folder}: no readable file ({error}) (expected graded documents)") from None
    for row in listed.splitlines():
        document, entity, _, grade, forms = row.split("\t")
        if float(grade) >= 0:
            words[int(document)][int(entity)] = [form.strip() for form in forms.split(",") if form.strip()]
    decoder = msgspec.json.Decoder(_Article)
    for line in articles:
        article = decoder.decode(line)
        graded = _of_wikinews(article, words[article.docId], recogniser)
        if len(graded.grades) > 1:
            yield graded


def _of_wikinews(
    article: _Article, words: Mapping[int, list[str]], recogniser: NameRecogniser
) -> GradedDocument:
    title = html.unescape(article.title)
    sentences = [_tokens(title)]
    for part in article.document:
        if part.name.startswith("body"):
            text = html.unescape(part.value)
            sentences += [_tokens(text[begin:stop]) for begin, stop in split(text)]
    spans = recogniser.spans(sentences)
    chains = resolve(sentences, spans)
    occurrences = {entity: _occurrences(sentences, forms) for entity, forms in words.items()}
    places: dict[int, dict[Place, str]] = {}
    types: dict[int, str] = {}
    claimed = _claims(chains, occurrences)
    for entity, own in occurrences.items():
        found: dict[Place, str] = dict.fromkeys(own, "name")
        taken = {(sentence, at) for sentence, start, end in own for at in range(start, end)}
        for number in claimed.get(entity, ()):
            types[entity] = chains[number].type
            for one in chains[number].references:
                if not any((one.sentence, at) in taken for at in range(one.start, one.end)):
                    found[one.sentence, one.start, one.end] = one.how
        if found:
            places[entity] = found
    day = _day(str(article.docId), title, sentences, places, types, first=-1)
    grades = {one.entityid: one.score for one in article.saliency if one.entityid in places}
    kept = tuple(entity for entity in day.entities if entity.id in grades)
    day = msgspec.structs.replace(day, entities=kept)
    return GradedDocument(f"wikinews-{article.docId}", "news", title, day, grades, 2.0)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in token_spans(text))


def _occurrences(sentences: Sequence[Sequence[str]], forms: Sequence[str]) -> list[Place]:
    """Where one of an entity's forms stands, the longest first, without overlap."""
    wanted = sorted({tuple(form.lower().split()) for form in forms}, key=lambda form: (-len(form), form))
    places = []
    for number, tokens in enumerate(sentences):
        low = [token.lower().rstrip(".") for token in tokens]
        taken = [False] * len(low)
        for form in wanted:
            size = len(form)
            for start in range(len(low) - size + 1):
                if tuple(low[start : start + size]) == form and not any(taken[start : start + size]):
                    taken[start : start + size] = [True] * size
                    places.append((number, start, start + size))
    return sorted(places)


def _claims(chains: Sequence[Chain], occurrences: Mapping[int, Sequence[Place]]) -> dict[int, list[int]]:
    """For each entity the chains whose names it shares more of than any other entity does, at least half of them."""
    at: dict[tuple[int, int], set[int]] = defaultdict(set)
    for entity, places in occurrences.items():
        for sentence, start, end in places:
            for token in range(start, end):
                at[sentence, token].add(entity)
    claims: dict[int, list[int]] = defaultdict(list)
    for number, chain in enumerate(chains):
        names = [reference for reference in chain.references if reference.how == "name"]
        shared = Counter(
            entity for name in names for entity in sorted(at.get((name.sentence, name.end - 1), ()))
        )
        if shared:
            entity, count = max(shared.items(), key=lambda item: (item[1], -item[0]))
            if 2 * count >= len(names):
                claims[entity].append(number)
    return claims


def _day(
    name: str,
    title: str,
    sentences: Sequence[Sequence[str]],
    places: Mapping[int, Mapping[Place, str]],
    types: Mapping[int, str],
    first: int = 0,
) -> EventDay:
    # A title that is a sentence has the number -1.
    tokens = tuple(tuple(own) for own in sentences)
    texts = tuple(
        Sentence(name, number, " ".join(own), 0, title=title) for number, own in enumerate(tokens, first)
    )
    entities = []
    for entity in sorted(places):
        mentions = tuple(
            EntityMention(0, sentence, start, end, " ".join(tokens[sentence][start:end]), how)
            for (sentence, start, end), how in sorted(places[entity].items())
        )
        labels = [mention.label for mention in mentions if mention.how == "name"]
        fullest = max(labels, key=lambda label: (len(label.split()), label))
        entities.append(DayEntity(entity, fullest, types.get(entity, ""), mentions))
    return EventDay("1970-01-01", 86_400, (DayDocument(texts, tokens, 1.0),), tuple(entities), 1)


Array = np.ndarray[Any, Any]


def kendall(scores: Array, grades: Array) -> float | None:
    """Kendall's tau-b, from -1 to 1; 0 where all scores are equal, None where all grades are.

    >>> round(kendall(np.array([3.0, 2.0, 1.0]), np.array([1.0, 1.0, 0.0])), 3)
    0.816
    """
    above = np.triu_indices(len(grades), 1)
    ours = np.sign(scores[:, None] - scores)[above]
    theirs = np.sign(grades[:, None] - grades)[above]
    if not theirs.any():
        return None
    return float((ours * theirs).sum() / np.sqrt((ours**2).sum() * (theirs**2).sum())) if ours.any() else 0.0


def spearman(scores: Array, grades: Array) -> float | None:
    """Spearman's rho with mean ranks for ties, from -1 to 1; 0 where all scores are equal, None where all grades are.

    >>> round(spearman(np.array([3.0, 2.0, 1.0]), np.array([1.0, 1.0, 0.0])), 3)
    0.866
    """
    ours, theirs = _ranks(scores), _ranks(grades)
    if not theirs.std():
        return None
    return float(np.corrcoef(ours, theirs)[0, 1]) if ours.std() else 0.0


def auc(scores: Array, salient: Array) -> float | None:
    """The chance that a salient entity has a greater score than another; ties count half. None without either.

    >>> auc(np.array([3.0, 2.0, 2.0]), np.array([True, True, False]))
    0.75
    """
    ours, others = scores[salient], scores[~salient]
    if not len(ours) or not len(others):
        return None
    return float(((ours[:, None] > others) + 0.5 * (ours[:, None] == others)).mean())


def ndcg(scores: Array, grades: Array) -> float | None:
    """Σ (2^grade - 1) / log2(1 + rank), over that of the best order; equal scores share the mean of their ranks' gain.

    None where all grades are 0.

    >>> round(ndcg(np.array([1.0, 2.0]), np.array([1.0, 0.0])) * float(np.log2(3)), 3)
    1.0
    """
    if grades.max() <= 0:
        return None
    gains = 2.0**grades - 1
    discount = 1 / np.log2(np.arange(len(grades)) + 2)
    order = np.argsort(-scores, kind="stable")
    shared = np.zeros(len(grades))
    for score in np.unique(scores):
        ties = scores[order] == score
        shared[ties] = discount[ties].mean()
    return float((gains[order] * shared).sum() / (np.sort(gains)[::-1] * discount).sum())


def _ranks(values: Array) -> Array:
    order = np.sort(values)
    ranks: Array = (np.searchsorted(order, values) + np.searchsorted(order, values, side="right") - 1) / 2
    return ranks


MEASURES = ("tau", "rho", "AUC", "nDCG")
"""Kendall's tau-b, Spearman's rho, AUC of the salient ones, nDCG of grades."""


def measured(
    scores: Sequence[Array], grades: Sequence[Array], salient: Sequence[Array]
) -> list[list[float | None]]:
    """For each of `MEASURES` the value of each document, None where it has none."""
    pairs = list(zip(scores, grades, strict=True))
    return [
        [kendall(own, graded) for own, graded in pairs],
        [spearman(own, graded) for own, graded in pairs],
        [auc(own, which) for own, which in zip(scores, salient, strict=True)],
        [ndcg(own, graded) for own, graded in pairs],
    ]


_CONSTANT = {"in_query", "confidence", "documents", "df", "lead_share", "headline_share"}
"""What is the same, or another feature again, where the day is one document."""

COLUMNS = tuple(
    number
    for number, feature in enumerate(ENTITY_FEATURES)
    if feature.side == "salience" and feature.name not in _CONSTANT
)
"""The columns of a matrix that salience is learned from."""

_COST = 0.001
_DEPTH, _RATE = 2, 0.05


class GradedRows(Struct, frozen=True):
    """A document's entities as rows: features by `values` (quantiles) and `raw`, grades, and which are salient.

    `first` is how early an entity is named: minus the tokens before its first mention.
    """

    id: str
    values: Any
    raw: Any
    grades: Any
    salient: Any
    first: Any

    @property
    def mentions(self) -> Array:
        """How often each entity is mentioned."""
        column: Array = self.raw[:, _NAMES.index("mentions")]
        return column


_NAMES = [feature.name for feature in ENTITY_FEATURES]


def rows_of(document: GradedDocument) -> GradedRows:
    """The features of a document's entities; its title stands for the query."""
    matrix = EntityFeatures(document.title).matrix(document.day)
    grades = np.array([document.grades[one] for one in matrix.ids], float)
    before = matrix.raw[:, matrix.names.index("words_before")]
    return GradedRows(document.id, matrix.values, matrix.raw, grades, grades >= document.salient, -before)


class SalienceModel(Struct, frozen=True):
    """Weights of the linear part over `COLUMNS` and the trees, which see quantiles and raw features."""

    weights: Any
    trees: Trees

    def scores(self, rows: GradedRows) -> Array:
        """How salient each entity of a document is, beside the others of it."""
        linear = rows.values[:, COLUMNS] @ self.weights
        return _standard(linear) + _standard(self.trees.predict(_seen(rows)))


def _seen(rows: GradedRows) -> Array:
    return np.hstack([rows.values[:, COLUMNS], rows.raw[:, COLUMNS]]).astype(np.float32)


def _standard(values: Array) -> Array:
    spread = values.std()
    scaled: Array = (values - values.mean()) / (spread if spread > 0 else 1.0)
    return scaled


def learn_salience(documents: Sequence[GradedRows], *, trees: int = 200) -> SalienceModel:
    """A model of the grades of documents.

    Each document counts the same in the linear part, however many pairs it has.

    Raises:
        UsageError: scikit-learn is not installed, or no document has two entities of different grades.
    """
    graded = [rows for rows in documents if len(set(rows.grades.tolist())) > 1]
    if not graded:
        raise UsageError("no document with entities of different grades (expected some to learn from)")
    targets = np.concatenate([_standard(rows.grades) for rows in graded])
    seen = np.vstack([_seen(rows) for rows in graded])
    boosted = learn_trees(seen, targets, trees=trees, depth=_DEPTH, rate=_RATE)
    return SalienceModel(_pairwise(graded), boosted)


def _pairwise(documents: Sequence[GradedRows]) -> Array:
    differences, counts = [], []
    for rows in documents:
        better, worse = np.nonzero(rows.grades[:, None] > rows.grades[None])
        seen = rows.values[:, COLUMNS]
        differences.append(seen[better] - seen[worse])
        counts.append(len(better))
    pairs = np.vstack(differences)
    scale = pairs.std(axis=0)
    scale[scale == 0] = 1.0
    weights = np.repeat(1 / np.array(counts), counts)
    weights *= len(pairs) / weights.sum()
    signs = np.where(np.arange(len(pairs)) % 2, 1, -1)
    learner = need("sklearn.svm").LinearSVC(
        C=1000 * _COST / len(pairs), fit_intercept=False, dual=False, random_state=0
    )
    learner.fit(pairs / scale * signs[:, None], signs, sample_weight=weights)
    learned: Array = learner.coef_[0] / scale
    return learned


def cross_validated(
    documents: Sequence[GradedRows],
    learn: Callable[[Sequence[GradedRows]], SalienceModel] = learn_salience,
    *,
    folds: int = 5,
) -> list[Array]:
    """The scores of each document by a model that was learned without it, and without its fold."""
    scores: dict[int, Array] = {}
    for fold in range(folds):
        model = learn([rows for number, rows in enumerate(documents) if number % folds != fold])
        for number in range(fold, len(documents), folds):
            scores[number] = model.scores(documents[number])
    return [scores[number] for number in range(len(documents))]
