"""Updates of an event grouped by what they say, from their words alone: clusters where no person made any."""

from __future__ import annotations

from collections.abc import Container, Iterable

from tidings.core import Cluster, Judgments, PooledUpdate
from tidings.evaluation.clustering.automatic import LEVEL, cluster_updates

__all__ = ["LEVEL", "cluster_judgments", "cluster_updates"]


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
            list(updates.values()), _chosen(matched, event_id, relevant), level=level
        )
        if len(cluster.update_ids) >= least
    )


def _chosen(matched: dict[str, set[str]], event_id: str, relevant: bool) -> Container[str] | None:
    return matched.get(event_id, set()) if relevant else None
