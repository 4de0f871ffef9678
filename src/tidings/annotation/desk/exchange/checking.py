"""What each line of a project's history must be for its pages to show it: checked before anything of it is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tidings.annotation.desk.exchange.importing import RUNS_TOPIC
from tidings.annotation.desk.exchange.origins import ORIGIN, FilesOrigin, TopicOrigin
from tidings.annotation.desk.operations.entities import CLAIMED
from tidings.annotation.tasks import TASKS, VALUES, Id, Time
from tidings.core import (
    FINAL,
    LATEST_TIME,
    SHARED,
    BadRecordError,
    PooledUpdate,
    RunCard,
    bare_event_id,
    layer_account,
    mismatch_of,
    missing_of,
)
from tidings.evaluation import (
    AccountLine,
    AssignmentLine,
    ClaimLine,
    DeskLine,
    EntryLine,
    ItemLine,
    ProjectLine,
    TopicLine,
)

Date = Annotated[str, Meta(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$")]


class SentenceContent(PooledUpdate, frozen=True):
    """A sentence, with the title of its document."""

    title: str = ""


class RevisionContent(Struct):
    """A revision of a page."""

    text: str
    title: str
    author: str
    comment: str


class DayEntityContent(Struct):
    """An entity of a day."""

    date: Date
    entity: Id
    type: str
    aliases: list[str]
    sentence: str
    sentence_id: str
    before: str
    before_id: str


class RunColumns(Struct, forbid_unknown_fields=True):
    """The updates of a run, by column."""

    event_id: list[str]
    doc_id: list[str]
    sentence_index: list[Annotated[int, Meta(ge=0, le=2**53)]]
    time: list[Time]
    confidence: list[float]
    text: list[str] | None = None
    published_time: list[Time] | None = None
    source: list[str] | None = None
    title: list[str] | None = None
    url: list[str] | None = None


class RunContent(Struct):
    """A run."""

    team: str
    name: str
    card: RunCard | None
    updates: RunColumns


CONTENTS: dict[str, type] = {
    "update": SentenceContent,
    "sentence": SentenceContent,
    "revision": RevisionContent,
    "day-entity": DayEntityContent,
    "run": RunContent,
}


_TASKS = {task.id for task in TASKS}
_NAME_CHARS, _ID_CHARS = 64, 2000
_MEND = "export the project again, or correct the line"


def line_check() -> Callable[[DeskLine], None]:
    """What looks at each line of a file in its order; it raises BadRecordError for one that cannot be taken over."""
    return _Check().see


class _Check:
    def __init__(self) -> None:
        self.names: set[str] = set()
        self.numbers: set[int] = set()
        self.events: set[str] = set()
        self.items: set[tuple[int, str, str]] = set()

    def see(self, line: DeskLine) -> None:
        if isinstance(line, ProjectLine):
            _check_project(line)
        elif isinstance(line, AccountLine):
            self._see_account(line)
        elif isinstance(line, TopicLine):
            self._see_topic(line)
        elif isinstance(line, ItemLine):
            self._see_item(line)
        elif isinstance(line, AssignmentLine | ClaimLine):
            known = CLAIMED if isinstance(line, ClaimLine) else _TASKS
            _need(line.task in known, f"the task {line.task[:60]!r}", f"one of {', '.join(sorted(known))}")
        else:
            _check_entry(line)

    def _see_account(self, line: AccountLine) -> None:
        name = line.name.strip()
        fits = 0 < len(name) <= _NAME_CHARS and name.isprintable()
        _need(fits, f"the account name {name[:80]!r}", f"1 to {_NAME_CHARS} printable characters")
        _need(name not in self.names, f"the account {name} a second time", "each account once")
        _need(line.number not in self.numbers, f"account {line.number} a second time", "each number once")
        self.names.add(name)
        self.numbers.add(line.number)

    def _see_topic(self, line: TopicLine) -> None:
        event, bare = line.event, bare_event_id(line.event.id)
        _need(0 < len(event.id) <= _ID_CHARS, "an event without an id, or with a very long one", "its id")
        _need(bare not in self.events, f"the event {event.id} a second time", "each event once")
        self.events.add(bare)
        for time in (event.start_time, event.end_time):
            _need(time is None or 0 <= time <= LATEST_TIME, f"the time {time}", "seconds since 1970, or none")

    def _see_item(self, line: ItemLine) -> None:
        place = (line.topic, line.kind, line.id)
        _need(place not in self.items, f"the {line.kind} {line.id} a second time", "each item once")
        self.items.add(place)
        shape = CONTENTS.get(line.kind)
        if line.kind == ORIGIN:
            shape = TopicOrigin if line.topic else FilesOrigin
        if (line.topic == RUNS_TOPIC) != (line.kind == "run") and line.kind != ORIGIN:
            raise BadRecordError(f"topic {line.topic} of a {line.kind}", "0 for runs, and for nothing else")
        if shape is None:
            raise BadRecordError(
                f"an item of kind {line.kind[:60]!r}", f"one of {', '.join((*CONTENTS, ORIGIN))}"
            )
        content = _convert(line.content, shape, f"content of the {line.kind}")
        if isinstance(content, RunContent):
            columns = [column for column in msgspec.structs.astuple(content.updates) if column is not None]
            if len(set(map(len, columns))) > 1:
                raise BadRecordError(
                    "columns of a run that differ in length", "one value for each update", _MEND
                )
        elif isinstance(content, SentenceContent):
            _need(content.id == line.id, f"a sentence {content.id} as item {line.id}", "the same id twice")
            _need(content.sentence_index >= 0, f"sentence {content.sentence_index}", "a number from 0 on")
            _need(
                0 <= content.published_time <= LATEST_TIME,
                f"the time {content.published_time}",
                "seconds since 1970",
            )


def _check_project(line: ProjectLine) -> None:
    known = bool(line.tasks) and set(line.tasks) <= _TASKS
    _need(
        known, f"the tasks {', '.join(line.tasks)[:100] or '(none)'}", f"some of {', '.join(sorted(_TASKS))}"
    )


def _check_entry(line: EntryLine) -> None:
    known = line.layer in (SHARED, FINAL) or layer_account(line.layer) is not None
    _need(known, f"the layer {line.layer[:60]!r}", "shared, final or judge-N")
    shape = VALUES.get(line.kind)
    if shape is not None:
        for name, value in (("before", line.before), ("after", line.after)):
            if value is not None:
                _convert(value, shape, f"`{name}` of the {line.kind}")


def _convert(value: Any, shape: type, where: str) -> Any:
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise _bad_value(str(error), where) from None


def _bad_value(error: str, where: str) -> BadRecordError:
    if wrong := mismatch_of(error):
        return BadRecordError(
            f"`{wrong.found}` in {where}{_at(wrong.place)}", f"`{wrong.expected}`{wrong.bound}", _MEND
        )
    if missing := missing_of(error):
        return BadRecordError(f"no `{missing[0]}` in {where}{_at(missing[1])}", "one", _MEND)
    return BadRecordError(f"{where}: {error}", "a value as the desk writes it", _MEND)


def _at(place: str) -> str:
    return f" at {place}" if place else ""


def _need(fits: bool, found: str, expected: str) -> None:
    if not fits:
        raise BadRecordError(found, expected, _MEND)
