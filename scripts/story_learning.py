"""Learn what each clue counts that two groups of documents are one story, and print how that does on topics left out.

python scripts/story_learning.py --data ../shared/data

Logistic regression over pairs of groups: parts of one story, or of two, of which one is the sister or among the twelve
nearest. The stories are those of ECB+ (odd topics: full texts, snippets and titles) and of the labelled days of the
feeds (labels/stories). With --folds, every topic of ECB+ is grouped by weights that were learned without it. Those that
are used stand in src/tidings/following/grouping/evidence.py.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from statistics import mean

import numpy as np
from table_of_stories import (
    KINDS,
    Read,
    bcubed,
    by_tracker,
    orders_of,
    pairs_found,
    read_ecb,
    read_feeds,
    shares,
)

from tidings.following.grouping import evidence
from tidings.following.grouping.document_features import read_many
from tidings.following.grouping.evidence import CLUES, Traits, clues, join_traits
from tidings.following.grouping.story_tracker import StoryTracker

FOLDS = 7
PENALTY = 5.0
SIZES = (1, 1, 2, 3, 5, 8, 12)  # documents of a group that another one is compared with
PARTS = (1, 1, 1, 1, 2, 3, 5)  # … and of that other one
NEAREST = 12
BY_HAND = "large × words"  # no group here is that large
TIMES = 12  # that a story is parted at most

Pairs = tuple[np.ndarray, np.ndarray, np.ndarray]
"""The clues of each pair, whether it is one story, and the topic."""


def topic_of(story: str) -> str:
    """Of ECB+ the topic; of a story of the feeds one of seven parts."""
    if story.endswith(("ecb", "ecbplus")):
        return story.removesuffix("plus").removesuffix("ecb")
    return f"feeds{zlib.crc32(story.encode()) % FOLDS}"


def pairs(read: Read, gold: Mapping[str, str], seed: int) -> Pairs:
    """Pairs of groups of labelled documents."""
    chance = random.Random(seed)
    tracker = StoryTracker()
    tracker._documents = len(read)
    for _, features in read:
        tracker._traits(features, counted=True)
    stories: dict[str, list[Traits]] = defaultdict(list)
    for document, features in read:
        if document.id in gold:
            traits = tracker._traits(features, document.published_time)
            stories[gold[document.id]].append(traits)
    whole = {story: reduce(join_traits, members) for story, members in stories.items()}
    rows, same, topics = [], [], []

    def add(group: Traits, others: Sequence[Traits], story: str, *, one: bool) -> None:
        rows.append(clues(group, reduce(join_traits, others)))
        same.append(one)
        topics.append(topic_of(story))

    for story in sorted(set(gold.values())):
        members = stories[story]
        near = sorted(
            (other for other in whole if other != story),
            key=lambda other: -_cosine(whole[story], whole[other]),
        )
        for _ in range(2 * min(len(members), TIMES)):
            chance.shuffle(members)
            size = min(chance.choice(PARTS), max(1, len(members) // 2))
            group = reduce(join_traits, members[:size])
            rest = members[size:]
            if rest:
                add(group, rest[: chance.choice(SIZES)], story, one=True)
            nearest = sorted(near[:40], key=lambda other: -_cosine(group, whole[other]))[:NEAREST]
            for other in dict.fromkeys([near[0], *nearest[:2], *chance.sample(nearest[2:], 3)]):
                others = stories[other]
                add(group, chance.sample(others, min(chance.choice(SIZES), len(others))), story, one=False)
    return np.array(rows), np.array(same, float), np.array(topics)


def _cosine(traits: Traits, others: Traits) -> float:
    return clues(traits, others)[1]


def fit(rows: np.ndarray, same: np.ndarray) -> np.ndarray:
    """The weights of a logistic regression with a penalty on their squares, by Newton's method."""
    centre, spread = rows.mean(0), rows.std(0)
    spread[spread == 0] = 1.0
    centre[0] = 0.0
    scaled = (rows - centre) / spread
    penalty = np.eye(rows.shape[1]) * PENALTY
    penalty[0, 0] = 1e-6
    weights = np.zeros(rows.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(scaled @ weights, -30, 30)))
        slope = scaled.T @ (chance - same) + penalty @ weights
        curve = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + penalty
        weights = weights - np.linalg.solve(curve, slope)
    found = weights / spread
    found[0] = weights[0] - (weights[1:] * centre[1:] / spread[1:]).sum()
    return found


def learned(parts: Sequence[Pairs], left_out: Sequence[str] = ()) -> np.ndarray:
    """The weights from all pairs but those of some topics."""
    kept = [~np.isin(topics, left_out) for _, _, topics in parts]
    rows = np.vstack([rows[keep] for (rows, _, _), keep in zip(parts, kept, strict=True)])
    same = np.concatenate([same[keep] for (_, same, _), keep in zip(parts, kept, strict=True)])
    return fit(rows, same)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument(
        "--folds", action="store_true", help="group every topic by weights learned without it"
    )
    options = parser.parse_args()
    texts = {}
    for kind in KINDS:
        documents, gold = read_ecb(options.data / "stories/ecbplus.jsonl.gz", kind)
        texts[kind] = list(zip(documents, read_many(documents), strict=True)), gold
    feeds = read_feeds(options.data)
    texts["feeds"] = feeds.read, feeds.stories
    parts = [pairs(read, gold, 5) for read, gold in texts.values()]
    parts += [
        pairs(feeds.read, feeds.stories, seed) for seed in (6, 7, 8)
    ]  # they are few, and what is read most
    if not options.folds:
        for clue, weight in zip(CLUES, learned(parts), strict=True):
            if clue != BY_HAND:
                print(f'    "{clue}": {weight:.2f},')
        return
    print("| documents | precision | recall | F1 | lowest–highest fold |\n|---|---|---|---|---|")
    topics = {kind: sorted({topic_of(story) for story in gold.values()}) for kind, (_, gold) in texts.items()}
    figures = defaultdict(list)
    both = Counter[str]()
    for fold in range(FOLDS):
        left_out = {kind: names[fold::FOLDS] for kind, names in topics.items()}
        weights = learned(parts, [*left_out["full"], *left_out["feeds"]])
        weights[list(CLUES).index(BY_HAND)] = CLUES[BY_HAND]
        evidence._WEIGHTS = tuple(weights)
        for kind, (read, gold) in texts.items():
            names = [name for name, story in gold.items() if topic_of(story) in left_out[kind]]
            for order in [read] * 2 if kind == "feeds" else orders_of(read, 2):
                found = by_tracker(order)
                figures[kind].append((len(names), bcubed(found, gold, names)))
            if kind == "feeds":
                both += pairs_found(found, feeds, names)
    for kind, results in figures.items():
        total = sum(size for size, _ in results)
        precision, recall = (sum(size * row[place] for size, row in results) / total for place in (0, 1))
        f1 = 2 * precision * recall / (precision + recall)
        folds = [mean(row[2] for _, row in results[place : place + 2]) for place in range(0, 2 * FOLDS, 2)]
        print(f"| {kind} | {precision:.3f} | {recall:.3f} | {f1:.3f} | {min(folds):.3f}–{max(folds):.3f} |")
    strict, lenient, recall = shares(both)
    print(f"\npairs of the feeds: strict {strict:.2f}, lenient {lenient:.2f}, recall {recall:.2f}")


if __name__ == "__main__":
    main()
