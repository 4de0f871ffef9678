"""Events as JSON, and where events are looked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.core.errors import FormatError, UsageError
from tidings.core.records import Event
from tidings.sources.own.events import write_event
from tidings.sources.streams import read_events

LATEST = 253402300799
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
ids = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=9)


@st.composite
def events(draw: st.DrawFn) -> Event:
    start, end = sorted(draw(st.tuples(st.integers(0, LATEST), st.integers(0, LATEST))))
    query = draw(texts)
    return Event(
        id=draw(ids),
        title=draw(texts) or query,
        query=query,
        start_time=start,
        end_time=end,
        type=draw(texts),
        description=draw(texts),
    )


def saved(folder: Path, data: object, name: str = "e.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(data))
    return path


FERRY = {"id": "ferry", "query": "ferry fire"}


class TestEvents:
    @given(events())
    def test_an_event_that_was_written_is_read_again(
        self, tmp_path_factory: pytest.TempPathFactory, event: Event
    ) -> None:
        path = tmp_path_factory.mktemp("e") / "e.json"
        write_event(path, event)
        assert read_events(path) == [event]

    @given(st.lists(events(), min_size=1, max_size=3, unique_by=lambda event: event.id), st.booleans())
    def test_several_are_one_a_line_or_an_array(
        self, tmp_path_factory: pytest.TempPathFactory, several: list[Event], by_line: bool
    ) -> None:
        path = tmp_path_factory.mktemp("e") / ("e.jsonl" if by_line else "e.json")
        write_event(path, several)
        assert read_events(path) == several

    def test_times_may_be_written_as_iso_8601(self, tmp_path: Path) -> None:
        # 2013-07-24T18:41:00Z by `date -u -d ... +%s`.
        path = saved(tmp_path, FERRY | {"start": "2013-07-24T18:41:00Z", "end": 1375315199})
        (event,) = read_events(path)
        assert (event.start_time, event.end_time) == (1374691260, 1375315199)

    def test_without_times_and_title_an_event_is_open_and_called_by_its_query(self, tmp_path: Path) -> None:
        event = Event(id="ferry", title="ferry fire", query="ferry fire", start_time=None, end_time=None)
        assert read_events(saved(tmp_path, FERRY)) == [event]

    @every(
        "data, message",
        [
            ({"id": "ferry"}, r"no 'query' \(expected an event: id, title, query"),
            (FERRY | {"id": ""}, "id ''"),
            (FERRY | {"start": 9, "end": 8}, "start 9 after end 8"),
            (FERRY | {"start": -1}, "start -1"),
            (FERRY | {"end": "2013-07-24"}, "without a zone"),
            (FERRY | {"start": 1374691260000}, "divide by 1000"),
            ([FERRY, FERRY], "event 'ferry' more than once"),
            ([], "no event"),
            ("ferry", "no object but a text in quotes"),
            (7, "no object but a whole number"),
        ],
    )
    def test_a_bad_event(self, tmp_path: Path, data: object, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            read_events(saved(tmp_path, data))

    @every("data", [b"", b"{", b"\xff\xfe{\0}\0", b"<event/>", b"\0", b"id: ferry", b"[" * 99_999])
    def test_a_file_of_something_else(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "e.json"
        path.write_bytes(data)
        with pytest.raises(FormatError, match=r"e.json.*: .* \(expected "):
            read_events(path)


class TestWhereEventsAre:
    def test_a_folder_of_tidings_has_an_event_file(self, tmp_path: Path) -> None:
        saved(tmp_path, FERRY, "event.json")
        assert [event.id for event in read_events(tmp_path)] == ["ferry"]

    def test_a_folder_without_events_says_what_would_do(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match=r"there is no topics.xml or event.json in the folder"):
            read_events(tmp_path)
        (tmp_path / "documents.jsonl").write_text("")
        with pytest.raises(UsageError, match=r"there is no event.json or events.jsonl"):
            read_events(tmp_path)

    def test_a_file_of_another_kind_is_refused_by_its_name(self, tmp_path: Path) -> None:
        (tmp_path / "a.run").write_text("11 us first d 0 60 1\n")
        with pytest.raises(FormatError, match=r"a file ending in .run \(expected an event"):
            read_events(tmp_path / "a.run")

    def test_there_is_no_such_file(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="there is no such file"):
            read_events(tmp_path / "none")

    @pytest.mark.shared_data
    def test_a_trec_folder_gives_its_topics_the_ids_of_its_judgments(self, shared_data: Path) -> None:
        found = read_events(shared_data / "trec-ts" / "2014")
        assert [event.id for event in found] == [f"TS14.{number}" for number in range(11, 26)]
        assert found[0].query == "costa concordia"
        assert read_events(shared_data / "trec-ts" / "2014" / "topics.xml")[0].id == "11"
