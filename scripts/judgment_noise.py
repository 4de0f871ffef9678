"""How alike near copies were judged: what no summarizer that reads words can know.

    python scripts/judgment_noise.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014

Takes all pairs of pooled sentences of an event (of 4 to 40 words, not the same text) whose cosine by counts of stems
is at least .8, and prints in how many pairs both or neither match a nugget, and, where both do, how much their nuggets
overlap (Jaccard).
"""

from __future__ import annotations

from itertools import combinations

from frame import parser as command_line

from tidings.core import shared_analyzer
from tidings.core.text.vectors import unit_vector
from tidings.research.training.labelled_events import load_events

LEAST = 0.8


def cosine(one: dict[str, float], other: dict[str, float]) -> float:
    """The cosine of two unit vectors."""
    if len(one) > len(other):
        one, other = other, one
    return sum(weight * other.get(stem, 0.0) for stem, weight in one.items())


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folders", nargs="+")
    stems_of = shared_analyzer().stems
    pairs = alike = 0
    overlaps = []
    for event in load_events(parser.parse_args().folders):
        texts = {}
        for sentence, _ in event.sentences:
            stems = stems_of(sentence.text)
            if 4 <= len(sentence.text.split()) <= 40 and stems:
                texts.setdefault(sentence.text, (unit_vector(stems), event.nuggets_of(sentence)))
        for (one, mine), (other, theirs) in combinations(texts.values(), 2):
            if cosine(one, other) < LEAST:
                continue
            pairs += 1
            alike += bool(mine) == bool(theirs)
            if mine and theirs:
                overlaps.append(len(mine & theirs) / len(mine | theirs))
    print(
        f"{pairs:,} pairs of near copies; judged alike (both or neither match a nugget): {alike / pairs:.3f}"
    )
    print(
        f"{len(overlaps):,} pairs where both match; overlap of their nuggets: {sum(overlaps) / len(overlaps):.3f}"
    )


if __name__ == "__main__":
    main()
