"""The files of a run: where it is kept and written, and that nothing that it reads is written over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from tidings.core import UsageError, ending, is_jsonl, is_url, refuse_overwriting
from tidings.following.outputs.cards import card_path

if TYPE_CHECKING:
    from tidings.core import System
    from tidings.following.hosting.settings import RunSettings

__all__ = ["check_files", "default_store", "option_files", "store_path"]

_OTHER_FORMS = {".csv", ".html", ".md", ".parquet", ".pdf", ".xlsx"}
"""Endings that promise a form in which no run is written."""


def default_store(out: str) -> str:
    """Where a run is kept unless its settings say: beside its output, with `.db` added to the name; "" for nowhere.

    >>> default_store("storm.run"), default_store("-"), default_store("/dev/null")
    ('storm.run.db', '', '')
    """
    if out in ("", "-") or (os.path.exists(out) and not os.path.isfile(out)):  # noqa: PTH110, PTH113
        return ""
    return f"{out}.db"


def store_path(store: str) -> Path | None:
    """The SQLite file that a path or URL names; None for another database."""
    from tidings.core import parse_store

    url = parse_store(store)
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    return Path(url.database)


def check_files(settings: RunSettings, system: System) -> None:
    """Raise UsageError for an output that could not be written in the end, or that would overwrite what is read."""
    out = settings.out
    outputs: dict[str, str | Path] = {}
    if out and out != "-":
        target = Path(out)
        if target.is_dir():
            raise UsageError(f"{out}: found a folder, expected the name of a file for --out")
        if is_url(out):
            raise UsageError(f"{out}: found a URL as --out, expected the name of a file")
        if not settings.format and ending(out) in _OTHER_FORMS:
            raise UsageError(
                f"{out}: found a name that ends in {ending(out)}, expected .jsonl, or any other for TREC's columns; "
                "say --format trec or jsonl to write it under this name"
            )
        if not target.parent.is_dir():
            raise UsageError(
                f"{out}: {target.parent} does not exist; make the folder, or choose another --out"
            )
        outputs["--out"] = out
        if not (settings.format == "jsonl" or (not settings.format and is_jsonl(out))):
            outputs["the card of --out"] = card_path(out)
    place = settings.store or default_store(out)
    path = store_path(place) if place else None
    if path is not None:
        outputs["--store"] = path
    refuse_overwriting(
        outputs,
        {
            "a stream": [stream for stream in settings.streams if stream != "-"],
            "an event file": settings.event_files,
            "a model of the system": list(option_files(system)),
        },
    )


def option_files(system: System) -> Iterator[str]:
    """The files that options of a system name, such as its model."""
    from tidings.following.systems.wrapped import innermost

    inner = innermost(system)
    for value in asdict(inner).values() if isinstance(inner, Struct) else ():
        if isinstance(value, str) and value and Path(value).is_file():
            yield value
