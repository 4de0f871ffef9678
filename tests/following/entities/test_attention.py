"""View Outlier Ratio, and the pages an entity's names may have."""

from __future__ import annotations

import pytest

from tidings.following.entities.attention import title_candidates, view_outlier_ratio


def series(*views, first=10):
    return {f"2013-04-{first + at}": value for at, value in enumerate(views) if value is not None}


def test_the_ratio_is_the_distance_from_the_median_of_the_days_so_far() -> None:
    views = series(100, 120, 80, 1500, 9000)
    assert view_outlier_ratio(views, "2013-04-13") == pytest.approx((1500 - 110) / 110)
    # Later days say nothing of a day, unless asked to.
    assert view_outlier_ratio(views, "2013-04-13", centred=True) == pytest.approx((1500 - 120) / 120)
    assert view_outlier_ratio(views, "2013-04-12") == pytest.approx(20 / 100)
    assert view_outlier_ratio(views, "2013-04-12", signed=True) == pytest.approx(-20 / 100)


def test_the_window_ends_with_the_day() -> None:
    views = series(1000, 1000, 1000, 10, 10, 10, 40)
    assert view_outlier_ratio(views, "2013-04-16", window=4) == pytest.approx(30 / 10)
    assert view_outlier_ratio(views, "2013-04-16", window=7) == pytest.approx(0.0)
    assert view_outlier_ratio(series(1000, 1000, 10, 40, 20), "2013-04-14", window=3) == pytest.approx(0.0)


def test_pages_hardly_read_are_held_down() -> None:
    assert view_outlier_ratio(series(0, 1, 0, 9), "2013-04-13", least=10) == pytest.approx(8.5 / 10)
    assert view_outlier_ratio(series(0, 0, 0, 9), "2013-04-13", least=1) == pytest.approx(9)


def test_holes_are_no_days_without_views() -> None:
    views = series(100, None, None, 100, None, 100, 300)
    assert view_outlier_ratio(views, "2013-04-16") == pytest.approx(2.0)
    assert view_outlier_ratio(views, "2013-04-11") is None
    assert view_outlier_ratio(series(100, None, 300), "2013-04-12") is None
    assert view_outlier_ratio({}, "2013-04-12") is None
    assert view_outlier_ratio(views, "yesterday") is None
    early = {"0001-01-01": 1, "0001-01-02": 1, "0001-01-03": 5}
    assert view_outlier_ratio(early, "0001-01-03", least=1) == pytest.approx(4.0)


def test_full_names_are_tried_first() -> None:
    assert title_candidates(
        {"Assad": 9, "the Bashar al-Assad": 2, "Bashar_al-Assad": 1, "Bashar Assad": 2, "": 3}
    ) == [
        "Bashar al-Assad",
        "Bashar Assad",
        "Assad",
    ]
    assert title_candidates({"The": 1, "the": 1}) == ["The", "the"]
