"""From sentences to days: which days there are, what is in them, and that stopping anywhere changes nothing."""

from __future__ import annotations

import random

import pytest

from tidings.entities.days import EventDays
from tidings.records import Event, Sentence

EVENT = Event(id="7", title="Genoa ferry fire", query="ferry fire genoa")
DAY = 86_400
STORY = (
    (0, "a", "A ferry caught fire off Genoa, said Maria Rossi of the Italian Coast Guard."),
    (0, "a", "Rossi said that she had called Rome."),
    (0, "b", "The fire on the ferry near Genoa killed two, Reuters reported."),
    (0, "c", "A bank in Paris was robbed by Jean Dupont."),
    (1, "d", "Jean Dupont robbed another bank in Paris."),
    (3, "e", "Maria Rossi said the ferry fire off Genoa is out."),
    (3, "f", "Fire on a ferry: the U.S. Navy and the United States sent help to Genoa, Ms Rossi said."),
)


def story() -> list[Sentence]:
    indexes: dict[str, int] = {}
    sentences = []
    for day, document, text in STORY:
        index = indexes[document] = indexes.get(document, -1) + 1
        sentences.append(
            Sentence(document, index, text, day * DAY + ord(document), title=f"Title of {document}")
        )
    return sentences


def days_of(sentences: list[Sentence], **options: int) -> list:
    days = EventDays(EVENT, **options)
    closed = [day for one in sentences for day in days.add([one], one.published_time)]
    return closed + days.finish(sentences[-1].published_time if sentences else 0)


def names(day) -> dict[str, str]:
    return {entity.name: entity.type for entity in day.entities}


def test_days_without_news_are_dropped() -> None:
    days = days_of(story())
    assert [day.date for day in days] == ["1970-01-01", "1970-01-04"]
    assert [day.document_count for day in days] == [2, 2]
    assert [document.id for document in days[0].documents].count("c") == 0
    assert sum(document.confidence for document in days[0].documents) == pytest.approx(1)


def test_a_day_says_what_its_query_is_widened_with() -> None:
    day = days_of(story())[1]
    assert "rossi" in day.expansion and not {"ferri", "fire", "genoa"} & set(day.expansion)
    assert len(day.expansion) == len(set(day.expansion)) <= 30


def test_an_entity_keeps_its_id_and_best_name() -> None:
    first, second = days_of(story())
    [rossi] = [one for one in first.entities if one.name == "Maria Rossi"]
    [again] = [one for one in second.entities if one.id == rossi.id]
    assert again.name == "Maria Rossi" and rossi.type == "PER"
    assert {mention.label for mention in again.mentions} >= {"Maria Rossi", "Rossi"}
    assert {"Rossi", "she"} <= {mention.label for mention in rossi.mentions}
    assert "Reuters" not in names(first)
    assert [one.name for one in second.entities if one.in_query] == ["Genoa"]


@pytest.mark.parametrize("seed", range(4))
def test_resumed_equals_undisturbed(seed: int) -> None:
    draw = random.Random(seed)
    sentences = story()
    resumed, closed = EventDays(EVENT), []
    for one in sentences:
        closed += resumed.add([one], one.published_time)
        if draw.random() < 0.5:
            data = resumed.state()
            resumed = EventDays(EVENT)
            resumed.restore(data)
            assert resumed.state() == data
    assert closed + resumed.finish(sentences[-1].published_time) == days_of(sentences)


def test_nothing_comes_from_after_a_day() -> None:
    sentences = story()
    early = [one for one in sentences if one.published_time < DAY]
    assert days_of([*early, sentences[5]])[0].entities == days_of(sentences)[0].entities


def test_no_documents_no_days() -> None:
    assert days_of([]) == []
    assert days_of(story()[3:5]) == []
