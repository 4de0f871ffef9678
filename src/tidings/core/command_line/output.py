"""What every verb says beside its result, how results are written (in which form, to which file), and pages opened."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import get_args

from tidings.core.errors import UsageError


def has_desktop() -> bool:
    """Whether a browser could open a window: never start a text browser over someone's terminal."""
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_page(link: str) -> None:
    """Open a page in a browser, on a desktop."""
    if has_desktop():
        import webbrowser

        webbrowser.open(link)


_FORMS = {
    ".txt": "table",
    ".tsv": "tsv",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".png": "png",
}
"""Which form the ending of a file's name says."""


def form_of(out: str | None, form: str | None, choices: object) -> str:
    """The form asked for, else the one that the name of the file says, else a table.

    Args:
        out: the file to write, or None or `-` for standard output.
        form: what was asked for by name.
        choices: a Literal of the forms that the verb has.

    Raises:
        UsageError: the name says no form that the verb has.

    >>> from typing import Literal
    >>> form_of("scores.csv.gz", None, Literal["table", "csv"]), form_of(None, None, Literal["table", "csv"])
    ('csv', 'table')
    """
    from tidings.core.files.reading import ending

    names: Sequence[str] = get_args(choices)
    if form is not None:
        return form
    if out is None or out == "-":
        return names[0]
    said = _FORMS.get(ending(out), "")
    if said in names:
        return said
    endings = ", ".join(one for one, what in _FORMS.items() if what in names)
    raise UsageError(f"{out}: the file name does not say which format; end it in {endings}, or give --format")


def sort_outputs(outs: Sequence[str] | None, kinds: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What each of the files of `--out` is to hold, by the form that its name says.

    Args:
        outs: the files.
        kinds: what can be written, with its forms; one without any takes what is of no other form.

    Raises:
        UsageError: a name that says none of the forms, or two files for the same.

    >>> sort_outputs(["r.html", "scores.csv"], {"page": ["html"], "table": []})
    {'page': 'r.html', 'table': 'scores.csv'}
    """
    from tidings.core.files.reading import ending

    sorted_outs: dict[str, str] = {}
    for out in outs or ():
        form = _FORMS.get(ending(out), "")
        kind = next((kind for kind, forms in kinds.items() if form in forms or not forms), None)
        if kind is None:
            known = [one for one, what in _FORMS.items() if any(what in forms for forms in kinds.values())]
            raise UsageError(f"{out}: the file name does not say which format; end it in {', '.join(known)}")
        if kind in sorted_outs:
            raise UsageError(
                f"--out {out}: {sorted_outs[kind]} is to hold the {kind} already; name one of the two"
            )
        sorted_outs[kind] = out
    return sorted_outs


def show(text: str, out: str | None = None) -> None:
    """Print a result, or write it to a file, whole or not at all; a line end is added."""
    if out is None or out == "-":
        print(text)  # noqa: T201
        return
    from tidings.core.files.writing import write_bytes

    write_bytes(out, text.encode("utf-8", "replace") + b"\n")


def say(text: str, *, prefix: str = "tidings: ") -> None:
    """Print lines on standard error; what a stranger's ids and names hold cannot steer the terminal."""
    from tidings.core.display.plain import clean

    if not text:
        return
    lines = [clean(line) for line in text.split("\n")]
    print(prefix + "\n".join(lines), file=sys.stderr)  # noqa: T201


def terminal_width() -> int | None:
    """Columns that tables have to fit into: COLUMNS where it is set, else the terminal's; None in files and pipes."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except (AttributeError, OSError, ValueError):
        return None


def wrap_text(text: str, width: int | None, indent: int = 0) -> list[str]:
    """The text in lines of at most `width` characters (None: in one line), all but the first one indented.

    >>> wrap_text("one two three", 8, 2)
    ['one two', '  three']
    """
    if width is None:
        return [text]
    import textwrap

    return textwrap.wrap(
        text,
        max(width, indent + 8),
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def waiting(words: str) -> AbstractContextManager[object]:
    """A sign of life on stderr, where it is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(words)
