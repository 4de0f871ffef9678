"""Which run, which event, and the words of updates whose run holds none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tidings.core import (
    Document,
    EntityRanking,
    Event,
    Judgments,
    Output,
    Run,
    Sentence,
    Support,
    Update,
    UsageError,
    ValueUpdate,
    bare_event_id,
)
from tidings.following.report.timeline import Origin

_LISTED = 30  # names in a message
_Given = TypeVar("_Given", ValueUpdate, Support, EntityRanking)


@dataclass(frozen=True, slots=True)
class Said:
    """What a sentence says, and where it stands."""

    text: str
    origin: Origin = Origin()  # noqa: RUF009 immutable


def choose_run(runs: Sequence[Run], name: str | None, path: str) -> Run:
    """The run called `name` (`team name` or the name alone), or the only one there is.

    Raises:
        UsageError: none of that name, or several and no name given.

    >>> choose_run([Run("a", "x", ()), Run("a", "y", ())], "y", "runs.tsv").name
    'y'
    """
    names = [f"{run.team} {run.name}".strip() for run in runs]
    if name is None:
        if len(runs) == 1:
            return runs[0]
        if not runs:
            return Run("", "", ())
        raise UsageError(f"{path}: {len(runs)} runs (expected one); choose with --run: {', '.join(names)}")
    for run, full in zip(runs, names, strict=True):
        if name in (full, run.name):
            return run
    raise UsageError(f"{path}: no run {name!r} (expected one of: {', '.join(names) or 'none, it is empty'})")


def choose_event(run: Run, known_events: Sequence[Event], name: str | None, path: str) -> Event:
    """The event to show: the one named, or the only one that the run tells of.

    `known_events` are the events of judgments and streams, which say more than the run's card; an event that is in none
    of these takes its period from the run.
    Ids are compared without the track's prefix, so `11` is `TS14.11`.

    Raises:
        UsageError: an unknown name, or several events and no name given.
    """
    outputs: list[Output] = list(run.updates) or [*run.rankings, *run.values]
    written_ids = {bare_event_id(output.event_id): output.event_id for output in outputs}
    of_card = run.card.events if run.card is not None else ()
    events = {bare_event_id(event.id): event for event in (*of_card, *known_events)}
    if name is None:
        candidates = list(written_ids) or list(events)
        if len(candidates) != 1:
            listed = [events[one].id if one in events else written_ids[one] for one in candidates]
            number_there = f"{len(listed)} events" if listed else "no updates and no event"
            shown = ", ".join(listed[:_LISTED]) + (", …" if len(listed) > _LISTED else "")
            mend = f"; choose with --event: {shown}" if listed else ""
            raise UsageError(f"{path}: {number_there} (expected one{mend})")
        name = candidates[0]
    bare = bare_event_id(name)
    if bare in events:
        return events[bare]
    if bare in written_ids:
        event_id = written_ids[bare]
        times = [output.time for output in outputs if output.event_id == event_id]
        return Event(id=event_id, title=event_id, query="", start_time=min(times), end_time=max(times))
    ids = list(
        dict.fromkeys(
            [*written_ids.values(), *(event.id for one, event in events.items() if one not in written_ids)]
        )
    )
    expected = ", ".join(ids[:_LISTED]) + (", …" if len(ids) > _LISTED else "") if ids else "none"
    raise UsageError(f"{path}: no event {name!r} (expected one of: {expected})")


def event_updates(run: Run, event: Event) -> list[Update]:
    """The run's updates of one event, in the order of the run."""
    bare = bare_event_id(event.id)
    return [update for update in run.updates if bare_event_id(update.event_id) == bare]


def of_event(outputs: Iterable[_Given], event: Event) -> list[_Given]:
    """Those of the event, whichever way its id is written.

    >>> of_event([ValueUpdate("TS14.11", 5, "deaths", (2.0,))], Event(id="11", title="", query=""))[0].value
    (2.0,)
    """
    bare = bare_event_id(event.id)
    return [output for output in outputs if bare_event_id(output.event_id) == bare]


def known_texts(
    updates: Iterable[Update], judgments: Judgments | None, streams: Iterable[Iterable[Document]] = ()
) -> Mapping[str, Said]:
    """Text and origin by update id for updates that lack some of it, from the pool first and then from the streams.

    Streams are read only while something is missing.
    """
    incomplete = {one.id for one in updates if not (one.text and one.source and one.title and one.url)}
    texts: dict[str, Said] = {}
    for pooled in judgments.pool if judgments is not None else ():
        if pooled.id in incomplete and pooled.id not in texts:
            texts[pooled.id] = Said(pooled.text, Origin(pooled.source))
    documents = {update_id.rpartition("-")[0] for update_id in incomplete}
    for stream in streams:
        if not incomplete:
            break
        for document in stream:
            if document.id not in documents:
                continue
            for sentence in _sentences(document):
                if sentence.id in incomplete:
                    pooled_text = texts[sentence.id].text if sentence.id in texts else ""
                    source = sentence.source or document.source
                    origin = Origin(source, sentence.title or document.title, sentence.url or document.url)
                    texts[sentence.id] = Said(pooled_text or sentence.text, origin)
                    incomplete.discard(sentence.id)
            if not incomplete:
                break
    return texts


def _sentences(document: Document) -> Iterable[Sentence]:
    if document.sentences or not document.text:
        return document.sentences
    from tidings.core import cut

    return cut(document).sentences
