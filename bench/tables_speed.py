"""Rows a second of tables, read as items, beside what only takes them apart: csv and json of Python, Polars."""

from __future__ import annotations

import csv
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Row = tuple[str, float, str, str]

ROWS = 100_000
REPEATS = 3
_TEXT = (
    "A ferry with {number} people on board caught fire off the port of Nador on Tuesday, the coast guard said. "
    "Boats and two helicopters are on their way; {number} of those on board were brought to land so far, and the "
    'master of the ship, "still on the bridge", reports smoke in the engine room.'
)


def rows() -> list[Row]:
    """The best of three passes over each file, and of what the peers do with it."""
    with _files() as (table, lines, whole, parquet):
        found = [
            _measured(
                "CSV", lambda: _items(table), table, "items: columns chosen, quotes mended, markup looked for"
            ),
            _measured("CSV: csv.DictReader", lambda: _dict_reader(table), table, "dicts, no more"),
            _measured("JSON Lines", lambda: _items(lines), lines, "items"),
            _measured("JSON Lines: json.loads", lambda: _json_lines(lines), lines, "dicts, no more"),
            _measured("JSON, one list", lambda: _items(whole), whole, "items"),
            _measured(
                "JSON, one list: json.load",
                lambda: _json_whole(whole),
                whole,
                "dicts, no more; all in memory",
            ),
        ]
        if parquet is not None:
            found.append(_measured("Parquet", lambda: _items(parquet), parquet, "items"))
        try:
            import polars
        except ImportError:
            return found
        found.append(
            _measured(
                "CSV: Polars", lambda: len(polars.read_csv(table).rows()), table, "tuples; all in memory"
            )
        )
        found.append(
            _measured(
                "JSON Lines: Polars",
                lambda: len(polars.read_ndjson(lines).rows()),
                lines,
                "tuples; all in memory",
            )
        )
        if parquet is not None:
            found.append(
                _measured(
                    "Parquet: Polars",
                    lambda: len(polars.read_parquet(parquet).rows()),
                    parquet,
                    "tuples; all in memory",
                )
            )
        return sorted(found)


def _measured(what: str, read: Callable[[], int], path: Path, note: str) -> Row:
    best = float("inf")
    for _ in range(REPEATS):
        began = time.perf_counter()
        count = read()
        best = min(best, time.perf_counter() - began)
        assert count == ROWS
    return (what, ROWS / best, "rows/s", f"{path.stat().st_size / best / 1e6:.0f} MB/s; {note}")


def _items(path: Path) -> int:
    from tidings.core.files.reading import as_content
    from tidings.sources.recognition import recognise

    kind = recognise(as_content(path))
    assert kind is not None
    return sum(1 for _ in kind.read(path))


def _dict_reader(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.DictReader(file))


def _json_lines(path: Path) -> int:
    with path.open(encoding="utf-8") as file:
        return sum(1 for line in file if json.loads(line))


def _json_whole(path: Path) -> int:
    return len(json.loads(path.read_text(encoding="utf-8")))


@contextmanager
def _files() -> Iterator[tuple[Path, Path, Path, Path | None]]:
    records = [
        {
            "id": f"n{number}",
            "published_at": f"2026-02-{1 + number % 28:02d}T{number % 24:02d}:{number % 60:02d}:00Z",
            "headline": f"Ferry on fire off Nador, report {number}",
            "body": _TEXT.format(number=number),
            "link": f"https://wire.example/{number}",
        }
        for number in range(ROWS)
    ]
    with tempfile.TemporaryDirectory() as folder:
        table, lines, whole = (Path(folder) / name for name in ("a.csv", "a.jsonl", "a.json"))
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(records[0]))
            writer.writeheader()
            writer.writerows(records)
        lines.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        whole.write_text(json.dumps(records), encoding="utf-8")
        parquet: Path | None = Path(folder) / "a.parquet"
        try:
            import pyarrow
            from pyarrow import parquet as written

            written.write_table(pyarrow.Table.from_pylist(records), parquet)
        except ImportError:
            parquet = None
        yield table, lines, whole, parquet
