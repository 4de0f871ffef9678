"""What the API answers: JSON as run files have it, and its description for /openapi.json."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fastapi import Response

from tidings.following import output_line
from tidings.live.pages.tail import line_bytes
from tidings.live.store import NumberedOutput

MOST = 2**53
"""The greatest cursor: JavaScript counts no further."""
CURSOR = "Only what came after this cursor: the `cursor` of an answer, or the id of a stream's message."

_MESSAGE = {"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}}


def _error(description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": _MESSAGE}}}


ERRORS: dict[int | str, dict[str, Any]] = {
    401: _error("Only who is signed in may read here."),
    404: _error("There is no such event."),
    422: _error("A value is none that is understood; `message` says which."),
    429: _error("Too many requests from your address: wait as long as Retry-After says."),
    503: _error("The store cannot be read now, or there is too much to do: try again later."),
}

_STREAM_EXAMPLE = """\
retry: 1000
id: 41
event: run
data: {"run":"live","begun":1374700000,"cursor":41}

id: 42
event: update
data: {"kind":"update","event":"santiago","update":"d1-0","doc":"d1","sentence":0,"time":1374700060,"text":"…"}

event: ping
data: {}

"""

STREAM: dict[int | str, dict[str, Any]] = ERRORS | {
    200: {
        "description": "Messages until either side ends the stream: `update`, `value`, `entities` and `support`, each "
        "with its cursor as `id` and the line of a run file as `data`; `run` first, and again when the run was begun "
        "anew; `ping` after 15 s of silence.",
        "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _STREAM_EXAMPLE}},
    }
}


def returns(what: str, item: dict[str, Any], *, cursor: bool = True) -> dict[int | str, dict[str, Any]]:
    """The description of an answer of items, each with these properties."""
    properties: dict[str, Any] = {"items": {"type": "array", "items": item}}
    if cursor:
        properties["cursor"] = {
            "type": "integer",
            "description": "give it as `after` for what comes next; it is the same where nothing came",
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
