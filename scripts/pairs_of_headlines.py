"""Print how well two headlines of one development are told from two of a similar kind: the area under the curve.

python scripts/pairs_of_headlines.py --data ../shared/data

Forty pairs of items of feeds (labels/stories/pairs-of-headlines.tsv, chosen and read by a language model, 2026-11-27):
twenty of one development, twenty of two with the same people, places or kind of event. Compared by the share of stems
that both have (Jaccard), the cosine of tf-idf, and the evidence of `tidings stories`, of titles alone and of items.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from msgspec.structs import replace
from table_of_stories import LABELS, Read, read_feeds, weigh

from tidings.following.digests.relevance import dot
from tidings.following.grouping.document_features import read_many
from tidings.following.grouping.story_tracker import StoryTracker


def area(scores: list[tuple[float, bool]]) -> float:
    """The chance that a pair of one development scores above one of two; equal ones count half."""
    same = [score for score, one in scores if one]
    apart = [score for score, one in scores if not one]
    wins = sum((own > other) + (own == other) / 2 for own in same for other in apart)
    return wins / (len(same) * len(apart))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    feeds = read_feeds(parser.parse_args().data)
    with (LABELS / "pairs-of-headlines.tsv").open(encoding="utf-8") as file:
        pairs = [
            (row["document"], row["other"], row["same"] == "y")
            for row in csv.DictReader(file, delimiter="\t")
        ]
    titles = [replace(document, text="", sentences=()) for document, _ in feeds.read]
    print("| compared by | titles | items |\n|---|---|---|")
    figures: dict[str, list[float]] = {"Jaccard": [], "cosine of tf-idf": [], "evidence": []}
    read: Read
    for read in (list(zip(titles, read_many(titles), strict=True)), feeds.read):
        of = {document.id: (document, features) for document, features in read}
        tracker = StoryTracker()
        for document, features in read:
            tracker.push_features(document, features)
        scores: dict[str, list[tuple[float, bool]]] = {name: [] for name in figures}
        for name, other, same in pairs:
            (_, features), second = of[name], of[other]
            stems, others = set(features.words), set(second[1].words)
            scores["Jaccard"].append((len(stems & others) / len(stems | others), same))
            scores["cosine of tf-idf"].append((dot(weigh(features), weigh(second[1])), same))
            scores["evidence"].append((tracker.evidence_for(features, [second]), same))
        for name, values in scores.items():
            figures[name].append(area(values))
    for name, areas in figures.items():
        print(f"| {name} | " + " | ".join(f"{figure:.3f}" for figure in areas) + " |")


if __name__ == "__main__":
    main()
