"""`tidings cluster`: updates that say the same grouped by a program, where no person did."""

from __future__ import annotations

from pathlib import Path

from tidings.core import PoolName, described


@described(__file__)
def cluster(
    judgments: Path,
    out: Path,
    runs: list[str] | None = None,
    stream: list[str] | None = None,
    pool: PoolName = "sampled",
    relevant: bool = False,
    level: float = 0.18,
    least: int = 1,
) -> None:
    """Group updates that say the same thing, by their words, when no human clusters exist.

    Merges groups as long as the rare words shared by their updates make up, on average, enough of the shorter update.
    The clusters are silver: `tidings study` and the cluster scorers read them as they read people's.
    """
    from tidings.core import UsageError, need_folders, refuse_overwriting, say, waiting
    from tidings.evaluation.clustering import cluster_judgments, write_clusters
    from tidings.evaluation.scoring.runs import files_of_runs
    from tidings.evaluation.verbs.score_automatic import updates_of_runs
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
