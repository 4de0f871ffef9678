"""How long the next update takes: a pool of 5,000 updates and 400 nuggets, made of a finished collection's topics.

    python scripts/time_selection.py ../shared/data/trec-ts/2014

Prints seconds of CPU on one core: the median of five.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from frame import parser as command_line

from tidings.evaluation.selection.pool_texts import PoolTexts
from tidings.evaluation.selection.selection import Selection
from tidings.evaluation.selection.simulation import judged_topics
from tidings.evaluation.selection.suggestions import NuggetSuggester
from tidings.sources.streams import read_judgments

UPDATES, NUGGETS = 5_000, 400


def seconds(work: Callable[[], object]) -> float:
    """The median of five."""
    taken = []
    for _ in range(5):
        begun = process_time()
        work()
        taken.append(process_time() - begun)
    return median(taken)


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path)
    topics = judged_topics(read_judgments(parser.parse_args().folder))
    rows = {row.text: row for topic in topics for row in topic.pool if not row.duplicate_of}
    pool = list(rows.values())[:UPDATES]
    nuggets = [nugget for topic in topics for nugget in topic.nuggets][:NUGGETS]
    told = {update: tuple(own) for topic in topics for update, own in topic.matches.items()}
    texts = PoolTexts(pool)
    selection = Selection(texts, nuggets, topics[0].event.query)
    print(f"{len(texts.candidates):,} updates, {len(nuggets)} nuggets")
    print(f"pool made ready: {seconds(lambda: PoolTexts(pool)):.2f} s")
    print(f"nuggets made ready: {seconds(lambda: Selection(texts, nuggets, topics[0].event.query)):.2f} s")
    ids = [one.id for one in texts.candidates]
    Random(0).shuffle(ids)
    for count in (10, 100, 500, 1_000, 2_500):
        judged = {update: told.get(update, ()) for update in ids[:count]}
        print(f"order anew, {count:,} judged: {seconds(partial(selection.order, judged)):.3f} s")
    suggester = NuggetSuggester(texts.terms, nuggets)
    for update in ids[:2_500]:
        for nugget in told.get(update, ()):
            suggester.add(update, nugget, texts.text_of(update))
    text = texts.text_of(ids[-1])
    suggester.suggest(text)
    print(f"nuggets suggested: {seconds(lambda: suggester.suggest(text)):.4f} s")


if __name__ == "__main__":
    main()
