"""Which words of a query are names, by how articles about the event write them.

Nobody writes queries in capitals, but the articles do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

_FEWEST_WORDS = 3
_FEWEST_ARTICLES = 3
_ENOUGH_ARTICLES = 50
_CAPITALS = 0.6
_COVERAGE = 0.8
_HEADLINE = 0.5
_MOST_WORDS = 4_096
_MARKS = ".,;:!?\"'()[]`“”‘’"


class QueryNames:
    """Counts how the query's words are written in articles about the event, and how many of these hold a name of it.

    A stem is a name if it was met three times, within sentences, and mostly with a capital (in the first 50 articles);
    in the first two articles if it was met at all, and only so. What is asked of an article is one name, or names that
    the story has met before, if four in five of the articles so far (the first two: both) had one: where the news does
    not use the query's names, they are not asked for.

    >>> names = QueryNames(frozenset({"ferri", "fire", "bilbao"}), lambda word: [word.lower().replace("ry", "ri")])
    >>> names.add([("A ferry on fire off Bilbao", frozenset({"ferri", "fire", "bilbao"}))])
    >>> sorted(names.names)
    ['bilbao']
    >>> other = ["A ferry is on fire off Naples"]
    >>> names.allows(frozenset({"ferri", "fire", "naples"}), other, {"spain"}.__contains__)
    False
    >>> names.allows(frozenset({"ferri", "fire", "spain"}), ["A captain in Spain"], {"spain"}.__contains__)
    True
    """

    def __init__(self, query: frozenset[str], stems_of: Callable[[str], Sequence[str]]) -> None:
        self._query, self._stems_of = query, stems_of
        self._stems: dict[str, str] = {}
        self.restore({}, 0, 0)

    def restore(self, counts: Mapping[str, Iterable[int]], articles: int, named: int) -> None:
        """Become what `state` described."""
        self._counts = {stem: list(both) for stem, both in counts.items()}
        self._articles, self._named = articles, named
        self._find()

    def state(self) -> tuple[dict[str, list[int]], int, int]:
        """For each stem of the query how often it had a capital and was met; articles, and those with a name."""
        return self._counts, self._articles, self._named

    def add(self, sentences: Iterable[tuple[str, Collection[str]]]) -> None:
        """Count an article about the event: the texts and stems of its sentences."""
        query, has_name = self._query, False
        for text, stems in sentences:
            if query.isdisjoint(stems):
                continue
            has_name = has_name or not self.names.isdisjoint(stems)
            for stem, has_capital in self._words(text) if self._articles < _ENOUGH_ARTICLES else ():
                if stem in query:
                    both = self._counts.setdefault(stem, [0, 0])
                    both[0] += has_capital
                    both[1] += 1
        self._articles += 1
        self._named += has_name or not self.names
        self._find()

    def allows(self, stems: frozenset[str], head: Iterable[str], is_familiar: Callable[[str], bool]) -> bool:
        """Whether an article may be about the event, as far as names tell.

        Args:
            stems: those of the article.
            head: the texts of its first sentences.
            is_familiar: whether a stem was met in what was said of the event. Of an article without a name of the query
                half of the names in its first sentences must be: the driver is arrested in the same country.
        """
        if not self.names or self._named < _COVERAGE * self._articles:
            return True
        if not self.names.isdisjoint(stems):
            return True
        return self.has_familiar_names(head, is_familiar)

    def are_together(self, sentences: Iterable[Collection[str]]) -> bool:
        """Whether all of the query are names, and the stems of one of these sentences hold them: "Skilling and Lay"."""
        return (
            len(self._query) > 1 and self._query <= self.names and any(map(self._query.issubset, sentences))
        )

    def has_familiar_names(self, head: Iterable[str], is_familiar: Callable[[str], bool]) -> bool:
        """Whether half of the words with capitals in these texts, those of the query left out, were met before."""
        others = {
            stem for text in head for stem, has_capital in self._words(text) if has_capital
        } - self._query
        return 2 * sum(map(is_familiar, others)) >= len(others)

    def _words(self, text: str) -> Iterator[tuple[str, bool]]:
        # The stems of the words within a sentence, and whether they have a capital; none of a headline.
        words = text.split()
        if sum(word[0].isupper() for word in words) <= _HEADLINE * len(words):
            for word in words[1:]:
                stem = self._stems.get(word)
                if stem is None:
                    stem = self._keep_stem(word)
                if stem:
                    yield stem, word[0].isupper()

    def _keep_stem(self, word: str) -> str:
        # The stem of a word that has one; a cache.
        stems = self._stems_of(word.strip(_MARKS))
        stem = stems[0] if len(stems) == 1 else ""
        if len(self._stems) >= _MOST_WORDS:
            self._stems.clear()
        self._stems[word] = stem
        return stem

    def _find(self) -> None:
        early = self._articles < _FEWEST_ARTICLES
        self.names = {
            stem
            for stem, (capitals, met) in self._counts.items()
            if (capitals == met if early else met >= _FEWEST_WORDS and capitals > _CAPITALS * met)
        }
