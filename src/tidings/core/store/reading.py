"""The runs of a store as records, read without touching it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from tidings.core.errors import StoreError
from tidings.core.records import EntityRanking, Run, Support, Update, ValueUpdate
from tidings.core.store.connect import file_of, parse_store
from tidings.core.store.store import RunInfo, Store, open_store

__all__ = ["read_stored_runs"]

_TRIES = 5


def read_stored_runs(store: str, name: str | None = None) -> list[Run]:
    """The runs of the store at a path or URL, oldest first, or the one called `name`; each with its card.

    Nothing is made or changed, but that a store of an older version is carried over to this one first. A run that is
    being followed is read as far as it is committed.

    Raises StoreError: there is no such store or run, it is damaged, or it is of another version and cannot be carried
    over.

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
    # A file that nobody had open is read as one that stays as it is: when somebody opened it, it is read again.
    if file is None or Path(f"{file}-wal").exists():
        return None
    with suppress(OSError):
        status = file.stat()
        return status.st_size, status.st_mtime_ns
    return None
