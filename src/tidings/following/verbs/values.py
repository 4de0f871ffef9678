"""`tidings values`: track how many died, were hurt, are missing, … through streams; write what changes."""

from __future__ import annotations

from tidings.core import takes_options
from tidings.following.run_options import RunOptions
from tidings.following.verbs.options import run_settings
from tidings.following.verbs.run_report import follow_one_kind


@takes_options("values")
def values(options: RunOptions) -> None:
    """Track the current numbers of events through sources: deaths, injuries, missing, displaced, arrested, damage.

    If a run is interrupted, the same command continues it.
    """
    from tidings.following.systems.registry import available_values, with_option

    system = str(options["system"])
    follow_one_kind(
        "value",
        system,
        available_values(),
        lambda: run_settings(
            options,
            system=with_option(system, "places", "yes") if options["places"] else system,
            format="values" if options["format"] == "trec" else "jsonl",
        ),
        quiet=options["quiet"],
        show=options["show"],
    )
