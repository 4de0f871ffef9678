"""Where outputs go, and the files of a run: nothing that it reads is written over."""

from __future__ import annotations

import errno
import glob
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict, replace

from tidings.core import (
    Output,
    Run,
    RunCard,
    Update,
    UsageError,
    ending,
    escape_controls,
    is_jsonl,
    is_url,
    refuse_overwriting,
)
from tidings.following.hosting import DEFAULT_PACE
from tidings.following.hosting.sources import check_text
from tidings.following.outputs.outputs import write_outputs
from tidings.following.outputs.runs import card_path, write_runs

if TYPE_CHECKING:
    from tidings.core import System
    from tidings.following.hosting.settings import RunSettings


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
        _refuse_circle(out)
        if target.is_dir():
            raise UsageError(f"{out}: a folder (expected the name of a file for --out)")
        if is_url(out):
            raise UsageError(f"{out}: a URL as --out (expected the name of a file)")
        if not settings.format and ending(out) in _OTHER_FORMS:
            raise UsageError(
                f"{out}: a name that ends in {ending(out)} (expected .jsonl, or any other for TREC's columns); "
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


def _refuse_circle(out: str) -> None:
    try:
        os.stat(out)  # noqa: PTH116
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UsageError(
                f"{out}: a link that leads back to itself (expected the name of a file for --out); remove it"
            ) from None
    except ValueError:
        return  # a name that is none: whoever writes it says so


def option_files(system: System) -> Iterator[str]:
    """The files that options of a system name, such as its model."""
    from tidings.following.systems.decider import innermost

    inner = innermost(system)
    for name, value in asdict(inner).items() if isinstance(inner, Struct) else ():
        # `Path.is_file` fails where a value is longer than a file's name may be.
        if isinstance(value, str) and name != "story_terms" and os.path.isfile(value):  # noqa: PTH113
            yield value


_PAGE = 5000  # outputs written in one step


def writes_jsonl(out: str, form: str = "") -> bool:
    """Whether a run goes to tidings' own JSON Lines, as its `--format` says, else its name.

    >>> writes_jsonl("storm.jsonl"), writes_jsonl("storm.run"), writes_jsonl("-", "jsonl")
    (True, False, True)
    """
    return form == "jsonl" or (not form and is_jsonl(out))


def run_name_of(spec: str) -> str:
    """What a run is called where nobody names it: its system with its options, but for the pace that is usual.

    >>> run_name_of("tidings:about=up to 40/day"), run_name_of("tidings:about=up to 40/day,wait=2h")
    ('tidings', 'tidings:wait=2h')
    >>> run_name_of("cosine:about=up to 10/day")
    'cosine:about=up_to_10/day'
    """
    name, _, options = spec.partition(":")
    kept = ",".join(part for part in options.split(",") if part != f"about={DEFAULT_PACE}")
    return "_".join((f"{name}:{kept}" if kept else name).split())


class RunWriter:
    """Writes a run where its settings say, as outputs or as a TREC run: as `format` says, else by the name."""

    def __init__(self, settings: RunSettings, card: RunCard) -> None:
        self._out, self._team, self._format = settings.out, settings.team, settings.format or None
        self._name = settings.run_name or run_name_of(settings.system)
        self._card = card
        for option, value in (("--team", settings.team), ("--run-name", settings.run_name)):
            self._check_name(option, value)

    def _check_name(self, option: str, value: str) -> None:
        # What cannot be written in the end is refused before anything is followed.
        check_text(option, value)
        if self._out and value and value.split() != [value] and not self._jsonl:
            raise UsageError(
                f"{option} {value!r} (expected a name without blanks): a TREC run has its columns apart by "
                "them; rename it, or write .jsonl"
            )

    @property
    def _jsonl(self) -> bool:
        return writes_jsonl(self._out, self._format or "")

    def write(self, outputs: Iterable[Output]) -> None:
        """Put the whole run in place at once; what was there before stays until then."""
        self._sweep()
        self._write(outputs, self._card)

    def begin_printing(self, outputs: Iterable[Output]) -> None:
        """Print where the run is from, if the format can say it, and the outputs of earlier attempts."""
        self._write(outputs, self._card)

    def print(self, outputs: Iterable[Output]) -> None:
        """Print these outputs, after the ones before."""
        self._write(outputs, None)

    def _write(self, outputs: Iterable[Output], card: RunCard | None) -> None:
        if self._jsonl:
            write_outputs(self._out, outputs, team=self._team, run=self._name, card=card)
        elif self._format == "values":
            from tidings.following.outputs.trec_runs import value_run, write_value_runs

            write_value_runs(self._out, [value_run(self._team, self._name, outputs)])
        else:
            write_runs(self._out, self._pages(outputs, card), form="trec")

    def _pages(self, outputs: Iterable[Output], card: RunCard | None) -> Iterator[Run]:
        # A page after the other, so that a long run needs no more memory than a short one.
        yield Run(self._team, self._name, (), card)
        rest: Iterator[Update] = (output for output in outputs if isinstance(output, Update))
        if self._out == "-":
            rest = map(_with_plain_ids, rest)
        while page := tuple(islice(rest, _PAGE)):
            yield Run(self._team, self._name, page)

    def _sweep(self) -> None:
        # A process killed while it wrote leaves its unfinished file behind; the run is ours now.
        target = Path(os.path.realpath(self._out))  # of links that lead round in a circle, too
        for part in target.parent.glob(f".{glob.escape(target.name[:60])}.????????.tmp"):
            part.unlink(missing_ok=True)


def _with_plain_ids(update: Update) -> Update:
    # What a stranger's ids hold cannot steer the terminal; JSON Lines escape it by themselves.
    event_id, doc_id = escape_controls(update.event_id), escape_controls(update.doc_id)
    if (event_id, doc_id) == (update.event_id, update.doc_id):
        return update
    return replace(update, event_id=event_id, doc_id=doc_id)
