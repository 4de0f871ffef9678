"""The article model, learned from sentences that people read: borders, and the four answers for each sentence.

    labels (two readings) + the texts ──▶ features ──▶ logistic sums and boosted trees
    sentences of the same texts, put together two and three at a time ──▶ borders

The labels name documents and sentences; the texts stay where they are. What is learned from is given topic by topic, so
that a model can be learned without one of them.
"""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tidings.analysis.articles.borders import FUNCTION_WORDS, PLACES, border_features, border_places
from tidings.analysis.articles.features import FEATURES
from tidings.analysis.articles.hyphens import HYPHEN_PLACES, hyphen_features
from tidings.analysis.articles.reader import QUESTIONS
from tidings.analysis.articles.surfaces import is_verb, plain
from tidings.core import Trees
from tidings.core.errors import FormatError, Problem
from tidings.core.models.files import Model
from tidings.core.records.documents import Document
from tidings.core.records.outputs import ModelCard
from tidings.following.systems.tidings.model import ARTICLE_FEATURES
from tidings.research.training.model_files import need
from tidings.research.training.trees import trees_of

_COLUMNS = ("topic", "document", "date", "sentence", "start", "end", "event", "day", "mode", "alone", "main")
_TREES, _DEPTH, _RATE = 100, 3, 0.06
_RIDGE = 0.03
_DECISION_RIDGE = 0.1
_PAIRS = 300_000


class LabelledSentence(Struct, frozen=True):
    """One reader's answers for one sentence, named by its first character (see `labels/articles/README.md`)."""

    topic: str
    document: str
    number: int
    start: int
    event: str
    day: str
    mode: str
    alone: str
    main: str


def learn_classifier(
    rows: Any,
    targets: Any,
    *,
    trees: int,
    depth: int,
    rate: float,
) -> Trees:
    """Gradient boosting on the logistic loss; the trees give log-odds. Each sees half of the rows, a quarter of the
    features.

    Raises:
        UsageError: scikit-learn is not installed.
    """
    learner = need("sklearn.ensemble").GradientBoostingClassifier(
        n_estimators=trees,
        max_depth=depth,
        learning_rate=rate,
        subsample=0.5,
        max_features=0.25,
        min_samples_leaf=30,
        random_state=0,
    )
    learner.fit(rows, targets)
    share = float(np.mean(targets))
    return trees_of(learner, float(np.log(share / (1.0 - share))))


def read_labels(path: Path) -> list[LabelledSentence]:
    """The answers of a file of labels; a FormatError names the line that has none."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or tuple(rows[0]) != _COLUMNS:
        raise FormatError([Problem(str(path), 1, "another heading", "\t".join(_COLUMNS))])
    labels = []
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(_COLUMNS) or not (row[3].isdigit() and row[4].isdigit()):
            raise FormatError([Problem(str(path), number, f"{len(row)} columns", f"{len(_COLUMNS)} columns")])
        labels.append(LabelledSentence(row[0], row[1], int(row[3]), int(row[4]), *row[6:]))
    return labels


def is_answered(label: LabelledSentence, question: str) -> bool:
    """Whether the reader said yes to a question of `tidings.analysis.articles.reader.QUESTIONS`, to all and `event`
    ("update"), or to "main".

    >>> label = LabelledSentence("storm", "d1", 0, 0, "yes", "news", "states", "no", "yes")
    >>> is_answered(label, "states"), is_answered(label, "news_value"), is_answered(label, "update")
    (True, False, False)
    """
    states, news, alone = label.mode == "states", label.day == "news", label.alone == "yes"
    return {
        "states": states,
        "news": news,
        "alone": alone,
        "news_value": states and news and alone,
        "update": states and news and alone and label.event == "yes",
        "main": label.main == "yes",
    }[question]


def learn_borders(articles: Sequence[Sequence[list[str]]], *, pairs: int = _PAIRS) -> Any:
    """The table of borders, float32 of shape [PLACES], from the whole sentences of articles (their tokens).

    They are put together at random, mostly those of one article, the first of them also as a headline has them (without
    articles and auxiliaries) or as a caption or crosshead has them (what stands before the verb), a part of all joined
    as people write.

    Raises:
        UsageError: scikit-learn is not installed.
    """
    learner = _logistic(0.3)
    chance = random.Random(0)
    sentences = [tokens for own in articles for tokens in own]
    heads = _short(sentences)
    kept = [(_short(own), own) for own in articles if _short(own)]
    rows, targets = [], []
    for short, own in chance.choices(kept, weights=[len(own) for _, own in kept], k=pairs):
        is_one = chance.random() < _OF_ONE
        parts = [
            _as_heading(chance.choice(short if is_one else heads), chance.random())
            for _ in range(chance.choice((0, 1, 1, 1, 2)))
        ]
        parts.append(chance.choice(own if is_one else sentences))
        if chance.random() < _JOINED:
            parts = [plain(" ".join(part)).split() for part in parts]
        tokens: list[str] = []
        borders = set()
        for part in parts:
            borders.add(len(tokens))
            tokens += part
        for number in border_places(tokens):
            rows.append(border_features(tokens, number))
            targets.append(number in borders)
    return _table(learner, rows, targets, PLACES)


_OF_ONE, _JOINED, _HEADLINES, _PHRASES = 0.6, 0.3, 0.3, 0.12
_LEFT_OUT = frozenset({"the", "a", "an", "has", "have", "had", "is", "are", "was", "were", "been"})


def _short(sentences: Sequence[list[str]]) -> list[list[str]]:
    return [tokens[:-1] if tokens[-1] == "." else tokens for tokens in sentences if 5 <= len(tokens) <= 18]


def _as_heading(tokens: list[str], drawn: float) -> list[str]:
    """A sentence as a headline has it, its subject alone, or as it is, by a number drawn from 0 to 1.

    >>> tokens = "The rescue teams have reached the town".split()
    >>> " ".join(_as_heading(tokens, 0.0)), " ".join(_as_heading(tokens, 0.3)), len(_as_heading(tokens, 0.9))
    ('Rescue teams reached town', 'The rescue teams', 7)
    """
    if drawn < _HEADLINES:
        kept = [token for token in tokens if token.lower() not in _LEFT_OUT]
        return [kept[0][0].upper() + kept[0][1:], *kept[1:]] if len(kept) > 2 else tokens
    verb = next((place for place, token in enumerate(tokens) if is_verb(token)), 0)
    if drawn < _HEADLINES + _PHRASES and 2 <= verb <= 9 and tokens[verb - 1].lower() not in FUNCTION_WORDS:
        return tokens[:verb]
    return tokens


def border_sentences(documents: Iterable[Document]) -> list[list[list[str]]]:
    """The whole sentences of each of these documents, as tokens: not its first, begun and ended well."""
    articles = []
    for document in documents:
        kept = []
        for sentence in document.sentences[1:]:
            tokens = sentence.text.split()
            whole = (
                6 <= len(tokens) <= 45 and sentence.text.isascii() and sentence.text.rstrip().endswith(".")
            )
            if whole and tokens[0][0].isupper():
                kept.append(tokens)
        if len(kept) > 2:
            articles.append(kept)
    return articles


_DASH, _HYPHEN = re.compile(r"\s(?:--|–|—|-)\s"), re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])|(?<=\d)-(?=\d)")
_SAME = 25


def learn_hyphens(texts: Iterable[str]) -> Any:
    """The table of hyphens, float32 of shape [HYPHEN_PLACES], from texts that kept their hyphens.

    Raises:
        UsageError: scikit-learn is not installed.
    """
    rows, targets = hyphen_rows(texts)
    return _table(_logistic(1.0), rows, targets, HYPHEN_PLACES)


def hyphen_rows(texts: Iterable[str]) -> tuple[list[list[int]], list[bool]]:
    """The features of the hyphens and dashes of texts, and which of them are hyphens.

    Those between letters or between numbers are set apart, as a tokeniser does; what stands among the same letters
    counts once.
    """
    rows, targets, seen = [], [], set()
    for text in texts:
        marked = _HYPHEN.sub(" \0 ", _DASH.sub(" \1 ", text))
        cut_up = marked.replace("\0", "-").replace("\1", "-")
        places = [place for place, sign in enumerate(marked) if sign in "\0\1"]
        for place in places:
            around = cut_up[max(0, place - _SAME) : place + _SAME]
            if around not in seen:
                seen.add(around)
                rows.append(hyphen_features(cut_up, place - 1, len(places)))
                targets.append(marked[place] == "\0")
    return rows, targets


def learn_articles(rows: Any, answers: Mapping[str, Any], borders: Any, card: ModelCard) -> Model:
    """The article model from rows of features and, for each question, what was answered; one row for each answer.

    Each answer is learned twice, by a logistic sum and by boosted trees; the model gives the mean of the two.
    """
    mean, scale = _standard(rows)
    arrays: dict[str, Any] = {
        "mean": mean.astype(np.float32),
        "scale": scale.astype(np.float32),
        "borders": borders,
    }
    settings: dict[str, Any] = {"features": list(FEATURES)}
    weights, biases = [], []
    for question in QUESTIONS:
        learner = _logistic(_RIDGE)
        learner.fit((rows - mean) / scale, answers[question])
        weights.append(learner.coef_[0])
        biases.append(learner.intercept_[0])
        trees = learn_classifier(rows, answers[question], trees=_TREES, depth=_DEPTH, rate=_RATE)
        own_arrays, own_settings = trees.export(question)
        arrays |= own_arrays
        settings |= own_settings
    arrays["weights"] = np.array(weights, dtype=np.float32)
    arrays["biases"] = np.array(biases, dtype=np.float32)
    return Model(card=card, arrays=arrays, settings=settings)


def learn_decision(model: Model, rows: Any, wanted: Any) -> Model:
    """The model with the decision of `tidings` in it: a logistic sum over `ARTICLE_FEATURES`, a row for each answer."""
    mean, scale = _standard(rows)
    learner = _logistic(_DECISION_RIDGE)
    learner.fit((rows - mean) / scale, wanted)
    weights = learner.coef_[0] / scale
    bias = learner.intercept_[0] - float(weights @ mean)
    arrays = {
        "decision_weights": weights.astype(np.float32),
        "decision_bias": np.array([bias], dtype=np.float32),
    }
    return replace(
        model, arrays=model.arrays | arrays, settings=model.settings | {"decision": list(ARTICLE_FEATURES)}
    )


def _standard(rows: Any) -> tuple[Any, Any]:
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale < 1e-6] = 1.0
    return mean, scale


def _table(learner: Any, rows: Sequence[list[int]], targets: Sequence[bool], places: int) -> Any:
    from scipy.sparse import csr_matrix

    ends = np.cumsum([0, *map(len, rows)])
    table = csr_matrix((np.ones(ends[-1]), np.concatenate(rows), ends), shape=(len(rows), places))
    learner.fit(table, np.array(targets))
    weights = learner.coef_[0].astype(np.float32)
    weights[crc32(b"bias") % places] += learner.intercept_[0]
    return weights


def _logistic(strength: float) -> Any:
    return need("sklearn.linear_model").LogisticRegression(C=strength, max_iter=1000)
