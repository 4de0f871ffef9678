"""Making one nugget of several, with the matches that each of them had, in every layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tidings.annotation.desk.operations.nuggets import (
    MATCHES,
    NUGGET,
    Fields,
    check_needs,
    links_to,
    notes_with,
    nugget_at,
)
from tidings.annotation.desk.operations.opened_again import still_open
from tidings.annotation.store import ObjectView
from tidings.core import SHARED, Change, UsageError

__all__ = ["joined", "merge_nuggets"]


def merge_nuggets(
    view: ObjectView, into: str, others: Sequence[str], expected: Mapping[str, int], fields: Fields
) -> list[Change]:
    """Make nuggets one: the others' matches go to it, in the layer of each judge, and the others are taken away.

    An update that was matched to two of them keeps both spans; those that share a character or touch become one span,
    which is automatic only where all of them were. What the others needed it needs, and what needed them needs it.

    Args:
        view: what is there.
        into: the nugget that stays, with its id.
        others: those that go.
        expected: the version of each of them that the page showed.
        fields: what the one says from now on.

    Raises:
        ConflictError: one of them is gone or has changed; UsageError: they are not two, or the one would need itself.
    """
    gone = list(dict.fromkeys(others))
    if not gone or into in gone:
        raise UsageError(f"found {', '.join(gone) or 'nothing'} to merge into {into}, expected other nuggets")
    for one in (into, *gone):
        if one not in expected:
            raise UsageError(f"found no version of nugget {one}, expected the one that the page showed")
    merged = [nugget_at(view, one, expected[one]) for one in (into, *gone)]
    there = {one.id: one for one in view.all(SHARED, NUGGET)}
    renamed = dict.fromkeys(gone, into)
    kept = there[into].value
    needs = _renamed([needed for one in merged for needed in one.value.get("needs", ())], {})
    value = {**kept, **fields.value([needed for needed in needs if needed not in (into, *gone)])}
    if value["text"] == kept["text"]:
        value["listed_length"] = kept.get("listed_length", 0)
    changes = [Change(SHARED, NUGGET, into, value, expected=expected[into])]
    changes += [Change(SHARED, NUGGET, one, None, expected=expected[one]) for one in gone]
    for other in there.values():
        before = other.value.get("needs", [])
        after = _renamed(before, renamed)
        if other.id not in (into, *gone) and after != before:
            changes.append(Change(SHARED, NUGGET, other.id, {**other.value, "needs": after}, other.version))
    check_needs({**{one.id: one.value for one in there.values() if one.id not in gone},
                 **{one.id: one.value for one in changes if one.value is not None}})  # fmt: skip
    for judged in links_to(view.in_all_layers(MATCHES), gone):
        moved = joined(
            [
                {**match, "nugget": renamed.get(match["nugget"], match["nugget"])}
                for match in judged.value["matches"]
            ],
            into,
        )
        changes.append(
            Change(judged.layer, MATCHES, judged.id, {**judged.value, "matches": moved}, judged.version)
        )
    return still_open(view, changes + notes_with(view, renamed))


def _renamed(ids: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(names.get(one, one) for one in ids))


def joined(matches: Sequence[Mapping[str, Any]], nugget_id: str) -> list[dict[str, Any]]:
    """An update's matches, where those to one nugget whose spans share a character or touch are one.

    >>> spans = [(0, 9, False), (4, 12, True), (20, 25, True)]
    >>> matches = [{"nugget": "a", "start": s, "end": e, "automatic": auto} for s, e, auto in spans]
    >>> [(one["start"], one["end"], one["automatic"]) for one in joined(matches, "a")]
    [(0, 12, False), (20, 25, True)]
    """
    others = [dict(match) for match in matches if match["nugget"] != nugget_id]
    spans: list[dict[str, Any]] = []
    for match in sorted((one for one in matches if one["nugget"] == nugget_id), key=_place):
        last = spans[-1] if spans else None
        if last is not None and match["start"] <= last["end"]:
            last["end"] = max(last["end"], match["end"])
            last["automatic"] = last["automatic"] and match["automatic"]
        else:
            spans.append(dict(match))
    return sorted([*others, *spans], key=lambda one: (*_place(one), one["nugget"]))


def _place(match: Mapping[str, Any]) -> tuple[int, int]:
    return match["start"], match["end"]
