"""Addresses, a file for each part of the live pages. To add one: a module with a `router`, and its line here."""

from fastapi import APIRouter

from tidings.live.pages.routes import (
    alarms,
    away,
    editing,
    events,
    feeds,
    marks,
    search,
    service,
    sources,
    streams,
    updates,
    watching,
)
from tidings.web import sign_in_router

__all__ = ["ROUTERS"]

ROUTERS: tuple[APIRouter, ...] = (
    sign_in_router,
    events.router,
    search.router,
    sources.router,
    away.router,
    marks.router,
    service.router,
    updates.router,
    streams.router,
    feeds.router,
    alarms.router,
    editing.router,
    watching.router,
)
