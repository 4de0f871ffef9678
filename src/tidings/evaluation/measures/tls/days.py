"""A timeline made ready for counting: for each day its words for ROUGE, and its tokens for the costs of alignment."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import lru_cache
from string import punctuation

from tidings.core import DailyTimeline
from tidings.evaluation.measures.tls.rules import Rules
from tidings.evaluation.measures.tls.stems import stems

__all__ = ["Day", "days_of"]


@dataclass(frozen=True, slots=True)
class Day:
    """What a timeline says of one day.

    Attributes:
        number: days since the year 1.
        sentences: for each sentence what ROUGE counts of it.
        tokens: what stands between blanks, in capital and small letters as written, punctuation marks left out.
    """

    number: int
    sentences: tuple[tuple[str, ...], ...]
    tokens: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The stems of the day, its sentences joined."""
        return [word for sentence in self.sentences for word in sentence]


def days_of(timeline: DailyTimeline, rules: Rules) -> dict[int, Day]:
    """The days of a timeline in time order; an empty sentence is none.

    >>> from tidings.core.records import DailyTimeline, TimelineDay
    >>> timeline = DailyTimeline("oil", (TimelineDay("2010-04-22", ("The rig sinks .",)),))
    >>> list(days_of(timeline, Rules("tls")).values())
    [Day(number=733884, sentences=(('rig', 'sink'),), tokens=('The', 'rig', 'sinks'))]
    """
    texts: dict[int, tuple[str, ...]] = {}
    for day in timeline.days:
        number = datetime.date.fromisoformat(day.date).toordinal()
        before = () if rules.last_day_wins else texts.get(number, ())
        texts[number] = before + day.sentences
    return {number: _day(number, texts[number], rules) for number in sorted(texts)}


def _day(number: int, sentences: tuple[str, ...], rules: Rules) -> Day:
    counted = tuple(tuple(_stems(sentence, rules.markup, rules.ascii_words)) for sentence in sentences)
    tokens = tuple(token for sentence in sentences for token in sentence.split() if token not in punctuation)
    return Day(number, counted, tokens)


@lru_cache(maxsize=4096)
def _stems(sentence: str, markup: bool, ascii_words: bool) -> tuple[str, ...]:
    if markup:
        sentence = sentence.replace("^", "&circ;").partition("<")[0]
    return tuple(stems(sentence, ascii_only=ascii_words))
