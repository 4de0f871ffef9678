"""Addresses, a file for each part of the desk. To add one: a router of its own, and its line here."""

from fastapi import APIRouter

from tidings.annotation.pages.routes.adjudication import adjudication_router, agreement_router
from tidings.annotation.pages.routes.clusters import clusters_router
from tidings.annotation.pages.routes.entities import entities_router
from tidings.annotation.pages.routes.event_links import event_links_router
from tidings.annotation.pages.routes.events import events_router
from tidings.annotation.pages.routes.extraction import extraction_router, nugget_acts_router
from tidings.annotation.pages.routes.log import corrections_router, log_router
from tidings.annotation.pages.routes.matching import matching_router
from tidings.annotation.pages.routes.notes import acts_router, notes_router
from tidings.annotation.pages.routes.progress import effort_router, progress_router
from tidings.annotation.pages.routes.queue import projects_router, queue_router
from tidings.annotation.pages.routes.relevance import relevance_router
from tidings.annotation.pages.routes.team import team_router
from tidings.web import sign_in_router

ROUTERS: tuple[APIRouter, ...] = (
    sign_in_router,
    projects_router,
    acts_router,
    queue_router,
    notes_router,
    entities_router,
    events_router,
    event_links_router,
    matching_router,
    team_router,
    log_router,
    corrections_router,
    adjudication_router,
    agreement_router,
    relevance_router,
    clusters_router,
    effort_router,
    progress_router,
    extraction_router,
    nugget_acts_router,
)
