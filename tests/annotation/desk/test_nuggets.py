"""The list of nuggets: what holds after each act, and that no match is lost or doubled by merging and splitting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.annotation.pages.desks import People, desk_with
from tests.sweeps import cases
from tidings.annotation.desk.disagreements import compare_objects
from tidings.annotation.desk.notes import reopen
from tidings.annotation.desk.operations.nugget_changes import (
    Share,
    delete_nugget,
    looked_again,
    merge_nuggets,
    split_nugget,
)
from tidings.annotation.desk.operations.nuggets import (
    Fields,
    Source,
    add_nugget,
    edit_nugget,
    keep_links_whole,
    set_needs,
)
from tidings.annotation.store import Act, ObjectView, Recorded
from tidings.annotation.store.log import undone
from tidings.annotation.tasks import TASKS
from tidings.core.errors import ConflictError, UsageError
from tidings.core.records import Event
from tidings.core.records.judgments import FINAL, SHARED, Change, judge_layer

EVENT = Event(id="santiago-2013", title="t", query="q")
ONE, TWO = judge_layer(1), judge_layer(2)


class Topic:
    """A topic of one project, with its nuggets and matches in short."""

    def __init__(self, people: People, number: int) -> None:
        self.log, self.project, self.number, self.acts = people.desk.log, people.project.id, number, 0

    def do(self, make: Callable[[ObjectView], list[Change]] | list[Change]) -> Recorded:
        self.acts += 1
        return self.log.record(
            self.project, Act(key=f"act-{self.number}-{self.acts}", operation="o", topic=self.number), make
        )

    def undo(self, recorded: Recorded) -> Recorded:
        return self.do(lambda view: keep_links_whole(view, undone(recorded.entries)))

    def add(self, text: str, importance: int = 1, time: int = 10, event: Event = EVENT, **more: Any) -> str:
        fields = Fields(text=text, importance=importance, time=time)
        return self.do(lambda view: add_nugget(view, event, fields, **more)).entries[0].object_id

    def version(self, nugget: str) -> int:
        there = self.log.object(self.project, self.number, SHARED, "nugget", nugget)
        return 0 if there is None else there.version

    def nuggets(self) -> dict[str, Any]:
        return {
            one.id: one.value
            for one in self.log.objects(self.project, self.number, layer=SHARED, kind="nugget")
        }

    def match(self, layer: str, update: str, *matches: tuple[str, int, int]) -> None:
        value = {"matches": [_match(*one) for one in matches]}
        self.do([Change(layer, "matches", update, value)])

    def matches(self) -> dict[tuple[str, str], list[tuple[str, int, int]]]:
        return {
            (one.layer, one.id): [(m["nugget"], m["start"], m["end"]) for m in one.value["matches"]]
            for one in self.log.objects(self.project, self.number, kind="matches")
        }

    def again(self) -> dict[tuple[str, str], list[str]]:
        kind = self.log.objects(self.project, self.number, kind="look-again")
        return {(one.layer, one.id): one.value["nuggets"] for one in kind}

    def merge(self, into: str, *others: str, text: str = "merged") -> Recorded:
        expected = {one: self.version(one) for one in (into, *others)}
        fields = Fields(text=text, importance=3, time=5)
        return self.do(lambda view: merge_nuggets(view, into, others, expected, fields))

    def split(self, nugget: str, *texts: str, shares: tuple[Share, ...] = ()) -> Recorded:
        parts = [Fields(text=text, importance=1, time=7) for text in texts]
        version = self.version(nugget)
        return self.do(lambda view: split_nugget(view, EVENT, nugget, version, parts, shares))

    def everything(self) -> Any:
        return self.nuggets(), self.matches(), self.again()


def _match(nugget: str, start: int, end: int, automatic: bool = False) -> dict[str, Any]:
    return {"nugget": nugget, "start": start, "end": end, "automatic": automatic}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    with desk_with(tmp_path_factory.mktemp("desk") / "desk.db") as made:
        yield made


@pytest.fixture
def topic(people: People, request: pytest.FixtureRequest) -> Topic:
    """A topic that no other test uses."""
    made = people.desk.projects.add_topic(
        people.project.id, Event(id=request.node.nodeid, title="t", query="q")
    )
    return Topic(people, made.number)


class TestAdding:
    def test_a_nugget_keeps_what_was_said_and_where_it_was_read(self, topic: Topic) -> None:
        fields = Fields(text="  Ten \n died ", importance=3, time=60, source=Source("r1", 4, 12))
        topic.do(lambda view: add_nugget(view, EVENT, fields))
        assert topic.nuggets() == {
            "n1": {
                "text": "Ten died",
                "importance": 3,
                "time": 60,
                "needs": [],
                "listed_length": 0,
                "source": {"revision": "r1", "start": 4, "end": 12},
            }
        }

    @pytest.mark.parametrize(
        ("event", "there", "new"),
        cases(__file__, "its id is written as the others", lists=True),
    )
    def test_its_id_is_written_as_the_others(
        self, topic: Topic, event: str, there: list[str], new: str
    ) -> None:
        value = {"text": "t", "importance": 1, "time": 1, "needs": [], "listed_length": 0}
        topic.do([Change(SHARED, "nugget", one, value) for one in there])
        assert topic.add("A fire", event=Event(id=event, title="", query="")) == new

    def test_an_id_that_was_deleted_is_not_given_again(self, topic: Topic) -> None:
        first = topic.add("A fire")
        deleted = topic.do(lambda view: delete_nugget(view, first, topic.version(first)))
        assert topic.add("A flood") == "n2"
        topic.undo(deleted)
        assert {name: one["text"] for name, one in topic.nuggets().items()} == {
            "n1": "A fire",
            "n2": "A flood",
        }

    @pytest.mark.parametrize(
        ("text", "importance", "time", "said"),
        cases(__file__, "what does not fit is refused"),
    )
    def test_what_does_not_fit_is_refused(
        self, topic: Topic, text: str, importance: int, time: int, said: str
    ) -> None:
        with pytest.raises(UsageError, match=said):
            topic.add(text, importance, time)
        assert topic.nuggets() == {}


class TestEditing:
    def test_what_is_not_named_stays(self, topic: Topic) -> None:
        topic.do([Change(SHARED, "nugget", "n1", {**_old("A fire"), "importance": -1, "listed_length": 6})])
        topic.do(lambda view: edit_nugget(view, "n1", topic.version("n1"), time=99))
        assert topic.nuggets()["n1"] == {**_old("A fire"), "importance": -1, "listed_length": 6, "time": 99}
        topic.do(lambda view: edit_nugget(view, "n1", topic.version("n1"), text="A great fire", importance=0))
        assert topic.nuggets()["n1"] == {**_old("A great fire"), "importance": 0, "time": 99}

    def test_nobody_writes_over_what_another_has_changed_or_deleted(self, topic: Topic) -> None:
        topic.add("A fire")
        first = topic.version("n1")
        topic.do(lambda view: edit_nugget(view, "n1", first, text="A great fire"))
        with pytest.raises(ConflictError) as raised:
            topic.do(lambda view: edit_nugget(view, "n1", first, text="A small fire"))
        assert raised.value.current.value["text"] == "A great fire"  # type: ignore[attr-defined]
        topic.do(lambda view: delete_nugget(view, "n1", topic.version("n1")))
        with pytest.raises(ConflictError, match="been deleted or merged"):
            topic.do(lambda view: edit_nugget(view, "n1", topic.version("n1"), text="A fire"))


class TestDependencies:
    def test_a_nugget_needs_what_is_there_and_never_itself(self, topic: Topic) -> None:
        a, b, c = (topic.add(text) for text in "abc")
        topic.do(lambda view: set_needs(view, a, topic.version(a), [b, b]))
        topic.do(lambda view: set_needs(view, b, topic.version(b), [c]))
        assert topic.nuggets()[a]["needs"] == [b]
        for needs, said in (([a], "n1, n2, n3, n1"), ([c], "n3, n3"), (["n9"], "not there")):
            with pytest.raises(UsageError, match=said):
                topic.do(lambda view, needs=needs: set_needs(view, c, topic.version(c), needs))

    def test_a_new_nugget_may_need_others(self, topic: Topic) -> None:
        a = topic.add("a")
        b = topic.add("b", needs=[a])
        assert topic.nuggets()[b]["needs"] == [a]
        with pytest.raises(UsageError, match="not there"):
            topic.add("c", needs=["n7"])


class TestDeleting:
    def test_matches_go_with_it_only_where_that_was_said(self, topic: Topic) -> None:
        a, b = topic.add("a"), topic.add("b")
        topic.do(lambda view: set_needs(view, b, topic.version(b), [a]))
        topic.match(ONE, "d-0", (a, 0, 4), (b, 5, 9))
        topic.match(FINAL, "d-1", (a, 0, 4))
        topic.match(TWO, "d-2", (b, 0, 4))
        before = topic.everything()
        with pytest.raises(UsageError, match="2 matches"):
            topic.do(lambda view: delete_nugget(view, a, topic.version(a)))
        for said in (1, 3):
            with pytest.raises(
                ConflictError, match=f"2 matches to nugget {a} would go, where your page said {said}"
            ):
                topic.do(lambda view, said=said: delete_nugget(view, a, topic.version(a), with_matches=said))
        assert topic.everything() == before
        deleted = topic.do(lambda view: delete_nugget(view, a, topic.version(a), with_matches=2))
        assert topic.matches() == {(ONE, "d-0"): [(b, 5, 9)], (FINAL, "d-1"): [], (TWO, "d-2"): [(b, 0, 4)]}
        assert topic.nuggets() == {b: {**before[0][b], "needs": []}}
        topic.undo(deleted)
        assert topic.everything() == before

    def test_who_does_not_lead_takes_away_no_match_but_their_own(self, topic: Topic) -> None:
        a, b = topic.add("a"), topic.add("b")
        topic.match(ONE, "d-0", (a, 0, 4))
        topic.match(ONE, "d-1", (a, 0, 4), (b, 5, 9))
        topic.match(TWO, "d-2", (b, 0, 4))
        before = topic.everything()
        own = topic.do(lambda view: delete_nugget(view, a, topic.version(a), with_matches=2, own=ONE))
        assert topic.matches() == {(ONE, "d-0"): [], (ONE, "d-1"): [(b, 5, 9)], (TWO, "d-2"): [(b, 0, 4)]}
        topic.undo(own)
        assert topic.everything() == before
        for said in (0, 2):
            with pytest.raises(UsageError, match=r"not yours \(by others\); ask one who leads"):
                topic.do(
                    lambda view, said=said: delete_nugget(
                        view, b, topic.version(b), with_matches=said, own=ONE
                    )
                )
        topic.match(FINAL, "d-3", (a, 0, 4))
        with pytest.raises(UsageError, match=r"not yours \(1 decided\)"):
            topic.do(lambda view: delete_nugget(view, a, topic.version(a), with_matches=3, own=ONE))
        assert topic.nuggets().keys() == {a, b}


class TestMerging:
    def test_matches_of_every_layer_go_to_the_one(self, topic: Topic) -> None:
        a, b, c = (topic.add(text) for text in "abc")
        topic.match(ONE, "d-0", (b, 0, 4))
        topic.match(TWO, "d-0", (a, 2, 6), (b, 9, 12), (c, 0, 3))
        topic.match(FINAL, "d-1", (c, 0, 3))
        before = topic.everything()
        merged = topic.merge(a, b, text="both")
        assert topic.matches() == {
            (ONE, "d-0"): [(a, 0, 4)],
            (TWO, "d-0"): [(c, 0, 3), (a, 2, 6), (a, 9, 12)],
            (FINAL, "d-1"): [(c, 0, 3)],
        }
        assert {name: one["text"] for name, one in topic.nuggets().items()} == {a: "both", c: "c"}
        topic.undo(merged)
        assert topic.everything() == before

    @pytest.mark.parametrize(
        ("one", "other", "spans"),
        [
            ((0, 9), (4, 12), [(0, 12)]),
            ((0, 9), (0, 9), [(0, 9)]),
            ((2, 4), (0, 9), [(0, 9)]),
            ((0, 4), (4, 9), [(0, 9)]),
            ((0, 4), (5, 9), [(0, 4), (5, 9)]),
        ],
    )
    def test_spans_in_one_update_are_joined_where_they_meet(
        self, topic: Topic, one: tuple[int, int], other: tuple[int, int], spans: list[tuple[int, int]]
    ) -> None:
        a, b = topic.add("a"), topic.add("b")
        topic.match(ONE, "d-0", (a, *one), (b, *other))
        topic.merge(a, b)
        assert topic.matches()[ONE, "d-0"] == [(a, *span) for span in spans]

    def test_what_a_person_matched_stays_a_persons(self, topic: Topic) -> None:
        a, b = topic.add("a"), topic.add("b")
        matches = [_match(a, 0, 4, automatic=True), _match(b, 2, 6), _match(b, 10, 12, automatic=True)]
        topic.do([Change(ONE, "matches", "d-0", {"matches": matches})])
        topic.merge(a, b)
        found = topic.log.objects(topic.project, topic.number, kind="matches")[0].value["matches"]
        assert [one["automatic"] for one in found] == [False, True]

    def test_a_text_that_stays_keeps_the_length_that_its_file_gives(self, topic: Topic) -> None:
        topic.do(
            [Change(SHARED, "nugget", one, {**_old(one), "listed_length": 6}) for one in ("n1", "n2", "n3")]
        )
        topic.merge("n1", "n2", text="n1")
        topic.merge("n1", "n3", text="n1")
        assert topic.nuggets()["n1"]["listed_length"] == 6
        topic.split("n1", "n1", "another")
        topic.merge("n1", "n4", text="both")
        assert topic.nuggets()["n1"]["listed_length"] == 0

    def test_dependencies_move(self, topic: Topic) -> None:
        a, b, c, d = (topic.add(text) for text in "abcd")
        topic.do(lambda view: set_needs(view, b, topic.version(b), [c, a]))
        topic.do(lambda view: set_needs(view, d, topic.version(d), [b, a]))
        topic.merge(a, b)
        assert {name: one["needs"] for name, one in topic.nuggets().items()} == {a: [c], c: [], d: [a]}

    def test_none_that_would_need_itself(self, topic: Topic) -> None:
        a, b, c = (topic.add(text) for text in "abc")
        topic.do(lambda view: set_needs(view, a, topic.version(a), [c]))
        topic.do(lambda view: set_needs(view, c, topic.version(c), [b]))
        before = topic.everything()
        with pytest.raises(UsageError, match="need each other"):
            topic.merge(a, b)
        assert topic.everything() == before

    def test_only_what_is_there_as_it_was_shown(self, topic: Topic) -> None:
        a, b = topic.add("a"), topic.add("b")
        with pytest.raises(UsageError, match="Choose other nuggets"):
            topic.merge(a, a)
        with pytest.raises(UsageError, match="Choose other nuggets"):
            topic.merge(a)
        fields = Fields(text="x", importance=1, time=1)
        for expected in ({a: 0, b: topic.version(b)}, {a: topic.version(a), b: 0}):
            with pytest.raises(ConflictError):
                topic.do(lambda view, expected=expected: merge_nuggets(view, a, [b], expected, fields))
        with pytest.raises(UsageError, match="which version"):
            topic.do(lambda view: merge_nuggets(view, a, [b], {a: topic.version(a)}, fields))

    def test_a_later_match_keeps_it_from_being_taken_back(self, topic: Topic) -> None:
        a, b = topic.add("a"), topic.add("b")
        topic.match(ONE, "d-0", (b, 0, 4))
        merged = topic.merge(a, b)
        topic.match(ONE, "d-0", (a, 0, 2))
        with pytest.raises(ConflictError):
            topic.undo(merged)


class TestSplitting:
    def test_each_match_goes_where_it_was_said_and_else_everywhere(self, topic: Topic) -> None:
        a, b = topic.add("a"), topic.add("b")
        topic.do(lambda view: set_needs(view, a, topic.version(a), [b]))
        topic.match(ONE, "d-0", (a, 0, 4), (b, 5, 6))
        topic.match(ONE, "d-1", (a, 0, 4))
        topic.match(ONE, "d-2", (a, 0, 4), (a, 7, 9))
        topic.match(TWO, "d-0", (a, 1, 3))
        before = topic.everything()
        shares = (Share(ONE, "d-0", (1,)), Share(ONE, "d-1", ()), Share(ONE, "d-2", (1, 0, 1)))
        done = topic.split(a, "first", "second", shares=shares)
        assert topic.matches() == {
            (ONE, "d-0"): [("n3", 0, 4), (b, 5, 6)],
            (ONE, "d-1"): [],
            (ONE, "d-2"): [(a, 0, 4), ("n3", 0, 4), (a, 7, 9), ("n3", 7, 9)],
            (TWO, "d-0"): [(a, 1, 3), ("n3", 1, 3)],
        }
        assert topic.again() == {(TWO, "d-0"): [a, "n3"]}
        assert {name: (one["text"], one["needs"]) for name, one in topic.nuggets().items()} == {
            a: ("first", [b]),
            b: ("b", []),
            "n3": ("second", [b]),
        }
        topic.undo(done)
        assert topic.everything() == before

    def test_three_parts_get_an_id_each(self, topic: Topic) -> None:
        topic.split(topic.add("a"), "one", "two", "three")
        assert [one["text"] for one in topic.nuggets().values()] == ["one", "two", "three"]

    def test_who_is_asked_looks_again(self, topic: Topic) -> None:
        a, b = topic.add("a"), topic.add("b")
        topic.match(TWO, "d-0", (a, 1, 3), (b, 5, 6))
        topic.split(a, "first", "second")
        there = topic.log.object(topic.project, topic.number, TWO, "matches", "d-0")
        assert there is not None
        with pytest.raises(ConflictError):
            topic.do(lambda view: looked_again(view, TWO, "d-0", there.version - 1, ["n3"]))
        topic.do(lambda view: looked_again(view, TWO, "d-0", there.version, ["n3"]))
        assert topic.matches() == {(TWO, "d-0"): [("n3", 1, 3), (b, 5, 6)]}
        assert topic.again() == {}
        with pytest.raises(ConflictError, match="already"):
            topic.do(lambda view: looked_again(view, TWO, "d-0", there.version, ["n3"]))

    def test_what_is_asked_follows_the_nuggets(self, topic: Topic) -> None:
        a, b = topic.add("a"), topic.add("b")
        topic.match(TWO, "d-0", (a, 1, 3))
        topic.split(a, "one", "two", "three")
        assert topic.again() == {(TWO, "d-0"): [a, "n3", "n4"]}
        topic.merge(b, a)
        assert topic.again() == {(TWO, "d-0"): [b, "n3", "n4"]}
        topic.split("n3", "two", "more")
        assert topic.again() == {(TWO, "d-0"): [b, "n3", "n4", "n5"]}
        for gone in ("n5", "n4"):
            topic.do(lambda view, gone=gone: delete_nugget(view, gone, topic.version(gone), with_matches=1))
        topic.merge(b, "n3")
        assert topic.again() == {}
        assert topic.matches() == {(TWO, "d-0"): [(b, 1, 3)]}

    @pytest.mark.parametrize("parts", [0, 1, 21])
    def test_so_many_parts_are_none(self, topic: Topic, parts: int) -> None:
        a = topic.add("a")
        with pytest.raises(UsageError, match=f"not {parts}"):
            topic.split(a, *["x"] * parts)

    @pytest.mark.parametrize("part", [2, -1])
    def test_no_match_goes_to_a_part_that_is_not_there(self, topic: Topic, part: int) -> None:
        a = topic.add("a")
        topic.match(ONE, "d-0", (a, 0, 4))
        with pytest.raises(UsageError, match="does not exist"):
            topic.split(a, "one", "two", shares=(Share(ONE, "d-0", (part,)),))


@pytest.mark.parametrize("act", ["merge", "split", "delete"])
def test_who_has_to_judge_again_still_has_to_when_nuggets_change(
    people: People, topic: Topic, act: str
) -> None:
    task = next(one for one in TASKS if one.id == "matching")

    def judged() -> set[int]:
        return people.desk.claims.standing(topic.project, topic.number, task).judged.get("d-0", set())

    def contested() -> int:
        return len(compare_objects(topic.log.objects(topic.project, topic.number)).contested)

    a, b, c = (topic.add(text) for text in "abc")
    topic.match(ONE, "d-0", (b, 0, 4))
    topic.match(TWO, "d-0", (c, 0, 4))
    topic.match(FINAL, "d-0", (b, 0, 4))
    topic.do(reopen("matches", "d-0", "another look"))
    topic.match(TWO, "d-0", (a, 0, 4))
    assert (judged(), contested()) == ({2}, 0)
    if act == "merge":
        done = topic.merge(a, b)
    elif act == "split":
        done = topic.split(b, "one", "other")
    else:
        done = topic.do(lambda view: delete_nugget(view, b, topic.version(b), with_matches=1))
    assert (judged(), contested()) == ({2}, 0)
    topic.undo(done)
    assert (judged(), contested()) == ({2}, 0)
    assert topic.matches() == {(ONE, "d-0"): [(b, 0, 4)], (TWO, "d-0"): [(a, 0, 4)]}
    topic.match(ONE, "d-0", (c, 0, 4))
    assert (judged(), contested()) == ({1, 2}, 1)


def test_a_nugget_that_was_matched_or_needed_since_is_not_taken_back(topic: Topic) -> None:
    topic.add("a")
    added = topic.do(lambda view: add_nugget(view, EVENT, Fields(text="b", importance=1, time=1)))
    topic.match(ONE, "d-0", ("n2", 0, 4))
    with pytest.raises(ConflictError, match="update d-0 was matched"):
        topic.undo(added)
    topic.match(ONE, "d-0")
    topic.do(lambda view: set_needs(view, "n1", topic.version("n1"), ["n2"]))
    with pytest.raises(ConflictError, match="nugget n1 needs"):
        topic.undo(added)
    topic.do(lambda view: set_needs(view, "n1", topic.version("n1"), []))
    topic.undo(added)
    assert list(topic.nuggets()) == ["n1"]


def _old(text: str) -> dict[str, Any]:
    return {"text": text, "importance": 1, "time": 10, "needs": [], "listed_length": 0}
