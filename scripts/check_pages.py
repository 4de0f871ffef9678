"""What pages say against themselves, over all streams at hand, by kind: docs/following/values.md.

    python scripts/check_pages.py --data ../shared/data            # counts by stream and kind
    python scripts/check_pages.py --data ../shared/data --show 40  # and so many findings of each kind

Each stream is followed by the default system at its default pace, with values and supports, and its page is read at the
moment of each update (`scripts/consistency.py`); its digest of 30 days is read too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from consistency import KINDS, Contradiction, find_contradictions, find_wrong_days
from digest_weights import read_articles
from frame import heading, parser

from tidings import read_documents
from tidings.core.records import Document, Event, Output, Support, Update, ValueUpdate
from tidings.core.text.sentences import cut
from tidings.following.digests.making import make_digest
from tidings.following.report.timeline import build_timeline
from tidings.following.systems.assembly import assemble
from tidings.live.verbs.serve_demo import demo_events, demo_streams

STORIES = {
    "tls/bpoil_bbc": "bp oil spill",
    "tls/haiti_bbc": "haiti earthquake",
    "tls/H1N1_bbc": "swine flu",
    "tls/SyrianCrisis_bbc": "syria crisis",
    "tls/MJ_bbc": "michael jackson death",
    "tls-outlets/H1N1_guardian": "swine flu",
    "tls-outlets/LibyaWar_cnn": "libya war",
    "tls-outlets/bpoil_foxnews": "bp oil spill",
}
FEEDS = (
    "sudan drone attack",
    "california avalanche",
    "russia ukraine war",
    "iran talks",
    "south africa president",
    "winter olympics",
    "epstein files",
    "gaza",
    "bangladesh election",
    "school shooting",
    "cyclone madagascar",
)


def streams(data: Path) -> Iterator[tuple[str, Event, list[Document]]]:
    """Each stream with what is followed in it."""
    demo = [document for path in demo_streams() for document in read_documents(path)]
    for standing in demo_events():
        yield f"demo/{standing.event.id}", standing.event, demo
    for name, query in STORIES.items():
        articles = list(read_articles(data / name / "articles.jsonl.gz"))
        yield name, Event(id="e", title="", query=query), articles
    news = [item for path in sorted((data / "feeds/news").iterdir()) for item in read_documents(path)]
    for query in FEEDS:
        yield f"feeds/{query}", Event(id="e", title="", query=query), news
    for folder in sorted((data / "tls-persons").iterdir()):
        name = folder.name.replace("_", " ")
        documents = list(read_documents(folder / "stream.jsonl.gz"))
        yield f"tls-persons/{folder.name}", Event(id="e", title="", query=name), documents


def followed(event: Event, documents: list[Document]) -> list[Output]:
    """What the default system gives of an event, as `tidings follow --values` does."""
    decider = assemble("tidings:values=yes", about="up to 40/day", support=True)
    follower = decider.start(event)
    in_time = sorted(map(cut, documents), key=lambda one: (one.published_time, one.id))
    outputs: list[Output] = []
    for time, together in groupby(in_time, key=attrgetter("published_time")):
        sentences = [sentence for document in together for sentence in document.sentences]
        outputs += follower.push(sentences, time)
    return outputs


def findings(event: Event, documents: list[Document]) -> list[Contradiction]:
    """What is found on the pages of an event."""
    outputs = followed(event, documents)
    supports = [one for one in outputs if isinstance(one, Support)]
    timeline = build_timeline(
        event,
        [one for one in outputs if isinstance(one, Update)],
        values=[one for one in outputs if isinstance(one, ValueUpdate)],
        supports=supports,
    )
    return [*find_contradictions(timeline, supports), *find_wrong_days(make_digest(documents, event))]


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    options.add_argument("--show", type=int, default=0, help="so many findings of each kind")
    options.add_argument("--only", default="", help="streams whose name holds this")
    asked = options.parse_args()
    print(heading(f"stream | {' | '.join(KINDS)}", 1))
    total: Counter[str] = Counter()
    shown: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for name, event, documents in streams(asked.data):
        if asked.only not in name:
            continue
        found = findings(event, documents)
        counts = Counter(one.kind for one in found)
        total += counts
        print(f"| {name} | {' | '.join(str(counts[kind]) for kind in KINDS)} |", flush=True)
        for one in found:
            shown[one.kind].append(f"  {name} {one.place}: {one.words}")
    print(f"| all | {' | '.join(str(total[kind]) for kind in KINDS)} |")
    for kind in KINDS if asked.show else ():
        print(f"\n{kind}: {total[kind]}", *shown[kind][: asked.show], sep="\n")


if __name__ == "__main__":
    main()
