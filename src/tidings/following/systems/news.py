"""Any system on the news of whole articles alone: the other sentences of an article never reach it.

A document as it was published holds thirty to a hundred sentences, of which few tell news that can be understood alone.
What was pooled for events was chosen by somebody already, and passes as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from tidings.core import (
    ArticleDecider,
    BudgetedDecider,
    Event,
    Follower,
    Interest,
    Model,
    ModelCard,
    Output,
    PacedDecider,
    PaceKeeper,
    Sentence,
    prepared,
    read_model,
)
from tidings.following.systems.base import WrappedSystem

if TYPE_CHECKING:
    pass


_MOST_ARTICLES = 1_024
_READ = frozenset({"", "en"})  # articles in other languages pass unread
_DOCUMENT = attrgetter("doc_id")


class News(Struct, frozen=True, kw_only=True):
    """Which sentences of whole articles a system is given; pooled sentences are all given."""

    news: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="news value (0 to 1) that a sentence of a whole article needs to be looked at; 0: any",
        ),
    ] = 0.0
    news_model: Annotated[
        str,
        Meta(description="model file of whole articles that `news` asks; empty: the one that comes along"),
    ] = ""


class NewsSystem(WrappedSystem, frozen=True):
    """A system that is given, of whole articles, the sentences of some news value, cut at the border."""

    news: News

    @property
    def limit(self) -> News:
        """The news value that is asked for."""
        return self.news

    @property
    def card(self) -> ModelCard | None:
        """The card of the system inside; of one that has learned nothing, that of the model of articles."""
        return self.system.card or read_model("articles", self.news.news_model).card

    def interest(self, event: Event) -> Interest | None:
        """What interests the system inside, but in whole documents: an article is read as one."""
        interest = self.system.interest(event)
        return None if interest is None else replace(interest, whole=True)

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`, given the news of articles."""
        inner = self.system.start(event)
        if isinstance(inner, ArticleDecider) and inner.require_news(self.news.news):
            return inner
        reader = prepared(read_model("articles", self.news.news_model), NewsReader.of)
        kind = PacedNewsFollower if isinstance(inner, PacedDecider) else NewsFollower
        return kind(inner, reader, self.news.news)


class NewsFollower:
    """Leaves out, of articles, the sentences below a news value, and cuts the others at the border.

    Ids, numbers, times and order stay; what it remembers is what the follower inside does.
    """

    def __init__(self, inner: Follower, reader: NewsReader, level: float) -> None:
        self._inner = inner
        self._reader = reader
        self._level = level

    def allow(self, updates: int, words: int) -> None:
        """Let the follower inside plan for the room that a budget leaves, where it can."""
        if isinstance(self._inner, BudgetedDecider):
            self._inner.allow(updates, words)

    def push(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """What the follower inside tells of the news among these sentences."""
        return self._inner.push(self._reader.news(sentences, self._level), now)

    def finish(self, now: int) -> Sequence[Output]:
        """What the follower inside still tells at the end."""
        return self._inner.finish(now)

    def state(self) -> bytes:
        """The state of the follower inside."""
        return self._inner.state()

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        self._inner.restore(data)


class PacedNewsFollower(NewsFollower):
    """The same around a follower that offers its scores to a gate."""

    def keep_pace(self, gate: PaceKeeper) -> None:
        """Let the follower inside tell what the gate admits."""
        if isinstance(self._inner, PacedDecider):
            self._inner.keep_pace(gate)


_Valued = list[tuple[float, Sentence]]


class NewsReader:
    """Reads articles, each once however many events they interest: the latest 1,024 are remembered."""

    def __init__(self, read: Callable[[Sequence[Sentence]], _Valued]) -> None:
        self._read = read
        self._articles: dict[str, tuple[list[Sentence], _Valued]] = {}

    @classmethod
    def of(cls, model: Model) -> NewsReader:
        """By a model file of articles; raises UsageError where it does not fit this version."""
        from tidings.analysis import ArticleModel, ArticleReader

        reader = ArticleReader(ArticleModel.of(model))
        return cls(
            lambda sentences: [(one.news_value, one.sentence) for one in reader.read(sentences).sentences]
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
                    [*cut, *(one for one in own if one.events is not None)], key=lambda one: one.index
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
