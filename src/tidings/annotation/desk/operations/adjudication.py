"""What is decided where judges differ: one's answer, several put together, or another; and what they agree on.

Decisions are written to the final layer. Nothing is decided on what the page did not show: an act says which versions
of the judges' answers, or how many objects, it was made on.

What a lead is shown to decide of a task of a topic: the disagreements, and how much is agreed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import comb
from typing import Any

from msgspec import Struct

from tidings.annotation.desk.disagreements import (
    Clustering,
    Judged,
    align,
    apart,
    clusterings,
    compare_objects,
    final_ids,
)
from tidings.annotation.desk.operations.matches import matches_on
from tidings.annotation.desk.pools import topic_pool
from tidings.annotation.desk.showing import item_link, names_of, text_of
from tidings.annotation.store import Desk, ObjectView
from tidings.annotation.tasks import ITEM_KINDS, KINDS, Task, in_words
from tidings.core import (
    FINAL,
    SHARED,
    Change,
    ConflictError,
    DeskTopic,
    JudgedObject,
    Project,
    UsageError,
    judge_layer,
    layer_account,
)

_UPDATE_KINDS = ("matches", "relevance", "membership")


_ON = {
    ("matches", "relevance"): "does it match a nugget?",
    ("matches", "link"): "which nuggets it matches",
    ("matches", "span"): "which words match them",
    ("links", "relevance"): "does it report an event?",
    ("links", "link"): "which events it reports",
}
"""On what judges differ, in the words of what they judge; a grade of relevance is something else."""


class Adjudication(Struct, frozen=True):
    """The disagreements of a task, as the page shows them, how many objects judges agree on, and how many wait."""

    cards: list[dict[str, Any]]
    agreed: int
    waiting: int


class ClusterAdjudication(Struct, frozen=True):
    """Two judges' clusters.

    Args:
        cards: the updates that they put elsewhere.
        agreed: how many updates are in aligned clusters, and not decided.
        whole: how many the first judge placed, and not decided.
        pairs: clusters of the first and the second judge that are aligned, by label, with how many updates they share.
        pairs_together: pairs of updates that both put together.
        pairs_apart: pairs of updates that only one of them put together.
    """

    cards: list[dict[str, Any]]
    agreed: int
    whole: int
    pairs: list[tuple[str, str, int]]
    pairs_together: int
    pairs_apart: int


def adjudicable(task: Task) -> bool:
    """Whether a task's judgments are decided item by item, or as clusters."""
    return any(kind in (*ITEM_KINDS, "membership") for kind in task.kinds)


def judges_of(objects: list[JudgedObject]) -> list[int]:
    """The accounts that have judged anything."""
    return sorted({account for judged in objects if (account := layer_account(judged.layer)) is not None})


def to_decide(
    desk: Desk, project: Project, topic: DeskTopic, task: Task, objects: list[JudgedObject]
) -> Adjudication:
    """The disagreements of a task that is judged item by item, each update once for its exact copies."""
    kinds = tuple(kind for kind in task.kinds if kind in ITEM_KINDS)
    compared = compare_objects(objects, kinds=kinds, judges=project.judges)
    names = names_of(desk, project.id, topic.number, (SHARED, FINAL))
    people = {account.id: account.name for account in desk.accounts.all()}
    order = (
        {item.id: item.number for item in desk.projects.items(project.id, topic.number, task.unit)}
        if task.unit
        else {}
    )
    contested = sorted(compared.contested, key=lambda judged: (order.get(judged.id, 0), judged.id))
    shown: set[tuple[str, str]] = set()
    cards = []
    for entry in contested:
        first = (entry.kind, _first_copy(desk, project, topic, entry.kind, entry.id))
        if first not in shown:
            shown.add(first)
            cards.append(_card(desk, project, topic, entry, names, people))
    return Adjudication(cards, len(compared.agreed), compared.waiting)


def _first_copy(desk: Desk, project: Project, topic: DeskTopic, kind: str, object_id: str) -> str:
    if kind not in _UPDATE_KINDS:
        return object_id
    candidate = topic_pool(desk, project.id, topic.number).of(object_id)
    return object_id if candidate is None else candidate.id


def _card(
    desk: Desk,
    project: Project,
    topic: DeskTopic,
    judged: Judged,
    names: dict[str, str],
    people: dict[int, str],
) -> dict[str, Any]:
    text = text_of(desk, project.id, topic.number, judged.kind, judged.id)
    return {
        "kind": judged.kind,
        "id": judged.id,
        "sort": _ON.get((judged.kind, judged.sort), judged.sort),
        "text": text,
        "link": item_link(project.id, topic.number, judged.kind, judged.id),
        "answers": [
            {
                "account": answer.account_id,
                "name": people.get(answer.account_id, "?"),
                "version": answer.version,
                "value": answer.value,
                "words": in_words(judged.kind, answer.value, names, text),
            }
            for answer in judged.answers
        ],
        "both": put_together(judged.kind, [answer.value for answer in judged.answers]),
    }


def cluster_adjudication(
    desk: Desk,
    project: Project,
    topic: DeskTopic,
    objects: list[JudgedObject],
    one: Clustering,
    other: Clustering,
) -> ClusterAdjudication:
    """Where two judges' clusters differ, what they agree on, and which of their clusters are the same."""
    decided = {it.id for it in objects if it.layer == FINAL and it.kind == "membership"}
    people = {account.id: account.name for account in desk.accounts.all()}
    texts = {
        item.id: str(item.content.get("text", ""))
        for item in desk.projects.items(project.id, topic.number, "update")
    }
    aligned, ids = align(one, other), final_ids(one, other)
    cards, shown = [], set()
    different = apart(one, other)
    for placed in different:
        first = _first_copy(desk, project, topic, "membership", placed.update)
        if placed.update in decided or first in shown:
            continue
        shown.add(first)
        cards.append(
            {
                "kind": "membership",
                "id": placed.update,
                "sort": "cluster",
                "text": texts.get(placed.update, ""),
                "link": item_link(project.id, topic.number, "membership", placed.update),
                "answers": [
                    {
                        "account": side.account_id,
                        "name": people.get(side.account_id, "?"),
                        "words": ["not relevant" if cluster is None else side.labels.get(cluster, cluster)],
                        "cluster": None if cluster is None else ids.get((side.account_id, cluster), cluster),
                        "with": [texts.get(update, update) for update in together[:5]],
                        "more": max(0, len(together) - 5),
                    }
                    for side, cluster, together in (
                        (one, placed.one, placed.together_one),
                        (other, placed.other, placed.together_other),
                    )
                ],
            }
        )
    both = one.cluster_of.keys() & other.cluster_of.keys()
    elsewhere = {placed.update for placed in different}
    together, separate = _pairs(one, other, sorted(both))
    return ClusterAdjudication(
        cards,
        agreed=sum(update not in decided and update not in elsewhere for update in both),
        whole=sum(update not in decided for update in one.cluster_of),
        pairs=[
            (
                one.labels.get(mine, mine),
                other.labels.get(theirs, theirs),
                len(set(one.members(mine)) & set(other.members(theirs))),
            )
            for theirs, mine in sorted(aligned.items(), key=lambda pair: one.labels.get(pair[1], ""))
        ],
        pairs_together=together,
        pairs_apart=separate,
    )


def _pairs(one: Clustering, other: Clustering, updates: list[str]) -> tuple[int, int]:
    """Pairs of updates that both judges put together, and that only one of them did.

    >>> first = Clustering(1, {}, {"a": "x", "b": "x", "c": None, "d": None})
    >>> _pairs(first, Clustering(2, {}, {"a": "y", "b": "y", "c": "y", "d": None}), ["a", "b", "c", "d"])
    (1, 2)
    """

    def of(labels: list[Any]) -> int:
        return sum(comb(count, 2) for label, count in Counter(labels).items() if None not in label)

    first = of([(one.cluster_of[update],) for update in updates])
    second = of([(other.cluster_of[update],) for update in updates])
    shared = of([(one.cluster_of[update], other.cluster_of[update]) for update in updates])
    return shared, first + second - 2 * shared


Make = Callable[[ObjectView], list[Change]]
Copies = Mapping[str, str]
"""The texts of an update and of its exact copies, by id; empty for what has no copies."""


def put_together(kind: str, values: Sequence[Any]) -> Any:
    """Several judges' answers as one: all their matches, or links to events; None where that makes no sense.

    >>> put_together("links", [{"events": ["e1"]}, {"events": ["e2", "e1"]}])
    {'events': ['e1', 'e2']}
    >>> put_together("grade", [{"grade": 1}, {"grade": 2}]) is None
    True
    """
    if kind == "links":
        return {"events": list(dict.fromkeys(event for value in values for event in value["events"]))}
    if kind == "matches":
        places = {(m["start"], m["end"], m["nugget"]) for value in values for m in value["matches"]}
        return {
            "matches": [
                {"nugget": nugget, "start": start, "end": end, "automatic": False}
                for start, end, nugget in sorted(places)
            ]
        }
    return None


def checked_value(view: ObjectView, kind: str, object_id: str, value: Any) -> Any:
    """A value of a kind as it is kept.

    Raises:
        UsageError: it is not one of the kind, or names a nugget or an event that is not there, or a span outside of
            the text.
    """
    try:
        if kind == "matches":
            return _matches(view, object_id, value)
        if kind == "links":
            events = list(dict.fromkeys(value["events"]))
            if not all(
                isinstance(event, str) and view.value(SHARED, "merged-event", event) for event in events
            ):
                raise UsageError("This event is not in the merged list. Reload the page.")
            return {"events": events}
        if kind in ITEM_KINDS:
            return {part: _one_of(value[part], choices) for part, choices in KINDS[kind].choices.items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"This decision is not a valid {kind}.") from error
    raise UsageError(f"There are no decisions on a {kind}. Choose one of {', '.join(ITEM_KINDS)}.")


def _matches(view: ObjectView, update: str, value: Any) -> dict[str, Any]:
    item = view.item("update", update)
    text = str(item.content["text"]) if item is not None else ""
    made = put_together("matches", [value])
    for match in made["matches"]:
        nugget, start, end = match["nugget"], match["start"], match["end"]
        whole = type(start) is int and type(end) is int
        if not (isinstance(nugget, str) and view.value(SHARED, "nugget", nugget)):
            raise UsageError("This nugget is not in the list. Reload the page.")
        if not (whole and 0 <= start < end <= len(text)):
            raise UsageError(
                f"The span {start} to {end} is outside the text, which has {len(text)} characters."
            )
    return made  # type: ignore[no-any-return]


def _one_of(value: Any, allowed: tuple[Any, ...]) -> Any:
    if type(value) is not type(allowed[0]) or value not in allowed:
        raise UsageError(f"{value!r} is not allowed. Choose one of {', '.join(map(str, allowed))}.")
    return value


def decide(
    kind: str,
    object_id: str,
    value: Any,
    *,
    seen: Mapping[int, int],
    expected: int = 0,
    copies: Copies | None = None,
) -> Make:
    """The changes that make a value final, for an update's exact copies too.

    Args:
        kind, object_id: what is decided.
        value: as what.
        seen: the version of each judge's answer that the page showed; of all or some of them.
        expected: that of the final one, 0 for none.
        copies: the texts of the update and its copies.

    Raises:
        ConflictError: a judge has changed their answer since.
        UsageError: as `checked_value` says; or judges answered and none of their answers was seen.
    """

    def make(view: ObjectView) -> list[Change]:
        if not seen and any(judged.id == object_id for judged in _answers(view, kind)):
            raise UsageError("Say which answers of the judges the page showed.")
        for account, version in seen.items():
            there = view.get(judge_layer(account), kind, object_id)
            if there is None or there.version != version:
                raise ConflictError("A judge has changed an answer in the meantime. Reload the page.", there)
        decided = checked_value(view, kind, object_id, value)
        there = view.get(FINAL, kind, object_id)
        # Where it was reopened there is nothing that could be written over.
        reopened = there is not None and there.value is None and expected == 0
        version = there.version if there is not None and reopened else expected
        changes = [Change(FINAL, kind, object_id, decided, expected=version)]
        texts = copies or {}
        for copy, text in texts.items():
            if copy != object_id and view.value(FINAL, kind, copy) is None:
                changes.append(Change(FINAL, kind, copy, _of_copy(kind, decided, texts[object_id], text)))
        return changes

    return make


def _answers(view: ObjectView, kind: str) -> list[JudgedObject]:
    return [judged for judged in view.in_all_layers(kind) if layer_account(judged.layer) is not None]


def _of_copy(kind: str, value: Any, text: str, other: str) -> Any:
    if kind != "matches":
        return {**value, "automatic": True}
    moved = matches_on(value["matches"], text, other)
    return {
        "matches": [
            {"nugget": match.nugget, "start": match.start, "end": match.end, "automatic": True}
            for match in moved
        ]
    }


def final_objects(view: ObjectView, judges: Sequence[int], kinds: Sequence[str]) -> list[JudgedObject]:
    """The objects of some kinds of the judges' layers and of the final one, with what was reopened."""
    layers = [*map(judge_layer, judges), FINAL]
    objects = [judged for layer in layers for kind in kinds for judged in view.all(layer, kind)]
    return [*objects, *view.all(FINAL, "reopened")]


def decide_agreed(judges: Sequence[int], kinds: Sequence[str], count: int, *, asked: int = 1) -> Make:
    """The changes that make final all that judges agree on; ConflictError where that are not `count` objects.

    What fewer than `asked` have judged is not agreed on yet.
    """

    def make(view: ObjectView) -> list[Change]:
        agreed = compare_objects(final_objects(view, judges, kinds), kinds=kinds, judges=asked).agreed
        _check_count(len(agreed), count)
        return [Change(FINAL, judged.kind, judged.id, judged.answers[0].value) for judged in agreed]

    return make


def agreed_clusters(judges: Sequence[int], one: int, other: int, count: int, *, whole: bool = False) -> Make:
    """The changes that make final what two judges put into aligned clusters, or (`whole`) all that the first one did.

    ConflictError where that are not `count` updates.
    """

    def make(view: ObjectView) -> list[Change]:
        objects = final_objects(view, judges, ("cluster", "membership"))
        decided = {it.id for it in objects if it.layer == FINAL and it.kind == "membership"}
        first, second = _two(objects, one, other)
        aligned = align(first, second)
        updates = [
            update
            for update, cluster in sorted(first.cluster_of.items())
            if update not in decided
            and (
                whole
                or (update in second.cluster_of and cluster == _align(second.cluster_of[update], aligned))
            )
        ]
        _check_count(len(updates), count)
        final = _FinalClusters(view, final_ids(first, second))
        for update in updates:
            final.put(update, first)
        return final.changes

    return make


def decide_membership(
    judges: Sequence[int], one: int, other: int, update: str, chosen: int, copies: Copies | None = None
) -> Make:
    """The changes that put an update finally where `chosen`, one of two judges, put it; 0: it is not relevant.

    ConflictError where it was decided in the meantime.
    """

    def make(view: ObjectView) -> list[Change]:
        first, second = _two(final_objects(view, judges, ("cluster", "membership")), one, other)
        if view.value(FINAL, "membership", update) is not None:
            raise ConflictError(
                "This has been decided in the meantime. Reload the page.",
                view.get(FINAL, "membership", update),
            )
        side = {first.account_id: first, second.account_id: second}.get(chosen)
        if chosen and (side is None or update not in side.cluster_of):
            raise ConflictError("This judge has removed the update from the clusters in the meantime.", None)
        final = _FinalClusters(view, final_ids(first, second))
        for copy in dict.fromkeys([update, *(copies or {})]):
            if view.value(FINAL, "membership", copy) is None:
                final.put(copy, side, like=update)
        return final.changes

    return make


def _align(cluster: str | None, aligned: Mapping[str, str]) -> str | None:
    return None if cluster is None else aligned.get(cluster, "")


def _two(objects: Sequence[JudgedObject], one: int, other: int) -> tuple[Clustering, Clustering]:
    made = {it.account_id: it for it in clusterings(objects)}
    if one == other or one not in made or other not in made:
        raise UsageError("Choose two judges who have both made clusters.")
    return made[one], made[other]


class _FinalClusters:
    """The changes that put updates into final clusters, making those that are not there yet."""

    def __init__(self, view: ObjectView, ids: Mapping[tuple[int, str], str]) -> None:
        self.changes: list[Change] = []
        self._ids = ids
        self._numbers = {judged.id: judged.value.get("number", 0) for judged in view.all(FINAL, "cluster")}

    def put(self, update: str, side: Clustering | None, like: str = "") -> None:
        """Put an update where a judge has it, or what it is `like`; without a judge it is not relevant."""
        cluster = None if side is None else side.cluster_of[like or update]
        if side is not None and cluster is not None:
            label = side.labels.get(cluster, cluster)
            cluster = self._ids.get((side.account_id, cluster), cluster)
            if cluster not in self._numbers:
                self._numbers[cluster] = max(self._numbers.values(), default=0) + 1
                value = {"label": label, "number": self._numbers[cluster]}
                self.changes.append(Change(FINAL, "cluster", cluster, value))
        self.changes.append(Change(FINAL, "membership", update, {"cluster": cluster}))


def _check_count(found: int, count: int) -> None:
    if found != count:
        raise ConflictError(
            f"There are now {found} of these, but your page shows {count}. Reload the page.", None
        )
    if not found:
        raise UsageError("Everything the judges agree on is already final.")
