"""Print the largest stories of the feeds at three moments, to be read, and how often stories are renamed.

    python scripts/stories_to_read.py --data ../shared/data [--moment 2026-02-17T12:00] [--most 20]

Below each story stand its reports, and after `?` the items outside it that come nearest by the evidence: what may be
missing. How they were read is in labels/stories/largest.tsv; `--table` counts it. A rename is another title for a
story of the same id, counted after each item.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from table_of_stories import LABELS, Read, read_feeds

from tidings.core import Clock
from tidings.following import event_time
from tidings.following.grouping.story_tracker import StoryTracker
from tidings.following.grouping.summaries import StorySummary

MOMENTS = ("2026-02-16T12:00", "2026-02-17T12:00", "2026-02-18T12:00")
NEAR = 3


def grouped(read: Read, until: int) -> tuple[StoryTracker, int]:
    """The items up to a time, grouped, and how often a story got another title in the meantime."""
    tracker, titles, renames = StoryTracker(), dict[str, str](), 0
    for document, features in read:
        if document.published_time <= until:
            story = tracker.push_features(document, features)
            title = next(held.title for held in tracker._stories.values() if held.id == story)
            renames += titles.setdefault(story, title) != title
            titles[story] = title
    return tracker, renames


def near(tracker: StoryTracker, read: Read, story: StorySummary) -> list[tuple[float, str]]:
    """The items outside a story that come nearest to it, with the evidence."""
    held = set(story.documents)
    members = [(document, features) for document, features in read if document.id in held]
    words = set().union(*(features.words for _, features in members))
    others = [
        (tracker.evidence_for(features, members), document.title or document.text[:80])
        for document, features in read
        if document.id not in held and document.id in tracker and len(words & features.words.keys()) > 3
    ]
    return sorted(others, reverse=True)[:NEAR]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--moment", action="append")
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if options.table:
        print_table(options.moment or MOMENTS)
        return
    read = read_feeds(options.data).read
    of = {document.id: document for document, _ in read}
    for moment in options.moment or MOMENTS:
        until = event_time(moment, "--moment")
        tracker, renames = grouped(read, until)
        found = [story for story in tracker.stories(until) if len(story.documents) > 1]
        print(f"\n# {moment}: {len(tracker):,} items, {len(found)} stories of two or more, "
              f"{renames} renames, {renames / len(tracker):.3f} an item\n")  # fmt: skip
        for number, story in enumerate(found[: options.most], start=1):
            print(f"{number}. {story.title} [{story.state}; {', '.join(story.keywords[:6])}]")
            for name in story.documents:
                print(
                    f"     {Clock().iso(of[name].published_time)[5:16]} {of[name].source[:14]}: {of[name].title}"
                )
            for value, title in near(tracker, read, story):
                print(f"   ? {value:+.1f} {title}")


def print_table(moments: Sequence[str]) -> None:
    """Count what a reader said of them."""
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (LABELS / "largest.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            rows[row["moment"]].append(row)
    print("| moment | stories | one story | of one subject | mixed | title right | none missing | missing |")
    print("|---|---|---|---|---|---|---|---|")
    for moment in moments:
        read = rows[moment]
        one = Counter(row["one"] for row in read)
        missing = [int(row["missing"]) for row in read]
        right = sum(row["title"] == "y" for row in read)
        cells = (len(read), one["story"], one["subject"], one["mixed"], right, missing.count(0), sum(missing))
        print(f"| {moment} | " + " | ".join(map(str, cells)) + " |")


if __name__ == "__main__":
    main()
