"""Streams played out many times at once, with what each decision earns, by the numpy network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tidings.core import DAY_S, RunningQuantile
from tidings.following import Array
from tidings.research.systems.hres import Network
from tidings.research.systems.hres_memory import DYNAMIC, WINDOW
from tidings.research.training.hres.event_tables import DAILY_LIMIT, Stream

PIECE = 64
"""Decisions through which gradients flow back; the memory before them is taken as given."""

_CONTENT, _NUMBERS, _NUGGETS = 40, 8, 8  # columns of a row; what a sentence has beyond these is cut off
_LAID = ("content", "content_counts", "numbers", "nuggets", "gains", "covered", "words", "times")


@dataclass(frozen=True, eq=False)
class Encoding:
    """What an encoder makes of one stream: the policy's static inputs, sentences and likeness vectors."""

    static: Array
    sentences: Array
    likeness: Array


@dataclass(frozen=True, eq=False)
class Tables:
    """Streams, longest first, as padded arrays over (events, sentences, …).

    Attributes:
        order: of the streams as they were given.
        static: what the policy reads that does not depend on decisions. sentences: the encoder's vectors.
        likenesses: of each sentence to each other of its event.
        content, numbers: columns of the words emitted; nuggets: those of the nuggets (padding: the last column).
        gains: R · L of each of these nuggets; covered: their matched words.
        words: of each sentence; mean_words: of each event's nuggets.
        level: for each event the gain per verbosity from which the greedy oracle tells.
    """

    streams: list[Stream]
    order: list[int]
    lengths: Array
    static: Array
    sentences: Array
    likenesses: Array
    content: Array
    content_counts: Array
    numbers: Array
    nuggets: Array
    gains: Array
    covered: Array
    words: Array
    times: Array
    mean_words: Array
    level: Array
    most_words: int
    most_nuggets: int


@dataclass(frozen=True, eq=False)
class Played:
    """What was played: (rows, steps) of decisions and teacher's values, (rows, steps, …) of what was read.

    Row r plays event r // rollouts. `margin` is the gain per verbosity minus the oracle's level, given what the row
    had emitted; `free` is 0 where the day's ten were emitted and nothing could be decided; `memories` (rows, pieces,
    size) is the policy's memory before each piece of `PIECE` sentences.
    """

    actions: Array
    dynamic: Array
    margin: Array
    free: Array
    memories: Array
    chosen: list[list[int]]


def make_tables(streams: Sequence[Stream], encodings: Sequence[Encoding], levels: Sequence[float]) -> Tables:
    """Lay streams out with what the encoder makes of them; `levels` as in `Tables.level`."""
    order = sorted(range(len(streams)), key=lambda n: -len(streams[n]))
    chosen = [streams[n] for n in order]
    laid = [_laid(stream) for stream in chosen]
    most_words = max(each["most_words"] for each in laid)
    most_nuggets = max(len(stream.gains) for stream in chosen)
    most = max(1, *map(len, chosen))
    # Padding stands in the last column, whichever that is of the longest.
    fill = {"content": most_words, "numbers": most_words, "nuggets": most_nuggets, "content_counts": 1}
    tables = {name: _stack([each[name] for each in laid], most, fill.get(name, 0)) for name in _LAID}
    for name in ("content", "numbers", "nuggets"):
        tables[name][tables[name] < 0] = fill[name]
    encoded = [encodings[n] for n in order]
    likenesses = np.zeros((len(chosen), most, most), dtype=np.float32)
    for n, each in enumerate(encoded):
        likenesses[n, : len(each.likeness), : len(each.likeness)] = each.likeness @ each.likeness.T
    return Tables(
        streams=chosen,
        order=order,
        lengths=np.array([len(stream) for stream in chosen]),
        static=_stack([each.static for each in encoded], most, 0),
        sentences=_stack([each.sentences for each in encoded], most, 0),
        likenesses=likenesses,
        **tables,
        mean_words=np.array([stream.mean_words for stream in chosen], dtype=np.float32),
        level=np.array([levels[n] for n in order], dtype=np.float32),
        most_words=most_words,
        most_nuggets=most_nuggets,
    )


def _stack(parts: Sequence[Array], most: int, fill: float) -> Array:
    whole = np.full((len(parts), most, *parts[0].shape[1:]), fill, dtype=parts[0].dtype)
    for n, part in enumerate(parts):
        whole[n, : len(part)] = part
    return whole


def _laid(stream: Stream) -> dict[str, Any]:
    """The arrays of `_LAID`, made once for each stream; columns that hold nothing are -1."""
    if stream.laid:
        return stream.laid
    size = len(stream)
    keys = dict.fromkeys(key for each in stream.sentences for key in each.reading.content)
    column = {key: n for n, key in enumerate(keys)}
    laid = stream.laid
    laid["most_words"] = len(column)
    for name, wide in (("content", _CONTENT), ("numbers", _NUMBERS), ("nuggets", _NUGGETS)):
        laid[name] = np.full((size, wide), -1, dtype=np.int64)
    for name in ("gains", "covered"):
        laid[name] = np.zeros((size, _NUGGETS), dtype=np.float32)
    laid["content_counts"] = np.ones(size, dtype=np.float32)
    laid["words"] = np.array(stream.lengths, dtype=np.float32)
    laid["times"] = np.array(stream.times, dtype=np.int64)
    for n, each in enumerate(stream.sentences):
        content = [column[key] for key in each.reading.content][:_CONTENT]
        laid["content"][n, : len(content)] = content
        laid["content_counts"][n] = max(1, len(content))
        numbers = [column[key] for key in each.reading.numbers][:_NUMBERS]
        laid["numbers"][n, : len(numbers)] = numbers
        spans: dict[int, int] = {}
        for nugget, start, end in stream.spans[n]:
            spans[nugget] = spans.get(nugget, 0) + max(0, end - start)
        for m, (nugget, covered) in enumerate(list(spans.items())[:_NUGGETS]):
            laid["nuggets"][n, m] = nugget
            laid["gains"][n, m] = stream.gains[nugget] * stream.latency(nugget, stream.times[n])
            laid["covered"][n, m] = covered
    return laid


def rank_of(relevance: Array) -> Array:
    """The running rank of each sentence's expected gain among the latest, (sentences, 1)."""
    ranks = RunningQuantile(WINDOW)
    return np.array([[ranks.add(float(value))] for value in relevance[:, 1]], dtype=np.float32)


def play(
    tables: Tables,
    network: Network,
    rollouts: int,
    rng: np.random.Generator | None,
    *,
    teacher: float = 0.0,
    shift: float = 0.0,
) -> Played:
    """Play each event `rollouts` times; without `rng` the likelier action is taken, else one by its probability.

    In each row the oracle decides with probability `teacher` (drawn once for each sentence); `shift` is added to the
    log odds of emitting. Nothing is emitted beyond a day's ten.
    """
    T = int(tables.lengths.max())
    count = len(tables.streams)
    rows = count * rollouts
    event_of = np.repeat(np.arange(count), rollouts)
    actions = np.zeros((rows, T), dtype=np.float32)
    dynamic = np.zeros((rows, T, len(DYNAMIC)), dtype=np.float32)
    margin = np.zeros((rows, T), dtype=np.float32)
    free = np.ones((rows, T), dtype=np.float32)
    total = np.zeros((rows, T), dtype=np.float32)
    likest = np.zeros((rows, T), dtype=np.float32)
    updates = np.zeros(rows, dtype=np.int64)
    last = np.zeros(rows, dtype=np.int64)
    today = np.zeros(rows, dtype=np.int64)
    words = np.zeros((rows, tables.most_words + 1), dtype=bool)
    words[:, -1] = True
    nuggets = np.zeros((rows, tables.most_nuggets + 1), dtype=bool)
    nuggets[:, -1] = True
    memory = np.zeros((rows, network.memory_size), dtype=np.float32)
    everyone = np.arange(rows)
    memories = np.zeros((rows, -(-T // PIECE), network.memory_size), dtype=np.float32)
    for t in range(T):
        if t % PIECE == 0:
            memories[:, t // PIECE] = memory
        alive = int((tables.lengths > t).sum()) * rollouts
        own, ev = everyone[:alive], event_of[:alive]
        now = tables.times[ev, t]
        some = updates[:alive] > 0
        # The same numbers as EmittedMemory.look, for all rows at once.
        read = dynamic[:alive, t]
        read[:, 0] = np.where(some, likest[:alive, t], 0)
        read[:, 1] = total[:alive, t] / np.maximum(1, updates[:alive])
        read[:, 2] = np.log1p(updates[:alive]) / 5
        read[:, 3] = np.where(some, np.log1p(np.maximum(0, now - last[:alive]) / 60) / 8, 1.0)
        content = tables.content[ev, t]
        read[:, 4] = (~words[own[:, None], content]).sum(1) / tables.content_counts[ev, t]
        read[:, 5] = np.minimum(4, (~words[own[:, None], tables.numbers[ev, t]]).sum(1)) / 4
        today[:alive][now // DAY_S != last[:alive] // DAY_S] = 0
        read[:, 6] = today[:alive] / 10
        fresh = ~nuggets[own[:, None], tables.nuggets[ev, t]]
        gain = (tables.gains[ev, t] * fresh).sum(1)
        covered = (tables.covered[ev, t] * fresh).sum(1)
        verbosity = 1 + np.maximum(0, tables.words[ev, t] - covered) / tables.mean_words[ev]
        margin[:alive, t] = gain / verbosity - tables.level[ev]
        logits = network.decide(tables.static[ev, t], read, memory[:alive]) + shift
        if rng is None:
            tell = logits > 0
        else:
            tell = rng.random(alive) < 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
            if teacher > 0:
                tell = np.where(rng.random(alive) < teacher, margin[:alive, t] >= 0, tell)
        free[:alive, t] = today[:alive] < DAILY_LIMIT
        tell = tell & (free[:alive, t] > 0)
        actions[:alive, t] = tell
        memory[:alive] = network.remember(memory[:alive], tables.sentences[ev, t], tell)
        which = np.flatnonzero(tell)
        if len(which):
            e = event_of[which]
            alike = tables.likenesses[e, t]
            first = updates[which] == 0
            likest[which] = np.where(first[:, None], alike, np.maximum(likest[which], alike))
            total[which] += alike
            updates[which] += 1
            today[which] += 1
            last[which] = tables.times[e, t]
            words[which[:, None], content[which]] = True
            nuggets[which[:, None], tables.nuggets[e, t]] = True
    chosen = [np.flatnonzero(row).tolist() for row in actions]
    return Played(actions, dynamic, margin, free, memories, chosen)
