"""The command line as a whole."""

from __future__ import annotations

import typer

from tidings.cli import verbs

__all__ = ["make_app"]


def make_app(only: str | None = None) -> typer.Typer:
    """The program with all its verbs, or with the one that is called."""
    app = typer.Typer(
        name="tidings",
        help="Follow events through streams of documents, and measure how well it is done.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    verbs.register(app, only)
    return app
