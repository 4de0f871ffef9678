"""Going on from a place of a source gives what an undisturbed run gives, whatever the order and wherever it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, strategies as st

from tests.following.stream.fakes import Every, Memory, make_documents, make_event
from tests.sweeps import every
from tidings.core.errors import StoreError
from tidings.core.records import Document, Place, Position
from tidings.following.stream import loop, order as cursors
from tidings.following.stream.loop import Tally, follow_stream
from tidings.following.stream.order import Cursor, Ordered, read_cursor
from tidings.sources import Source
from tidings.sources.source import fingerprint
from tidings.sources.streams import read_stream_places


def follow_until(steps: int, source: Source, memory: Memory, lateness_s: int) -> None:
    """Follow a source until somebody stops it after so many steps."""
    left = iter(range(steps))
    list(
        follow_stream(
            [source],
            [make_event()],
            Every(),
            memory,
            lateness_s=lateness_s,
            stop=lambda: next(left, None) is None,
        )
    )


class Placed:
    """A source in memory with a place after every `every` documents; `given` counts what was read from it."""

    def __init__(self, documents: list[Document], every: int, name: str = "s") -> None:
        self.documents, self.every, self.given, self.begun = documents, every, 0, []
        self.trusted = True
        self.source = Source(name, lambda: self._from(0), open_at=self._open_at)

    def _open_at(self, data: bytes) -> Iterator[Document | Place] | None:
        return self._from(int(data)) if self.trusted else None

    def _from(self, start: int) -> Iterator[Document | Place]:
        self.begun.append(start)
        for number, document in enumerate(self.documents[start:], start + 1):
            self.given += 1
            yield document
            if number % self.every == 0:
                yield Place(lambda number=number: str(number).encode())


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commit after every interval, and take up every place."""
    monkeypatch.setattr(loop, "_COMMIT_EVERY_S", 0)
    monkeypatch.setattr(loop, "_COMMIT_SHARE", 0)
    monkeypatch.setattr(cursors, "_CHECKED", 2)


def released(memory: Memory) -> int:
    return sum(position.released for position in memory.saved.positions)


def outputs(*args, **options) -> list:
    return [update for _, updates in follow_stream(*args, **options) for update in updates]


class TestResumed:
    @given(
        st.lists(st.lists(st.integers(0, 120), min_size=1, max_size=30), min_size=1, max_size=3),
        st.sampled_from([0, 25]),
        st.integers(0, 60),
        st.integers(1, 4),
        st.sampled_from([0, 1, 3, 100]),
        st.data(),
    )
    def test_a_run_that_fails_in_any_commit_ends_as_an_undisturbed_one(
        self, many: list[list[int]], interval_s: int, lateness_s: int, every: int, checked: int, data
    ) -> None:
        """Streams out of order, several of them, which grow between the attempts; failing and stopping anywhere."""
        options = {"interval_s": interval_s, "lateness_s": lateness_s}
        events = [make_event("a", 0, 80), make_event("b", 40, 120)]
        whole = [make_documents(times, f"s{number}-", sentences=1) for number, times in enumerate(many)]
        without, with_places = Memory(), Memory()
        kept: list[list] = [[], []]
        lengths = sorted(data.draw(st.lists(st.integers(1, 30), min_size=3, max_size=3)))
        plan = [(data.draw(st.booleans()), data.draw(st.integers(1, 12)), length) for length in lengths]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(loop, "_COMMIT_EVERY_S", 0)
            patch.setattr(loop, "_COMMIT_SHARE", 0)
            patch.setattr(cursors, "_CHECKED", checked)
            for memory, late, placed in ((without, kept[0], False), (with_places, kept[1], True)):
                for stops, after, length in [*plan, (False, None, 99)]:
                    parts = [Placed(documents[:length], every, str(n)) for n, documents in enumerate(whole)]
                    sources = [
                        part.source if placed else Source(str(n), part.source.open)
                        for n, part in enumerate(parts)
                    ]
                    last = released(memory) + after if stops else 10**9
                    memory.fail_in = None if stops else after
                    try:
                        list(
                            follow_stream(
                                sources,
                                events,
                                Every(3),
                                memory,
                                stop=lambda memory=memory, last=last: released(memory) >= last,
                                **options,
                            )
                        )
                    except (ConnectionError, StoreError) as error:
                        late.append(str(error))
                    late.append(
                        [(one.released, one.last_id, one.digest, one.ends) for one in memory.saved.positions]
                    )
        assert with_places.updates == without.updates
        assert kept[1] == kept[0]
        assert with_places.saved.finished == without.saved.finished

    @given(
        st.lists(st.integers(0, 100), min_size=1, max_size=40),
        st.integers(0, 60),
        st.integers(1, 5),
        st.data(),
    )
    def test_the_rest_is_what_an_undisturbed_reading_gives(
        self, times: list[int], lateness_s: int, every: int, data
    ) -> None:
        part = Placed(make_documents(times), every)
        whole = [one for one in Ordered(part.source, lateness_s=lateness_s) if one]
        stop = data.draw(st.integers(1, len(whole)))
        ordered = Ordered(part.source, lateness_s=lateness_s)
        digest, released = 0, []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cursors, "_CHECKED", data.draw(st.integers(0, 5)))
            for document in ordered:
                digest = fingerprint(document, digest)
                released.append(document)
                position = Position(
                    source="s",
                    released=len(released),
                    read=ordered.read,
                    late=ordered.late,
                    first_id="d0",
                    last_id=document.id,
                    last_time=document.published_time,
                    digest=digest,
                    cursor=ordered.cursor(len(released), digest, document.published_time),
                )
                if len(released) == stop:
                    break
        again = Ordered(part.source, lateness_s=lateness_s, position=position)
        assert [one.id for one in again if one] == [one.id for one in whole[stop:]]
        assert (again.read, again.ended) == (len(times), True)
        assert again.late == len(times) - len(whole)
        cursor = read_cursor(position.cursor)
        assert part.begun[-1] == (int(cursor.place) if cursor else 0)

    def test_only_what_comes_after_the_place_is_read_again(self, often: None) -> None:
        documents = make_documents(range(0, 5000, 10))
        memory, part = Memory(), Placed(documents, 10)
        follow_until(400, part.source, memory, lateness_s=100)
        again, tally = Placed(documents, 10), Tally()
        list(follow_stream([again.source], [make_event()], Every(), memory, lateness_s=100, tally=tally))
        assert memory.updates == outputs(documents, [make_event()], Every(), lateness_s=100)
        assert again.given < 500 - 400 + 40
        assert tally.skipped + tally.documents == 500
        finished = Placed(documents, 10)
        assert outputs([finished.source], [make_event()], Every(), memory, lateness_s=100) == []
        assert finished.given < 15

    def test_late_documents_before_the_place_are_counted_still(self, often: None) -> None:
        documents = make_documents([500, 0, *range(500, 1500, 10)])
        memory, part = Memory(), Placed(documents, 5)
        follow_until(50, part.source, memory, lateness_s=0)
        tally = Tally()
        list(follow_stream([part.source], [make_event()], Every(), memory, lateness_s=0, tally=tally))
        assert part.begun[-1] > 2
        assert tally.late_count == memory.saved.positions[0].late == 1

    def test_late_documents_before_and_after_the_place_are_counted_together(self) -> None:
        documents = make_documents([500, 0, 510, 520, 530, 1, 540])
        place = Cursor(b"3", 3, 1, latest=510, bound=510, floor=-1, released=3, digest=7)
        position = Position(
            source="s",
            released=3,
            read=4,
            late=1,
            first_id="d0",
            last_id="d3",
            last_time=520,
            digest=7,
            cursor=msgspec.msgpack.encode(place),
        )
        late: list[int] = []
        ordered = Ordered(
            Placed(documents, 1).source, position=position, note_late=lambda one: late.append(one.ordinal)
        )
        assert [one.id for one in ordered if one] == ["d4", "d6"]
        assert (ordered.read, ordered.late, late) == (7, 2, [6])
        assert ordered.position(5, 7, ("d6", 540), finished=True, decided_time=540).late == 2

    @every("changed, ok", [("", True), ("another", False)])
    def test_the_last_document_is_compared_where_no_digest_covers_it(self, changed: str, ok: bool) -> None:
        documents = make_documents([10, 20, 30, 40, 50])
        place = Cursor(b"3", 3, 0, latest=30, bound=30, floor=-1, released=4, digest=7)
        position = Position(
            source="s",
            released=4,
            read=4,
            first_id="d0",
            last_id="d3",
            last_time=40,
            digest=7,
            cursor=msgspec.msgpack.encode(place),
        )
        if changed:
            documents[3] = msgspec.structs.replace(documents[3], id=changed)
        ordered = Ordered(Placed(documents, 1).source, position=position)
        if ok:
            assert [one.id for one in ordered if one] == ["d4"]
            return
        with pytest.raises(StoreError, match="differs within its first 4"):
            list(ordered)

    def test_of_equal_times_the_last_decided_may_stand_before_the_place(self) -> None:
        """Then there is nothing to compare, and that is no fault."""
        documents = make_documents([10, 20, 30, 50])
        place = Cursor(b"3", 3, 0, latest=30, bound=30, floor=-1, released=3, digest=7)
        position = Position(
            source="s",
            released=3,
            read=3,
            first_id="d0",
            last_id="d2",
            last_time=30,
            digest=7,
            cursor=msgspec.msgpack.encode(place),
        )
        ordered = Ordered(Placed(documents, 1).source, position=position)
        assert [one.id for one in ordered if one] == ["d3"]

    def test_while_skipping_the_cursor_stays_that_of_the_position(self, monkeypatch) -> None:
        monkeypatch.setattr("tidings.following.stream.order._PAUSE", 1)
        documents = make_documents([10, 20, 30, 40, 50, 60])
        data = msgspec.msgpack.encode(Cursor(b"1", 1, 0, latest=10, bound=10, floor=-1, released=4, digest=7))
        position = Position(
            source="s",
            released=4,
            read=4,
            first_id="d0",
            last_id="d3",
            last_time=40,
            digest=7,
            cursor=data,
        )
        ordered = Ordered(Placed(documents, 1).source, position=position)
        assert next(iter(ordered)) is None
        assert ordered.cursor(4, 7, 40) == data
        assert ordered.position(4, 7, ("d3", 40), finished=False, decided_time=40) == position


class TestTrust:
    """A place that is no longer good means reading everything, and finding what changed."""

    @staticmethod
    def begun(documents: list[Document], number: int) -> Memory:
        memory, left = Memory(), iter(range(number))
        list(
            follow_stream(
                [Placed(documents, 3).source],
                [make_event()],
                Every(),
                memory,
                lateness_s=0,
                stop=lambda: next(left, None) is None,
            )
        )
        assert memory.saved.positions[0].cursor
        return memory

    def test_a_place_that_cannot_be_trusted_is_read_from_the_beginning(self, often: None) -> None:
        documents = make_documents(range(50))
        memory, again = self.begun(documents, 30), Placed(documents, 3)
        again.trusted = False
        list(follow_stream([again.source], [make_event()], Every(), memory, lateness_s=0))
        assert again.begun == [0]
        assert memory.updates == outputs(documents, [make_event()], Every())

    @pytest.mark.parametrize("cursor", [b"\xc1", b"\x90", b"no cursor", msgspec.msgpack.encode([1] * 8)])
    def test_a_cursor_that_makes_no_sense_is_passed_over(self, often: None, cursor: bytes) -> None:
        documents = make_documents(range(50))
        memory = self.begun(documents, 30)
        broken = msgspec.structs.replace(memory.saved.positions[0], cursor=cursor)
        memory.saved = msgspec.structs.replace(memory.saved, positions=(broken,))
        again = Placed(documents, 3)
        list(follow_stream([again.source], [make_event()], Every(), memory, lateness_s=0))
        assert again.begun == [0]
        assert memory.updates == outputs(documents, [make_event()], Every())

    def test_a_cursor_from_further_on_than_the_run_is_passed_over(self) -> None:
        position = Position(source="s", released=2, read=2, first_id="d0", last_id="d1", digest=0)
        beyond = msgspec.msgpack.encode(Cursor(b"9", 9, 0, 9, 9, 0, released=9))
        part = Placed(make_documents(range(20)), 3)
        ordered = Ordered(part.source, position=msgspec.structs.replace(position, cursor=beyond))
        with pytest.raises(StoreError, match="differs within its first 2"):
            list(ordered)
        assert part.begun == [0]

    @pytest.mark.parametrize(
        ("change", "how"),
        [
            (lambda one: msgspec.structs.replace(one, title="another"), "differs within its first 31"),
            (lambda one: msgspec.structs.replace(one, url="https://example.org/"), "differs within"),
            (lambda one: msgspec.structs.replace(one, source="another"), "differs within"),
            (lambda one: msgspec.structs.replace(one, id="another"), "differs within"),
        ],
    )
    def test_what_was_decided_last_is_compared(self, often: None, change, how: str) -> None:
        documents = make_documents(range(50))
        memory = self.begun(documents, 30)
        documents[30] = change(documents[30])
        with pytest.raises(StoreError, match=how):
            list(follow_stream([Placed(documents, 3).source], [make_event()], Every(), memory, lateness_s=0))

    def test_a_stream_that_lost_documents_is_noticed(self, often: None) -> None:
        documents = make_documents(range(50))
        memory = self.begun(documents, 30)
        with pytest.raises(StoreError, match="fewer documents than the 31"):
            list(
                follow_stream(
                    [Placed(documents[:30], 3).source], [make_event()], Every(), memory, lateness_s=0
                )
            )

    def test_stopped_while_it_reads_again_the_place_is_kept(self, often: None, monkeypatch) -> None:
        documents = make_documents(range(50))
        memory = self.begun(documents, 30)
        before = memory.saved.positions
        monkeypatch.setattr("tidings.following.stream.order._PAUSE", 1)
        for _ in range(2):
            again = Placed(documents, 3)
            list(
                follow_stream(
                    [again.source], [make_event()], Every(), memory, lateness_s=0, stop=lambda: True
                )
            )
            assert memory.saved.positions == before


class TestMemory:
    def test_places_that_cannot_be_used_yet_do_not_pile_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cursors, "_MOST_PLACES", 8)
        places = cursors.Cursors()
        for number in range(1000):
            places.passed(Place(lambda number=number: b"%d" % number), Cursor(b"", number, 0, 5, 5, 0))
        assert len(places._passed) <= 8
        assert places.at(1000, 0, 5, all_read=False) == b""
        assert read_cursor(places.at(1000, 0, 6, all_read=False)).read > 900

    def test_a_place_far_behind_is_given_up_for_a_near_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cursors, "_FARTHEST", 1000)
        places = cursors.Cursors()
        for number in (500, 600, 9000):
            places.passed(Place(lambda number=number: b"%d" % number), Cursor(b"", number, 0, number, 0, 0))
            data = places.at(number + 1, 7, number + 1, all_read=False)
        assert read_cursor(data).place == b"9000"

    @every("decided, place", [(1501, b"500"), (1502, b"600")])
    def test_the_older_place_is_taken_up_to_the_farthest(
        self, monkeypatch: pytest.MonkeyPatch, decided: int, place: bytes
    ) -> None:
        monkeypatch.setattr(cursors, "_FARTHEST", 1000)
        monkeypatch.setattr(cursors, "_CHECKED", 2)
        places = cursors.Cursors()
        for number in (500, 600):
            places.passed(Place(lambda number=number: b"%d" % number), Cursor(b"", number, 0, number, 0, 0))
            places.at(number + 1, 7, number + 1, all_read=False)
        assert read_cursor(places.at(decided, 7, decided, all_read=False)).place == place


def write(path: Path, times: list[int], *, start: int = 0) -> None:
    with path.open("a", encoding="utf-8") as file:
        for number, time in enumerate(times, start):
            line = {"id": f"d{number}", "published_time": time, "sentences": [f"word {number} " * 40]}
            file.write(json.dumps(line) + "\n")


class TestFiles:
    def test_a_file_that_grows_is_gone_on_with(self, often: None, tmp_path: Path) -> None:
        path = tmp_path / "documents.jsonl"
        memory = Memory()
        opened: list[bytes] = []

        def source() -> Source:
            def open_at(cursor: bytes):
                opened.append(cursor)
                return read_stream_places(path, cursor=cursor)

            return Source("f", lambda: read_stream_places(path) or (), open_at=open_at)

        for part in range(3):
            write(path, list(range(part * 3000, part * 3000 + 3000)), start=part * 3000)
            list(follow_stream([source()], [make_event()], Every(), memory, lateness_s=60))
        assert [update.sentence_index for update in memory.updates] == [0] * 9000
        assert [update.doc_id for update in memory.updates] == [f"d{number}" for number in range(9000)]
        assert len(opened) == 2
        assert all(read_stream_places(path, cursor=cursor) is not None for cursor in opened)
