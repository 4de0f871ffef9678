"""Updates in clusters: put into one, taken out, marked as not relevant; clusters named, merged and emptied away.

Each update has one object, its `membership`, so it is in one cluster at most: `{"cluster": id}`, or `{"cluster": None}`
where it is not relevant; no value where it is still to be placed. A `cluster` is `{"label": …, "number": …}`; people
pick it by the number, which stays as it is. Exact copies of an update follow it, with `"automatic": true`.

What has a membership in the final layer is decided and nobody's to change here. Judges may add to final clusters.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import Any, Protocol

from msgspec import Struct

from tidings.core import FINAL, Change, ConflictError, JudgedObject, UsageError

CLUSTER = "cluster"
MEMBERSHIP = "membership"
_LONGEST = 2_000  # characters of a description


class View(Protocol):
    """What is asked of the objects of a topic."""

    def get(self, layer: str, kind: str, object_id: str, /) -> JudgedObject | None:
        """One object; None where it was never judged."""

    def some(self, layer: str, kind: str, ids: Collection[str], /) -> dict[str, JudgedObject]:
        """Those of these objects that were ever judged, by id."""

    def all(self, layer: str, kind: str, /) -> list[JudgedObject]:
        """The objects of a kind that have a value."""


class Placing(Struct, frozen=True):
    """An update that someone judges.

    Args:
        layer: the judge's.
        update: its id.
        copies: ids of its exact copies, which follow it.
        expected: the version of its membership that the page showed, 0 for none; None: whatever is there.
    """

    layer: str
    update: str
    copies: Sequence[str] = ()
    expected: int | None = 0


def make_cluster(view: View, placing: Placing, cluster: str, label: str, number: int = 0) -> list[Change]:
    """A new cluster, with this update in it; `number` is the one that the page showed for it, 0 for any.

    Raises:
        ConflictError: a cluster of that id is there, or the update is not as the page showed it.
        UsageError: an empty name, or one of more than 2,000 characters.
    """
    for layer in (placing.layer, FINAL):
        there = view.get(layer, CLUSTER, cluster)
        if there is not None and there.value is not None:
            raise ConflictError(f"The cluster {cluster} already exists.", there)
    value: dict[str, Any] = {"label": _checked_label(label)}
    if number > 0:
        value["number"] = number
    return [Change(placing.layer, CLUSTER, cluster, value), *_membership(view, placing, cluster)]


def place(view: View, placing: Placing, cluster: str) -> list[Change]:
    """Put the update into a cluster that is there, out of whichever it was in.

    Raises:
        ConflictError: the cluster is not there any more, or the update is not as the page showed it.
    """
    _cluster(view, placing.layer, cluster)
    return _membership(view, placing, cluster)


def remove(view: View, placing: Placing) -> list[Change]:
    """Mark the update as not relevant: out of consideration, and out of its cluster."""
    return _membership(view, placing, None)


def put_back(view: View, placing: Placing) -> list[Change]:
    """Take the update's judgment away, so that it is to be placed again."""
    _check_open(view, placing)
    return _for_copies(view, MEMBERSHIP, placing, None)


def rename(view: View, layer: str, cluster: str, label: str, expected: int | None = None) -> list[Change]:
    """Give one's cluster another name.

    Raises:
        ConflictError: it is final or gone, or has another name than the page showed.
    """
    there = _own_cluster(view, layer, cluster)
    check_version(there, expected)
    return [Change(layer, CLUSTER, cluster, {**there.value, "label": _checked_label(label)})]


def merge(view: View, layer: str, cluster: str, into: str) -> list[Change]:
    """Put all members of one's cluster into another one, and the cluster away."""
    if cluster == into:
        raise UsageError("A cluster cannot be merged with itself.")
    _own_cluster(view, layer, cluster)
    _cluster(view, layer, into)
    members = members_of(view, layer, cluster)
    moved = [Change(layer, MEMBERSHIP, member.id, {**member.value, "cluster": into}) for member in members]
    return [*moved, Change(layer, CLUSTER, cluster, None)]


def empty(view: View, layer: str, cluster: str) -> list[Change]:
    """Put one's cluster away; its members are to be placed again."""
    _own_cluster(view, layer, cluster)
    members = members_of(view, layer, cluster)
    return [
        *(Change(layer, MEMBERSHIP, member.id, None) for member in members),
        Change(layer, CLUSTER, cluster, None),
    ]


def members_of(view: View, layer: str, cluster: str) -> list[JudgedObject]:
    """The memberships of a layer in a cluster, by update."""
    return [member for member in view.all(layer, MEMBERSHIP) if member.value["cluster"] == cluster]


def number_clusters(view: View, layer: str) -> dict[str, dict[str, Any]]:
    """The clusters that a judge sees, by id: `label`, `number`, `version`, and whether they are `final`.

    Those without a number (imported ones), and those whose number another one has, are given free ones here.
    """
    found = {cluster.id: cluster for cluster in (*view.all(layer, CLUSTER), *view.all(FINAL, CLUSTER))}
    given = _numbers({name: cluster.value for name, cluster in found.items()})
    return {
        name: {
            "label": found[name].value["label"],
            "number": given[name],
            "version": found[name].version,
            "final": found[name].layer == FINAL,
        }
        for name in sorted(found, key=given.__getitem__)
    }


def _numbers(values: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    """Each cluster's number: its own, else (none, or one that is taken) the lowest that nobody has."""
    ordered = sorted(values, key=lambda name: (values[name].get("number", 0), len(name), name))
    owners: dict[int, str] = {}
    for name in ordered:
        owners.setdefault(values[name].get("number", 0), name)
    free = (number for number in count(1) if number not in owners)
    return {
        name: number if number and owners[number] == name else next(free)
        for name in ordered
        for number in [values[name].get("number", 0)]
    }


def check_version(there: JudgedObject | None, expected: int | None) -> None:
    """Raise ConflictError where another version is there than the page showed (0: no judgment; None: any)."""
    version = 0 if there is None else there.version
    shown = {version, 0} if there is None or there.value is None else {version}
    if expected is not None and expected not in shown:
        raise ConflictError("Someone changed this in the meantime. The current version is shown.", there)


def _membership(view: View, placing: Placing, cluster: str | None) -> list[Change]:
    _check_open(view, placing)
    return _for_copies(view, MEMBERSHIP, placing, {"cluster": cluster})


def _for_copies(view: View, kind: str, placing: Placing, value: dict[str, Any] | None) -> list[Change]:
    """The same value for an update and, automatically, for those of its copies that are not decided."""
    automatic = None if value is None else {**value, "automatic": True}
    return [
        Change(placing.layer, kind, update, value if update == placing.update else automatic)
        for update in open_copies(view, kind, placing)
    ]


def _check_open(view: View, placing: Placing) -> None:
    _refuse_decided(view.get(FINAL, MEMBERSHIP, placing.update), "This update is decided")
    check_version(view.get(placing.layer, MEMBERSHIP, placing.update), placing.expected)


def open_copies(view: View, kind: str, placing: Placing) -> list[str]:
    """The update, and those of its copies that are not decided."""
    copies = [copy for copy in dict.fromkeys(placing.copies) if copy != placing.update]
    final = view.some(FINAL, kind, copies) if copies else {}
    return [placing.update, *(copy for copy in copies if copy not in final or final[copy].value is None)]


def _cluster(view: View, layer: str, cluster: str) -> JudgedObject:
    for judged in (view.get(layer, CLUSTER, cluster), view.get(FINAL, CLUSTER, cluster)):
        if judged is not None and judged.value is not None:
            return judged
    raise ConflictError("This cluster no longer exists. The current clusters are shown.", None)


def _own_cluster(view: View, layer: str, cluster: str) -> JudgedObject:
    _refuse_decided(view.get(FINAL, CLUSTER, cluster), "This cluster is decided")
    return _cluster(view, layer, cluster)


def _refuse_decided(final: JudgedObject | None, words: str) -> None:
    if final is not None and final.value is not None:
        raise ConflictError(f"{words}. A project lead can reopen it.", final)


def _checked_label(label: str) -> str:
    label = " ".join(label.split())
    if not label or len(label) > _LONGEST:
        raise UsageError(f"The description has {len(label)} characters. Use 1 to {_LONGEST:,}.")
    return label


RELEVANCE = "relevance"
_HIGHEST = 2  # grade of relevance


def grade(view: View, placing: Placing, value: int | None) -> list[Change]:
    """Grade an update and, automatically, its exact copies; None takes the grade away.

    Raises:
        UsageError: another grade than 0, 1 or 2.
        ConflictError: the update's grade is decided, or is not what the page showed.
    """
    if value is not None and not 0 <= value <= _HIGHEST:
        raise UsageError(
            f"The grade must be 0 (not relevant), 1 (relevant) or 2 (highly relevant), not {value}."
        )
    _refuse_decided(view.get(FINAL, RELEVANCE, placing.update), "This update is decided")
    check_version(view.get(placing.layer, RELEVANCE, placing.update), placing.expected)
    return _for_copies(view, RELEVANCE, placing, None if value is None else {"grade": value})
