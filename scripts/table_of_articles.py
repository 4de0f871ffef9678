"""Follow streams of whole articles by systems and score what was told against reference timelines: a Markdown table.

    python scripts/table_of_articles.py ../shared/data/tls cosine 'cosine:news=0.5,news_model=left_{topic}.safetensors'

The folder holds for each topic a folder with `articles.jsonl.gz` and timelines; queries and reading of articles are
those of `train_articles.py`. In a system, {topic} stands for the topic's name, so that models that were learned without
a topic (`train_articles.py --leave TOPIC --out FILE`) can be measured on it. An update counts for the day (UTC) at
which it was told. A cell holds updates, then R1, R2 and date F by the rules `tls-each` (align+m1, mean over the
references of a topic); articles/s are those of a process of its own for each system.
"""

from __future__ import annotations

import time
from collections import defaultdict
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from frame import OUTLETS, STORIES, parser as command_line, read_articles

from tidings.core.records import DailyTimeline, Document, Event, TimelineDay, Update
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.measures.tls import MEASURES, prepare, rules_named
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.assembly import assemble

SHOWN = ("R1-align+m1-F", "R2-align+m1-F", "date-F")


class Topic:
    """A topic's articles and reference timelines."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.documents: list[Document] = read_articles(folder)
        self.references = prepare(FORMATS["references"].read(str(folder)), rules_named("tls-each"))
        query = {**STORIES, **OUTLETS}[self.name]
        self.event = Event(id=self.name, title=query, query=query)

    def follow_stream(self, spec: str) -> tuple[list[Update], float]:
        """What the system tells of the topic, and the articles that it took a second of processor time to follow."""
        times = [document.published_time for document in self.documents]
        system = assemble(spec.replace("{topic}", self.name), period=(min(times), max(times)))
        began = time.process_time()
        updates = [update for _, own in follow_stream(self.documents, [self.event], system) for update in own]
        return updates, len(self.documents) / (time.process_time() - began)

    def score(self, updates: list[Update]) -> list[float]:
        """The SHOWN measures of what was told."""
        days: dict[str, list[str]] = defaultdict(list)
        for update in updates:
            days[datetime.fromtimestamp(update.time, UTC).strftime("%Y-%m-%d")].append(update.text)
        if not days:
            return [0.0] * len(SHOWN)
        timeline = DailyTimeline(
            self.name, tuple(TimelineDay(day, tuple(texts)) for day, texts in sorted(days.items()))
        )
        scores = self.references.score({self.references.names[0]: timeline}, MEASURES, team="", run=self.name)
        by_name = {str(measure): value for measure, value in next(iter(scores.per_event.values())).items()}
        return [float(by_name[name]) for name in SHOWN]


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("systems", nargs="+", metavar="SYSTEM")
    parser.add_argument("--topics", nargs="+", default=sorted(STORIES), choices=sorted(STORIES))
    parser.add_argument(
        "--updates", type=Path, help="folder to which the updates of each system and topic are written"
    )
    given = parser.parse_args()
    topics = [Topic(given.folder / name) for name in given.topics]
    print("| system | " + " | ".join(topic.name for topic in topics) + " | mean | articles/s |")
    print("|---|" + "---|" * (len(topics) + 2))
    for number, spec in enumerate(given.systems):
        # A process of its own: what an earlier system has read of the articles is not remembered.
        with get_context("fork").Pool(1, _share, (topics,)) as pool:
            rows = pool.map(_measure, [(spec, place, given.updates, number) for place in range(len(topics))])
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        cells = [shown(row) for row in [*rows, means]]
        print(f"| `{spec}` | " + " | ".join(cells) + f" | {means[-1]:.0f} |", flush=True)


_topics: list[Topic] = []


def _share(topics: list[Topic]) -> None:
    _topics.extend(topics)


def _measure(asked: tuple[str, int, Path | None, int]) -> list[float]:
    spec, place, folder, number = asked
    topic = _topics[place]
    updates, speed = topic.follow_stream(spec)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{update.id}\t{update.text}\n" for update in updates)
        (folder / f"{number}-{topic.name}.tsv").write_text(lines, encoding="utf-8")
    return [float(len(updates)), *topic.score(updates), speed]


def shown(row: list[float]) -> str:
    """One cell: updates, R1, R2 and date F."""
    return f"{row[0]:.0f}: {row[1]:.3f} {row[2]:.4f} {row[3]:.3f}"


if __name__ == "__main__":
    main()
