"""What is said alike: later sentences that repeat an earlier one, and events that several judges list in like words.

Judges of 2001 neglected later sentences that were like one that they had linked (Khandelwal, Gupta and Allan 2001,
section 3.3), so the desk shows these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tidings.core import JudgedObject, NearDuplicates, jaccard, shared_analyzer, shingles

__all__ = ["later_alike", "proposed_merges"]

_SENTENCES_LIKENESS = 0.5
_EVENTS_LIKENESS = 0.4
_MOST = 20


@lru_cache(maxsize=8)
def later_alike(sentences: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    """For each sentence the later ones that are identical or nearly so, at most twenty.

    Two are alike whose sets of runs of two stems overlap by half or more (Jaccard), or whose words are the same.

    Args:
        sentences: (id, text) in their order.

    >>> later_alike((("a-0", "A ferry burns in port."), ("b-0", "Nobody was hurt."), ("c-0", "A ferry burns in port!")))
    {'a-0': ('c-0',)}
    """
    analyzer = shared_analyzer()
    index = NearDuplicates(threshold=_SENTENCES_LIKENESS)
    later: dict[str, list[str]] = {}
    for number, (sentence, text) in enumerate(sentences):
        members = shingles(analyzer.stems(text)) or frozenset(text.split())
        for earlier, _ in index.find(members, now=number):
            followers = later.setdefault(earlier, [])
            if len(followers) < _MOST:
                followers.append(sentence)
        index.add(sentence, members, time=number)
    place = {sentence: number for number, (sentence, _) in enumerate(sentences)}
    return {sentence: tuple(later[sentence]) for sentence in sorted(later, key=place.__getitem__)}


def proposed_merges(
    events: Sequence[JudgedObject], accounted: Iterable[tuple[str, str]] = ()
) -> list[list[tuple[str, str]]]:
    """Which of the judges' events are probably the same: (layer, event id) of each, at most one of each judge.

    Likeness is Jaccard's of the sets of stems. The likest pair of two judges' events is joined first; an event joins
    others only where it is like each of them.

    Args:
        events: of all judges.
        accounted: those that are merged or left out already; they are not proposed again.

    >>> lists = [("judge-2", "e1", "A ferry burned in the port"), ("judge-3", "e1", "Ferry burns in port of Oslo"),
    ...          ("judge-3", "e2", "Nobody was hurt")]
    >>> proposed_merges([JudgedObject(1, layer, "event", name, 1, {"text": text}) for layer, name, text in lists])
    [[('judge-2', 'e1'), ('judge-3', 'e1')]]
    """
    done = set(accounted)
    analyzer = shared_analyzer()
    stems = {
        (one.layer, one.id): frozenset(analyzer.stems(one.value["text"]))
        for one in events
        if one.value is not None and (one.layer, one.id) not in done
    }
    names = list(stems)
    pairs = [
        (likeness, one, other)
        for number, one in enumerate(names)
        for other in names[number + 1 :]
        if one[0] != other[0] and (likeness := jaccard(stems[one], stems[other])) >= _EVENTS_LIKENESS
    ]
    like = {frozenset((one, other)) for _, one, other in pairs}
    parts = {name: [name] for name in names}
    for _, one, other in sorted(
        pairs, key=lambda pair: (-pair[0], names.index(pair[1]), names.index(pair[2]))
    ):
        first, second = parts[one], parts[other]
        judges = [layer for layer, _ in (*first, *second)]
        if first is second or len(set(judges)) < len(judges):
            continue
        if all(frozenset((left, right)) in like for left in first for right in second):
            joined = sorted((*first, *second), key=names.index)
            for name in joined:
                parts[name] = joined
    seen: set[int] = set()
    proposed = []
    for part in parts.values():
        if len(part) > 1 and id(part) not in seen:
            seen.add(id(part))
            proposed.append(part)
    return proposed
