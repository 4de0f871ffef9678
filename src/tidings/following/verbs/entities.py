"""`tidings entities`: rank who and where matters on each day of an event, through streams; write a line a day."""

from __future__ import annotations

from tidings.core import takes_options
from tidings.following.run_options import RunOptions
from tidings.following.verbs.options import run_settings
from tidings.following.verbs.run_report import follow_one_kind


@takes_options("entities")
def entities(options: RunOptions) -> None:
    """Rank the people, organizations and places that matter on each day of an event, new and salient ones first.

    Each day (UTC) is ranked when it has ended. Each entity has a type, a sentence that names it, and whether it is new.

    If a run is interrupted, the same command continues it.
    """
    from tidings.following.systems.registry import available_entities

    follow_one_kind(
        "day",
        str(options["system"]),
        available_entities(),
        lambda: run_settings(options, format="jsonl"),
        quiet=options["quiet"],
        show=options["show"],
    )
