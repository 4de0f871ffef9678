"""Updates of an event grouped by what they say, from their words alone: clusters where no person made any."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tidings.core import (
    BadRecordError,
    Cluster,
    Judgments,
    LimitError,
    PooledUpdate,
    Problems,
    read_jsonl,
    write_jsonl,
)
from tidings.evaluation.matching.texts import EventTexts
from tidings.sources import ClusterLine


def by_event(clusters: Iterable[Cluster]) -> dict[str, dict[str, str]]:
    """Event to update to cluster; an update of several is of the first."""
    labels: dict[str, dict[str, str]] = {}
    for cluster in clusters:
        of_event = labels.setdefault(cluster.event_id, {})
        for update in cluster.update_ids:
            of_event.setdefault(update, cluster.id)
    return labels


_SMALLER = 0.7
"""The share of rows still needed from which the table is copied without the others."""


def average_linkage(likeness: NDArray[np.floating[Any]], level: float) -> list[list[int]]:
    """Groups of numbers 0 to n - 1: the two groups with the highest mean likeness are merged as long as it is ≥ level.

    Group-average clustering (Sokal and Michener 1958), found by following nearest neighbours (Murtagh, Computer Journal
    26, 1983): the same groups in n² steps. Of equal likenesses the lowest number counts, which may decide which of
    equally good groups there are.

    Args:
        likeness: (n, n), symmetric; changed in place. The diagonal is not looked at.
        level: above 0; what is less alike stays apart.

    Returns:
        Groups in the order of their first members, members in order.

    >>> average_linkage(np.array([[1, 0.9, 0.3], [0.9, 1, 0.1], [0.3, 0.1, 1]]), 0.2)
    [[0, 1, 2]]
    >>> average_linkage(np.array([[1, 0.9, 0.3], [0.9, 1, 0.1], [0.3, 0.1, 1]]), 0.25)
    [[0, 1], [2]]
    """
    np.fill_diagonal(likeness, -1.0)
    # By the rows of the table, which gets smaller as groups are merged: whose group a row is, and whether it still is.
    members = [[number] for number in range(len(likeness))]
    waiting = np.ones(len(likeness), dtype=bool)
    done: list[list[int]] = []
    chain: list[int] = []
    while waiting.any():
        if not chain:
            left = np.flatnonzero(waiting)
            if len(left) <= _SMALLER * len(waiting):
                likeness, members = likeness[np.ix_(left, left)], [members[row] for row in left]
                waiting, left = np.ones(len(left), dtype=bool), np.arange(len(left))
            chain.append(int(left[0]))
        latest = chain[-1]
        row = np.where(waiting, likeness[latest], -1.0)
        nearest = int(np.argmax(row))
        if row[nearest] < level:
            # Nothing that is merged later comes nearer than the nearest of what it is merged of.
            waiting[latest] = False
            done.append(members[latest])
            chain.pop()
            continue
        if len(chain) > 1 and row[chain[-2]] == row[nearest]:
            nearest = chain[-2]
        if len(chain) < 2 or nearest != chain[-2]:
            chain.append(nearest)
            continue
        del chain[-2:]
        kept, gone = min(latest, nearest), max(latest, nearest)
        sizes = len(members[kept]), len(members[gone])
        waiting[gone] = False
        rows = np.flatnonzero(waiting)
        merged = (likeness[kept, rows] * sizes[0] + likeness[gone, rows] * sizes[1]) / sum(sizes)
        likeness[kept, rows] = likeness[rows, kept] = merged
        likeness[kept, kept] = -1.0
        members[kept] += members[gone]
    return sorted((sorted(own) for own in done), key=lambda own: own[0])


LEVEL = 0.18
"""The mean likeness from which on groups are one, chosen on TREC's events of 2013 (docs/evaluation/matching.md)."""

_TOGETHER = 10_000
"""As many texts are grouped in one table of their likenesses; more of them part by part, to need less memory."""

_MOST_LINKED = 32_000  # a matrix of each with each of these takes 4 GB


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
        groups += [
            [linked[number] for number in group] for group in average_linkage(alike.between(linked), level)
        ]
    place = {update.id: number for number, update in reversed(list(enumerate(updates)))}
    clusters = []
    for number, group in enumerate(sorted(groups), 1):
        middle = group[int(np.argmax(alike.between(group).sum(axis=1)))] if len(group) > 2 else group[0]
        ids = sorted((member for text in group for member in members[texts[text]]), key=place.__getitem__)
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


def cluster_judgments(
    judgments: Judgments,
    further: Iterable[PooledUpdate] = (),
    *,
    relevant: bool = False,
    level: float = LEVEL,
    least: int = 1,
) -> tuple[Cluster, ...]:
    """The clusters of each event's pooled updates, and of further ones, in the order of the events.

    Args:
        judgments: with pools.
        further: updates with words that are no pooled ones.
        relevant: only those that are matched to a nugget of their event; the words of the others still say what is
            rare in it. Further ones are grouped all the same.
        level: as `cluster_updates` has it.
        least: clusters of fewer updates are left out.
    """
    nuggets: dict[str, set[str]] = {}
    for nugget in judgments.nuggets:
        nuggets.setdefault(nugget.event_id, set()).add(nugget.id)
    matched: dict[str, set[str]] = {}
    for match in judgments.matches:
        if match.nugget_id in nuggets.get(match.event_id, ()):
            matched.setdefault(match.event_id, set()).add(match.update_id)
    by_event: dict[str, dict[str, PooledUpdate]] = {}
    for update in judgments.pool:
        by_event.setdefault(update.event_id, {}).setdefault(update.id, update)
    for update in further:
        own = by_event.setdefault(update.event_id, {})
        if update.id not in own:
            own[update.id] = update
            matched.setdefault(update.event_id, set()).add(update.id)
    return tuple(
        cluster
        for event_id, updates in by_event.items()
        for cluster in cluster_updates(
            list(updates.values()), _choose(matched, event_id, relevant), level=level
        )
        if len(cluster.update_ids) >= least
    )


def _choose(matched: dict[str, set[str]], event_id: str, relevant: bool) -> Container[str] | None:
    return matched.get(event_id, set()) if relevant else None


def read_clusters(path: str | Path, *, problems: Problems | None = None) -> tuple[Cluster, ...]:
    """The clusters of a file; each line names its event.

    Raises:
        FormatError: bad lines, all together.
    """
    what = "a cluster: event, id, label, updates"
    return tuple(read_jsonl(path, ClusterLine, _build, problems=problems, what=what))


def write_clusters(path: str | Path, clusters: Iterable[Cluster]) -> None:
    """Write clusters, whole or not at all."""
    write_jsonl(
        path,
        (
            ClusterLine(cluster.event_id, cluster.id, list(cluster.update_ids), cluster.label)
            for cluster in clusters
        ),
    )


def _build(line: ClusterLine) -> Cluster:
    if not line.event:
        raise BadRecordError("no event", "the event that the cluster is of", "add it to the line")
    return Cluster(line.event, line.id, tuple(line.updates), line.label)
