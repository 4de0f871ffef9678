"""Runs in any of their forms, with the cards beside them: updates, values, rankings, in tidings' own lines or TREC's.

A card:

{"team": "us", "run": "first", "system": "first", "choice": "corpus", "events": [{"id": "e", …}]}
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from tidings.core import (
    FormatError,
    Problem,
    Run,
    RunCard,
    explain,
    is_regular,
    read_text,
    source_name,
    write_json,
)
from tidings.sources import DOCUMENT_FORMATS, FormatList, formats_beside

if TYPE_CHECKING:
    from tidings.core import Problems, Run, RunCard


_WHAT = "the card of a run, or an array of them: team, run, system, model, choice, events"


def card_path(path: str | Path) -> Path:
    """Where the card of a TREC run stands.

    >>> str(card_path("runs/storm.run"))
    'runs/storm.run.card.json'
    """
    return Path(f"{path}.card.json")


def with_cards(path: str | Path, runs: Sequence[Run]) -> list[Run]:
    """The runs of the file `path` with the cards that stand beside it, if any.

    Raises:
        FormatError: the file beside it is no card.
    """
    place = card_path(path)
    if str(path) == "-" or not is_regular(place):
        return list(runs)
    cards = _read(place)
    return [
        msgspec.structs.replace(run, card=cards.get((run.team, run.name)) if run.card is None else run.card)
        for run in runs
    ]


def _read(place: Path) -> dict[tuple[str, str], RunCard]:
    from tidings.following.outputs.outputs import RunLine, build_card

    text = read_text(place)
    try:
        lines = msgspec.json.decode(text, type=RunLine | list[RunLine])
        several = lines if isinstance(lines, list) else [lines]
        return {(line.team, line.run): build_card(line) for line in several}
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise FormatError(
            [Problem(source_name(place), 0, *explain(error, text.encode(errors="replace"), _WHAT))]
        ) from None


def write_cards(path: str | Path, cards: Iterable[tuple[str, str, RunCard]]) -> None:
    """Write the cards (team, run, card) of the runs of the file `path` beside it; without any, remove what is there."""
    from tidings.following.outputs.outputs import run_line

    place = card_path(path)
    lines = [run_line(card, team, run) for team, run, card in cards]
    if lines:
        write_json(place, lines[0] if len(lines) == 1 else lines)
    elif is_regular(place):
        with contextlib.suppress(OSError):
            place.unlink()


RUN_FORMATS = FormatList(*DOCUMENT_FORMATS.values(), *formats_beside(__file__))
"""The formats of documents, events, judgments and runs, by their names."""


def read_runs(path: str | Path, *, problems: Problems | None = None) -> list[Run]:
    """The runs of a file, one for each team and run name: `.jsonl` holds tidings' updates, all else TREC columns.

    Where a run's file says where it is from (a line of kind `run`, or a card beside TREC columns), it is its `card`;
    an empty file beside a card is a run without updates.

    Raises:
        FormatError: bad lines, all together; or neither an output nor a line that names a run.
    """
    from tidings.core import is_there

    chosen = RUN_FORMATS.choose("updates", path)
    assert chosen is not None  # any name will do for TREC's
    has_card = chosen.name == "run" and str(path) != "-" and is_there(f"{path}.card.json")
    if has_card and is_regular(path) and not Path(path).stat().st_size:
        return [Run(team, name, [], card=card) for (team, name), card in _read(card_path(path)).items()]
    runs: list[Run] = chosen.read(path, problems=problems)
    if has_card:
        runs = with_cards(path, runs)
    if not any(run.updates or run.values or run.rankings or run.card for run in runs) and not (
        problems is not None and problems.count
    ):
        from tidings.core import FormatError, Problem

        mend = "a silent run is one line of kind `run`, with its team and name; check that the system ran to the end"
        raise FormatError([Problem(str(path), 0, "no updates", "at least one line", mend)])
    return runs


def write_runs(path: str | Path, runs: Iterable[Run], *, form: str | None = None) -> None:
    """Write runs to one file: as tidings' updates when its name ends in `.jsonl`, else in TREC's seven columns.

    `form` ("trec" or "jsonl") says so whatever the name. TREC's columns hold updates only, without text and source and
    the time of publishing; what is known of where the runs come from is put beside them, as NAME.card.json.
    """

    if form == "jsonl" or (form is None and RUN_FORMATS["updates"].is_name_of(path)):
        RUN_FORMATS["updates"].write(path, runs)
        return
    from tidings.core import is_regular

    cards: dict[tuple[str, str], RunCard] = {}
    RUN_FORMATS["run"].write(path, _noting_cards(runs, cards))
    if is_regular(path):
        write_cards(path, [(team, name, card) for (team, name), card in cards.items()])


def _noting_cards(runs: Iterable[Run], cards: dict[tuple[str, str], RunCard]) -> Iterator[Run]:
    for run in runs:
        if run.card is not None:
            cards[run.team, run.name] = run.card
        yield run
