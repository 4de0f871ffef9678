"""A project as a folder that scorers read: TREC's tables, tidings' lines beside them, and every judgment's history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tidings.desk.exchange.clusters import write_cluster_files
from tidings.desk.exchange.event_links import export_event_links
from tidings.desk.exchange.exporting import JUDGING_UPDATES, export_judgments
from tidings.desk.exchange.provenance import project_lines
from tidings.errors import UsageError
from tidings.formats.files.layout import COMPRESSED
from tidings.formats.files.writing import make_folder, write_jsonl
from tidings.formats.own import desk_lines
from tidings.formats.own.judgment_lines import lines_of
from tidings.formats.trec_ts.export import write_judgments
from tidings.records import Judgments, PooledUpdate
from tidings.records.assessment import Project
from tidings.store.desk import Desk

__all__ = ["FILES", "Exported", "export_folder"]

FILES = (
    "nuggets.tsv",
    "matches.tsv",
    "updates_sampled.tsv",
    "updates_sampled.extended.tsv",
    "topics.xml",
    "duplicates.tsv",
    "clusters.jsonl",
    "entities.jsonl",
    "clusters.json",
    "qrels.txt",
    "tweets2dayepoch.txt",
    "links.tsv",
    "judges.tsv",
    "merged_events.jsonl",
    desk_lines.FILE,
)
"""What an export may write; of a former one what is not written any more is removed."""
_TABLES = ("nuggets.tsv", "matches.tsv", "updates_sampled.tsv")
"""What may be compressed."""


class Exported(Struct, frozen=True):
    """What an export wrote.

    Args:
        judgments: as the tables have them.
        paths: the files.
        unjudged: updates of the pool that nobody has judged.
        notes: a line for each thing that a file cannot hold.
    """

    judgments: Judgments
    paths: tuple[Path, ...]
    unjudged: int
    notes: tuple[str, ...]


def export_folder(
    desk: Desk,
    project: Project,
    folder: str | Path,
    *,
    layer: str | None = None,
    judged_only: bool = False,
    compressed: str = "",
    anonymous: bool = False,
    advanced: Callable[[str], None] | None = None,
) -> Exported:
    """Write a project as a folder.

    Args:
        desk: where it is.
        project: which.
        folder: made where there is none; files of an export before are replaced, or removed.
        layer: only what was judged in this layer; then the pool is what was judged in it, and no history is written.
        judged_only: leave updates that nobody has judged out of the pool.
        compressed: `.gz`, `.xz` or `.zst` for the tables.
        anonymous: number people in the history instead of naming them.
        advanced: called with what is written next.

    Raises:
        UsageError: an id that a table cannot hold; tables of something else that would stand beside.
        OutputError: a file could not be written.
    """
    say = advanced or (lambda _: None)
    place = make_folder(folder)
    before = [
        place / (name + ending)
        for name in FILES
        for ending in COMPRESSED
        if (place / desk_lines.FILE).exists() and (place / (name + ending)).exists()
    ]
    if not before:
        _refuse_beside(place, compressed)
    say("tables")
    judgments = export_judgments(
        desk, project, layer=layer, judged_only=judged_only or layer is not None, byte_spans=True
    )
    notes: list[str] = []
    # Sources and times of publishing, for which the tables have no columns, stand in the history.
    pool = tuple(PooledUpdate(*_columns(row)) for row in judgments.pool)
    tables = replace(judgments, pool=pool, clusters=(), entities=())
    written = write_judgments(place, tables, compressed=compressed, notes=notes)
    for name, rows in lines_of(judgments).items():
        if rows and name in ("clusters.jsonl", "entities.jsonl"):
            written.append(place / name)
            write_jsonl(written[-1], rows)
    written += write_cluster_files(desk, project, place, layer=layer)
    if layer is None:
        written += export_event_links(desk, project, place)
        say("history")
        written.append(place / desk_lines.FILE)
        desk_lines.write_desk_lines(written[-1], project_lines(desk, project, anonymous=anonymous))
    for path in before:
        if path not in written:
            path.unlink(missing_ok=True)
    return Exported(judgments, tuple(written), _unjudged(desk, project), tuple(notes))


def _refuse_beside(place: Path, compressed: str) -> None:
    # Two files of one table, of which readers take one: whose scores come out is chance then.
    for name in _TABLES:
        for ending in COMPRESSED:
            if ending != compressed and (place / (name + ending)).exists():
                raise UsageError(
                    f"{place / (name + ending)}: found a table of something else, expected none beside the export's "
                    f"{name + compressed}; choose another folder, or take it away"
                )


def _columns(row: PooledUpdate) -> tuple[str, str, int, str, str, int]:
    return row.event_id, row.doc_id, row.sentence_index, row.text, row.duplicate_of, row.listed_length


def _unjudged(desk: Desk, project: Project) -> int:
    judged = {
        (one.topic, one.id) for kind in JUDGING_UPDATES for one in desk.log.objects(project.id, kind=kind)
    }
    items = {
        (number, item.id)
        for number, kind in desk.projects.count_items(project.id)
        if kind == "update"
        for item in desk.projects.items(project.id, number, "update")
    }
    return len(items - judged)
