"""Print how much of a story each of several wordings of it finds, in one stream of many stories.

python scripts/table_of_wordings.py --data ../shared/data [--system tidings] [--part tuned] [--all] [--without fit]
python scripts/table_of_wordings.py --data ../shared/data --titled
python scripts/table_of_wordings.py --data ../shared/data --parts
python scripts/table_of_wordings.py --data ../shared/data --feeds [--all]
python scripts/table_of_wordings.py --data ../shared/data --ask "nkandla scandal" [--system tidings:story_terms=zuma]
python scripts/table_of_wordings.py --data ../shared/data --articles 8 [--part tuned] [--all] [--without cut]

The articles of eight streams of Timeline17 and other outlets and of thirteen persons (thinned), and the items of 17
feeds, are merged in the order of time, so that 19 stories stand among each other; eighteen are asked for in eight
wordings each (`wordings.json`), written before any result was seen. Printed for each story, or with --all for each
wording: updates (at most 40 a day), the share of them that is from the story's own articles, how many of the days
the worst and the median wording cover that the best one does, and how many updates the most talkative wording tells
for one of the most silent. --titled gives every article a title, its first nine words: of the streams only the feeds
have titles, as pages do. --without takes a part of the rule away: `fit`, `core`, `offers` (documents that hold
learned words but none of the query), `forms` (abbreviations, compounds and fillers of the query), `spelling`
(names spelled otherwise), `weights` (rare words count no more than others, nor words that are hardly met less) or
`salience` (what a document mentions in passing counts in full); --parts prints the means without each. --feeds
asks the feeds alone, for stories that are in them and for some that are not, and prints the updates of each
wording, with --all their texts, and those of more wordings. --ask counts the updates of one wording by story.
--articles asks for each story by so many of its articles instead, the stream followed from its beginning as for the
wordings, and compares the days with those of the best wording. One is drawn from each part of the story's time, among
those about it: the first sixty words hold all words of a wording, and the article holds each of these three times.
--without cut leaves in such a query the words that its article hardly repeats.
Accepting every document covers all days; what share of its updates would be of the story is what `of all` says.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median_low
from typing import NamedTuple

from msgspec.structs import replace

import tidings
from tidings.core import DAY_S, Document, Event, Update, shared_analyzer
from tidings.following.hosting import article_query
from tidings.following.library.documents import as_events
from tidings.following.systems.tidings import article_words, query_words, text_features
from tidings.following.systems.tidings.follower import TidingsFollower
from tidings.following.systems.tidings.query_words import QueryWeight
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
_TITLE_WORDS = 9
_BEGINNING_WORDS, _MENTIONS, _SEED = 60, 3, 34

WORDINGS = json.loads(Path(__file__).with_name("wordings.json").read_text(encoding="utf-8"))
"""By part, "tuned" (the rule was chosen on these) or "kept aside", each story with eight wordings."""
FEEDS = WORDINGS.pop("feeds")
"""Wordings of stories that the feeds tell of, and of some that are not in them."""
PARTS = ("fit", "core", "offers", "forms", "spelling", "weights", "salience")
"""Of the rule."""


class Found(NamedTuple):
    """What a wording found: updates, the share of them of the story, and the days that these cover."""

    wording: str
    updates: int
    own: float
    days: int


def _lines(path: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())


def read_documents(data: Path, per_person: int | None = PER_PERSON) -> tuple[list[Document], dict[str, str]]:
    """The merged stream, with so many articles of each person at most, and the story of each document."""
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
        for record in records[:: max(1, -(-len(records) // (per_person or len(records))))]:
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
    elif part == "core":
        Story.core = property(lambda story: {}, lambda story, core: None)  # type: ignore[assignment]
    elif part == "offers":
        TidingsFollower.learned = property(lambda follower: frozenset())  # type: ignore[method-assign,assignment]
    elif part == "forms":
        text_features.query_words = lambda query: query  # type: ignore[attr-defined]
        text_features.other_forms = query_words.people_forms  # type: ignore[attr-defined]
        query_words.other_forms = query_words.people_forms
    elif part == "spelling":
        text_features.spelled_names = lambda stems: frozenset()  # type: ignore[attr-defined]
    elif part == "weights":
        begin = QueryWeight.__init__
        QueryWeight.__init__ = lambda own, query, weights, *more: begin(own, query, {}, *more)  # type: ignore[method-assign]
        query_words._UNMET = 1.0
    elif part == "salience":
        article_words._OFTEN = article_words._OFTEN_SHARE = 0
    elif part == "cut":
        article_query._OF_FIRST = 0


def draw_articles(
    documents: list[Document], story_of: dict[str, str], story: str, wordings: list[str], count: int
) -> list[Document]:
    """So many articles about a story, one of each part of its time."""
    stems_of = shared_analyzer("english").stems
    asked, about = [frozenset(stems_of(wording)) for wording in wordings], list[Document]()
    for document in documents:
        if story_of[document.id] == story:
            words = f"{document.title} {document.text}".split()
            head, stems = (
                set(stems_of(" ".join(words[:_BEGINNING_WORDS]))),
                Counter(stems_of(" ".join(words))),
            )
            if any(query <= head and all(stems[stem] >= _MENTIONS for stem in query) for query in asked):
                about.append(document)
    chosen = random.Random(f"{_SEED} {story}")
    return [
        chosen.choice(about[len(about) * part // count : len(about) * (part + 1) // count])
        for part in range(count)
    ]


def follow(
    documents: Iterable[Document],
    wordings: dict[str, str],
    system: str,
    about: str = "up to 40/day",
    interval: str = "document",
    more: Iterable[Event] = (),
) -> dict[str, list[Update]]:
    """The updates of each wording and of `more` events, by its id."""
    events = [Event(id=name, title=wording, query=wording) for name, wording in wordings.items()]
    events += more
    found: dict[str, list[Update]] = defaultdict(list)
    for output in tidings.follow(
        iter(documents), events=events, system=system, about=about, interval=interval, mixed=True
    ):
        if isinstance(output, Update):
            found[output.event_id].append(output)
    return found


def print_feeds(data: Path, system: str, *, with_texts: bool) -> None:
    """How many updates the feeds alone give for each wording; of those written later only with texts."""
    wordings = {
        f"{kind}-{number}": word
        for kind in FEEDS
        for number, word in enumerate(FEEDS[kind])
        if with_texts or "," not in kind
    }
    found = follow(
        tidings.read_documents(data / "feeds/news"),
        {name.replace(" ", "-"): word for name, word in wordings.items()},
        system,
    )
    print("| wording | in the feeds | updates |\n|---|---|---|")
    for name, wording in wordings.items():
        updates = found[name.replace(" ", "-")]
        print(f"| {wording} | {'yes' if name.startswith('told') else 'no'} | {len(updates)} |")
        for update in updates if with_texts else ():
            print(f"    {update.text}")


def print_parts(data: Path, system: str) -> None:
    """The means of each half, with everything and without each part."""
    print("| | half | worst | median | of the story |\n|---|---|---|---|---|")
    for part in ("", *PARTS):
        command = [sys.executable, __file__, "--data", str(data), "--system", system, "--without", part]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for line in printed.splitlines():
            if line.startswith("| *"):
                _, half, _, _, worst, median, _, _, own, _ = (cell.strip() for cell in line.split("|"))
                half = half.strip("*").split(":")[0]
                print(
                    f"| {f'without {part}' if part else 'everything'} | {half} | {worst} | {median} | {own} |"
                )


def _id_of(story: str, name: object) -> str:
    return f"{story}:{name}".replace(" ", "-")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--system", default="tidings")
    parser.add_argument("--part", choices=list(WORDINGS), help="one half of the stories")
    parser.add_argument("--without", default="", choices=["", *PARTS, "cut"])
    parser.add_argument("--titled", action="store_true", help="every article with a title")
    parser.add_argument("--parts", action="store_true", help="the means without each part of the rule")
    parser.add_argument("--feeds", action="store_true", help="wordings over the feeds alone")
    parser.add_argument("--ask", help="one wording instead: of which stories its updates are")
    parser.add_argument("--articles", type=int, help="ask by so many articles of each story")
    parser.add_argument("--all", action="store_true", help="a row for each wording")
    options = parser.parse_args()
    take_away(options.without)
    if options.parts or options.feeds:
        if options.parts:
            print_parts(options.data, options.system)
        else:
            print_feeds(options.data, options.system, with_texts=options.all)
        return
    documents, story_of = read_documents(options.data)
    if options.titled:
        documents = [
            replace(one, title=one.title or " ".join(one.text.split()[:_TITLE_WORDS])) for one in documents
        ]
    if options.ask:
        updates = follow(documents, {"asked": options.ask}, options.system)["asked"]
        stories = Counter(story_of[update.doc_id] or "feeds" for update in updates)
        print(
            f"{len(updates)} updates: {', '.join(f'{story} {count}' for story, count in stories.most_common())}"
        )
        return
    day_of = {document.id: document.published_time // DAY_S for document in documents}
    parts = {part: WORDINGS[part] for part in ([options.part] if options.part else WORDINGS)}
    asked = {
        _id_of(story, number): wording
        for stories in parts.values()
        for story, wordings in stories.items()
        for number, wording in enumerate(wordings)
    }
    drawn = {
        story: [
            replace(event, id=_id_of(story, f"article-{number}"))
            for number, article in enumerate(
                draw_articles(documents, story_of, story, wordings, options.articles)
            )
            for event in as_events(article, None)
        ]
        for stories in (parts.values() if options.articles else ())
        for story, wordings in stories.items()
    }
    articles = [event for events in drawn.values() for event in events]
    sources = {
        name: [update.doc_id for update in updates]
        for name, updates in follow(documents, asked, options.system, more=articles).items()
    }

    def find(story: str, names: Iterable[tuple[str, str]]) -> list[Found]:
        found = []
        for name, words in names:
            ids = sources.get(name, [])
            own = [document for document in ids if story_of[document] == story]
            days = {day_of[document] for document in own}
            found.append(Found(words, len(ids), len(own) / max(1, len(ids)), len(days)))
        return found

    columns = ("wording", "updates", "of the story", "days", "of the best")
    if not options.all:
        columns = ("of all", "worst", "its days of the best", "median", "updates", "most", "of the story")
    print(f"| story | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for part, stories in parts.items():
        figures = []
        for story, wordings in stories.items():
            found = find(story, [(_id_of(story, number), words) for number, words in enumerate(wordings)])
            best = max(1, *(each.days for each in found))
            if options.articles:
                found = find(story, [(event.id, event.query) for event in drawn[story]])
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
