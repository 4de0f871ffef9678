"""Processor time of a digest of so many articles: the figure in docs/following/digest.md.

    python scripts/time_digests.py ../shared/data/tls/{bpoil,haiti}_bbc/articles.jsonl.gz

The first `--articles` of the files, all taken as about the event, 30 days of two sentences.
"""

from __future__ import annotations

from itertools import chain, islice
from time import process_time

from frame import parser as command_line

from tidings.core.records import Event
from tidings.following.digests.making import DIGEST_SYSTEMS, make_digest
from tidings.research.training.day_weights import read_articles


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--articles", type=int, default=500)
    asked = parser.parse_args()
    articles = list(islice(chain.from_iterable(map(read_articles, asked.files)), asked.articles))
    event = Event(id="all", title="", query="")
    for system in DIGEST_SYSTEMS:
        began = process_time()
        digest = make_digest(articles, event, system=system, chosen=True)
        took = process_time() - began
        print(f"{system}: {len(articles)} articles, {len(digest.days)} days in {took:.1f} s")


if __name__ == "__main__":
    main()
