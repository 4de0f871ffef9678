"""Playing out many streams at once: what the policy reads, does and earns, by the numpy network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tidings.systems.hres.memory import DAY_S
from tidings.systems.hres.network import Network
from tidings.systems.hres.surface import DYNAMIC, WINDOW
from tidings.text.quantiles import RunningQuantile
from tidings.training.hres.streams import Stream

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]

__all__ = ["PIECE", "Played", "Tables", "make_tables", "play"]

PIECE = 64
"""Decisions through which gradients flow back; the memory before them is taken as given."""

_CONTENT, _NUMBERS, _NUGGETS = 40, 8, 8


@dataclass(eq=False)
class Tables:
    """Streams, longest first, as padded arrays over (events, sentences, …).

    Attributes:
        static: what the policy reads that does not depend on decisions. sentences: the encoder's vectors.
        cosines, likenesses: of each sentence to each other of its event.
        content, numbers: columns of the told words; nuggets: columns of the told nuggets (padding: the last column).
        gains: R · L of each of these nuggets; covered: their matched words.
        words: of each sentence; mean_words: of each event's nuggets.
        level: for each event the gain per verbosity from which the greedy oracle tells.
    """

    streams: list[Stream]
    lengths: Array
    static: Array
    sentences: Array
    cosines: Array
    likenesses: Array
    content: Array
    content_counts: Array
    numbers: Array
    nuggets: Array
    gains: Array
    covered: Array
    words: Array
    mean_words: Array
    times: Array
    level: Array
    most_words: int
    most_nuggets: int


@dataclass(eq=False)
class Played:
    """What was played: (rows, steps) of decisions and teacher's values, (rows, steps, …) of what was read.

    Row r plays event r // rollouts. `margin` is the gain per verbosity minus the oracle's level, given what the row
    had told; `memories` (rows, pieces, size) is the policy's memory before each piece of `PIECE` sentences.
    """

    actions: Array
    dynamic: Array
    margin: Array
    memories: Array
    chosen: list[list[int]]


def make_tables(streams: Sequence[Stream], network: Network, levels: Sequence[float]) -> Tables:
    """Encode every sentence of these streams and lay them out; `levels` as in `Tables.level`."""
    order = sorted(range(len(streams)), key=lambda n: -len(streams[n]))
    chosen = [streams[n] for n in order]
    count, most = len(chosen), max(1, *map(len, chosen))
    encoded: list[dict[str, Array]] = [_encode(stream, network) for stream in chosen]
    keys = [
        {
            key: n
            for n, key in enumerate(dict.fromkeys(k for s in stream.sentences for k in s.reading.content))
        }
        for stream in chosen
    ]
    most_words = max(len(row) for row in keys)
    most_nuggets = max(len(stream.gains) for stream in chosen)

    def blank(*shape: int, fill: float = 0.0, kind: Any = np.float32) -> Array:
        return np.full((count, most, *shape), fill, dtype=kind)

    tables = Tables(
        chosen,
        np.array([len(stream) for stream in chosen]),
        blank(encoded[0]["static"].shape[1]),
        blank(encoded[0]["sentences"].shape[1]),
        blank(most),
        blank(most),
        blank(_CONTENT, fill=most_words, kind=np.int64),
        blank(fill=1.0),
        blank(_NUMBERS, fill=most_words, kind=np.int64),
        blank(_NUGGETS, fill=most_nuggets, kind=np.int64),
        blank(_NUGGETS),
        blank(_NUGGETS),
        blank(),
        np.array([stream.mean_words for stream in chosen], dtype=np.float32),
        blank(kind=np.int64),
        np.array([levels[n] for n in order], dtype=np.float32),
        most_words,
        most_nuggets,
    )
    for e, stream in enumerate(chosen):
        size = len(stream)
        if not size:
            continue
        tables.static[e, :size] = encoded[e]["static"]
        tables.sentences[e, :size] = encoded[e]["sentences"]
        vectors = np.stack([each.vector for each in stream.sentences])
        tables.cosines[e, :size, :size] = vectors @ vectors.T
        tables.likenesses[e, :size, :size] = encoded[e]["likeness"] @ encoded[e]["likeness"].T
        tables.times[e, :size] = stream.times
        tables.words[e, :size] = stream.lengths
        for n, each in enumerate(stream.sentences):
            content = [keys[e][key] for key in each.reading.content][:_CONTENT]
            tables.content[e, n, : len(content)] = content
            tables.content_counts[e, n] = max(1, len(content))
            numbers = [keys[e][key] for key in each.reading.numbers][:_NUMBERS]
            tables.numbers[e, n, : len(numbers)] = numbers
            spans: dict[int, int] = {}
            for nugget, start, end in stream.spans[n]:
                spans[nugget] = spans.get(nugget, 0) + max(0, end - start)
            for m, (nugget, covered) in enumerate(list(spans.items())[:_NUGGETS]):
                tables.nuggets[e, n, m] = nugget
                tables.gains[e, n, m] = stream.gains[nugget] * stream.latency(nugget, stream.times[n])
                tables.covered[e, n, m] = covered
    return tables


def _encode(stream: Stream, network: Network) -> dict[str, Array]:
    query = network.query(stream.query_ids)
    parts = []
    # By length, so that little is padding; back in order afterwards.
    order = sorted(range(len(stream)), key=lambda n: len(stream.sentences[n].reading.ids))
    for start in range(0, len(order), 128):
        chunk = [stream.sentences[n] for n in order[start : start + 128]]
        surfaces = np.stack([each.surface for each in chunk])
        encoded = network.encode(
            [each.reading.ids for each in chunk], [each.marks for each in chunk], surfaces, query
        )
        parts.append((encoded.sentences, network.standard(surfaces), encoded.relevance, encoded.likeness))
    if not parts:
        wide = 1
        return {"static": np.zeros((0, wide)), "sentences": np.zeros((0, 1)), "likeness": np.zeros((0, 1))}
    back = np.argsort(np.array(order))
    sentences, standard, relevance, likeness = (
        np.concatenate(part)[back] for part in zip(*parts, strict=True)
    )
    ranks = RunningQuantile(WINDOW)
    rank = np.array([[ranks.add(float(value))] for value in relevance[:, 1]], dtype=np.float32)
    return {
        "static": np.concatenate((sentences, standard, relevance, rank), axis=1),
        "sentences": sentences,
        "likeness": likeness,
    }


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
    log odds of telling.
    """
    T = int(tables.lengths.max())
    count = len(tables.streams)
    rows = count * rollouts
    event_of = np.repeat(np.arange(count), rollouts)
    actions = np.zeros((rows, T), dtype=np.float32)
    dynamic = np.zeros((rows, T, len(DYNAMIC)), dtype=np.float32)
    margin = np.zeros((rows, T), dtype=np.float32)
    closest = np.zeros((rows, T), dtype=np.float32)
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
        # The same numbers as ToldMemory.look, for all rows at once.
        read = dynamic[:alive, t]
        read[:, 0] = closest[:alive, t]
        read[:, 1] = total[:alive, t] / np.maximum(1, updates[:alive])
        read[:, 2] = np.where(some, likest[:alive, t], 0)
        read[:, 3] = np.log1p(updates[:alive]) / 5
        read[:, 4] = np.where(some, np.log1p(np.maximum(0, now - last[:alive]) / 60) / 8, 1.0)
        content = tables.content[ev, t]
        read[:, 5] = (~words[own[:, None], content]).sum(1) / tables.content_counts[ev, t]
        read[:, 6] = np.minimum(4, (~words[own[:, None], tables.numbers[ev, t]]).sum(1)) / 4
        today[:alive][now // DAY_S != last[:alive] // DAY_S] = 0
        read[:, 7] = np.log1p(today[:alive]) / 3
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
        actions[:alive, t] = tell
        memory[:alive] = network.remember(memory[:alive], tables.sentences[ev, t], tell)
        which = np.flatnonzero(tell)
        if len(which):
            e = event_of[which]
            first = updates[which] == 0
            alike = tables.likenesses[e, t]
            closest[which] = np.where(
                first[:, None], tables.cosines[e, t], np.maximum(closest[which], tables.cosines[e, t])
            )
            likest[which] = np.where(first[:, None], alike, np.maximum(likest[which], alike))
            total[which] += tables.cosines[e, t]
            updates[which] += 1
            today[which] += 1
            last[which] = tables.times[e, t]
            words[which[:, None], content[which]] = True
            nuggets[which[:, None], tables.nuggets[e, t]] = True
    chosen = [np.flatnonzero(row).tolist() for row in actions]
    return Played(actions, dynamic, margin, memories, chosen)
