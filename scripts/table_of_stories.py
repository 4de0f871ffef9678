"""Print how well stories are found in ECB+ (odd topics) and in three days of feeds, beside three simpler ways.

python scripts/table_of_stories.py --data ../shared/data [--only ecb|feeds|long]

B-cubed precision, recall and F1. The documents of ECB+ have no times: means over shuffled orders; each story of ECB+ is
one development, and two sister stories of one kind stand in each topic. Pairs: how many of those put together are one
development, and how many of one development are together; of the feeds (labels/stories, first reading) also how many
are at least one running story. Intervals are the middle 95 % of 1,000 resamplings of stories.
The thresholds of the baselines are the best ones for these very documents. `long`: the streams of Timeline17, of other
outlets and of persons merged in time, each being one story.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from digest_weights import read_articles
from msgspec.structs import replace

import tidings
from tidings.core import Document, shared_analyzer
from tidings.following.background import background
from tidings.following.digests.relevance import dot, unit
from tidings.following.grouping.document_features import DocumentFeatures, read_many
from tidings.following.grouping.story_tracker import StoryTracker

ORDERS = 6
SAME = {"H1N1_guardian": "H1N1_bbc", "bpoil_foxnews": "bpoil_bbc"}  # streams of one story
KINDS = ("full", "snippet", "title")
LABELS = Path(__file__).parents[1] / "labels/stories"
Read = Sequence[tuple[Document, DocumentFeatures]]
Grouper = Callable[[Read], dict[str, str]]


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


@dataclass
class LabelledFeeds:
    """The items of the feeds in order, and of those that are labelled the development and the running story."""

    read: list[tuple[Document, DocumentFeatures]]
    stories: dict[str, str]
    running: dict[str, str]


def read_feeds(data: Path, reading: str = "first") -> LabelledFeeds:
    """The feeds and their labels; an item by itself is a story of its own."""
    documents = sorted(
        tidings.read_documents(data / "feeds/news"), key=lambda item: (item.published_time, item.id)
    )
    stories, running = {}, {}
    with (LABELS / f"{reading}-reading.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            stories[row["document"]] = row["story"] or row["document"]
            running[row["document"]] = row["running"] or row["document"]
    return LabelledFeeds(list(zip(documents, read_many(documents), strict=True)), stories, running)


def orders_of(read: Read, count: int) -> list[Read]:
    """The documents in so many shuffled orders."""
    orders = []
    for seed in range(count):
        order = list(read)
        random.Random(seed).shuffle(order)
        orders.append(order)
    return orders


def by_tracker(read: Read) -> dict[str, str]:
    """As `tidings stories` groups them."""
    tracker = StoryTracker()
    for document, features in read:
        tracker.push_features(document, features)
    found = (*tracker.stories(), *tracker.take_closed())
    return {name: story.story for story in found for name in story.documents}


def by_titles(read: Read) -> dict[str, str]:
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

    def group(read: Read) -> dict[str, str]:
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


def bcubed(
    found: Mapping[str, str], gold: Mapping[str, str], names: Sequence[str] | None = None
) -> tuple[float, float, float]:
    """B-cubed precision, recall and F1 (Bagga and Baldwin 1998) of these documents, by default all."""
    members: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name in gold:
        members["found", found[name]].add(name)
        members["gold", gold[name]].add(name)
    precisions, recalls = [], []
    for name in gold if names is None else names:
        group, story = members["found", found[name]], members["gold", gold[name]]
        precisions.append(len(group & story) / len(group))
        recalls.append(len(group & story) / len(story))
    precision, recall = mean(precisions), mean(recalls)
    return precision, recall, 2 * precision * recall / (precision + recall)


def pairs_found(found: Mapping[str, str], feeds: LabelledFeeds, names: Iterable[str]) -> Counter[str]:
    """How many pairs of these items and any others are together, right, near, and how many should be."""
    both = Counter[str]()
    for name in names:
        for other in feeds.stories:
            if other == name:
                continue
            same = feeds.stories[name] == feeds.stories[other]
            both["same"] += same
            if found[name] == found[other]:
                both["found"] += 1
                both["right"] += same
                both["near"] += same or feeds.running[name] == feeds.running[other]
    return both


def shares(both: Mapping[str, float]) -> tuple[float, float, float]:
    """Of the pairs put together, the share of one development and of one running story; of the first, those found."""
    of = max(1, both["found"])
    return both["right"] / of, both["near"] / of, both["right"] / max(1, both["same"])


def baselines() -> list[tuple[str, Sequence[Grouper]]]:
    """The simpler ways, with the levels from which the best one is taken."""
    return [
        ("tf-idf centroid", [by_likeness(level / 100, single=False) for level in range(10, 45, 5)]),
        ("single link", [by_likeness(level / 100, single=True) for level in range(15, 55, 5)]),
        ("near-equal titles", [by_titles]),
    ]


def table_of_ecb(data: Path) -> None:
    """ECB+ by full texts, snippets and titles."""
    print("| documents | grouped by | precision | recall | F1 | 95 % | pairs: right | recall |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in KINDS:
        documents, gold = read_ecb(data / "stories/ecbplus.jsonl.gz", kind)
        orders = orders_of(list(zip(documents, read_many(documents), strict=True)), ORDERS)
        for name, groupers in [("`tidings stories`", [by_tracker]), *baselines()]:
            results = [[grouper(order) for order in orders] for grouper in groupers]
            best = max(results, key=lambda found: mean(bcubed(each, gold)[2] for each in found))
            columns = zip(*(bcubed(each, gold) for each in best), strict=True)
            figures = " | ".join(f"{mean(column):.3f}" for column in columns)
            low, high = interval_of(best, gold)
            strict, _, recall = shares_of_pairs(best, LabelledFeeds([], gold, gold))
            print(f"| {kind} | {name} | {figures} | {low:.3f}–{high:.3f} | {strict} | {recall} |")


def table_of_feeds(data: Path) -> None:
    """The labelled days of the feeds."""
    print("| grouped by | precision | recall | F1 | 95 % | pairs: strict | lenient | recall |")
    print("|---|---|---|---|---|---|---|---|")
    feeds = read_feeds(data)
    for name, groupers in [("`tidings stories`", [by_tracker]), *baselines()]:
        results = [grouper(feeds.read) for grouper in groupers]
        best = max(results, key=lambda found: bcubed(found, feeds.stories)[2])
        figures = " | ".join(f"{figure:.3f}" for figure in bcubed(best, feeds.stories))
        low, high = interval_of([best], feeds.stories)
        pairs = " | ".join(shares_of_pairs([best], feeds))
        print(f"| {name} | {figures} | {low:.3f}–{high:.3f} | {pairs} |")


def table_of_disorder(data: Path) -> None:
    """The labelled feeds, otherwise: shuffled within six hours, each item twice, and titles alone."""
    feeds = read_feeds(data)
    titles = [replace(document, text="", sentences=()) for document, _ in feeds.read]
    shuffled = [within_hours(feeds.read, 6, seed) for seed in range(5)]
    twice = [
        item
        for document, features in feeds.read
        for item in ((document, features), (replace(document, id=document.id + "/again"), features))
    ]
    ways: dict[str, list[Read]] = {
        "as they came": [feeds.read],
        "shuffled within six hours, mean of five": shuffled,
        "each item twice, from another address": [twice],
        "titles alone": [list(zip(titles, read_many(titles), strict=True))],
    }
    print("| feeds | precision | recall | F1 | copies in one story |\n|---|---|---|---|---|")
    for name, orders in ways.items():
        found = [by_tracker(order) for order in orders]
        figures = [
            mean(column) for column in zip(*(bcubed(each, feeds.stories) for each in found), strict=True)
        ]
        again = [
            own == found[0][key + "/again"] for key, own in found[0].items() if key + "/again" in found[0]
        ]
        copies = f"{mean(again):.3f}" if again else "–"
        print(f"| {name} | " + " | ".join(f"{figure:.3f}" for figure in figures) + f" | {copies} |")


def within_hours(read: Read, hours: int, seed: int) -> Read:
    """The documents in the order of their times, each late by up to so many hours."""
    chance = random.Random(seed)
    late = [document.published_time + chance.random() * hours * 3600 for document, _ in read]
    return [read[number] for number in sorted(range(len(read)), key=lambda number: (late[number], number))]


def interval_of(found: Sequence[Mapping[str, str]], gold: Mapping[str, str]) -> tuple[float, float]:
    """The middle 95 % of F1, the mean over these groupings, where stories are drawn again."""
    each = {}
    for story, names in names_of(gold).items():
        columns = zip(*(bcubed(grouping, gold, names) for grouping in found), strict=True)
        precision, recall, _ = (mean(column) * len(names) for column in columns)
        each[story] = {"count": len(names), "precision": precision, "recall": recall}

    def f1(sums: Mapping[str, float]) -> float:
        return 2 * sums["precision"] * sums["recall"] / (sums["precision"] + sums["recall"]) / sums["count"]

    return middle(each, lambda sums: (f1(sums),))[0]


def shares_of_pairs(found: Sequence[Mapping[str, str]], feeds: LabelledFeeds) -> list[str]:
    """Strict and lenient precision and recall of pairs over these groupings, each with its interval."""
    each = {
        story: sum((pairs_found(grouping, feeds, names) for grouping in found), Counter[str]())
        for story, names in names_of(feeds.stories).items()
    }
    values = shares(sum(each.values(), Counter[str]()))
    return [
        f"{value:.2f} ({low:.2f}–{high:.2f})"
        for value, (low, high) in zip(values, middle(each, shares), strict=True)
    ]


def names_of(gold: Mapping[str, str]) -> dict[str, list[str]]:
    """The documents of each story."""
    stories: dict[str, list[str]] = defaultdict(list)
    for name, story in gold.items():
        stories[story].append(name)
    return stories


def middle(
    each: Mapping[str, Mapping[str, float]],
    figures: Callable[[Mapping[str, float]], Sequence[float]],
    rounds: int = 1_000,
) -> list[tuple[float, float]]:
    """The middle 95 % of figures made of sums over stories, where stories are drawn again."""
    chance, keys, drawn = random.Random(1), sorted(each), []
    names = sorted({name for sums in each.values() for name in sums})
    for _ in range(rounds):
        chosen = chance.choices(keys, k=len(keys))
        drawn.append(figures({name: sum(each[key].get(name, 0) for key in chosen) for name in names}))
    columns = [sorted(column) for column in zip(*drawn, strict=True)]
    return [(column[int(0.025 * rounds)], column[int(0.975 * rounds) - 1]) for column in columns]


def read_long(data: Path, pattern: str = "tls*/*/*.jsonl.gz") -> tuple[list[Document], dict[str, str]]:
    """The documents of streams that are one story each, merged in time, and the stream of each."""
    documents, gold = [], {}
    for path in sorted(data.glob(pattern)):
        stream = path.parent.name
        articles = read_articles(path) if path.name == "articles.jsonl.gz" else tidings.read_documents(path)
        for number, article in enumerate(articles):
            document = replace(article, id=f"{stream}/{number}", source=article.source or stream)
            documents.append(document)
            gold[document.id] = SAME.get(stream, stream)
    documents.sort(key=lambda document: (document.published_time, document.id))
    return documents, gold


def table_of_long_stories(data: Path) -> None:
    """Streams of months and years merged in time: purity, and the largest piece of each."""
    documents, gold = read_long(data)
    tracker = StoryTracker()
    for document, features in zip(documents, read_many(documents), strict=True):
        tracker.push_features(document, features)
    found = {
        name: story.story
        for story in (*tracker.stories(), *tracker.take_closed())
        for name in story.documents
    }
    inside: dict[str, Counter[str]] = defaultdict(Counter)
    pieces: dict[str, Counter[str]] = defaultdict(Counter)
    for name, story in found.items():
        inside[story][gold[name]] += 1
        pieces[gold[name]][story] += 1
    purity = sum(max(counts.values()) for counts in inside.values()) / len(found)
    print(f"{len(found):,} documents in {len(inside):,} stories, purity {purity:.4f}\n")
    print("| stream | documents | pieces | largest piece |\n|---|---|---|---|")
    for stream, counts in sorted(pieces.items()):
        total = sum(counts.values())
        print(f"| {stream} | {total:,} | {len(counts):,} | {max(counts.values()) / total:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", choices=["ecb", "feeds", "disorder", "long"])
    options = parser.parse_args()
    tables = {
        "ecb": table_of_ecb,
        "feeds": table_of_feeds,
        "disorder": table_of_disorder,
        "long": table_of_long_stories,
    }
    for name, table in tables.items():
        if options.only in (None, name):
            table(options.data)
            print()


if __name__ == "__main__":
    main()
