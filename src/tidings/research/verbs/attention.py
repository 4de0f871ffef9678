"""`tidings systems attention`: which words each hop of `hres` looks at."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap

import typer

from tidings.core import described, refuse_overwriting, say, sort_outputs, write_bytes
from tidings.research.report import (
    COLOUR_WORDS,
    HOP_WORDS,
    attention_page,
    attention_svg,
    attention_terminal,
    describe_attention,
)
from tidings.research.systems.hres import attend


@described(__file__)
def attention(
    model: str,
    sentence: str,
    query: str,
    out: list[str] | None = None,
) -> None:
    """Show which words of a sentence the system `hres` attends to, given a query.

    Each hop of its attention has a row, whose shares add up to 100 %; on a terminal, deeper colors mean larger shares.
    Below them stands what a hop is.
    """
    refuse_overwriting({"--out": out}, {"the model": [model]})
    outs = sort_outputs(out, {"page": ("html",), "heat map": ("svg",)})
    attended = attend(sentence, query, model)
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    width = min(120, shutil.get_terminal_size().columns) if colour else 100
    typer.echo(attention_terminal(attended.words, attended.weights, colour=colour, width=width))
    if colour:
        typer.echo(describe_attention(attended.words, attended.weights))
    for explained in (HOP_WORDS, COLOUR_WORDS) if colour else (HOP_WORDS,):
        typer.echo("\n" + textwrap.fill(explained, min(width, 100)))
    typer.echo()
    finding = f"By the encoder alone, it tells news with probability {attended.relevance:.0%}."
    typer.echo(finding)
    if "heat map" in outs:
        _write(outs["heat map"], attention_svg(attended.words, attended.weights))
    if "page" in outs:
        _write(outs["page"], attention_page(attended.words, attended.weights, query, (finding,)))


def _write(path: str, text: str) -> None:
    write_bytes(path, (text + "\n").encode("utf-8"))
    say(f"wrote {path}")
