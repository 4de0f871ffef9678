"""Which verbs there are, in the order in which `tidings --help` lists them."""

from __future__ import annotations

import typer

from tidings.cli import follow, measures, score, systems, version

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add every verb to `app`."""
    version.register(app)
    follow.register(app)
    score.register(app)
    measures.register(app)
    systems.register(app)
