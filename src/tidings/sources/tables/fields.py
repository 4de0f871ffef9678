"""The fields of a document that a column may hold: how a person names their columns, and what outlets call them."""

from __future__ import annotations

import re
import unicodedata

from tidings.core import UsageError, data_beside

NAMES: dict[str, str] = data_beside(__file__)


FIELDS = ("id", "time", "title", "text", "url", "outlet", "language")
"""What `--columns` can name."""

_PAIR = re.compile(r"\s*([^=]*?)\s*=(.*)", re.DOTALL)
_NEXT = re.compile(rf",(?=\s*(?:{'|'.join(FIELDS)}|[^\W\d]\w*)\s*=)", re.IGNORECASE)


def parse_columns(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs of a field and its column, from words such as `time=date,text=body`.

    A column is named as its header has it, a nested one with points (`source.name`), or by its number from 1. A name
    may hold commas: a new pair begins only where a word and `=` follow.

    Raises:
        UsageError: no pair, a field that is not known, one that comes twice, or an empty name.

    >>> parse_columns("time=date, text=Body, in full")
    (('time', 'date'), ('text', 'Body, in full'))
    >>> parse_columns("when=date")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: 'when' is no field (expected id, time, title, text, ...)
    """
    fields = f"{', '.join(FIELDS[:-1])} or {FIELDS[-1]}"
    pairs: dict[str, str] = {}
    for part in _NEXT.split(text):
        match = _PAIR.fullmatch(part)
        if match is None:
            raise UsageError(
                f"{part.strip()[:60]!r} is no pair of a field and its column, such as time=date,text=body",
                "columns",
            )
        field, column = match[1].lower(), match[2].strip()
        if field not in FIELDS:
            raise UsageError(f"{match[1][:60]!r} is no field (expected {fields})", "columns")
        if not column:
            raise UsageError(f"{field!r} has no column: give {field}=COLUMN", "columns")
        if field in pairs:
            raise UsageError(f"{field!r} comes twice; give each field once", "columns")
        pairs[field] = column
    return tuple(pairs.items())


def simple(name: str) -> str:
    """A column's name as it is compared: its letters and digits with their marks, without accents and capitals.

    >>> simple("publishedAt") == simple("Published at"), simple("Título"), simple("दिनांक") == "दिनांक"
    (True, 'titulo', True)
    """
    split = unicodedata.normalize("NFKD", name.casefold())
    bare = unicodedata.normalize("NFC", "".join(c for c in split if not "\u0300" <= c <= "\u036f"))
    return "".join(c for c in bare if c.isalnum() or unicodedata.category(c)[0] == "M")


_RANKS = {
    field: {name: rank for rank, name in reversed(list(enumerate(dict.fromkeys(map(simple, names.split())))))}
    for field, names in NAMES.items()
}


def ranks_of(field: str) -> dict[str, int]:
    """How likely each name is one of the field's, the likeliest with the smallest number; by `simple` names.

    Beside `FIELDS` there are `updated`, `short` (a summary), `never` (none of all), `part` and `outlet of a part`.
    """
    return _RANKS[field]


def words_of(names: list[str], most: int = 12) -> str:
    """Names of columns as a message lists them.

    >>> words_of(["date", "body"]), words_of(list("abcdefghijklmnop"), most=3)
    ('date, body', 'a, b, c and 13 more')
    """
    shown = ", ".join(name[:40] if name.isprintable() else repr(name[:40]) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
