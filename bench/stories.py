"""Print how fast documents are grouped into stories once they are read, and what memory the open ones take.

    python -m bench.stories [--documents 100000] [--data FOLDER]

The articles of Timeline17, other outlets and persons, as often as it takes: each time the stems and names that fewer
than one in a hundred of them hold are exchanged for others as rare, and those of one article alone are new, so that
there are as many more stories of the same shape. All of it lies within twenty days, so that nothing
is closed. Processor time of grouping alone; memory is what the process grew by.
"""

from __future__ import annotations

import resource
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import process_time

from bench.frame import DATA, ROOT, parser as command_line
from tidings.core import DAY_S, Document
from tidings.following.grouping.document_features import DocumentFeatures, read_many
from tidings.following.grouping.story_tracker import StoryTracker

SPAN_S = 20 * DAY_S
USUAL = 0.01  # of the articles: what so many hold is the same in every copy
SHIFT = 37  # places in the list by rarity by which a copy exchanges stems


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "scripts"))
    from table_of_stories import read_long

    documents, _ = read_long(options.data)
    outlets = [document.source for document in documents]
    read = list(read_many(documents))
    del documents
    before, spent = resident(), 0.0
    tracker = StoryTracker()
    for number, (outlet, features) in enumerate(copies(outlets, read, options.documents)):
        time = number * SPAN_S // options.documents
        document = Document(id=f"document-{number}", published_time=time, source=outlet, text="")
        began = process_time()
        tracker.push_features(document, features)
        spent += process_time() - began
    grown = resident() - before
    print(
        f"{options.documents:,} documents in {len(tracker.stories()):,} open stories: "
        f"{options.documents / spent:,.0f} documents/s, {grown / 1e6:,.0f} MB"
    )


def copies(
    outlets: list[str], read: list[DocumentFeatures], count: int
) -> Iterator[tuple[str, DocumentFeatures]]:
    """So many documents: each article, then again with other rare stems and names."""
    held = Counter(term for features in read for term in (*features.words, *features.names))
    rare = sorted(
        (term for term, documents in held.items() if 1 < documents < USUAL * len(read)),
        key=lambda term: (held[term], term),
    )
    place_of = {term: place for place, term in enumerate(rare)}
    times = -(-count // len(read))
    for number in range(count):
        article, copy = divmod(number, times)
        features = read[article]
        if copy:

            def name(term: str, copy: int = copy) -> str:
                if term in place_of:
                    return rare[(place_of[term] + SHIFT * copy) % len(rare)]
                return term if held[term] != 1 else f"{term}~{copy}"

            features = replace(
                features,
                words={name(stem): weight for stem, weight in features.words.items()},
                names={name(key): named for key, named in features.names.items()},
                title_words={name(stem): word for stem, word in features.title_words.items()},
                shingles=frozenset(shingle ^ copy for shingle in features.shingles),
            )
        yield outlets[article], features


def resident() -> int:
    """The memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()


if __name__ == "__main__":
    main()
