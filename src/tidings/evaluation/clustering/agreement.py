"""What automatic clusters are compared with, and how: copies as clusters, and pairs of updates that are together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import comb

from tidings.core import Cluster, Judgments, NearDuplicates, PooledUpdate, shared_analyzer, shingles

__all__ = ["by_event", "copies", "near_copies", "pair_f1"]


def pair_f1(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """F1 = 2 |A ∩ B| / (|A| + |B|) of the pairs of items that each of two clusterings puts together, 0 to 1.

    Args:
        one: the cluster of each item.
        other: the same by the other, in the same order.

    Returns:
        1 where neither puts any two together.

    >>> round(pair_f1("aab", "xxx"), 3), pair_f1("abc", "xyz"), pair_f1("aab", "xyz")
    (0.5, 1.0, 0.0)
    """
    both = sum(comb(count, 2) for count in Counter(zip(one, other, strict=True)).values())
    together = sum(comb(count, 2) for own in (one, other) for count in Counter(own).values())
    return 2 * both / together if together else 1.0


def by_event(clusters: Iterable[Cluster]) -> dict[str, dict[str, str]]:
    """Event to update to cluster; an update of several is of the first."""
    labels: dict[str, dict[str, str]] = {}
    for cluster in clusters:
        of_event = labels.setdefault(cluster.event_id, {})
        for update in cluster.update_ids:
            of_event.setdefault(update, cluster.id)
    return labels


def copies(judgments: Judgments, *, apart: bool = False) -> tuple[Cluster, ...]:
    """Matched updates of the same text as clusters; `apart`: each update alone."""
    return tuple(
        cluster
        for event_id, updates in _matched(judgments).items()
        for cluster in _grouped(event_id, ((one.id, one.id if apart else one.text) for one in updates))
    )


def near_copies(judgments: Judgments, threshold: float = 0.5) -> tuple[Cluster, ...]:
    """Matched updates as clusters: each joins the first that has begun one and whose pairs of stems are alike enough.

    Alike is Jaccard's likeness of at least `threshold`.
    """
    stems = shared_analyzer("english").stems
    made: list[Cluster] = []
    for event_id, updates in _matched(judgments).items():
        index = NearDuplicates(threshold=threshold)
        first = [(one.id, index.admit(one.id, shingles(stems(one.text)), 0) or one.id) for one in updates]
        made += _grouped(event_id, first)
    return tuple(made)


def _matched(judgments: Judgments) -> dict[str, list[PooledUpdate]]:
    matched = {(match.event_id, match.update_id) for match in judgments.matches}
    updates: dict[str, list[PooledUpdate]] = {}
    for update in judgments.pool:
        if (update.event_id, update.id) in matched:
            updates.setdefault(update.event_id, []).append(update)
    return updates


def _grouped(event_id: str, keys: Iterable[tuple[str, str]]) -> list[Cluster]:
    members: dict[str, list[str]] = {}
    for update, key in keys:
        members.setdefault(key, []).append(update)
    return [Cluster(event_id, f"c{number}", tuple(own)) for number, own in enumerate(members.values(), 1)]
