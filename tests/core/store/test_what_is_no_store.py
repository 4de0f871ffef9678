"""A file that is refused as a store stays as it was: its bytes, and who may read it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.core import StoreError, open_store


@every("kind", ["text", "another database", "another database with a table meta"])
def test_what_is_refused_stays_as_it_was(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.db"
    if kind == "text":
        file.write_text("these are my notes\n" * 50)
    else:
        with closing(sqlite3.connect(file)) as made:
            made.execute(f"CREATE TABLE {'meta' if kind.endswith('meta') else 'recipes'} (a INTEGER)")
            made.commit()
    file.chmod(0o644)
    before = file.read_bytes()
    with pytest.raises(StoreError, match="store of tidings"):
        open_store(str(file))
    assert file.read_bytes() == before
    assert file.stat().st_mode & 0o777 == 0o644
    assert list(tmp_path.iterdir()) == [file]
