"""Addresses, a file for each part of the desk. To add one: a module with a `router`, and its line here."""

from fastapi import APIRouter

from tidings.annotation.pages.routes import (
    acts,
    adjudication,
    agreement,
    clusters,
    corrections,
    effort,
    entities,
    event_links,
    events,
    extraction,
    log,
    matching,
    notes,
    nugget_acts,
    progress,
    projects,
    queue,
    relevance,
    team,
)
from tidings.web import sign_in_router

__all__ = ["ROUTERS"]

ROUTERS: tuple[APIRouter, ...] = (
    sign_in_router,
    projects.router,
    acts.router,
    queue.router,
    notes.router,
    entities.router,
    events.router,
    event_links.router,
    matching.router,
    team.router,
    log.router,
    corrections.router,
    adjudication.router,
    agreement.router,
    relevance.router,
    clusters.router,
    effort.router,
    progress.router,
    extraction.router,
    nugget_acts.router,
)
