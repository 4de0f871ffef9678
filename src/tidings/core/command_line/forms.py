"""How a verb's result is written: in which form, and to which file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from tidings.core.errors import UsageError

__all__ = ["form_of", "show"]

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
    from tidings.core.files.layout import ending

    names: Sequence[str] = get_args(choices)
    if form is not None:
        return form
    if out is None or out == "-":
        return names[0]
    said = _FORMS.get(ending(out), "")
    if said in names:
        return said
    endings = ", ".join(one for one, what in _FORMS.items() if what in names)
    raise UsageError(f"{out}: found a name that says no form, expected one in {endings}; or give --format")


def show(text: str, out: str | None = None) -> None:
    """Print a result, or write it to a file, whole or not at all; a line end is added."""
    if out is None or out == "-":
        print(text)  # noqa: T201
        return
    from tidings.core.files.writing import write_atomically

    with write_atomically(out) as file:
        file.write(text.encode("utf-8", "replace") + b"\n")
