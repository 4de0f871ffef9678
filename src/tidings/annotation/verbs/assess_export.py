"""`tidings assess export`: a project's judgments as files."""

from __future__ import annotations

from tidings.annotation.verbs.projects import project_named
from tidings.core import described, say
from tidings.web import VERB_OPTIONS

_COMPRESSIONS = {"": "", "gz": ".gz", "xz": ".xz", "zst": ".zst"}


@described(__file__, VERB_OPTIONS)
def assess_export(
    project: str,
    store: str,
    out: str,
    judge: str = "",
    layer: str = "",
    judged: bool = False,
    compress: str = "",
    anonymous: bool = False,
    overwrite: bool = False,
) -> None:
    """Export a project to a folder that `tidings score` and TREC's scorers read, with every judgment's history.

    Writes TREC's tables (nuggets, matches, updates_sampled, topics), any clusters, entities and links, and
    judgments.jsonl, from which `tidings assess import` restores the same project. export.json lists the files; the
    next export to this folder replaces them and removes those it no longer needs.
    """
    from tidings.annotation.desk.exchange.exporting import layer_of
    from tidings.annotation.desk.exchange.folders import FILES, MANIFEST, export_folder
    from tidings.annotation.store import Desk
    from tidings.core import FINAL, UsageError, how_many, layer_account, open_store, refuse_overwriting
    from tidings.evaluation import files_of_runs
    from tidings.following import steps_progress

    if judge and layer:
        raise UsageError("--judge and --layer cannot be combined: --judge NAME selects the layer of NAME.")
    if layer not in ("", FINAL) and layer_account(layer) is None:
        raise UsageError(f"--layer {layer}: choose final, or judge-N with the number of an account.")
    if compress not in _COMPRESSIONS:
        raise UsageError(f"--compress {compress}: choose gz, xz or zst.")
    ending = _COMPRESSIONS[compress]
    written = {*FILES, MANIFEST} | {name + ending for name in FILES}
    refuse_overwriting(
        {f"{name} of --out": f"{out}/{name}" for name in sorted(written)},
        {"the store": files_of_runs([store])},
    )
    with open_store(store, read_only=True) as opened, steps_progress("exporting") as moved:
        desk = Desk(opened)
        place = project_named(desk, project)
        done = export_folder(
            desk,
            place,
            out,
            layer=layer_of(desk, place, judge) if judge else layer or None,
            judged_only=judged,
            compressed=ending,
            anonymous=anonymous,
            overwrite=overwrite,
            advanced=lambda words: moved(0, 0, words),
        )
    for note in done.notes:
        say(note)
    given = done.judgments
    say(
        f"{out}: {how_many(len(given.events), 'topic')}, {how_many(len(given.nuggets), 'nugget')}, "
        f"{len(given.matches):,} matches, {how_many(len(given.clusters), 'cluster')}, "
        f"{how_many(len(given.pool), 'pooled update')}"
    )
    if done.unjudged and not (judge or layer or judged):
        say(f"{how_many(done.unjudged, 'pooled update')} not judged yet; scorers treat them as not relevant")
