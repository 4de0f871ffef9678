"""What an item of the API has, as JSON Schema: the lines of a run file, an event, a feed. See docs/formats.md."""

from __future__ import annotations

from typing import Any

__all__ = ["ENTITIES", "EVENT", "SOURCE", "SUPPORT", "UPDATE", "VALUE"]

_TEXT = {"type": "string"}
_WHOLE = {"type": "integer"}
_NUMBER = {"type": "number"}
_TIME = {"type": "integer", "description": "seconds UTC"}
_PLACE = {"doc": _TEXT, "sentence": _WHOLE}
_OUTLET = {
    "published_time": _TIME | {"description": "when the document was first seen (seconds UTC)"},
    "source": _TEXT | {"description": "the outlet"},
    "title": _TEXT | {"description": "the document's"},
    "url": _TEXT | {"description": "the document's, as its feed says; check it before you link to it"},
}
_EVIDENCE = {"type": "object", "properties": {**_PLACE, "text": _TEXT, **_OUTLET}}


def _item(required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": properties}


def _line(kind: str, required: str, **properties: Any) -> dict[str, Any]:
    about = {"kind": {"type": "string", "const": kind}, "event": _TEXT | {"description": "the event's id"}}
    return _item(f"kind event {required}", **about, time=_TIME, **properties)


UPDATE = _line(
    "update",
    "update doc sentence time confidence",
    update=_TEXT | {"description": "the update's id: the document's and the sentence's number"},
    **_PLACE,
    **_OUTLET,
    confidence=_NUMBER | {"type": ["number", "null"]},
    text=_TEXT,
)
VALUE = _line(
    "value",
    "time attribute value confidence",
    attribute=_TEXT | {"description": "such as deaths"},
    value={"description": "a number; of a location [latitude, longitude]"},
    confidence=_NUMBER | {"type": ["number", "null"]},
    **_PLACE,
    reported={"type": "array", "items": _NUMBER, "description": "from which to which value others say"},
    evidence={"type": "array", "items": _EVIDENCE},
    place=_TEXT,
)
ENTITIES = _line(
    "entities",
    "date entities",
    date=_TEXT | {"description": "the day (UTC), as 2013-07-24"},
    entities={"type": "array", "items": _TEXT, "description": "the most important first"},
    **{
        name: {"type": "array", "items": item, "description": f"for each of them: {said}"}
        for name, item, said in (
            ("types", _TEXT, "such as person"),
            ("scores", _NUMBER, "how important"),
            ("salience", _NUMBER, "how central to the event, 0 to 1"),
            ("informativeness", _NUMBER, "how new what is said of it, 0 to 1"),
            ("new", {"type": "boolean"}, "whether it was not named on the day with news before"),
            ("evidence", _EVIDENCE, "a sentence that names it"),
            ("ids", _WHOLE, "a number that stays from day to day"),
        )
    },
)
SUPPORT = _line(
    "support",
    "update doc sentence time evidence",
    update=_TEXT | {"description": "the id of the update that is supported"},
    **_PLACE,
    evidence=_EVIDENCE,
    same={"type": "boolean", "description": "false where the sentence is only near"},
)
EVENT = _item(
    "id title query state updated cursor",
    id=_TEXT,
    title=_TEXT,
    query=_TEXT,
    start=_TIME,
    end=_TIME,
    type=_TEXT,
    description=_TEXT,
    languages={"type": "array", "items": _TEXT},
    state={"type": "string", "enum": ["followed", "paused", "closed"]},
    updated={"type": ["integer", "null"], "description": "the time of its latest update (seconds UTC)"},
    cursor=_WHOLE | {"description": "of the last that was told of it"},
)
SOURCE = _item(
    "inbox url title state error failures answered_time next_time asked items last_time delay_s dropped",
    inbox=_TEXT | {"description": "what it comes into"},
    url=_TEXT | {"description": "of a feed; without what may be a secret"},
    title=_TEXT,
    state={"type": "string", "enum": ["answers", "fails", "gone", "not asked yet", "replayed"]},
    error=_TEXT | {"description": "what was wrong at the last time; empty for nothing"},
    failures=_WHOLE | {"description": "in a row"},
    answered_time=_TIME | {"description": "of its last answer (seconds UTC; 0: none yet)"},
    next_time=_TIME | {"description": "when it is asked next (seconds UTC)"},
    asked=_WHOLE | {"description": "how often it was asked"},
    items=_WHOLE | {"description": "documents that came by it, as far as it is counted"},
    last_time=_TIME | {"description": "when its last document was first seen (seconds UTC; 0: not known)"},
    delay_s={"type": ["integer", "null"], "description": "median seconds from publication to first seen"},
    dropped={"type": "object", "description": "items that gave no document, by why"},
)
