"""What articles have shown of an event's words: those of its query, and those of its story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tidings.core import shared_analyzer
from tidings.following.systems.tidings.query_names import QueryNames
from tidings.following.systems.tidings.query_words import QueryWeight, read_terms
from tidings.following.systems.tidings.story import Counted, Story, StoryState

if TYPE_CHECKING:
    from tidings.core import Analyzer


@dataclass(frozen=True, slots=True)
class ArticleWords:
    """What articles have shown of the words of an event's query, and the words of its story; begun with the first."""

    names: QueryNames
    weight: QueryWeight
    story: Story

    @classmethod
    def of(
        cls,
        query: frozenset[str],
        weights: Mapping[str, float],
        rare: float,
        analyzer: Analyzer,
        terms: str = "",
    ) -> ArticleWords:
        """Of an event of which no article was read: by the stems of its query, and how rare stems are in the news.

        The query holds what a person added with `terms`, and lacks what was struck.
        """
        added, struck = read_terms(terms, analyzer.language)
        return cls(
            QueryNames(query, analyzer.stems),
            QueryWeight(query - added or query, weights, rare, analyzer.language, added),
            Story(query, weights, rare, struck),
        )

    def state(self) -> WordsState:
        """What `restore` takes."""
        return self.names.state(), self.weight.state(), self.story.state()

    def restore(
        self,
        names: tuple[dict[str, list[int]], int, int],
        weight: tuple[dict[str, int], dict[str, Counted]],
        story: StoryState,
    ) -> None:
        """Become what `state` described."""
        self.names.restore(*names)
        self.weight.restore(*weight)
        self.story.restore(story)


WordsState = tuple[
    tuple[dict[str, list[int]], int, int], tuple[dict[str, int], dict[str, Counted]], StoryState
]
"""Of an `ArticleWords`."""


@cache
def no_words() -> WordsState:
    """The state of one that has read none."""
    return ArticleWords.of(frozenset({"-"}), {}, 0.0, shared_analyzer()).state()
