"""The updates of runs with their words, wherever these stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import Judgments, PooledUpdate, Run

__all__ = ["updates_of_runs", "worded_updates"]


def worded_updates(
    judged: Judgments, runs: Iterable[Run], streams: Sequence[str]
) -> tuple[list[PooledUpdate], int]:
    """What runs told of judged events, each once and with its words; and how many lack them.

    Words are an update's own, else those of the pool, else those of the documents of `streams`.
    """
    from tidings.evaluation.matching import told_updates
    from tidings.following import known_texts
    from tidings.sources import read_stream

    updates = [update for run in runs for update in run.updates]
    texts = {one.id: one.text for one in judged.pool}
    if streams and (missing := [update for update in updates if not update.text and update.id not in texts]):
        texts |= {
            one: said.text for one, said in known_texts(missing, None, map(read_stream, streams)).items()
        }
    return told_updates(judged, updates, texts)


def updates_of_runs(judged: Judgments, runs: Sequence[str], streams: Sequence[str]) -> list[PooledUpdate]:
    """What the runs of these files told of judged events, as `worded_updates` finds it.

    How many have none is said.

    Raises:
        UsageError: not one has.
    """
    from tidings.core import UsageError, say
    from tidings.evaluation.scoring.runs import read_runs

    worded, wordless = worded_updates(judged, [run for path in runs for run in read_runs(path)], streams)
    if wordless:
        say(f"left out {wordless:,} updates whose words stand nowhere; name the documents with --stream")
    if not worded:
        raise UsageError(
            f"{runs[0]}: found no update of a judged event with its words, expected some; "
            "give the documents with --stream, or other judgments"
        )
    return worded
