"""TREC Temporal Summarization judgments: nuggets, matches, pooled updates and duplicates, apart by tabs.

Quotes in these files are literal. Spans are offsets into the update's text; see `read_matches` on their unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tidings.core import (
    BadValueError,
    Field,
    Match,
    Nugget,
    PooledUpdate,
    Problems,
    TextTable,
    gc_paused,
    quote_value,
    read_table,
    read_text,
    source_name,
    write_atomically,
)

NO_DUPLICATE = "NULL"

_NUGGETS = (
    Field.few("query_id"),
    Field.text("nugget_id"),
    Field.time("timestamp"),
    Field.integer("importance", -1, 3),
    Field.integer("nugget_len"),
    Field.text("nugget_text", empty=True),
)
_MATCHES = (
    Field.few("query_id"),
    Field.few("update_id"),
    Field.few("nugget_id"),
    Field.integer("match_start"),
    Field.integer("match_end"),
    Field.integer("auto_p", 0, 1),
)
_POOL = (
    Field.few("query_id"),
    Field.text("update_id"),
    Field.few("doc_id"),
    Field.integer("sentence_id"),
    Field.integer("update_len"),
    Field.few("duplicate_id"),
    Field.text("update_text", empty=True),
)


def read_nuggets(
    path: str | Path, *, problems: Problems | None = None, notes: list[str] | None = None
) -> list[Nugget]:
    """The nuggets of a `nuggets.tsv`, in file order, with the length column as `listed_length`.

    Raises:
        FormatError: bad lines, or two nuggets of one id.
    """
    collected = Problems() if problems is None else problems
    table = _read(path, _NUGGETS, "a TREC table of nuggets", collected, notes)
    events, ids, times, importances, lengths, texts = table.columns
    _refuse_repeated(ids, source_name(path), 1 if table.headless else 2, "nugget_id", collected)
    return list(map(Nugget, events, ids, times, importances, texts, lengths))


def read_matches(
    path: str | Path,
    pool: Sequence[PooledUpdate] = (),
    *,
    problems: Problems | None = None,
    notes: list[str] | None = None,
) -> list[Match]:
    """The matches of a `matches.tsv`, in file order; none where it is a header alone.

    The offsets count characters, as the assessors' tool stored them: cut out by characters, the spans of updates
    with letters beyond ASCII hold whole words; cut out by bytes they begin and end inside words. (The official
    scorers, written in Python 2, apply them to bytes all the same; that is a rule of theirs, kept by the measures.)
    So they are read as they stand. `pool` only serves to note spans that reach beyond the end of their text.

    Raises:
        FormatError: bad lines, or a span that ends before it begins.
    """
    collected = Problems() if problems is None else problems
    table = _read(
        path, _MATCHES, "a TREC table of matches", collected, notes, _span_fault, _spans_good, False
    )
    events, updates, nuggets, starts, ends, automatic = table.columns
    matches = list(map(Match, events, updates, nuggets, starts, ends, map(bool, automatic)))
    if notes is not None and pool:
        lengths = {update.id: len(update.text) for update in pool}
        beyond = sum(match.end > lengths.get(match.update_id, match.end) for match in matches)
        if beyond:
            notes.append(f"{source_name(path)}: {beyond} spans reach beyond the end of their update's text")
    return matches


def read_pool(
    path: str | Path, *, problems: Problems | None = None, notes: list[str] | None = None
) -> list[PooledUpdate]:
    """The rows of a table of pooled updates, in file order, repeated rows included.

    Raises:
        FormatError: bad lines, or an update_id that is not doc_id-sentence_id.
    """
    return read_pool_table(path, problems=problems, notes=notes)[0]


def read_pool_table(
    path: str | Path, *, problems: Problems | None = None, notes: list[str] | None = None
) -> tuple[list[PooledUpdate], bool]:
    """As `read_pool`, and whether the file came without a header line (as the extended pool of 2014)."""
    collected = Problems() if problems is None else problems
    table = _read(path, _POOL, "a TREC table of pooled updates", collected, notes, _id_fault, _ids_good)
    with gc_paused():
        events, _ids, docs, sentences, lengths, duplicates, texts = table.columns
        none = dict.fromkeys(duplicates)
        ids = {name: "" if name == NO_DUPLICATE else name for name in none}
        twins = [ids[name] for name in duplicates]
        return list(map(PooledUpdate, events, docs, sentences, texts, twins, lengths)), table.headless


def read_duplicates(
    path: str | Path, *, problems: Problems | None = None, notes: list[str] | None = None
) -> dict[str, str]:
    """Update ids with the same text, from a `duplicates.tsv` (2015): two ids a line, good in both directions."""
    fields = (Field.text("update_id"), Field.text("duplicate_id"))
    collected = Problems() if problems is None else problems
    text = read_text(path, notes=notes)
    table = read_table(
        text,
        source_name(path),
        fields,
        what="a TREC table of duplicates",
        problems=collected,
        spaces=True,
        header=("update_id",),
    )
    pairs = dict(zip(*table.columns, strict=True))
    for one, other in list(pairs.items()):
        pairs.setdefault(other, one)
    return pairs


def _read(
    path: str | Path,
    fields: Sequence[Field],
    what: str,
    problems: Problems,
    notes: list[str] | None,
    check: Any = None,
    bulk_check: Any = None,
    rows_needed: bool = True,
) -> TextTable:
    with gc_paused():
        text = read_text(path, notes=notes)
        return read_table(
            text,
            source_name(path),
            fields,
            what=what,
            problems=problems,
            header=("query_id", "topic_id", "event_id", "query"),
            check=check,
            bulk_check=bulk_check,
            rows_needed=rows_needed,
        )


def _refuse_repeated(ids: list[str], name: str, first: int, column: str, problems: Problems) -> None:
    if len(set(ids)) == len(ids):
        return
    seen: set[str] = set()
    for number, checked_id in enumerate(ids, first):
        if checked_id in seen:
            problems.add(
                name,
                number,
                f"{column} {quote_value(checked_id)} a second time",
                "each once",
                "remove or rename one",
            )
        seen.add(checked_id)
    problems.check()


def _span_fault(row: list[Any]) -> BadValueError | None:
    if row[3] > row[4]:
        return BadValueError(f"a match from {row[3]} to {row[4]}", "match_start before match_end")
    return None


def _spans_good(columns: list[list[Any]]) -> bool:
    return all(map(int.__le__, columns[3], columns[4]))


def _id_fault(row: list[Any]) -> BadValueError | None:
    wanted = f"{row[2]}-{row[3]}"
    if row[1] != wanted:
        return BadValueError(
            f"update_id {quote_value(row[1])}", f"doc_id-sentence_id, here {quote_value(wanted)}"
        )
    return None


def _ids_good(columns: list[list[Any]]) -> bool:
    numbers = map(str, columns[3])
    return columns[1] == list(map("-".join, zip(columns[2], numbers, strict=True)))


def write_nuggets(path: str | Path, nuggets: Iterable[Nugget], *, notes: list[str] | None = None) -> None:
    """Write a `nuggets.tsv`; a length that is not listed is the number of characters, as in 2014 and 2015."""
    rows = (
        (n.event_id, n.id, str(n.time), str(n.importance), str(n.listed_length or len(n.text)), n.text)
        for n in nuggets
    )
    _write(path, _NUGGETS, rows, notes)


def write_matches(path: str | Path, matches: Iterable[Match], *, notes: list[str] | None = None) -> None:
    """Write a `matches.tsv`, with offsets in characters."""
    rows = (
        (m.event_id, m.update_id, m.nugget_id, str(m.start), str(m.end), "1" if m.automatic else "0")
        for m in matches
    )
    _write(path, _MATCHES, rows, notes)


def write_pool(
    path: str | Path, pool: Iterable[PooledUpdate], *, headless: bool = False, notes: list[str] | None = None
) -> None:
    """Write a table of pooled updates; a length that is not listed is the number of characters."""
    rows = (
        (
            u.event_id,
            u.id,
            u.doc_id,
            str(u.sentence_index),
            str(u.listed_length or len(u.text)),
            u.duplicate_of or NO_DUPLICATE,
            u.text,
        )
        for u in pool
    )
    _write(path, _POOL, rows, notes, headless=headless)


def write_duplicates(path: str | Path, duplicates: dict[str, str]) -> None:
    """Write a `duplicates.tsv`: both directions, as far as they are known."""
    _write(path, (), duplicates.items(), None, headless=True)


def _write(
    path: str | Path,
    fields: Sequence[Field],
    rows: Iterable[tuple[str, ...]],
    notes: list[str] | None,
    *,
    headless: bool = False,
) -> None:
    changed = 0
    with write_atomically(path) as file:
        if not headless:
            file.write(("\t".join(field.name for field in fields) + "\n").encode())
        for row in rows:
            line = "\t".join(row)
            if line.count("\t") != len(row) - 1 or "\n" in line or "\r" in line:
                changed += 1
                line = "\t".join(value.translate(_BLANK) for value in row)
            file.write(f"{line}\n".encode("utf-8", "surrogateescape"))
    if changed and notes is not None:
        notes.append(
            f"{path}: tabs and line ends inside {changed} rows became blanks, which a table cannot hold"
        )


_BLANK = str.maketrans("\t\n\r", "   ")
