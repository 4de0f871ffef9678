"""Reading and writing: one file for each format, and here the few calls that choose between them.

A format is told by the name of a file or by which files a folder holds, never by a look into the text.
docs/formats.md describes each format field by field. Nothing is loaded before it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tidings.core import bare_event_id

if TYPE_CHECKING:
    from tidings.core import Document, Event, Judgments, Place, Problems, Run, RunCard

__all__ = [
    "bare_event_id",
    "read_events",
    "read_judgments",
    "read_runs",
    "read_stream",
    "read_stream_places",
    "write_runs",
]


def read_judgments(
    folder: str | Path, *, pool: str = "sampled", problems: Problems | None = None
) -> Judgments:
    """Everything judged in a folder: one of TREC Temporal Summarization, or one in tidings' own format.

    A folder with event.json, events.jsonl or nuggets.jsonl is tidings' own; its pool is all sentences of its
    documents, whatever `pool` says. `pool` chooses between TREC's tables of judged updates.

    Raises:
        UsageError: no such folder, or one without judgments.
        FormatError: bad lines, all those of a file together.
    """
    from tidings.core import need_folder
    from tidings.sources.registry import choose

    chosen = choose("judgments", need_folder(folder))
    assert chosen is not None  # any folder will do for TREC's
    pools = {"pool": pool} if chosen.name == "trec" else {}
    judgments: Judgments = chosen.read(folder, problems=problems, **pools)
    return judgments


def read_stream(
    path: str | Path, *, pool: str = "sampled", problems: Problems | None = None, zone: str = ""
) -> Iterator[Document]:
    """The documents of a stream: a JSON Lines file or a folder of such, `-`, a folder of judgments, or a pool.

    A JSON Lines file is given out in its own order and in flat memory; a pool in time order, with each
    sentence naming the events it was pooled for. See `tidings.sources.streams.read_stream`.
    """
    from tidings.sources import streams

    return streams.read_stream(path, pool=pool, problems=problems, zone=zone)


def read_stream_places(
    path: str | Path,
    *,
    cursor: bytes = b"",
    pool: str = "sampled",
    problems: Problems | None = None,
    zone: str = "",
) -> Iterator[Document | Place] | None:
    """As `read_stream`, with a `Place` between documents now and then; `cursor` is what one gave, to go on there.

    None where the cursor cannot be trusted: the file was written anew, or has no such places.
    """
    from tidings.sources import streams

    return streams.read_stream_places(path, cursor=cursor, pool=pool, problems=problems, zone=zone)


def read_events(path: str | Path) -> list[Event]:
    """The events of a folder (TREC or tidings), of a topics file (.xml), or of an event file (.json, .jsonl).

    A TREC folder's events have the ids of its judgments (`TS14.11`); a topics file alone has its own (`11`).
    """
    from tidings.sources import streams

    return streams.read_events(path)


def read_runs(path: str | Path, *, problems: Problems | None = None) -> list[Run]:
    """The runs of a file, one for each team and run name: `.jsonl` holds tidings' updates, all else TREC columns.

    Where a run's file says where it is from (a line of kind `run`, or a card beside TREC columns), it is its `card`.

    Raises:
        FormatError: bad lines, all together; or no line at all.
    """
    from tidings.core import is_there
    from tidings.sources.registry import choose

    chosen = choose("updates", path)
    assert chosen is not None  # any name will do for TREC's
    runs: list[Run] = chosen.read(path, problems=problems)
    if chosen.name == "run" and str(path) != "-" and is_there(f"{path}.card.json"):
        from tidings.following import with_cards

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
    from tidings.sources.registry import FORMATS

    if form == "jsonl" or (form is None and FORMATS["updates"].is_name_of(path)):
        FORMATS["updates"].write(path, runs)
        return
    from tidings.core import is_regular
    from tidings.following import write_cards

    cards: dict[tuple[str, str], RunCard] = {}
    FORMATS["run"].write(path, _noting_cards(runs, cards))
    if is_regular(path):
        write_cards(path, [(team, name, card) for (team, name), card in cards.items()])


def _noting_cards(runs: Iterable[Run], cards: dict[tuple[str, str], RunCard]) -> Iterator[Run]:
    for run in runs:
        if run.card is not None:
            cards[run.team, run.name] = run.card
        yield run
