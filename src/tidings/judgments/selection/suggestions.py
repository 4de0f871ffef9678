"""What an update may be linked to: likely nuggets with the span that says them, likely clusters.

These are suggestions: nothing is a judgment before a person has accepted what stands on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from tidings.judgments.selection.spans import likely_span
from tidings.judgments.selection.terms import Terms
from tidings.records import Nugget
from tidings.text.tokens import shared_analyzer

__all__ = ["SuggestedCluster", "SuggestedNugget", "suggest_clusters", "suggest_nuggets"]


class SuggestedNugget(Struct, frozen=True):
    """A nugget that an update may tell, characters start..end of the update's text being the words that say it."""

    nugget_id: str
    score: float
    start: int
    end: int


class SuggestedCluster(Struct, frozen=True):
    """A cluster that an update may belong to."""

    cluster_id: str
    score: float


def suggest_nuggets(
    text: str,
    nuggets: Sequence[Nugget],
    matched: Iterable[tuple[str, str]] = (),
    limit: int = 5,
    language: str = "english",
) -> tuple[SuggestedNugget, ...]:
    """The nuggets that an update most likely tells, best first; none that shares no word with it.

    Args:
        text: the update's.
        nuggets: of its topic.
        matched: (the words that said a nugget, that nugget's id) of the matches made so far in the topic.
        limit: how many at most.
        language: of the texts.

    >>> nuggets = [Nugget("e", "N1", 0, 2, "12 people died"), Nugget("e", "N2", 0, 2, "a ferry burned off the coast")]
    >>> text = "Police said a ferry burned near the coast."
    >>> [(one.nugget_id, text[one.start : one.end]) for one in suggest_nuggets(text, nuggets)]
    [('N2', 'ferry burned near the coast')]
    """
    stems = shared_analyzer(language).stems
    ways = [(nugget.id, nugget.text) for nugget in nuggets]
    known = {nugget.id for nugget in nuggets}
    ways += [(nugget, words) for words, nugget in matched if nugget in known]
    texts = [stems(words) for _, words in ways]
    if not texts:
        return ()
    terms = Terms(texts)
    cosines = terms.matrix(texts).cosines(terms.matrix([stems(text)]))[:, 0]
    best: dict[str, tuple[float, str]] = {}
    for (nugget, words), cosine in zip(ways, cosines.tolist(), strict=True):
        if cosine > best.get(nugget, (0.0, ""))[0]:
            best[nugget] = (cosine, words)
    ranked = sorted(best.items(), key=lambda item: -item[1][0])[:limit]
    return tuple(
        SuggestedNugget(nugget, score, *likely_span(text, words, language))
        for nugget, (score, words) in ranked
    )


def suggest_clusters(
    text: str, clusters: Mapping[str, Sequence[str]], limit: int = 5, language: str = "english"
) -> tuple[SuggestedCluster, ...]:
    """The clusters that an update most likely belongs to, best first; none that shares no word with it.

    Args:
        text: the update's.
        clusters: id → texts of its updates, and its name where it has one.
        limit: how many at most.
        language: of the texts.

    >>> clusters = {"fire": ["A ferry burns.", "Ferry on fire"], "goal": ["A late goal"]}
    >>> [one.cluster_id for one in suggest_clusters("The ferry still burns.", clusters)]
    ['fire']
    """
    stems = shared_analyzer(language).stems
    owners = [cluster for cluster, texts in clusters.items() for _ in texts]
    texts = [stems(words) for own in clusters.values() for words in own]
    if not texts:
        return ()
    terms = Terms(texts)
    cosines = terms.matrix(texts).cosines(terms.matrix([stems(text)]))[:, 0]
    best: dict[str, float] = {}
    for cluster, cosine in zip(owners, cosines.tolist(), strict=True):
        if cosine > best.get(cluster, 0.0):
            best[cluster] = cosine
    ranked = sorted(best.items(), key=lambda item: -item[1])[:limit]
    return tuple(SuggestedCluster(cluster, score) for cluster, score in ranked)
