"""What is judged once: the updates of a pool without their exact copies."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tidings.core import PooledUpdate

__all__ = ["Candidate", "candidates_of"]


class Candidate(Struct, frozen=True):
    """An update that is judged once for all of its exact copies.

    Args:
        id: the earliest one's id.
        text: its words.
        time: when it was published; 0 where nobody said it.
        sentence_index: its place in its document.
        copies: ids of all that repeat it, its own first.
    """

    id: str
    text: str
    time: int
    sentence_index: int
    copies: tuple[str, ...]


def candidates_of(pool: Iterable[PooledUpdate]) -> tuple[Candidate, ...]:
    """The updates of one topic's pool, exact copies as one, earliest first.

    Copies are those that `duplicate_of` links (also through one that is not in the pool) and those of equal words
    whatever stands between them; equal times are in order of their ids.

    >>> texts = {"d": "A  fire.", "c": "A fire.", "b": "Rain."}
    >>> [one.copies for one in candidates_of(PooledUpdate("e", doc, 0, text) for doc, text in texts.items())]
    [('b-0',), ('c-0', 'd-0')]
    """
    rows = {row.id: row for row in pool}
    roots: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := roots.setdefault(name, name)) != name:
            roots[name] = name = roots[above]
        return name

    for row in rows.values():
        roots[root(f"update {row.id}")] = root(f"words {' '.join(row.text.split())}")
        if row.duplicate_of:
            roots[root(f"update {row.id}")] = root(f"update {row.duplicate_of}")
    groups: dict[str, list[PooledUpdate]] = {}
    for row in sorted(rows.values(), key=_place):
        groups.setdefault(root(f"update {row.id}"), []).append(row)
    return tuple(
        Candidate(
            group[0].id,
            group[0].text,
            group[0].published_time,
            group[0].sentence_index,
            tuple(row.id for row in group),
        )
        for group in groups.values()
    )


def _place(row: PooledUpdate) -> tuple[int, str, int]:
    return row.published_time, row.doc_id, row.sentence_index
