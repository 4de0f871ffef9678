"""`tidings report`: a report of an event, a citation for each sentence, from what was followed."""

from __future__ import annotations

from tidings.core import described

_STORE = "tidings.db"  # what `tidings serve` keeps by default


@described(__file__)
def report(
    event: str, out: str, run: str | None = None, run_name: str | None = None, most_words: int = 300
) -> None:
    """Write a report of a followed event: its updates in order, each citing the documents that support it.

    If not all updates fit, those that most outlets repeated are kept; of equals, the earlier one.
    """
    from pathlib import Path

    from tidings.core import UsageError, is_store, refuse_overwriting, say, write_jsonl
    from tidings.evaluation.report.cited_report import build_report
    from tidings.evaluation.scoring.runs import files_of_runs, read_runs
    from tidings.following import choose_event, choose_run, event_updates, of_event

    place, wanted = (run, event) if run is not None else (event, None)
    if run is None and not is_store(place) and not Path(place).exists():
        place, wanted = _STORE, event
        if not Path(place).exists():
            raise UsageError(f"{event}: no such run; name the run that followed it with --run RUN")
    refuse_overwriting({"--out": out}, {"the run": files_of_runs([place])})
    chosen_run = choose_run(read_runs(place), run_name, place)
    chosen = choose_event(chosen_run, [], wanted, place)
    updates = event_updates(chosen_run, chosen)
    if not updates:
        raise UsageError(f"{place}: no updates of {chosen.id}, so there is nothing to report")
    if lacking := sum(not update.text for update in updates):
        raise UsageError(
            f"{place}: {lacking:,} of {len(updates):,} updates have no text; follow with --out FILE.jsonl"
        )
    found = build_report(chosen, chosen_run, updates, of_event(chosen_run.supports, chosen), most_words)
    write_jsonl(out, [found])
    if out != "-":
        say(f"{out}: {len(found.responses):,} of {len(updates):,} updates", prefix="")
