"""One event's updates in clusters, by the rare words that they share."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.core import Cluster, LimitError, PooledUpdate
from tidings.evaluation.clustering.linkage import average_linkage
from tidings.evaluation.matching.texts import EventTexts

__all__ = ["LEVEL", "cluster_updates", "text_likeness"]

LEVEL = 0.18
"""The mean likeness from which on groups are one, chosen on TREC's events of 2013 (docs/clustering.md)."""

_TOGETHER = 10_000
"""As many texts are grouped in one table of their likenesses; more of them part by part, to need less memory."""

_MOST_LINKED = 32_000


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
        LimitError: more than 32,000 distinct texts that are alike by some others between them, which would take 4 GB.

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
    alike = _Likeness(event, texts)
    groups: list[list[int]] = []
    for linked in alike.linked(level) if len(texts) > _TOGETHER else [list(range(len(texts)))]:
        if len(linked) > _MOST_LINKED:
            raise LimitError(
                f"{updates[0].event_id}: {len(linked):,} different texts are alike, more than the {_MOST_LINKED:,} "
                "that can be grouped together; raise the level, or leave some out"
            )
        groups += [[linked[one] for one in group] for group in average_linkage(alike.between(linked), level)]
    place = {update.id: number for number, update in reversed(list(enumerate(updates)))}
    clusters = []
    for number, group in enumerate(sorted(groups), 1):
        middle = group[int(np.argmax(alike.between(group).sum(axis=1)))] if len(group) > 2 else group[0]
        ids = sorted((one for text in group for one in members[texts[text]]), key=place.__getitem__)
        label = " ".join(event.texts[texts[middle]].split())
        clusters.append(Cluster(updates[0].event_id, f"c{number}", tuple(dict.fromkeys(ids)), label))
    return tuple(clusters)


class _Likeness:
    """How alike texts are, found for one text after the other in an index of who holds which term."""

    def __init__(self, event: EventTexts, texts: Sequence[int]) -> None:
        self._own = [np.unique(event.terms[number, : event.lengths[number]]) for number in texts]
        self._rarity = event.rarity.astype(np.float64)
        self._masses = np.array([self._rarity[terms].sum() for terms in self._own])
        held_by = np.bincount(
            np.concatenate([*self._own, np.zeros(0, dtype=np.int32)]), minlength=event.width
        )
        self._own = [terms[held_by[terms] > 1] for terms in self._own]  # what only one holds is not shared

    def linked(self, level: float) -> list[list[int]]:
        """The texts in parts, in order: between two of different parts none is as alike as `level`."""
        holders = self._holders(range(len(self._own)))
        unseen = np.ones(len(self._own), dtype=bool)
        parts: list[list[int]] = []
        for first in range(len(self._own)):
            if not unseen[first]:
                continue
            unseen[first] = False
            part, at = [first], 0
            while at < len(part):
                near = np.flatnonzero((self._row(part[at], holders, self._masses) >= level) & unseen)
                unseen[near] = False
                part += near.tolist()
                at += 1
            parts.append(sorted(part))
        return parts

    def between(self, texts: Sequence[int]) -> NDArray[np.float32]:
        """(texts, texts): the likeness of each two."""
        holders, masses = self._holders(texts), self._masses[list(texts)]
        alike = np.empty((len(texts), len(texts)), dtype=np.float32)
        for row, text in enumerate(texts):
            alike[row] = self._row(text, holders, masses)
            alike[row, row] = 1.0
        return alike

    def _holders(self, texts: Sequence[int]) -> dict[int, NDArray[np.intp]]:
        """Of each term, which of these texts hold it, by their places."""
        owners = np.repeat(np.arange(len(texts)), [len(self._own[text]) for text in texts])
        terms = np.concatenate([*(self._own[text] for text in texts), np.zeros(0, dtype=np.int32)])
        order = np.argsort(terms, kind="stable")
        found, starts = np.unique(terms[order], return_index=True)
        return dict(zip(found.tolist(), np.split(owners[order], starts[1:]), strict=False))

    def _row(
        self, text: int, holders: dict[int, NDArray[np.intp]], masses: NDArray[np.float64]
    ) -> NDArray[np.float32]:
        shared = np.zeros(len(masses))
        for term in self._own[text].tolist():
            shared[holders[term]] += self._rarity[term]
        shared /= np.maximum(np.minimum(masses, self._masses[text]), 1e-6)
        # Rounded, so that the last digits, which differ from machine to machine, do not decide.
        return np.minimum(shared, 1.0).astype(np.float32).round(5)


def text_likeness(event: EventTexts, texts: Sequence[int]) -> NDArray[np.float32]:
    """(texts, texts), 0 to 1: Σ rarity of the terms that both hold / the lesser Σ rarity of one's terms; 0 of no terms.

    Of a text to itself 1.

    >>> texts = ["ferry burns", "fire burns", "goal"]
    >>> event = EventTexts((), [PooledUpdate("e", "d", number, text) for number, text in enumerate(texts)])
    >>> print(text_likeness(event, [0, 1]).round(2))
    [[1.   0.32]
     [0.32 1.  ]]
    """
    return _Likeness(event, texts).between(range(len(texts)))
