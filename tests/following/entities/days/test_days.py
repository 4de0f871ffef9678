"""From sentences to days: which days there are, what is in them, and that stopping anywhere changes nothing."""

from __future__ import annotations

import random

import msgspec
import pytest

from tests.following.entities.days.finding import ListedNames
from tests.sweeps import cases, every
from tidings.core.records import Event, Sentence
from tidings.following.entities import book, days as collecting, days as retrieval
from tidings.following.entities.days import EventDays

EVENT = Event(id="TS14.7", title="Genoa ferry fire", query="ferry fire genoa")
DAY = 86_400
STORY = tuple(cases(__file__, "story"))


def story() -> list[Sentence]:
    indexes: dict[str, int] = {}
    sentences = []
    for day, document, text in STORY:
        index = indexes[document] = indexes.get(document, -1) + 1
        sentences.append(Sentence(document, index, text, day * DAY + ord(document), title=f"Of {document}"))
    return sentences


def builder(**options: int) -> EventDays:
    return EventDays(EVENT, finder=ListedNames(), **options)


def days_of(told: list[Sentence], **options: int) -> list:
    days = builder(**options)
    closed = [day for one in told for day in days.add([one], one.published_time)]
    return closed + days.finish(told[-1].published_time if told else 0)


def told(text: str, day: int = 0, document: str = "x", **more) -> Sentence:
    return Sentence(document, 0, text, day * DAY, **more)


def names(day) -> dict[str, str]:
    return {entity.name: entity.type for entity in day.entities}


def test_days_without_news_are_dropped() -> None:
    days = days_of(story())
    assert [day.date for day in days] == ["1970-01-01", "1970-01-04", "1970-01-05"]
    assert [day.document_count for day in days] == [2, 2, 1]
    assert {document.id for document in days[0].documents} == {"a", "b"}
    assert sum(document.confidence for document in days[0].documents) == pytest.approx(1)
    confidences = [document.confidence for document in days[0].documents]
    assert confidences == sorted(confidences, reverse=True) and confidences[-1] > 0
    assert days[0].time == DAY + ord("d")


def test_a_day_says_what_its_query_is_widened_with() -> None:
    day = days_of(story())[1]
    assert "rossi" in day.expansion and not {"ferri", "fire", "genoa"} & set(day.expansion)
    assert len(day.expansion) == len(set(day.expansion)) <= 30


def test_an_entity_keeps_its_id_and_best_name() -> None:
    first, second, _ = days_of(story())
    [rossi] = [one for one in first.entities if one.name == "Maria Rossi"]
    [again] = [one for one in second.entities if one.id == rossi.id]
    assert again.name == "Maria Rossi" and rossi.type == "PER"
    assert {mention.label for mention in again.mentions} == {"Maria Rossi", "Rossi"}
    assert {mention.label for mention in rossi.mentions} == {"Maria Rossi", "Rossi", "she"}
    assert [one.name for one in second.entities if one.in_query] == ["Genoa"]


def test_mentions_say_where_they_stand() -> None:
    for day in days_of(story()):
        assert [entity.id for entity in day.entities] == sorted(entity.id for entity in day.entities)
        for entity in day.entities:
            assert entity.mentions == tuple(
                sorted(entity.mentions, key=lambda one: (one.document, one.sentence, one.start))
            )
            for one in entity.mentions:
                document = day.documents[one.document]
                assert len(document.sentences) == len(document.tokens)
                tokens = document.tokens[one.sentence]
                assert " ".join(tokens[one.start : one.end]) == one.label
                assert all(token in document.sentences[one.sentence].text for token in tokens)


def test_who_brings_the_news_is_no_entity_unless_the_query_names_it() -> None:
    assert "Reuters" not in names(days_of(story())[0])
    days = EventDays(Event(id="1", title="Reuters", query="reuters"), finder=ListedNames())
    days.add([told("The strike at Reuters goes on.")], 0)
    assert names(days.finish(0)[0]) == {"Reuters": "ORG"}


def test_titles_are_the_first_sentence_unless_the_text_begins_with_them() -> None:
    first = days_of(story())[0].documents
    assert {document.sentences[0].index for document in first} == {-1}
    assert {document.sentences[0].text for document in first} == {"Of a", "Of b"}
    repeated = told("Ferry on fire in Genoa, says Rossi.", title="Ferry on FIRE in Genoa")
    [day] = days_of([repeated])
    assert [one.index for one in day.documents[0].sentences] == [0]
    [day] = days_of([told("The ship burns.", title="Ferry on fire")])
    assert day.documents[0].title == "Ferry on fire"


def test_sentences_pooled_for_the_event_are_about_it_and_those_of_others_are_not() -> None:
    assert len(days_of([told("Rossi left.", events=("7",))])) == 1
    assert days_of([told("Rossi left.", events=("8",))]) == []


def test_more_documents_are_looked_at_where_they_are_short() -> None:
    sentences = [told(f"Ferry fire number {at} in Genoa.", document=f"d{at}") for at in range(30)]
    assert len(days_of(sentences)[0].documents) == 30
    assert len(days_of(sentences, sentences=12)[0].documents) == 12
    assert len(days_of(sentences, documents=4, sentences=0)[0].documents) == 4
    copies = [told("Ferry fire in Genoa.", document=f"d{at}") for at in range(30)]
    [day] = days_of(copies)
    assert len(day.documents) == 1 and day.document_count == 30


@every("seed", range(6))
def test_resumed_equals_undisturbed(seed: int) -> None:
    draw = random.Random(seed)
    sentences = story()
    resumed, closed = builder(), []
    for one in sentences:
        closed += resumed.add([one], one.published_time)
        if draw.random() < 0.5:
            data = resumed.state()
            resumed = builder()
            resumed.restore(data)
            assert resumed.state() == data
    assert closed + resumed.finish(sentences[-1].published_time) == days_of(sentences)


def test_a_state_of_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="state"):
        builder().restore(msgspec.msgpack.encode([7, 1]))


def test_nothing_comes_from_after_a_day() -> None:
    sentences = story()
    whole = days_of(sentences)
    for end in range(1, len(sentences)):
        early = days_of(sentences[:end])
        for day, again in zip(early[:-1], whole, strict=False):
            assert (day.documents, day.entities) == (again.documents, again.entities)


def test_several_days_at_once_are_closed_in_order_and_late_sentences_count_for_the_open_day() -> None:
    days = builder()
    closed = days.add(story(), 4 * DAY + 500)
    assert [day.date for day in closed] == ["1970-01-01", "1970-01-04"]
    days.add([told("A late ferry fire in Genoa, Rossi said.", day=2)], 4 * DAY + 600)
    [last] = days.finish(4 * DAY + 700)
    assert last.date == "1970-01-05" and last.document_count == 2


def test_no_documents_no_days() -> None:
    assert days_of([]) == []
    assert days_of(story()[3:5]) == []
    assert builder().finish(0) == []


@every(
    "text, expected",
    [
        ("FERRY FIRE IN GENOA: MARIA ROSSI SPEAKS", {"GENOA": "LOC", "MARIA ROSSI": "PER"}),
        ("ferry fire in genoa maria rossi speaks", {"genoa": "LOC", "maria rossi": "PER"}),
        (
            "Ferry fire Genoa: 田中 in 東京, Иванов too",
            {"Genoa": "LOC", "田中": "PER", "東京": "LOC", "Иванов": "PER"},
        ),
        ("Ferry fire \x00 ... -- !!", {}),
        ("ferry fire " + "x" * 100_000, {}),
    ],
)
def test_texts_of_any_make(text: str, expected: dict[str, str]) -> None:
    [day] = days_of([told(text)])
    assert names(day) == expected
    assert max(len(one.text) for one in day.documents[0].sentences) <= collecting.MOST_CHARACTERS


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "MOST_DOCUMENTS", 5)
    monkeypatch.setattr(collecting, "MOST_SENTENCES", 3)
    monkeypatch.setattr(retrieval, "MOST_STEMS", 50)
    monkeypatch.setattr(book, "MOST_ENTITIES", 4)
    days = builder()
    sizes = []
    for day in range(12):
        for at in range(20):
            words = " ".join(f"w{day}x{at}x{one}" for one in range(10))
            name = ("Maria Rossi", "Jean Dupont", "Mario Bianchi", "Haiti", "Paris", "Rome")[(day + at) % 6]
            sentences = [
                Sentence(f"{day}-{at}", index, f"Ferry fire in Genoa, {name}: {words}.", day * DAY)
                for index in range(5)
            ]
            days.add(sentences, day * DAY)
        sizes.append(len(days.state()))
    assert max(sizes[6:]) < 1.2 * max(sizes[1:6])
    [last] = days.finish(12 * DAY)
    assert last.document_count == 20 and len(last.documents) == 5
    assert all(len(document.sentences) == 3 for document in last.documents)
