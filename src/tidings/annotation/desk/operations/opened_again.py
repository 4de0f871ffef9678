"""What was opened again, when the list of nuggets changes what was matched, and when a new answer is taken back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tidings.annotation.desk.operations.notes import reopened_id
from tidings.annotation.store import ObjectView
from tidings.core import FINAL, Change, layer_account

__all__ = ["still_open", "still_open_without"]

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


def still_open_without(view: ObjectView, changes: Sequence[Change], act: str) -> list[Change]:
    """The changes that take an act back, after which an answer given before the opening counts as none given since.

    Taking the only new answer back brings the old one, by an entry that is later than the opening: the opening is
    written behind it, and behind that the answers of those who have judged again.
    """
    changed = {(one.layer, one.kind, one.id) for one in changes}
    result = list(changes)
    for change in changes:
        if change.value is None or layer_account(change.layer) is None:
            continue
        name = reopened_id(change.kind, change.id)
        opened = view.get(FINAL, "reopened", name)
        if opened is None or opened.value is None or (FINAL, "reopened", name) in changed:
            continue
        if view.value(FINAL, change.kind, change.id) is not None:
            continue
        standing: dict[str, None] = {}
        for made, undoes in view.acts_since(change.layer, change.kind, change.id, opened.version):
            if undoes:
                standing.pop(undoes, None)
            else:
                standing[made] = None
        if standing.keys() - {act}:
            continue
        value = {**opened.value, "renewed": opened.version}
        result.append(Change(FINAL, "reopened", name, value, opened.version))
        result += [
            Change(one.layer, one.kind, one.id, {**one.value, "stands": opened.version}, one.version)
            for one in view.in_all_layers(change.kind)
            if one.id == change.id
            and layer_account(one.layer) is not None
            and (one.layer, one.kind, one.id) not in changed
            and one.version > opened.version
        ]
    return result
