"""Any system on the news of whole articles alone: the other sentences of an article never reach it.

A document as it was published holds thirty to a hundred sentences, of which few tell news that can be understood alone.
What was pooled for events was chosen by someone already, and passes as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from tidings.core import (
    Event,
    Interest,
    Model,
    ModelCard,
    Sentence,
    System,
    prepare,
    read_model,
)
from tidings.following.systems.stages import Stage, StageFollower, Surroundings

_MOST_ARTICLES = 1_024  # remembered, so that one that several events are offered is read once
_READ = frozenset({"", "en"})  # articles in other languages pass unread
_DOCUMENT = attrgetter("doc_id")


class News(Stage, frozen=True, kw_only=True):
    """Which sentences of whole articles a system is given, cut at the border; pooled sentences are all given."""

    stage: ClassVar[str] = "news"

    news: Annotated[float, Meta(ge=0, le=1)] = 0.0
    news_model: str = ""

    @property
    def is_needed(self) -> bool:
        """Whether a news value is asked for."""
        return bool(self.news)

    def card(self, inner: ModelCard | None) -> ModelCard | None:
        """The card of the system inside; of one that has learned nothing, that of the model of articles."""
        return inner or read_model("articles", self.news_model).card

    def interest(self, event: Event, inner: Interest | None, system: System) -> Interest | None:
        """What interests the system inside, but in whole documents: an article is read as one."""
        return None if inner is None else replace(inner, whole=True)

    def start(self, event: Event, surroundings: Surroundings) -> NewsFollower | None:
        """What leaves out the rest; None around a follower that reads articles itself."""
        surroundings.news = self.news
        if "news" in surroundings.heeds:
            return None
        reader = prepare(read_model("articles", self.news_model), NewsReader.of)
        return NewsFollower(reader, self.news, surroundings)


class NewsFollower(StageFollower):
    """Leaves out, of articles, the sentences below a news value, and cuts the others at the border.

    Ids, numbers, times and order stay; it remembers nothing.
    """

    def __init__(self, reader: NewsReader, level: float, surroundings: Surroundings | None = None) -> None:
        self._reader, self._level = reader, level
        self._surroundings = surroundings or Surroundings()

    def receive(self, sentences: Sequence[Sentence], now: int) -> Sequence[Sentence]:
        """The news among these sentences."""
        news = self._reader.news(sentences, self._level)
        if len(news) < len(sentences):
            kept = {(item.doc_id, item.index) for item in news}
            left = [sentence for sentence in sentences if (sentence.doc_id, sentence.index) not in kept]
            self._surroundings.leave(left, "background")
        return news


_Valued = list[tuple[float, Sentence]]


class NewsReader:
    """Reads articles, each once however many events they interest: the latest 1,024 are remembered."""

    def __init__(self, read: Callable[[Sequence[Sentence]], _Valued]) -> None:
        self._read = read
        self._articles: dict[str, tuple[list[Sentence], _Valued]] = {}

    @classmethod
    def of(cls, model: Model) -> NewsReader:
        """By a model file of articles; raises UsageError where it does not fit this version."""
        from tidings.analysis import ArticleReader

        reader = ArticleReader.of(model)
        return cls(
            lambda sentences: [
                (sentence.news_value, sentence.sentence) for sentence in reader.read(sentences).sentences
            ]
        )

    def news(self, sentences: Sequence[Sentence], level: float) -> Sequence[Sentence]:
        """Those of a push that were pooled, and those of articles that have the news value, cut at the border.

        >>> reader = NewsReader(lambda sentences: [(len(one.text) / 10, one) for one in sentences])
        >>> texts = ["A fire.", "Comment"]
        >>> [one.text for one in reader.news([Sentence("d", n, text, 60) for n, text in enumerate(texts)], 0.7)]
        ['A fire.', 'Comment']
        >>> reader.news([Sentence("e", 0, "So?", 60)], 0.7)
        []
        >>> len(reader.news([Sentence("e", 0, "So?", 60, events=("storm",))], 0.7))
        1
        """
        if all(sentence.events is not None for sentence in sentences):
            return sentences
        news: list[Sentence] = []
        for _, document in groupby(sentences, key=_DOCUMENT):
            own = list(document)
            if own[0].language not in _READ:
                news += own
                continue
            article = [sentence for sentence in own if sentence.events is None]
            if not article:
                news += own
                continue
            cut = [sentence for value, sentence in self._article(article) if value >= level]
            if len(article) < len(own):
                cut = sorted(
                    [*cut, *(sentence for sentence in own if sentence.events is not None)],
                    key=lambda sentence: sentence.index,
                )
            news += cut
        return news

    def _article(self, sentences: list[Sentence]) -> _Valued:
        key = sentences[0].doc_id
        remembered = self._articles.get(key)
        # Lists are compared by identity first: a document that is the same one costs next to nothing.
        if remembered is not None and remembered[0] == sentences:
            return remembered[1]
        if len(self._articles) >= _MOST_ARTICLES:
            self._articles.clear()
        valued = self._read(sentences)
        self._articles[key] = (sentences, valued)
        return valued
