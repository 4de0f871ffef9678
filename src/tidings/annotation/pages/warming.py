"""What the first visitor would wait for, done before the desk says that it listens.

Routes are laid out when the first request comes, templates are compiled when they are first shown, and a pool is read
when somebody first judges in it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import FastAPI
from starlette.types import Message, Scope

from tidings.annotation.desk.pools import topic_pool
from tidings.annotation.store import Desk
from tidings.core import TidingsError
from tidings.web import SitePart, compile_templates

__all__ = ["ask", "latest_topics", "warm"]

_MOST = 4


def warm(app: FastAPI, desk: Desk) -> None:
    """Make an application ready for its first visitor."""
    part: SitePart = app.state.part
    compile_templates(part)
    asyncio.run(ask(app, "/sign-in"))
    # What cannot be read is said to who asks for it.
    with suppress(TidingsError):
        for project_id, topic in latest_topics(desk):
            topic_pool(desk, project_id, topic)


def latest_topics(desk: Desk) -> list[tuple[int, int]]:
    """The project and number of the topics at which people are most likely to go on: of each project, the last changed.

    No more than four, those of the projects that were changed last.
    """
    latest = []
    for project in desk.projects.all():
        entry = next(desk.log.entries(project.id, latest_first=True, limit=1), None)
        if entry is not None and entry.topic:
            latest.append((entry.recorded_ms, project.id, entry.topic))
    return [(project_id, topic) for _, project_id, topic in sorted(latest, reverse=True)[:_MOST]]


async def ask(app: FastAPI, path: str) -> int:
    """Ask an application for a page, as a visitor of this machine would; gives the status of its answer."""
    statuses: list[int] = []
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")],
        "client": None,
        "server": ("127.0.0.1", 80),
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await app(scope, receive, send)
    return statuses[0]
