"""Readers' marks of updates as judgments, so that training can read them.

An event's judged updates are those that were emitted up to the last one that a reader marked: so far someone has read.
What was not marked is taken for news, and is a nugget of its own that it tells. What is *not about* the event matches
none; what one *wanted* is news like any other. What a reader *knew* says again the nugget of the update before it that
is most like it: by the share of stems that two texts have in common,

    |a ∩ b| / |a ∪ b|

and nothing where they share none, or nothing was emitted before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tidings.core import (
    Event,
    EventLogEntry,
    Judgments,
    Match,
    Nugget,
    PooledUpdate,
    ReaderMark,
    Update,
    shared_analyzer,
)


def marks_in_effect(entries: Iterable[EventLogEntry]) -> dict[str, dict[str, ReaderMark]]:
    """The marks of a log, by event and update: the last one of each update, and none that was withdrawn.

    `not-about` judges an update as no news of the event, `known` as news that was emitted before.

    >>> from tidings.core.records.standing import EventLogEntry, ReaderMark
    >>> said = [ReaderMark(update_id="d1-0", text="It rains.", mark=mark) for mark in ("known", "not-about")]
    >>> of = {"kind": "marked", "event_id": "storm", "who": "ada", "recorded_ms": 0}
    >>> log = [EventLogEntry(seq=number, mark=mark, **of) for number, mark in enumerate(said)]
    >>> marks_in_effect(log)["storm"]["d1-0"].mark
    'not-about'
    """
    marks: dict[str, dict[str, ReaderMark]] = {}
    for entry in entries:
        if entry.mark is None:
            continue
        own = marks.setdefault(entry.event_id, {})
        own.pop(entry.mark.update_id, None)
        if not entry.mark.withdrawn:
            own[entry.mark.update_id] = entry.mark
    return {event_id: own for event_id, own in marks.items() if own}


def judgments_of_marks(
    events: Iterable[Event],
    updates: Iterable[Update],
    marks: Mapping[str, Mapping[str, ReaderMark]],
    *,
    name: str = "marks",
) -> Judgments:
    """The judgments that readers' marks are.

    Args:
        events: those that were followed.
        updates: what was emitted for them, in its order.
        marks: what readers say of updates, by event and update.
        name: of the judgments.

    Returns:
        the events of which a marked update was emitted, with their pool, nuggets and matches.

    >>> storm = Event(id="storm", title="Storm", query="storm")
    >>> emitted = [Update("storm", f"d{n}", 0, 60 * n, 1.0, text) for n, text in enumerate(("It rains.", "Buy tea."))]
    >>> mark = ReaderMark(update_id="d1-0", text="Buy tea.", mark="not-about")
    >>> judged = judgments_of_marks([storm], emitted, {"storm": {"d1-0": mark}})
    >>> [update.text for update in judged.pool], [nugget.text for nugget in judged.nuggets]
    (['It rains.', 'Buy tea.'], ['It rains.'])
    """
    by_event: dict[str, dict[str, Update]] = {}
    for update in updates:
        by_event.setdefault(update.event_id, {}).setdefault(update.id, update)
    judged_events: list[Event] = []
    pool: list[PooledUpdate] = []
    nuggets: list[Nugget] = []
    matches: list[Match] = []
    for event in events:
        own = marks.get(event.id, {})
        read = _read_so_far(list(by_event.get(event.id, {}).values()), own)
        if read:
            judged_events.append(event)
            pool += map(_pool, read)
            _judge(read, own, event.languages, nuggets, matches)
    return Judgments(
        name=name,
        events=tuple(judged_events),
        pool=tuple(pool),
        nuggets=tuple(nuggets),
        matches=tuple(matches),
    )


def _read_so_far(updates: list[Update], marks: Mapping[str, ReaderMark]) -> list[Update]:
    last = max((place for place, update in enumerate(updates) if update.id in marks), default=-1)
    return updates[: last + 1]


def _judge(
    updates: list[Update],
    marks: Mapping[str, ReaderMark],
    languages: tuple[str, ...],
    nuggets: list[Nugget],
    matches: list[Match],
) -> None:
    stems_of = shared_analyzer(languages[0] if languages else "english").stems
    news: list[tuple[frozenset[str], Nugget]] = []
    for update in updates:
        stems, mark = frozenset(stems_of(update.text)), marks.get(update.id)
        if mark is None or mark.mark == "wanted":
            nugget = Nugget(update.event_id, update.id, update.time, 1, update.text)
            news.append((stems, nugget))
            nuggets.append(nugget)
        elif mark.mark == "known":
            share, nugget = max(
                ((_share(stems, other), one) for other, one in news),
                key=lambda pair: pair[0],
                default=(0.0, Nugget("", "", 0, 0, "")),
            )
            if not share:
                continue
        else:
            continue
        matches.append(Match(update.event_id, update.id, nugget.id, 0, len(update.text)))


def _share(stems: frozenset[str], others: frozenset[str]) -> float:
    return len(stems & others) / (len(stems | others) or 1)


def _pool(update: Update) -> PooledUpdate:
    return PooledUpdate(
        update.event_id,
        update.doc_id,
        update.sentence_index,
        update.text,
        published_time=update.published_time or update.time,
        source=update.source,
    )
