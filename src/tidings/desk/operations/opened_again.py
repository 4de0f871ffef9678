"""Updates that were opened again, when the list of nuggets changes what had been matched to them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tidings.records.assessment import FINAL, Change
from tidings.store.desk import ObjectView

__all__ = ["still_open"]

_MATCHES = "matches"


def still_open(view: ObjectView, changes: Sequence[Change]) -> list[Change]:
    """The changes of an act on nuggets, after which nobody has judged again who had not before.

    Whoever judged an update before it was opened again has still to judge it, which is seen by the order of the log:
    where the act gives such an answer other nuggets, the opening is written behind it, and behind that the answers of
    those who have judged again already.
    """
    updates = {one.id for one in changes if one.kind == _MATCHES and one.layer != FINAL}
    opened = {
        there.value["id"]: there
        for there in (view.all(FINAL, "reopened") if updates else ())
        if there.value["kind"] == _MATCHES
        and there.value["id"] in updates
        and view.value(FINAL, _MATCHES, there.value["id"]) is None
    }
    if not opened:
        return list(changes)
    answers = [one for one in view.in_all_layers(_MATCHES) if one.layer != FINAL and one.id in opened]
    changed = {(one.layer, one.id): one for one in changes if one.kind == _MATCHES}
    stale = {
        one.id for one in answers if one.version < opened[one.id].version and (one.layer, one.id) in changed
    }
    anew: dict[tuple[str, str], Change] = {}
    for one in answers:
        since = opened[one.id].version
        if one.id in stale and one.version > since:
            change = changed.get((one.layer, one.id)) or Change(one.layer, one.kind, one.id, one.value)
            anew[one.layer, one.id] = replace(
                change, value={**change.value, "stands": since}, expected=one.version
            )
    kept = [one for one in changes if one.kind != _MATCHES or (one.layer, one.id) not in anew]
    renewed = [
        Change(FINAL, "reopened", there.id, {**there.value, "renewed": there.version}, there.version)
        for name, there in opened.items()
        if name in stale
    ]
    return [*kept, *renewed, *anew.values()]
