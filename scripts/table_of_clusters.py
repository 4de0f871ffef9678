"""How like automatic clusters are to nuggets, to people's clusters, and in shape to those of tweets.

    python scripts/table_of_clusters.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014 --tweets ../shared/data

The level is chosen on the first collection: that of the highest mean ARI against the nuggets' four projections.
Compared are updates that are matched to a nugget (of the bundled event, that are in a cluster of a person's too);
figures are means over events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from math import comb
from pathlib import Path
from statistics import fmean, median

from frame import heading, parser as command_line

from tidings.core import NearDuplicates, PooledUpdate, shared_analyzer, shingles
from tidings.core.records import Cluster, Judgments
from tidings.evaluation.clustering import LEVEL, by_event, cluster_judgments
from tidings.evaluation.formats.tweets import read_tweet_clusters
from tidings.evaluation.measures.agreement import adjusted_mutual_information, adjusted_rand
from tidings.evaluation.measures.projection import RULES, project
from tidings.sources import bundled
from tidings.sources.streams import read_judgments


def pair_f1(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """F1 = 2 |A ∩ B| / (|A| + |B|) of the pairs of items that each of two clusterings puts together, 0 to 1.

    Args:
        one: the cluster of each item.
        other: the same by the other, in the same order.

    Returns:
        1 where neither puts any two together.

    >>> round(pair_f1("aab", "xxx"), 3), pair_f1("abc", "xyz"), pair_f1("aab", "xyz")
    (0.5, 1.0, 0.0)
    """
    both = sum(comb(count, 2) for count in Counter(zip(one, other, strict=True)).values())
    together = sum(comb(count, 2) for own in (one, other) for count in Counter(own).values())
    return 2 * both / together if together else 1.0


def copies(judgments: Judgments, *, apart: bool = False) -> tuple[Cluster, ...]:
    """Matched updates of the same text as clusters; `apart`: each update alone."""
    return tuple(
        cluster
        for event_id, updates in _match(judgments).items()
        for cluster in _group(
            event_id, ((update.id, update.id if apart else update.text) for update in updates)
        )
    )


def near_copies(judgments: Judgments, threshold: float = 0.5) -> tuple[Cluster, ...]:
    """Matched updates as clusters: each joins the first that has begun one and whose pairs of stems are alike enough.

    Alike is Jaccard's likeness of at least `threshold`.
    """
    stems = shared_analyzer("english").stems
    made: list[Cluster] = []
    for event_id, updates in _match(judgments).items():
        index = NearDuplicates(threshold=threshold)
        first = [
            (update.id, index.admit(update.id, shingles(stems(update.text)), 0) or update.id)
            for update in updates
        ]
        made += _group(event_id, first)
    return tuple(made)


def _match(judgments: Judgments) -> dict[str, list[PooledUpdate]]:
    matched = {(match.event_id, match.update_id) for match in judgments.matches}
    updates: dict[str, list[PooledUpdate]] = {}
    for update in judgments.pool:
        if (update.event_id, update.id) in matched:
            updates.setdefault(update.event_id, []).append(update)
    return updates


def _group(event_id: str, keys: Iterable[tuple[str, str]]) -> list[Cluster]:
    members: dict[str, list[str]] = {}
    for update, key in keys:
        members.setdefault(key, []).append(update)
    return [Cluster(event_id, f"c{number}", tuple(own)) for number, own in enumerate(members.values(), 1)]


LEVELS = (0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.25, 0.3)
TWEETS = ("ttg/2014/clusters.json.gz", "rts/2015/clusters-2015.json.gz", "rts/2016/batch-clusters.json.gz",
          "rts/2017/batch-clusters.json.gz")  # fmt: skip

Made = Callable[[Judgments], Sequence[Cluster]]
WAYS: dict[str, Made] = {
    "each update alone": lambda judged: copies(judged, apart=True),
    "copies": copies,
    "near copies (Jaccard .5)": near_copies,
    "automatic": lambda judged: cluster_judgments(judged, relevant=True),
}


def alike(one: Sequence[Cluster], other: Sequence[Cluster]) -> list[float]:
    """ARI, AMI (max) and F1 of pairs, means over the events of the first."""
    first, second = by_event(one), by_event(other)
    rows = []
    for event, labels in first.items():
        both = sorted(labels.keys() & second.get(event, {}).keys())
        if len(both) > 1:
            a, b = [labels[name] for name in both], [second[event][name] for name in both]
            rows.append((adjusted_rand(a, b), adjusted_mutual_information(a, b), pair_f1(a, b)))
    return [fmean(column) for column in zip(*rows, strict=True)]


def shape(clusters: Sequence[Cluster]) -> list[float]:
    """Clusters, updates of one (mean, median), share of clusters of one update, share of the largest; event means."""
    sizes: dict[str, list[int]] = {}
    for cluster in clusters:
        sizes.setdefault(cluster.event_id, []).append(len(cluster.update_ids))
    rows = [
        (len(own), fmean(own), median(own), sum(size == 1 for size in own) / len(own), max(own) / sum(own))
        for own in sizes.values()
    ]
    return [fmean(column) for column in zip(*rows, strict=True)]


def cells(values: Sequence[float]) -> str:
    """Figures of a row."""
    return " | ".join(f"{value:.3f}" for value in values)


def levels(judged: Judgments) -> Iterator[str]:
    """The mean ARI against each projection, by level."""
    yield f"| level | {' | '.join(RULES)} | mean |"
    yield "|---|" + "---:|" * (len(RULES) + 1)
    projections = [project(judged, rule) for rule in RULES]
    for level in LEVELS:
        made = cluster_judgments(judged, relevant=True, level=level)
        values = [alike(made, other)[0] for other in projections]
        yield f"| {level:g} | {cells([*values, fmean(values)])} |"


def against_nuggets(collections: Sequence[Judgments]) -> Iterator[str]:
    """Each way against two projections, by collection."""
    yield heading("clusters | year | ARI, highest grade | AMI | F1 | ARI, most popular | AMI | F1", 2)
    for judged in collections:
        projections = [project(judged, rule) for rule in ("highest-grade", "most-popular")]
        for name, way in WAYS.items():
            made = way(judged)
            values = [value for other in projections for value in alike(made, other)]
            yield f"| {name} | {judged.name} | {cells(values)} |"


def against_people() -> Iterator[str]:
    """The bundled event's clusters, against each way and each projection."""
    judged = read_judgments(bundled.path())
    yield heading("against the bundled event's clusters | ARI | AMI | F1 | clusters", 1)
    ways = {name: way(judged) for name, way in WAYS.items()}
    ways |= {f"nuggets, {rule}": project(judged, rule) for rule in RULES}
    for name, made in ways.items():
        yield f"| {name} | {cells(alike(made, judged.clusters))} | {len(made)} |"


def shapes(collections: Sequence[Judgments], tweets: Path | None) -> Iterator[str]:
    """How many clusters there are, and how large."""
    yield heading("clusters | of an event | updates, mean | median | of one update | share of the largest", 1)
    rows: dict[str, Sequence[Cluster]] = {}
    for judged in collections:
        rows[f"automatic, {judged.name}, matched updates"] = cluster_judgments(judged, relevant=True)
        rows[f"automatic, {judged.name}, all pooled updates"] = cluster_judgments(judged)
        rows[f"nuggets, most popular, {judged.name}"] = project(judged, "most-popular")
    own = read_judgments(bundled.path())
    rows |= {
        "people, bundled event": own.clusters,
        "automatic, bundled event": cluster_judgments(own, relevant=True),
    }
    for name in TWEETS if tweets else ():
        rows[f"people, tweets, {name.partition('/clus')[0].partition('/batch')[0]}"] = read_tweet_clusters(
            tweets / name
        )
    for name, clusters in rows.items():
        values = shape(clusters)
        whole = f"{values[0]:.1f} | {values[1]:.1f} | {values[2]:.1f}"
        yield f"| {name} | {whole} | {values[3]:.2f} | {values[4]:.2f} |"


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("chosen_on", type=Path)
    parser.add_argument("tested_on", type=Path)
    parser.add_argument("--tweets", type=Path, help="folder with ttg and rts")
    given = parser.parse_args()
    collections = [read_judgments(given.chosen_on), read_judgments(given.tested_on)]
    for part in (
        levels(collections[0]),
        against_nuggets(collections),
        against_people(),
        shapes(collections, given.tweets),
    ):
        for line in part:
            print(line, flush=True)
        print()
    print(f"level of the automatic ones: {LEVEL:g}")


if __name__ == "__main__":
    main()
