"""The command line as a whole."""

from __future__ import annotations

import os
from collections.abc import Sequence

import typer

from tidings.cli import verbs

__all__ = ["make_app"]

PROGRAM = "tidings"
_COMPLETING = "_TIDINGS_COMPLETE"
"""Set by the shell when it asks how a line may go on; the line itself is in one of the variables below."""
_LINES = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")


def make_app(args: Sequence[str] = ()) -> typer.Typer:
    """The program for these arguments: it knows all its verbs, and holds the one that is called."""
    completing = _COMPLETING in os.environ
    verb = _called(_completed_words() if completing else args)
    app = typer.Typer(
        name=PROGRAM,
        help="Follow events through streams of documents, and measure how well it is done.",
        no_args_is_help=True,
        add_completion=completing
        or verb is None,  # options of the program alone: a verb starts quicker without
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    verbs.register(app, verb, single_words=completing)
    if verb is None and (first := _first_word(args)) in verbs.FAMILIES:
        verbs.register_family(app, first)
    return app


def _called(args: Sequence[str]) -> str | None:
    word = _first_word(args)
    return word if word in verbs.VERBS else None


def _first_word(args: Sequence[str]) -> str:
    return next((arg for arg in args if not arg.startswith("-")), "")


def _completed_words() -> list[str]:
    return next((os.environ[name] for name in _LINES if name in os.environ), "").split()[1:]
