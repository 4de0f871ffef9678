"""How often suggested clusters are right, where a finished collection is judged again by time.

    python scripts/table_of_suggested_clusters.py ../shared/data/trec-ts/2014

Asked of every update that was matched and whose cluster is there already; means over topics. Clusters are made of
nuggets: each update belongs to the most important one that it tells (of equal ones to the earliest).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from frame import heading, parser as command_line

from tidings.core.text.tokens import shared_analyzer
from tidings.evaluation.selection.pool_texts import PoolTexts, TermMatrix, Terms
from tidings.evaluation.selection.simulation import JudgedTopic, judged_topics
from tidings.sources.streams import read_judgments


def likely_clusters(
    text: str, clusters: Mapping[str, Sequence[str]], names: Mapping[str, str], limit: int = 3
) -> list[str]:
    """The clusters that an update most likely belongs to, best first; none with which it shares no word.

    The score is the mean of three cosines: to the cluster's name, its likest update, and the sum of its updates.
    """
    if not clusters:
        return []
    stems = shared_analyzer("english").stems
    labels = [stems(names.get(cluster, "")) for cluster in clusters]
    members = [stems(words) for own in clusters.values() for words in own]
    owners = np.repeat(np.arange(len(clusters)), [len(own) for own in clusters.values()])
    terms = Terms([*labels, *members, stems(text)])
    asked = terms.matrix([stems(text)])
    rows = terms.matrix(members)
    cosines = rows.cosines(asked)[:, 0]
    nearest = np.zeros(len(clusters))
    np.maximum.at(nearest, owners, cosines)
    along = np.bincount(owners, cosines, len(clusters))
    scores = (
        terms.matrix(labels).cosines(asked)[:, 0] + nearest + along / lengths(rows, owners, len(clusters))
    )
    ranked = np.argsort(-scores, kind="stable")[:limit]
    ids = tuple(clusters)
    return [ids[number] for number in ranked if scores[number] > 0]


def lengths(rows: TermMatrix, owners: np.ndarray, count: int) -> np.ndarray:
    """Of each cluster the Euclidean length of the sum of its rows; 1 for an empty one."""
    places = owners[rows.rows] * rows.width + rows.columns
    different, inverse = np.unique(places, return_inverse=True)
    sums = np.bincount(inverse, rows.values, len(different))
    lengths = np.sqrt(np.bincount(different // max(rows.width, 1), sums * sums, count))
    return np.asarray(np.where(lengths > 0, lengths, 1.0))


def clusters_of(topic: JudgedTopic, named: bool) -> list[float]:
    """Of a topic: first right, one of three right, asked where the cluster is there already."""
    texts = PoolTexts(topic.pool)
    rank = {one.id: (-one.importance, one.time, place) for place, one in enumerate(topic.nuggets)}
    names = {one.id: one.text for one in topic.nuggets} if named else {}
    members: dict[str, list[str]] = {}
    first, three = [], []
    for candidate in texts.candidates:
        told = {
            nugget for copy in candidate.copies for nugget in topic.matches.get(copy, ()) if nugget in rank
        }
        if not told:
            continue
        own = min(told, key=rank.__getitem__)
        if own in members:
            ids = likely_clusters(candidate.text, members, names)
            first.append(float(ids[:1] == [own]))
            three.append(float(own in ids))
        members.setdefault(own, []).append(candidate.text)
    return [fmean(first), fmean(three)]


def lines(folder: Path) -> Iterator[str]:
    """The table."""
    topics = judged_topics(read_judgments(folder))
    yield heading("suggested | first right | one of three right", 1)
    for named in (True, False):
        rows = [clusters_of(topic, named) for topic in topics]
        means = [fmean(column) for column in zip(*rows, strict=True)]
        what = "clusters with names" if named else "clusters without names"
        yield f"| {what} | " + " | ".join(f"{value:.3f}" for value in means) + " |"


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    for line in lines(parser.parse_args().folder):
        print(line, flush=True)


if __name__ == "__main__":
    main()
