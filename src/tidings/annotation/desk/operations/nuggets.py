"""The list of nuggets of a topic: adding, editing, dependencies. Deleting, merging and splitting stand beside it.

The list is shared: an act on a nugget says which version of it the page showed, and is refused where that has changed.
What must hold afterwards is looked at in the transaction: dependencies name nuggets that are there and form no cycle,
and no match is left that names a nugget which is gone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from tidings.annotation.store import ObjectView
from tidings.core import SHARED, Change, ConflictError, Event, JudgedObject, UsageError

NUGGET = "nugget"
MATCHES = "matches"
AGAIN = "look-again"
"""The kind of the note that an update's matches are to be looked at again; its value names the nuggets in question."""

LONGEST = 2_000
LATEST = 253402300799
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
        made: dict[str, Any] = {
            "text": _text(self.text),
            "importance": _importance(self.importance),
            "time": _time(self.time),
            "needs": list(needs),
            "listed_length": 0,
        }
        if self.source is not None:
            source = self.source
            made["source"] = {"revision": source.revision, "start": source.start, "end": source.end}
        return made


def _text(text: str) -> str:
    text = " ".join(text.replace("\0", "").split())
    if not text:
        raise UsageError("a nugget without text (expected a few words)")
    if len(text) > LONGEST:
        raise UsageError(f"a nugget of {len(text):,} characters (expected at most {LONGEST:,}); split it")
    return text


def _importance(importance: int) -> int:
    if not 0 <= importance <= 3:
        raise UsageError(f"the importance {importance} (expected 0, 1, 2 or 3)")
    return importance


def _time(time: int) -> int:
    if not 0 <= time <= LATEST:
        raise UsageError(f"the time {time} (expected seconds since 1970 UTC, to the year 9999)")
    return time


def nugget_at(view: ObjectView, nugget_id: str, expected: int | UnsetType = UNSET) -> JudgedObject:
    """A nugget that is there; ConflictError where it is gone or no longer the version that the page showed."""
    there = view.get(SHARED, NUGGET, nugget_id)
    if there is None or there.value is None:
        raise ConflictError(f"nugget {nugget_id} is no longer there: somebody deleted or merged it", there)
    if expected is not UNSET and expected != there.version:
        raise ConflictError(
            "somebody changed this nugget since your page was shown; what is there now is shown instead",
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
    there = {one.id: one.value for one in view.all(SHARED, NUGGET)}
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
    numbered = [(match[1], match[2]) for one in ids if (match := _NUMBERED.fullmatch(one))]
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
    check_needs({**{one.id: one.value for one in view.all(SHARED, NUGGET)}, nugget_id: value})
    return [Change(SHARED, NUGGET, nugget_id, value, expected=expected)]


def check_needs(nuggets: Mapping[str, Any]) -> None:
    """UsageError where a nugget needs one that is not there, or, by however many steps, itself.

    >>> check_needs({"a": {"needs": ["b"]}, "b": {"needs": []}})
    >>> check_needs({"a": {"needs": ["b"]}, "b": {"needs": ["a"]}})
    Traceback (most recent call last):
    tidings.core.errors.UsageError: nuggets that need each other (a, b, a) (expected no circle)
    """
    done: set[str] = set()
    for start in nuggets:
        path: dict[str, None] = {}
        # Each frame: a nugget, and what it needs that was not looked at yet.
        frames = [] if start in done else [(start, iter(nuggets[start].get("needs", ())))]
        path = dict.fromkeys(one for one, _ in frames)
        while frames:
            nugget, waiting = frames[-1]
            needed = next(waiting, None)
            if needed is None:
                frames.pop()
                path.pop(nugget)
                done.add(nugget)
            elif needed not in nuggets:
                raise UsageError(
                    f"found that nugget {nugget} needs {needed}, which is not there; take it away"
                )
            elif needed in path:
                circle = [*list(path)[list(path).index(needed) :], needed]
                raise UsageError(f"nuggets that need each other ({', '.join(circle)}) (expected no circle)")
            elif needed not in done:
                path[needed] = None
                frames.append((needed, iter(nuggets[needed].get("needs", ()))))


def links_to(objects: Iterable[JudgedObject], nugget_ids: Iterable[str]) -> list[JudgedObject]:
    """Of judged matches, in whatever layer, those that link to one of these nuggets."""
    wanted = set(nugget_ids)
    return [one for one in objects if any(match["nugget"] in wanted for match in one.value["matches"])]


def without_links(there: JudgedObject, nugget_id: str) -> Change:
    """An update's matches without those to a nugget. Where none is left, it was judged and tells nothing."""
    left = [match for match in there.value["matches"] if match["nugget"] != nugget_id]
    return Change(there.layer, there.kind, there.id, {**there.value, "matches": left}, expected=there.version)


def notes_with(view: ObjectView, names: Mapping[str, str]) -> list[Change]:
    """The notes to look again that name these nuggets, with the names they have now (empty: gone).

    A note that is left with a single nugget asks nothing any more and is taken away.
    """
    changes = []
    for note in view.in_all_layers(AGAIN):
        before = note.value["nuggets"]
        after = [name for name in dict.fromkeys(names.get(one, one) for one in before) if name]
        if after != before:
            value = {"nuggets": after} if len(after) > 1 else None
            changes.append(Change(note.layer, AGAIN, note.id, value, note.version))
    return changes


def keep_links_whole(view: ObjectView, changes: Sequence[Change]) -> list[Change]:
    """The changes that take an act back, where they leave no match and no dependency that names a nugget that is gone.

    Raises ConflictError otherwise: what is taken back was built upon since. Of others' matches it says no more.
    """
    of_nuggets = [one for one in changes if (one.layer, one.kind) == (SHARED, NUGGET)]
    of_matches = [one for one in changes if one.kind == MATCHES]
    for change in of_matches if of_nuggets else ():
        there = view.get(change.layer, MATCHES, change.id)
        if there is not None and change.expected not in (UNSET, there.version):
            raise ConflictError(f"update {change.id} was judged since; this cannot be taken back", None)
    gone = {one.id for one in of_nuggets if one.value is None}
    if of_matches:
        back = {one.id for one in of_nuggets if one.value is not None}
        named = {nugget for one in of_matches if one.value is not None for nugget in _matched(one.value)}
        gone |= {one for one in named - back if view.value(SHARED, NUGGET, one) is None}
    if not gone:
        return list(changes)
    changed = {(one.layer, one.kind, one.id): one.value for one in changes}
    for kind, ids in ((MATCHES, _matched), (NUGGET, _needed)):
        there_now = {(one.layer, kind, one.id): one.value for one in view.in_all_layers(kind)}
        for (_, _, name), value in {**there_now, **_of_kind(changed, kind)}.items():
            if value is not None and gone & ids(value):
                what = f"update {name} was matched to" if kind == MATCHES else f"nugget {name} needs"
                nugget = min(gone & ids(value))
                raise ConflictError(
                    f"{what} nugget {nugget}, which would be gone; this cannot be taken back", None
                )
    return list(changes)


def _of_kind(changed: Mapping[tuple[str, str, str], Any], kind: str) -> dict[tuple[str, str, str], Any]:
    return {place: value for place, value in changed.items() if place[1] == kind}


def _matched(value: Any) -> set[str]:
    return {match["nugget"] for match in value["matches"]}


def _needed(value: Any) -> set[str]:
    return set(value.get("needs", ()))
