"""How likely a sentence is for its topic, by one of four models; a part of `allan2001`."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.core import LanguageModel, Smoothing

__all__ = ["Usefulness"]


class Usefulness:
    """The models that usefulness asks, story by story: `open`, then `mean_log` and `add` by turns, then `close`.

    `topic`: all stories before this one (the first story asks itself). `sentences`: all sentences before
    this one (the first asks its story). `story`: the story at hand, as a whole. `average`: the mean over
    the stories so far, the one at hand included, of their relative frequencies, each story weighing the
    same however long it is. `none`: everything is equally useful.
    """

    def __init__(self, kind: str, smoothing: Smoothing, topic: LanguageModel) -> None:
        self._kind = kind
        self._smoothing = smoothing
        self._topic = topic
        self._story = LanguageModel()
        self._stems: list[Sequence[str]] = []

    def open(self, story: list[Sequence[str]]) -> None:
        """Begin a story, given the stems of all its sentences."""
        self._stems = story
        self._story = LanguageModel()
        for stems in story:
            self._story.add(stems)
        if self._kind == "average":
            self._topic.add((stem for stems in story for stem in stems), 1.0 / self._story.size)

    def mean_log(self, stems: Sequence[str]) -> float:
        """log of useful(s), the geometric mean of P(w | model) over the stems."""
        if self._kind == "none":
            return 0.0
        model = self._topic if self._kind != "story" and self._topic.counts else self._story
        return model.mean_log(stems, self._smoothing)

    def add(self, stems: Sequence[str]) -> None:
        """The sentence has been scored: it is now among the previous ones."""
        if self._kind == "sentences":
            self._topic.add(stems)

    def close(self) -> None:
        """The story is over: it is now among the previous ones."""
        if self._kind == "topic":
            for stems in self._stems:
                self._topic.add(stems)
        self._stems = []
