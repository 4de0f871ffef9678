"""Grouping documents into stories: joining, keeping apart, merging, closing, and going on from a state."""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from tests.sweeps import cases, every
from tidings.core import Document, UsageError
from tidings.following.grouping import story_tracker as stories_tracker
from tidings.following.grouping.document_features import read_features
from tidings.following.grouping.evidence import CLUES, clues, evidence, join_traits
from tidings.following.grouping.story_tracker import StoryTracker
from tidings.following.grouping.terms import Terms
from tidings.following.grouping.titles import title_value

ECB = Path(__file__).parents[4] / "shared/data/stories/ecbplus.jsonl.gz"
DAY = 86_400

FERRY = tuple(cases(__file__, "ferry"))
BANK = tuple(cases(__file__, "bank"))


def reports(
    texts: tuple[tuple[str, str], ...], prefix: str, start: int = DAY, outlet: str = "wire"
) -> list[Document]:
    return [
        Document(
            id=f"{prefix}{number}",
            published_time=start + number * 600,
            source=f"{outlet}{number}",
            title=title,
            text=text,
        )
        for number, (title, text) in enumerate(texts)
    ]


def mixed() -> list[Document]:
    documents = reports(FERRY, "ferry") + reports(BANK, "bank")
    return sorted(documents, key=lambda document: (document.published_time, document.id))


def groups(tracker: StoryTracker) -> set[tuple[str, ...]]:
    return {tuple(sorted(story.documents)) for story in tracker.stories()}


def test_reports_of_one_development_are_one_story() -> None:
    tracker = StoryTracker()
    for document in mixed():
        tracker.push(document)
    assert groups(tracker) == {("bank0", "bank1"), ("ferry0", "ferry1", "ferry2")}
    ferry = next(story for story in tracker.stories() if "ferry0" in story.documents)
    assert ferry.story == "ferry0"
    assert ferry.outlets == ("wire0", "wire1", "wire2")
    assert (ferry.first_time, ferry.last_time, ferry.state) == (DAY, DAY + 1200, "new")
    assert "Brennholm" in ferry.names
    assert "?" not in ferry.title
    assert "what is known" not in ferry.title


def test_key_words_are_spelled_as_titles_spell_them() -> None:
    text = "Parliamentary parliamentary deputies of Brennholm voted on the ferry."
    tracker = StoryTracker()
    for number in range(2):
        tracker.push(
            Document(id=str(number), published_time=number, title="Brennholm’s ferry vote", text=text)
        )
    (story,) = tracker.stories()
    assert set(story.keywords) <= {"Brennholm", "ferry", "vote"}
    assert "Brennholm" in story.keywords


def test_a_country_is_one_name_however_it_is_written() -> None:
    text = (
        "The United States and Brazil began talks on Monday. U.S. officials said on Tuesday that they went well. "
        "The US will send a delegation to Brasilia, and American and Brazilian farmers hope for an agreement."
    )
    names = read_features(Document(id="a", published_time=0, title="", text=text)).names
    assert {key for key in names if {"us", "u.s", "states"} & set(key.split())} == {"united states"}
    assert names["united states"][1] == "United States"
    assert names["brazil"][1] == "Brazil"


def test_a_word_in_lower_case_is_no_name() -> None:
    text = "The air force said on Friday that it had lost two planes off Nador."
    names = read_features(Document(id="a", published_time=0, title="", text=text)).names
    assert set(names) == {"nador"}


def test_key_words_carry_no_quotation_marks() -> None:
    text = "The talks of Brennholm are indirect, it is said, and the indirect talks go on."
    tracker = StoryTracker()
    tracker.push(
        Document(id="a", published_time=0, title="Brennholm holds 'indirect' talks ‘on ferries’", text=text)
    )
    (story,) = tracker.stories()
    assert {"indirect", "ferries"} <= set(story.keywords)


def test_days_and_bare_numbers_are_no_key_words() -> None:
    tracker = StoryTracker()
    title = "Strike on Tuesday: 3,000 dockers leave 12,000 containers in Aldmouth"
    tracker.push(Document(id="a", published_time=0, source="Wire", title=title, text=f"{title}."))
    (story,) = tracker.stories()
    assert "dockers" in story.keywords and {"Tuesday", "000"}.isdisjoint(story.keywords)


def test_a_shared_place_counts_half_of_another_word() -> None:
    features = read_features(Document(id="a", published_time=0, title="Ferries return to Spain", text=""))
    assert features.words["spain"] == features.words["ferri"] / 2


def test_a_document_after_days_of_silence_needs_more() -> None:
    first, second = (read_features(document) for document in reports(FERRY, "ferry")[:2])
    tracker = StoryTracker()
    own, near, later, much_later = (
        tracker._traits(features, time)
        for features, time in ((first, DAY), (second, DAY), (second, 3 * DAY), (second, 90 * DAY))
    )
    assert evidence(own, near) > evidence(own, later) > evidence(own, much_later)
    assert evidence(own, much_later) == evidence(own, tracker._traits(second, 60 * DAY))


def test_reading_many_documents_together_changes_nothing() -> None:
    alone, together = StoryTracker(), StoryTracker()
    ids = [alone.push(document) for document in mixed()]
    assert [story for _, story in together.push_many(mixed())] == ids
    assert together.state() == alone.state()


@settings(max_examples=15)
@given(st.integers(0, 5))
def test_a_restored_tracker_goes_on_as_if_it_had_never_stopped(stop: int) -> None:
    whole, first = StoryTracker(), StoryTracker()
    for document in mixed():
        whole.push(document)
    for document in mixed()[:stop]:
        first.push(document)
    second = StoryTracker.restore(first.state())
    for document in mixed()[stop:]:
        second.push(document)
    assert second.stories() == whole.stories()
    assert second.state() == whole.state()


@every("damaged", [b"", b"\x80", b"no state"])
def test_a_damaged_state_is_refused_in_one_line(damaged: bytes) -> None:
    with pytest.raises(UsageError, match="start over"):
        StoryTracker.restore(damaged)


def test_a_state_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    state = StoryTracker().state()
    monkeypatch.setattr(stories_tracker, "_STATE_VERSION", 99)
    with pytest.raises(UsageError, match="another version"):
        StoryTracker.restore(state)


def test_other_languages_stay_apart() -> None:
    tracker = StoryTracker()
    title, text = FERRY[0]
    for language in ("en", "de"):
        tracker.push(Document(id=language, published_time=DAY, title=title, text=text, language=language))
    assert groups(tracker) == {("en",), ("de",)}


def test_near_stories_are_merged_under_the_older_id() -> None:
    tracker = StoryTracker(join_at=100.0)  # nothing joins
    first, second, third = reports(FERRY, "ferry")
    assert [tracker.push(first), tracker.push(second)] == ["ferry0", "ferry1"]
    tracker.join_at = stories_tracker.JOIN_AT
    assert tracker.push(third) == "ferry0"  # it joins one of them, which comes near to the other by that
    assert groups(tracker) == {("ferry0", "ferry1", "ferry2")}
    assert tracker.aliases == {"ferry1": "ferry0"}
    assert tracker.take_merged() == ["ferry1"]


def test_a_small_story_that_proves_to_be_two_is_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stories_tracker, "BRIEF", 0.0)
    tracker = StoryTracker(join_at=-100.0)  # everything joins what it shares a stem with
    filler = " The minister said on Monday that the coast had been safe."
    documents = [
        replace(document, text=document.text + filler)
        for document in [*reports(FERRY, "ferry"), *reports(BANK, "bank", DAY + 6000)]
    ]
    ids = [tracker.push(document) for document in documents[:3]]
    assert ids == ["ferry0"] * 3
    ids = [tracker.push(document) for document in documents[3:]]
    assert ids == ["ferry0", "bank0"]  # parted when there are two of each
    assert groups(tracker) == {("ferry0", "ferry1", "ferry2"), ("bank0", "bank1")}
    changed = {story.story: story for story in tracker.take_changed()}
    assert changed["bank0"].documents == ("bank0", "bank1")
    assert changed["bank0"].title in {title for title, _ in BANK}
    assert changed["ferry0"].see_also == ("bank0",)
    again = StoryTracker.restore(tracker.state())
    assert again.stories() == tracker.stories()
    assert again.push(replace(documents[4], id="more")) == "bank0"


def test_the_evidence_does_not_depend_on_which_group_comes_first() -> None:
    tracker = StoryTracker()
    ferry, bank = (read_features(document) for document in (reports(FERRY, "f")[0], reports(BANK, "b")[0]))
    traits, others = tracker._traits(ferry), join_traits(tracker._traits(bank), tracker._traits(ferry))
    assert clues(traits, others) == clues(others, traits)
    assert len(clues(traits, others)) == len(CLUES)
    assert evidence(traits, traits) > 0 > evidence(traits, tracker._traits(bank))


@every("seed", range(6))
def test_the_order_of_a_few_hours_changes_nothing(seed: int) -> None:
    documents = mixed()
    random.Random(seed).shuffle(documents)
    tracker = StoryTracker()
    for document in documents:
        tracker.push(document)
    assert groups(tracker) == {("bank0", "bank1"), ("ferry0", "ferry1", "ferry2")}


def test_a_report_that_another_outlet_copies_joins_it_and_the_same_one_again_is_passed_over() -> None:
    tracker = StoryTracker()
    first = reports(FERRY, "ferry")[0]
    copy = replace(first, id="copy", source="another")
    assert [tracker.push(document) for document in (first, copy, first)] == ["ferry0"] * 3
    (story,) = tracker.stories()
    assert (story.documents, story.outlets) == (("ferry0", "copy"), ("wire0", "another"))


def test_copies_say_nothing_more_of_a_story() -> None:
    alone, copied = StoryTracker(), StoryTracker()
    for document in mixed():
        alone.push(document)
        copied.push(document)
        again = replace(document, id=document.id + "/copy", source="copier", text=document.text + " (dpa)")
        assert copied.push(again) == copied.push(document)
    found = {tuple(name for name in group if "/" not in name) for group in groups(copied)}
    assert found == groups(alone)
    assert all(story.traits.documents == len(story.documents) / 2 for story in copied._stories.values())
    again = StoryTracker.restore(copied.state())
    assert again.push(replace(mixed()[0], id="third")) == copied.push(replace(mixed()[0], id="third"))
    assert again.state() == copied.state()


def test_what_is_no_document_is_refused_in_one_line() -> None:
    with pytest.raises(UsageError, match=r"push takes a tidings\.Document, not dict"):
        StoryTracker().push({"id": "a", "published_time": 1})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "title", ["Brennholm braces ahead of a vote on ferries", "Your guide to Brennholm ferries"]
)
def test_guides_and_titles_that_look_ahead_name_a_story_worse(title: str) -> None:
    words = Terms.of(dict.fromkeys(range(5), 1.0), 5)
    plain = "Brennholm votes on its port ferries"
    assert title_value(title, range(5), 1, words) < title_value(plain, range(4), 1, words)


def test_a_title_of_another_day_gives_way_to_one_as_good() -> None:
    def title(days: int) -> str:
        tracker = StoryTracker()
        first = reports(FERRY, "ferry")[0]
        tracker.push(first)
        later = first.title + ", says port"
        time = first.published_time + days * DAY
        tracker.push(replace(reports(FERRY, "ferry")[1], published_time=time, title=later))
        (story,) = tracker.stories()
        return "the later" if story.title == later else "the first"

    assert (title(0), title(2)) == ("the first", "the later")


def test_a_story_of_which_nothing_comes_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stories_tracker, "_CLOSE_EVERY", 1)
    tracker = StoryTracker()
    for document in reports(FERRY, "ferry"):
        tracker.push(document)
    late = reports(BANK[:1], "bank", DAY * 40)
    again = reports(FERRY[:1], "again", DAY * 41)
    tracker.push(late[0])
    assert [story.story for story in tracker.stories()] == ["bank0"]
    assert [(story.story, story.state) for story in tracker.take_closed()] == [("ferry0", "quiet")]
    assert tracker.take_closed() == []
    assert tracker.push(again[0]) == "again0"


def test_rare_terms_are_forgotten_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    from tidings.following.grouping import terms

    monkeypatch.setattr(stories_tracker, "_CLOSE_EVERY", 1)
    monkeypatch.setattr(terms, "_LARGEST", 1)
    tracker = StoryTracker()
    for document in [
        *reports(FERRY[:1], "old", 0),
        *(replaced for replaced in reports(BANK, "bank", DAY * 40)),
    ]:
        tracker.push(document)
    assert groups(tracker) == {("bank0", "bank1")}
    assert tracker.push(reports(BANK[:1], "more", DAY * 40 + 1800)[0]) == "bank0"
    assert "aurora" not in tracker._vocabulary.numbers


def test_states_follow_the_days() -> None:
    tracker = StoryTracker()
    for document in reports(FERRY, "ferry", DAY):
        tracker.push(document)
    (story,) = tracker.stories(DAY + 7200)
    assert story.state == "new"
    assert [tracker.stories(DAY * later)[0].state for later in (3, 9)] == ["steady", "quiet"]
    tracker.push(reports(FERRY[:1], "more", int(DAY * 2.5))[0])
    assert tracker.stories()[0].state == "steady"
    for document in reports(FERRY, "again", int(DAY * 3.6)):
        tracker.push(document)
    assert tracker.stories()[0].state == "growing"


@pytest.mark.skipif(not ECB.exists(), reason=f"no {ECB}")
def test_stories_of_ecb_are_found_in_any_order() -> None:
    """B-cubed F1 of the odd topics of ECB+ is .91 to .93 over shuffled orders (titles in front of full texts)."""
    records = [json.loads(line) for line in gzip.decompress(ECB.read_bytes()).splitlines()]
    gold = {record["id"]: record["event"] for record in records}
    random.Random(1).shuffle(records)
    tracker = StoryTracker()
    documents = []
    for record in records:
        lines = [line for line in record["sentences"] if not line.startswith("http")]
        documents.append(
            Document(id=record["id"], published_time=0, title=lines[0], text="\n".join(lines[1:]))
        )
    for _ in tracker.push_many(documents):
        pass
    found = {name: story.story for story in tracker.stories() for name in story.documents}
    assert bcubed_f1(found, gold) > 0.89


def bcubed_f1(found: dict[str, str], gold: dict[str, str]) -> float:
    members: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name in gold:
        members["found", found[name]].add(name)
        members["gold", gold[name]].add(name)
    precision = recall = 0.0
    for name in gold:
        mine, its = members["found", found[name]], members["gold", gold[name]]
        precision += len(mine & its) / len(mine) / len(gold)
        recall += len(mine & its) / len(its) / len(gold)
    return 2 * precision * recall / (precision + recall)
