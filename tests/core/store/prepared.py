"""New stores without making their tables: each is a copy of one that was made once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from threading import get_ident
from typing import Any

import pytest

__all__ = ["copied_stores", "made_stores"]


@pytest.fixture(scope="session", autouse=True)
def copied_stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A new SQLite file in this process begins as such a copy: a thousand tests make one, and each took 50 ms.

    Processes of their own, and the tests of migrations (fixture `made_stores`), make theirs as users do.
    """
    from tidings.core.store import store
    from tidings.core.store.connect import connect, parse_store

    folder = tmp_path_factory.mktemp("prepared-store")
    bring_up_to_date = store.bring_up_to_date

    @cache
    def made() -> bytes:
        path = folder / "made.db"
        engine = connect(parse_store(str(path)))
        bring_up_to_date(engine, str(path))
        engine.dispose()
        return path.read_bytes()

    def copied(engine: Any, where: str) -> None:
        path = engine.url.database
        if engine.dialect.name == "sqlite" and path and path != ":memory:" and not os.path.lexists(path):
            copy = folder / f"{os.getpid()}-{get_ident()}.db"
            copy.write_bytes(made())
            with suppress(OSError):  # no such folder, say: what follows says it
                os.link(copy, path)  # whole at once, and never over what another has made
            copy.unlink()
        bring_up_to_date(engine, where)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "bring_up_to_date", copied)
        yield


@pytest.fixture
def made_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    """New stores are made as users make theirs."""
    from tidings.core.store import schema, store

    monkeypatch.setattr(store, "bring_up_to_date", schema.bring_up_to_date)
