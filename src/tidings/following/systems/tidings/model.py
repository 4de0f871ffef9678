"""What telling a sentence is worth, learned from judged events: the features weighed, and how they are summed.

curve_f = a_f z_f + c_f z_f² + d_f |z_f|,   z_f = (feature f, kept within its usual range - mean) / deviation
    relevance = b' + Σ_f curve'_f               over the features of the sentence and the stream
    worth = b + Σ_f curve_f                     over some of these, what was emitted, and relevance

Relevance estimates whether the sentence matches anything worth an update, held against the others of its event;
worth by how much the H of the event would rise by telling the sentence now (in units of the deviation of that rise):
see `tidings.research.training.tidings`. A sentence is emitted where its worth exceeds the level, 0.
"""

from __future__ import annotations

from collections.abc import Sequence, Set as AbstractSet
from math import exp, log
from typing import TYPE_CHECKING, Any

from tidings.analysis import ArticleReader
from tidings.core import Model, UsageError, check_arrays

if TYPE_CHECKING:
    from numpy import ndarray

    from tidings.core import Model
    from tidings.following.systems.tidings.text_features import ReadArticle


def log_odds(probability: float, least: float = 1e-9) -> float:
    """log(p / (1 - p)), with p kept `least` away from 0 and 1.

    >>> log_odds(0.5), round(log_odds(1.0, least=0.01), 3)
    (0.0, 4.595)
    """
    kept = min(max(probability, least), 1.0 - least)
    return log(kept / (1.0 - kept))


TIDINGS_FEATURES = (
    "words",
    "log_words",
    "stop_share",
    "capitals",
    "numbers",
    "query_stems",
    "query_share",
    "query_density",
    "log_index",
    "ends_well",
    "commas",
    "signs",
    "speaks_to_reader",
    "mean_weight",
    "stream_mean",
    "stream_nearest",
    "stream_share_3",
    "stream_share_5",
    "stream_top_5",
    "familiarity",
    "familiar_bigram",
    "familiar_names",
    "familiar_stems",
    "emitted",
    "emitted_nearest",
    "emitted_top_3",
    "emitted_contains",
    "covered",
    "uncovered",
    "new_numbers",
    "casualties_rise",
    "casualties_known",
)
"""The features by name, in their order.

- words, log_words: length; stop_share: share of stop words; capitals: capitalised words per word; numbers: stems in
  digits, and number words;
- query_stems, query_share, query_density: stems of the query in the sentence: their number, per stem of the query, per
  stem of the sentence;
- log_index: log(1 + place in the document); ends_well: a closing sign at its end; commas and signs (| : / @ # [ ] ...)
  per word; speaks_to_reader: I, you, we...; mean_weight: mean weight (rarity) of its stems;
- stream_*: cosines to the latest sentences about the event: their mean, the largest, the share above .3 and above .5,
  the mean of the five largest;
- familiarity, familiar_*: of its stems that are not in query or title, how many of the T latest sentences about the
  event hold them. The weighted mean of log((count + .02) / (T + 2)); log(1 + 100 × the largest share of T that one of
  its bigrams has); log(1 + 100 × the mean share that its capitalised stems have); how many stems a twentieth holds;
- emitted: updates emitted; emitted_nearest, emitted_top_3: the largest cosine to an update, the mean of the three
  largest; emitted_contains: the largest share of its weight that one update holds; covered: the share that they hold
  together; uncovered: the weight that none holds; new_numbers: numbers that no update holds;
- casualties_rise: it states more dead, injured, missing ... than any update did; casualties_known: it states such a
  number, and none that is higher.
"""

EMITTED = TIDINGS_FEATURES[TIDINGS_FEATURES.index("emitted") :]
"""Those that change with what is emitted."""

WEIGHED = (
    "words",
    "log_words",
    "capitals",
    "numbers",
    "query_share",
    "stream_mean",
    "stream_nearest",
    "familiarity",
    *EMITTED,
)
"""Those that worth depends on beside relevance, which depends on all but `EMITTED`."""


class AdditiveModel:
    """The learned curves, ready to be asked.

    Args:
        low, high, mean, deviation: of each feature, and of relevance.
        curves: of worth, (3, features + 1): linear, square and fold of each feature and of relevance.
        bias: b.
        relevance_curves: (3, features); zero for what was emitted.
        relevance_bias: b'.
    """

    def __init__(
        self,
        low: Any,
        high: Any,
        mean: Any,
        deviation: Any,
        curves: Any,
        bias: float,
        relevance_curves: Any,
        relevance_bias: float,
    ) -> None:
        import numpy as np

        self.low, self.high, self.mean, self.deviation = low, high, mean, deviation
        self.curves, self.bias = curves, float(bias)
        self.relevance_curves, self.relevance_bias = relevance_curves, float(relevance_bias)
        self._low, self._high, self._mean = low[:-1], high[:-1], mean[:-1]
        self._scale = 1.0 / deviation[:-1]
        # For a row of z, z², |z|: its relevance, and its worth but for that.
        self._both = np.stack([relevance_curves.reshape(-1), curves[:, :-1].reshape(-1)], axis=1)
        self._last_curves: list[float] = curves[:, -1].tolist()
        self._ends = float(low[-1]), float(high[-1]), float(mean[-1]), float(1.0 / deviation[-1])

    @classmethod
    def of(cls, model: Model) -> AdditiveModel:
        """The curves of a model file."""
        import numpy as np

        if model.settings.get("features") != list(TIDINGS_FEATURES):
            raise UsageError(
                "a model of system 'tidings' that weighs other features than this version (expected these): "
                f"{', '.join(TIDINGS_FEATURES)}; train it again with `tidings train tidings`"
            )
        shapes = dict.fromkeys(("low", "high", "mean", "deviation"), "(all)")
        shapes |= {"curves": "(3, all)", "bias": "(1)"}
        shapes |= {"relevance_curves": "(3, features)", "relevance_bias": "(1)"}
        sizes = {"features": len(TIDINGS_FEATURES), "all": len(TIDINGS_FEATURES) + 1}
        checked = check_arrays(model, shapes, sizes, nonzero=("deviation",))
        arrays: dict[str, Any] = {
            name: checked[name].astype(np.float64) for name in shapes if not name.endswith("bias")
        }
        biases = {name: float(checked[name][0]) for name in ("bias", "relevance_bias")}
        return cls(**arrays, **biases)

    def __call__(self, features: ndarray[Any, Any]) -> float:
        """The worth of one sentence by its features, an array of one value for each: that of `rows`, sooner."""
        import numpy as np

        z = np.minimum(np.maximum(features, self._low), self._high)
        z -= self._mean
        z *= self._scale
        own, others = (np.concatenate((z, z * z, abs(z)))[None] @ self._both)[0].tolist()
        low, high, mean, scale = self._ends
        relevance = (min(max(own + self.relevance_bias, low), high) - mean) * scale
        linear, square, fold = self._last_curves
        worth: float = others + self.bias + linear * relevance
        worth += square * relevance * relevance
        worth += fold * abs(relevance)
        return worth

    def rows(
        self,
        features: ndarray[Any, Any],
        begin: int,
        end: int,
        relevance: ndarray[Any, Any] | None = None,
    ) -> ndarray[Any, Any]:
        """The worth of the sentences from `begin` to `end` by their rows of features.

        Training gives their `relevance`, as those say who did not learn from them.
        """
        own, others = self._sums(features[begin:end])
        low, high, mean, scale = self._ends
        z = ((own if relevance is None else relevance[begin:end]).clip(low, high) - mean) * scale
        linear, square, fold = self.curves[:, -1]
        worth: ndarray[Any, Any] = others + linear * z + square * z * z + fold * abs(z)
        return worth

    def relevance(self, features: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """The relevance of sentences by their rows of features."""
        relevance, _ = self._sums(features)
        return relevance

    def _sums(self, features: ndarray[Any, Any]) -> tuple[ndarray[Any, Any], ndarray[Any, Any]]:
        import numpy as np

        z = (features.clip(self._low, self._high) - self._mean) * self._scale
        sums = np.concatenate((z, z * z, abs(z)), axis=1) @ self._both
        return sums[:, 0] + self.relevance_bias, sums[:, 1] + self.bias


def stem_weights(model: Model) -> dict[str, float]:
    """The weight of each stem that the training events used, from the model's table."""
    stems = bytes(model.arrays["stems"]).decode("utf-8").split("\n")
    return dict(zip(stems, (float(weight) for weight in model.array("stem_weights")), strict=True))


ARTICLE_FEATURES = ("news_value", "stream_mean")
"""What is weighed of a sentence of an article.

- news_value: log-odds of the article model's answer that it states news that stands alone;
- stream_mean: as `tidings` has it of any sentence, nearer to what is usual the fewer sentences are remembered.

More features, those of the query's words among them, answered no better on topics that were left out.
"""

_USUAL_MEAN, _USUAL_WEIGHT = 0.08, 20  # so many sentences with the usual mean stand beside those remembered

_LEAST = 1e-4  # so that the log-odds of a sure answer are finite
_LEAD = 2  # sentences that open an article


class ArticleView:
    """An article as one event sees it."""

    def __init__(
        self, article: ReadArticle, query: frozenset[str], need: int, common: AbstractSet[str]
    ) -> None:
        self.need = need
        sentences = article.sentences
        self.overlaps = [len(query.intersection(sentence.stems)) for sentence in sentences]
        count = max(1, len(sentences))
        self._any = sum(overlap > 0 for overlap in self.overlaps) / count
        self._is_more_than_once = any(self.overlaps[:_LEAD]) or sum(map(bool, self.overlaps)) >= _LEAD
        self._head_overlap = len(query & article.head)
        self._head_topic = len(common & article.head) / max(1, len(article.head))

    @property
    def is_about(self) -> bool:
        """Whether the article is about the event, and does not only mention it.

        It is where title and first sentences hold as much of the query as is needed and one sentence in ten holds some,
        or where one in five does; in both cases title or first two sentences must hold some, or two sentences
        altogether. It also is where a quarter of the words of title and first sentences are those in which the event
        has been emitted of so far, so that a story is followed when it moves.
        """
        is_told_of = (self._head_overlap >= self.need and self._any >= 0.1) or self._any >= 0.2
        return (is_told_of and self._is_more_than_once) or self._head_topic >= 0.25


def article_row(news_value: float, stream_mean: float, remembered: int) -> tuple[float, float]:
    """ARTICLE_FEATURES of a sentence, from its mean cosine to so many remembered ones.

    >>> article_row(0.5, 0.0, 0), article_row(0.5, 0.0, 20)
    ((0.0, 0.08), (0.0, 0.04))
    """
    total = stream_mean * remembered + _USUAL_MEAN * _USUAL_WEIGHT
    return log_odds(news_value, _LEAST), total / (remembered + _USUAL_WEIGHT)


class ArticleDecision:
    """The probability that a sentence of an article is an update; `reader` reads the articles."""

    def __init__(self, reader: ArticleReader, weights: Sequence[float], bias: float) -> None:
        self.reader = reader
        self._weights, self._bias = [float(weight) for weight in weights], float(bias)

    @classmethod
    def of(cls, model: Model) -> ArticleDecision:
        """From a model file of articles; raises UsageError where it weighs other features."""
        if list(model.settings.get("decision", ())) != list(ARTICLE_FEATURES):
            raise UsageError(
                f"{model.file}: a model of articles that decides by other features than this version (expected "
                f"these): {', '.join(ARTICLE_FEATURES)}; learn it again, as its card says: {model.card.command}"
            )
        shapes = {"decision_weights": "(features)", "decision_bias": "(one)"}
        arrays = check_arrays(model, shapes, {"features": len(ARTICLE_FEATURES), "one": 1})
        return cls(
            ArticleReader.of(model), arrays["decision_weights"].tolist(), float(arrays["decision_bias"][0])
        )

    def __call__(self, row: Sequence[float]) -> float:
        """The probability for a row of ARTICLE_FEATURES."""
        total = self._bias
        for weight, value in zip(self._weights, row, strict=True):
            total += weight * value
        return 1.0 / (1.0 + exp(-total)) if total > -500 else 0.0
