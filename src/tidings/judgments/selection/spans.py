"""Which characters of an update say a nugget."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from tidings.text.tokens import Analyzer, shared_analyzer

__all__ = ["heaviest_span", "likely_span", "word_weights"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OTHER = 0.4
"""What a word costs that says nothing of the nugget; chosen on 2013."""


def word_weights(nugget: Iterable[str], spans: Iterable[Iterable[str]]) -> dict[str, float]:
    """How much each stem says of a nugget: 1 where its text holds it, and the share of its matched spans that do.

    The share is of the spans and one more, so that a single span does not count whole.

    >>> word_weights(("ferri", "burn"), [("ferri", "fire"), ("fire",), ("fire",)])
    {'ferri': 1.25, 'burn': 1.0, 'fire': 0.75}
    """
    weights = dict.fromkeys(nugget, 1.0)
    every = [frozenset(span) for span in spans]
    for stem, count in sorted(Counter(stem for span in every for stem in span).items()):
        weights[stem] = weights.get(stem, 0.0) + count / (len(every) + 1)
    return weights


def likely_span(text: str, words: str, language: str = "english") -> tuple[int, int]:
    """(start, end) of the part of `text` that shares most with `words`; (0, 0) where it shares nothing.

    >>> text = "Police said a ferry burned near the coast."
    >>> start, end = likely_span(text, "a ferry burned off the coast")
    >>> text[start:end]
    'ferry burned near the coast'
    """
    analyzer = shared_analyzer(language)
    return heaviest_span(text, word_weights(analyzer.stems(words), ()), analyzer)


def heaviest_span(text: str, weights: Mapping[str, float], analyzer: Analyzer) -> tuple[int, int]:
    """(start, end) of the part of `text` that says most of what `weights` weigh; (0, 0) where nothing is said.

    The part is the run of words with the highest sum: of each word its weight, -0.4 for one without, nothing for a
    stop word. It begins and ends with a word that weighs something; of equal ones it is the first.

    >>> heaviest_span("The ferry, a new one, burned.", {"ferri": 1, "burn": 0.5}, shared_analyzer())
    (4, 28)
    """
    best, begun, total = (0.0, 0, 0), -1, 0.0
    for word in _WORD.finditer(text):
        stems = analyzer.stems(word.group())
        worth = max((weights.get(stem, 0.0) for stem in stems), default=0.0)
        if total <= 0 and worth > 0:
            begun, total = word.start(), 0.0
        total += worth if worth > 0 or not stems else -_OTHER
        if worth > 0 and total > best[0] + 1e-9:
            best = (total, begun, word.end())
    return best[1], best[2]
