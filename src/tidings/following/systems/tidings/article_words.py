"""What articles have shown of an event's words: those of its query, and those of its story."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tidings.analysis import tells_an_end
from tidings.core import shared_analyzer
from tidings.following.background import usual
from tidings.following.systems.tidings.query_names import QueryNames
from tidings.following.systems.tidings.query_words import QueryWeight, read_terms
from tidings.following.systems.tidings.story import Counted, Story, StoryState

if TYPE_CHECKING:
    from tidings.core import Analyzer, Interest
    from tidings.following.systems.tidings.stream_memory import Topic
    from tidings.following.systems.tidings.text_features import ReadDocument

_HEAD, _LEAD, _OFTEN, _OFTEN_SHARE = 5, 2, 3, 0.15
_TEACHES = 6  # sentences at least of an article that may teach the story without stating the query
_FEW_WORDS = 2  # side by side in a title; of a longer query two words with an end ("found alive")


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

    def begin(self, head: Sequence[str]) -> None:
        """Count the beginning of the article by which the event is asked for as its story's first document."""
        self.story.add(frozenset(head), frozenset())

    def admit(
        self,
        document: ReadDocument,
        interest: Interest | None,
        stems_of: Callable[[str], Sequence[str]],
        topic: Topic,
        struck: frozenset[str],
        parted: Sequence[tuple[str, tuple[str, str]]] = (),
    ) -> bool:
        """Whether a document holds enough of the query, or of the story, to be read; the story learns from it.

        One with a title must state in one place what is asked for (`QueryWeight.is_stated`), until the story is known
        from ten documents, or from six that it is close to. A whole article of which that is not so may teach the story
        ("hamed karzai", whom no outlet spells so), but not by places alone; an item of a feed may not.

        Args:
            document: what is read.
            interest: finds other forms and spellings of the query's words; none for a query without words.
            stems_of: gives the stems of a text.
            topic: what was said of the event so far.
            struck: the stems that a person struck.
            parted: stems of the query whose words may be written in two parts (`compounds`).

        A place that lacks one word of the query alone holds it in a word that headlines use for it (heist for robbery).
        """
        weight, story, title = self.weight, self.story, document.sentences[0].sentence.title
        first, of_title = document.sentences[:_HEAD], stems_of(title)
        stems = document.stems.union(of_title)
        parted = [(whole, parts) for whole, parts in parted if stems.issuperset(parts)]
        joins = bool(parted) or weight.has_alike
        in_title = weight.complete(_with_whole(of_title, parted))
        places = [
            weight.complete(_with_whole(one.stems, parted))
            for one in (document.sentences if title or joins else first)
        ]
        stems = stems.union(in_title, *(places if joins else ()))
        head = in_title.union(*places[:_HEAD])
        if struck:
            stems, head, in_title = stems - struck, head - struck, in_title - struck
        find = interest.find if interest is not None else _find_nothing
        found, held = find(stems), head | find(head)
        if interest is not None and not found <= stems:
            story.add_forms(interest.meant_by(sorted(stems)))
        stems = stems | found

        def has_familiar_names() -> bool:
            texts = [title, *(sentence.sentence.text for sentence in first)]
            return self.names.has_familiar_names(texts, topic.holds)

        weight.add(stems, held)
        often = max(_OFTEN, _OFTEN_SHARE * len(document.sentences))
        passing = {stem for stem, count in document.counts(weight.query & stems - held) if count < often}
        if story.is_known:
            allows = story.allows(
                head,
                (weight.share(stems, passing) + weight.share(stems - passing)) / 2.0,
                is_asked_for=weight.asks_for(stems, passing) or weight.holds_one_story(head),
                is_whole=weight.holds_all(held),
                is_named=weight.holds_name(stems - passing),
            )
        else:
            allows = weight.allows(stems, topic.common, has_familiar_names, passing) and (
                bool(title)
                or any(weight.holds_two(sentence.stems) for sentence in document.sentences)
                or weight.holds_all(held)
            )
        is_stated = not title or (
            weight.holds_all(held)
            or weight.is_stated(in_title | find(in_title), [place | find(place) for place in places])
        )
        allows = allows and (is_stated or story.is_well_known or (story.is_familiar and story.is_close(head)))
        if story.is_one_common_word:
            lead = in_title.union(*(sentence.stems for sentence in first[:_LEAD]))
            allows = allows and not weight.query.isdisjoint(lead)
        elif not allows and weight.holds_name(stems):
            if len(weight.query) > _FEW_WORDS:
                allows = any(
                    weight.holds_two(one.stems) and tells_an_end(one.sentence.text)
                    for one in document.sentences
                )
            else:  # "Storm Greta death toll reaches 9" is about Storm Greta
                allows = any({*pair} == weight.query for pair in pairwise(of_title))
        own = {stem for stem in weight.words.intersection(stems) - passing if usual(stem).is_own_name}
        if (is_stated or (len(document.sentences) >= _TEACHES and not weight.holds_only_places(held))) and (
            weight.asks_for(held | own)
            or self.names.are_together(sentence.stems for sentence in document.sentences)
        ):
            story.add(head, weight.met_specific)
        elif not allows:
            story.add_other(head, weight.share(stems))
        return allows

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


def _with_whole(stems: Sequence[str], parted: Sequence[tuple[str, tuple[str, str]]]) -> frozenset[str]:
    # The stems of a text, and those of compounds whose parts stand side by side in it.
    if not parted:
        return frozenset(stems)
    return frozenset(stems).union(whole for whole, parts in parted if parts in pairwise(stems))


def _find_nothing(_: frozenset[str]) -> frozenset[str]:
    return frozenset()


WordsState = tuple[
    tuple[dict[str, list[int]], int, int], tuple[dict[str, int], dict[str, Counted]], StoryState
]
"""Of an `ArticleWords`."""


@cache
def no_words() -> WordsState:
    """The state of one that has read none."""
    return ArticleWords.of(frozenset({"-"}), {}, 0.0, shared_analyzer()).state()
