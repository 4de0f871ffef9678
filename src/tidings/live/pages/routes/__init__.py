"""Addresses, a file for each part of the live pages. To add one: a router of its own, and its line here."""

from fastapi import APIRouter

from tidings.live.pages.routes.alarms import alarms_router
from tidings.live.pages.routes.away import away_router
from tidings.live.pages.routes.editing import editing_router
from tidings.live.pages.routes.events import events_router, search_router
from tidings.live.pages.routes.feeds import feeds_router
from tidings.live.pages.routes.left_out import left_out_router
from tidings.live.pages.routes.service import marks_router, service_router, sources_router, watching_router
from tidings.live.pages.routes.stories import stories_router
from tidings.live.pages.routes.streams import streams_router
from tidings.live.pages.routes.updates import updates_router
from tidings.web import sign_in_router

__all__ = ["ROUTERS"]

ROUTERS: tuple[APIRouter, ...] = (
    sign_in_router,
    events_router,
    left_out_router,
    stories_router,
    search_router,
    sources_router,
    away_router,
    marks_router,
    service_router,
    updates_router,
    streams_router,
    feeds_router,
    alarms_router,
    editing_router,
    watching_router,
)
