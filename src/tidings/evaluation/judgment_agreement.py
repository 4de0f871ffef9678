"""Judgments of the same updates by several people, compared: event by event, and where they disagree."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from math import nan

from msgspec import Struct

from tidings.core import Judgments, bare_event_id
from tidings.evaluation.measures.agreement import (
    adjusted_mutual_information,
    adjusted_rand,
    fleiss_kappa,
    krippendorff_alpha,
    mean_of_defined,
    span_overlap,
)

Links = Mapping[tuple[str, str], Sequence[tuple[int, int]]]
"""What one judge linked: (update, nugget) to the spans that state it."""


class EventAgreement(Struct, frozen=True):
    """How far judges agree on one event; nan where there is nothing to agree on.

    Args:
        event_id: which, without the track's prefix.
        updates: that all judges saw.
        relevant: that at least one of them found relevant: matched to a nugget or put into a cluster.
        kappa: Fleiss' κ of relevance (of two judges that is Scott's π).
        alpha: Krippendorff's α of relevance.
        links: of updates to nuggets: mean F of pairs of judges, 2 · shared / (those of one + those of the other).
        spans: mean overlap of the characters marked for links that both of two judges made, mean over pairs.
        ari: mean adjusted Rand index of pairs of judges, over the updates that both put into clusters.
        ami: the same for adjusted mutual information (normalised by the larger entropy).
    """

    event_id: str
    updates: int
    relevant: int
    kappa: float = nan
    alpha: float = nan
    links: float = nan
    spans: float = nan
    ari: float = nan
    ami: float = nan


class Disagreement(Struct, frozen=True):
    """One thing that judges see differently: `kind` is relevance, link or span, `answers` theirs in their order."""

    event_id: str
    kind: str
    update_id: str
    nugget_id: str
    answers: tuple[str, ...]


class JudgmentComparison(Struct, frozen=True):
    """Agreement by event, and each disagreement."""

    events: tuple[EventAgreement, ...]
    disagreements: tuple[Disagreement, ...]


class _Judge:
    # What one judge said of one event.

    def __init__(self, judgments: Judgments, bare: str) -> None:
        of_event = [match for match in judgments.matches if bare_event_id(match.event_id) == bare]
        self.links: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for match in of_event:
            self.links.setdefault((match.update_id, match.nugget_id), []).append((match.start, match.end))
        self.cluster_of = {
            update: cluster.id
            for cluster in judgments.clusters
            if bare_event_id(cluster.event_id) == bare
            for update in cluster.update_ids
        }
        self.relevant = {update for update, _ in self.links} | self.cluster_of.keys()
        self.nuggets = {nugget.id for nugget in judgments.nuggets if bare_event_id(nugget.event_id) == bare}
        pooled = {row.id for row in judgments.pool if bare_event_id(row.event_id) == bare}
        self.updates = pooled or self.relevant


def compare_judgments(judges: Sequence[Judgments]) -> JudgmentComparison:
    """How far judges agree who judged the same updates.

    Args:
        judges: what each judged, at least two; events are compared that all have.

    Raises:
        ValueError: fewer than two.

    >>> from tidings.core.records import Match, PooledUpdate
    >>> pool = tuple(PooledUpdate("e", "d", n, "A fire.") for n in range(4))
    >>> one = Judgments(name="one", pool=pool, matches=(Match("e", "d-0", "n", 0, 6), Match("e", "d-1", "n", 0, 6)))
    >>> other = Judgments(name="other", pool=pool, matches=(Match("e", "d-0", "n", 2, 6),))
    >>> made = compare_judgments([one, other])
    >>> [(round(e.kappa, 3), round(e.links, 3), round(e.spans, 3)) for e in made.events]
    [(0.467, 0.667, 0.8)]
    >>> [(d.kind, d.update_id, d.answers) for d in made.disagreements]
    [('span', 'd-0', ('0-6', '2-6')), ('relevance', 'd-1', ('yes', 'no'))]
    """
    if len(judges) < 2:
        raise ValueError(f"there must be at least two judges to compare, not {len(judges)}")
    names = [_events_of(judge) for judge in judges]
    shared = [bare for bare in names[0] if all(bare in own for own in names)]
    events, disagreements = [], []
    for bare in shared:
        answers = [_Judge(judge, bare) for judge in judges]
        events.append(_agreement(bare, answers))
        disagreements += _disagreements(bare, answers)
    return JudgmentComparison(tuple(events), tuple(disagreements))


def _events_of(judgments: Judgments) -> dict[str, None]:
    ids = [row.event_id for row in judgments.pool]
    ids += [match.event_id for match in judgments.matches]
    ids += [cluster.event_id for cluster in judgments.clusters]
    return dict.fromkeys(map(bare_event_id, ids))


def _agreement(bare: str, judges: list[_Judge]) -> EventAgreement:
    updates = sorted(set.intersection(*({*judge.updates} for judge in judges)))
    labels = [[update in judge.relevant for judge in judges] for update in updates]
    # Links and spans can be compared only where judges used the same nuggets.
    same_nuggets = all(judge.nuggets == judges[0].nuggets for judge in judges)
    return EventAgreement(
        event_id=bare,
        updates=len(updates),
        relevant=sum(map(any, labels)),
        kappa=fleiss_kappa(labels),
        alpha=krippendorff_alpha(labels),
        links=_mean(judges, lambda one, other: link_overlap(one.links, other.links)) if same_nuggets else nan,
        spans=_mean(judges, lambda one, other: shared_span_overlap(one.links, other.links))
        if same_nuggets
        else nan,
        ari=_mean(judges, lambda one, other: clusters_alike(one.cluster_of, other.cluster_of, adjusted_rand)),
        ami=_mean(
            judges,
            lambda one, other: clusters_alike(one.cluster_of, other.cluster_of, adjusted_mutual_information),
        ),
    )


def _mean(judges: list[_Judge], measure: Callable[[_Judge, _Judge], float]) -> float:
    return mean_of_defined(measure(one, other) for one, other in combinations(judges, 2))


def link_overlap(one: Links, other: Links) -> float:
    """F = 2 · shared / (those of one + those of the other) of two judges' links, in 0..1; nan where neither made any.

    >>> link_overlap({("d-0", "n"): [(0, 4)]}, {("d-0", "n"): [(2, 4)], ("d-0", "m"): []})
    0.6666666666666666
    """
    made = len(one) + len(other)
    return 2 * len(one.keys() & other.keys()) / made if made else nan


def shared_span_overlap(one: Links, other: Links) -> float:
    """The mean overlap of the characters marked for links that both judges made; nan where they share none.

    >>> shared_span_overlap({("d-0", "n"): [(0, 4)]}, {("d-0", "n"): [(2, 6)]})
    0.5
    """
    overlaps = [span_overlap(one[link], other[link]) for link in sorted(one.keys() & other.keys())]
    return sum(overlaps) / len(overlaps) if overlaps else nan


def clusters_alike(
    one: Mapping[str, str | None],
    other: Mapping[str, str | None],
    measure: Callable[[list[Hashable], list[Hashable]], float],
) -> float:
    """A measure of two judges' clusters (update to cluster, or None), over the updates that both put into one."""
    both = [
        update for update in sorted(one.keys() & other.keys()) if None not in (one[update], other[update])
    ]
    return measure([one[update] for update in both], [other[update] for update in both])


def _disagreements(bare: str, judges: list[_Judge]) -> list[Disagreement]:
    all_of_event: list[Disagreement] = []
    for update in sorted(set.intersection(*({*judge.updates} for judge in judges))):
        answers = [update in judge.relevant for judge in judges]
        if len(set(answers)) > 1:
            all_of_event.append(
                Disagreement(bare, "relevance", update, "", tuple("yes" if a else "no" for a in answers))
            )
            continue
        for nugget in sorted({link[1] for judge in judges for link in judge.links if link[0] == update}):
            spans = [judge.links.get((update, nugget)) for judge in judges]
            shown = tuple(
                "no" if own is None else ", ".join(f"{a}-{b}" for a, b in sorted(own)) for own in spans
            )
            if len(set(shown)) > 1:
                kind = "link" if "no" in shown else "span"
                all_of_event.append(Disagreement(bare, kind, update, nugget, shown))
    return all_of_event
