"""Serving the desk."""

from __future__ import annotations

import socket
from collections.abc import Callable

from tidings.annotation.pages.app import make_app
from tidings.annotation.pages.warming import warm
from tidings.annotation.store import Desk
from tidings.web import SiteSettings, serve

__all__ = ["run"]


def run(
    desk: Desk,
    listener: socket.socket,
    *,
    settings: SiteSettings | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a desk until the process is told to end, or Ctrl-C, once it is ready for its first visitor."""
    settings = settings or SiteSettings()
    app = make_app(desk, settings)
    warm(app, desk)
    serve(app, listener, settings, ready)
