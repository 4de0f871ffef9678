"""What a recogniser sees of tokens together: pairs, runs of capitals, listed names of several words."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.analysis.names.gazetteers import gazetteers
from tidings.analysis.names.words import WordFacts

__all__ = ["context_features"]


def context_features(sentence: Sequence[WordFacts]) -> list[list[str]]:
    """For each token of a sentence, what is to be seen of it and others together.

    A run is tokens in capitals side by side; its last word tells a body (`... Party`) or a place (`... River`) from a
    person, its first one a person by the given name.
    """
    size = len(sentence)
    lows = [facts.low for facts in sentence]
    runs = _runs(sentence)
    marks = gazetteers().phrase_marks(lows)
    capitals = sum(facts.capital for facts in sentence)
    heavy = "H" if size > 4 and capitals * 10 > size * 6 else ""
    result: list[list[str]] = []
    before, shape_before, coarse_before, kind_before = "<s>", "<", "<", "<"
    for at, facts in enumerate(sentence):
        shape = facts.shape
        if at + 1 < size:
            after = sentence[at + 1]
            low_after, shape_after, coarse_after, kind_after = (
                after.low,
                after.shape,
                after.coarse,
                after.kind,
            )
        else:
            low_after, shape_after, coarse_after, kind_after = "</s>", ">", ">", ">"
        low = facts.low
        features = [
            "bias",
            f"b-={before}|{low}",
            f"b+={low}|{low_after}",
            f"t={shape_before}|{shape}|{shape_after}",
            f"q-={coarse_before}|{shape}",
            f"q+={coarse_after}|{shape}",
            f"v-={before}|{shape}",
            f"v+={low_after}|{shape}",
            f"k-={kind_before}|{facts.kind}|{shape}",
            f"k+={kind_after}|{facts.kind}|{shape}",
        ]
        if heavy:
            features.append(f"H={shape}")
        if not at:
            features.append(f"S={shape}")
        if marks[at]:
            features += (f"m={marks[at]}", f"m={marks[at]}|{shape}")
        start, end = runs[at]
        if end > start:
            length = min(end - start, 5)
            place = "B" if at == start else "E" if at == end - 1 else "M"
            features.append(f"y={length}{place}{'S' if start == 0 else ''}")
            if length > 1:
                first, last = sentence[start], sentence[end - 1]
                features += (
                    f"e={last.low}|{place}",
                    f"f={first.low}|{place}",
                    f"ek={last.kind}|{place}",
                    f"fk={first.kind}|{place}",
                    f"ec={last.coarse}|{place}",
                    f"z={lows[start - 1] if start else '<s>'}|{place}",
                    f"a={lows[end] if end < size else '</s>'}|{place}",
                )
        result.append(features)
        before, shape_before, coarse_before, kind_before = low, shape, facts.coarse, facts.kind
    return result


def _runs(sentence: Sequence[WordFacts]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    start = 0
    size = len(sentence)
    while start < size:
        end = start
        while end < size and sentence[end].capital:
            end += 1
        if end == start:
            runs.append((start, start))
            start += 1
        else:
            runs += [(start, end)] * (end - start)
            start = end
    return runs
