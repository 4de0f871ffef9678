"""A project as a folder that scorers read: TREC's tables, tidings' lines beside them, and every judgment's history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tidings.annotation.desk.exchange.clusters import write_cluster_files
from tidings.annotation.desk.exchange.event_links import export_event_links
from tidings.annotation.desk.exchange.exporting import JUDGING_UPDATES, export_judgments
from tidings.annotation.desk.exchange.manifest import MANIFEST, former_files, put_in_place, written_aside
from tidings.annotation.desk.exchange.provenance import project_lines
from tidings.annotation.store import Desk
from tidings.core import Judgments, PooledUpdate, Project, write_jsonl
from tidings.evaluation import DESK_LOG_FILE, write_desk_lines
from tidings.sources import lines_of, write_trec_judgments

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
    DESK_LOG_FILE,
)
"""What an export may write, and export.json, which lists what it wrote."""


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
    overwrite: bool = False,
    advanced: Callable[[str], None] | None = None,
) -> Exported:
    """Write a project as a folder: all of it, or nothing.

    Args:
        desk: where it is.
        project: which.
        folder: made where there is none; files that an export before wrote are replaced, or removed.
        layer: only what was judged in this layer; then the pool is what was judged in it, and no history is written.
        judged_only: leave updates that nobody has judged out of the pool.
        compressed: `.gz`, `.xz` or `.zst` for the tables.
        anonymous: number people in the history instead of naming them.
        overwrite: take all files of the names that exports write for those of an export before.
        advanced: called with what is written next.

    Raises:
        UsageError: an id that a table cannot hold; a file that no export wrote where one would be written.
        OutputError: a file could not be written.
    """
    say = advanced or (lambda _: None)
    place = Path(folder)
    former = former_files(place, FILES, overwrite=overwrite)
    say("tables")
    judgments = export_judgments(
        desk, project, layer=layer, judged_only=judged_only or layer is not None, byte_spans=True
    )
    notes: list[str] = []
    # Sources and times of publishing, for which the tables have no columns, stand in the history.
    pool = tuple(PooledUpdate(*_columns(row)) for row in judgments.pool)
    tables = replace(judgments, pool=pool, clusters=(), entities=())
    with written_aside(folder) as aside:
        written = write_trec_judgments(aside, tables, compressed=compressed, notes=notes)
        for name, rows in lines_of(judgments).items():
            if rows and name in ("clusters.jsonl", "entities.jsonl"):
                written.append(aside / name)
                write_jsonl(written[-1], rows)
        written += write_cluster_files(desk, project, aside, layer=layer)
        if layer is None:
            written += export_event_links(desk, project, aside)
            say("history")
            written.append(aside / DESK_LOG_FILE)
            write_desk_lines(written[-1], project_lines(desk, project, anonymous=anonymous))
        names = [path.name for path in written]
        put_in_place(aside, place, names, former)
        said = tuple(note.replace(str(aside), str(folder)) for note in notes)
    paths = tuple(place / name for name in (*names, MANIFEST))
    return Exported(judgments, paths, _unjudged(desk, project), said)


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
