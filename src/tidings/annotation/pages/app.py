"""The desk as one application."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from tidings.annotation.pages.routes import ROUTERS
from tidings.annotation.store import Desk
from tidings.web import SitePart, SiteSettings, make_site

__all__ = ["PART", "make_app"]

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
