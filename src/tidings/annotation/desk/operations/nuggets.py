"""The list of nuggets of a topic: adding, editing, dependencies. Deleting, merging and splitting stand beside it.

The list is shared: an act on a nugget says which version of it the page showed, and is refused where that has changed.
What must hold afterwards is looked at in the transaction: dependencies name nuggets that are there and form no cycle,
and no match is left that names a nugget which is gone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from tidings.annotation.store import ObjectView
from tidings.core import LATEST_TIME, SHARED, Change, ConflictError, Event, JudgedObject, UsageError

NUGGET = "nugget"
MATCHES = "matches"
AGAIN = "look-again"
"""The kind of the note that an update's matches are to be looked at again; its value names the nuggets in question."""

LONGEST = 2_000
_NUMBERED = re.compile(r"(.*?)([0-9]{1,9})")
_TREC_TOPIC = re.compile(r"TS1\d\.\d+")


class Source(Struct, frozen=True):
    """Where a nugget was read: characters start..end of a revision's text."""

    revision: str
    start: int
    end: int


class Fields(Struct, frozen=True, kw_only=True):
    """What a nugget says.

    Args:
        text: the fact, in a few words.
        importance: 0 (a detail) to 3 (no summary may lack it).
        time: when it could first be known, in seconds UTC.
        source: where it was read; None where it was typed by hand.
    """

    text: str
    importance: int
    time: int
    source: Source | None = None

    def value(self, needs: Sequence[str] = ()) -> dict[str, Any]:
        """The value of the nugget's object; UsageError where a field does not fit."""
        source = {} if self.source is None else {"source": structs.asdict(self.source)}
        return {
            "text": _text(self.text),
            "importance": _importance(self.importance),
            "time": _time(self.time),
            "needs": list(needs),
            "listed_length": 0,
            **source,
        }


def _text(text: str) -> str:
    text = " ".join(text.replace("\0", "").split())
    if not text:
        raise UsageError("Enter a text for the nugget.")
    if len(text) > LONGEST:
        raise UsageError(f"The nugget has {len(text):,} characters. Use at most {LONGEST:,}, or split it.")
    return text


def _importance(importance: int) -> int:
    if not 0 <= importance <= 3:
        raise UsageError(f"The importance must be 0, 1, 2 or 3, not {importance}.")
    return importance


def _time(time: int) -> int:
    if not 0 <= time <= LATEST_TIME:
        raise UsageError(f"The time {time} is not valid. Enter seconds since 1970 UTC, up to the year 9999.")
    return time


def nugget_at(view: ObjectView, nugget_id: str, expected: int | UnsetType = UNSET) -> JudgedObject:
    """A nugget that is there; ConflictError where it is gone or no longer the version that the page showed."""
    there = view.judged(SHARED, NUGGET, nugget_id)
    if there is None:
        raise ConflictError(f"nugget {nugget_id} has been deleted or merged.", None)
    if expected is not UNSET and expected != there.version:
        raise ConflictError(
            "Someone changed this nugget in the meantime. The current version is shown.",
            there,
        )
    return there


def add_nugget(
    view: ObjectView, event: Event, fields: Fields, needs: Sequence[str] = (), *, taken: Iterable[str] = ()
) -> list[Change]:
    """A new nugget, with an id of its own.

    Args:
        view: what is there.
        event: of the topic.
        fields: what it says.
        needs: ids of nuggets without which it makes no sense.
        taken: ids that are given in the same act.
    """
    there = {nugget.id: nugget.value for nugget in view.all(SHARED, NUGGET)}
    new = unused_id(view, event, there, taken)
    value = fields.value(needs)
    check_needs({**there, new: value})
    return [Change(SHARED, NUGGET, new, value, expected=0)]


def unused_id(view: ObjectView, event: Event, there: Iterable[str], taken: Iterable[str] = ()) -> str:
    """An id that no nugget of the topic has or had: the next number, written as the list's others are.

    Where the others are not numbered, `VM` and the topic's id stand before it (`VMTS14.11.001`) if that is TREC's,
    else `n`.
    """
    ids = [*there, *taken]
    numbered = [(match[1], match[2]) for name in ids if (match := _NUMBERED.fullmatch(name))]
    stem, count = Counter(stem for stem, _ in numbered).most_common(1)[0] if numbered else ("", 0)
    if 2 * count < len(ids) or not ids:
        is_trec = _TREC_TOPIC.fullmatch(event.id) is not None
        stem, least = (f"VM{event.id}.", 3) if is_trec else ("n", 1)
    else:
        least = 1
    digits = [number for other, number in numbered if other == stem]
    width, highest = max(map(len, digits), default=least), max(map(int, digits), default=0)
    given = set(ids)
    while True:
        highest += 1
        new = f"{stem}{highest:0{width}d}"
        if new not in given and view.get(SHARED, NUGGET, new) is None:
            return new


def edit_nugget(
    view: ObjectView,
    nugget_id: str,
    expected: int,
    *,
    text: str | None = None,
    importance: int | None = None,
    time: int | None = None,
) -> list[Change]:
    """Change what a nugget says; what is None stays."""
    there = nugget_at(view, nugget_id, expected)
    value = dict(there.value)
    if text is not None and _text(text) != value["text"]:
        value.update(text=_text(text), listed_length=0)
    if importance is not None:
        value["importance"] = _importance(importance)
    if time is not None:
        value["time"] = _time(time)
    return [Change(SHARED, NUGGET, nugget_id, value, expected=expected)]


def set_needs(view: ObjectView, nugget_id: str, expected: int, needs: Sequence[str]) -> list[Change]:
    """Say what a nugget depends on: those without which it makes no sense (*four of them* needs *the people hurt*)."""
    there = nugget_at(view, nugget_id, expected)
    value = {**there.value, "needs": list(dict.fromkeys(needs))}
    check_needs({nugget.id: nugget.value for nugget in view.all(SHARED, NUGGET)} | {nugget_id: value})
    return [Change(SHARED, NUGGET, nugget_id, value, expected=expected)]


def check_needs(nuggets: Mapping[str, Any]) -> None:
    """UsageError where a nugget needs one that is not there, or, by however many steps, itself.

    >>> check_needs({"a": {"needs": ["b"]}, "b": {"needs": []}})
    >>> check_needs({"a": {"needs": ["b"]}, "b": {"needs": ["a"]}})
    Traceback (most recent call last):
    tidings.core.errors.UsageError: Nuggets cannot need each other in a circle (a, b, a).
    """
    for nugget, value in nuggets.items():
        for needed in value.get("needs", ()):
            if needed not in nuggets:
                raise UsageError(f"nugget {nugget} needs {needed}, which is not there; take it away")
    try:
        TopologicalSorter({nugget: value.get("needs", ()) for nugget, value in nuggets.items()}).prepare()
    except CycleError as error:
        circle = ", ".join(reversed(error.args[1]))
        raise UsageError(f"Nuggets cannot need each other in a circle ({circle}).") from None


def links_to(objects: Iterable[JudgedObject], nugget_ids: Iterable[str]) -> list[JudgedObject]:
    """Of judged matches, in whatever layer, those that link to one of these nuggets."""
    wanted = set(nugget_ids)
    return [
        judged for judged in objects if any(match["nugget"] in wanted for match in judged.value["matches"])
    ]


def notes_with(view: ObjectView, names: Mapping[str, str]) -> list[Change]:
    """The notes to look again that name these nuggets, with the names they have now (empty: gone).

    A note that is left with a single nugget asks nothing any more and is taken away.
    """
    changes = []
    for note in view.in_all_layers(AGAIN):
        before = note.value["nuggets"]
        after = [name for name in dict.fromkeys(names.get(nugget, nugget) for nugget in before) if name]
        if after != before:
            value = {"nuggets": after} if len(after) > 1 else None
            changes.append(Change(note.layer, AGAIN, note.id, value, note.version))
    return changes


def keep_links_whole(view: ObjectView, changes: Sequence[Change]) -> list[Change]:
    """The changes that take an act back, where they leave no match and no dependency that names a nugget that is gone.

    Raises ConflictError otherwise: what is taken back was built upon since. Of others' matches it says no more.
    """
    of_nuggets = [change for change in changes if (change.layer, change.kind) == (SHARED, NUGGET)]
    of_matches = [change for change in changes if change.kind == MATCHES]
    for change in of_matches if of_nuggets else ():
        there = view.get(change.layer, MATCHES, change.id)
        if there is not None and change.expected not in (UNSET, there.version):
            raise ConflictError(f"update {change.id} has been judged since, so this cannot be undone.", None)
    gone = {change.id for change in of_nuggets if change.value is None}
    back = {change.id for change in of_nuggets if change.value is not None}
    named = {nugget for change in of_matches if change.value is not None for nugget in _match(change.value)}
    gone |= {nugget for nugget in named - back if view.value(SHARED, NUGGET, nugget) is None}
    if not gone:
        return list(changes)
    for kind, ids, words in (
        (MATCHES, _match, "update {} was matched to"),
        (NUGGET, _list_needed, "nugget {} needs"),
    ):
        values = {(judged.layer, judged.id): judged.value for judged in view.in_all_layers(kind)}
        values |= {(change.layer, change.id): change.value for change in changes if change.kind == kind}
        for (_, name), value in values.items():
            if value is not None and gone & ids(value):
                nugget = min(gone & ids(value))
                raise ConflictError(
                    f"{words.format(name)} nugget {nugget}, which would be lost, so this cannot be undone.",
                    None,
                )
    return list(changes)


def _match(value: Any) -> set[str]:
    return {match["nugget"] for match in value["matches"]}


def _list_needed(value: Any) -> set[str]:
    return set(value.get("needs", ()))
