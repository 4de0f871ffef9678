"""The gate: which documents and sentences may speak of an event, and by which other words."""

from __future__ import annotations

from tidings.analysis import Relevance
from tidings.analysis.values.happenings import happenings, synonyms
from tidings.core.records import Event, Sentence
from tidings.following.values.value_tracker import ValueTracker

STORM = Event(id="isaac", title="Hurricane Isaac (2012)", query="hurricane isaac")


def document(*texts: str, title: str = "", doc_id: str = "d") -> list[Sentence]:
    return [
        Sentence(doc_id, index, text, 1_346_000_000, "", 0, None, title) for index, text in enumerate(texts)
    ]


def passed(event: Event, *texts: str, title: str = "") -> list[int]:
    return [one.index for one in Relevance(event).relevant(document(*texts, title=title))]


class TestSynonyms:
    def test_a_storm_is_the_hurricane_of_a_document_that_names_it(self):
        assert passed(STORM, "Isaac moved inland.", "The storm killed 19 people.", "It rained.") == [0, 1]

    def test_another_storm_is_not(self):
        assert passed(STORM, "The storm killed 19 people.") == []
        assert passed(STORM, "Hurricane Gordon is near.", "The storm killed 19 people.") == []

    def test_a_name_alone_is_not_enough(self):
        assert passed(STORM, "Isaac died at 180 years.") == []

    def test_they_are_near_a_number(self):
        tracker = ValueTracker(STORM)
        (value,) = tracker.read(
            document("Hurricane Isaac moved inland.", "Isaac, a weak storm, killed 19 people."), 1_346_000_000
        )
        assert value.value == (19.0,)

    def test_they_do_not_stand_alone_for_an_event_of_one_word(self):
        quake = Event(id="e", title="Earthquake", query="earthquake")
        assert passed(quake, "A tremor killed 12 people.") == []
        assert passed(quake, "An earthquake struck.", "The tremor killed 12 people.") == [0, 1]

    def test_words_of_no_kind_have_none(self):
        assert synonyms(["marathon", "boston"]) == {}
        assert "ferri" not in happenings()

    def test_an_events_own_words_stand_for_themselves(self):
        assert "protest" not in synonyms(["protest", "riot"])


def test_a_synonym_in_the_title_counts_once():
    assert passed(STORM, "Isaac is here.", "19 dead.", title="The storm") == [0]
