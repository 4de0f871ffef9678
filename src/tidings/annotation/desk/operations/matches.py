"""Matching: which nuggets an update says, and where in it; one judgment serves an update and all its exact copies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from msgspec import Struct

from tidings.annotation.desk.notes import reopened_id
from tidings.annotation.store import ObjectView
from tidings.core import FINAL, SHARED, Change, ConflictError, JudgedObject, UsageError

_WORD = re.compile(r"\S+")


def realign(start: int, end: int, text: str, other: str) -> tuple[int, int] | None:
    """Where characters start..end of `text` stand in `other`; None where too little of them does, or they are space.

    Texts that differ by white space alone are aligned by character. Otherwise words are (in any case and without the
    signs around them); the span goes from the first to the last of its words that `other` has in the same place of the
    longest common parts, and half of its words must be among them.

    >>> one, other = "A  ferry burns in port.", "A ferry burns in port."
    >>> start, end = realign(3, 14, one, other)
    >>> other[start:end]
    'ferry burns'
    >>> start, end = realign(2, 12, "A big ferry burns.", "Reports: a big ferry is on fire.")
    >>> "Reports: a big ferry is on fire."[start:end]
    'big ferry'
    """
    if not 0 <= start < end <= len(text) or not text[start:end].strip():
        return None
    if text == other:
        return start, end
    if text.split() == other.split():
        return _by_character(start, end, text, other)
    ours, theirs = list(_WORD.finditer(text)), list(_WORD.finditer(other))
    inside = [number for number, word in enumerate(ours) if word.start() < end and word.end() > start]
    if not inside:
        return None
    if len(inside) == len(ours) and theirs:
        return theirs[0].start(), theirs[-1].end()
    matcher = SequenceMatcher(None, [_bare(w) for w in ours], [_bare(w) for w in theirs], autojunk=False)
    place = {
        block.a + step: block.b + step
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }
    met = [place[number] for number in inside if number in place]
    if 2 * len(met) < len(inside) or not met:
        return None
    return theirs[min(met)].start(), theirs[max(met)].end()


def _bare(word: re.Match[str]) -> str:
    return word.group().casefold().strip(".,;:!?\"'()[]“”‘’") or word.group()


def _by_character(start: int, end: int, text: str, other: str) -> tuple[int, int]:
    """The same characters of `other`, white space not counted."""
    first = sum(not char.isspace() for char in text[:start])
    count = sum(not char.isspace() for char in text[start:end])
    places = [place for place, char in enumerate(other) if not char.isspace()]
    return places[first], places[first + count - 1] + 1


MATCHES = "matches"


class Span(Struct, frozen=True, order=True):
    """That an update matches a nugget in its characters start..end."""

    nugget: str
    start: int
    end: int


class MatchState(Struct, frozen=True):
    """What is judged of an update and its copies, as a page shows it.

    Args:
        target: the update whose matches are set; the earliest copy that nothing was decided of, else the earliest.
        version: of its object; 0 where there is none.
        matches: of the object; None where it is not judged.
        decided: whether everything is decided, and only those who lead may change it.
        copies: how many others get the same matches.
        like: a copy that was decided while the target was not; empty where there is none.
        again: whether it was opened again since it was judged, so that it is to be judged once more.
    """

    target: str
    version: int
    matches: list[dict[str, Any]] | None
    decided: bool
    copies: int
    like: str = ""
    again: bool = False


def state_of(
    copies: Sequence[str],
    own: Mapping[str, JudgedObject],
    final: Mapping[str, JudgedObject],
    reopened: Mapping[str, int] | None = None,
) -> MatchState:
    """What is judged of an update.

    Args:
        copies: its id and those of its exact copies, the earliest first.
        own: matches of the judge's layer, by update.
        final: those of the final layer.
        reopened: the version of the entry by which an update was opened again.

    >>> decided = {"b-0": JudgedObject(1, "final", "matches", "b-0", 7, {"matches": []})}
    >>> state = state_of(("a-0", "b-0", "c-0"), {}, decided)
    >>> state.target, state.copies, state.like, state.decided
    ('a-0', 1, 'b-0', False)
    """
    fixed = [copy for copy in copies if _value(final, copy) is not None]
    free = [copy for copy in copies if _value(final, copy) is None]
    layer, among = (own, free) if free else (final, fixed)
    target = among[0]
    value = _value(layer, target)
    version = layer[target].version if value is not None else 0
    return MatchState(
        target=target,
        version=version,
        matches=None if value is None else value["matches"],
        decided=not free,
        copies=len(among) - 1,
        like=fixed[0] if free and fixed else "",
        again=bool(free) and 0 < version < (reopened or {}).get(target, 0),
    )


def match_update(
    view: ObjectView,
    layer: str,
    texts: Mapping[str, str],
    target: str,
    matches: Iterable[Span],
    expected: int,
    *,
    decided: bool = False,
) -> list[Change]:
    """The changes that give an update these matches, and its exact copies the same, automatically.

    Args:
        view: what is there.
        layer: the judge's.
        texts: of the update and its copies, by id.
        target: the update that was shown.
        matches: what it matches; none: nothing.
        expected: the version that was shown; 0 where nothing was judged.
        decided: whether what was shown was decided, and is to be decided again.

    Raises:
        UsageError: a nugget that is not there, a span outside of the text, the same match twice.
        ConflictError: it was decided, or is decided no more, since it was shown.
    """
    spans = sorted(matches, key=lambda match: (match.start, match.end, match.nugget))
    view.fetch(
        {
            (SHARED, "nugget"): {span.nugget for span in spans},
            (FINAL, MATCHES): texts,
            (layer, MATCHES): texts,
            (FINAL, "reopened"): [reopened_id(MATCHES, target)],
        }
    )
    _check(view, spans, texts[target])
    final = view.some(FINAL, MATCHES, texts)
    fixed = {copy for copy in texts if _value(final, copy) is not None}
    if decided != (target in fixed):
        raise ConflictError(
            "This has been decided in the meantime. The decision is shown."
            if target in fixed
            else "This has been reopened. You can judge it now.",
            final.get(target) or view.get(layer, MATCHES, target),
        )
    where = FINAL if decided else layer
    again = {} if decided else _mark_reopened(view, layer, target)
    among = [copy for copy in texts if (copy in fixed) == decided]
    return [
        Change(where, MATCHES, target, _value_of(spans, automatic=False) | again, expected=expected),
        *(
            Change(where, MATCHES, copy, _value_of(_move(spans, texts[target], texts[copy]), automatic=True))
            for copy in among
            if copy != target
        ),
    ]


def matches_on(matches: Iterable[Mapping[str, Any]], text: str, other: str) -> list[Span]:
    """Matches of one text as they would be of one that is nearly the same; those that it lacks are left out.

    >>> matches_on([{"nugget": "N1", "start": 2, "end": 7}], "A ferry burns.", "The ferry still burns.")
    [Span(nugget='N1', start=4, end=9)]
    """
    return list(
        _move((Span(match["nugget"], match["start"], match["end"]) for match in matches), text, other)
    )


def _move(spans: Iterable[Span], text: str, other: str) -> list[Span]:
    moved = ((span.nugget, realign(span.start, span.end, text, other)) for span in spans)
    return sorted({Span(nugget, *place) for nugget, place in moved if place is not None}, key=_place)


def _place(span: Span) -> tuple[int, int, str]:
    return span.start, span.end, span.nugget


def _check(view: ObjectView, spans: Sequence[Span], text: str) -> None:
    nuggets = view.some(SHARED, "nugget", {span.nugget for span in spans})
    for span in spans:
        if _value(nuggets, span.nugget) is None:
            raise UsageError(f"There is no nugget {span.nugget} in this topic. It may have been deleted.")
        if not 0 <= span.start < span.end <= len(text):
            raise UsageError(
                f"The characters {span.start} to {span.end} are outside the update, which has {len(text)}."
            )
        if not text[span.start : span.end].strip():
            raise UsageError(f"The characters {span.start} to {span.end} are only spaces. Select words.")
    if len(set(spans)) < len(spans):
        raise UsageError("The same match is listed twice.")


def _mark_reopened(view: ObjectView, layer: str, target: str) -> dict[str, int]:
    """What makes a judgment another one that says the same as the one before the update was opened again."""
    reopened = view.get(FINAL, "reopened", reopened_id(MATCHES, target))
    before = view.get(layer, MATCHES, target)
    is_old = reopened is not None and before is not None and 0 < before.version < reopened.version
    return {"reopened": reopened.version} if is_old and reopened is not None else {}


def _value_of(spans: Iterable[Span], *, automatic: bool) -> dict[str, Any]:
    return {
        "matches": [
            {"nugget": span.nugget, "start": span.start, "end": span.end, "automatic": automatic}
            for span in spans
        ]
    }


def _value(objects: Mapping[str, JudgedObject], name: str) -> Any:
    return objects[name].value if name in objects else None
