"""Streams that come to the desk as sentences, and links that go out as files that can be scored, and come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.annotation.desk.event_desks import DOCUMENTS, FERRY, EventDesk
from tests.annotation.pages.desks import desk_with
from tidings.annotation.desk.exchange.event_links import (
    EventLinkFiles,
    export_event_links,
    import_event_links,
    import_stream,
    judged_links,
    read_event_links,
    sentences_of_topic,
)
from tidings.annotation.desk.operations.event_links import final_links, links_agreement
from tidings.annotation.desk.operations.events import merge_events
from tidings.annotation.desk.operations.linking import add_missing, decide, link_group, link_sentence
from tidings.core.errors import FormatError, UsageError
from tidings.core.records import Event, Run, Update
from tidings.core.records.judgments import SHARED
from tidings.evaluation.measures.novelty_2001 import agreements, topic_agreement
from tidings.evaluation.scoring.novelty_2001 import load
from tidings.evaluation.scoring.scorer import ScoringOptions


def judged(ferry: EventDesk) -> None:
    first, second, lead = ferry.people.first, ferry.people.second, ferry.people.lead
    ferry.do(lead, merge_events, [], "Two are missing", time=2000, own=False)
    ferry.do(lead, merge_events, [], "A ferry burns", time=1500, own=False)
    ferry.do(first, link_sentence, "a-0", ["2"])
    ferry.do(first, link_sentence, "a-1", [])
    ferry.do(first, link_group, ["a-1", "a-2"], ["1"])
    ferry.do(second, link_sentence, "a-0", ["2"])
    ferry.do(second, link_sentence, "b-2", ["1"])
    for unit, event, accepted in (("a-0", "2", True), ("b-2", "1", True)):
        ferry.do(lead, decide, unit, event, accepted, ferry.judges)
    ferry.do(lead, add_missing, "b-1", "2", ferry.judges)


class TestStream:
    def test_sentences_come_by_time_and_document(self, ferry: EventDesk) -> None:
        found = sentences_of_topic(ferry.desk, ferry.project.id, 1)
        assert [(item.id, item.kind, item.time) for item in found] == [
            ("a-0", "sentence", 1500),
            ("a-1", "sentence", 1500),
            ("a-2", "sentence", 1500),
            ("b-0", "sentence", 2000),
            ("b-1", "sentence", 2000),
            ("b-2", "sentence", 2000),
        ]
        assert found[0].content["text"] == "A ferry burns in the port of Oslo."
        assert (found[0].content["source"], found[0].content["title"]) == ("wire", DOCUMENTS[1].title)

    def test_what_is_there_stays(self, ferry: EventDesk) -> None:
        assert import_stream(ferry.desk, ferry.project, DOCUMENTS, [FERRY]) == 0

    def test_each_event_takes_the_documents_of_its_time(self, ferry: EventDesk) -> None:
        later = Event(id="TS14.2", title="Later", query="later", start_time=2000)
        assert import_stream(ferry.desk, ferry.project, DOCUMENTS, [FERRY, later]) == 4
        assert [item.id for item in sentences_of_topic(ferry.desk, ferry.project.id, 2)] == [
            "b-0",
            "b-1",
            "b-2",
            "c-0",
        ]

    def test_without_events_or_documents_in_time_nothing_comes(self, ferry: EventDesk) -> None:
        with pytest.raises(UsageError, match="no event"):
            import_stream(ferry.desk, ferry.project, DOCUMENTS, [])
        with pytest.raises(UsageError, match="no document"):
            import_stream(ferry.desk, ferry.project, DOCUMENTS[2:], [FERRY])

    def test_progress_is_said(self, ferry: EventDesk) -> None:
        numbers: list[int] = []
        import_stream(ferry.desk, ferry.project, DOCUMENTS * 100, [FERRY], advanced=numbers.append)
        assert numbers == [100, 200, 300]

    def test_where_no_stream_was_imported_the_pool_is_read(self, ferry: EventDesk) -> None:
        from tests.annotation.pages.desks import bundled_judgments
        from tidings.annotation.desk.exchange.importing import import_judgments

        import_judgments(ferry.desk, ferry.project, bundled_judgments(judged=False))
        items = sentences_of_topic(ferry.desk, ferry.project.id, 2)
        assert {item.kind for item in items} == {"update"}
        assert [item.time for item in items] == sorted(item.time for item in items)


class TestFiles:
    def test_they_are_what_is_scored_and_compared(self, ferry: EventDesk, tmp_path: Path) -> None:
        judged(ferry)
        written = export_event_links(ferry.desk, ferry.project, tmp_path)
        assert [path.name for path in written] == ["links.tsv", "merged_events.jsonl", "judges.tsv"]
        assert (tmp_path / "links.tsv").read_text() == (
            "topic_id\tevent_id\tsentence_id\n"
            "TS14.1\t2\ta-0\nTS14.1\t2\tb-1\nTS14.1\t1\tb-2\n"
            "TS14.1\t-\ta-1\nTS14.1\t-\ta-2\nTS14.1\t-\tb-0\n"
        )
        assert (tmp_path / "judges.tsv").read_text().splitlines()[1:] == [
            "TS14.1\t2\t1\ta-0",
            "TS14.1\t2\t2\ta-0",
            "TS14.1\t2\t3\ta-0",
            "TS14.1\t1\t1\ta-1",
            "TS14.1\t1\t1\ta-2",
            "TS14.1\t1\t2\tb-2",
            "TS14.1\t1\t3\tb-2",
        ]
        run = Run("us", "one", tuple(Update("TS14.1", "a", n, 1500, 1.0 - n / 10, "") for n in (0, 1)))
        scores = load(tmp_path, "umass-2001", ScoringOptions()).score(run)
        values = {measure.name: value for measure, value in scores.per_event["TS14.1"].items()}
        assert (values["nu-R"], values["nu-P"]) == pytest.approx((0.5, 0.5))

    def test_the_agreement_of_the_file_is_that_of_the_desk(self, ferry: EventDesk) -> None:
        judged(ferry)
        found = agreements(judged_links("TS14.1", ferry.objects()))["TS14.1"]
        assert found == pytest.approx({"2": 1.0, "1": 1 / 3})
        assert topic_agreement(found.values()) == pytest.approx(links_agreement(ferry.objects()))

    def test_who_links_third_is_written_with_the_second(self, ferry: EventDesk) -> None:
        judged(ferry)
        ferry.do(ferry.people.stranger, link_sentence, "b-0", ["1"])
        rows = [
            (one.judge, one.sentence_id) for one in judged_links("t", ferry.objects()) if one.event_id == "1"
        ]
        assert (2, "b-0") in rows and (1, "b-0") not in rows

    def test_without_merged_events_nothing_is_written(self, ferry: EventDesk, tmp_path: Path) -> None:
        assert export_event_links(ferry.desk, ferry.project, tmp_path) == []
        assert list(tmp_path.glob("*.tsv")) == []
        assert read_event_links(tmp_path) == EventLinkFiles(())

    def test_before_anyone_links_there_is_no_file_of_judges(self, ferry: EventDesk, tmp_path: Path) -> None:
        ferry.do(ferry.people.lead, merge_events, [], "A fire", own=False)
        assert len(export_event_links(ferry.desk, ferry.project, tmp_path)) == 2

    def test_they_come_back_as_they_went(self, ferry: EventDesk, tmp_path: Path) -> None:
        judged(ferry)
        first, again = tmp_path / "first", tmp_path / "again"
        first.mkdir()
        again.mkdir()
        export_event_links(ferry.desk, ferry.project, first)
        files = read_event_links(first)
        with desk_with(tmp_path / "other.db") as other:
            import_stream(other.desk, other.project, DOCUMENTS, [FERRY])
            assert import_event_links(other.desk, other.project, files) == 8
            assert import_event_links(other.desk, other.project, files) == 0
            objects = other.desk.log.objects(other.project.id, 1)
            assert final_links(objects) == final_links(ferry.objects())
            written = export_event_links(other.desk, other.project, again)
            assert len(written) == 2
        for path in written:
            assert path.read_bytes() == (first / path.name).read_bytes()

    def test_a_group_stays_one(self, ferry: EventDesk, tmp_path: Path) -> None:
        """What two sentences report only together is not the report of either, there and back."""
        ferry.do(ferry.people.lead, merge_events, [], "They contradict each other", own=False)
        ferry.do(ferry.people.first, link_group, ["b-0", "a-1"], ["1"])
        export_event_links(ferry.desk, ferry.project, tmp_path)
        assert "TS14.1\t1\ta-1 b-0\n" in (tmp_path / "links.tsv").read_text()
        files = read_event_links(tmp_path)
        assert (files.links[0].links, files.links[0].groups) == ((), (("1", ("a-1", "b-0")),))
        with desk_with(tmp_path / "other.db") as other:
            import_stream(other.desk, other.project, DOCUMENTS, [FERRY])
            import_event_links(other.desk, other.project, files)
            (again := tmp_path / "again").mkdir()
            export_event_links(other.desk, other.project, again)
        assert (again / "links.tsv").read_bytes() == (tmp_path / "links.tsv").read_bytes()

    def test_events_without_words_are_named_by_their_number(self, ferry: EventDesk, tmp_path: Path) -> None:
        (tmp_path / "links.tsv").write_text("TS14.1\t5\ta-0\n")
        import_event_links(ferry.desk, ferry.project, read_event_links(tmp_path))
        assert ferry.value(SHARED, "merged-event", "5") == {"text": "Event 5", "from": []}

    def test_what_does_not_fit_is_refused(self, ferry: EventDesk, tmp_path: Path) -> None:
        def bring(links: str) -> None:
            (tmp_path / "links.tsv").write_text(links)
            import_event_links(ferry.desk, ferry.project, read_event_links(tmp_path))

        with pytest.raises(UsageError, match="no topic TS14"):
            bring("TS14.7\t1\ta-0\n")
        with pytest.raises(UsageError, match=r"Use one without"):
            bring("TS14.1\t1|2\ta-0\n")
        (tmp_path / "merged_events.jsonl").write_text('{"topic_id":"TS14.1","id":"1|2","text":"x"}\n')
        with pytest.raises(FormatError, match=r"merged_events.jsonl:1: the event id '1\|2'"):
            bring("TS14.1\t1\ta-0\n")
