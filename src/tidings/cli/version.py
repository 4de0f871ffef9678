"""`tidings --version`."""

from __future__ import annotations

import typer

from tidings import __version__

__all__ = ["register"]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tidings {__version__}")
        raise typer.Exit


def register(app: typer.Typer) -> None:
    """Add the `--version` option to the whole program."""

    @app.callback()
    def program(
        version: bool = typer.Option(
            False, "--version", help="Print the version and leave.", is_eager=True, callback=_print_version
        ),
    ) -> None:
        pass
