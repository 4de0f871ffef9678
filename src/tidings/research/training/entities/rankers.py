"""Training the rankers of a day's entities: from nuggets, or from how often the pages of linked entities were read.

Page views: "Balancing Novelty and Salience" (CIKM 2015), section 4.2. An entity is linked to a page where one of its
names is the page's title (the paper takes what two disambiguators agree on); what is worth something on a day is how
far its page's views stand out, VOR of formula (3). Entities without a page, or without enough days of views, are left
out of learning: nothing is known of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, cast

import numpy as np
from msgspec import Meta, Struct

from tidings.analysis import shipped_recogniser
from tidings.core import UsageError
from tidings.following import LEAST_VIEWS, WINDOW, Array, read_views, title_candidates, view_outlier_ratio
from tidings.research.training.entities.judged_days import JudgedDay, LabelKind, judged_days
from tidings.research.training.entities.ranker_training import (
    MEASURES,
    NUGGETS,
    Labels,
    LearnedKind,
    RankerTraining,
    learn,
    leave_one_out,
    model_parts,
    score_rankings,
    soft_labels,
)
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.trainers import Learned, Training, read_options

KINDS: tuple[LabelKind, ...] = ("match", "first mention")


class RankerOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the trainer."""

    window: Annotated[int, Meta(ge=3, le=365)] = WINDOW
    """Days of the median of page views."""
    least: Annotated[float, Meta(gt=0)] = LEAST_VIEWS
    """V_min, the least median of page views."""
    alpha: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    """Of the decay, formula (9)."""
    rate: Annotated[float, Meta(gt=0)] = 0.5
    """Of the decay, for each day."""
    within_day: bool = False
    """Features by their places among the day's entities, not among those of all days."""
    grade: bool = True
    """Also rank each event by what learns from the others, for the model's card."""


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn from `events`; the `development` events join them, since nothing here is stopped early.

    With `training.views` from the page views in these files, else from nuggets. The figures are those of events that
    were ranked by what learned from the others, by nuggets in both cases.

    Raises:
        UsageError: an option is unknown, or there is nothing to learn from.
    """
    options = read_options(RankerOptions, training.options, training.system)
    recogniser = shipped_recogniser()
    days: list[JudgedDay] = []
    every = [*events, *development]
    for number, event in enumerate(every):
        training.progress(number, len(every), f"days of {event.event.id}")
        days += judged_days(event, recogniser)
    labels, notes = NUGGETS, "Labels: nuggets, the importance of those first matched that day. No page views."
    if training.views:
        labels, notes = view_labels(days, training.views, options.window, options.least)
    how = RankerTraining(
        kind=cast("LearnedKind", training.system.removeprefix("entities-")),
        within_day=options.within_day,
        alpha=options.alpha,
        rate=options.rate,
        seed=training.seed,
    )
    scores: dict[str, float] = {}
    if options.grade and len(every) > 1 and any(judged.labels for judged in days):
        ranked = leave_one_out(days, how, labels, training.progress)
        for kind in KINDS:
            scored = score_rankings(days, ranked, kind)
            scores |= {f"{measure} {kind}": round(scored.mean(measure), 4) for measure in MEASURES[:4]}
    about = "by nuggets, means over days, each event ranked by what learned from the others" if scores else ""
    arrays, settings = model_parts(learn(days, how, labels))
    return Learned(arrays, settings, scores=scores, about_scores=about, notes=notes)


def view_labels(
    days: Sequence[JudgedDay], paths: Sequence[str], window: int, least: float
) -> tuple[Labels, str]:
    """Labels by the View Outlier Ratio of the pages of linked entities, and what a model's card says of them.

    Raises:
        UsageError: no entity of the days has a page with views on its day and at least two near it.
    """
    names: dict[tuple[str, int], Counter[str]] = {}
    for judged in days:
        for entity in judged.day.entities:
            own = names.setdefault((judged.event_id, entity.id), Counter())
            own[entity.name] += 1
            own.update(mention.label for mention in entity.mentions if mention.how == "name")
    found = read_views(paths, [title_candidates(own) for own in names.values()])
    series = dict(zip(names, (views for _, views in found), strict=True))
    worth: dict[int, Array] = {}
    for judged in days:
        ratios = [
            view_outlier_ratio(
                series[judged.event_id, entity.id], judged.day.date, window=window, least=least
            )
            for entity in judged.day.entities
        ]
        worth[id(judged)] = np.array([np.nan if ratio is None else ratio for ratio in ratios], float)
    count = sum(int((~np.isnan(own)).sum()) for own in worth.values())
    linked = sum(bool(views) for _, views in found)
    if not count:
        raise UsageError(
            f"{', '.join(paths)}: no page views to learn from. Of {len(found):,} entities {linked:,} have a page "
            "there, and none of these has views on a day of the event and on two more of the days before it"
        )
    digests = ", ".join(
        f"{Path(path).name} {sha256(Path(path).read_bytes()).hexdigest()[:16]}" for path in paths
    )
    return soft_labels(lambda judged: worth[id(judged)]), (
        f"Labels: View Outlier Ratio of page views, {count:,} of entities and days, {linked:,} of {len(found):,} "
        f"entities linked to a page; {digests}."
    )
