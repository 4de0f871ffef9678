"""Where judges of the same item differ: on relevance, on links, on spans, on grades, and in their clusters.

Clusters of different judges have names of their own; they are aligned one to one so that as many updates as can be are
in aligned ones (the assignment of greatest overlap). What is left are the disagreements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from tidings.annotation.desk.notes import reopened_id
from tidings.core import FINAL, JudgedObject, layer_account
from tidings.evaluation import cheapest


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
    for judged in objects:
        account = layer_account(judged.layer)
        if judged.kind == "cluster" and judged.value is not None:
            labels.setdefault(account, {})[judged.id] = str(judged.value["label"])
        elif judged.kind == "membership" and judged.value is not None and account is not None:
            placed.setdefault(account, {})[judged.id] = judged.value["cluster"]
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


ITEM_KINDS = ("matches", "relevance", "links", "verdict", "grade", "answer")
"""Kinds of objects that several people judge, each in a layer of their own, under the same id."""


class Answer(Struct, frozen=True):
    """What an account judged, and the version of that."""

    account_id: int
    version: int
    value: Any


class Judged(Struct, frozen=True):
    """An object that at least two judged; `sort` says on what they differ, empty where they do not."""

    kind: str
    id: str
    answers: tuple[Answer, ...]
    sort: str = ""


class Compared(Struct, frozen=True):
    """What at least two judged: where they differ, and where they agree; and how many objects wait for more answers."""

    contested: tuple[Judged, ...]
    agreed: tuple[Judged, ...]
    waiting: int = 0


def answer_of(kind: str, value: Any) -> Hashable:
    """What of a value is the judgment: without what suggested it, and in no order.

    >>> answer_of("matches", {"matches": [{"nugget": "n", "start": 0, "end": 4, "automatic": True}]})
    frozenset({('n', 0, 4)})
    """
    if value is None:
        return None
    if kind == "matches":
        return frozenset((match["nugget"], match["start"], match["end"]) for match in value["matches"])
    if kind == "links":
        return frozenset(value["events"])
    if kind == "membership":
        return value["cluster"]  # type: ignore[no-any-return]
    if kind == "answer":
        return (value["sentence"], value["important"])
    part = {"relevance": "grade", "grade": "grade", "verdict": "accepted"}[kind]
    return value[part]  # type: ignore[no-any-return]


def same_answer(kind: str, one: Any, other: Any) -> bool:
    """Whether two values are the same judgment."""
    return answer_of(kind, one) == answer_of(kind, other)


def sort_of(kind: str, values: Collection[Any]) -> str:
    """On what judges differ: relevance, link, span, verdict, grade, sentence or importance; empty where they do not.

    >>> one, other = {"nugget": "n", "start": 0, "end": 4}, {"nugget": "n", "start": 2, "end": 4}
    >>> sort_of("matches", [{"matches": [one]}, {"matches": [other]}])
    'span'
    >>> sort_of("matches", [{"matches": [one]}, {"matches": []}]), sort_of("grade", [{"grade": 1}, {"grade": 1}])
    ('relevance', '')
    """
    answers = {answer_of(kind, value) for value in values}
    if len(answers) < 2:
        return ""
    if kind in ("matches", "links"):
        if len({bool(answer) for answer in answers}) > 1:
            return "relevance"
        if kind == "links":
            return "link"
        nuggets = {frozenset(match["nugget"] for match in value["matches"]) for value in values}
        return "link" if len(nuggets) > 1 else "span"
    if kind == "answer":
        return "sentence" if len({value["sentence"] for value in values}) > 1 else "importance"
    return kind


def compare_objects(
    objects: Iterable[JudgedObject],
    *,
    kinds: Collection[str] = ITEM_KINDS,
    decided: bool = False,
    judges: int = 1,
) -> Compared:
    """The objects of a topic that at least two accounts judged, compared.

    Args:
        objects: of all layers of the topic.
        kinds: which.
        decided: those too that have a final judgment. Without them, what was reopened counts only once all have
            judged it again.
        judges: how many are asked to judge each. An object with fewer answers is not compared but waits.
    """
    answers: dict[tuple[str, str], list[Answer]] = {}
    final: set[tuple[str, str]] = set()
    reopened: dict[str, int] = {}
    for judged in objects:
        account = layer_account(judged.layer)
        if judged.layer == FINAL and judged.kind == "reopened":
            reopened[judged.id] = judged.version
        elif judged.layer == FINAL:
            final.add((judged.kind, judged.id))
        elif account is not None and judged.kind in kinds and judged.value is not None:
            answers.setdefault((judged.kind, judged.id), []).append(
                Answer(account, judged.version, judged.value)
            )
    contested: list[Judged] = []
    agreed: list[Judged] = []
    waiting = 0
    for (kind, object_id), given in answers.items():
        since = reopened.get(reopened_id(kind, object_id), 0)
        old = any(answer.version < since for answer in given)
        if not decided and (kind, object_id) in final:
            continue
        if len(given) < max(2, judges) or (old and not decided):
            waiting += judges > 1 or len(given) > 1
            continue
        ordered = tuple(sorted(given, key=lambda answer: answer.account_id))
        sort = sort_of(kind, [answer.value for answer in ordered])
        (contested if sort else agreed).append(Judged(kind, object_id, ordered, sort))
    return Compared(tuple(contested), tuple(agreed), waiting)
