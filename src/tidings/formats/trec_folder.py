"""A folder of TREC Temporal Summarization judgments: topics, nuggets, matches, the pool, duplicates.

    topics.xml  nuggets.tsv  matches.tsv  updates_sampled.tsv (or pooled_updates.tsv, updates.tsv)
    updates_sampled.extended.tsv  duplicates.tsv

each compressed or not. Topics and duplicates may be missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from tidings.errors import Problems, UsageError
from tidings.formats.layout import find, need_folder
from tidings.formats.tables import shown
from tidings.records import Event, Judgments, Nugget, ValueUpdate, bare_event_id

__all__ = ["TrecFolder", "find_trec_folder", "read_judgments", "write_judgments"]

SAMPLED = ("updates_sampled.tsv", "pooled_updates.tsv", "updates.tsv")
EXTENDED = ("updates_sampled.extended.tsv", "pooled_updates.extended.tsv", "updates.extended.tsv")


@dataclass(frozen=True)
class TrecFolder:
    """Which files of a folder hold what; None for what is missing."""

    folder: Path
    topics: Path | None
    nuggets: Path | None
    matches: Path | None
    sampled: Path | None
    extended: Path | None
    duplicates: Path | None

    def pool(self, kind: str) -> Path:
        """The file of the pool asked for; raises UsageError when there is none."""
        found = self.extended if kind == "extended" else self.sampled
        if found is None:
            names = EXTENDED if kind == "extended" else SAMPLED
            raise UsageError(
                f"{self.folder}: found no {kind} pool, expected {' or '.join(names)} (.gz, .xz, .zst)"
            )
        return found


def find_trec_folder(folder: str | Path) -> TrecFolder:
    """What a folder holds, by the names of its files; a folder that is not there is a UsageError."""
    path = need_folder(folder)
    topics = find(path, "topics.xml") or next(
        (one for one in sorted(path.glob("*topics*.xml*")) if one.is_file()), None
    )
    return TrecFolder(
        folder=path,
        topics=topics,
        nuggets=find(path, "nuggets.tsv"),
        matches=find(path, "matches.tsv"),
        sampled=find(path, *SAMPLED),
        extended=find(path, *EXTENDED),
        duplicates=find(path, "duplicates.tsv"),
    )


def read_judgments(
    folder: str | Path,
    *,
    pool: Literal["sampled", "extended"] = "sampled",
    problems: Problems | None = None,
    notes: list[str] | None = None,
) -> Judgments:
    """Everything judged in a folder of TREC's. Its events have the ids of the nuggets (`TS14.11`).

    Raises:
        UsageError: a table is missing.
        FormatError: bad lines, those of one file together.
    """
    from tidings.formats.trec_judgments import read_duplicates, read_matches, read_nuggets, read_pool_table

    found = find_trec_folder(folder)
    missing = [
        name
        for name, path in (("nuggets.tsv", found.nuggets), ("matches.tsv", found.matches))
        if path is None
    ]
    if found.nuggets is None or found.matches is None:
        raise UsageError(
            f"{folder}: found no {' and no '.join(missing)}, expected a folder of judgments: TREC's nuggets.tsv, "
            "matches.tsv and updates_sampled.tsv, or tidings' own with event.json; check the name"
        )
    rows, headless = read_pool_table(found.pool(pool), problems=problems, notes=notes)
    nuggets = read_nuggets(found.nuggets, problems=problems, notes=notes)
    events, values = _events(found, nuggets, problems, notes)
    return Judgments(
        name=found.folder.name or str(found.folder),
        events=tuple(events),
        nuggets=tuple(nuggets),
        matches=tuple(read_matches(found.matches, rows, problems=problems, notes=notes)),
        pool=tuple(rows),
        values=tuple(values),
        duplicates=read_duplicates(found.duplicates, problems=problems, notes=notes)
        if found.duplicates
        else {},
        pool_headless=headless,
    )


def read_folder_events(folder: str | Path, *, problems: Problems | None = None) -> list[Event]:
    """The events of a folder of TREC's, with the ids of its nuggets where it has them; empty without topics."""
    from tidings.formats.trec_judgments import read_nuggets

    found = find_trec_folder(folder)
    nuggets = read_nuggets(found.nuggets, problems=problems) if found.nuggets is not None else []
    return _events(found, nuggets, problems, None)[0]


def _events(
    found: TrecFolder, nuggets: Iterable[Nugget], problems: Problems | None, notes: list[str] | None
) -> tuple[list[Event], list[ValueUpdate]]:
    from tidings.formats.trec_topics import read_topics_and_values

    if found.topics is None:
        return [], []
    events, values = read_topics_and_values(found.topics, problems=problems, notes=notes)
    ids = {
        bare_event_id(event_id): event_id for event_id in dict.fromkeys(nugget.event_id for nugget in nuggets)
    }
    prefixes = {full[: len(full) - len(bare)] for bare, full in ids.items()}
    # A topic without nuggets is called as the others are, when they agree.
    prefix = prefixes.pop() if len(prefixes) == 1 else ""

    def full(event_id: str) -> str:
        bare = bare_event_id(event_id)
        return ids.get(event_id) or ids.get(bare) or (event_id if bare != event_id else prefix + event_id)

    return (
        [msgspec.structs.replace(event, id=full(event.id)) for event in events],
        [msgspec.structs.replace(value, event_id=full(value.event_id)) for value in values],
    )


def write_judgments(
    folder: str | Path,
    judgments: Judgments,
    *,
    compressed: str = "",
    notes: list[str] | None = None,
) -> list[Path]:
    """Write a folder of TREC's from judgments; returns the files written.

    What TREC's tables cannot hold (clusters, entities, sources, published times other than the document id's)
    is left out, and said in `notes`. Existing files of those names are replaced one by one, each as a whole.

    Args:
        folder: made when it is not there.
        judgments: what to write.
        compressed: ".gz", ".xz" or ".zst" for the tables; empty for none.
        notes: takes a line for each thing that is lost.

    Raises:
        UsageError: an id that a table cannot hold.
        OutputError: a file could not be written.
    """
    from tidings.formats import trec_judgments as tables
    from tidings.formats.trec_topics import write_topics
    from tidings.formats.writing import make_folder

    _check_ids(judgments)
    target = make_folder(folder)
    losses = _losses(judgments)
    pool_name = "updates_sampled.extended.tsv" if judgments.pool_headless else "updates_sampled.tsv"
    written = [target / "topics.xml"]
    written += [target / (name + compressed) for name in ("nuggets.tsv", "matches.tsv", pool_name)]
    write_topics(written[0], judgments.events, judgments.values)
    tables.write_nuggets(written[1], judgments.nuggets, notes=notes)
    tables.write_matches(written[2], judgments.matches, notes=notes)
    tables.write_pool(written[3], judgments.pool, headless=judgments.pool_headless, notes=notes)
    if judgments.duplicates:
        written.append(target / ("duplicates.tsv" + compressed))
        tables.write_duplicates(written[-1], judgments.duplicates)
    if notes is not None:
        notes += [f"{folder}: TREC's tables cannot hold {loss}" for loss in losses]
    return written


def _losses(judgments: Judgments) -> list[str]:
    losses = []
    for what, items in (("clusters", judgments.clusters), ("graded entities", judgments.entities)):
        if items:
            losses.append(f"{what} ({len(items)})")
    sources = sum(bool(update.source) for update in judgments.pool)
    if sources:
        losses.append(f"the sources of updates ({sources})")
    times = sum(
        bool(update.published_time) and not update.doc_id.startswith(f"{update.published_time}-")
        for update in judgments.pool
    )
    if times:
        losses.append(f"published times other than those in document ids ({times})")
    return losses


def _check_ids(judgments: Judgments) -> None:
    groups: Sequence[tuple[str, Iterable[str]]] = (
        ("event", (event.id for event in judgments.events)),
        ("nugget", (nugget.id for nugget in judgments.nuggets)),
        ("document", (update.doc_id for update in judgments.pool)),
    )
    for what, ids in groups:
        for one in ids:
            if one.split() != [one]:
                raise UsageError(
                    f"found the {what} id {shown(one)}, expected one without blanks: TREC's tables need that; rename it"
                )
