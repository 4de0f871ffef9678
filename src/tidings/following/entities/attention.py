"""Collective attention as a soft label: how far the views of an entity's page stand out on a day.

    VOR(e, t) = |v_{e,t} - m| / max(m, v_min),  m the median of the views in a window

(the paper's Definition 1; the window there is 10 days, v_min was tuned). Series may have holes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from statistics import median

__all__ = ["LEAST_VIEWS", "WINDOW", "title_candidates", "view_outlier_ratio"]

WINDOW = 10
"""Days, as in the paper: the mean length of its timelines."""
LEAST_VIEWS = 10.0
"""v_min: views below which a median counts as this many."""
_LEAST_DAYS = 3


def view_outlier_ratio(
    views: Mapping[str, float],
    day: str,
    *,
    window: int = WINDOW,
    least: float = LEAST_VIEWS,
    signed: bool = False,
    centred: bool = False,
) -> float | None:
    """VOR of a day (YYYY-MM-DD) in a series of views by day, 0 or more; None where the series cannot tell.

    It cannot where the day is missing, or fewer than 3 days of the window are there. A missing day is no day of no
    views: it is left out of the median.

    Args:
        views: by day; days may be missing.
        day: the day.
        window: days of the window: those up to the day, the day itself among them; with `centred` so many on each side.
        least: v_min, above 0.
        signed: bursts alone: v - m in place of |v - m|, below 0 where views fell.
        centred: look at later days too (for labels of what is past; never for a ranking of the day).

    >>> views = {"2013-04-13": 100, "2013-04-14": 120, "2013-04-15": 80, "2013-04-16": 1500}
    >>> view_outlier_ratio(views, "2013-04-16")
    12.636363636363637
    >>> view_outlier_ratio(views, "2013-04-17") is None
    True
    """
    try:
        centre = date.fromisoformat(day)
    except ValueError:
        return None
    if day not in views:
        return None
    ahead = window if centred else 0
    behind = window if centred else window - 1
    near = []
    for offset in range(-behind, ahead + 1):
        try:
            near.append(views.get((centre + timedelta(days=offset)).isoformat()))
        except OverflowError:
            near.append(None)
    present = [value for value in near if value is not None]
    if len(present) < _LEAST_DAYS:
        return None
    middle = float(median(present))
    away = views[day] - middle
    return float((away if signed else abs(away)) / max(middle, least))


def title_candidates(names: Mapping[str, int]) -> list[str]:
    """Titles of pages that an entity's names may have, the likeliest first: full names by how often they are used.

    >>> title_candidates({"Obama": 9, "Barack Obama": 3, "the President Obama": 1})
    ['Barack Obama', 'President Obama', 'Obama']
    """
    order: dict[str, tuple[bool, int]] = {}
    for name, count in names.items():
        words = name.replace("_", " ").split()
        while len(words) > 1 and words[0].lower() in ("the", "a", "an"):
            words = words[1:]
        while len(words) > 1 and words[-1] in ("'s", "’s"):
            words = words[:-1]
        title = " ".join(words)
        if title:
            rank = (len(words) > 1, order.get(title, (False, 0))[1] + count)
            order[title] = rank
    return sorted(order, key=lambda title: (not order[title][0], -order[title][1], title))
