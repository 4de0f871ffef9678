"""One process for each run: a lock that a killed process cannot leave behind."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any
from zlib import crc32

from sqlalchemy import URL, Engine, text

from tidings.core.errors import StoreError

__all__ = ["RunLock", "TakenError"]

_KEY = 1953064809
_TRIES = 10
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
