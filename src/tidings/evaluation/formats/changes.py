"""Which documents brought a change on which question, judged day by day: `changes.tsv`.

This table is tidings' own, as long as the track has published no judgments: `topic`, `day`, `qid`, `doc_id`, `gain` (0,
1, 5 or 10). A day on which nothing was found is a line with `-` as qid and doc_id and gain 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from tidings.core import Problems, clean, read_lines, source_name, write_bytes
from tidings.following import is_day

GAINS = (0, 1, 5, 10)
"""What a document may be worth to a question on a day."""
NOTHING = "-"
_COLUMNS = ("topic", "day", "qid", "doc_id", "gain")


class Change(Struct, frozen=True):
    """What a document was judged to be worth to a question on a day; `-` as question: the day was judged."""

    topic: str
    day: str
    qid: str
    doc_id: str
    gain: int


def read_changes(path: str | Path, *, problems: Problems | None = None) -> list[Change]:
    """The judged changes of a table.

    Raises:
        FormatError: bad lines, all together: also a document that is judged twice for a question on a day.
    """
    collected = Problems() if problems is None else problems
    changes: dict[tuple[str, ...], Change] = {}
    for number, line in read_lines(path):
        cells = line.decode("utf-8", "replace").rstrip("\r\n").split("\t")
        if cells == list(_COLUMNS) or not line.strip():
            continue
        gain = cells[4] if len(cells) == len(_COLUMNS) else ""
        if gain not in map(str, GAINS) or not is_day(cells[1]) or not all(cells):
            expected = "topic, day (YYYY-MM-DD), qid, doc_id and gain (0, 1, 5 or 10) apart by tabs"
            collected.add(
                source_name(path), number, f"{len(cells)} cells: {clean('  '.join(cells)[:60])}", expected, ""
            )
        elif tuple(cells[:4]) in changes:
            collected.add(source_name(path), number, f"{cells[3]} a second time", "each document once", "")
        else:
            changes[tuple(cells[:4])] = Change(cells[0], cells[1], cells[2], cells[3], int(gain))
    collected.check()
    return list(changes.values())


def write_changes(path: str | Path, changes: Iterable[Change]) -> None:
    """Write judged changes as a table."""
    rows = [
        _COLUMNS,
        *((change.topic, change.day, change.qid, change.doc_id, str(change.gain)) for change in changes),
    ]
    write_bytes(path, "".join("\t".join(row) + "\n" for row in rows).encode())
