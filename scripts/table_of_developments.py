"""Print on how many days of reference timelines the main development is among the first two updates.

    python scripts/table_of_developments.py --data ../shared/data [--system tidings]… [--wordings 8] [--all]
    python scripts/table_of_developments.py --data ../shared/data --rouge
    python scripts/table_of_developments.py --data ../shared/data --paces ["up to 1/day" 57 …]

The stream is that of `table_of_wordings.py`, with all articles of the persons. A language model read 150 days drawn at
random (2026-11-29): what the reference gives as the day's development, the updates of that day and the next, and the
sentences of the story's articles that are most like the reference; `labels/developments` has which state it. A day
counts as found where one of the first two updates from articles of that day does; *or next* also takes the first two
from those of the day after, on which much of what happens in the evening is published. Articles are dated by day alone,
so which of a day's is first is chance unless they are given at once (`--interval 1d`). *Told at all* counts any
update of the two days; *unread* is the share of first updates that the reader has not seen, which count as no.

Rows beside systems: *possible*, a day on which some sentence of the story's articles states it; *first sentences*,
those of the first two articles of the story that day.

--paces asks for the development among all that is told in the 24 hours of the day (*in the day*) and in those of the
next one too, at each pace, decided at once, by intervals, and after waiting. Each article is given a time of its day,
drawn at random (`--draws` pools several); *half* is every other story.
"""

from __future__ import annotations

import csv
from argparse import Namespace
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from math import sqrt
from pathlib import Path
from statistics import mean, median, median_low
from typing import NamedTuple
from zlib import crc32

import table_of_wordings as streams
from frame import parser as command_line
from msgspec.structs import replace
from table_of_articles import Topic

from tidings.core import DAY_S, Document, Event, Update
from tidings.core.text.sentences import cut
from tidings.following.systems.pace.schedules import Pace

PACES = ("up to 1/day", "up to 2/day")
WAYS = ("document", "1d")
"""An interval, or how long news waits."""
LABELS = Path(__file__).parents[1] / "labels" / "developments" / "days.tsv"
FIRST = 2
EPOCH = date(1970, 1, 1)
COLUMNS = "| | days | same day | or next | of 95 % | told at all | unread |\n|---|---|---|---|---|---|---|"

Place = tuple[str, int]
"""A document and the number of a sentence in it."""


class Day(NamedTuple):
    """A day that was read: the sentences that state its development, and those that do not."""

    number: int
    states: frozenset[Place]
    others: frozenset[Place]


class Found(NamedTuple):
    """Of so many days: found the same day, or the next, told at all; first updates, and those unread."""

    days: int
    same: int
    later: int
    told: int
    first: int
    unread: int


def read_days() -> dict[str, list[Day]]:
    """By story the days that were read."""
    days: dict[str, list[Day]] = defaultdict(list)
    with LABELS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            states, others = (
                frozenset(
                    (name, int(number))
                    for name, _, number in (one.rpartition(":") for one in row[column].split())
                )
                for column in ("states", "others")
            )
            days[row["story"]].append(Day((date.fromisoformat(row["day"]) - EPOCH).days, states, others))
    return days


def find(days: Sequence[Day], told: Mapping[int, Sequence[Place]]) -> Found:
    """On how many days what was told, by the day of its article, states the development."""
    same = later = at_all = 0
    first: list[bool] = []
    for day, states, others in days:
        own, following = told.get(day, ()), told.get(day + 1, ())
        is_same = not states.isdisjoint(own[:FIRST])
        same += is_same
        later += is_same or not states.isdisjoint(following[:FIRST])
        at_all += not states.isdisjoint((*own, *following))
        first += [place not in states | others for place in (*own[:FIRST], *following[:FIRST])]
    return Found(len(days), same, later, at_all, len(first), sum(first))


def drawn(document: Document, draw: int) -> Document:
    """A document that is dated by day alone, at a time of the day drawn at random."""
    if document.published_time % DAY_S != DAY_S // 2:
        return document
    second = crc32(f"{draw} {document.id}".encode()) % DAY_S
    return replace(document, published_time=document.published_time // DAY_S * DAY_S + second)


class Told(NamedTuple):
    """Of so many days: found in the day, or the next; updates of the days, those unread; and all updates."""

    days: int
    same: int
    later: int
    read: int
    unread: int
    updates: int


def told_of(days: Sequence[Day], updates: Sequence[Update]) -> Told:
    """On how many days what was told in the day states the development."""
    by_day: dict[int, list[Place]] = defaultdict(list)
    for one in updates:
        # What is decided when a day ends is of that day.
        by_day[(one.time - 1) // DAY_S].append((one.doc_id, one.sentence_index))
    same = later = 0
    unread: list[bool] = []
    for day, states, others in days:
        is_same = not states.isdisjoint(by_day[day])
        same += is_same
        later += is_same or not states.isdisjoint(by_day[day + 1])
        unread += [place not in states | others for place in by_day[day]]
    return Told(len(days), same, later, len(unread), sum(unread), len(updates))


def print_paces(
    given: Namespace, documents: Sequence[Document], days: dict[str, list[Day]], story_of: Mapping[str, str]
) -> None:
    """A row for each pace, way of deciding and half of the stories."""
    asked = {story: words for part in streams.WORDINGS.values() for story, words in part.items()}
    drawings = [
        sorted((cut(drawn(one, draw)) for one in documents), key=lambda one: (one.published_time, one.id))
        for draw in range(given.draws)
    ]
    print("| pace | decided | half | days | in the day | or next | updates | hours later | unread |")
    print("|---|---|---|---|---|---|---|---|---|")
    for pace in given.paces or PACES:
        for way in given.ways:
            found: list[list[Told]] = [[], []]
            waited: list[list[int]] = [[], []]
            wait = way.startswith("wait=")
            for drawing in drawings:
                times: dict[str, list[int]] = defaultdict(list)
                for one in drawing:
                    times[story_of[one.id]].append(one.published_time)
                is_total = Pace(about=pace).is_total
                events = [
                    Event(
                        id=story.replace(" ", "-"),
                        title=asked[story][0],
                        query=asked[story][0],
                        start_time=times[story][0] if is_total else None,
                        end_time=times[story][-1] if is_total else None,
                    )
                    for story in days
                ]
                system = f"{given.system[0]}:{way}" if wait else given.system[0]
                told = streams.follow(drawing, {}, system, pace, "document" if wait else way, events)
                for number, story in enumerate(sorted(days)):
                    updates = told.get(story.replace(" ", "-"), [])
                    found[number % 2].append(told_of(days[story], updates))
                    waited[number % 2] += [one.time - one.published_time for one in updates]
            for half, (many, seconds) in enumerate(zip(found, waited, strict=True), 1):
                count, same, later, read, unread, updates = map(sum, zip(*many, strict=True))
                shares = f"{same / count:.3f} | {later / count:.3f} | {updates / given.draws:.0f}"
                last = f"{median(seconds or [0]) / 3_600:.1f} | {unread / max(1, read):.2f} |"
                print(f"| {pace} | {way} | {half} | {count // given.draws} | {shares} | {last}", flush=True)


def row(label: str, found: Sequence[Found]) -> str:
    """A row: the shares of all days, with Wilson's interval of *or next*."""
    days, same, later, told, first, unread = map(sum, zip(*found, strict=True))
    share, z = later / days, 1.96
    middle, half = share + z * z / (2 * days), z * sqrt(share * (1 - share) / days + (z / (2 * days)) ** 2)
    low, high = ((middle + sign * half) / (1 + z * z / days) for sign in (-1, 1))
    shares = f"{same / days:.3f} | {share:.3f} | {low:.2f} to {high:.2f} | {told / days:.3f}"
    return f"| {label} | {days} | {shares} | {unread / max(1, first):.2f} |"


def print_rouge(data: Path, systems: Sequence[str]) -> None:
    """Of each stream with reference timelines the updates and aligned ROUGE-1 at about 57 updates, and the mean."""
    topics = [Topic(data / folder) for folders in streams.STREAMS.values() for folder in folders]
    names = [topic.name for topic in topics]
    print(f"| system | {' | '.join(names)} | mean |\n|---|{'---|' * (len(names) + 1)}")
    for system in systems:
        told = [
            topic.follow_stream(f"{system}{',' if ':' in system else ':'}about=57")[0] for topic in topics
        ]
        scores = [topic.score(updates)[0] for topic, updates in zip(topics, told, strict=True)]
        cells = [f"{len(updates)}: {score:.3f}" for updates, score in zip(told, scores, strict=True)]
        print(f"| `{system}` | {' | '.join(cells)} | {mean(scores):.4f} |", flush=True)


def print_system(
    given: Namespace, system: str, interval: str, documents: Sequence[Document], days: dict[str, list[Day]]
) -> None:
    """The row of a system, of its worst and its median wording, and of each story."""
    asked = {story: words for part in streams.WORDINGS.values() for story, words in part.items()}
    queries = {
        f"{story}:{number}".replace(" ", "-"): words
        for story in days
        for number, words in enumerate(asked[story][: given.wordings])
    }
    day_of = {document.id: document.published_time // DAY_S for document in documents}
    updates = streams.follow(documents, queries, system, given.about, interval)
    found: dict[str, list[Found]] = defaultdict(list)
    for story, own in days.items():
        for number in range(given.wordings):
            told: dict[int, list[Place]] = defaultdict(list)
            for one in updates.get(f"{story}:{number}".replace(" ", "-"), ()):
                told[day_of[one.doc_id]].append((one.doc_id, one.sentence_index))
            found[story].append(find(own, told))
    label = f"`{system}`" if interval == "document" else f"`{system}`, `--interval {interval}`"
    print(row(label, [one for many in found.values() for one in many]), flush=True)
    if given.wordings > 1:
        for which, choose in (("worst", min), ("median", median_low)):
            picked = [Found(*map(choose, zip(*many, strict=True))) for many in found.values()]
            print(row(f"{label}, {which} wording", picked))
    if given.all:
        for story, many in found.items():
            print(row(story.replace("_", " "), many))


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--system", nargs="+", default=["tidings", "centroid", "cosine"])
    parser.add_argument("--about", default="up to 40/day")
    parser.add_argument(
        "--interval", nargs="+", default=["document", "1d"], help="how often it is decided, such as 1d"
    )
    parser.add_argument("--wordings", type=int, default=1, help="so many of each story's eight")
    parser.add_argument(
        "--rouge", action="store_true", help="aligned ROUGE-1 of each stream alone at about 57 updates"
    )
    parser.add_argument("--paces", nargs="*", help="the development among what is told at these paces")
    parser.add_argument("--draws", type=int, default=1, help="so many draws of the times of day there")
    parser.add_argument("--ways", nargs="+", default=WAYS, help="how it is decided there: 1d, wait=6h")
    parser.add_argument("--all", action="store_true", help="a row for each story")
    given = parser.parse_args()
    if given.rouge:
        print_rouge(given.data, given.system)
        return
    documents, story_of = streams.read_documents(given.data, per_person=None)
    days = read_days()
    if given.paces is not None:
        print_paces(given, documents, days, story_of)
        return
    documents = [cut(document) for document in documents]
    openings: dict[str, dict[int, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for document in documents:
        openings[story_of[document.id]][document.published_time // DAY_S].append((document.id, 0))
    print(COLUMNS)
    own = list(days.values())
    every = [Found(len(one), *[sum(bool(day.states) for day in one)] * 3, 0, 0) for one in own]
    print(row("*possible*", every))
    print(row("*first sentences*", [find(one, openings[story]) for story, one in days.items()]), flush=True)
    for system in given.system:
        for interval in given.interval:
            print_system(given, system, interval, documents, days)


if __name__ == "__main__":
    main()
