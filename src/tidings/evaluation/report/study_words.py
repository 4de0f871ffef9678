"""What a study says in words, and what its forerunner of 2017 found, to stand beside it."""

from __future__ import annotations

import math

from tidings.core import Cell, percent
from tidings.evaluation.measures.projection import RULES
from tidings.evaluation.study import Study
from tidings.evaluation.study.categories import CategoryTable

__all__ = ["METRIC_NAMES", "about_categories", "about_projections", "about_ties", "headline", "paper_rows"]

METRIC_NAMES = {"EG": "expected gain", "C": "comprehensiveness"}

_PAPER_LIKENESS = {
    "random": (0.1734, 0.1302),
    "highest-grade": (0.1735, 0.1312),
    "earliest": (0.1657, 0.1287),
    "most-popular": (0.1709, 0.1302),
}
_PAPER_SHARES = {"EG": "79.2 %", "C": "79.6 %"}
_PAPER_ABOVE = {"EG": "12 of 22", "C": "9 of 22"}


def headline(study: Study) -> str:
    """The study in a sentence or two."""
    topics = len(study.topics)
    words = f"{topics} topic{'s' if topics != 1 else ''} judged by nuggets and by clusters"
    if study.silver:
        words += "; the clusters are silver ones, made of the "
        words += (
            "words of updates that tell nuggets"
            if study.silver == "automatic"
            else f"nuggets by the rule {study.silver}"
        )
    if not study.runs:
        return words + "."
    shares = " and ".join(f"{percent(one.share)} by {METRIC_NAMES[one.metric]}" for one in study.agreement)
    return f"{words}. Of the pairs of {len(study.runs)} runs that both tell apart, they order {shares} the same way."


def about_categories(table: CategoryTable) -> str:
    """Who sorted a topic's nuggets and clusters."""
    everything = len(table.assigned)
    if table.suggested == everything:
        return "Suggested by likeness of words; nobody has sorted these. N counts nuggets, C clusters."
    by_hand = f"{everything - table.suggested} of {everything} sorted by hand"
    rest = ", the rest by likeness of words" if table.suggested else ""
    return f"{by_hand}{rest}. N counts nuggets, C clusters."


def about_projections(study: Study) -> tuple[str, ...]:
    """What the figures of Table 3 are."""
    made = study.projections
    lines = [
        "Each update that is relevant both ways gets one of its nuggets for a cluster: a random one, that of the "
        "highest grade, the earliest, or the most popular one. Lots are drawn at ties.",
        f"Means over topics and {made.seeds} seed{'s' if made.seeds != 1 else ''}; ± is the standard deviation from "
        f"seed to seed. AMI is divided by the {_NORMALISERS[made.normaliser]} of the two entropies.",
    ]
    if study.silver == "automatic":
        lines.append(
            "The clusters here are made of the words of the updates that tell nuggets, by a program: all figures say "
            "how like projections are to these, not to people's clusters."
        )
    elif study.silver:
        lines.append(
            f"The clusters here are a projection themselves ({study.silver}), so that rule differs from them by lots "
            "only, and all figures say how alike projections are, not how like people's clusters."
        )
    return tuple(lines)


_NORMALISERS = {
    "max": "greater",
    "min": "smaller",
    "arithmetic": "arithmetic mean",
    "geometric": "geometric mean",
}


def about_ties() -> tuple[str, ...]:
    """What is done with pairs that one kind of judgments does not tell apart."""
    return (
        "Each point is a pair of runs of the topic's year: the difference by nuggets across, by clusters upwards, each "
        "divided by the greatest of the topic. A run that is silent on a topic scores 0 there.",
        "Pairs agree where both differences have the same sign. A pair is tied once where one of the two differences "
        "is 0, and twice where both are: ties are counted apart, and neither agree nor disagree. Shares are given of "
        "the pairs without ties, and of all pairs.",
    )


def paper_rows(study: Study) -> list[tuple[Cell, ...]]:
    """(what, what the study of 2017 reports, what is found here)."""
    counts = study.counts
    updates = sum(row.updates for row in counts)
    rows: list[tuple[Cell, ...]] = [
        ("topics", "22", str(len(counts))),
        ("relevant by nuggets", "37.6 %", _share(sum(row.by_nuggets for row in counts), updates)),
        ("relevant by clusters", "59.8 %", _share(sum(row.by_clusters for row in counts), updates)),
        (
            "nuggets for each cluster",
            f"{2283 / 879:.2f}",
            f"{sum(row.nuggets for row in counts) / max(1.0, sum(row.clusters for row in counts)):.2f}",
        ),
    ]
    likeness = {one.one: one for one in study.projections.rules}
    for place, name in enumerate(("ARI", "AMI")):
        for rule in RULES:
            value = likeness[rule].ari if name == "ARI" else likeness[rule].ami
            shown = f"{value:.4f}" if math.isfinite(value) else "–"
            rows.append((f"{name}, {rule}", f"{_PAPER_LIKENESS[rule][place]:.4f}", shown))
    for one in study.agreement:
        name = METRIC_NAMES[one.metric]
        rows.append((f"pairs that agree by {name}", _PAPER_SHARES[one.metric], f"{100 * one.share:.1f} %"))
        rows.append(("the same, of all pairs with ties", "not given", f"{100 * one.share_of_all:.1f} %"))
        rows.append(
            (
                f"topics with more than 80 % by {name}",
                _PAPER_ABOVE[one.metric],
                f"{one.topics_above} of {one.topics}",
            )
        )
    for plot in study.correlations:
        shown = f"{plot.tau:.3f}" if math.isfinite(plot.tau) else "–"
        rows.append((f"Kendall's τ, {METRIC_NAMES[plot.metric]}, {plot.group}", "drawn only", shown))
    if study.effort is not None and study.effort.ratio:
        rows.append(("nuggets' time over clusters'", "2.8 to 4.8", f"{study.effort.ratio:.1f}"))
    return rows


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"
