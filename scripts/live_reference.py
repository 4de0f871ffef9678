"""The page docs/api-live.md, from the description that the live pages give of their API (/openapi.json)."""

from __future__ import annotations

import tempfile
from typing import Any

from tidings.core.store import open_store
from tidings.live.store import LiveStore

HEAD = """\
# The live pages' API, address by address

What `tidings serve` answers to programs, written by `make docs` from the description that it gives itself at
`/openapi.json`; edit the code, not the page. Reading needs no account on 127.0.0.1; elsewhere it needs one, or
`--read-only`. A page of another site gets no answer that it could read (`cross-origin-resource-policy`).

    curl http://127.0.0.1:8570/api/events
    curl 'http://127.0.0.1:8570/api/events/santiago-2013/updates?after=0&limit=10'
    curl -N 'http://127.0.0.1:8570/api/stream?after=0'

## Cursors

Everything that is told has a number in its run: 1, 2, 3 and so on, over all events and kinds. That number is the
`cursor` of an answer and the `id` of a stream's message, and `after=CURSOR` gives what came later. A follower gives
numbers in the transaction that keeps what they stand for, so a cursor never leads past something that comes to light
afterwards, and any number of servers on one store give the same. An item is a line of a run file, as
[formats.md](formats.md) describes it.

A cursor that the run has not come to is of a run that was begun anew, or of a store that was put back to an earlier
copy: what is answered begins at the beginning. Where a run was begun anew and has come past your cursor meanwhile,
the number alone cannot say so; the time in a stream's `run` message (`begun`) can.

## Streams

A stream is `text/event-stream`: an `EventSource` of a browser reads it, and comes again by itself, with the id of the
last message that came (`Last-Event-ID`). It then gets exactly what it missed, in order, once.

* `update`, `value`, `entities`, `support`: what is told, with its cursor as `id` and its line as `data`.
* `run`, the first message of each stream: `run` is the run's name, `begun` when it was begun, `cursor` after which
  number the stream goes on. It has an `id` too, so that who is cut off before anything is told goes on from there. It
  comes again, with `id: 0`, when the run is begun anew while the stream is open: forget what you have, all of it
  follows.
* `ping` after 15 seconds in which nothing was sent.

A reader that takes nothing for 30 seconds is cut, and where only accounts may read a stream ends after 15 minutes:
both come again. When the server is told to end, streams end at once. An `EventSource` gives up for good when the
answer is not 200: then make a new one, with `after=` the last id.

## Limits

An address may send 1,000 requests at once and 50 a second in the long run, and hold 1,000 streams; a server holds
2,000 streams and 3,000 connections. Of IPv6, the first 64 bits count as the address. Beyond that the answer is 429 or
503 with `Retry-After`. Behind a proxy all readers have its address, unless it is named with `--trusted-proxy`: then
the address that it adds to `X-Forwarded-For` counts. A request's head must come within 20 seconds, its body (8 MiB at
most) within 60.

## Feeds

Each event is an Atom feed and a JSON Feed of its 50 latest updates: all of the text, a link to the update's own page
and one to its source. The id of an entry is made of what was told, so it stays when the address changes or the run is
begun anew. With `If-None-Match` who has it already is answered 304. Readers of feeds do not sign in: where only
accounts may read, they get 401.
"""

TITLES = {"reading": "Reading", "streams": "Streams, by address", "feeds": "Feeds, by address"}


def live_reference() -> str:
    """The whole page."""
    from tidings.live.pages.app import make_app

    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/none.db") as store:
        described = make_app(LiveStore(store)).openapi()
    by_tag: dict[str, list[str]] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            for tag in operation.get("tags", ["others"]):
                by_tag.setdefault(tag, []).append(_operation(method.upper(), path, operation))
    order = [*TITLES, *sorted(set(by_tag) - set(TITLES))]
    parts = [HEAD.rstrip()]
    for tag in order:
        if tag in by_tag:
            parts += [f"## {TITLES.get(tag, tag.capitalize())}", *by_tag[tag]]
    return "\n\n".join(parts) + "\n"


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    parts = [f"### `{method} {path}`", operation.get("description", "").strip()]
    parameters = [one for one in operation.get("parameters", []) if one["in"] != "cookie"]
    if parameters:
        parts.append(_table(("parameter", "in", "", ""), [_parameter(one) for one in parameters]))
    for status, answer in operation["responses"].items():
        if status == "200":
            parts += _answer(answer)
    others = sorted(status for status in operation["responses"] if status != "200")
    parts.append(f"Else {', '.join(others)}.")
    return "\n\n".join(part for part in parts if part)


def _parameter(one: dict[str, Any]) -> tuple[str, ...]:
    schema = one["schema"]
    default = schema.get("default")
    kind = _kind(schema) + (f", default {default}" if default is not None else "")
    return f"`{one['name']}`", one["in"], kind, one.get("description", "")


def _answer(answer: dict[str, Any]) -> list[str]:
    parts = []
    for kind, content in answer.get("content", {}).items():
        parts.append(f"Answers `{kind}`: {answer['description'][0].lower()}{answer['description'][1:]}")
        if "example" in content:
            parts.append(f"```\n{content['example'].rstrip()}\n```")
        schema = content.get("schema", {})
        properties = schema.get("properties", {})
        items = properties.get("items", {}).get("items", {})
        if items.get("properties"):
            has_cursor = "cursor" in properties
            form = '{"items": […], "cursor": N}' if has_cursor else '{"items": […]}'
            parts.append(f"`{form}`, each item:")
            parts.append(_table(("field", "", ""), _fields(items)))
    return parts


def _fields(schema: dict[str, Any]) -> list[tuple[str, ...]]:
    required = schema.get("required", [])
    return [
        (
            f"`{name}`" + ("" if name in required else " (or left out)"),
            _kind(field),
            field.get("description", ""),
        )
        for name, field in schema["properties"].items()
    ]


def _kind(schema: dict[str, Any]) -> str:
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"] if one.get("type") != "null")
    kind = schema.get("type", "")
    if kind == "array":
        return f"array of {_kind(schema.get('items', {})) or 'anything'}"
    if isinstance(kind, list):
        kind = " or ".join(kind)
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    return kind + (f", {lowest} to {highest}" if lowest is not None and highest is not None else "")


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
