"""Desks to test with: a store with the bundled event in a project, and people who are signed in to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient
from msgspec import Struct

from tidings.annotation.desk.exchange.importing import import_judgments
from tidings.annotation.pages.app import make_app, run
from tidings.annotation.store import Desk
from tidings.core.records.judgments import Account, Project
from tidings.core.store import open_store
from tidings.sources import bundled
from tidings.sources.streams import read_judgments
from tidings.web.serving import listening
from tidings.web.visitors import COOKIE, SiteSettings

# The first request to an application takes as long as twenty others: a desk that is closed leaves its own to the next.
_apps: dict[Desk, FastAPI] = {}
_idle_apps: list[FastAPI] = []


class People(Struct):
    """A desk with a project, who leads it, and two who judge; a stranger has an account and no project."""

    desk: Desk
    project: Project
    lead: Account
    first: Account
    second: Account
    stranger: Account


@contextmanager
def desk_with(
    store: str | Path, judgments: Any = None, *, judges: int = 1, clock: Any = None
) -> Iterator[People]:
    """A desk in a new store, with the bundled event's (or other) judgments imported; `None` imports nothing."""
    with open_store(str(store), durable=True) as opened:
        desk = Desk(opened) if clock is None else Desk(opened, clock)
        project = desk.projects.add("collection", judges=judges)
        people = [desk.accounts.add(name) for name in ("lead", "first", "second", "stranger")]
        for account, role in zip(people[:3], ("lead", "assessor", "assessor"), strict=True):
            desk.projects.set_member(project.id, account.id, role)  # type: ignore[arg-type]
        if judgments is not None:
            import_judgments(desk, project, judgments)
        with _its_app_left_to_the_next(desk):
            yield People(desk, project, *people)


@contextmanager
def desk_in(store: str | Path) -> Iterator[People]:
    """The desk that `desk_with` made in a store."""
    with open_store(str(store), durable=True) as opened:
        desk = Desk(opened)
        names = {account.name: account for account in desk.accounts.all()}
        (project,) = desk.projects.all()
        people = [names[name] for name in ("lead", "first", "second", "stranger")]
        with _its_app_left_to_the_next(desk):
            yield People(desk, project, *people)


@contextmanager
def _its_app_left_to_the_next(desk: Desk) -> Iterator[None]:
    try:
        yield
    finally:
        if desk in _apps:
            _idle_apps.append(_apps.pop(desk))


def app_of(desk: Desk) -> FastAPI:
    """The application of a desk, with the settings that hold by default."""
    if desk not in _apps:
        _apps[desk] = _idle_apps.pop() if _idle_apps else make_app(desk)
        _apps[desk].state.desk = desk
    return _apps[desk]


def bundled_judgments(*, judged: bool = True) -> Any:
    """The bundled event's judgments; with `judged` false its pool and nuggets alone."""
    from msgspec.structs import replace

    given = read_judgments(bundled.path())
    return given if judged else replace(given, matches=(), clusters=(), entities=())


def client_of(people: People, account: Account | None, settings: SiteSettings | None = None) -> TestClient:
    """A browser without a window, signed in as the account (None: as nobody). Redirects are not followed."""
    app = make_app(people.desk, settings) if settings else app_of(people.desk)
    client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
    if account is not None:
        client.cookies.set(COOKIE, people.desk.accounts.begin_session(account.id))
    return client


@cache
def _open_client() -> TestClient:
    client = TestClient(make_app(Desk.__new__(Desk)), base_url="http://127.0.0.1", follow_redirects=False)
    return client.__enter__()


def client_at(desk: Desk) -> TestClient:
    """The one client that stays open, now at this desk and signed in as nobody: beginning one takes long."""
    client = _open_client()
    client.cookies.clear()
    client.app.state.desk = desk  # type: ignore[attr-defined]
    return client


@contextmanager
def served(people: People) -> Iterator[str]:
    """The desk's address, served by a thread of this process until the end of the `with`."""
    import uvicorn

    address: list[str] = []
    is_up = threading.Event()
    servers: list[uvicorn.Server] = []
    original = uvicorn.Server.run

    def remember(server: uvicorn.Server, sockets: Any = None) -> None:
        servers.append(server)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        original(server, sockets)

    def ready(where: str) -> None:
        address.append(where)
        is_up.set()

    def serve() -> None:
        uvicorn.Server.run = remember  # type: ignore[method-assign]
        try:
            with listening("127.0.0.1", 0) as listener:
                run(people.desk, listener, ready=ready)
        finally:
            uvicorn.Server.run = original  # type: ignore[method-assign]

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    assert is_up.wait(120)
    try:
        yield address[0]
    finally:
        servers[0].should_exit = True
        thread.join(10)


def sign_in_browser(context: Any, people: People, account: Account, address: str) -> None:
    """Give a Chromium context the cookie of a session of the account."""
    token = people.desk.accounts.begin_session(account.id)
    context.add_cookies([{"name": COOKIE, "value": token, "url": address}])
