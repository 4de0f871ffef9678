"""Speed and memory of grouping documents into stories.

    python -m bench.stories [DOCUMENTS]

Made-up documents (100,000) of made-up stories within thirty days, so that all of them stay open, are grouped after they
were read: words by Zipf's law, each story with sixty words and six names of its own. For each tenth it prints how many
documents a second of one core groups, and the memory that grouping took beyond that of the process; and then how long
the state takes to be written and read.
"""

from __future__ import annotations

import random
import resource
import sys
from collections.abc import Iterator
from itertools import accumulate
from time import process_time

from tidings.core import DAY_S, Document
from tidings.following.grouping.features import DocumentFeatures
from tidings.following.grouping.tracker import StoryTracker

DOCUMENTS = 100_000
_WORDS, _NAMES = 60_000, 20_000
_OF_STORY, _OF_NEWS = 45, 45
_DAYS = 29


def made_up(count: int, seed: int = 1) -> Iterator[tuple[Document, DocumentFeatures]]:
    """Documents with what is read of them, in order; a story has three documents on average, a few have hundreds."""
    chance = random.Random(seed)
    weights = list(accumulate(1 / (rank + 20) for rank in range(_WORDS)))
    words = [f"w{number}" for number in range(_WORDS)]
    stories: list[tuple[list[str], list[str], int]] = []
    for number in range(count):
        if not stories or chance.random() < 0.35:
            own = chance.choices(words, cum_weights=weights, k=60)
            names = [f"n{chance.randrange(_NAMES)}" for _ in range(6)]
            stories.append((own, names, chance.randrange(1, 31)))
        story = stories[int(len(stories) * (1 - chance.random() ** 3 * 0.2)) - 1]
        counts: dict[str, float] = {}
        for word in chance.choices(words, cum_weights=weights, k=_OF_NEWS) + chance.choices(
            story[0], k=_OF_STORY
        ):
            counts[word] = counts.get(word, 0.0) + 1.0
        head = dict.fromkeys(chance.sample(story[0], 8), 1.0)
        names = {name: (1.0, name) for name in chance.sample(story[1], 3)}
        title = " ".join(head)
        time = number * _DAYS * DAY_S // count
        features = DocumentFeatures(
            language="en",
            title=title,
            title_words={word: word for word in head},
            title_names=1,
            words=counts | head,
            head=head,
            names=names,
            weekdays=frozenset(),
            month_days=frozenset((100 + story[2],)),
            shingles=frozenset(chance.randrange(1 << 32) for _ in range(20)),
        )
        document = Document(
            id=f"{chance.getrandbits(64):016x}", published_time=time, source=f"outlet{number % 50}"
        )
        yield document, features


def resident_mb() -> float:
    """The largest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS
    tracker, spent, tenth = StoryTracker(), 0.0, max(1, count // 10)
    before = resident_mb()
    for number, (document, features) in enumerate(made_up(count), 1):
        began = process_time()
        tracker.push_features(document, features)
        spent += process_time() - began
        if number % tenth == 0:
            print(
                f"{number:>7,} documents: {tenth / spent:,.0f} a second, {resident_mb() - before:,.0f} MB",
                flush=True,
            )
            spent = 0.0
    print(f"{len(tracker.stories()):,} stories are open")
    began = process_time()
    state = tracker.state()
    wrote = process_time()
    again = StoryTracker.restore(state)
    read = process_time()
    assert again.state() == state
    print(
        f"state: {len(state) / 1e6:,.0f} MB, written in {wrote - began:.1f} s, read in {read - wrote:.1f} s"
    )


if __name__ == "__main__":
    main()
