"""TREC Temporal Summarization runs: seven columns apart by tabs or blanks, no header.

`query_id team_id run_id doc_id sentence_id decision_time confidence`; see docs/formats.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from tidings.errors import Problems, UsageError
from tidings.formats.files import named, read_text, write_atomically
from tidings.formats.tables import Field, gc_paused, read_table, shown
from tidings.records import Run, Update

__all__ = ["INFINITE_CONFIDENCE", "read_run", "write_run"]

INFINITE_CONFIDENCE = 1000.0

_FIELDS = (
    Field.few("query_id"),
    Field.few("team_id"),
    Field.few("run_id"),
    Field.text("doc_id"),
    Field.integer("sentence_id"),
    Field.time("decision_time"),
    Field.number("confidence", INFINITE_CONFIDENCE),
)


def read_run(
    path: str | Path, *, problems: Problems | None = None, notes: list[str] | None = None
) -> list[Run]:
    """The runs of a file, each with its updates in the order of the file.

    Event ids stay as written (`11` or `TS14.11`). A confidence of `inf` becomes 1000. A header line is accepted
    although the format has none.

    Args:
        path: the file; `.gz`, `.xz` and `.zst` are unpacked, `-` is standard input.
        problems: where bad lines are noted; strict without.
        notes: takes a line for each thing that was read otherwise than written.

    Raises:
        FormatError: one or more lines are not of the format.
        LimitError, UsageError: as `tidings.formats.files.open_bytes`.
    """
    collected = Problems() if problems is None else problems
    with gc_paused():
        table = read_table(
            read_text(path, notes=notes),
            named(path),
            _FIELDS,
            what="a TREC run",
            problems=collected,
            spaces=True,
            header=("query_id", "topic_id", "topic"),
        )
        events, teams, names, docs, sentences, times, confidences = table.columns
        updates = list(map(Update, events, docs, sentences, times, confidences))
        return _by_run(teams, names, updates, named(path), notes)


def _by_run(
    teams: list[str], names: list[str], updates: list[Update], source: str, notes: list[str] | None
) -> list[Run]:
    grouped: dict[tuple[str, str], list[Update]] = {}
    at = blocks = 0
    for key, block in groupby(zip(teams, names, strict=True)):
        end = at + sum(1 for _ in block)
        grouped.setdefault(key, []).extend(updates[at:end])
        at = end
        blocks += 1
    if blocks > len(grouped) and notes is not None:
        notes.append(f"{source}: the lines of its {len(grouped)} runs are mixed; they were sorted by run")
    return [Run(team, name, tuple(told)) for (team, name), told in grouped.items()]


def write_run(path: str | Path, runs: Iterable[Run]) -> None:
    """Write runs as TREC does, apart by tabs, in their own order; texts, sources and published times are left out.

    Raises:
        UsageError: an id is empty or holds a blank, which this format cannot hold.
        OutputError: the file could not be written.
    """
    with write_atomically(path) as file:
        for run in runs:
            team, name = _word(run.team or "tidings", "team"), _word(run.name or "run", "run")
            checked: set[str] = set()
            lines = []
            for update in run.updates:
                if update.event_id not in checked:
                    checked.add(_word(update.event_id, "event"))
                _word(update.doc_id, "document")
                lines.append(
                    f"{update.event_id}\t{team}\t{name}\t{update.doc_id}\t{update.sentence_index}\t{update.time}"
                    f"\t{update.confidence!r}\n"
                )
                if len(lines) == 4096:
                    file.write("".join(lines).encode("utf-8", "surrogateescape"))
                    lines.clear()
            file.write("".join(lines).encode("utf-8", "surrogateescape"))


def _word(value: str, what: str) -> str:
    if len(value.split()) != 1 or value.split()[0] != value:
        raise UsageError(
            f"found the {what} id {shown(value)}, expected one without blanks: a TREC run has its columns apart "
            "by them; rename it, or write .jsonl"
        )
    return value
