"""Print how much of a story each of several wordings of it finds, in one stream of many stories.

python scripts/table_of_wordings.py --data ../shared/data [--system tidings] [--part tuned] [--all] [--without fit]

The articles of eight streams of Timeline17 and other outlets and of thirteen persons (thinned), and the items of 17
feeds, are merged in the order of time, so that 19 stories stand among each other; eighteen are asked for in eight
wordings each (`wordings.json`), written before any result was seen. Printed for each story, or with --all for each
wording: updates (at most 40 a day), the share of them that is from the story's own articles, how many of the days the
worst and the median wording cover that the best one does, and how many updates the most talkative wording tells for
one of the most silent. --without takes a part of the rule away: `fit`, `offers` (documents that hold learned words but
none of the query) or `forms` (abbreviations, compounds and fillers of the query). Accepting every document covers all
days; what share of its updates would be of the story is what `of all` says.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median_low
from typing import NamedTuple

import tidings
from tidings.core import DAY_S, Document, Update
from tidings.following.systems.tidings import query_words, text_features
from tidings.following.systems.tidings.follower import TidingsFollower
from tidings.following.systems.tidings.story import Story

STREAMS = {
    "H1N1": ("tls/H1N1_bbc", "tls-outlets/H1N1_guardian"),
    "Michael Jackson": ("tls/MJ_bbc",),
    "Syria": ("tls/SyrianCrisis_bbc",),
    "BP": ("tls/bpoil_bbc", "tls-outlets/bpoil_foxnews"),
    "Haiti": ("tls/haiti_bbc",),
    "Libya": ("tls-outlets/LibyaWar_cnn",),
}
PER_PERSON = 150
"""Of the articles of a person no more than so many, evenly over the years."""

WORDINGS = json.loads(Path(__file__).with_name("wordings.json").read_text(encoding="utf-8"))
"""By part, "tuned" (the rule was chosen on these) or "kept aside", each story with eight wordings."""


class Found(NamedTuple):
    """What a wording found: updates, the share of them of the story, and the days that these cover."""

    wording: str
    updates: int
    own: float
    days: int


def _lines(path: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())


def read_documents(data: Path) -> tuple[list[Document], dict[str, str]]:
    """The merged stream, and the story of each document."""
    documents, story_of = [], {}
    for story, folders in STREAMS.items():
        for folder in folders:
            for record in _lines(data / folder / "articles.jsonl.gz"):
                time = record["time"] if "T" in record["time"] else f"{record['time']}T12:00:00"
                document = Document(
                    id=f"{folder}-{record['id']}",
                    published_time=int(datetime.fromisoformat(time[:19]).replace(tzinfo=UTC).timestamp()),
                    title=record.get("title") or "",
                    text=record["text"],
                    source=folder,
                )
                documents.append(document)
                story_of[document.id] = story
    for folder in sorted(path for path in (data / "tls-persons").iterdir() if path.is_dir()):
        records = list(_lines(folder / "stream.jsonl.gz"))
        for record in records[:: max(1, -(-len(records) // PER_PERSON))]:
            time = datetime.fromisoformat(record["published_time"].replace("Z", "+00:00"))
            document = Document(
                id=record["id"],
                published_time=int(time.timestamp()),
                title=record["title"],
                text="\n".join(record["sentences"]),
                source=folder.name,
            )
            documents.append(document)
            story_of[document.id] = folder.name
    for document in tidings.read_documents(data / "feeds/news"):
        if document.id not in story_of:
            documents.append(document)
            story_of[document.id] = ""
    return sorted(documents, key=lambda document: (document.published_time, document.id)), story_of


def take_away(part: str) -> None:
    """Let the rule decide without a part of it."""
    if part == "fit":
        Story.is_known = property(lambda story: False)  # type: ignore[method-assign,assignment]
    elif part == "offers":
        TidingsFollower.learned = property(lambda follower: frozenset())  # type: ignore[method-assign,assignment]
    elif part == "forms":
        text_features.query_words = lambda query: query  # type: ignore[attr-defined]
        text_features.other_forms = query_words.people_forms  # type: ignore[attr-defined]
        query_words.other_forms = query_words.people_forms


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--system", default="tidings")
    parser.add_argument("--part", choices=list(WORDINGS), help="one half of the stories")
    parser.add_argument("--without", default="", choices=["", "fit", "offers", "forms"])
    parser.add_argument("--all", action="store_true", help="a row for each wording")
    options = parser.parse_args()
    take_away(options.without)
    documents, story_of = read_documents(options.data)
    day_of = {document.id: document.published_time // DAY_S for document in documents}
    parts = {part: WORDINGS[part] for part in ([options.part] if options.part else WORDINGS)}
    events = [
        {"id": f"{story}:{number}".replace(" ", "-"), "title": wording, "query": wording}
        for stories in parts.values()
        for story, wordings in stories.items()
        for number, wording in enumerate(wordings)
    ]
    sources: dict[str, list[str]] = defaultdict(list)
    for output in tidings.follow(
        iter(documents), events=events, system=options.system, about="up to 40/day", mixed=True
    ):
        if isinstance(output, Update):
            sources[output.event_id].append(output.doc_id)
    columns = ("wording", "updates", "of the story", "days", "of the best")
    if not options.all:
        columns = ("of all", "worst", "its days of the best", "median", "updates", "most", "of the story")
    print(f"| story | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for part, stories in parts.items():
        figures = []
        for story, wordings in stories.items():
            found = []
            for number, wording in enumerate(wordings):
                ids = sources[f"{story}:{number}".replace(" ", "-")]
                own = [name for name in ids if story_of[name] == story]
                share = len(own) / max(1, len(ids))
                found.append(Found(wording, len(ids), share, len({day_of[name] for name in own})))
            best = max(1, *(each.days for each in found))
            last = min(found, key=lambda each: each.days)
            updates = sum(each.updates for each in found)
            most = max(each.updates for each in found) / max(1, min(each.updates for each in found))
            of_story = sum(each.own * each.updates for each in found) / max(1, updates)
            of_all = sum(name == story for name in story_of.values()) / len(story_of)
            median = median_low([each.days for each in found]) / best
            figures.append((last.days / best, median, of_story, most))
            name = story.replace("_", " ")
            if options.all:
                for each in found:
                    shares = f"{each.updates} | {each.own:.2f} | {each.days} | {each.days / best:.2f}"
                    print(f"| {name} | {each.wording} | {shares} |")
            else:
                print(
                    f"| {name} | {of_all:.2f} | {last.wording} | {last.days / best:.2f} | {median:.2f} | {updates} | "
                    f"{most:.1f} | {of_story:.2f} |"
                )
        worst, median, of_story, most = (mean(column) for column in zip(*figures, strict=True))
        print(
            f"| *{part}: mean of {len(stories)}* | | | {worst:.3f} | {median:.3f} | | {most:.1f} | {of_story:.3f} |"
            if not options.all
            else f"| *{part}* | worst {worst:.3f}, median {median:.3f} | | {of_story:.3f} | | |"
        )


if __name__ == "__main__":
    main()
