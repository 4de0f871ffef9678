"""Where judges of the same item differ: on relevance, on links, on spans, on grades. Clusters are in `alignment`."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any

from msgspec import Struct

from tidings.annotation.desk.operations.notes import reopened_id
from tidings.core import FINAL, JudgedObject, layer_account

__all__ = [
    "ITEM_KINDS",
    "Answer",
    "Compared",
    "Judged",
    "answer_of",
    "compare_objects",
    "same_answer",
    "sort_of",
]

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
        return frozenset((one["nugget"], one["start"], one["end"]) for one in value["matches"])
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
        nuggets = {frozenset(one["nugget"] for one in value["matches"]) for value in values}
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
    for one in objects:
        account = layer_account(one.layer)
        if one.layer == FINAL and one.kind == "reopened":
            reopened[one.id] = one.version
        elif one.layer == FINAL:
            final.add((one.kind, one.id))
        elif account is not None and one.kind in kinds and one.value is not None:
            answers.setdefault((one.kind, one.id), []).append(Answer(account, one.version, one.value))
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
