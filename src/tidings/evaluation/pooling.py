"""Pooling: which updates of several runs people should judge, with copies linked to what they copy.

The track judged, of each run and topic, the 60 updates of the highest confidence (Guo, Diaz and Yom-Tov, ECIR 2013;
Aslam et al., TREC 2013 to 2015). Exact copies were linked in the column `duplicate_id`, so that one judgment serves
all. Of two submitted runs of 2014, 99.8 % of what this takes by confidence is in the pool of that year.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from tidings.core import (
    NearDuplicates,
    PooledUpdate,
    Run,
    Update,
    UsageError,
    bare_event_id,
    shared_analyzer,
    shingles,
)

PoolOrder = Literal["confidence", "time", "round-robin"]


class NearCopy(Struct, frozen=True):
    """Two pooled updates that are nearly the same; `likeness` is Jaccard's, of runs of two stems, in 0..1."""

    event_id: str
    update_id: str
    earlier_id: str
    likeness: float


class PoolStatistics(Struct, frozen=True):
    """What was pooled for one event.

    Args:
        event_id: which.
        runs: that emitted it.
        offered: updates that they hold of it, each run's counted.
        taken: within the depth, each run's counted.
        updates: different ones that were pooled; this is how many rows there are.
        shared: of these, how many at least two runs gave.
        duplicates: of these, exact copies of another one.
        near: of these, near copies of an earlier one, exact ones not counted.
        judged: of these, judged before, or the exact copy of one that was.
        wordless: left out, because nobody knows their words.
    """

    event_id: str
    runs: int
    offered: int
    taken: int
    updates: int
    shared: int
    duplicates: int
    near: int
    judged: int
    wordless: int

    @property
    def left(self) -> int:
        """How many have to be judged: neither judged before nor a copy of another one."""
        return self.updates - self.judged - self.duplicates


class UpdatePool(Struct, frozen=True):
    """The pool of some runs: its rows, near copies among them, and what was pooled for each event."""

    updates: tuple[PooledUpdate, ...]
    near_copies: tuple[NearCopy, ...]
    statistics: tuple[PoolStatistics, ...]


def pool_runs(
    runs: Sequence[Run],
    *,
    depth: int = 60,
    order: PoolOrder = "confidence",
    texts: Mapping[str, str] | None = None,
    judged: Iterable[PooledUpdate] = (),
    likeness: float = 0.5,
    lenient: bool = False,
) -> UpdatePool:
    """What people should judge of these runs.

    Args:
        runs: of which updates are taken.
        depth: how many of each run and event; in turns (`round-robin`), how many different ones of each event in all.
        order: which first: the highest confidence; the earliest time; or in turns, each run's next by confidence.
        texts: words of updates, by id, where runs hold none.
        judged: a pool that was judged before; what it holds is carried over where it is pooled again.
        likeness: from which Jaccard likeness on, in (0, 1], two updates are near copies.
        lenient: leave out and count updates without words.

    Returns:
        Rows by event (in the order in which the runs name them), time and id. A row's `duplicate_of` names the
        earliest row of the same words, white space apart; a judged one before others.

    Raises:
        UsageError: a depth below 1, an unknown order, or updates whose words are in no run and not in `texts`.

    >>> fire = Update("e", "d", 0, 60, 0.9, "A fire.", 60)
    >>> copy = Update("e", "f", 3, 90, 0.4, "A  fire.", 90)
    >>> pool = pool_runs([Run("us", "a", (fire, copy)), Run("us", "b", (fire,))], depth=5)
    >>> [(row.id, row.duplicate_of) for row in pool.updates]
    [('d-0', ''), ('f-3', 'd-0')]
    >>> pool.statistics[0].offered, pool.statistics[0].updates, pool.statistics[0].shared, pool.statistics[0].left
    (3, 2, 1, 1)
    """
    if depth < 1:
        raise UsageError(f"a depth of {depth} (expected at least 1)")
    if order not in ("confidence", "time", "round-robin"):
        raise UsageError(f"unknown order {order!r} (expected confidence, time or round-robin)")
    ranked: dict[str, list[list[Update]]] = {}
    names: dict[str, str] = {}
    for run in runs:
        own: dict[str, list[Update]] = {}
        for update in run.updates:
            bare = bare_event_id(update.event_id)
            names[bare] = max(names.get(bare, ""), update.event_id, key=len)
            own.setdefault(bare, []).append(update)
        for bare, updates in own.items():
            ranked.setdefault(bare, []).append(_rank(updates, order))
    judged_rows: dict[str, dict[str, PooledUpdate]] = {}
    for row in judged:
        judged_rows.setdefault(bare_event_id(row.event_id), {})[row.id] = row
    parts = [
        _pool_event(
            names[bare], lists, depth, order, texts or {}, judged_rows.get(bare, {}), likeness, lenient
        )
        for bare, lists in ranked.items()
    ]
    return UpdatePool(
        tuple(row for rows, _, _ in parts for row in rows),
        tuple(copy for _, copies, _ in parts for copy in copies),
        tuple(statistics for _, _, statistics in parts),
    )


def _rank(updates: list[Update], order: PoolOrder) -> list[Update]:
    """A run's updates of an event, those to be taken first in front, each once."""
    once = {update.id: update for update in reversed(updates)}
    in_run = list(dict.fromkeys(update.id for update in updates))
    kept = [once[text] for text in in_run]
    if order == "time":
        return sorted(kept, key=lambda update: update.time)
    return sorted(kept, key=lambda update: -update.confidence)


def _pool_event(
    event_id: str,
    lists: list[list[Update]],
    depth: int,
    order: PoolOrder,
    texts: Mapping[str, str],
    judged: Mapping[str, PooledUpdate],
    likeness: float,
    lenient: bool,
) -> tuple[list[PooledUpdate], list[NearCopy], PoolStatistics]:
    taken = (
        _in_turns(lists, depth) if order == "round-robin" else [key for own in lists for key in own[:depth]]
    )
    count: dict[str, int] = {}
    chosen: dict[str, Update] = {}
    for update in taken:
        count[update.id] = count.get(update.id, 0) + 1
        chosen.setdefault(update.id, update)
    worded = {key: _row(event_id, update, texts, judged) for key, update in chosen.items()}
    wordless = [key for key, row in worded.items() if row is None]
    if wordless and not lenient:
        raise UsageError(
            f"{len(wordless)} updates of event {event_id} have no text in the runs, such as {wordless[0]}; name "
            "the documents with --stream, or skip these updates with --lenient"
        )
    rows = [row for row in worded.values() if row is not None]
    rows.sort(key=lambda row: (row.published_time, row.doc_id, row.sentence_index))
    linked, copies_of_judged = _link(rows, judged)
    near = _near_copies(linked, likeness)
    first_hand = sum(row.id in judged for row in linked)
    statistics = PoolStatistics(
        event_id=event_id,
        runs=len(lists),
        offered=sum(map(len, lists)),
        taken=len(taken),
        updates=len(linked),
        shared=sum(number > 1 for number in count.values()),
        duplicates=sum(bool(row.duplicate_of) and row.id not in judged for row in linked) - copies_of_judged,
        near=len({copy.update_id for copy in near}),
        judged=first_hand + copies_of_judged,
        wordless=len(wordless),
    )
    return linked, near, statistics


def _in_turns(lists: list[list[Update]], depth: int) -> list[Update]:
    """The first of each run, then the second of each, until `depth` different ones are there."""
    taken: list[Update] = []
    different: set[str] = set()
    for rank in range(max(map(len, lists), default=0)):
        for own in lists:
            if rank < len(own) and (own[rank].id in different or len(different) < depth):
                different.add(own[rank].id)
                taken.append(own[rank])
        if len(different) >= depth:
            break
    return taken


def _row(
    event_id: str, update: Update, texts: Mapping[str, str], judged: Mapping[str, PooledUpdate]
) -> PooledUpdate | None:
    """The row of an update; None where nobody knows its words."""
    if update.id in judged:
        return judged[update.id]
    text = update.text or texts.get(update.id, "")
    if not text:
        return None
    time = update.published_time or update.time
    return PooledUpdate(
        event_id, update.doc_id, update.sentence_index, text, published_time=time, source=update.source
    )


def _link(rows: list[PooledUpdate], judged: Mapping[str, PooledUpdate]) -> tuple[list[PooledUpdate], int]:
    """The rows with exact copies linked, and how many that are not judged copy one that is."""
    from msgspec.structs import replace

    first: dict[str, str] = {}
    for row in (*judged.values(), *rows):
        first.setdefault(_words(row.text), row.duplicate_of or row.id)
    linked, copies_of_judged = [], 0
    for row in rows:
        if row.id in judged:
            linked.append(row)
            continue
        original = first[_words(row.text)]
        copies_of_judged += original in judged
        linked.append(row if original == row.id else replace(row, duplicate_of=original))
    return linked, copies_of_judged


def _words(text: str) -> str:
    return " ".join(text.split())


def _near_copies(rows: list[PooledUpdate], likeness: float) -> list[NearCopy]:
    """For each row that copies none exactly the earlier one that it is most alike, where there is one."""
    index = NearDuplicates(threshold=likeness)
    stems = shared_analyzer().stems
    copies = []
    for row in rows:
        if row.duplicate_of:
            continue
        words = shingles(stems(row.text))
        likest = max(index.find(words, now=row.published_time), key=lambda pair: pair[1], default=None)
        if likest is not None:
            copies.append(NearCopy(row.event_id, row.id, likest[0], likest[1]))
        index.add(row.id, words, time=row.published_time)
    return copies
