"""Topics of TREC Temporal Summarization, with their irregularities, and without entities."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, LimitError, Problems, TidingsError
from tidings.core.records import Event, ValueUpdate
from tidings.sources.trec import topics as trec_topics
from tidings.sources.trec.topics import read_topics, read_topics_and_values, write_topics

GOOD = """<?xml version="1.0" encoding="UTF-8" ?>
<events>
  <event>
    <id>1</id>
    <title>A ferry &amp; a fire</title>
    <description>http://example.org/ferry</description>
    <start>1000</start>
    <end>2000</end>
    <query>ferry fire</query>
    <type>accident</type>
  </event>
</events>
"""
EVENT = Event(
    id="1",
    title="A ferry & a fire",
    query="ferry fire",
    start_time=1000,
    end_time=2000,
    type="accident",
    description="http://example.org/ferry",
)


def put(folder: Path, text: str | bytes) -> Path:
    path = folder / "topics.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


class TestReading:
    def test_a_plain_file(self, tmp_path: Path) -> None:
        assert read_topics(put(tmp_path, GOOD)) == [EVENT]

    @every(
        "good, bad",
        cases(__file__, "start and end closed as each other"),
    )
    def test_start_and_end_closed_as_each_other(self, tmp_path: Path, good: str, bad: str) -> None:
        notes: list[str] = []
        assert read_topics(put(tmp_path, GOOD.replace(good, bad)), notes=notes) == [EVENT]
        assert "1 elements open as <start> or <end> and close as the other" in notes[0]

    def test_a_masked_topic_keeps_its_empty_elements(self, tmp_path: Path) -> None:
        text = (
            "<events><event><id>3</id><title/><description></description><start/><end/>"
            "<query>q</query><type/></event></events>"
        )
        notes: list[str] = []
        expected = Event(id="3", title="", query="q", start_time=None, end_time=None)
        assert read_topics(put(tmp_path, text), notes=notes) == [expected]
        assert "topic 3 has no times (masked)" in notes[0]

    def test_any_order_and_blanks_and_unknown_elements(self, tmp_path: Path) -> None:
        text = GOOD.replace("<id>1</id>", "<extra><id>9</id></extra>").replace(
            "</type>", "</type><id>\n 1 </id>"
        )
        assert read_topics(put(tmp_path, text)) == [EVENT]

    def test_tracked_values(self, tmp_path: Path) -> None:
        values = (
            "<locations><location><value><latitude>1.5</latitude><longitude>-2</longitude><time>1100</time></value>"
            "</location></locations><deaths><value><count>3</count><time>1200</time></value></deaths><injuries/>"
        )
        text = GOOD.replace("</type>", "</type>" + values)
        events, found = read_topics_and_values(put(tmp_path, text))
        assert events == [EVENT]
        assert found == [
            ValueUpdate("1", 1100, "location", (1.5, -2.0)),
            ValueUpdate("1", 1200, "deaths", (3.0,)),
        ]

    def test_the_encoding_that_the_first_line_names(self, tmp_path: Path) -> None:
        text = GOOD.replace("UTF-8", "ISO-8859-1").replace("ferry fire", "ferry né").encode("latin-1")
        assert read_topics(put(tmp_path, text))[0].query == "ferry né"

    def test_utf_16(self, tmp_path: Path) -> None:
        assert read_topics(put(tmp_path, GOOD.replace("UTF-8", "UTF-16").encode("utf-16"))) == [EVENT]


BAD = cases(__file__, "bad")


class TestBadInput:
    @every("name", sorted(BAD))
    def test_each_is_told_with_its_place(self, tmp_path: Path, name: str) -> None:
        good, bad, message = BAD[name]
        assert good in GOOD
        path = put(tmp_path, GOOD.replace(good, bad))
        with pytest.raises(FormatError) as caught:
            read_topics(path)
        assert str(caught.value).startswith(f"{path}:")
        assert message in str(caught.value)

    @every(
        "content, message",
        [
            (b"", "an empty file"),
            (b"11 team one doc 1 60 1\n", "something else than XML"),
            (b'{"id": "a"}', "something else than XML"),
            (b"<events></events>", "no <event> (expected topics"),
            (b"\x1f\x8b\x08\0\0\0\0\0", "gzip data"),
            (
                GOOD.replace("ferry fire", "né").encode("latin-1"),
                "letters in an encoding that the first line does not declare",
            ),
        ],
    )
    def test_other_files(self, tmp_path: Path, content: bytes, message: str) -> None:
        with pytest.raises(FormatError) as caught:
            read_topics(put(tmp_path, content))
        assert message in str(caught.value)

    def test_an_id_twice(self, tmp_path: Path) -> None:
        body = GOOD[GOOD.index("  <event>") : GOOD.index("</events>")]
        with pytest.raises(FormatError, match=r":12: topic '1' a second time \(expected each once\)"):
            read_topics(put(tmp_path, GOOD.replace("</events>", body + "</events>")))

    def test_several_faults_together_and_lenient_reading(self, tmp_path: Path) -> None:
        body = GOOD[GOOD.index("  <event>") : GOOD.index("</events>")]
        bad = body.replace("1000", "x").replace("2000", "y").replace("<id>1<", "<id>2<")
        path = put(tmp_path, GOOD.replace("</events>", bad + "</events>"))
        with pytest.raises(FormatError) as caught:
            read_topics(path)
        assert len(caught.value.problems) == 2
        problems = Problems(lenient=True)
        assert read_topics(path, problems=problems) == [EVENT]
        assert problems.count == 2

    def test_too_deep(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match="elements 32 deep"):
            read_topics(put(tmp_path, "<events>" + "<a>" * 1000))

    def test_too_large(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(trec_topics, "MOST_BYTES", 100)
        with pytest.raises(LimitError, match="no file of topics is so large"):
            read_topics(put(tmp_path, GOOD))

    @given(st.data())
    def test_whatever_is_changed_gives_events_or_an_error_of_ours(
        self, tmp_path: Path, data: st.DataObject
    ) -> None:
        at, cut = data.draw(st.integers(0, len(GOOD))), data.draw(st.integers(0, 20))
        put_in = data.draw(
            st.binary(max_size=4) | st.sampled_from([b"<", b"</end>", b"&x;", b"<!DOCTYPE a []>", b"]]>"])
        )
        try:
            read_topics(put(tmp_path, GOOD[:at].encode() + put_in + GOOD[at + cut :].encode()))
        except TidingsError:
            return

    @given(st.binary(max_size=200))
    def test_so_does_garbage(self, tmp_path: Path, data: bytes) -> None:
        with pytest.raises(TidingsError):
            read_topics(put(tmp_path, data))


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=12)
EVENTS = st.builds(
    lambda name, title, query, start, length, kind, description: Event(
        id=name,
        title=title,
        query=query,
        start_time=start,
        end_time=start + length,
        type=kind,
        description=description,
    ),
    st.from_regex(r"[0-9]{1,3}", fullmatch=True),
    *(WORDS, WORDS, st.integers(0, 10**10), st.integers(0, 10**9), WORDS, WORDS),
)


class TestWriting:
    @given(st.lists(EVENTS, min_size=1, max_size=4, unique_by=lambda event: event.id))
    def test_what_is_written_is_read_again(self, tmp_path: Path, events: list[Event]) -> None:
        values = [
            ValueUpdate(events[0].id, 60, "deaths", (3.0,)),
            ValueUpdate(events[0].id, 70, "location", (1.5, 2.0)),
        ]
        write_topics(tmp_path / "a.xml.gz", events, values)
        again, found = read_topics_and_values(tmp_path / "a.xml.gz")
        assert again == events
        assert sorted(found, key=lambda value: value.time) == values

    def test_an_open_event_is_masked_again(self, tmp_path: Path) -> None:
        event = Event(id="3", title="", query="q", start_time=None, end_time=None)
        write_topics(tmp_path / "a.xml", [event])
        assert "<start></start>" in (tmp_path / "a.xml").read_text()
        assert read_topics(tmp_path / "a.xml") == [event]

    def test_the_prefix_of_the_track_is_left_out(self, tmp_path: Path) -> None:
        write_topics(tmp_path / "a.xml", [Event(id="TS14.11", title="", query="q", start_time=1, end_time=2)])
        assert read_topics(tmp_path / "a.xml")[0].id == "11"

    def test_control_characters_become_blanks(self, tmp_path: Path) -> None:
        write_topics(
            tmp_path / "a.xml", [Event(id="1", title="a\x00b\x1fc", query="q", start_time=1, end_time=2)]
        )
        assert read_topics(tmp_path / "a.xml")[0].title == "a b c"
