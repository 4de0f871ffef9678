"""Making several nuggets of one, and saying of each match to which of them it goes.

A match of which nobody says anything goes to all parts, and its update is noted as one to look at again (an object of
kind `look-again` in the judge's layer): a match too many can be taken away by who judged it, one too few is lost. So
a judge who works blind is not judged for: who splits a nugget decides on what they may see, and the rest is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from tidings.annotation.desk.operations.nuggets import (
    AGAIN,
    MATCHES,
    NUGGET,
    Fields,
    add_nugget,
    check_needs,
    links_to,
    nugget_at,
)
from tidings.annotation.desk.operations.opened_again import still_open
from tidings.annotation.store import ObjectView
from tidings.core import SHARED, Change, ConflictError, Event, JudgedObject, UsageError

__all__ = ["Share", "looked_again", "split_nugget"]

_MOST_PARTS = 20


class Share(Struct, frozen=True):
    """To which parts (0 is the first) the matches of an update in a layer go that the nugget has there."""

    layer: str
    update: str
    parts: tuple[int, ...]


def split_nugget(
    view: ObjectView,
    event: Event,
    nugget_id: str,
    expected: int,
    parts: Sequence[Fields],
    shares: Iterable[Share] = (),
) -> list[Change]:
    """Make parts of a nugget: the first keeps its id, the others are new; all need what it needed.

    What needs the nugget needs its first part from then on, whose id is the same.

    Args:
        view: what is there.
        event: of the topic.
        nugget_id: the nugget.
        expected: its version that the page showed.
        parts: what each says, two or more.
        shares: where its matches go; a match of an update that no share names goes to all parts and is noted as one
            to look at again, one whose share is empty to none.

    Raises:
        ConflictError: the nugget is gone or has changed; UsageError: there are not two parts, or a share names none.
    """
    if not 2 <= len(parts) <= _MOST_PARTS:
        raise UsageError(f"found {len(parts)} parts of nugget {nugget_id}, expected 2 to {_MOST_PARTS}")
    there = nugget_at(view, nugget_id, expected)
    needs = there.value.get("needs", [])
    first = {**there.value, **parts[0].value(needs)}
    changes = [Change(SHARED, NUGGET, nugget_id, first, expected=expected)]
    ids = [nugget_id]
    for fields in parts[1:]:
        made = add_nugget(view, event, fields, needs, taken=ids)
        ids.append(made[0].id)
        changes += made
    decided = {(one.layer, one.update): one.parts for one in shares}
    if any(not 0 <= part < len(ids) for chosen in decided.values() for part in chosen):
        raise UsageError(f"found a match for a part that is not there, expected parts 0 to {len(ids) - 1}")
    for judged in links_to(view.in_all_layers(MATCHES), [nugget_id]):
        chosen = decided.get((judged.layer, judged.id))
        wanted = ids if chosen is None else [ids[part] for part in sorted(set(chosen))]
        matches: list[dict[str, Any]] = []
        for match in judged.value["matches"]:
            if match["nugget"] == nugget_id:
                matches += [{**match, "nugget": one} for one in wanted]
            else:
                matches.append(match)
        changes.append(
            Change(judged.layer, MATCHES, judged.id, {**judged.value, "matches": matches}, judged.version)
        )
        if chosen is None:
            changes.append(_to_look_at_again(view, judged, ids))
    check_needs({**{one.id: one.value for one in view.all(SHARED, NUGGET)}, nugget_id: first})
    return still_open(view, changes)


def _to_look_at_again(view: ObjectView, judged: JudgedObject, ids: Sequence[str]) -> Change:
    noted = view.value(judged.layer, AGAIN, judged.id) or {"nuggets": []}
    return Change(judged.layer, AGAIN, judged.id, {"nuggets": list(dict.fromkeys([*noted["nuggets"], *ids]))})


def looked_again(
    view: ObjectView, layer: str, update_id: str, expected: int, nugget_ids: Iterable[str]
) -> list[Change]:
    """An update's matches after somebody looked again: of the nuggets in question, those to `nugget_ids` stay.

    `expected` is the version of its matches that the page showed.
    """
    note = view.get(layer, AGAIN, update_id)
    if note is None or note.value is None:
        raise ConflictError(f"update {update_id} was looked at already", None)
    asked, stay = set(note.value["nuggets"]), set(nugget_ids)
    changes = [Change(layer, AGAIN, update_id, None, expected=note.version)]
    there = view.get(layer, MATCHES, update_id)
    if there is not None and there.value is not None:
        left = [
            match
            for match in there.value["matches"]
            if match["nugget"] not in asked or match["nugget"] in stay
        ]
        value = {**there.value, "matches": left}
        changes.insert(0, Change(layer, MATCHES, update_id, value, expected=expected))
    return changes
