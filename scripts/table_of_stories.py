"""Print how well stories are found in ECB+ (odd topics), beside grouping by titles, by a centroid and by single links.

python scripts/table_of_stories.py --data ../shared/data

B-cubed precision, recall and F1, means over shuffled orders (the documents have no times), each story of ECB+ being one
development; two sister stories of one kind stand in each topic. The interval is that of F1 over orders, lowest and
highest. The baselines' thresholds are the best ones for these very documents; those of the tracker were set elsewhere.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean

from tidings.core import Document, shared_analyzer
from tidings.following.background import background
from tidings.following.digests.relevance import dot, unit
from tidings.following.grouping.features import DocumentFeatures, read_many
from tidings.following.grouping.tracker import StoryTracker

ORDERS = 6
Grouper = Callable[[Sequence[tuple[Document, DocumentFeatures]]], dict[str, str]]


def read_ecb(path: Path, kind: str) -> tuple[list[Document], dict[str, str]]:
    """The documents (full texts, the first two lines as snippets, or titles alone), and the story of each."""
    documents, gold = [], {}
    for line in gzip.decompress(path.read_bytes()).splitlines():
        record = json.loads(line)
        lines = [text for text in record["sentences"] if not text.startswith("http")]
        text = "\n".join(lines[1 : {"full": None, "snippet": 2, "title": 1}[kind]])
        documents.append(Document(id=record["id"], published_time=0, title=lines[0], text=text))
        gold[record["id"]] = record["event"]
    return documents, gold


def by_tracker(read: Sequence[tuple[Document, DocumentFeatures]]) -> dict[str, str]:
    """As `tidings stories` groups them."""
    tracker = StoryTracker()
    for document, features in read:
        tracker.push_features(document, features)
    return {name: story.story for story in tracker.stories() for name in story.documents}


def by_titles(read: Sequence[tuple[Document, DocumentFeatures]]) -> dict[str, str]:
    """Documents whose titles share at least 60 % of their stems."""
    groups: list[tuple[str, frozenset[str]]] = []
    found = {}
    for document, features in read:
        stems = frozenset(shared_analyzer().stems(features.title))
        same = (name for name, held in groups if len(stems & held) >= 0.6 * max(1, len(stems | held)))
        found[document.id] = next(same, document.id)
        groups.append((found[document.id], stems))
    return found


def by_likeness(level: float, *, single: bool) -> Grouper:
    """Documents joined to the group whose centroid (or whose nearest member) has a cosine of `level` or more."""

    def group(read: Sequence[tuple[Document, DocumentFeatures]]) -> dict[str, str]:
        vectors: dict[str, list[Mapping[str, float]]] = {}
        found = {}
        for document, features in read:
            vector = weigh(features)
            best, where = 0.0, document.id
            for name, held in vectors.items():
                likeness = max(dot(vector, other) for other in held)
                if likeness > best:
                    best, where = likeness, name
            if best < level:
                where = document.id
            found[document.id] = where
            if single or where not in vectors:
                vectors.setdefault(where, []).append(vector)
            else:
                total = dict(vectors[where][0])
                for stem, weight in vector.items():
                    total[stem] = total.get(stem, 0.0) + weight
                vectors[where] = [unit(total)]
        return found

    return group


def weigh(features: DocumentFeatures) -> dict[str, float]:
    """The tf-idf vector of a document, at length 1."""
    from math import log

    shares = background()
    return dict(
        unit(
            {
                stem: (1 + log(count)) * log(1001 / (shares.get(stem, 0.0) + 0.5))
                for stem, count in features.words.items()
            }
        )
    )


def bcubed(found: Mapping[str, str], gold: Mapping[str, str]) -> tuple[float, float, float]:
    """B-cubed precision, recall and F1 (Bagga and Baldwin 1998)."""
    members: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name in gold:
        members["found", found[name]].add(name)
        members["gold", gold[name]].add(name)
    precisions, recalls = [], []
    for name in gold:
        group, story = members["found", found[name]], members["gold", gold[name]]
        precisions.append(len(group & story) / len(group))
        recalls.append(len(group & story) / len(story))
    precision, recall = mean(precisions), mean(recalls)
    return precision, recall, 2 * precision * recall / (precision + recall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    path = parser.parse_args().data / "stories/ecbplus.jsonl.gz"
    print("| documents | grouped by | precision | recall | F1 | lowest–highest |\n|---|---|---|---|---|---|")
    for kind in ("full", "snippet", "title"):
        documents, gold = read_ecb(path, kind)
        read = list(zip(documents, read_many(documents), strict=True))
        orders = []
        for seed in range(ORDERS):
            order = list(read)
            random.Random(seed).shuffle(order)
            orders.append(order)
        tried: list[tuple[str, Sequence[Grouper]]] = [
            ("`tidings stories`", [by_tracker]),
            ("tf-idf centroid", [by_likeness(level / 100, single=False) for level in range(10, 45, 5)]),
            ("single link", [by_likeness(level / 100, single=True) for level in range(15, 55, 5)]),
            ("near-equal titles", [by_titles]),
        ]
        for name, groupers in tried:
            results = [[bcubed(grouper(order), gold) for order in orders] for grouper in groupers]
            best = max(results, key=lambda result: mean(f1 for _, _, f1 in result))
            figures = " | ".join(f"{mean(column):.3f}" for column in zip(*best, strict=True))
            f1s = [f1 for _, _, f1 in best]
            print(f"| {kind} | {name} | {figures} | {min(f1s):.3f}–{max(f1s):.3f} |")


if __name__ == "__main__":
    main()
