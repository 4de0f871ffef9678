"""Time order, lateness and merging."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import StoreError
from tidings.core.records import Document, LateDocument, Position, Sentence
from tidings.following.stream.order import Ordered, merge
from tidings.sources.source import Source, fingerprint


def documents(times: list[int], prefix: str = "d") -> list[Document]:
    return [Document(id=f"{prefix}{number}", published_time=time) for number, time in enumerate(times)]


def source(times: list[int], prefix: str = "d", *, live: bool = False) -> Source:
    return Source(prefix, lambda: documents(times, prefix), live=live)


def too_late(times: list[int], lateness_s: int) -> set[int]:
    """The definition, word for word."""
    late = set()
    for number, time in enumerate(times):
        before = times[:number]
        if before and time < max(before) - lateness_s:
            late.add(number)
    return late


times_st = st.lists(st.integers(-50, 50), max_size=30)


class TestLateness:
    @given(times_st, st.integers(0, 60))
    def test_what_leaves_is_what_is_not_too_late_in_the_order_of_time_and_ordinal(
        self, times: list[int], lateness_s: int
    ) -> None:
        late: list[LateDocument] = []
        ordered = Ordered(source(times), lateness_s=lateness_s, note_late=late.append)
        released = [document.id for document in ordered if document is not None]
        dropped = too_late(times, lateness_s)
        kept = [number for number in range(len(times)) if number not in dropped]
        assert released == [
            f"d{number}" for number in sorted(kept, key=lambda number: (times[number], number))
        ]
        assert [one.ordinal - 1 for one in late] == sorted(dropped)
        assert ordered.late == len(dropped)
        assert ordered.read == len(times)

    def test_a_document_exactly_at_the_bound_is_in_time(self) -> None:
        late: list[LateDocument] = []
        ordered = Ordered(source([1000, 400, 399]), lateness_s=600, note_late=late.append)
        assert [document.published_time for document in ordered if document] == [400, 1000]
        assert late == [LateDocument("d", 3, "d2", 399, 400)]

    def test_without_lateness_a_document_leaves_before_the_next_is_asked_for(self) -> None:
        asked = []

        def opened():
            for document in documents([1, 2, 3]):
                asked.append(document.id)
                yield document

        stream = iter(Ordered(Source("s", opened)))
        assert next(stream).id == "d0"
        assert asked == ["d0"]


class TestMerge:
    @given(st.lists(times_st, min_size=1, max_size=4))
    def test_several_sources_leave_in_the_order_of_time_source_and_ordinal(
        self, many: list[list[int]]
    ) -> None:
        sources = [Ordered(source(times, f"s{n}-"), lateness_s=200) for n, times in enumerate(many)]
        released = [document.id for _, document in merge(sources)]
        expected = sorted((t, n, i) for n, times in enumerate(many) for i, t in enumerate(times))
        assert released == [f"s{n}-{i}" for _, n, i in expected]

    def test_a_source_with_nothing_waiting_is_passed_on_as_none(self) -> None:
        first = Source("a", lambda: [documents([1])[0], None, documents([5], "e")[0]], live=True)
        steps = list(merge([Ordered(first), Ordered(source([2, 9]))]))
        assert [step and step[1].published_time for step in steps] == [1, None, 2, 5, 9]


class TestAgain:
    """A source read again is skipped up to where it was, and checked on the way."""

    @staticmethod
    def position(times: list[int], released: int, lateness_s: int = 0) -> Position:
        digest, last, first = 0, "", ""
        for document in list(Ordered(source(times), lateness_s=lateness_s))[:released]:
            digest, last = fingerprint(document, digest), document.id
            first = first or "d0"
        return Position(
            source="d", released=released, read=released, first_id=first, last_id=last, digest=digest
        )

    @given(times_st.filter(bool), st.data(), st.integers(0, 60))
    def test_the_rest_is_what_an_undisturbed_reading_gives(
        self, times: list[int], data, lateness_s: int
    ) -> None:
        whole = [document.id for document in Ordered(source(times), lateness_s=lateness_s)]
        cut = data.draw(st.integers(1, len(whole)))
        position = self.position(times, cut, lateness_s)
        ordered = Ordered(source(times), lateness_s=lateness_s, position=position)
        assert [document.id for document in ordered if document] == whole[cut:]

    @every(
        "now, how",
        cases(__file__, "a changed stream is noticed", lists=True),
    )
    def test_a_changed_stream_is_noticed(self, now: list[str], how: str) -> None:
        changed = [Document(id=name, published_time=5) for name in now]
        position = self.position([1, 2, 3], 3)
        with pytest.raises(StoreError, match="not the one that this run started with") as caught:
            list(Ordered(Source("d", lambda: changed), position=position))
        assert how in str(caught.value)
        assert "--restart" in str(caught.value)

    @every(
        "other",
        [
            Document(id="d1", published_time=2, text="No fire."),
            Document(id="d1", published_time=2, sentences=(Sentence("d1", 0, "A ferry.", 2),)),
            Document(id="d1", published_time=1, text="A fire."),
        ],
    )
    def test_a_stream_of_the_same_ids_with_other_words_or_times_is_noticed(self, other: Document) -> None:
        stream = [Document(id=f"d{time}", published_time=time, text="A fire.") for time in range(3)]
        stream[1] = Document(id="d1", published_time=2, text="A fire.")
        digest = fingerprint(stream[1], fingerprint(stream[0], 0))
        position = Position(source="d", released=2, read=2, first_id="d0", last_id="d1", digest=digest)
        rest = Ordered(Source("d", lambda: stream), position=position)
        assert [document.id for document in rest if document] == ["d2"]
        with pytest.raises(StoreError, match="differs within its first 2 documents"):
            list(Ordered(Source("d", lambda: [stream[0], other, stream[2]]), position=position))

    def test_a_pipe_that_begins_after_the_position_is_a_continuation(self) -> None:
        position = Position(
            source="-",
            released=3,
            read=3,
            first_id="d0",
            last_id="d2",
            last_time=30,
            digest=1,
            ends=((3, 30),),
        )
        late: list[LateDocument] = []
        pipe = source([31, 29, 32], "e", live=True)
        ordered = Ordered(pipe, lateness_s=600, position=position, floor_time=30, note_late=late.append)
        assert [document.id for document in ordered if document] == ["e0", "e2"]
        assert late == [LateDocument("e", 5, "e1", 29, 30)]
        assert ordered.read == 6

    def test_a_pipe_that_brings_nothing_leaves_the_run_as_it_is(self) -> None:
        position = Position(
            source="-", released=3, read=3, first_id="d0", last_id="d2", last_time=30, digest=1
        )
        ordered = Ordered(source([], live=True), position=position, floor_time=30)
        assert list(ordered) == []
        assert ordered.read == 3

    @given(times_st.filter(bool), times_st, st.integers(0, 60))
    def test_a_source_that_has_grown_goes_on_after_its_old_end(
        self, before: list[int], after: list[int], lateness_s: int
    ) -> None:
        """At its old end everything waiting was released; what is new but older than that is too late."""
        old = [document for document in Ordered(source(before), lateness_s=lateness_s) if document]
        position = self.position(before, len(old), lateness_s)
        floor = max(document.published_time for document in old)
        import msgspec

        position = msgspec.structs.replace(position, last_time=floor, ends=((len(before), floor),))
        ordered = Ordered(source(before + after), lateness_s=lateness_s, position=position, floor_time=floor)
        new = [document.published_time for document in ordered if document]
        assert new == sorted(new)
        assert all(time >= floor for time in new)
        in_time = [
            t for n, t in enumerate(after) if len(before) + n not in too_late(before + after, lateness_s)
        ]
        assert new == sorted(time for time in in_time if time >= floor)
