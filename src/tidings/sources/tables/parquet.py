"""Parquet, read by pyarrow where that is installed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from tidings.core import (
    Content,
    FormatError,
    Item,
    Notes,
    ReadingOptions,
    UsageError,
    compression_of,
    is_folder,
    is_regular,
    pip_install,
)
from tidings.sources.registry import item_reader
from tidings.sources.tables.guessing import SAMPLE, choose_columns, items_of
from tidings.sources.tables.json_items import fields_of

_BATCH = 1000  # rows read in one step


@item_reader
def read_parquet(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of a Parquet file, some rows at a time; only the columns that are taken are read.

    Raises:
        UsageError: pyarrow is not installed, or a column that was named is not there.
        FormatError: no Parquet, a damaged file, or a table without a column of dates or of text.
    """
    name = content.name
    with _open(content) as raw:
        if raw.read(4) != b"PAR1":
            raise FormatError.of(name, 0, "no Parquet", "a Parquet file")
        raw.seek(0)
        pyarrow, parquet = _libraries(name)
        try:
            file = parquet.ParquetFile(raw)
            first = next(
                (_rows(batch, name, 0, Notes()) for batch in file.iter_batches(batch_size=SAMPLE)), []
            )
            names = file.schema_arrow.names
            fields = fields_of([value for _, value in first] or [dict.fromkeys(names)])
            columns = choose_columns(
                fields.names,
                [fields.row(value) for _, value in first],
                options,
                name,
                timeless=options.file_times and content.modified_time is not None,
            )
            notes.remark(f"{name}: {columns.describe()}")
            row = fields.reader(columns.needed)
            roots = sorted({list(fields.paths.values())[place][0] for place in columns.needed})
            batches = file.iter_batches(batch_size=_BATCH, columns=roots, use_threads=False)
            rows = ((number, row(value)) for number, value in _number_rows(batches, name, notes))
            yield from items_of(rows, columns, name, content.modified_time)
        except (pyarrow.ArrowException, OSError, MemoryError, ValueError, KeyError, OverflowError) as error:
            said = str(error).partition("\n")[0][:200]
            mend = "the copy stopped early, or the file is damaged: fetch it again"
            raise FormatError.of(name, 0, f"damage ({said})", "a whole Parquet file", mend) from None


def _number_rows(batches: Iterable[Any], name: str, notes: Notes) -> Iterator[tuple[int, dict[str, Any]]]:
    before = 0
    for batch in batches:
        yield from _rows(batch, name, before, notes)
        before += batch.num_rows


def _rows(batch: Any, name: str, before: int, notes: Notes) -> list[tuple[int, dict[str, Any]]]:
    # Each with its number from 1; those with bytes that are no text are left out.
    try:
        return list(enumerate(batch.to_pylist(), before + 1))
    except UnicodeDecodeError:
        pass
    rows = []
    for place in range(batch.num_rows):
        try:
            rows.append((before + place + 1, batch.slice(place, 1).to_pylist()[0]))
        except UnicodeDecodeError:
            notes.drop(f"{name}:{before + place + 1}", "bytes that are not UTF-8")
    return rows


def _open(content: Content) -> BinaryIO:
    # pyarrow goes back and forth in the file.
    if content.data is None and content.path is not None and not compression_of(content.path):
        if is_folder(content.path):
            raise UsageError(f"{content.name}: this is a folder; name a file in it")
        if is_regular(content.path):
            return Path(content.path).open("rb")
    return io.BytesIO(content.read())


def _libraries(name: str) -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise UsageError(f"{name}: Parquet needs pyarrow. Run: {pip_install('[parquet]')}") from None
    return pyarrow, parquet
