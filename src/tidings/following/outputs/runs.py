"""Runs of several updates, values and rankings: one file, in tidings' own lines or in TREC's columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import Problems, Run, RunCard

__all__ = ["read_runs", "write_runs"]


def read_runs(path: str | Path, *, problems: Problems | None = None) -> list[Run]:
    """The runs of a file, one for each team and run name: `.jsonl` holds tidings' updates, all else TREC columns.

    Where a run's file says where it is from (a line of kind `run`, or a card beside TREC columns), it is its `card`.

    Raises:
        FormatError: bad lines, all together; or no line at all.
    """
    from tidings.core import is_there
    from tidings.following.outputs.registry import RUN_FORMATS

    chosen = RUN_FORMATS.choose("updates", path)
    assert chosen is not None  # any name will do for TREC's
    runs: list[Run] = chosen.read(path, problems=problems)
    if chosen.name == "run" and str(path) != "-" and is_there(f"{path}.card.json"):
        from tidings.following.outputs.cards import with_cards

        runs = with_cards(path, runs)
    if not any(run.updates or run.values or run.rankings for run in runs) and not (
        problems is not None and problems.count
    ):
        from tidings.core import FormatError, Problem

        mend = "a run that tells nothing cannot be scored; check that its system ran to the end"
        raise FormatError([Problem(str(path), 0, "no updates", "at least one line", mend)])
    return runs


def write_runs(path: str | Path, runs: Iterable[Run], *, form: str | None = None) -> None:
    """Write runs to one file: as tidings' updates when its name ends in `.jsonl`, else in TREC's seven columns.

    `form` ("trec" or "jsonl") says so whatever the name. TREC's columns hold updates only, without text and source and
    the time of publishing; what is known of where the runs come from is put beside them, as NAME.card.json.
    """
    from tidings.following.outputs.registry import RUN_FORMATS

    if form == "jsonl" or (form is None and RUN_FORMATS["updates"].is_name_of(path)):
        RUN_FORMATS["updates"].write(path, runs)
        return
    from tidings.core import is_regular
    from tidings.following.outputs.cards import write_cards

    cards: dict[tuple[str, str], RunCard] = {}
    RUN_FORMATS["run"].write(path, _noting_cards(runs, cards))
    if is_regular(path):
        write_cards(path, [(team, name, card) for (team, name), card in cards.items()])


def _noting_cards(runs: Iterable[Run], cards: dict[tuple[str, str], RunCard]) -> Iterator[Run]:
    for run in runs:
        if run.card is not None:
            cards[run.team, run.name] = run.card
        yield run
