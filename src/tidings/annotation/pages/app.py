"""The desk as one application, served once it is ready for its first visitor.

What the first visitor would wait for is done before the desk says that it listens: routes are laid out when the first
request comes, templates are compiled when they are first shown, and a pool is read when someone first judges in it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fastapi import FastAPI
from starlette.types import Message, Scope

from tidings.annotation.desk.pools import topic_pool
from tidings.annotation.pages.routes import ROUTERS
from tidings.annotation.store import Desk
from tidings.core import TidingsError
from tidings.web import SitePart, SiteSettings, compile_templates, make_site, serve

PART = SitePart(Path(__file__).parent)
"""The templates and scripts of the desk."""


def make_app(desk: Desk, settings: SiteSettings | None = None) -> FastAPI:
    """The desk of a store, as an ASGI application.

    Pages stand under `/projects`, what their scripts call under `/api`, whose description is at `/api/openapi.json`.
    """
    title = "tidings: the assessors' desk"
    app = make_site(PART, title, ROUTERS, settings or SiteSettings(), openapi_url="/api/openapi.json")
    app.state.desk = desk
    return app


_MOST = 4  # topics that are made ready before the first visitor comes


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


def run(
    desk: Desk,
    listener: socket.socket,
    *,
    settings: SiteSettings | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a desk until the process is asked to end, or Ctrl-C, once it is ready for its first visitor."""
    settings = settings or SiteSettings()
    app = make_app(desk, settings)
    warm(app, desk)
    serve(app, listener, settings, ready)
