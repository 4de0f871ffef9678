"""Processor time of following whole articles: the figures in docs/analysis/articles.md.

    python scripts/time_articles.py ../shared/data/tls [SYSTEM ...]

Articles and sentences a second of one core, from sentences to updates, without the start of the process and the
store: of the first pass, in which every word is met for the first time, and of the best of three more.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

from frame import STORIES, parser as command_line, read_articles

from tidings.core.records import Document, Event
from tidings.following.stream.loop import Tally, follow_stream
from tidings.following.systems.registry import make


def seconds(spec: str, event: Event, documents: list[Document]) -> tuple[float, int]:
    """How long the system takes for the stream, and of how many sentences that is."""
    system, tally = make(spec), Tally()
    began = process_time()
    for _ in follow_stream(documents, [event], system, tally=tally):
        pass
    return process_time() - began, tally.sentences


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("data", type=Path, help="the folder that holds a folder for each topic")
    parser.add_argument("systems", nargs="*", default=["tidings", "tidings:values=yes"])
    asked = parser.parse_args()
    print(
        "topic            system               first: articles/s sentences/s   then: articles/s sentences/s"
    )
    for name, query in sorted(STORIES.items()):
        documents = read_articles(asked.data / name)
        event = Event(id=name, title=query, query=query)
        for spec in asked.systems:
            first, sentences = seconds(spec, event, documents)
            best = min(seconds(spec, event, documents)[0] for _ in range(3))
            shown = "  ".join(
                f"{len(documents) / took:17.0f} {sentences / took:11,.0f}" for took in (first, best)
            )
            print(f"{name:16} {spec:20} {shown}", flush=True)


if __name__ == "__main__":
    main()
