"""clusters.jsonl alone: clusters of updates without the documents that they come from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tidings.core import BadRecordError, Cluster, Problems, read_jsonl, write_jsonl
from tidings.sources import ClusterLine


def read_clusters(path: str | Path, *, problems: Problems | None = None) -> tuple[Cluster, ...]:
    """The clusters of a file; each line names its event.

    Raises:
        FormatError: bad lines, all together.
    """
    what = "a cluster: event, id, label, updates"
    return tuple(read_jsonl(path, ClusterLine, _build, problems=problems, what=what))


def write_clusters(path: str | Path, clusters: Iterable[Cluster]) -> None:
    """Write clusters, whole or not at all."""
    write_jsonl(
        path, (ClusterLine(one.event_id, one.id, list(one.update_ids), one.label) for one in clusters)
    )


def _build(line: ClusterLine) -> Cluster:
    if not line.event:
        raise BadRecordError("no event", "the event that the cluster is of", "add it to the line")
    return Cluster(line.event, line.id, tuple(line.updates), line.label)
