"""Reaching a database, one process for each run, and saying in words what went wrong."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zlib import crc32

from sqlalchemy import URL, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from tidings.core.errors import StoreError, pip_install

BUSY_TIMEOUT_S = 10.0
"""How long another program's lock on a SQLite file is waited for; `?timeout=1` in the URL changes it."""


class LockedError(StoreError):
    """Another program holds the store locked, for longer than one was ready to wait."""


_MEND = "what was committed before is kept; run the same command again to continue"


def parse_store(store: str) -> URL:
    """The database that `--store` names: a URL (sqlite:///…, postgresql://…) or the path of a SQLite file."""
    if "://" not in store:
        return URL.create("sqlite", database=store)
    try:
        url = make_url(store)
    except ArgumentError as error:
        raise StoreError(f"store {store!r} is neither a path nor a URL: {error}") from error
    kind = url.get_backend_name()
    if kind == "postgres":
        kind = "postgresql"
    if kind == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise StoreError(f"stores of kind {kind!r} are not known; give sqlite:///PATH or postgresql://…")
    return url


def file_of(url: URL) -> Path | None:
    """The file of a store in SQLite; None for one in memory or on a server."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return Path(str(url.database))


def connect(url: URL, *, read_only: bool = False, durable: bool = False) -> Engine:
    """An engine whose transactions are what they say, on either database.

    SQLite runs in WAL mode with synchronous=NORMAL: a killed process loses nothing that was committed; a
    power cut may take the last transactions, whole, so that a run goes on from an earlier point.
    Reading only makes no file, not even for a moment. With `durable` a power cut takes nothing either: each
    transaction is on disk before it is said to be done.
    """
    try:
        if url.get_backend_name() == "sqlite":
            query = dict(url.query)
            query.setdefault("timeout", str(BUSY_TIMEOUT_S))
            if read_only:
                engine = create_engine(
                    url, creator=partial(_open_to_read, str(url.database), float(str(query["timeout"])))
                )
                event.listen(engine, "connect", _prepare_reading)
            else:
                engine = create_engine(url.set(query=query))
                if (file := file_of(url)) is not None and "uri" not in query:
                    event.listen(engine, "do_connect", partial(_keep_private_first, file))
                event.listen(engine, "connect", _prepare_sqlite)
                if durable:
                    event.listen(engine, "connect", _prepare_durable)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        return create_engine(url)
    except ModuleNotFoundError as error:
        raise StoreError(
            f"{url.render_as_string()}: PostgreSQL needs psycopg, and there is no {error.name}. "
            f"Run: {pip_install('[postgres]')}"
        ) from error


def keep_private(file: Path) -> None:
    """See to it that a store's file, made here where there is none, is not for everyone on this machine.

    It holds hashes of passwords, addresses with passwords in them, and secrets. A new one is for its owner alone
    (0600). One that everyone may read or write, as earlier versions made them, becomes so when its owner opens it;
    one that is shared with a group (0640, 0660) was meant so, and stays. What SQLite puts beside it (-wal, -shm) gets
    the rights of the file.
    """
    # A folder that is not there, say: who opens the file says so. A system without owners has no such rights either.
    with suppress(OSError, AttributeError):
        try:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            return
        except FileExistsError:
            pass
        for path in (file, *(Path(f"{file}{end}") for end in ("-wal", "-shm", "-journal"))):
            with suppress(FileNotFoundError):
                found = path.stat()
                is_file = stat.S_ISREG(found.st_mode)  # a folder that was named by mistake stays as it is
                if is_file and found.st_mode & 0o007 and found.st_uid == os.geteuid():
                    path.chmod(0o600)


def _keep_private_first(file: Path, *_: object) -> None:
    keep_private(file)


def _prepare_sqlite(connection: Any, record: Any) -> None:
    _prepare_reading(connection, record)
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _prepare_durable(connection: Any, record: Any) -> None:
    connection.execute("PRAGMA synchronous=FULL")


def _prepare_reading(connection: Any, record: Any) -> None:
    # Transactions are begun by us, and not by the driver before some statements only.
    connection.isolation_level = None
    # Damaged text is for its row's digest to notice, which can say where it is.
    connection.text_factory = _text
    connection.execute("PRAGMA cell_size_check=ON")


def _text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def _open_to_read(path: str, timeout: float) -> Any:
    # Where nobody has the file open, SQLite is asked to take it as it stands: else it puts two files beside it.
    nobody = not Path(f"{path}-wal").exists()
    mode = "immutable=1" if nobody else "mode=ro"
    address = f"file:{quote(str(Path(path).absolute()))}?{mode}"
    return sqlite3.connect(address, uri=True, timeout=timeout, check_same_thread=False)


def _begin_sqlite(connection: Any) -> None:
    # A writer asks for the right to write at once: to wait for it later could fail half-way.
    options = connection.get_execution_options()
    if options.get("reading", False):
        connection.exec_driver_sql("BEGIN")
    elif (patience_s := options.get("patience_s")) is None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        usual_s = float(str(connection.engine.url.query.get("timeout", BUSY_TIMEOUT_S)))
        connection.exec_driver_sql(f"PRAGMA busy_timeout={int(min(patience_s, usual_s) * 1000)}")
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        finally:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={int(usual_s * 1000)}")


@contextmanager
def explain_errors(url: URL) -> Iterator[None]:
    """Turn what a database raises into a StoreError that says what was found and how to mend it."""
    try:
        yield
    except SQLAlchemyError as error:
        lines = str(getattr(error, "orig", None) or error).strip().splitlines()
        cause = lines[0] if lines else type(error).__name__
        if "locked" in cause.lower() or "busy" in cause.lower():
            raise locked_error(url, cause) from error
        raise StoreError(_explain(url, cause)) from error
    except UnicodeDecodeError as error:  # what the database would say quotes damaged text
        raise StoreError(_explain(url, "malformed text")) from error
    except OverflowError as error:
        raise StoreError(f"{printable_url(url)}: a number is beyond 64 bits; times are in seconds") from error


def printable_url(url: URL) -> str:
    """How messages name a store: the path, or the URL without its password."""
    if url.get_backend_name() == "sqlite":
        return url.database or "a store in memory"
    return url.render_as_string(hide_password=True)


def locked_error(url: URL, cause: str) -> LockedError:
    """The error where someone else writes for too long."""
    return LockedError(
        f"{printable_url(url)}: another program holds the store locked ({cause}); try again when it is done"
    )


def _explain(url: URL, cause: str) -> str:
    where, low = printable_url(url), cause.lower()
    if "not a database" in low:
        return f"{where}: this file is not a store of tidings; name another with --store"
    if "malformed" in low:
        return f"{where}: the store is damaged ({cause}); restore a copy, or remove it and start over"
    if "full" in low or "disk i/o" in low:
        return f"{where}: the store cannot be written, the disk may be full ({cause}); make room: {_MEND}"
    if url.database and url.get_backend_name() == "sqlite" and Path(url.database).is_dir():
        return f"{where}: this is a folder; name a file with --store"
    if "unable to open" in low or "readonly" in low or "read-only" in low:
        folder = Path(url.database or ".").absolute().parent
        reason = "may not be written" if folder.is_dir() else "does not exist"
        return f"{where}: the store cannot be opened ({cause}); {folder} {reason}: name another with --store"
    return f"{where}: the store cannot be used: {cause}"


_KEY = 1953064809  # our own space among advisory locks
_TRIES = 10  # with _TRY_AGAIN_S, a second: for a process that is just ending
_TRY_AGAIN_S = 0.1


class RunLock:
    """Held while a run is followed; the system lets go of it when the process ends, however it ends.

    For SQLite it is a lock on a file beside the store (which holds the owner's process id for the message
    to others, and is removed at the end), for PostgreSQL an advisory lock of the session. Raises
    StoreError where another process holds it.
    """

    def __init__(self, engine: Engine, url: URL, name: str) -> None:
        self._file: int | None = None
        self._path: Path | None = None
        self._session: Any = None
        key = crc32(name.encode("utf-8", "surrogatepass"))
        if url.get_backend_name() == "sqlite":
            if url.database and url.database != ":memory:":
                store = Path(url.database).resolve()
                # Whoever shares a store with a group shares its locks.
                mode = store.stat().st_mode & 0o660 if store.exists() else 0o600
                self._lock_file(Path(f"{store}.{key:08x}.lock"), name, mode)
        else:
            self._lock_session(engine, key, name)

    def _lock_file(self, path: Path, name: str, mode: int) -> None:
        try:
            import fcntl
        except ImportError:  # a system without file locks: two processes on one run are not kept apart there
            return
        while True:
            try:
                file = os.open(path, os.O_RDWR | os.O_CREAT, mode)
            except OSError as error:
                raise StoreError(f"{path}: cannot lock the run: {error.strerror}") from error
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                owner = os.pread(file, 32, 0).decode("ascii", "replace").strip()
                os.close(file)
                raise _followed_by_another(
                    name, f"process {owner}" if owner else "another process"
                ) from error
            try:
                same = os.fstat(file).st_ino == path.stat().st_ino
            except FileNotFoundError:
                same = False
            if same:
                break
            os.close(file)  # its owner was just removing it
        self._file, self._path = file, path
        try:
            os.ftruncate(file, 0)
            os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        except OSError:
            return  # a full disk: the id is only for the message, the lock holds without it

    def _lock_session(self, engine: Engine, key: int, name: str) -> None:
        self._session = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        query = text("SELECT pg_try_advisory_lock(:space, :key)")
        key = key - (1 << 32) if key >= 1 << 31 else key
        for _ in range(_TRIES):
            if self._session.execute(query, {"space": _KEY, "key": key}).scalar():
                return
            # A server takes a moment to notice that a killed client is gone.
            time.sleep(_TRY_AGAIN_S)
        self._session.close()
        self._session = None
        raise _followed_by_another(name, "another process")

    def release(self) -> None:
        """Let others have the run."""
        if self._file is not None and self._path is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None
        if self._session is not None:
            self._session.invalidate()
            self._session.close()
            self._session = None


class TakenError(StoreError):
    """Another process holds the run."""


def _followed_by_another(name: str, owner: str) -> TakenError:
    return TakenError(
        f"run {name}: {owner} is following it now; wait until that is done, or write to another --out"
    )
