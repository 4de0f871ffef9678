"""Parts of the study by themselves: categories, effort, what is drawn."""

from __future__ import annotations

from math import nan
from pathlib import Path

import pytest

from tests.annotation.desk.test_effort import entry
from tests.annotation.pages.desks import desk_with
from tests.sweeps import cases, every
from tidings.annotation.desk.effort import logged_effort
from tidings.annotation.store import Act
from tidings.core.errors import FormatError
from tidings.core.records import Cluster, Event, Judgments, Nugget, PooledUpdate
from tidings.core.records.judgments import Change, judge_layer
from tidings.evaluation.clustering import read_clusters
from tidings.evaluation.formats.categories import CategoryLine, read_categories, write_categories
from tidings.evaluation.formats.desk_lines import (
    AccountLine,
    EntryLine,
    ProjectLine,
    TopicLine,
    write_desk_lines,
)
from tidings.evaluation.measures.agreement import Line
from tidings.evaluation.report.study_tables import correlation_spec, pairs_spec
from tidings.evaluation.study.categories import Assigned, categorise
from tidings.evaluation.study.score_agreement import Correlation, Pairs, Point
from tidings.evaluation.study.whole_study import TaskEffort, compare_effort

FIRES = ("The fire burns in the harbour", "A harbour fire burns", "Fire in the harbour is out")
TOLLS = ("Nine people died", "The dead are nine people", "People who died were nine")


def both_kinds() -> Judgments:
    texts = (*FIRES[:2], *TOLLS[:2])
    return Judgments(
        name="j",
        nuggets=tuple(Nugget("e", str(number), 0, 1, text) for number, text in enumerate(texts)),
        clusters=(Cluster("e", "f", ("d-0",)), Cluster("e", "t", ("d-1",), "toll")),
        pool=(PooledUpdate("e", "d", 0, FIRES[2]), PooledUpdate("e", "d", 1, TOLLS[2])),
    )


def test_what_is_alike_is_suggested_together() -> None:
    table = categorise(both_kinds(), "e", count=2)
    assert [(len(row.nuggets), len(row.clusters)) for row in table.rows] == [(2, 1), (2, 1)]
    fires = next(row for row in table.rows if "harbour" in row.name)
    assert fires.nuggets == FIRES[:2]
    # A cluster without a label is shown by its shortest update.
    assert fires.clusters == (FIRES[2],)
    assert table.suggested == 6
    assert table == categorise(both_kinds(), "e", count=2)


def test_what_a_person_sorted_stays_and_the_rest_follows() -> None:
    by_hand = [
        Assigned("nugget", "0", "Toll"),
        Assigned("nugget", "2", "Fire"),
        Assigned("cluster", "x", "No"),
    ]
    table = categorise(both_kinds(), "e", by_hand, {"Toll": "by mistake"})
    assert {row.name for row in table.rows} == {"Toll", "Fire"}
    assert next(row for row in table.rows if row.name == "Toll").relationship == "by mistake"
    assert {one.id: one.category for one in table.assigned if one.kind == "nugget"} == {
        "0": "Toll",
        "1": "Toll",
        "2": "Fire",
        "3": "Fire",
    }
    assert [one.suggested for one in table.assigned if one.id in "02" and one.kind == "nugget"] == [
        False,
        False,
    ]


def test_categories_are_written_and_read(tmp_path: Path) -> None:
    lines = (
        CategoryLine("e", "nugget", "0", "Fire", "a text of two lines"),
        CategoryLine("e", "relationship", "", "Fire", "The same."),
    )
    path = tmp_path / "categories.tsv"
    write_categories(path, [CategoryLine("e", "nugget", "0", "Fire", "a text\nof two\tlines"), lines[1]])
    assert read_categories(path) == lines


@every(
    "text, said",
    cases(__file__, "damaged categories are said"),
)
def test_damaged_categories_are_said(text, said, tmp_path: Path) -> None:
    path = tmp_path / "categories.tsv"
    path.write_text(text.replace("HEAD", "event\tkind\tid\tcategory\ttext"))
    with pytest.raises(FormatError, match=r"categories\.tsv") as caught:
        read_categories(path)
    assert said in str(caught.value)


def test_clusters_alone_must_name_their_event(tmp_path: Path) -> None:
    path = tmp_path / "clusters.jsonl"
    path.write_text('{"event": "", "id": "a", "updates": []}\n')
    with pytest.raises(FormatError, match="no event"):
        read_clusters(path)


def test_effort_is_read_from_an_exported_project(tmp_path: Path) -> None:
    entries = [
        *(entry(number, 10.0 * number, "nugget", after={"text": "A fire."}) for number in (1, 2, 3)),
        *(entry(number, 10.0 * number) for number in (4, 5, 6, 7)),
        *(entry(number, 10.0 * number, "membership", after={"cluster": "c"}) for number in (8, 9)),
    ]
    made = [
        EntryLine(
            one.seq,
            one.act,
            one.operation,
            one.topic,
            one.layer,
            one.kind,
            one.object_id,
            one.recorded_ms,
            None,
            one.after,
            one.account_id,
            one.account,
        )
        for one in entries
    ]
    event = Event(id="e", title="Storm", query="storm")
    path = tmp_path / "judgments.jsonl"
    first = [ProjectLine("p", 1, ["matching"], idle_s=300), AccountLine(2, "ann"), TopicLine(1, event)]
    write_desk_lines(path, [*first, *made])
    rows = {row.task: row for row in logged_effort(path)}
    assert {task: (row.observed_s, row.assessments) for task, row in rows.items()} == {
        "extraction": (pytest.approx(20), 3),
        "matching": (pytest.approx(40), 4),
        "clusters": (pytest.approx(20), 2),
    }
    # The session's first act took a typical pause: 10 s more for the nuggets.
    compared = compare_effort(
        TaskEffort(row.task, "", row.observed_s, row.estimated_s, row.assessments, 1) for row in rows.values()
    )
    assert compared is not None
    assert (compared.seconds("nuggets"), compared.seconds("clusters")) == (
        pytest.approx(70),
        pytest.approx(20),
    )
    assert compared.ratio == pytest.approx(3.5)


def test_effort_of_one_kind_alone_compares_nothing() -> None:
    one = compare_effort([TaskEffort("matching", "", 1.0, 2.0, 1, 1)])
    assert one is not None
    assert one.ratio == 0
    assert compare_effort([TaskEffort("entities", "", 1.0, 2.0, 1, 1)]) is None


def drawn(spec) -> dict[str, int]:
    """Colour to how many points have it."""
    return {
        layer["mark"]["color"]: len(layer["data"]["values"])
        for layer in spec["layer"]
        if layer["mark"]["type"] == "point"
    }


def test_pairs_are_green_red_and_grey_and_drawn_once_where_they_coincide() -> None:
    points = ((0.49, 0.49), (0.49, 0.495), (0.9, 1.0), (0.5, -0.5), (0.0, 0.7), (0.0, 0.0))
    pairs = Pairs("e", "EG", points, 3, 1, 1, 1, Line(0.8, 0.0, 0.5), 0.4)
    spec = pairs_spec(pairs)
    assert drawn(spec) == {"#1b6b38": 2, "#ae2418": 1, "#5a626c": 2}
    shapes = {layer["mark"]["color"]: layer["mark"].get("shape") for layer in spec["layer"]}
    assert (shapes["#1b6b38"], shapes["#ae2418"]) == ("circle", "M-1,-1L1,1M-1,1L1,-1")
    filled = {layer["mark"]["color"]: layer["mark"].get("filled") for layer in spec["layer"]}
    assert (filled["#1b6b38"], filled["#ae2418"], filled["#5a626c"]) == (
        False,
        False,
        True,
    )  # in grey print, too
    line = spec["layer"][-1]["data"]["values"]
    assert line == [{"x": -1.0, "y": -0.8}, {"x": 1.0, "y": 0.8}]


def test_a_steep_line_ends_at_the_edge() -> None:
    pairs = Pairs("e", "EG", ((0.5, 0.5),), 1, 0, 0, 0, Line(2.0, 0.0, 0.5), 0.4)
    assert pairs_spec(pairs)["layer"][-1]["data"]["values"] == [{"x": -0.5, "y": -1.0}, {"x": 0.5, "y": 1.0}]
    nothing = Pairs("e", "EG", (), 0, 0, 0, 0, Line(nan, nan, nan), nan)
    assert nothing.pairs == 0
    assert all(layer["mark"]["type"] != "line" for layer in pairs_spec(nothing)["layer"])


def test_a_years_plot_has_a_point_for_each_run() -> None:
    points = (Point("a", 0.1, 0.2), Point("b", 0.5, 0.6))
    spec = correlation_spec(Correlation("2014", "C", 3, points, Line(1.0, 0.1, 1.0), 1.0, 1.0))
    assert drawn(spec) == {"#0b6472": 2}
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0, pytest.approx(0.672)]


def test_effort_is_read_from_a_desks_store(tmp_path: Path) -> None:
    clock = [1_700_000_000.0]
    store = tmp_path / "desk.db"
    with desk_with(store, clock=lambda: clock[0]) as people:
        for number in range(3):
            clock[0] += 10
            act = Act(key=f"key-of-act-{number}", operation="match", topic=1, account_id=people.first.id)
            value = {"matches": [{"nugget": "n", "automatic": False}]}
            changes = [Change(judge_layer(people.first.id), "matches", f"d-{number}", value)]
            people.desk.log.record(people.project.id, act, changes)
        name = people.project.name
    (row,) = logged_effort(store, name)
    assert (row.task, row.assessments, row.observed_s) == ("matching", 3, pytest.approx(20))
    assert logged_effort(store) == [row]
    assert logged_effort(store, "another") == []


def test_a_persons_word_counts_more_than_likeness() -> None:
    sorted_so = {"0": "Fire", "1": "Toll", "2": "Toll", "3": "Toll"}
    by_hand = [Assigned("nugget", one, category) for one, category in sorted_so.items()]
    table = categorise(both_kinds(), "e", by_hand)
    assert {one.id: one.category for one in table.assigned if one.kind == "nugget"} == sorted_so
