"""Which verbs there are, in the order in which `tidings --help` lists them."""

from __future__ import annotations

from importlib import import_module

import typer

__all__ = ["VERBS", "register"]

VERBS = (
    "demo",
    "follow",
    "score",
    "compare",
    "explain",
    "timeline",
    "train",
    "experiment",
    "convert",
    "systems",
    "attention",
    "measures",
)
"""Each is a file of this folder with a `register(app)`."""


def register(app: typer.Typer, only: str | None = None) -> None:
    """Add every verb to `app`, or, to start quickly, only the one that is called."""
    for verb in ("version", *((only,) if only in VERBS else VERBS)):
        import_module(f"tidings.cli.{verb}").register(app)
