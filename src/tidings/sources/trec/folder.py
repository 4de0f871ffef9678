"""A folder of one year of TREC Temporal Summarization, read and written: topics, nuggets, matches, pools and so on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tidings.core import (
    Cluster,
    EntityGrade,
    Event,
    FormatError,
    Judgments,
    Match,
    Nugget,
    PooledUpdate,
    Problems,
    UsageError,
    ValueUpdate,
    bare_event_id,
    find,
    gc_paused,
    make_folder,
    need_folder,
    quote_value,
)
from tidings.sources.trec import judgments as tables
from tidings.sources.trec.judgments import read_duplicates, read_matches, read_nuggets, read_pool_table


def write_trec_judgments(
    folder: str | Path, judgments: Judgments, *, compressed: str = "", notes: list[str] | None = None
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
    from tidings.sources.trec.topics import write_topics

    _check_ids(judgments)
    place = make_folder(folder)
    pool = "updates_sampled.extended.tsv" if judgments.pool_headless else "updates_sampled.tsv"
    written = [place / "topics.xml"]
    written += [place / (name + compressed) for name in ("nuggets.tsv", "matches.tsv", pool)]
    write_topics(written[0], judgments.events, judgments.values)
    tables.write_nuggets(written[1], judgments.nuggets, notes=notes)
    tables.write_matches(written[2], judgments.matches, notes=notes)
    tables.write_pool(written[3], judgments.pool, headless=judgments.pool_headless, notes=notes)
    if judgments.duplicates:
        written.append(place / ("duplicates.tsv" + compressed))
        tables.write_duplicates(written[-1], judgments.duplicates)
    if notes is not None:
        notes += [f"{folder}: TREC's tables cannot hold {loss}" for loss in _losses(judgments)]
        if not judgments.byte_spans and (count := _beyond_ascii(judgments)):
            notes.append(
                f"{folder}: {count:,} spans are in texts with letters beyond ASCII; they count characters, as "
                "TREC's do, but the official scorers apply them to bytes"
            )
    return written


def _losses(judgments: Judgments) -> list[str]:
    counted = (
        ("clusters", len(judgments.clusters)),
        ("graded entities", len(judgments.entities)),
        ("sources of updates", sum(bool(update.source) for update in judgments.pool)),
        (
            "published times, other than those in document ids",
            sum(
                bool(update.published_time) and not update.doc_id.startswith(f"{update.published_time}-")
                for update in judgments.pool
            ),
        ),
    )
    return [f"{count:,} {what}" for what, count in counted if count]


def _beyond_ascii(judgments: Judgments) -> int:
    texts = {update.id for update in judgments.pool if not update.text.isascii()}
    return sum(match.update_id in texts for match in judgments.matches)


def _check_ids(judgments: Judgments) -> None:
    groups: tuple[tuple[str, Iterable[str]], ...] = (
        ("event", (event.id for event in judgments.events)),
        ("nugget", (nugget.id for nugget in judgments.nuggets)),
        ("document", (update.doc_id for update in judgments.pool)),
    )
    for what, ids in groups:
        for event_id in ids:
            if event_id.split() != [event_id]:
                raise UsageError(
                    f"the {what} id {quote_value(event_id)} (expected one without blanks): TREC's "
                    "tables need that; rename it"
                )


NAMES = {
    "topics": ("topics.xml", "topics_masked.xml"),
    "nuggets": ("nuggets.tsv",),
    "matches": ("matches.tsv",),
    "sampled": ("updates_sampled.tsv", "pooled_updates.tsv", "updates.tsv"),
    "extended": ("updates_sampled.extended.tsv", "pooled_updates.extended.tsv", "updates.extended.tsv"),
    "duplicates": ("duplicates.tsv",),
}
"""What the parts of a folder may be called; each may be compressed."""


def pool_path(folder: str | Path, pool: str = "sampled") -> Path:
    """The folder's table of pooled updates: the one that assessors judged, or that extended by exact copies.

    Raises:
        UsageError: there is none.
    """
    path = find(folder, *NAMES[pool])
    if path is not None:
        return path
    if pool == "extended" and find(folder, *NAMES["sampled"]):
        raise UsageError(f"{folder}: has no extended pool ({NAMES['extended'][0]}); use the sampled one")
    expected = " or ".join(NAMES[pool])
    raise UsageError(f"{folder}: there is no pool of updates; it is called {expected}, packed or not")


def read_trec_judgments(
    folder: str | Path,
    *,
    pool: str = "sampled",
    problems: Problems | None = None,
    notes: list[str] | None = None,
) -> Judgments:
    """Everything judged in a folder. Events have the ids of the nuggets (`TS14.11`), whatever the topics write.

    Events without nuggets stay (with the prefix of the others); without a topics file the events of the
    nuggets have no title, query or times. Matches of nuggets that are not listed are noted in `notes`: real ones have
    a few.

    Raises:
        UsageError: the folder lacks nuggets, matches or the pool.
        FormatError: bad lines, or matches of which no nugget is listed.
    """
    place = need_folder(folder)
    if pool not in {"sampled", "extended"}:
        raise UsageError(f"there is no pool {pool!r}; it is sampled or extended")
    with gc_paused():
        return _read(place, pool, problems, notes)


def _read(place: Path, pool: str, problems: Problems | None, notes: list[str] | None) -> Judgments:
    nuggets_path, matches_path = _need_file(place, "nuggets"), _need_file(place, "matches")
    nuggets = read_nuggets(nuggets_path, problems=problems, notes=notes)
    updates, headless = read_pool_table(pool_path(place, pool), problems=problems, notes=notes)
    matches = read_matches(matches_path, updates, problems=problems, notes=notes)
    _check_nuggets(matches_path, matches, nuggets, notes)
    events, values = _with_prefix(*_topics(place, problems, notes), _ids(nuggets, updates))
    duplicates = find(place, *NAMES["duplicates"])
    clusters, entities = _own_lines(place, events, updates, problems)
    values += read_values_beside(place, events, problems=problems)
    return Judgments(
        name=place.resolve().name,
        events=events,
        nuggets=tuple(nuggets),
        matches=tuple(matches),
        pool=tuple(updates),
        values=values,
        clusters=clusters,
        entities=entities,
        duplicates=read_duplicates(duplicates, problems=problems, notes=notes) if duplicates else {},
        pool_headless=headless,
        byte_spans=True,
    )


def _own_lines(
    place: Path, events: tuple[Event, ...], updates: list[PooledUpdate], problems: Problems | None
) -> tuple[tuple[Cluster, ...], tuple[EntityGrade, ...]]:
    # What TREC has no table for may stand beside its tables as tidings' own lines.
    paths = [find(place, name) for name in ("clusters.jsonl", "entities.jsonl")]
    if paths == [None, None]:
        return (), ()
    from tidings.core import read_jsonl
    from tidings.sources.own import judgment_lines as lines

    checks = lines.Checks(problems)
    checks.expect([event.id for event in events], lines.Origin())
    checks.lengths.update((update.id, len(update.text)) for update in updates)

    def read(path: Path | None, shape: type, build: Any, what: str) -> tuple[Any, ...]:
        return () if path is None else tuple(read_jsonl(path, shape, build, problems=problems, what=what))

    return (
        read(paths[0], lines.ClusterLine, checks.cluster, "a cluster: event, id, label, updates"),
        read(paths[1], lines.EntityLine, checks.entity, "an entity: event, date, entity, type, grade"),
    )


def read_values_beside(
    folder: Path, events: Iterable[Event], *, problems: Problems | None = None
) -> tuple[ValueUpdate, ...]:
    """The target values of `values.jsonl` beside a topics file; none where there is no such file.

    Raises:
        FormatError: bad lines, all together; also a value of an event that the topics do not list.
    """
    path = find(folder, "values.jsonl")
    if path is None:
        return ()
    from tidings.core import read_jsonl
    from tidings.sources.own import judgment_lines as lines

    checks = lines.Checks(problems)
    checks.expect([event.id for event in events], lines.Origin())
    what = "a value: event, time, attribute, value"
    return tuple(read_jsonl(path, lines.ValueLine, checks.value, problems=problems, what=what))


def read_folder_events(
    folder: str | Path, *, problems: Problems | None = None, notes: list[str] | None = None
) -> list[Event]:
    """The folder's events, with the ids that its nuggets have.

    Raises:
        UsageError: there is no topics file.
    """
    place = need_folder(folder)
    if find(place, *NAMES["topics"]) is None:
        raise UsageError(f"{folder}: there is no {NAMES['topics'][0]} or event.json in the folder")
    topics, values = _topics(place, problems, notes)
    nuggets = find(place, *NAMES["nuggets"])
    ids = _ids(read_nuggets(nuggets), []) if nuggets else {}
    return list(_with_prefix(topics, values, ids)[0])


def _need_file(folder: Path, part: str) -> Path:
    path = find(folder, *NAMES[part])
    if path is None:
        expected = f"{NAMES[part][0]} (TREC) or event.json, nuggets.jsonl and documents.jsonl (tidings)"
        raise UsageError(f"{folder}: no {part} (expected {expected} in the folder)")
    return path


def _check_nuggets(path: Path, matches: list[Match], nuggets: list[Nugget], notes: list[str] | None) -> None:
    nugget_ids = {nugget.id for nugget in nuggets}
    unknown = {match.nugget_id for match in matches} - nugget_ids
    if not unknown:
        return
    if not any(match.nugget_id in nugget_ids for match in matches):
        fault = f"nugget {min(unknown)!r} and no match of any nugget that is listed"
        raise FormatError.of(str(path), 0, fault, "matches of nuggets.tsv", "take both files from one year")
    if notes is not None:
        count = sum(match.nugget_id in unknown for match in matches)
        notes.append(
            f"{path}: {count} matches are of nuggets that are not listed ({', '.join(sorted(unknown)[:5])})"
        )


def _topics(
    folder: Path, problems: Problems | None, notes: list[str] | None
) -> tuple[list[Event], list[ValueUpdate]]:
    path = find(folder, *NAMES["topics"])
    if path is None:
        return [], []
    from tidings.sources.trec.topics import read_topics_and_values

    return read_topics_and_values(path, problems=problems, notes=notes)


def _ids(nuggets: list[Nugget], updates: list[PooledUpdate]) -> dict[str, str]:
    # The judgments' ids by their bare form, in order of appearance.
    event_ids = dict.fromkeys(nugget.event_id for nugget in nuggets)
    event_ids.update(dict.fromkeys(update.event_id for update in updates))
    return {bare_event_id(event_id): event_id for event_id in event_ids}


def _with_prefix(
    topics: list[Event], values: list[ValueUpdate], ids: dict[str, str]
) -> tuple[tuple[Event, ...], tuple[ValueUpdate, ...]]:
    from msgspec.structs import replace

    prefixes = {event_id.removesuffix(bare) for bare, event_id in ids.items()}
    prefix = prefixes.pop() if len(prefixes) == 1 else ""

    def judged(event_id: str) -> str:
        bare = bare_event_id(event_id)
        return ids.get(bare) or (event_id if bare != event_id else prefix + event_id)

    events = [replace(event, id=judged(event.id)) for event in topics]
    if not topics:
        events = [Event(id=i, title="", query="") for i in ids.values()]
    return tuple(events), tuple(replace(value, event_id=judged(value.event_id)) for value in values)
