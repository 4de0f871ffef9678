"""`judgments.jsonl`: a project of the assessors' desk with every judgment, by whom, when, and what was before.

One object a line; `record` says what it is: the project first, then people, topics, what each is to do, items, which
went to whom, and last the log's entries by number. The value of an object now is what its last entry says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from tidings.core import (
    LATEST_TIME,
    BadRecordError,
    Event,
    FormatError,
    Int64,
    LogEntry,
    Problem,
    read_jsonl,
    write_jsonl,
)

DESK_LOG_FILE = "judgments.jsonl"
FORM = 1  # the version of the file format

Id = Annotated[str, Meta(min_length=1, max_length=2000)]
Time = Annotated[int, Meta(ge=0, le=LATEST_TIME)]
TimeMs = Annotated[int, Meta(ge=0, le=LATEST_TIME * 1000)]


class ProjectLine(Struct, tag_field="record", tag="project", omit_defaults=True):
    """The first line. `form` is the version of this format."""

    name: str
    form: int
    tasks: list[str]
    judges: Annotated[int, Meta(ge=1, le=100)] = 1
    idle_s: Annotated[int, Meta(ge=1, le=366 * 86_400)] = 300
    guidelines: Annotated[str, Meta(max_length=1_000_000)] = ""


class AccountLine(Struct, tag_field="record", tag="account", omit_defaults=True):
    """Someone who judged or may; `number` is what layers (`judge-3`) and entries call them. No role: no member now."""

    number: Annotated[int, Meta(ge=1, lt=2**31)]
    name: str
    role: Literal["", "assessor", "lead"] = ""


class TopicLine(Struct, tag_field="record", tag="topic"):
    """An event, by its number in the project."""

    number: int
    event: Event


class AssignmentLine(Struct, tag_field="record", tag="assignment"):
    """That someone is to do a task of a topic."""

    topic: int
    task: str
    account: int


class ItemLine(Struct, tag_field="record", tag="item"):
    """Something that is judged, or judged from."""

    topic: int
    kind: str
    id: Id
    time: Time
    content: Any


class ClaimLine(Struct, tag_field="record", tag="claim"):
    """That an item went to someone, and when."""

    topic: int
    task: str
    item: Id
    account: int
    time: TimeMs


class EntryLine(Struct, tag_field="record", tag="judgment", omit_defaults=True):
    """A change of one object; the fields are those of `tidings.core.records.judgments.LogEntry`."""

    seq: int
    act: Annotated[str, Meta(min_length=1, max_length=100)]
    operation: str
    topic: int
    layer: str
    kind: str
    id: str
    recorded_ms: TimeMs
    before: Any = None
    after: Any = None
    account: int | None = None
    by: str = ""
    made_ms: Int64 = 0
    assisted: str = ""
    undoes: str = ""
    shown: str = ""
    guidelines: str = ""


def entry_of(line: EntryLine) -> LogEntry:
    """The entry of the log that a line says, by the numbers and layers of its file."""
    fields = asdict(line)
    object_id, account_id, account = (fields.pop(name) for name in ("id", "account", "by"))
    return LogEntry(object_id=object_id, account_id=account_id, account=account, session_id=None, **fields)


def line_of_entry(entry: LogEntry, by: str) -> EntryLine:
    """The line that says an entry of the log; `by` is what its account is called."""
    fields = asdict(entry)
    object_id, account_id, *_ = (
        fields.pop(name) for name in ("object_id", "account_id", "account", "session_id")
    )
    return EntryLine(id=object_id, account=account_id, by=by, **fields)


DeskLine = ProjectLine | AccountLine | TopicLine | AssignmentLine | ItemLine | ClaimLine | EntryLine


def write_desk_lines(path: str | Path, lines: Iterable[DeskLine]) -> None:
    """Write the file, whole or not at all."""
    write_jsonl(path, lines)


def read_desk_lines(path: str | Path, check: Callable[[DeskLine], None] | None = None) -> Iterator[DeskLine]:
    """The lines of a file, checked.

    Args:
        path: the file.
        check: looks at each line besides; it raises BadRecordError for one that it does not take.

    Raises:
        FormatError: bad lines, a first line that is no project or of a newer form, or entries out of their order.
    """
    order = _Order()
    decoder: Any = msgspec.json.Decoder(DeskLine)
    what = "a record of the desk: project, account, topic, assignment, item, claim or judgment"
    anything: Any = object
    number = 0
    lines: Iterator[DeskLine] = read_jsonl(
        path, anything, lambda line: line, what=what, decode=decoder.decode
    )
    for number, line in enumerate(lines, 1):
        try:
            order.see(line)
            if check is not None:
                check(line)
        except BadRecordError as error:
            raise FormatError([Problem(str(path), number, error.found, error.expected, error.mend)]) from None
        yield line
    if not number:
        raise FormatError([Problem(str(path), 0, "no line", "a project's judgments", "export it again")])


class _Order:
    # The project first and once, entries by number without a gap, accounts and topics before they are named.

    def __init__(self) -> None:
        self.number = 0
        self.seq = 0
        self.accounts: set[int] = set()
        self.topics = {0}

    def see(self, line: DeskLine) -> None:
        """Take a line in; BadRecordError where it does not fit those before."""
        self.number += 1
        if isinstance(line, ProjectLine) != (self.number == 1):
            raise BadRecordError(
                f"a line of kind {line.__struct_config__.tag}",
                "the project in the first line, and in no other",
            )
        if isinstance(line, ProjectLine):
            if line.form != FORM:
                raise BadRecordError(f"form {line.form}", f"form {FORM}", "read it with a newer tidings")
        elif isinstance(line, AccountLine):
            self.accounts.add(line.number)
        elif isinstance(line, TopicLine):
            if line.number != len(self.topics):
                raise BadRecordError(f"topic {line.number}", f"topic {len(self.topics)}: by number from 1")
            self.topics.add(line.number)
        else:
            self._check_names(line)

    def _check_names(self, line: AssignmentLine | ItemLine | ClaimLine | EntryLine) -> None:
        if line.topic not in self.topics:
            raise BadRecordError(f"topic {line.topic}", "a topic of a line before")
        account = None if isinstance(line, ItemLine) else line.account
        if account is not None and account not in self.accounts:
            raise BadRecordError(f"account {account}", "an account of a line before")
        if isinstance(line, EntryLine):
            self.seq += 1
            if line.seq != self.seq:
                raise BadRecordError(
                    f"seq {line.seq}", f"{self.seq}: each judgment in its order, none left out"
                )
            if line.layer.startswith("judge-") and line.layer[6:] not in map(str, self.accounts):
                raise BadRecordError(f"layer {line.layer!r}", "that of an account of a line before")
