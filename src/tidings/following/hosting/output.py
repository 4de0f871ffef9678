"""Where outputs go: a file that is put in place when the run is complete, or standard output as they come."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tidings.core import Output, Run, RunCard, Update, UsageError, escape_controls, is_jsonl
from tidings.following.hosting import DEFAULT_PACE
from tidings.following.hosting.events import check_text
from tidings.following.outputs.outputs import write_outputs
from tidings.following.outputs.runs import write_runs

if TYPE_CHECKING:
    from tidings.following.hosting.settings import RunSettings

__all__ = ["RunWriter", "run_name_of", "writes_jsonl"]

_PAGE = 5000


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
                f"found {option} {value!r}, expected a name without blanks: a TREC run has its columns apart by "
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
            from tidings.following.outputs.value_runs import value_run, write_value_runs

            write_value_runs(self._out, [value_run(self._team, self._name, outputs)])
        else:
            write_runs(self._out, self._paged(outputs, card), form="trec")

    def _paged(self, outputs: Iterable[Output], card: RunCard | None) -> Iterator[Run]:
        # A page after the other, so that a long run needs no more memory than a short one.
        yield Run(self._team, self._name, (), card)
        rest: Iterator[Update] = (output for output in outputs if isinstance(output, Update))
        if self._out == "-":
            rest = map(_with_plain_ids, rest)
        while page := tuple(islice(rest, _PAGE)):
            yield Run(self._team, self._name, page)

    def _sweep(self) -> None:
        # A process killed while it wrote leaves its unfinished file behind; the run is ours now.
        target = Path(self._out).resolve()
        for part in target.parent.glob(f".{glob.escape(target.name[:60])}.????????.tmp"):
            part.unlink(missing_ok=True)


def _with_plain_ids(update: Update) -> Update:
    # What a stranger's ids hold cannot steer the terminal; JSON Lines escape it by themselves.
    event_id, doc_id = escape_controls(update.event_id), escape_controls(update.doc_id)
    if (event_id, doc_id) == (update.event_id, update.doc_id):
        return update
    return replace(update, event_id=event_id, doc_id=doc_id)
