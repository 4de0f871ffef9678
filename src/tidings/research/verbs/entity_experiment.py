"""What `tidings experiment` does with a plan of entities: the tables of the paper, each kept when it is made."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["run_entity_plan"]


def run_entity_plan(path: Path, *, dry_run: bool, so_far: bool, fresh: bool) -> None:
    """Make and print the tables that the plan asks for; those that are kept are not made again.

    Raises:
        FormatError, UsageError: the plan, or an event that it names, is not right.
        InterruptedRunError: it was stopped; the tables that were made are kept.
    """
    from tidings.core import InterruptedRunError, UsageError, clean, refuse_overwriting
    from tidings.following import steps_progress
    from tidings.research.experiments.entity_plan import read_entity_plan

    plan = read_entity_plan(path)
    refuse_overwriting(
        {f"output table-{table}.md": plan.path_of(table) for table in plan.tables},
        {"the plan": [path], "judgments": plan.folders},
    )
    kept = {table: None if fresh else plan.kept(table) for table in plan.tables}
    left = [table for table, text in kept.items() if text is None]
    if dry_run:
        for table in plan.tables:
            print(f"{'to do' if table in left else 'done '}  table {table}")  # noqa: T201
        return
    if left and not so_far:
        from tidings.research.experiments.entity_tables import EntityTables
        from tidings.research.training import load_events

        events = load_events(list(plan.folders))
        ids = [event.event.id for event in events]
        chosen = plan.event or ids[-1]
        if chosen not in ids:
            raise UsageError(f"{path}: found event {chosen!r}, expected one of {', '.join(ids)}")
        try:
            with steps_progress("entities") as watch:
                tables = EntityTables(events, watch)
                for line in tables.counts():
                    print(line, file=sys.stderr)  # noqa: T201
                for table in left:
                    kept[table] = plan.keep(table, tables.table(table, chosen, watch))
        except KeyboardInterrupt:
            raise InterruptedRunError(
                "interrupted; the tables made are kept, the same command goes on"
            ) from None
    if plan.title:
        print(f"{clean(plan.title)}\n")  # noqa: T201
    print("\n".join(text for text in kept.values() if text is not None), end="")  # noqa: T201
