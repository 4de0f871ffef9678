"""One event's updates in clusters, by the rare words that they share."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.errors import LimitError
from tidings.judgments.clustering.linkage import average_linkage
from tidings.judgments.matching.texts import EventTexts
from tidings.records import Cluster, PooledUpdate

__all__ = ["LEVEL", "cluster_updates", "text_likeness"]

LEVEL = 0.18
"""The mean likeness from which on groups are one, chosen on TREC's events of 2013 (docs/clustering.md)."""

_MOST_TEXTS = 10_000
_AT_ONCE = 512


def cluster_updates(
    updates: Sequence[PooledUpdate],
    chosen: Container[str] | None = None,
    *,
    level: float = LEVEL,
    language: str = "english",
) -> tuple[Cluster, ...]:
    """The updates of one event, each in one cluster.

    Two texts are as alike as the rarity of the terms that they share, over that of all terms of the one that has less
    (`text_likeness`). Groups of distinct texts are merged while the mean likeness between them is at least `level`
    (`average_linkage`); copies are where their text is. The same updates give the same clusters.

    Args:
        updates: of one event; they also say which terms are rare in it.
        chosen: ids of those that are to be in clusters; None: all.
        level: above 0, up to 1.
        language: of the texts.

    Returns:
        Clusters in the order of their first updates, with the ids c1, c2, …; the label is the text that is most like
        the others of its cluster.

    Raises:
        LimitError: more than 10,000 distinct texts, which would take more than 1 GB.

    >>> texts = ["The ferry burned off the coast.", "Off the coast a ferry burned.", "A late goal.", "A ferry burned."]
    >>> clusters = cluster_updates([PooledUpdate("e", "d", number, text) for number, text in enumerate(texts)])
    >>> [(one.id, one.update_ids) for one in clusters]
    [('c1', ('d-0', 'd-1', 'd-3')), ('c2', ('d-2',))]
    """
    event = EventTexts((), updates, language)
    members: dict[int, list[str]] = {}
    for update, text in zip(updates, event.text_of, strict=True):
        if chosen is None or update.id in chosen:
            members.setdefault(text, []).append(update.id)
    texts = sorted(members)
    if len(texts) > _MOST_TEXTS:
        raise LimitError(
            f"{updates[0].event_id}: found {len(texts):,} different texts, expected at most {_MOST_TEXTS:,} of one "
            "event; leave some out"
        )
    alike = text_likeness(event, texts)
    place = {update.id: number for number, update in reversed(list(enumerate(updates)))}
    clusters = []
    for number, group in enumerate(average_linkage(alike.copy(), level), 1):
        middle = group[int(np.argmax(alike[np.ix_(group, group)].sum(axis=1)))]
        ids = sorted((one for text in group for one in members[texts[text]]), key=place.__getitem__)
        label = " ".join(event.texts[texts[middle]].split())
        clusters.append(Cluster(updates[0].event_id, f"c{number}", tuple(dict.fromkeys(ids)), label))
    return tuple(clusters)


def text_likeness(event: EventTexts, texts: Sequence[int]) -> NDArray[np.float32]:
    """(texts, texts), 0 to 1: Σ rarity of the terms that both hold / the lesser Σ rarity of one's terms; 0 of no terms.

    Of a text to itself 1.

    >>> texts = ["ferry burns", "fire burns", "goal"]
    >>> event = EventTexts((), [PooledUpdate("e", "d", number, text) for number, text in enumerate(texts)])
    >>> print(text_likeness(event, [0, 1]).round(2))
    [[1.   0.32]
     [0.32 1.  ]]
    """
    numbers = list(texts)
    own = [np.unique(event.terms[number, : event.lengths[number]]) for number in numbers]
    masses = np.array([event.rarity[terms].sum() for terms in own], dtype=np.float32)
    held_by = np.bincount(np.concatenate([*own, np.zeros(0, dtype=np.int64)]), minlength=event.width)
    column = np.cumsum(held_by > 1) - 1  # what only one holds is not shared
    rows = np.zeros((len(numbers), int((held_by > 1).sum())), dtype=np.float32)
    for row, terms in zip(rows, own, strict=True):
        row[column[terms[held_by[terms] > 1]]] = 1.0
    weighed = rows * event.rarity[held_by > 1]
    shared = np.zeros((len(numbers), len(numbers)), dtype=np.float32)
    for start in range(0, len(numbers), _AT_ONCE):
        shared[start : start + _AT_ONCE] = weighed[start : start + _AT_ONCE] @ rows.T
    shared /= np.maximum(np.minimum(masses[:, None], masses[None, :]), np.float32(1e-6))
    np.fill_diagonal(shared, 1.0)
    # Rounded, so that the last digits, which differ from machine to machine, do not decide.
    return np.asarray(np.minimum((shared + shared.T) / 2, 1.0).round(5), dtype=np.float32)
