"""A project as a folder that scorers read: TREC's tables, tidings' lines beside them, and every judgment's history.

`judgments.jsonl` has all that it takes to make the project again, log included. Which files of the folder an export
wrote, and may replace, is listed beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.annotation.desk.exchange.event_links import export_event_links
from tidings.annotation.desk.exchange.exporting import JUDGING_UPDATES, export_judgments, write_cluster_files
from tidings.annotation.store import Desk
from tidings.core import (
    COMPRESSED,
    Judgments,
    PooledUpdate,
    Project,
    UsageError,
    move_files,
    write_json,
    write_jsonl,
    written_aside,
)
from tidings.evaluation import (
    DESK_LOG_FILE,
    FORM,
    AccountLine,
    AssignmentLine,
    ClaimLine,
    DeskLine,
    ItemLine,
    ProjectLine,
    TopicLine,
    line_of_entry,
    write_desk_lines,
)
from tidings.sources import lines_of, write_trec_judgments


def project_lines(desk: Desk, project: Project, *, anonymous: bool = False) -> Iterator[DeskLine]:
    """A project's lines, in the order of the file.

    Args:
        desk: where it is.
        project: which.
        anonymous: number the people (`judge 1`) instead of naming them. What they wrote in notes stays as it is.
    """
    yield ProjectLine(
        project.name, FORM, list(project.tasks), project.judges, project.idle_s, project.guidelines
    )
    names = _people(desk, project, anonymous)
    roles = {member.account_id: member.role for member in desk.projects.members(project.id)}
    for number, name in names.items():
        yield AccountLine(number, name, roles.get(number, ""))
    topics = desk.projects.topics(project.id)
    for topic in topics:
        yield TopicLine(topic.number, topic.event)
    for assignment in desk.projects.assignments(project.id):
        yield AssignmentLine(assignment.topic, assignment.task, assignment.account_id)
    for number, kind in sorted(desk.projects.count_items(project.id)):
        for item in desk.projects.items(project.id, number, kind):
            yield ItemLine(number, kind, item.id, item.time, item.content)
    for claim in desk.transfer.claims(project.id):
        yield ClaimLine(claim.topic, claim.task, claim.item_id, claim.account_id, claim.time)
    for entry in desk.log.entries(project.id):
        yield line_of_entry(entry, "" if entry.account_id is None else names[entry.account_id])


def _people(desk: Desk, project: Project, anonymous: bool) -> dict[int, str]:
    # Whoever is a member, judged something, has an item or something to do.
    numbers = {member.account_id for member in desk.projects.members(project.id)}
    numbers |= {assignment.account_id for assignment in desk.projects.assignments(project.id)}
    numbers |= {claim.account_id for claim in desk.transfer.claims(project.id)}
    numbers |= desk.transfer.judges(project.id)
    if anonymous:
        return {number: f"judge {place}" for place, number in enumerate(sorted(numbers), 1)}
    return {number: desk.accounts.get(number).name for number in sorted(numbers)}


MANIFEST = "export.json"
_MOST_BYTES = 1 << 16  # of the list of what an export wrote; a larger file is no such list
_WORDS = "tidings assess export wrote these files; the next one into this folder replaces or removes them"
_POOLS = ("updates_sampled.tsv", "updates_sampled.extended.tsv")


class _Manifest(Struct, forbid_unknown_fields=True):
    about: str
    files: list[str]


def former_files(folder: Path, names: Iterable[str], *, overwrite: bool = False) -> frozenset[str]:
    """The files of a folder that a former export wrote.

    Args:
        folder: where to look.
        names: of what an export may write; others are nobody's to replace, whatever the list says.
        overwrite: take each file of such a name, compressed or not, for a former export's.
    """
    possible = {name + ending for name in names for ending in COMPRESSED}
    if overwrite:
        there = (name for name in {*possible, MANIFEST} if _is_there(folder / name))
        return frozenset(name for name in there if not (folder / name).is_dir())
    path = folder / MANIFEST
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return frozenset()
        listed = msgspec.json.decode(path.read_bytes(), type=_Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return frozenset()
    return frozenset({MANIFEST} | (possible & set(listed.files)))


def put_in_place(made: Path, folder: Path, names: Collection[str], former: Collection[str]) -> None:
    """Move files to where they belong; what a former export wrote and this one did not is removed.

    Ended in the middle it leaves whole files, all of them in the list, which the next export puts right.

    Args:
        made: where the files are.
        folder: where they belong.
        names: of the files.
        former: names of files that may be replaced.

    Raises:
        UsageError: a file of that name, or of that table otherwise compressed, is there and may not be replaced;
            nothing was changed then.
        OutputError: a file could not be moved.
    """
    for name in sorted({*names, MANIFEST}):
        for other in _alternatives(name):
            if (folder / other).is_dir() or (other not in former and _is_there(folder / other)):
                beside = "" if other == name else f" beside {name}"
                raise UsageError(
                    f"{folder / other}: no export wrote this file{beside}; "
                    "choose another folder, or replace what is there with --overwrite"
                )
    _write(folder, {*names, *former} - {MANIFEST})
    move_files(made, folder, names, {*former} - {MANIFEST})
    _write(folder, names)


def _write(folder: Path, names: Iterable[str]) -> None:
    write_json(folder / MANIFEST, _Manifest(_WORDS, sorted(names)), indent=1)


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _alternatives(name: str) -> set[str]:
    # Files of which readers take one: whose judgments come out would be chance.
    if name == MANIFEST:
        return {name}
    bare = next(name.removesuffix(ending) for ending in reversed(COMPRESSED) if name.endswith(ending))
    return {table + ending for table in (_POOLS if bare in _POOLS else (bare,)) for ending in COMPRESSED}


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
        UsageError: an id that a table cannot hold; no export wrote this file where one would be written.
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
    return Exported(judgments, paths, _count_unjudged(desk, project), said)


def _columns(row: PooledUpdate) -> tuple[str, str, int, str, str, int]:
    return row.event_id, row.doc_id, row.sentence_index, row.text, row.duplicate_of, row.listed_length


def _count_unjudged(desk: Desk, project: Project) -> int:
    judged = {
        (judged.topic, judged.id)
        for kind in JUDGING_UPDATES
        for judged in desk.log.objects(project.id, kind=kind)
    }
    items = {
        (number, item.id)
        for number, kind in desk.projects.count_items(project.id)
        if kind == "update"
        for item in desk.projects.items(project.id, number, "update")
    }
    return len(items - judged)
