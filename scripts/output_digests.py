"""A digest of all outputs of each system on each stream, to see that a change of the code changes none of them.

    python scripts/output_digests.py [--data FOLDER] [--system SPEC ...] [--stream NAME ...] [--every N] > before.txt

Once before and once after the change, with PYTHONPATH at another checkout's `src` for one of them; then `diff`. The
streams are the bundled event, the pools of TREC 2013 and of 2014, the news feeds, and the stories of Timeline17 by the
BBC; of each, one document in N. What a system says of every output counts: text, time, confidence, all fields.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from frame import STORIES, parser

from tidings.core.errors import TidingsError
from tidings.core.records import Event
from tidings.following.stream.loop import follow_stream
from tidings.following.systems.assembly import assemble
from tidings.following.systems.registry import available
from tidings.sources import Source, open_reading
from tidings.sources.streams import read_events, read_stream

ROOT = Path(__file__).parents[1]
BUNDLED = ROOT / "src" / "tidings" / "sources" / "bundled" / "santiago-2013"
FEEDS = ("election government", "ukraine war russia", "storm flood")
STAGED = (
    "tidings:about=10/day",
    "tidings:values=yes,entities=yes",
    "cosine:about=30/day",
    "tidings:articles=none",
)


def streams(data: Path) -> dict[str, Callable[[], tuple[list, list[Event]]]]:
    """Documents and events by the stream's name; nothing is read before it is asked for."""

    def trec(year: str, **options: str) -> tuple[list, list[Event]]:
        folder = data / "trec-ts" / year
        return list(read_stream(folder, **options)), list(read_events(folder))

    def sources(path: Path, *queries: str) -> tuple[list, list[Event]]:
        events = [Event(id=query, title=query, query=query) for query in queries]
        return sorted(open_reading([str(path)]), key=lambda one: (one.published_time, one.id)), events

    return {
        "bundled": lambda: (list(read_stream(BUNDLED)), list(read_events(BUNDLED / "event.json"))),
        "trec-2013": lambda: trec("2013"),
        "trec-2014": lambda: trec("2014", pool="extended"),
        "feeds": lambda: sources(data / "feeds" / "news", *FEEDS),
        **{
            story: lambda story=story, query=query: sources(data / "tls" / story, query)
            for story, query in STORIES.items()
        },
    }


def main() -> None:
    """Follow and print."""
    options = parser(__doc__)
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    options.add_argument("--system", action="append", default=[])
    options.add_argument("--stream", action="append", default=[])
    options.add_argument("--every", type=int, default=1)
    wanted = options.parse_args()
    made = streams(wanted.data)
    for name in wanted.stream or made:
        documents, events = made[name]()
        documents = documents[:: wanted.every]
        for spec in wanted.system or (*available(), *STAGED):
            digest, count = sha256(), 0
            try:
                decided = follow_stream([Source("all", lambda own=documents: own)], events, assemble(spec))
                for now, outputs in decided:
                    digest.update(repr((now, outputs)).encode("utf-8", "surrogatepass"))
                    count += len(outputs)
            except TidingsError as error:
                print(f"{name}\t{spec}\tnot followed: {str(error)[:80]}", flush=True)
                continue
            print(
                f"{name}\t{spec}\t{len(documents)} documents\t{count} outputs\t{digest.hexdigest()}",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main())
