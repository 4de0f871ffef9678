"""A database of runs: opened, asked, and runs begun or taken up in it; its answer book of judges from outside."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from msgspec import Struct
from sqlalchemy import URL, Connection, Engine, Select, select
from sqlalchemy.exc import SQLAlchemyError

from tidings.core.errors import StoreError
from tidings.core.records import (
    EntityRanking,
    Event,
    LateDocument,
    Output,
    Position,
    Run,
    RunCard,
    Support,
    Update,
    ValueUpdate,
)
from tidings.core.store.connect import (
    RunLock,
    connect,
    explain_errors,
    file_of,
    locked_error,
    parse_store,
    printable_url,
)
from tidings.core.store.rows import (
    OUTPUTS,
    RunRow,
    late_from_row,
    output_from_values,
    read_events,
    read_run,
    run_row,
)
from tidings.core.store.run import StoredRun, enter_run, has_begun, read_positions
from tidings.core.store.schema import (
    bring_up_to_date,
    check_version,
    desk_accounts,
    desk_projects,
    inboxes,
    judge_answers,
    late_documents,
    live_events,
    newest_version,
    outputs,
    read_version,
    runs,
    story_trackers,
)
from tidings.core.store.table_rows import bind_row, check_row, damage_error, replace_rows, with_digest

_PAGE = 5000  # outputs held at once


class RunInfo(Struct, frozen=True, kw_only=True):
    """One run of a store: its name, what it was begun with, and how far it is.

    `counts` are its outputs by kind (update, value, entities), `updates` those that are sentences. `card` holds the
    `events` too; it is None where the run was begun without either.
    """

    name: str
    settings: dict[str, str]
    created_time: int
    changed_time: int
    finished_time: int | None
    updates: int
    positions: tuple[Position, ...]
    events: tuple[Event, ...] = ()
    card: RunCard | None = None
    counts: dict[str, int] = {}


def open_store(store: str, *, read_only: bool = False, durable: bool = False) -> Store:
    """Open the store at a path or URL; a new SQLite file is made, and its tables where there are none.

    With `read_only` nothing is made and nothing is written: what is not there is an error. With `durable` what is
    committed survives a power cut too.

    Raises StoreError for what is not a store, is of a newer version, is locked or cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/example.db") as store:
    ...     store.runs()
    []
    """
    url = parse_store(store)
    return Store(url, read_only=read_only, durable=durable)


class Store:
    """A database of runs. Close it when done, or use it in a `with`.

    A `with` that ends with an error takes a file away again that was made for it and in which nothing was begun.
    """

    def __init__(self, url: URL, *, read_only: bool = False, durable: bool = False) -> None:
        self.url = url
        self._file = file_of(url)
        self._turns = Lock()
        self._made = self._file is not None and not self._file.exists()
        self._begun: set[str] = set()
        if read_only and self._made:
            raise StoreError(f"{self._file}: there is no such store")
        if not read_only and not self._made:
            self._refuse_strange()
        self.engine: Engine = connect(url, read_only=read_only, durable=durable)
        self.reader = self.engine.execution_options(reading=True)
        try:
            with explain_errors(url):
                if not read_only:
                    bring_up_to_date(self.engine, printable_url(url))
                else:
                    self._check_readable()
            self._inode = self._find_inode()
        except BaseException:
            self.engine.dispose()
            if self._made:
                self._remove_file()
            raise

    def __str__(self) -> str:
        return printable_url(self.url)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        unused = kind is not None and self._made and self._is_unused()
        self.close()
        if unused:
            self._remove_file()

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    @contextmanager
    def writing(self, *, patience_s: float | None = None) -> Iterator[Connection]:
        """A transaction that may write; what the database raises becomes a StoreError.

        In SQLite one thread after the other: the database lets those that wait try again at random, some for too long.
        With `patience_s` others who write are waited for no longer than that (for each: threads, and programs), and
        LockedError says that they still do.
        """
        turn = self._turns if self._file is not None else nullcontext()
        if patience_s is None:
            with turn, explain_errors(self.url), self.engine.begin() as connection:
                yield connection
            return
        if self._file is not None and not self._turns.acquire(timeout=patience_s):
            raise locked_error(self.url, "its turn has not come")
        try:
            impatient = self.engine.execution_options(patience_s=patience_s)
            with explain_errors(self.url), impatient.begin() as connection:
                yield connection
        finally:
            if self._file is not None:
                self._turns.release()

    @contextmanager
    def asking(self) -> Iterator[Connection]:
        """A transaction that only asks."""
        with explain_errors(self.url), self.reader.begin() as connection:
            yield connection

    def rows(self, query: Select[Any]) -> Sequence[Any]:
        """All that a question finds, asked alone."""
        with self.asking() as connection:
            return connection.execute(query).all()

    def row(self, query: Select[Any]) -> Any:
        """The only row that a question finds, if there is one."""
        with self.asking() as connection:
            return connection.execute(query).one_or_none()

    def number(self, query: Select[Any]) -> int:
        """The number that a question finds, 0 for none."""
        with self.asking() as connection:
            return int(connection.execute(query).scalar() or 0)

    def begin(
        self,
        name: str,
        settings: Mapping[str, str],
        *,
        events: Sequence[Event] = (),
        card: RunCard | None = None,
        restart: bool = False,
    ) -> StoredRun:
        """Begin the run called `name`, or take it up where it was left.

        Args:
            name: what the run is known by in this store.
            settings: everything its outputs depend on, in words; kept with the run.
            events: what it follows; where none are given, those of the card. Kept with the run.
            card: where the run comes from; kept with the run.
            restart: forget what is there under this name.

        Raises:
            UsageError: the run was begun with other settings, events, or another model; StoreError: another process
                follows it, or its rows are damaged.
        """
        events = events or (card.events if card is not None else ())
        with explain_errors(self.url):
            lock = RunLock(self.engine, self.url, name)
        try:
            with explain_errors(self.url), self.engine.begin() as connection:
                self.check_in_place()
                row = enter_run(connection, str(self), name, settings, events, card, restart=restart)
        except BaseException:
            lock.release()
            raise
        self._begun.add(name)
        return StoredRun(self, row, lock)

    def runs(self) -> list[RunInfo]:
        """All runs, oldest first."""
        where = str(self)
        infos = []
        with explain_errors(self.url), self.reader.begin() as connection:
            for one in connection.execute(select(runs).order_by(runs.c.id)).all():
                row = run_row(one, where)
                followed = read_events(connection, row, where)
                infos.append(
                    RunInfo(
                        name=row.name,
                        settings=row.settings_by_name,
                        created_time=row.created_time,
                        changed_time=row.changed_time,
                        finished_time=row.finished_time,
                        updates=row.counts_by_kind.get("update", 0),
                        positions=tuple(position for position, _ in read_positions(connection, row, where)),
                        events=followed,
                        card=row.card_with(followed),
                        counts=row.counts_by_kind,
                    )
                )
        return infos

    def outputs(
        self, name: str, *, after: int = 0, event_id: str | None = None
    ) -> Iterator[tuple[int, Output]]:
        """(number, output) for all that the run `name` gave after its output number `after`, in order.

        `event_id` asks for the outputs of one event only. Numbers begin at 1 and count the run's outputs of every kind.
        """
        return self.outputs_of(self._row(name), after=after, event_id=event_id)

    def updates(self, name: str, *, after: int = 0, event_id: str | None = None) -> Iterator[Update]:
        """The sentences that the run `name` gave, in the order in which they were decided; see `outputs`."""
        numbered = self.outputs(name, after=after, event_id=event_id)
        return (output for _, output in numbered if isinstance(output, Update))

    def events(self, name: str) -> tuple[Event, ...]:
        """What the run `name` follows, with title, query and period; empty where it was begun without."""
        return self.events_of(self._row(name))

    def late(self, name: str) -> list[LateDocument]:
        """The first documents that came too late for the run `name`, in the order of their sources."""
        row = self._row(name)
        query = select(late_documents).where(late_documents.c.run_id == row.id)
        with explain_errors(self.url), self.reader.begin() as connection:
            rows = connection.execute(query.order_by(late_documents.c.source, late_documents.c.ordinal)).all()
        for late in rows:
            check_row(late_documents, late, str(self), f"a late document of run {name!r}")
        return [late_from_row(late) for late in rows]

    def outputs_of(self, row: RunRow, *, after: int, event_id: str | None) -> Iterator[tuple[int, Output]]:
        """`outputs` of the run that has this row."""
        # In pages, so that a long run needs no more memory than a short one.
        query = OUTPUTS.where(outputs.c.run_id == row.id).order_by(outputs.c.seq)
        if event_id is not None:
            query = query.where(outputs.c.event_id == event_id)
        last = after
        while True:
            with explain_errors(self.url), self.reader.begin() as connection:
                page = connection.execute(query.where(outputs.c.seq > last).limit(_PAGE)).all()
            for values in page:
                seq, output = output_from_values(values)
                if output is None or (event_id is None and seq != last + 1):
                    raise self._output_fault(row, last + 1)
                last = seq
                yield last, output
            if len(page) < _PAGE:
                break
        if event_id is None and last < sum(row.counts_by_kind.values()):
            raise self._output_fault(row, last + 1)

    def events_of(self, row: RunRow) -> tuple[Event, ...]:
        """`events` of the run that has this row."""
        with explain_errors(self.url), self.reader.begin() as connection:
            return read_events(connection, row, str(self))

    def check_in_place(self) -> None:
        """Raise StoreError where the file was removed or replaced since it was opened: writing would be lost."""
        if self._inode is not None and self._find_inode() != self._inode:
            raise StoreError(
                f"{self}: the store was removed or replaced while it was in use; nothing more was written to it: "
                "put it back, or start over"
            )

    def _row(self, name: str) -> RunRow:
        with explain_errors(self.url), self.reader.begin() as connection:
            row = connection.execute(select(runs).where(runs.c.name == name)).one_or_none()
            if row is None:
                names = connection.execute(select(runs.c.name).order_by(runs.c.id).limit(30)).scalars().all()
                holds = (
                    f"one of those it holds: {', '.join(map(str, names))}" if names else "but it holds none"
                )
                raise StoreError(f"{self}: no run {name!r} (expected {holds})")
            return run_row(row, str(self))

    def _output_fault(self, row: RunRow, number: int) -> StoreError:
        with explain_errors(self.url), self.reader.begin() as connection:
            now = read_run(connection, row.id, str(self))
        if now is None or now.created_time != row.created_time:
            return StoreError(f"{self}: run {row.name!r} was restarted while it was read; read it again")
        return damage_error(str(self), f"output {number} of run {row.name!r}")

    def _check_readable(self) -> None:
        """Raise StoreError unless this is a store of this version, or one that could be carried over to it."""
        where = printable_url(self.url)
        with self.reader.begin() as connection:
            version = read_version(connection, where)
        if version == 0:
            raise StoreError(f"{where}: this database is empty, not a store of tidings")
        if version < newest_version():
            if self._file is not None and not all(
                os.access(path, os.W_OK) for path in (self._file, self._file.absolute().parent)
            ):
                raise StoreError(
                    f"{where}: a store of version {version} (expected {newest_version()}): it is migrated "
                    "when it is opened, but it cannot be written; make a copy, and name that"
                )
            self.engine.dispose()
            Store(self.url).close()
        check_version(version, where)

    def _refuse_strange(self) -> None:
        """Look before opening: that alone would change who may read a file that is no store, and mark it for SQLite.

        One that another program has open, or left in the middle of its work, is left to SQLite.
        """
        file = self._file
        if file is None or any(Path(f"{file}{end}").exists() for end in ("-wal", "-shm", "-journal")):
            return
        with suppress(OSError):
            if not file.is_file() or file.stat().st_size == 0:
                return
        looking = connect(self.url, read_only=True)
        try:
            with explain_errors(self.url):
                try:
                    with looking.execution_options(reading=True).begin() as connection:
                        read_version(connection, printable_url(self.url))
                except SQLAlchemyError as error:
                    if "not a database" in str(error).lower():
                        raise
        finally:
            looking.dispose()

    def _find_inode(self) -> tuple[int, int] | None:
        if self._file is None:
            return None
        try:
            status = self._file.stat()
        except OSError:
            return (0, 0)
        return status.st_dev, status.st_ino

    def _is_unused(self) -> bool:
        """Whether all that this store holds are runs of ours in which nothing was decided, and nothing was fetched.

        A store in which the desk has an account or a project, or that has a standing event or stories, is in use,
        whatever ends the process.
        """
        try:
            with self.reader.begin() as connection:
                for column in (
                    desk_accounts.c.id,
                    desk_projects.c.id,
                    live_events.c.event_id,
                    story_trackers.c.id,
                ):
                    if connection.execute(select(column)).first() is not None:
                        return False
                if (
                    connection.execute(select(inboxes.c.id).where(inboxes.c.last_time > 0)).first()
                    is not None
                ):
                    return False
                rows = connection.execute(select(runs.c.id, runs.c.name, runs.c.finished_time)).all()
                return all(
                    row.name in self._begun
                    and row.finished_time is None
                    and not has_begun(connection, row.id)
                    for row in rows
                )
        except SQLAlchemyError:
            return False

    def _remove_file(self) -> None:
        # Its companions are there while another process has the store open: then it is left to that one.
        if self._file is not None and not any(
            Path(f"{self._file}{end}").exists() for end in ("-wal", "-shm")
        ):
            with suppress(OSError):
                self._file.unlink(missing_ok=True)


_TRIES = 5


def read_stored_runs(store: str, name: str | None = None) -> list[Run]:
    """The runs of the store at a path or URL, oldest first, or the one called `name`; each with its card.

    Nothing is made or changed. A run that is being followed is read as far as it is committed.

    Raises StoreError: there is no such store or run, it is damaged, or it is of a newer version.

    >>> import tempfile
    >>> from tidings.core.records import EntityRanking, Run, Update, ValueUpdate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = f"{folder}/storm.db"
    ...     with open_store(path) as opened, opened.begin("storm", {}) as run:
    ...         run.commit([], {}, [Update("storm", "d1", 0, 60)], [], finished=True)
    ...     [(run.name, len(run.updates)) for run in read_stored_runs(path)]
    [('storm', 1)]
    """
    file = file_of(parse_store(store))
    for left in reversed(range(_TRIES)):
        before = _state(file)
        try:
            with open_store(store, read_only=True) as opened:
                chosen = [info for info in opened.runs() if name is None or info.name == name]
                if not chosen and name is not None:
                    opened.events(name)  # says which there are
                read = [_run(opened, info) for info in chosen]
        except StoreError:
            if not left or _state(file) == before:
                raise
        else:
            if not left or _state(file) == before:
                return read
    raise AssertionError


def _run(store: Store, info: RunInfo) -> Run:
    outputs = [output for _, output in store.outputs(info.name)]
    return Run(
        "",
        info.name,
        tuple(output for output in outputs if isinstance(output, Update)),
        info.card,
        tuple(output for output in outputs if isinstance(output, ValueUpdate)),
        tuple(output for output in outputs if isinstance(output, EntityRanking)),
        tuple(output for output in outputs if isinstance(output, Support)),
    )


def _state(file: Path | None) -> tuple[int, int] | None:
    # A file that nobody had open is read as one that stays as it is: when someone opened it, it is read again.
    if file is None or Path(f"{file}-wal").exists():
        return None
    with suppress(OSError):
        status = file.stat()
        return status.st_size, status.st_mtime_ns
    return None


class StoredAnswers:
    """The answers that a store keeps, those of all its runs together: the same question is asked once.

    Each is kept in a transaction of its own, before anything is decided by it: a run that is killed at any point finds
    it again, and decides the same. `since` is when that run began (seconds UTC).

    >>> import tempfile
    >>> from tidings.core.store.store import open_store
    >>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/example.db") as store:
    ...     book = StoredAnswers(store)
    ...     book.get("a7c5"), book.put("a7c5", "yes"), book.get("a7c5")
    (None, None, 'yes')
    """

    def __init__(self, store: Store, since: int = 0) -> None:
        self._store, self.since = store, since

    def get(self, key: str) -> str | None:
        """The answer to the question of this key; None where it was not asked. StoreError where it is damaged."""
        row = self._store.row(select(judge_answers).where(judge_answers.c.key == key))
        if row is None:
            return None
        check_row(judge_answers, row, str(self._store), f"the answer to question {key}")
        return str(row.answer)

    def put(self, key: str, answer: str) -> None:
        """Keep an answer, in place of what was answered to this question before."""
        row = with_digest(judge_answers, {"key": key, "answer": answer, "answered_time": int(time.time())})
        with self._store.writing() as connection:
            self._store.check_in_place()
            replace_rows(connection, judge_answers, [bind_row(row)])
