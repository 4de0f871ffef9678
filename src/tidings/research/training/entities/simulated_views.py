"""Page views as readers would have made them, simulated from what entities were worth: to see what soft labels lose.

Views of an entity's page fall like its worth and linger, come late, are noisy and have holes; many entities have no
page. All of these are set by `ViewSettings`; what is drawn follows from the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
from msgspec import Struct

from tidings.following import Array, view_outlier_ratio
from tidings.research.training.entities.judged_days import JudgedDay

__all__ = ["ViewSettings", "soft_labels"]

_BEFORE = 14
"""Days before an event's first for which there are views."""


class ViewSettings(Struct, frozen=True, kw_only=True):
    """How views come from worth.

    Attributes:
        with_page: share of the entities that have a page.
        usual: median views of a page on a day without news; pages differ by a factor of e^`spread`.
        spread: standard deviation of the logarithm of a page's usual views.
        pull: views, as a multiple of the page's usual ones, that each unit of worth adds.
        linger: share of the added views that stays from one day to the next.
        late: share of the added views that comes a day late.
        noise: standard deviation of the logarithm of a day's views.
        holes: share of days whose views are missing.
        seed: of all that is drawn.
    """

    with_page: float = 0.6
    usual: float = 300.0
    spread: float = 1.5
    pull: float = 1.0
    linger: float = 0.4
    late: float = 0.3
    noise: float = 0.4
    holes: float = 0.05
    seed: int = 0


def soft_labels(days: Sequence[JudgedDay], settings: ViewSettings) -> list[Array]:
    """For each day what VOR says of its entities: 0 where there is no page, no views, or no burst.

    Days of one event stand in their order. The ratio is the signed one, below 0 taken as 0.
    """
    rng = np.random.default_rng(settings.seed)
    labels = [np.zeros(len(one.label)) for one in days]
    for event in dict.fromkeys(one.event_id for one in days):
        own = [number for number, one in enumerate(days) if one.event_id == event]
        series = _series([days[number] for number in own], settings, rng)
        for number in own:
            for row, entity in enumerate(days[number].day.entities):
                views = series.get(entity.id)
                ratio = view_outlier_ratio(views, days[number].day.date, signed=True) if views else None
                labels[number][row] = max(0.0, ratio or 0.0)
    return labels


def _series(
    days: Sequence[JudgedDay], settings: ViewSettings, rng: np.random.Generator
) -> dict[int, dict[str, float]]:
    first = date.fromisoformat(days[0].day.date) - timedelta(days=_BEFORE)
    length = (date.fromisoformat(days[-1].day.date) - first).days + 1
    worth: dict[int, Array] = {}
    for one in days:
        at = (date.fromisoformat(one.day.date) - first).days
        for entity, value in zip(one.day.entities, one.worth("match").tolist(), strict=True):
            worth.setdefault(entity.id, np.zeros(length))[at] += value
    series = {}
    for number in sorted(worth):
        has_page = rng.random() < settings.with_page
        usual = settings.usual * np.exp(settings.spread * rng.standard_normal())
        noise = np.exp(settings.noise * rng.standard_normal(length))
        there = rng.random(length) >= settings.holes
        if not has_page:
            continue
        arriving = (1 - settings.late) * worth[number]
        arriving[1:] += settings.late * worth[number][:-1]
        interest = np.zeros(length)
        for at in range(length):
            interest[at] = arriving[at] + (settings.linger * interest[at - 1] if at else 0.0)
        views = usual * (1 + settings.pull * interest) * noise
        series[number] = {
            (first + timedelta(days=at)).isoformat(): float(round(views[at]))
            for at in range(length)
            if there[at]
        }
    return series
