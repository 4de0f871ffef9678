"""The card beside a TREC run: NAME.card.json says where the run comes from, which its seven columns cannot.

{"team": "us", "run": "first", "system": "first", "choice": "corpus", "events": [{"id": "e", …}]}
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from tidings.core import (
    FormatError,
    Problem,
    Run,
    RunCard,
    explain,
    is_regular,
    named,
    read_text,
    write_atomically,
)
from tidings.following.outputs.outputs import RunLine, build_card, run_line

__all__ = ["card_path", "with_cards", "write_cards"]

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
    text = read_text(place)
    try:
        lines = msgspec.json.decode(text, type=RunLine | list[RunLine])
        several = lines if isinstance(lines, list) else [lines]
        return {(line.team, line.run): build_card(line) for line in several}
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise FormatError(
            [Problem(named(place), 0, *explain(error, text.encode(errors="replace"), _WHAT))]
        ) from None


def write_cards(path: str | Path, cards: Iterable[tuple[str, str, RunCard]]) -> None:
    """Write the cards (team, run, card) of the runs of the file `path` beside it; without any, remove what is there."""
    place = card_path(path)
    lines = [run_line(card, team, run) for team, run, card in cards]
    if lines:
        data = msgspec.json.encode(lines[0] if len(lines) == 1 else lines)
        with write_atomically(place) as file:
            file.write(msgspec.json.format(data, indent=2) + b"\n")
    elif is_regular(place):
        with contextlib.suppress(OSError):
            place.unlink()
