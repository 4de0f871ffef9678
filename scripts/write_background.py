"""Write how usual each stem is in the news, where a stream has not yet shown it itself.

python scripts/write_background.py --data ../shared/data

Three columns: how many of 1,000 documents hold the stem; how many hold it in their title or first five sentences; and
how many of 100 of its words within sentences have a capital (100 where none stands within one). Stems of places and
their people are marked. Counted over
Timeline17's articles, those of other outlets and of persons, each collection given the same weight, so that no story
fills the list. The second leaves out the story that uses a stem most, so that a story's own words look in it as those
of a new one would: "zuma" is no word of other news. It is that of the feeds where it is higher there. Stems in fewer
than one of 4,000 documents are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import tidings
from tidings.analysis import gazetteers
from tidings.core import shared_analyzer

OUT = Path(__file__).parents[1] / "src/tidings/following/background.txt"
LEAST = 0.25
HEAD_SENTENCES = 5
HEADLINE = 0.5
OUTLET = re.compile("_[a-z]+$")
"""What stands behind the name of a story."""
PLACES = frozenset({"country", "place", "city", "demonym"})
HEAD = """\
# Of 1,000 documents those that hold a stem, those whose beginning does, of 100 of its words those with a capital, and
# whether it is a place; by `python scripts/write_background.py --data ../shared/data`.
"""


def articles(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """The title and sentences of each article of a collection."""
    for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines():
        record = json.loads(line)
        yield record.get("title") or "", record.get("sentences") or record["text"].splitlines()


class Counts:
    """Of a collection: its documents, those with each stem, those with it at the beginning; words and capitals."""

    def __init__(self) -> None:
        self.documents = 0
        self.holding: Counter[str] = Counter()
        self.beginning: Counter[str] = Counter()
        self.words: Counter[str] = Counter()
        self.capitals: Counter[str] = Counter()

    def add(self, title: str, sentences: Sequence[str]) -> None:
        """Count a document."""
        stems_of = shared_analyzer().stems
        self.documents += 1
        self.holding.update(set(stems_of(" ".join((title, *sentences))[:20_000])))
        self.beginning.update(set(stems_of(" ".join((title, *sentences[:HEAD_SENTENCES])))))
        for sentence in sentences[:50]:
            words = sentence.split()
            if sum(word[0].isupper() for word in words) > HEADLINE * len(words):
                continue
            for word in words[1:]:
                for stem in stems_of(word):
                    self.words[stem] += 1
                    self.capitals[stem] += word[0].isupper()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--without", default="", help="leave out collections whose folder holds this")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    stems_of = shared_analyzer().stems
    paths = [
        path
        for kind in ("articles", "stream")
        for path in sorted(options.data.glob(f"tls*/*/{kind}.jsonl.gz"))
        if not options.without or options.without not in path.parent.name
    ]
    shares: dict[str, float] = defaultdict(float)
    heads: dict[str, float] = defaultdict(float)
    words: Counter[str] = Counter()
    capitals: Counter[str] = Counter()

    def gather(counts: Counts) -> None:
        words.update(counts.words)
        capitals.update(counts.capitals)

    by_story: dict[str, list[Counts]] = defaultdict(list)
    for path in paths:
        counts = Counts()
        for title, sentences in articles(path):
            counts.add(title, sentences)
        gather(counts)
        by_story[OUTLET.sub("", path.parent.name)].append(counts)
        for stem, count in counts.holding.items():
            shares[stem] += 1000.0 * count / (counts.documents * len(paths))
    of_stories: dict[str, list[float]] = defaultdict(list)
    for collections in by_story.values():
        documents = sum(counts.documents for counts in collections)
        for stem, count in sum((counts.beginning for counts in collections), Counter()).items():
            of_stories[stem].append(1000.0 * count / documents)
    for stem, found in of_stories.items():
        heads[stem] = (sum(found) - max(found)) / (len(by_story) - 1)
    feeds = Counts()
    for document in tidings.read_documents(options.data / "feeds/news"):
        feeds.add(document.title, [sentence.text for sentence in document.sentences])
    gather(feeds)
    for stem, count in feeds.beginning.items():
        heads[stem] = max(heads[stem], 1000.0 * count / feeds.documents if count > 2 else 0.0)
    rows = sorted(
        (stem, shares[stem], heads[stem], 100 * capitals[stem] / words[stem] if words[stem] else 100)
        for stem in heads.keys() | shares.keys()
        if max(shares[stem], heads[stem]) >= LEAST and not stem.isdigit()
    )
    listed = gazetteers().words.items()
    places = {stem for word, marks in listed if not PLACES.isdisjoint(marks) for stem in stems_of(word)}
    lines = (
        f"{stem} {share:.2f} {head:.2f} {capital:.0f}{' place' * (stem in places)}\n"
        for stem, share, head, capital in rows
    )
    options.out.write_text(HEAD + "".join(lines), encoding="utf-8")
    print(
        f"{len(rows)} stems of {len(paths)} collections and {feeds.documents} items of feeds to {options.out}"
    )


if __name__ == "__main__":
    main()
