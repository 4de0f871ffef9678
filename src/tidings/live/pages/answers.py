"""What the API answers: JSON as run files have it, and its description for /openapi.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from fastapi import Path as PathPart, Response

from tidings.following import output_line
from tidings.live.pages.tail import line_bytes
from tidings.live.store import NumberedOutput

MOST = 2**53
"""The greatest cursor: JavaScript counts no further."""
CURSOR = "Only outputs after this cursor: the `cursor` of an answer, or the id of a message in a stream."

EventId = Annotated[str, PathPart(description="The event's id.")]

_WORDS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
_MESSAGE = {"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}}

ITEMS: dict[str, dict[str, Any]] = _WORDS["items"]
"""The JSON schemas of what is answered, by kind."""

OUTPUTS: list[dict[str, str]] = _WORDS["outputs"]
"""The last part of each address, the kind of its outputs, and what the description of the API says of them."""

ERRORS: dict[int | str, dict[str, Any]] = {
    int(status): {"description": words, "content": {"application/json": {"schema": _MESSAGE}}}
    for status, words in _WORDS["errors"].items()
}

WRITING: dict[str, Any] = {
    "tags": ["writing"],
    "responses": ERRORS | {403: {"description": "These pages are read-only."}},
    "response_description": "The entry in the event's log.",
}
"""The description of a request that writes into an event's log."""

_STREAM = {"schema": {"type": "string"}, "example": _WORDS["stream"]["example"]}
STREAM: dict[int | str, dict[str, Any]] = ERRORS | {
    200: {"description": _WORDS["stream"]["description"], "content": {"text/event-stream": _STREAM}}
}


def returns(what: str, item: dict[str, Any], *, cursor: bool = True) -> dict[int | str, dict[str, Any]]:
    """The description of an answer of items, each with these properties."""
    properties: dict[str, Any] = {"items": {"type": "array", "items": item}}
    if cursor:
        properties["cursor"] = {
            "type": "integer",
            "description": "pass it as `after` to continue; it stays the same if nothing came",
        }
    schema = {"type": "object", "required": list(properties), "properties": properties}
    return ERRORS | {200: {"description": what, "content": {"application/json": {"schema": schema}}}}


def json_answer(value: dict[str, Any]) -> Response:
    """A value as JSON."""
    return Response(line_bytes(value), media_type="application/json")


def items_answer(items: Sequence[dict[str, Any]]) -> Response:
    """Items as JSON."""
    return json_answer({"items": list(items)})


def outputs_answer(found: Sequence[NumberedOutput], after: int) -> Response:
    """Outputs as JSON, each as a line of a run file has it, and the cursor to go on from."""
    items = [output_line(numbered.output) for numbered in found]
    return json_answer({"items": items, "cursor": found[-1].seq if found else after})
