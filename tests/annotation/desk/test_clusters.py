"""Clusters: an update is never in two, nothing is lost by merging, and undoing gives back what was there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.annotation.desk.views import MemoryView
from tidings.annotation.desk.operations import clusters as operations
from tidings.annotation.desk.operations.clusters import CLUSTER, MEMBERSHIP, RELEVANCE, Placing, grade
from tidings.core.errors import ConflictError, UsageError
from tidings.core.records.judgments import FINAL, Change

MINE, THEIRS = "judge-1", "judge-2"
UPDATES = [f"d-{n}" for n in range(4)]
NAMES = [f"c{n}" for n in range(3)]
COPIES = {"d-0": ("d-0", "e-0", "f-0")}


def placing(update: str, expected: int | None = None, layer: str = MINE) -> Placing:
    return Placing(layer, update, COPIES.get(update, ()), expected)


def place_of(view: MemoryView, update: str, layer: str = MINE) -> Any:
    one = view.get(layer, MEMBERSHIP, update)
    return "unplaced" if one is None or one.value is None else one.value["cluster"]


def view_with(**clusters: str) -> MemoryView:
    """Clusters by name, each with the updates that a text lists."""
    view = MemoryView()
    for name, updates in clusters.items():
        first, *others = updates.split()
        view.write(
            operations.make_cluster(
                view, placing(first), name, f"about {name}", len(view.all(MINE, CLUSTER)) + 1
            )
        )
        for update in others:
            view.write(operations.place(view, placing(update), name))
    return view


def final_view() -> MemoryView:
    """An imported cluster of d-0's copy and of d-3."""
    view = MemoryView()
    members = [Change(FINAL, MEMBERSHIP, one, {"cluster": "old"}) for one in ("e-0", "d-3")]
    view.write([Change(FINAL, CLUSTER, "old", {"label": "imported"}), *members])
    return view


acts = st.one_of(
    st.tuples(st.just("new"), st.sampled_from(UPDATES), st.sampled_from(NAMES)),
    st.tuples(st.just("add"), st.sampled_from(UPDATES), st.sampled_from([*NAMES, "old"])),
    st.tuples(st.just("remove"), st.sampled_from(UPDATES), st.just("")),
    st.tuples(st.just("put back"), st.sampled_from(UPDATES), st.just("")),
    st.tuples(st.just("merge"), st.sampled_from(NAMES), st.sampled_from([*NAMES, "old"])),
    st.tuples(st.just("empty"), st.sampled_from([*NAMES, "old"]), st.just("")),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(["fire", "flood"])),
    st.tuples(st.just("undo"), st.just(""), st.just("")),
)


def changes_of(view: MemoryView, act: str, one: str, other: str) -> list[Change]:
    makers: dict[str, Callable[[], list[Change]]] = {
        "new": lambda: operations.make_cluster(view, placing(one), other, f"about {one}"),
        "add": lambda: operations.place(view, placing(one), other),
        "remove": lambda: operations.remove(view, placing(one)),
        "put back": lambda: operations.put_back(view, placing(one)),
        "merge": lambda: operations.merge(view, MINE, one, other),
        "empty": lambda: operations.empty(view, MINE, one),
        "rename": lambda: operations.rename(view, MINE, one, other),
    }
    return makers[act]()


@given(st.lists(acts, max_size=25))
def test_whatever_is_done_each_update_is_in_one_place_and_undoing_all_gives_back_what_was_there(
    done: list[tuple[str, str, str]],
) -> None:
    view = final_view()
    view.entries.clear()
    imported = view.values()
    states = [imported]
    for act, one, other in done:
        if act == "undo":
            if len(states) > 1:
                view.undo()
                states.pop()
                assert view.values() == states[-1]
            continue
        try:
            changes = changes_of(view, act, one, other)
        except (ConflictError, UsageError):
            continue
        before = {update: place_of(view, update) for update in UPDATES}
        written = view.version
        view.write(changes)
        if view.version > written:
            states.append(view.values())
        for update in UPDATES:
            now = place_of(view, update)
            known = {*NAMES, "old"} & {place[2] for place in view.values() if place[1] == CLUSTER}
            assert now in {"unplaced", None, *known}
            if act == "merge":
                assert now == (other if before[update] == one else before[update])
        assert place_of(view, "f-0") == place_of(view, "d-0")
        assert {place: value for place, value in view.values().items() if place[0] == FINAL} == imported
    while view.undo():
        states.pop()
        assert view.values() == states[-1]
    assert states == [imported]


class TestPlacing:
    def test_a_new_cluster_has_its_update_a_name_and_the_next_number(self) -> None:
        view = view_with(c0="d-0", c1="d-1 d-2")
        shown = operations.number_clusters(view, MINE)
        assert {name: (one["label"], one["number"]) for name, one in shown.items()} == {
            "c0": ("about c0", 1),
            "c1": ("about c1", 2),
        }
        assert [one.id for one in operations.members_of(view, MINE, "c1")] == ["d-1", "d-2"]

    def test_exact_copies_follow_and_say_so(self) -> None:
        view = view_with(c0="d-0")
        values = {one.id: one.value for one in operations.members_of(view, MINE, "c0")}
        assert values == {
            "d-0": {"cluster": "c0"},
            "e-0": {"cluster": "c0", "automatic": True},
            "f-0": {"cluster": "c0", "automatic": True},
        }
        view.write(operations.make_cluster(view, placing("d-1"), "c1", "another"))
        view.write(operations.merge(view, MINE, "c0", "c1"))
        moved = {one.id: one.value for one in operations.members_of(view, MINE, "c1")}
        assert moved["d-0"] == {"cluster": "c1"} and moved["e-0"] == {"cluster": "c1", "automatic": True}

    def test_a_decided_copy_stays_where_it_is(self) -> None:
        view = final_view()
        view.write(operations.remove(view, placing("d-0")))
        assert place_of(view, "f-0") is None and place_of(view, "e-0") == "unplaced"

    def test_what_is_decided_is_not_judged_again_until_it_is_reopened(self) -> None:
        view = final_view()
        for make in (operations.remove, operations.put_back):
            with pytest.raises(ConflictError, match="This update is decided"):
                make(view, placing("d-3"))
        view.write([Change(FINAL, MEMBERSHIP, "d-3", None)])
        view.write(operations.place(view, placing("d-3"), "old"))
        assert place_of(view, "d-3") == "old"

    def test_a_final_cluster_takes_updates_and_is_not_changed(self) -> None:
        view = final_view()
        view.write(operations.make_cluster(view, placing("d-1"), "c0", "mine"))
        for act in (
            lambda: operations.rename(view, MINE, "old", "another"),
            lambda: operations.empty(view, MINE, "old"),
            lambda: operations.merge(view, MINE, "old", "c0"),
        ):
            with pytest.raises(ConflictError, match="This cluster is decided"):
                act()
        view.write(operations.merge(view, MINE, "c0", "old"))
        assert place_of(view, "d-1") == "old"

    def test_another_judge_sees_nothing_of_it_and_may_use_no_name_of_a_final_one(self) -> None:
        view = view_with(c0="d-0")
        assert operations.number_clusters(view, THEIRS) == {}
        with pytest.raises(ConflictError, match="no longer exists"):
            operations.place(view, placing("d-1", layer=THEIRS), "c0")
        final = final_view()
        with pytest.raises(ConflictError, match="already"):
            operations.make_cluster(final, placing("d-1"), "old", "x")

    def test_what_the_page_showed_must_still_be_so(self) -> None:
        view = view_with(c0="d-1")
        version = view.get(MINE, MEMBERSHIP, "d-1").version  # type: ignore[union-attr]
        view.write(operations.remove(view, placing("d-1", expected=version)))
        with pytest.raises(ConflictError, match="Someone changed this"):
            operations.place(view, placing("d-1", expected=version), "c0")
        with pytest.raises(ConflictError, match="Someone changed this"):
            operations.place(view, placing("d-1", expected=0), "c0")

    def test_what_was_put_back_counts_as_not_judged(self) -> None:
        view = view_with(c0="d-1")
        view.write(operations.put_back(view, placing("d-1")))
        version = view.get(MINE, MEMBERSHIP, "d-1").version  # type: ignore[union-attr]
        for expected in (0, version):
            assert operations.place(view, placing("d-1", expected=expected), "c0")

    def test_a_cluster_that_is_gone_takes_nothing(self) -> None:
        view = view_with(c0="d-1", c1="d-2")
        view.write(operations.empty(view, MINE, "c0"))
        assert place_of(view, "d-1") == "unplaced"
        for act in (
            lambda: operations.place(view, placing("d-1"), "c0"),
            lambda: operations.merge(view, MINE, "c1", "c0"),
            lambda: operations.merge(view, MINE, "c0", "c1"),
            lambda: operations.rename(view, MINE, "c0", "x"),
            lambda: operations.empty(view, MINE, "c0"),
        ):
            with pytest.raises(ConflictError, match="no longer exists"):
                act()

    def test_a_number_that_another_has_becomes_a_free_one(self) -> None:
        view = view_with(c0="d-0", c1="d-1", c2="d-2")
        view.write(operations.empty(view, MINE, "c1"))
        view.write(operations.make_cluster(view, placing("d-1"), "c1", "again", 3))
        numbers = {name: one["number"] for name, one in operations.number_clusters(view, MINE).items()}
        assert numbers == {"c0": 1, "c1": 3, "c2": 2}

    def test_imported_clusters_have_free_numbers(self) -> None:
        view = view_with(c0="d-0")
        view.write([Change(FINAL, CLUSTER, name, {"label": name}) for name in ("10", "9")])
        shown = operations.number_clusters(view, MINE)
        assert {name: (one["number"], one["final"]) for name, one in shown.items()} == {
            "c0": (1, False),
            "9": (2, True),
            "10": (3, True),
        }

    def test_names_are_in_one_line_and_not_empty(self) -> None:
        view = view_with(c0="d-0")
        changes = operations.rename(view, MINE, "c0", " a\n fire ")
        assert changes == [Change(MINE, CLUSTER, "c0", {"label": "a fire", "number": 1})]
        for label in (" ", "x" * 2_001):
            with pytest.raises(UsageError, match="The description has"):
                operations.rename(view, MINE, "c0", label)
        with pytest.raises(ConflictError):
            operations.rename(view, MINE, "c0", "fire", expected=99)

    def test_a_cluster_is_not_merged_with_itself(self) -> None:
        with pytest.raises(UsageError, match="with itself"):
            operations.merge(view_with(c0="d-0"), MINE, "c0", "c0")


class TestGrades:
    def test_a_grade_goes_to_its_copies_and_is_taken_away_with_them(self) -> None:
        view = MemoryView()
        view.write(grade(view, placing("d-0"), 2))
        values = {one.id: one.value for one in view.all(MINE, RELEVANCE)}
        automatic = {"grade": 2, "automatic": True}
        assert values == {"d-0": {"grade": 2}, "e-0": automatic, "f-0": automatic}
        view.write(grade(view, placing("d-0"), None))
        assert view.values() == {}

    def test_only_grades_that_there_are(self) -> None:
        for value in (-1, 3):
            with pytest.raises(UsageError, match="must be 0 "):
                grade(MemoryView(), placing("d-1"), value)

    def test_decided_and_changed_ones_are_refused(self) -> None:
        view = MemoryView()
        view.write([Change(FINAL, RELEVANCE, name, {"grade": 1}) for name in ("d-1", "e-0")])
        with pytest.raises(ConflictError, match="decided"):
            grade(view, placing("d-1"), 0)
        assert [one.id for one in grade(view, placing("d-0"), 0)] == ["d-0", "f-0"]
        view.write(grade(view, placing("d-2"), 0))
        with pytest.raises(ConflictError, match="Someone changed"):
            grade(view, placing("d-2", expected=0), 1)
