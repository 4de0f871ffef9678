"""Sources that can be read again are sorted where they are not in order: nothing is lost, wherever a run stops."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, strategies as st

from tests.following.stream.fakes import Every, Holding, Memory, make_documents, make_event
from tests.sweeps import every
from tidings.core.errors import StoreError
from tidings.core.records import Document, Place
from tidings.following.stream import loop, order as cursors
from tidings.following.stream.loop import Tally, follow_stream
from tidings.following.stream.order import Ordered, gathered_cursor, read_gathered
from tidings.sources import Source
from tidings.sources.items.pile import Pile
from tidings.sources.source import Order, Outlook, look_ahead


class Piled:
    """A source in memory that can be sorted; with `looks` only where it has to be. `piled` counts what was sorted."""

    def __init__(self, documents: list[Document], name: str = "s", *, looks: bool = False) -> None:
        self.documents, self.opened, self.piled = documents, 0, 0
        self.source = Source(
            name,
            lambda: self._from(0),
            open_at=(lambda place: self._from(int(place))) if looks else None,
            pile=self._pile,
            look=self._look if looks else None,
        )

    def _from(self, begin: int) -> Iterator[Document | Place]:
        self.opened += 1
        for number, document in enumerate(self.documents[begin:], begin + 1):
            yield document
            if number % 2 == 0:
                yield Place(lambda number=number: str(number).encode())

    def _look(self, order: Order) -> Outlook:
        rest = self.documents[int(order.place or b"0") :]
        return look_ahead([document.published_time for document in rest], order)

    def _pile(self) -> Pile:
        piled = self

        class Counting(Pile):
            def add(self, document: Document) -> None:
                piled.piled += 1
                super().add(document)

        return Counting(memory_bytes=500)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit after every interval, and take up every place."""
    monkeypatch.setattr(loop, "_COMMIT_EVERY_S", 0)
    monkeypatch.setattr(loop, "_COMMIT_SHARE", 0)
    monkeypatch.setattr(cursors, "_CHECKED", 1)
    monkeypatch.setattr("tidings.following.stream.order._PAUSE", 3)


def released(memory: Memory) -> int:
    return sum(position.released for position in memory.saved.positions)


def go_on(sources: list[Source], memory: Memory, last: int | None = None, **options) -> Tally:
    tally = Tally()
    stop = (lambda: False) if last is None else (lambda: released(memory) >= last)
    list(follow_stream(sources, [make_event()], Every(), memory, tally=tally, stop=stop, **options))
    return tally


def ids(memory: Memory) -> list[str]:
    return [update.doc_id for update in memory.updates]


def by_time(documents: list[Document]) -> list[str]:
    return [document.id for document in sorted(documents, key=lambda document: document.published_time)]


times_st = st.lists(st.integers(0, 40), min_size=1, max_size=25)


@given(
    st.lists(times_st, min_size=1, max_size=3),
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.integers(0, 45),
    st.sampled_from([0, 7]),
    st.lists(st.tuples(st.booleans(), st.integers(0, 12)), max_size=5),
)
def test_stopped_and_failing_anywhere_all_documents_are_followed_in_order(
    many: list[list[int]], looks: list[bool], lateness_s: int, interval_s: int, attempts: list
) -> None:
    whole = [make_documents(times, f"s{number}-", sentences=1) for number, times in enumerate(many)]
    memory = Memory()
    for stops, after in [*attempts, (False, None)]:
        sources = [Piled(one, str(n), looks=looks[n]).source for n, one in enumerate(whole)]
        memory.fail_in = None if stops else after
        last = released(memory) + after if stops else None
        try:
            tally = go_on(sources, memory, last, lateness_s=lateness_s, interval_s=interval_s)
        except ConnectionError:
            continue
    expected = by_time([document for one in whole for document in one])
    if not interval_s:
        assert ids(memory) == expected
    assert sorted(ids(memory)) == sorted(expected)
    assert tally.late_count == 0
    assert memory.saved.finished


@given(times_st, st.booleans(), st.integers(0, 45), st.data())
def test_of_a_source_that_grows_only_what_is_older_than_what_was_decided_is_lost(
    times: list[int], looks: bool, lateness_s: int, data
) -> None:
    """Whether it ended, or was stopped, before it grew; beside it the rule in its own words."""
    documents = make_documents(times, sentences=1)
    memory = Memory()
    decided: list[Document] = []
    waiting: list[Document] = []
    late: list[str] = []
    lengths = sorted(data.draw(st.lists(st.integers(1, len(times)), min_size=1, max_size=3)))
    for before, length in pairwise([0, *lengths, len(times)]):
        for document in documents[before:length]:
            if decided and document.published_time < decided[-1].published_time:
                late.append(document.id)
            else:
                waiting.append(document)
        waiting.sort(key=lambda document: document.published_time)
        last = data.draw(st.none() | st.integers(released(memory), length))
        if looks and lateness_s:
            last = None  # what waits at an end must not have left without its being noted
        tally = go_on([Piled(documents[:length], looks=looks).source], memory, last, lateness_s=lateness_s)
        number = released(memory) - len(decided)
        decided += waiting[:number]
        del waiting[:number]
        assert ids(memory) == [document.id for document in decided]
        assert last is not None or not waiting
    tally = go_on([Piled(documents, looks=looks).source], memory, lateness_s=lateness_s)
    assert ids(memory) == [document.id for document in decided + waiting]
    assert tally.late_count == len(late)
    assert {one.doc_id for one in memory.late} == set(late)


class TestSorted:
    def test_a_source_in_order_within_the_lateness_is_not_sorted(self) -> None:
        piled = Piled(make_documents([100, 400, 300, 200, 500]), looks=True)
        assert [one.id for one in Ordered(piled.source, lateness_s=200) if one] == [
            "d0",
            "d3",
            "d2",
            "d1",
            "d4",
        ]
        assert (piled.piled, piled.opened) == (0, 1)
        ordered = Ordered(piled.source, lateness_s=199)
        assert [one.id for one in ordered if one] == ["d0", "d3", "d2", "d1", "d4"]
        assert (piled.piled, ordered.lost, ordered.total, ordered.late) == (5, 1, 5, 0)

    def test_what_was_decided_on_is_not_sorted_again(self) -> None:
        documents = make_documents([*range(500, 0, -1)])
        memory = Memory()
        go_on([Piled(documents).source], memory, 400)
        again = Piled(documents)
        go_on([again.source], memory)
        assert (again.opened, again.piled) == (1, 101)
        assert ids(memory)[::2] == by_time(documents)
        finished = Piled(documents)
        go_on([finished.source], memory)
        assert (finished.opened, finished.piled) == (1, 1)

    def test_it_stays_sorted_though_what_it_has_got_since_is_in_order(self) -> None:
        documents = make_documents([300, 200, 100, 400, 500])
        memory = Memory()
        go_on([Piled(documents[:3], looks=True).source], memory, lateness_s=0)
        assert read_gathered(memory.saved.positions[0].cursor) is not None
        again = Piled(documents, looks=True)
        go_on([again.source], memory, lateness_s=0)
        assert again.piled
        assert ids(memory)[::2] == ["d2", "d1", "d0", "d3", "d4"]

    def test_a_source_in_order_that_gets_a_pile_is_sorted_from_then_on(self) -> None:
        documents = make_documents([100, 200, 300, 600, 500, 400])
        memory = Memory()
        go_on([Piled(documents[:3], looks=True).source], memory, lateness_s=0)
        assert read_gathered(memory.saved.positions[0].cursor) is None
        tally = go_on([Piled(documents, looks=True).source], memory, lateness_s=0)
        assert ids(memory)[::2] == ["d0", "d1", "d2", "d5", "d4", "d3"]
        assert tally.late_count == 0

    def test_the_same_documents_in_another_order_are_the_same_stream(self) -> None:
        documents = make_documents([100, 300, 200, 400])
        memory = Memory()
        go_on([Piled(documents).source], memory, 3)
        newest = make_documents([500, 600], "new")
        go_on([Piled([*newest[::-1], *documents[::-1]]).source], memory)
        assert ids(memory)[::2] == ["d0", "d2", "d1", "d3", "new0", "new1"]
        assert memory.saved.finished
        go_on([Piled(sorted([*documents, *newest], key=lambda one: one.id)).source], memory)
        assert len(ids(memory)) == 12

    def test_what_another_source_had_decided_meanwhile_is_not_gone_behind(self) -> None:
        one, other = make_documents([30, 10], "one"), make_documents([20], "other")
        memory = Memory()
        go_on([Piled(one, "one").source, Piled(other, "other").source], memory)
        other += make_documents([90, 80], "later")
        go_on([Piled(one, "one").source, Piled(other, "other").source], memory)
        one += make_documents([70, 95], "new")
        tally = go_on([Piled(one, "one").source, Piled(other, "other").source], memory)
        assert ids(memory)[::2] == ["one1", "other0", "one0", "later1", "later0", "new1"]
        assert tally.late_count == 1
        assert memory.saved.positions[0].ends == ((2, 90), (4, 95))

    def test_a_list_whose_newest_stand_first_may_grow_again_and_again(self) -> None:
        memory = Memory()
        for number in (2, 4, 4, 7, 7):
            documents = make_documents(range(100, 100 + 10 * number, 10))
            tally = go_on([Piled(documents[::-1]).source], memory)
            assert ids(memory)[::2] == by_time(documents)
            assert tally.late_count == 0
            assert [read for read, _ in memory.saved.positions[0].ends] == [number]

    def test_another_order_alone_is_no_new_end(self) -> None:
        memory, system = Memory(), Holding()
        documents = make_documents([100, 300, 200])
        for order in (documents, documents[::-1]):
            list(follow_stream([Piled(order).source], [make_event()], system, memory))
            assert len(system.asked) == 1


class TestChanged:
    """What was decided on is no more what it was."""

    @staticmethod
    def begun(documents: list[Document], last: int = 3) -> Memory:
        memory = Memory()
        go_on([Piled(documents).source], memory, last)
        return memory

    def test_older_documents_among_those_decided_on_are_said(self) -> None:
        documents = make_documents([900000400, 900000300, 900000200, 900000100])
        memory = self.begun(documents)
        before = memory.saved
        older = make_documents([900000150], "older")
        with pytest.raises(StoreError, match=r"documents now .* from before 1998-07-09T16:05:00Z"):
            go_on([Piled([*older, *documents]).source], memory)
        assert memory.saved.positions == before.positions
        go_on([Piled(documents).source], memory)
        assert ids(memory)[::2] == ["d3", "d2", "d1", "d0"]

    @every(
        "change, how",
        [
            (lambda documents: documents[:1], "fewer documents than the 3"),
            (lambda documents: [documents[0], documents[2], documents[3]], "differs within its first 3"),
            (
                lambda documents: [
                    *documents[:2],
                    msgspec.structs.replace(documents[2], text="x"),
                    documents[3],
                ],
                "differs within its first 3",
            ),
            (lambda documents: [], "has no documents now"),
        ],
    )
    def test_missing_or_other_documents_are_said(self, change, how: str) -> None:
        documents = make_documents([400, 300, 200, 100])
        memory = self.begun(documents)
        with pytest.raises(StoreError, match=how):
            go_on([Piled(change(documents)).source], memory)

    def test_other_words_are_noticed_though_some_that_waited_are_missing(self) -> None:
        documents = make_documents([400, 300, 200, 100])
        memory = self.begun(documents, 2)
        changed = [documents[1], documents[2], msgspec.structs.replace(documents[3], text="x")]
        with pytest.raises(StoreError, match="differs within its first 2"):
            go_on([Piled(changed).source], memory)

    def test_an_absurd_time_is_said_as_a_number(self) -> None:
        documents = make_documents([10**15 + 2, 10**15 + 1, 10**15])
        with pytest.raises(StoreError, match=f"before {10**15 + 1}, which"):
            go_on([Piled([*make_documents([3], "x"), *documents]).source], self.begun(documents, 2))


@every(
    "order, lost",
    [
        (Order(), 3),
        (Order(lateness_s=50), 1),
        (Order(decided_time=60), 1),
        (Order(ends=((2, 60),)), 1),
        (Order(bound=200, floor=200), 0),
    ],
)
def test_what_sorting_cannot_bring_back_is_not_counted_as_lost(order: Order, lost: int) -> None:
    assert look_ahead([100, 90, 59, 40, 120], order).lost == lost


@every("data", [b"", b"\xc1", b"x", gathered_cursor(3)[:-1], msgspec.msgpack.encode(["a", 1])])
def test_what_is_no_mark_of_a_gathered_source(data: bytes) -> None:
    assert read_gathered(data) is None
    assert read_gathered(gathered_cursor(2**32 - 1)) == 2**32 - 1
    assert cursors.read_cursor(gathered_cursor(3)) is None


def test_a_run_that_lost_some_by_their_order_goes_on_as_it_began() -> None:
    """As one that an earlier version began."""
    documents = make_documents([100, 500, 300, 600, 700, 550, 800])
    memory = Memory()
    plain = Source("s", lambda: documents[:4])
    go_on([plain], memory, lateness_s=0)
    assert ids(memory)[::2] == ["d0", "d1", "d3"]
    tally = go_on([Piled(documents, looks=True).source], memory, lateness_s=0)
    assert ids(memory)[::2] == ["d0", "d1", "d3", "d4", "d6"]
    assert tally.late_count == 2
