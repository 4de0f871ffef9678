"""`tidings cluster`: updates that say the same grouped by a program, where no person did."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tidings.core import PoolOption, StreamOption


def cluster(
    judgments: Annotated[
        Path, typer.Option("--judgments", "-j", help="Folder of events with a pool.", show_default=False)
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Where the clusters go (.jsonl).", show_default=False
        ),
    ],
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN...]",
            help="Updates to be grouped beside the pooled ones: updates (.jsonl), TREC runs, or stores.",
            show_default=False,
        ),
    ] = None,
    stream: StreamOption = None,
    pool: PoolOption = "sampled",
    relevant: Annotated[
        bool,
        typer.Option("--relevant", help="Of the pooled updates only those that are matched to a nugget."),
    ] = False,
    level: Annotated[
        float, typer.Option(min=0.01, max=1.0, help="Mean likeness from which on two groups are one.")
    ] = 0.18,
    least: Annotated[int, typer.Option(min=1, help="Clusters of fewer updates are left out.")] = 1,
) -> None:
    """Group the updates that say the same, by their words: clusters as people make them, where nobody made any.

    Groups are merged while the rare words that their updates share are, on average, a large enough part of the shorter
    one's. The clusters are silver: `tidings study` and the cluster scorers read them as they read people's.
    """
    from tidings.core import UsageError, need_folders, refuse_overwriting, say, waiting
    from tidings.evaluation.clustering import cluster_judgments
    from tidings.evaluation.formats.clusters import write_clusters
    from tidings.evaluation.scoring.runs import files_of_runs
    from tidings.evaluation.verbs.automatic_matches import updates_of_runs
    from tidings.sources import read_judgments

    need_folders(out)
    refuse_overwriting(
        {"--out": out},
        {"a run": files_of_runs(runs or []), "judgments": [judgments], "a stream": stream or ()},
    )
    with waiting("reading"):
        judged = read_judgments(judgments, pool=pool)
    if not judged.pool:
        raise UsageError(f"{judgments}: no pooled updates to group")
    if relevant and not judged.matches:
        raise UsageError(
            f"{judgments}: --relevant needs updates that are matched to nuggets, and there are none"
        )
    further = updates_of_runs(judged, runs, stream or []) if runs else ()
    with waiting("grouping"):
        clusters = cluster_judgments(judged, further, relevant=relevant, level=level, least=least)
    write_clusters(out, clusters)
    updates = sum(len(cluster.update_ids) for cluster in clusters)
    say(f"{len(clusters):,} clusters of {updates:,} updates are in {out}", prefix="")
