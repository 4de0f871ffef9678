"""Taking a nugget off the list, and with it the matches to it that whoever does so may take away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tidings.annotation.desk.operations.nuggets import (
    MATCHES,
    NUGGET,
    links_to,
    notes_with,
    nugget_at,
    without_links,
)
from tidings.annotation.desk.operations.opened_again import still_open
from tidings.annotation.store import ObjectView
from tidings.core import FINAL, SHARED, Change, ConflictError, JudgedObject, UsageError

__all__ = ["delete_nugget", "matches_by_layer"]


def matches_by_layer(objects: Iterable[JudgedObject], nugget_id: str) -> dict[str, int]:
    """In which layers how many updates are matched to a nugget, by layer.

    >>> value = {"matches": [{"nugget": "n1", "start": 0, "end": 4, "automatic": False}]}
    >>> one = JudgedObject(1, "judge-2", "matches", "d-0", 7, value)
    >>> matches_by_layer([one], "n1"), matches_by_layer([one], "n2")
    ({'judge-2': 1}, {})
    """
    return dict(sorted(Counter(one.layer for one in links_to(objects, [nugget_id])).items()))


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
    if own is not None and any(one.layer != own for one in linked):
        others = any(one.layer not in (own, FINAL) for one in linked)
        final = sum(one.layer == FINAL for one in linked)
        whose = ["by others"] if others else []  # how many is not theirs to see
        whose += [f"{final:,} decided"] if final else []
        raise UsageError(
            f"found matches to nugget {nugget_id} that are not yours ({', '.join(whose)}), expected none; ask one "
            "who leads the project to delete it, or merge it into another nugget"
        )
    if linked and not with_matches:
        raise UsageError(
            f"found {_counted(len(linked))} to nugget {nugget_id}; say that they are deleted too, or merge it "
            "into another nugget"
        )
    if len(linked) != with_matches:
        raise ConflictError(
            f"{_counted(len(linked))} to nugget {nugget_id} would go, where your page said {with_matches:,}: "
            "look again at what goes",
            None,
        )
    changes = [Change(SHARED, NUGGET, nugget_id, None, expected=expected)]
    for one in view.all(SHARED, NUGGET):
        if nugget_id in one.value.get("needs", ()):
            needs = [needed for needed in one.value["needs"] if needed != nugget_id]
            changes.append(Change(SHARED, NUGGET, one.id, {**one.value, "needs": needs}, one.version))
    changes += [without_links(one, nugget_id) for one in linked]
    return still_open(view, changes + notes_with(view, {nugget_id: ""}))


def _counted(number: int) -> str:
    return f"{number:,} match{'' if number == 1 else 'es'}"
