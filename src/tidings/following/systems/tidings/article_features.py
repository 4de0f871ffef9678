"""What decides whether a sentence of an article is told: what it does, and how far its article is about the event."""

from __future__ import annotations

from collections.abc import Sequence, Set as AbstractSet
from math import log1p
from typing import TYPE_CHECKING

from tidings.following.systems.tidings.log_odds import log_odds

if TYPE_CHECKING:
    from tidings.following.systems.tidings.text_features import ReadArticle

__all__ = ["ARTICLE_FEATURES", "ArticleView"]

ARTICLE_FEATURES = (
    "news_value",
    "states",
    "news",
    "alone",
    "query_share",
    "query_any",
    "query_before",
    "document_full",
    "document_any",
    "head_share",
    "head_topic",
    "sentence_topic",
    "stream_mean",
    "stream_nearest",
    "stream_share_3",
    "stream_top_5",
    "log_words",
    "numbers",
)
"""What is weighed of a sentence of an article.

- news_value, states, news, alone: log-odds of the article model's answers;
- query_share: share of the query's stems in the sentence; query_any, query_before: it holds one, one of the two before;
- document_full, document_any: share of the sentences that hold as many as are needed, that hold one;
- head_share: share of the query's stems in title and first five sentences; head_topic, sentence_topic: share of the
  stems of these, and of the sentence, that are common in what was said of the event so far;
- stream_*: as `tidings` has them of any sentence; log_words: log(1 + words); numbers: it holds one.
"""

_LEAST = 1e-4
_LEAD = 2


class ArticleView:
    """An article as one event sees it."""

    def __init__(
        self, article: ReadArticle, query: frozenset[str], need: int, common: AbstractSet[str]
    ) -> None:
        self._article, self._common = article, common
        self._size = max(1, len(query))
        sentences = article.sentences
        self.overlaps = [len(query.intersection(one.stems)) for one in sentences]
        count = max(1, len(sentences))
        self._full = sum(overlap >= max(1, need) for overlap in self.overlaps) / count
        self._any = sum(overlap > 0 for overlap in self.overlaps) / count
        self._is_more_than_once = any(self.overlaps[:_LEAD]) or sum(map(bool, self.overlaps)) >= _LEAD
        self._head_overlap, self._need = len(query & article.head), need
        self._head = self._head_overlap / self._size
        self._head_topic = len(common & article.head) / max(1, len(article.head))

    @property
    def is_about(self) -> bool:
        """Whether the article is about the event, and does not only mention it.

        It is where title and first sentences hold as much of the query as is needed and one sentence in ten holds some,
        or where one in five does; in both cases title or first two sentences must hold some, or two sentences
        altogether. It also is where a quarter of the words of title and first sentences are those in which the event
        has been told of so far, so that a story is followed when it moves.
        """
        is_told_of = (self._head_overlap >= self._need and self._any >= 0.1) or self._any >= 0.2
        return (is_told_of and self._is_more_than_once) or self._head_topic >= 0.25

    def row(
        self, number: int, answers: Sequence[float], stream: Sequence[float], numbers: int
    ) -> tuple[float, ...]:
        """ARTICLE_FEATURES of the sentence of this number, by its four answers.

        `stream` are its five cosines to what was said so far.
        """
        stems = set(self._article.sentences[number].stems)
        overlap = self.overlaps[number]
        return (
            *(log_odds(answer, _LEAST) for answer in answers),
            overlap / self._size,
            float(overlap > 0),
            float(any(self.overlaps[max(0, number - 2) : number])),
            self._full,
            self._any,
            self._head,
            self._head_topic,
            len(self._common & stems) / max(1, len(stems)),
            stream[0],
            stream[1],
            stream[2],
            stream[4],
            log1p(len(stems)),
            float(numbers > 0),
        )
