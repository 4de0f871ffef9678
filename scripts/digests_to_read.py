"""Print thirty digests, to be read one by one.

    python scripts/digests_to_read.py --data ../shared/data [--only WORDS]

Eighteen stories of 17 feeds, the eight streams of Timeline17 and other outlets, three persons, and the bundled event.
Of each at most eight days, of the feeds with two sentences, else with one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from check_pages import STORIES
from digest_weights import read_articles
from frame import parser

from tidings import read_documents
from tidings.core.records import Document, Event
from tidings.evaluation.report.digest import heading_of, origin_words
from tidings.following.digests.making import make_digest
from tidings.live.verbs.serve_demo import demo_events, demo_streams

FEEDS = (
    "sudan drone attack",
    "california avalanche",
    "iran talks",
    "ukraine peace talks",
    "peru president impeached",
    "bangladesh election",
    "taylor swift concert plot",
    "navalny poisoned",
    "gaza board of peace",
    "west bank annexation",
    "drug boat strikes",
    "jesse jackson dies",
    "kenya airport strike",
    "epstein files",
    "school shooting",
    "cyclone madagascar",
    "macron modi",
    "winter olympics medals",
)
PERSONS = ("Oscar_Pistorius", "Enron", "Dilma_Rousseff")
DAYS = 8


def stories(data: Path) -> Iterator[tuple[str, Event, list[Document], int]]:
    """Each story with its name, what is asked for, the documents, and how many sentences a day has."""
    news = [item for path in sorted((data / "feeds/news").iterdir()) for item in read_documents(path)]
    for query in FEEDS:
        yield f"feeds: {query}", Event(id="e", title="", query=query), news, 2
    for name, query in STORIES.items():
        yield (
            f"{name}: {query}",
            Event(id="e", title="", query=query),
            list(read_articles(data / name / "articles.jsonl.gz")),
            1,
        )
    for name in PERSONS:
        query = name.replace("_", " ")
        documents = list(read_documents(data / "tls-persons" / name / "stream.jsonl.gz"))
        yield f"tls-persons/{name}: {query}", Event(id="e", title="", query=query), documents, 1
    demo = [document for path in demo_streams() for document in read_documents(path)]
    event = demo_events()[0].event
    yield f"demo: {event.query}", event, demo, 2


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    options.add_argument("--only", default="", help="stories whose name holds this")
    given = options.parse_args()
    for name, event, documents, sentences in stories(given.data):
        if given.only not in name:
            continue
        digest = make_digest(documents, event, dates=DAYS, sentences=sentences)
        print(f"\n## {name}\n\n{digest.story_documents} of {digest.documents} documents\n")
        for line in digest.opening:
            print(f"{heading_of(line)}: {line.sentence.text} ({origin_words(line.sentence)})")
        for day in digest.days:
            for sentence in day.sentences:
                print(
                    f"{day.date}: {sentence.text} ({origin_words(sentence)})",
                    flush=True,
                )


if __name__ == "__main__":
    main()
