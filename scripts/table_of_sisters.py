"""Print how well an event is told from a sister event of its kind in ECB+ (odd topics): the area under the curve.

python scripts/table_of_sisters.py --data ../shared/data

Each topic has two events of one kind. A document is compared with the story of its own event (without itself) and with
the story of the sister event: by the evidence for joining that `tidings stories` uses, and by the cosine of tf-idf. The
area is the chance that a comparison with the own story scores above one with a sister's, over all documents; the
interval is the middle 95 % of 1,000 resamplings of topics.
"""

from __future__ import annotations

import argparse
import random
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from table_of_stories import read_ecb, weigh

from tidings.following.digests.relevance import dot, unit
from tidings.following.grouping.document_features import read_many
from tidings.following.grouping.story_tracker import StoryTracker

Scores = dict[str, tuple[list[float], list[float]]]
"""By topic, the scores of comparisons with the own story and with a sister's."""


def area(scores: Scores, topics: Sequence[str]) -> float:
    """The chance that an own score is above a sister's; equal ones count half."""
    own = [score for topic in topics for score in scores[topic][0]]
    other = sorted(score for topic in topics for score in scores[topic][1])
    wins = sum(bisect_left(other, score) + bisect_right(other, score) for score in own)
    return wins / (2 * len(own) * len(other))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    path = parser.parse_args().data / "stories/ecbplus.jsonl.gz"
    print("| documents | compared by | area under the curve | 95 % |\n|---|---|---|---|")
    for kind in ("full", "snippet", "title"):
        documents, gold = read_ecb(path, kind)
        read = list(zip(documents, read_many(documents), strict=True))
        events: dict[str, list[int]] = defaultdict(list)
        for number, document in enumerate(documents):
            events[gold[document.id]].append(number)
        topic_of = {event: documents[members[0]].id.split("_")[0] for event, members in events.items()}
        topics = sorted(set(topic_of.values()))
        tracker = StoryTracker()
        for document, features in read:
            tracker.push_features(document, features)
        by_evidence: Scores = {topic: ([], []) for topic in topics}
        by_cosine: Scores = {topic: ([], []) for topic in topics}
        vectors = [weigh(features) for _, features in read]
        for number, (document, features) in enumerate(read):
            event = gold[document.id]
            for other, members in events.items():
                others = [member for member in members if member != number]
                if topic_of[other] != topic_of[event] or not others:
                    continue
                place = 0 if other == event else 1
                score = tracker.evidence_for(features, [read[member] for member in others])
                by_evidence[topic_of[event]][place].append(score)
                total: dict[str, float] = {}
                for member in others:
                    for stem, weight in vectors[member].items():
                        total[stem] = total.get(stem, 0.0) + weight
                by_cosine[topic_of[event]][place].append(dot(vectors[number], unit(total)))
        for name, scores in (("evidence for joining", by_evidence), ("cosine of tf-idf", by_cosine)):
            chance = random.Random(1)
            areas = sorted(area(scores, chance.choices(topics, k=len(topics))) for _ in range(1_000))
            print(f"| {kind} | {name} | {area(scores, topics):.3f} | {areas[25]:.3f}–{areas[974]:.3f} |")


if __name__ == "__main__":
    main()
