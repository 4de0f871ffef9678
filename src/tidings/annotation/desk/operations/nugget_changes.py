"""Changes of a topic's nuggets that carry their matches along: one deleted, several merged, one split.

A match of which nobody says to which part of a split nugget it goes goes to all parts, and its update is noted as one
to look at again (an object of kind `look-again` in the judge's layer): a match too many can be taken away by who judged
it, one too few is lost. So a judge who works blind is not judged for: who splits a nugget decides on what they may see,
and the rest is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from tidings.annotation.desk.notes import reopened_id
from tidings.annotation.desk.operations.nuggets import (
    AGAIN,
    MATCHES,
    NUGGET,
    Fields,
    add_nugget,
    check_needs,
    links_to,
    notes_with,
    nugget_at,
)
from tidings.annotation.store import ObjectView
from tidings.annotation.store.objects import change_parts
from tidings.core import FINAL, SHARED, Change, ConflictError, Event, JudgedObject, UsageError, layer_account


def still_open(view: ObjectView, changes: Sequence[Change]) -> list[Change]:
    """The changes of an act on nuggets, after which nobody has judged again who had not before.

    Whoever judged an update before it was opened again has still to judge it, which is seen by the order of the log:
    where the act gives such an answer other nuggets, the opening is written behind it, and behind that the answers of
    those who have judged again already.
    """
    new = {(change.layer, change.id): change.value for change in changes if change.kind == MATCHES}
    updates = {update for layer, update in new if layer != FINAL}
    opened = {
        note.value["id"]: note
        for note in (view.all(FINAL, "reopened") if updates else ())
        if note.value["kind"] == MATCHES
        and note.value["id"] in updates
        and view.value(FINAL, MATCHES, note.value["id"]) is None
    }
    answers = [
        answer
        for answer in (view.in_all_layers(MATCHES) if opened else ())
        if answer.layer != FINAL and answer.id in opened
    ]
    stale = {
        answer.id
        for answer in answers
        if answer.version < opened[answer.id].version and (answer.layer, answer.id) in new
    }
    anew = {
        (answer.layer, answer.id): change_parts(
            answer, **new.get((answer.layer, answer.id), {}), stands=opened[answer.id].version
        )
        for answer in answers
        if answer.id in stale and answer.version > opened[answer.id].version
    }
    kept = [change for change in changes if change.kind != MATCHES or (change.layer, change.id) not in anew]
    renewed = [change_parts(note, renewed=note.version) for name, note in opened.items() if name in stale]
    return [*kept, *renewed, *anew.values()]


def still_open_without(view: ObjectView, changes: Sequence[Change], act: str) -> list[Change]:
    """The changes that take an act back, after which an answer given before the opening counts as none given since.

    Taking the only new answer back brings the old one, by an entry that is later than the opening: the opening is
    written behind it, and behind that the answers of those who have judged again.
    """
    taken_back = {(change.layer, change.kind, change.id) for change in changes}
    result = list(changes)
    for change in changes:
        if change.value is None or layer_account(change.layer) is None:
            continue
        name = reopened_id(change.kind, change.id)
        opened = view.judged(FINAL, "reopened", name)
        if opened is None or (FINAL, "reopened", name) in taken_back:
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
        result.append(change_parts(opened, renewed=opened.version))
        result += [
            change_parts(answer, stands=opened.version)
            for answer in view.in_all_layers(change.kind)
            if answer.id == change.id
            and layer_account(answer.layer) is not None
            and (answer.layer, answer.kind, answer.id) not in taken_back
            and answer.version > opened.version
        ]
    return result


def matches_by_layer(objects: Iterable[JudgedObject], nugget_id: str) -> dict[str, int]:
    """In which layers how many updates are matched to a nugget, by layer.

    >>> value = {"matches": [{"nugget": "n1", "start": 0, "end": 4, "automatic": False}]}
    >>> one = JudgedObject(1, "judge-2", "matches", "d-0", 7, value)
    >>> matches_by_layer([one], "n1"), matches_by_layer([one], "n2")
    ({'judge-2': 1}, {})
    """
    return dict(sorted(Counter(judged.layer for judged in links_to(objects, [nugget_id])).items()))


def delete_nugget(
    view: ObjectView, nugget_id: str, expected: int, *, with_matches: int = 0, own: str | None = None
) -> list[Change]:
    """Take a nugget off the list, and with it all matches to it and its place in what other nuggets need.

    Args:
        view: what is there.
        nugget_id, expected: the nugget, and the version of it that the page showed.
        with_matches: how many matches it was said to take away, an update counting once for each layer.
        own: the layer of whoever may take away their own matches alone; None: those of all, as one who leads.

    Raises:
        UsageError: matches of others, or decided ones, rest on it; or it has matches and nobody said that they go too.
        ConflictError: it has another number of matches than was said.
    """
    nugget_at(view, nugget_id, expected)
    linked = links_to(view.in_all_layers(MATCHES), [nugget_id])
    if own is not None and any(judged.layer != own for judged in linked):
        final = sum(judged.layer == FINAL for judged in linked)
        others = any(judged.layer not in (own, FINAL) for judged in linked)
        whose = ["by others"] if others else []  # how many is not theirs to see
        whose += [f"{final:,} decided"] if final else []
        raise UsageError(
            f"nugget {nugget_id} has matches that are not yours ({', '.join(whose)}); ask one who leads the "
            "project to delete it, or merge it into another nugget"
        )
    if linked and not with_matches:
        raise UsageError(
            f"nugget {nugget_id} has {_count(len(linked))}; say that they are deleted too, or merge it into "
            "another nugget"
        )
    if len(linked) != with_matches:
        raise ConflictError(
            f"{_count(len(linked))} to nugget {nugget_id} would go, where your page said {with_matches:,}: "
            "look again at what goes",
            None,
        )
    changes = [Change(SHARED, NUGGET, nugget_id, None, expected=expected)]
    for other in view.all(SHARED, NUGGET):
        if nugget_id in other.value.get("needs", ()):
            needs = [needed for needed in other.value["needs"] if needed != nugget_id]
            changes.append(change_parts(other, needs=needs))
    changes += [
        change_parts(judged, matches=[m for m in judged.value["matches"] if m["nugget"] != nugget_id])
        for judged in linked
    ]
    return still_open(view, changes + notes_with(view, {nugget_id: ""}))


def _count(number: int) -> str:
    return f"{number:,} match{'' if number == 1 else 'es'}"


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
        raise UsageError(
            f"{', '.join(gone) or 'Nothing'} cannot be merged into {into}. Choose other nuggets."
        )
    whole = (into, *gone)
    for nugget in whole:
        if nugget not in expected:
            raise UsageError(f"say which version of nugget {nugget} the page showed")
    merged = [nugget_at(view, nugget, expected[nugget]) for nugget in whole]
    there = {nugget.id: nugget for nugget in view.all(SHARED, NUGGET)}
    renamed = dict.fromkeys(gone, into)
    kept = there[into].value
    needs = dict.fromkeys(needed for nugget in merged for needed in nugget.value.get("needs", ()))
    value = {**kept, **fields.value([needed for needed in needs if needed not in whole])}
    if value["text"] == kept["text"]:
        value["listed_length"] = kept.get("listed_length", 0)
    changes = [Change(SHARED, NUGGET, into, value, expected=expected[into])]
    changes += [Change(SHARED, NUGGET, nugget, None, expected=expected[nugget]) for nugget in gone]
    for other in there.values():
        before = other.value.get("needs", [])
        after = list(dict.fromkeys(renamed.get(needed, needed) for needed in before))
        if other.id not in whole and after != before:
            changes.append(change_parts(other, needs=after))
    left = {nugget.id: nugget.value for nugget in there.values() if nugget.id not in gone}
    check_needs(left | {change.id: change.value for change in changes if change.value is not None})
    for judged in links_to(view.in_all_layers(MATCHES), gone):
        matches = [
            {**match, "nugget": renamed.get(match["nugget"], match["nugget"])}
            for match in judged.value["matches"]
        ]
        changes.append(change_parts(judged, matches=join_spans(matches, into)))
    return still_open(view, changes + notes_with(view, renamed))


def join_spans(matches: Sequence[Mapping[str, Any]], nugget_id: str) -> list[dict[str, Any]]:
    """An update's matches, where those to one nugget whose spans share a character or touch are one.

    >>> spans = [(0, 9, False), (4, 12, True), (20, 25, True)]
    >>> matches = [{"nugget": "a", "start": s, "end": e, "automatic": auto} for s, e, auto in spans]
    >>> [(m["start"], m["end"], m["automatic"]) for m in join_spans(matches, "a")]
    [(0, 12, False), (20, 25, True)]
    """
    others = [dict(match) for match in matches if match["nugget"] != nugget_id]
    spans: list[dict[str, Any]] = []
    for match in sorted((match for match in matches if match["nugget"] == nugget_id), key=_place):
        last = spans[-1] if spans else None
        if last is not None and match["start"] <= last["end"]:
            last["end"] = max(last["end"], match["end"])
            last["automatic"] = last["automatic"] and match["automatic"]
        else:
            spans.append(dict(match))
    return sorted([*others, *spans], key=lambda match: (*_place(match), match["nugget"]))


def _place(match: Mapping[str, Any]) -> tuple[int, int]:
    return match["start"], match["end"]


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
        raise UsageError(f"Split nugget {nugget_id} into 2 to {_MOST_PARTS} parts, not {len(parts)}.")
    there = nugget_at(view, nugget_id, expected)
    needs = there.value.get("needs", [])
    first = {**there.value, **parts[0].value(needs)}
    changes = [Change(SHARED, NUGGET, nugget_id, first, expected=expected)]
    ids = [nugget_id]
    for fields in parts[1:]:
        made = add_nugget(view, event, fields, needs, taken=ids)
        ids.append(made[0].id)
        changes += made
    decided = {(share.layer, share.update): share.parts for share in shares}
    if any(not 0 <= part < len(ids) for chosen in decided.values() for part in chosen):
        raise UsageError(f"A match names a part that does not exist. The parts are 0 to {len(ids) - 1}.")
    for judged in links_to(view.in_all_layers(MATCHES), [nugget_id]):
        chosen = decided.get((judged.layer, judged.id))
        wanted = ids if chosen is None else [ids[part] for part in sorted(set(chosen))]
        matches: list[dict[str, Any]] = []
        for match in judged.value["matches"]:
            if match["nugget"] == nugget_id:
                matches += [{**match, "nugget": part} for part in wanted]
            else:
                matches.append(match)
        changes.append(change_parts(judged, matches=matches))
        if chosen is None:
            noted = view.value(judged.layer, AGAIN, judged.id) or {"nuggets": []}
            asked = list(dict.fromkeys([*noted["nuggets"], *ids]))
            changes.append(Change(judged.layer, AGAIN, judged.id, {"nuggets": asked}))
    check_needs({nugget.id: nugget.value for nugget in view.all(SHARED, NUGGET)} | {nugget_id: first})
    return still_open(view, changes)


def looked_again(
    view: ObjectView, layer: str, update_id: str, expected: int, nugget_ids: Iterable[str]
) -> list[Change]:
    """An update's matches after someone looked again: of the nuggets in question, those to `nugget_ids` stay.

    `expected` is the version of its matches that the page showed.
    """
    note = view.judged(layer, AGAIN, update_id)
    if note is None:
        raise ConflictError(f"update {update_id} was looked at already", None)
    dropped = set(note.value["nuggets"]) - set(nugget_ids)
    changes = [Change(layer, AGAIN, update_id, None, expected=note.version)]
    judged = view.judged(layer, MATCHES, update_id)
    if judged is not None:
        left = [match for match in judged.value["matches"] if match["nugget"] not in dropped]
        value = {**judged.value, "matches": left}
        changes.insert(0, Change(layer, MATCHES, update_id, value, expected=expected))
    return changes
