"""Long stories as they were: no impossible number, and the number that was known in the end."""

from __future__ import annotations

import datetime
import gzip
import json

import pytest

from tests.sweeps import every
from tidings.analysis import find_casualties, find_endings
from tidings.core.records import Document, Event
from tidings.core.text.sentences import cut
from tidings.following.values.value_tracker import ValueTracker

STORIES = {
    ("bpoil_bbc", "BP oil spill"): ({11}, 11),
    ("bpoil_bbc", "oil spill"): ({11}, 11),
    ("haiti_bbc", "Haiti earthquake"): ({100_000, 200_000}, 200_000),
    ("H1N1_bbc", "H1N1 swine flu"): (range(60, 400), 311),
    ("H1N1_bbc", "influenza pandemic"): (range(60, 400), 139),
    ("bpoil_bbc", "rig explosion"): ({11}, 11),
    ("SyrianCrisis_bbc", "syrian civil war"): (range(100, 20_001), 16_000),
    ("SyrianCrisis_bbc", "Syria crisis"): (range(1_000, 10_001), 10_000),
    ("SyrianCrisis_bbc", "syria"): ({3, *range(1_000, 10_001)}, 10_000),
    ("MJ_bbc", "Michael Jackson death"): ((), None),
}


@pytest.mark.shared_data
@pytest.mark.long
@pytest.mark.parametrize(("name", "query"), STORIES)
def test_deaths(shared_data, name, query):
    possible, last = STORIES[name, query]
    documents = []
    with gzip.open(shared_data / "tls" / name / "articles.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            article = json.loads(line)
            noon = datetime.datetime.fromisoformat(f"{article['time'][:10]}T12:00:00+00:00")
            documents.append(
                Document(id=article["id"], published_time=int(noon.timestamp()), text=article["text"])
            )
    tracker, deaths = ValueTracker(Event(id=name, title=query, query=query)), []
    for document in sorted(map(cut, documents), key=lambda one: one.published_time):
        values = tracker.read(document.sentences, document.published_time)
        deaths += [value.value[0] for value in values if value.attribute == "deaths"]
    assert set(deaths) <= set(possible)
    assert (deaths[-1] if deaths else None) == last


def test_a_couple_that_was_missing_is_two_people() -> None:
    (ending,) = find_endings("Bodies of couple missing in storm found in river")
    assert (ending.count, ending.is_dead) == (2.0, True)


@every(
    "text, count",
    [
        ("A couple were killed in the fire.", 2),
        ("The flood has killed an elderly couple in Brennholm.", 2),
        ("The trio died in an avalanche.", 3),
        ("The couple killed 14 people.", 14),
        ("Two women killed their 3 children.", 3),
        ("A couple killed by a flood were found.", 2),
        ("A couple of people were killed.", None),
        ("The couple's dog was killed.", None),
        ("A couple hours later the fire died.", None),
    ],
)
def test_people_together_are_so_many(text: str, count: int | None) -> None:
    assert [one.value for one in find_casualties(text)] == ([] if count is None else [count])


@every(
    "text, words",
    [
        ("Six, not seven, people were killed in the fire.", "Six, not seven, people were killed"),
        ("Six men, not seven, were killed in the fire.", "Six men, not seven, were killed"),
        ("It was six and not four people who died.", "six and not four people who died"),
        ("The fire killed six, not seven, people.", "killed six, not seven,"),
        ("The fire killed six people, not seven.", "killed six"),
    ],
)
def test_the_number_that_is_right_is_counted(text: str, words: str) -> None:
    (counted,) = find_casualties(text)
    assert (counted.value, text[counted.start : counted.end]) == (6, words)
    assert text[counted.quantity.start : counted.quantity.end].lower() == "six"
