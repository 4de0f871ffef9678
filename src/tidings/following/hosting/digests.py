"""From streams, or runs that were followed, to the story so far: what the command line and the library both call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import Struct

from tidings.core import (
    Document,
    Event,
    Problems,
    ReadingOptions,
    Run,
    Sentence,
    UsageError,
    bare_event_id,
)
from tidings.following.hosting.sources import Repeats


class StoryInput(Struct):
    """What a digest is made of: documents, the event, and whether the documents were chosen for the event already.

    `repeats` counts, while the documents are read, those that share an id but not their words.
    """

    documents: Iterable[Document]
    event: Event
    chosen: bool = False
    repeats: Repeats = msgspec.field(default_factory=Repeats)


def open_story(
    streams: Sequence[str],
    events: Sequence[Event],
    *,
    names: Sequence[str] = (),
    run_name: str | None = None,
    pool: str = "sampled",
    problems: Problems | None = None,
    start: int | None = None,
    end: int | None = None,
    reading: ReadingOptions | None = None,
) -> StoryInput:
    """The documents and the event that streams and events name.

    Args:
        streams: all of them documents (as `tidings follow` takes them), or all of them runs: stores or updates.
        events: made from a query; at most one.
        names: what `--event` says: an id of the streams' events, or an event file.
        run_name: which run of a store.
        pool: which pool of a TREC folder.
        problems: where bad lines are counted; None refuses them.
        start, end: the first and last moment of the digest, instead of the event's own.
        reading: how other people's files are understood.

    Raises:
        UsageError: documents and runs together; no event, several, or an unknown one.
        FormatError, StoreError: what cannot be read.
    """
    from tidings.following.hosting.sources import check_streams, read_any

    runs = [stream for stream in streams if _is_run(stream)]
    if runs and len(runs) < len(streams):
        other = next(stream for stream in streams if stream not in runs)
        raise UsageError(f"the run {runs[0]} beside the documents {other} (expected one kind of them)")
    if runs:
        story = _of_runs(runs, events, names, run_name, problems)
        return msgspec.structs.replace(story, event=_within(story.event, start, end))
    if run_name is not None:
        raise UsageError(f"--run {run_name!r}, but no store among the streams that could hold it")
    check_streams(streams)
    from tidings.following.hosting.sources import choose_events

    chosen = [*events, *choose_events(names, streams)] if names or not events else list(events)
    repeats = Repeats()
    documents = chain.from_iterable(
        repeats.noting(stream, read_any(stream, pool, problems, reading)) for stream in streams
    )
    return StoryInput(documents, _within(_only(chosen), start, end), repeats=repeats)


def _within(event: Event, start: int | None, end: int | None) -> Event:
    start = event.start_time if start is None else start
    end = event.end_time if end is None else end
    if start is not None and end is not None and start > end:
        raise UsageError(f"--start {start} after --end {end} (expected it before)")
    return msgspec.structs.replace(event, start_time=start, end_time=end)


def files_of_streams(streams: Sequence[str]) -> list[str | Path]:
    """The files and folders behind some streams, that no output may replace: of a store's URL its file.

    >>> [str(path) for path in files_of_streams(["news.jsonl", "sqlite:///b.db", "postgresql://host/c"])]
    ['news.jsonl', 'b.db']
    """
    from tidings.core import file_of, parse_store

    files = [file_of(parse_store(stream)) if "://" in stream else stream for stream in streams]
    return [file for file in files if file is not None]


def _only(events: Sequence[Event]) -> Event:
    if len(events) == 1:
        return events[0]
    ids = ", ".join(event.id for event in events[:20])
    raise UsageError(
        f"{len(events)} events ({ids}) (expected one): a digest covers one; name it with --event"
    )


def _is_run(stream: str) -> bool:
    from tidings.core import is_folder, is_jsonl, is_regular, is_store, read_lines

    if stream == "-" or is_folder(stream):
        return False
    if is_store(stream):
        return True
    if not is_jsonl(stream) or not Path(stream).exists() or not is_regular(stream):
        return False
    first = next((line for _, line in read_lines(stream) if line.strip()), b"")
    try:
        keys = msgspec.json.decode(first, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return ("published_time" not in keys and ("kind" in keys or "doc" in keys)) or {"doc", "event"} <= set(
        keys
    )


def _of_runs(
    streams: Sequence[str],
    events: Sequence[Event],
    names: Sequence[str],
    run_name: str | None,
    problems: Problems | None,
) -> StoryInput:
    from tidings.core import is_store
    from tidings.following.hosting.sources import choose_events

    runs: list[Run] = []
    for stream in streams:
        if is_store(stream):
            from tidings.core import read_stored_runs  # which loads the database

            runs += read_stored_runs(stream, run_name)
        else:
            from tidings.following.outputs.outputs import read_updates

            runs += [run for run in read_updates(stream, problems=problems) if run_name in (None, run.name)]
    where = ", ".join(streams)
    if not runs:
        wanted_run = f"no run {run_name!r}" if run_name else "no run"
        raise UsageError(f"{where}: {wanted_run} (expected one that is there); `--run` names it")
    if not any(update.text for run in runs for update in run.updates):
        raise UsageError(
            f"{where}: a run without updates that have text (expected documents, or updates as `tidings follow` "
            "writes them into .jsonl)"
        )
    followed = {event.id: event for run in runs if run.card is not None for event in run.card.events}
    for run in runs:
        for update in run.updates:
            if update.event_id not in followed:
                followed[update.event_id] = Event(id=update.event_id, title=update.event_id, query="")
    if events:
        return StoryInput(chain.from_iterable(documents_of_run(run) for run in runs), _only(events))
    files = [name for name in names if Path(name).exists()]
    wanted = choose_events(files, ()) if files else []
    for name in names:
        if name not in files:
            wanted += [
                event for event in followed.values() if name in (event.id, bare_event_id(event.id), "all")
            ]
            if not wanted:
                raise UsageError(f"event {name!r} (expected one of the run: {', '.join(followed) or 'none'})")
    event = _only(wanted if names else list(followed.values()))
    documents = chain.from_iterable(documents_of_run(run, event.id) for run in runs)
    return StoryInput(documents, event, chosen=True)


def documents_of_run(run: Run, event_id: str | None = None) -> Iterator[Document]:
    """The documents that a run tells sentences of, each with those sentences only; updates need text.

    >>> from tidings.core.records import Update
    >>> run = Run("", "r", (Update("e", "a", 3, 9, text="It burns.", published_time=7),))
    >>> [(document.id, document.published_time, document.sentences[0].index) for document in documents_of_run(run)]
    [('a', 7, 3)]
    """
    sentences: dict[str, dict[int, Sentence]] = {}
    for update in run.updates:
        if update.text and event_id in (None, update.event_id):
            sentences.setdefault(update.doc_id, {})[update.sentence_index] = Sentence(
                update.doc_id,
                update.sentence_index,
                update.text,
                update.published_time or update.time,
                update.source,
                title=update.title,
                url=update.url,
            )
    for doc_id, by_index in sentences.items():
        ordered = tuple(by_index[index] for index in sorted(by_index))
        first = ordered[0]
        yield Document(
            id=doc_id,
            published_time=first.published_time,
            source=first.source,
            title=first.title,
            url=first.url,
            sentences=ordered,
        )
