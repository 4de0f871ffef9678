"""Questions to a judge from outside about candidates near the level, and what it is shown with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tidings.core import Event, Sentence

if TYPE_CHECKING:
    from tidings.analysis import NewsJudge

_MOST_UPDATES = 200  # remembered
_SHOWN = 5  # updates that a model sees beside a candidate, the likest

Weigh = Callable[[str], tuple[Mapping[str, float], float]]
"""Gives the stems of a text with their weights, and the length of the vector that they make."""


class Asking:
    """Questions about one event: how many were asked, and what was emitted before.

    Args:
        event: what is followed.
        judge: who is asked.
        band: how near to the level a candidate's worth must be to be asked about.
        calls: how many questions may be asked about the event; those count too that are answered from a book, so that a
            run that goes on decides as one that was never stopped.
        weigh: reads a text.

    It remembers the latest 200 updates, and shows the judge the five that are most like a candidate.
    """

    def __init__(self, event: Event, judge: NewsJudge, band: float, calls: int, weigh: Weigh) -> None:
        self._event, self._judge, self._weigh = event, judge, weigh
        self._band, self._calls = band, calls
        self._asked = 0
        self._updates: list[tuple[int, str, Mapping[str, float], float]] = []

    def is_near(self, excess: float) -> bool:
        """Whether a candidate whose worth is so far above the level (or below, if negative) is to be asked about."""
        return self._asked < self._calls and abs(excess) < self._band

    def is_news(self, sentence: Sentence, own: bool) -> bool:
        """The judge's word on a candidate; `own`, what the follower decides itself, where there is none."""
        if self._asked >= self._calls:
            return own
        self._asked += 1
        verdict = self._judge.is_news(self._event, sentence, self._most_like(sentence.text))
        return own if verdict is None else verdict

    def note(self, time: int, text: str) -> None:
        """Remember an update."""
        self._updates.append((time, text, *self._weigh(text)))
        if len(self._updates) > _MOST_UPDATES:
            del self._updates[0]

    def _most_like(self, text: str) -> list[tuple[int, str]]:
        """The updates that share most with a text, in the order in which they were emitted."""
        stems, norm = self._weigh(text)
        likeness = [
            (_product(stems, others) / ((norm * length) or 1.0), number)
            for number, (_, _, others, length) in enumerate(self._updates)
        ]
        likeness.sort(reverse=True)
        return [self._updates[number][:2] for number in sorted(number for _, number in likeness[:_SHOWN])]

    def state(self) -> list[Any]:
        """What it remembers, as plain values."""
        updates = [(time, text.encode("utf-8", "surrogatepass")) for time, text, _, _ in self._updates]
        return [self._asked, updates]

    def restore(self, state: Sequence[Any]) -> None:
        """Become what gave `state`."""
        self._asked, updates = state
        self._updates.clear()
        for time, text in updates:
            self.note(time, text.decode("utf-8", "surrogatepass"))


def _product(stems: Mapping[str, float], others: Mapping[str, float]) -> float:
    small, large = (stems, others) if len(stems) <= len(others) else (others, stems)
    return sum(weight * large[stem] for stem, weight in small.items() if stem in large)
