"""Events as tables: what the follower would read of each stream, and what each sentence is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, pi
from typing import TYPE_CHECKING, Any

from tidings.measures.periods import closed_period
from tidings.systems.hres import Hres
from tidings.systems.hres.follower import ReadSentence, SentenceReader
from tidings.training.labelled_events import JudgedEvent

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["Stream", "read_stream_of"]

ALPHA_S = 21_600
DAY_S = 86_400


@dataclass(eq=False)
class Stream:
    """One event's sentences that pass the gate, in order.

    Attributes:
        sentences: as read. times: when each arrives (the push's time).
        spans: for each sentence its matches (nugget, first matched word, first word after), as scored.
        lengths: words of each sentence as the scorer counts them.
        gains: R of each nugget.
        nugget_times: when each nugget came to be known. total: sum of R. ideal: best mean R of k updates.
        first: when the first sentence of the whole stream with each nugget arrives.
        days: the event's days; active: for each day the nuggets that some sentence of the stream tells then.
    """

    event: JudgedEvent
    query_ids: Array
    sentences: list[ReadSentence]
    times: list[int]
    spans: list[list[tuple[int, int, int]]]
    lengths: list[int]
    gains: list[float]
    nugget_times: list[int]
    mean_words: float
    total: float
    ideal: list[float]
    first: dict[int, int]
    days: list[int]
    active: dict[int, frozenset[int]]

    def __len__(self) -> int:
        return len(self.sentences)

    def latency(self, nugget: int, time: int) -> float:
        """L = 1 - (2/π) arctan((time - nugget's time) / 6 h), within 0..2."""
        return 1 - 2 / pi * atan((time - self.nugget_times[nugget]) / ALPHA_S)


def read_stream_of(event: JudgedEvent, system: Hres, rows: int) -> Stream:
    """Play an event's stream to the reading part of a follower, and look its sentences up in the judgments."""
    reader = SentenceReader(system, event.event, rows)
    judged = event.prepared.events[event.event.id]
    read_sentences: list[ReadSentence] = []
    times: list[int] = []
    first: dict[int, int] = {}
    active: dict[int, set[int]] = {}
    for sentences, now in event.pushes:
        for sentence in sentences:
            for nugget in event.nuggets_of(sentence):
                first.setdefault(nugget, now)
                active.setdefault(now // DAY_S, set()).add(nugget)
            one = reader.see(sentence, now)
            if one is not None:
                read_sentences.append(one)
                times.append(now)
    lengths = []
    for each in read_sentences:
        prepared = judged.texts.get(each.sentence.id)
        lengths.append(prepared[1] if prepared else 1)
    start, end = closed_period(event.event, "training by days")
    ends = [now for _, now in event.pushes] or [start]
    days = range(min(start, ends[0]) // DAY_S, max(min(end, ends[-1]), ends[0]) // DAY_S + 1)
    return Stream(
        event,
        reader.query_ids,
        read_sentences,
        times,
        [event.spans_of(each.sentence) for each in read_sentences],
        lengths,
        event.gains,
        event.times,
        judged.mean_words,
        judged.total_gain,
        judged.ideal,
        first,
        list(days),
        {day: frozenset(nuggets) for day, nuggets in active.items()},
    )


def gains_at_first(stream: Stream) -> list[tuple[float, float]]:
    """For each sentence (gain with latency, verbosity), were all its nuggets new."""
    gains = []
    for spans, words, time in zip(stream.spans, stream.lengths, stream.times, strict=True):
        gain = sum(stream.gains[n] * stream.latency(n, time) for n in {span[0] for span in spans})
        covered: set[int] = set()
        for _, start, end in spans:
            covered.update(range(start, end))
        gains.append((gain, 1 + max(0, words - len(covered)) / stream.mean_words))
    return gains


def best_order(streams: Sequence[Stream]) -> list[Stream]:
    """The streams, longest first."""
    return sorted(streams, key=len, reverse=True)
