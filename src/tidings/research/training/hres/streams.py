"""Events as tables: what the follower would read of each stream, and what each sentence is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import atan, pi
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tidings.core import Sentence
from tidings.evaluation import prepare_event, published_time
from tidings.research.systems.hres import Hres, ReadSentence, SentenceReader
from tidings.research.systems.hres_memory import MARKS
from tidings.research.training.labelled_events import JudgedEvent

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["Days", "Stream", "Text", "gains_at_first", "read_stream_of"]

ALPHA_S = 21_600


@dataclass(frozen=True)
class Days:
    """One event's days (UTC) as the track of pushed tweets scores them, its nuggets taken as clusters.

    Attributes:
        count: how many days.
        best: Z of each day, the ten greatest gains that its clusters offer; 0: a silent day.
        day: of each sentence; -1 for one published outside the event.
        cluster: of each sentence; -1 for one that earns nothing.
        gain: .5 or 1 for a sentence of a cluster, else 0.
        delay: seconds from the first sentence of its cluster to its push.
    """

    count: int
    best: list[float]
    day: list[int]
    cluster: list[int]
    gain: list[float]
    delay: list[int]


class Text(NamedTuple):
    """A sentence of the stream with nothing known of the stream: rows of its words, their marks, its document."""

    ids: Array
    marks: Array
    document: str


@dataclass(eq=False)
class Stream:
    """One event's sentences that pass the gate, in order.

    Attributes:
        sentences: as read. times: when each arrives (the push's time).
        texts: every sentence of the stream, whether it passes the gate or not.
        spans: for each sentence its matches (nugget, first matched word, first word after), as scored.
        lengths: words of each sentence as the scorer counts them.
        gains: R of each nugget.
        nugget_times: when each nugget came to be known. total: sum of R. ideal: best mean R of k updates.
        days: what each sentence is worth by EG and nCG.
        laid: what rollouts make of it once and for all (`tidings.research.training.hres.rollouts`).
    """

    event: JudgedEvent
    query_ids: Array
    sentences: list[ReadSentence]
    times: list[int]
    texts: list[Text]
    spans: list[list[tuple[int, int, int]]]
    lengths: list[int]
    gains: list[float]
    nugget_times: list[int]
    mean_words: float
    total: float
    ideal: list[float]
    days: Days
    laid: dict[str, Any] = field(default_factory=dict)

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
    texts: list[Text] = []
    for sentences, now in event.pushes:
        for sentence in sentences:
            reading = reader.read(sentence.text)
            marks = np.pad(reading.marks, ((0, 0), (0, len(MARKS) - 4)))
            texts.append(Text(reading.ids, marks, sentence.doc_id))
            one = reader.see(sentence, now)
            if one is not None:
                read_sentences.append(one)
                times.append(now)
    lengths = []
    for each in read_sentences:
        prepared = judged.texts.get(each.sentence.id)
        lengths.append(prepared[1] if prepared else 1)
    return Stream(
        event,
        reader.query_ids,
        read_sentences,
        times,
        texts,
        [event.spans_of(each.sentence) for each in read_sentences],
        lengths,
        event.gains,
        event.times,
        judged.mean_words,
        judged.total_gain,
        judged.ideal,
        _days(event, [each.sentence for each in read_sentences], times),
    )


def _days(event: JudgedEvent, sentences: Sequence[Sentence], times: Sequence[int]) -> Days:
    published = {sentence.id: sentence.published_time for sentence, _ in event.sentences}
    prepared = prepare_event(
        event.prepared.events[event.event.id],
        lambda one: published[one] if one in published else published_time(one),
        "guideline",
    )
    (topic,) = prepared.topics.values()
    number = {name: at for at, name in enumerate(prepared.rules.calendar())}
    start, count, daily = prepared.rules.start_time(), prepared.rules.days, prepared.rules.daily
    names = {name: at for at, name in enumerate(topic.first_time)}
    days = Days(
        count, [sum(sorted(best.values(), reverse=True)[:daily]) for best in topic.best], [], [], [], []
    )
    for sentence, time in zip(sentences, times, strict=True):
        posted = prepared.day_of.get(sentence.id)
        day = (time - start) // 86_400 if posted is None else number.get(posted, -1)
        day = day if 0 <= day < count else -1
        cluster = topic.cluster_of[day].get(sentence.id) if day >= 0 else None
        days.day.append(day)
        days.cluster.append(-1 if cluster is None else names[cluster])
        days.gain.append(0.0 if cluster is None else topic.gains[sentence.id])
        days.delay.append(0 if cluster is None else max(0, time - topic.first_time[cluster]))
    return days


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
