"""View Outlier Ratio, and the pages an entity's names may have.

Page views: hourly dumps and answers of the REST service.
"""

from __future__ import annotations

import gzip

import pytest

from tidings.core.errors import FormatError, UsageError
from tidings.following.entities.attention import (
    page_title,
    read_hourly_views,
    read_views_answer,
    title_candidates,
    view_outlier_ratio,
)


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


def dump(folder, stamp, *lines, name="pagecounts"):
    path = folder / f"{name}-{stamp}.gz"
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    return path


def hours(folder, day, count, line):
    """Dumps of the first hours of a day; their names tell when an hour ended."""
    return [dump(folder, f"{day}-{hour + 1:02d}0000", line) for hour in range(count)]


def test_hours_are_added_up_to_the_day_in_which_they_lie(tmp_path) -> None:
    paths = hours(tmp_path, "20130415", 23, "en Barack_Obama 10 99")
    paths.append(
        dump(
            tmp_path,
            "20130416-000000",
            "en Barack_Obama 17 99",
            "en.m Barack_Obama 3 1",
            "de Barack_Obama 9 1",
        )
    )
    views = read_hourly_views(paths, ["Barack Obama", "Nobody"])
    assert views == {"Barack Obama": {"2013-04-15": 250}, "Nobody": {"2013-04-15": 0}}


def test_a_day_of_few_hours_is_a_hole_and_one_of_most_is_scaled(tmp_path) -> None:
    paths = hours(tmp_path, "20130415", 12, "en Genoa 10 99") + hours(
        tmp_path, "20130416", 11, "en Genoa 10 99"
    )
    assert read_hourly_views(paths, ["Genoa"]) == {"Genoa": {"2013-04-15": 240}}


def test_titles_are_compared_as_pages_spell_them(tmp_path) -> None:
    lines = ("en S%C3%A3o_Paulo 5 1", "en são_Paulo 1 1", "broken", "en two 3", "en a b c d", "en S\xffo 1 1")
    paths = [dump(tmp_path, f"20130415-{hour + 1:02d}0000", *lines) for hour in range(12)]
    assert read_hourly_views(paths, ["São Paulo"])["São Paulo"] == {"2013-04-15": 144}
    assert read_hourly_views(paths, ["são Paulo"])["são Paulo"] == {"2013-04-15": 144}
    assert page_title("são paulo") == "São_paulo"


def test_what_is_no_dump_is_refused(tmp_path) -> None:
    path = dump(tmp_path, "20130415-130000", "en Genoa many 9")
    with pytest.raises(FormatError, match=r"-130000\.gz:1: .*the count 'many'"):
        read_hourly_views([path], ["Genoa"])
    assert read_hourly_views([path], ["Turin"]) == {"Turin": {}}
    with pytest.raises(UsageError, match="expected each hour once"):
        read_hourly_views([path, path], ["Turin"])
    with pytest.raises(UsageError, match="no hour in the file's name"):
        read_hourly_views([tmp_path / "views.gz"], ["Genoa"])
    with pytest.raises(UsageError, match="no hour in the file's name"):
        read_hourly_views([tmp_path / "pagecounts-20131345-130000.gz"], ["Genoa"])


def test_answers_are_read_and_others_refused(tmp_path) -> None:
    path = tmp_path / "answer.json"
    path.write_text(
        '{"items":[{"project":"en.wikipedia","article":"Genoa","timestamp":"2016010100","views":7},'
        '{"article":"Genoa","timestamp":"2016010101","views":5},{"article":"Genoa","timestamp":"2016010300","views":1}]}'
    )
    assert read_views_answer(path) == {"Genoa": {"2016-01-01": 12, "2016-01-03": 1}}
    for text in ("{}", "[1]", '{"items":[{"article":"a","timestamp":"today","views":1}]}', "[" * 2000,
                 '{"items":[{"article":"a","timestamp":"2016010100","views":-1}]}'):  # fmt: skip
        path.write_text(text)
        with pytest.raises(FormatError, match="expected an answer of the page-view service"):
            read_views_answer(path)
