"""`tidings store marks`: what readers marked on live pages, as judgments."""

from __future__ import annotations

from pathlib import Path

from tidings.core import described


@described(__file__)
def store_marks(
    folder: Path,
    store: str = "tidings.db",
    run: str = "live",
) -> None:
    """Write what readers marked on live pages as a folder of judgments, for `tidings train`.

    For each event with marks, the updates up to the last marked one are judged: unmarked ones count as news, those
    marked off topic as no nugget, and those already known as repeats of the most similar update.
    """
    from tidings.core import OutputError, UsageError, open_store, say
    from tidings.live.marks import judgments_of_marks, marks_in_effect
    from tidings.live.store import LiveStore
    from tidings.sources import write_own_judgments

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"{folder} is not empty. Choose a new or empty folder.")
    with open_store(store, read_only=True) as opened:
        live = LiveStore(opened, run)
        live.outputs.check()
        marks = marks_in_effect(live.events.log())
        updates = [update for update in opened.updates(run) if update.event_id in marks] if marks else []
        judged = judgments_of_marks(live.outputs.events(), updates, marks, name=folder.name)
    if not judged.events:
        raise UsageError(
            f"{store}: no reader has marked an update of run {run!r} yet. Readers who are signed in do that on the "
            "pages of `tidings serve`."
        )
    write_own_judgments(folder, judged)
    count = sum(update.id in marks[update.event_id] for update in judged.pool)
    say(
        f"{folder} has {len(judged.pool):,} updates of {len(judged.events)} event{'s' * (len(judged.events) != 1)}, "
        f"judged by {count:,} mark{'s' * (count != 1)}"
    )
