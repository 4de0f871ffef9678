"""Two judges' clusters held against each other: which are the same, and which updates they put elsewhere.

Clusters of different judges have names of their own; they are aligned one to one so that as many updates as can be are
in aligned ones (the assignment of greatest overlap). What is left are the disagreements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from tidings.core import JudgedObject, layer_account
from tidings.evaluation import cheapest

__all__ = ["Clustering", "Placed", "align", "apart", "clusterings", "final_ids"]


class Clustering(Struct, frozen=True):
    """What one judge made of a topic: cluster to label, and update to its cluster, None where it is not relevant."""

    account_id: int
    labels: Mapping[str, str]
    cluster_of: Mapping[str, str | None]

    def members(self, cluster: str) -> list[str]:
        """The updates of a cluster, by id."""
        return sorted(update for update, there in self.cluster_of.items() if there == cluster)


class Placed(Struct, frozen=True):
    """An update that two judges put elsewhere.

    Args:
        update: its id.
        one, other: the cluster of the first and of the second judge; None: not relevant.
        together_one: what the first alone puts with it.
        together_other: what the second alone puts with it.
    """

    update: str
    one: str | None
    other: str | None
    together_one: tuple[str, ...]
    together_other: tuple[str, ...]


def clusterings(objects: Iterable[JudgedObject]) -> list[Clustering]:
    """What each judge of a topic made, by account; clusters that are final already belong to all of them."""
    labels: dict[int | None, dict[str, str]] = {}
    placed: dict[int, dict[str, str | None]] = {}
    for one in objects:
        account = layer_account(one.layer)
        if one.kind == "cluster" and one.value is not None:
            labels.setdefault(account, {})[one.id] = str(one.value["label"])
        elif one.kind == "membership" and one.value is not None and account is not None:
            placed.setdefault(account, {})[one.id] = one.value["cluster"]
    final = labels.get(None, {})
    return [
        Clustering(account, {**final, **labels.get(account, {})}, placed[account])
        for account in sorted(placed)
    ]


def align(one: Clustering, other: Clustering) -> dict[str, str]:
    """Which cluster of the first judge each of the second's is: those that share most updates, one to one.

    >>> first = Clustering(1, {}, {"u1": "a", "u2": "a", "u3": "b", "u4": None})
    >>> second = Clustering(2, {}, {"u1": "x", "u2": "y", "u3": "y", "u4": "x"})
    >>> align(first, second)
    {'x': 'a', 'y': 'b'}
    """
    shared = Counter(
        (one.cluster_of[update], cluster)
        for update, cluster in other.cluster_of.items()
        if cluster is not None and one.cluster_of.get(update) is not None
    )
    # A final cluster that both added to is itself.
    same = {cluster for first, cluster in shared if first == cluster}
    rows = sorted({cluster for _, cluster in shared if cluster not in same})
    columns = sorted({first for first, _ in shared if first is not None and first not in same})
    costs = [[-float(shared[column, row]) for column in columns] for row in rows]
    aligned = {rows[row]: columns[column] for row, column in cheapest(costs) if costs[row][column] < 0}
    return aligned | {cluster: cluster for cluster in sorted(same)}


def apart(one: Clustering, other: Clustering) -> list[Placed]:
    """The updates that both placed, and not in aligned clusters, by id.

    >>> first = Clustering(1, {}, {"u1": "a", "u2": "a", "u3": "b"})
    >>> second = Clustering(2, {}, {"u1": "x", "u2": "y", "u3": "y"})
    >>> [(one.update, one.one, one.other, one.together_one, one.together_other) for one in apart(first, second)]
    [('u2', 'a', 'y', ('u1',), ('u3',))]
    """
    aligned = align(one, other)
    found = []
    for update in sorted(one.cluster_of.keys() & other.cluster_of.keys()):
        first, second = one.cluster_of[update], other.cluster_of[update]
        if first == (None if second is None else aligned.get(second, "")):
            continue
        with_one = {u for u in one.members(first) if u in other.cluster_of} if first is not None else set()
        with_other = (
            {u for u in other.members(second) if u in one.cluster_of} if second is not None else set()
        )
        found.append(
            Placed(
                update,
                first,
                second,
                tuple(sorted(with_one - with_other - {update})),
                tuple(sorted(with_other - with_one - {update})),
            )
        )
    return found


def final_ids(one: Clustering, other: Clustering) -> dict[tuple[int, str], str]:
    """The id under which each judge's clusters stand when they are final: aligned ones share the first judge's.

    >>> first = Clustering(1, {"a": "Fire", "b": "Rain"}, {"u1": "a"})
    >>> second = Clustering(2, {"a": "Flames", "b": "Wind"}, {"u1": "a"})
    >>> final_ids(first, second)[1, "b"], final_ids(first, second)[2, "b"], final_ids(first, second)[2, "a"]
    ('b', 'b-2', 'a')
    """
    ids = {(one.account_id, cluster): cluster for cluster in one.labels}
    aligned = align(one, other)
    for cluster in other.labels:
        taken = cluster in one.labels and one.labels[cluster] != other.labels[cluster]
        alone = f"{cluster}-{other.account_id}" if taken else cluster
        ids[other.account_id, cluster] = aligned.get(cluster, alone)
    return ids
