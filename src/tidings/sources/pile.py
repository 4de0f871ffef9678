"""A pile of documents put in the order of their times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tidings.records import Document

__all__ = ["in_order"]


def in_order(documents: Iterable[Document]) -> Iterator[Document]:
    """The documents by published_time; those of the same time in the order in which they came.

    >>> [d.id for d in in_order([Document(id="b", published_time=2), Document(id="a", published_time=1)])]
    ['a', 'b']
    """
    return iter(sorted(documents, key=lambda document: document.published_time))
