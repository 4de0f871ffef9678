"""Pages never contradict themselves: what the check finds, and that generated stories give it nothing to find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replace_fields

import pytest
from consistency import find_contradictions, find_wrong_days
from hypothesis import given, strategies as st
from msgspec.structs import replace

from tests.sweeps import cases
from tidings.core.records import (
    Digest,
    DigestDay,
    Event,
    Evidence,
    Output,
    Sentence,
    Support,
    Update,
    ValueUpdate,
)
from tidings.following.report.figures import current_values, known_figures
from tidings.following.report.timeline import build_timeline
from tidings.following.systems.support import SupportCounter
from tidings.following.values.stated import reconcile
from tidings.following.values.value_tracker import ValueTracker

FERRY = Event(id="e", title="Ferry fire", query="ferry fire")
WAR = Event(id="w", title="", query="libya war")
HOUR = 3600
NIGHT = 1374703200
"""24 July 2013, 22:00."""


def update(text: str, time: int = 60, doc: str = "a", index: int = 0, source: str = "Wire") -> Update:
    return Update("e", doc, index, NIGHT + time, 1.0, text, NIGHT + time, source)


def value(attribute: str, number: float, time: int = 60, **more: object) -> ValueUpdate:
    return ValueUpdate("e", NIGHT + time, attribute, (number,), **more)


def kinds(values: Sequence[ValueUpdate], *updates: Update, supports: Sequence[Support] = ()) -> list[str]:
    timeline = replace_fields(build_timeline(FERRY, updates, supports=supports), values=tuple(values))
    return [one.kind for one in find_contradictions(timeline, supports)]


class TestFigures:
    @pytest.mark.parametrize(
        ("standing", "text"),
        [
            (value("injuries", 9), "The ferry fire left 11 people injured."),
            (value("deaths", 77), "Eighty people have now died in the ferry fire."),
            (value("deaths", 80), "The toll of the ferry fire was corrected: 78 people died, not 80."),
            (value("deaths", 28), "At least 31 people were killed in the ferry fire."),
        ],
    )
    def test_a_newer_number_contradicts(self, standing: ValueUpdate, text: str) -> None:
        assert kinds([standing], update(text, 90)) == ["figure"]
        assert kinds([standing], update(text, 30)) == []  # what was emitted before the figure changed
        marked = reconcile(FERRY, [standing], [update(text, 90)])
        assert kinds(marked, update(text, 90)) == []
        assert build_timeline(FERRY, [update(text, 90)], values=[standing]).values == tuple(marked)
        assert current_values(marked)[0].others.startswith("reports differ: ")

    @pytest.mark.parametrize(
        ("standing", "text"),
        [
            (value("deaths", 77), "Three of the dead of the ferry fire were sailors."),
            (value("deaths", 77), "At least 70 people were killed in the ferry fire."),
            (value("deaths", 77, reported=(70.0, 82.0)), "Eighty people died in the ferry fire."),
            (value("injuries", 100), "Eighty-one people hurt in the ferry fire were in hospital."),
            (value("deaths", 77), "A ferry fire of 1999 killed 120 people."),
            (value("injuries", 9), "Eleven people died in the ferry fire."),
        ],
    )
    def test_what_agrees_or_counts_others_does_not(self, standing: ValueUpdate, text: str) -> None:
        assert kinds([standing], update(text, 90)) == []

    def test_who_is_found_is_not_missing(self) -> None:
        found = update("Two people missing in the ferry fire have been found alive.", 90)
        assert kinds([value("missing", 2)], found) == ["resolved"]
        assert kinds([value("missing", 0)], found) == []

    def test_a_war_has_a_total_of_the_whole_alone(self) -> None:
        of_a_day = Evidence("a", 0, "On Saturday 13 people were killed in the Libya war.")
        of_all = Evidence("b", 0, "The Libya war has killed 9,000 people since March.")
        for evidence, expected in ((of_a_day, ["total"]), (of_all, [])):
            figure = ValueUpdate("w", 60, "deaths", (13.0,), evidence=(evidence,))
            page = build_timeline(WAR, [], values=[figure])
            assert [one.kind for one in find_contradictions(page)] == expected


class TestSupports:
    @pytest.mark.parametrize(
        ("text", "again", "kind"),
        cases(__file__, "another claim is no support"),
    )
    def test_another_claim_is_no_support(self, text: str, again: str, kind: str) -> None:
        support = Support("e", 90, "a", 0, Evidence("b", 0, again, 90, "Post"))
        timeline = build_timeline(FERRY, [update(text)], supports=[support])
        assert (timeline.entries[0].again == ()) == (kind != "subject")  # the page does not show it
        wrong = replace_entries(timeline, again=(support.evidence,))
        assert [one.kind for one in find_contradictions(wrong)] == [kind]

    def test_none_comes_before_the_day_that_it_speaks_of(self) -> None:
        friday = 1374796800  # 26 July 2013
        said = update("The captain of the ferry was arrested in Nador on Friday.", friday + HOUR - NIGHT)
        support = Support("e", friday, "a", 0, Evidence("b", 0, said.text, friday - 30 * HOUR, "Post"))
        timeline = build_timeline(FERRY, [said], supports=[support])
        assert [one.kind for one in find_contradictions(timeline)] == ["early"]


def replace_entries(timeline, **changed):
    return replace_fields(
        timeline, entries=tuple(replace_fields(entry, **changed) for entry in timeline.entries)
    )


def test_an_article_says_nothing_twice() -> None:
    lead = "The captain of the burning ship was arrested in Nador, harbour police announced."
    assert kinds([], update("Captain of burning ship arrested in Nador"), update(lead, 90, index=1)) == [
        "twice"
    ]
    assert kinds([], update(lead), update("Divers search the wreck.", 90, index=1)) == []


def test_an_update_says_again_what_an_earlier_one_said() -> None:
    first = update("The ferry fire was put out after nine hours.")
    for text, found in (
        ("Fire out after nine hours.", ["again"]),
        ("Fire out after nine hours; two dead.", []),
    ):
        second = update(text, 90, "b", 0, "Post")
        repeats = [Support("e", NIGHT + 90, "a", 0, Evidence("b", 0, text, NIGHT + 90, "Post"))]
        assert kinds([], first, second, supports=repeats) == found
        assert kinds([], first, supports=repeats) == []  # it is none of the updates


def test_what_is_an_update_itself_is_no_repeat_of_another() -> None:
    first, second = (
        update("The ferry fire was put out after nine hours."),
        update(
            "The ferry fire is out after nine hours, and divers search the wreck.", 90, "b", source="Post"
        ),
    )
    repeat = Support("e", NIGHT + 90, "a", 0, Evidence("b", 0, second.text, NIGHT + 90, "Post"))
    for updates, shown in (((first,), 1), ((first, second), 0)):
        timeline = build_timeline(FERRY, updates, supports=[repeat])
        assert len(timeline.entries[0].again) == shown
        assert not timeline.entries[0].alone


def test_days_of_a_digest() -> None:
    plan = Evidence("a", 0, "Ministers agreed to hold talks on Friday in Oman.", 1770249600)
    past = Evidence("a", 1, "Ministers held talks on Friday in Oman.", 1770249600)
    days = (DigestDay("2026-01-30", (plan, past)), DigestDay("2026-02-06", (plan,)))
    talks = Event(id="e", title="", query="talks")
    digest = Digest(event=talks, system="ours", days=days)
    assert [(one.kind, one.place) for one in find_wrong_days(digest)] == [("weekday", "a-0")]
    begun = replace(digest, event=replace(talks, start_time=1770249600))
    assert [one.kind for one in find_wrong_days(begun)] == ["start", "weekday", "start"]


WORDS = cases(__file__, "words")


def spoken(number: int, digits: bool) -> str:
    return str(number) if digits or number >= len(WORDS) else WORDS[number]


@st.composite
def stories(draw: st.DrawFn) -> list[Sentence]:
    """A fire as four outlets report it, each late in its own way: tolls rise, are corrected, the missing are found."""
    deaths, injured, missing = draw(st.integers(1, 9)), draw(st.integers(2, 30)), draw(st.integers(2, 8))
    truth: list[str] = []
    for _ in range(draw(st.integers(2, 7))):
        digits, kind = (
            draw(st.booleans()),
            draw(st.sampled_from(["dead", "hurt", "missing", "found", "body", "lowered"])),
        )
        doubt = draw(st.sampled_from(["", "At least ", "About "]))
        if kind == "dead":
            deaths += draw(st.integers(1, 12))
            truth.append(
                f"{doubt}{spoken(deaths, digits)} people were killed in the ferry fire, police said."
            )
        elif kind == "hurt":
            injured += draw(st.integers(1, 9))
            truth.append(f"{doubt}{spoken(injured, digits)} people were injured in the ferry fire.")
        elif kind == "missing" and missing:
            truth.append(f"{spoken(missing, digits)} people are missing after the ferry fire.")
        elif kind == "found" and missing:
            found = draw(st.sampled_from([1, missing]))
            missing -= found
            who = f"{spoken(found, digits)} people" if found > 1 else "A sailor"
            have = "have" if found > 1 else "has"
            truth.append(f"{who} missing in the ferry fire {have} been found alive.")
        elif kind == "body" and missing:
            missing -= 1
            truth.append("Divers found the body of a sailor of the ferry after the fire.")
        elif kind == "lowered" and deaths > 1:
            truth.append(
                f"The toll of the ferry fire was corrected: {deaths - 1} people died, not {deaths}, police said."
            )
            deaths -= 1
    reports = []
    for number, text in enumerate(truth):
        for outlet in draw(st.lists(st.sampled_from("ABCD"), min_size=1, unique=True)):
            time = number * 2 * HOUR + draw(st.integers(0, 5 * HOUR))
            said = text[:1].upper() + text[1:]
            reports.append(Sentence(f"{outlet}{number}", 0, said, time, f"Outlet {outlet}"))
    reports.sort(key=lambda sentence: (sentence.published_time, sentence.doc_id))
    return [
        replace(sentence, published_time=NIGHT + sentence.published_time + place)
        for place, sentence in enumerate(reports)
    ]


@given(stories(), st.data())
def test_a_generated_story_contradicts_nothing(reports: list[Sentence], data: st.DataObject) -> None:
    """Whichever of its sentences are emitted: figures and supports agree with each update at the moment it is shown."""
    tracker, counter = ValueTracker(FERRY), SupportCounter(FERRY)
    outputs: list[Output] = []
    for sentence in reports:
        now = sentence.published_time
        emitted = []
        if data.draw(st.booleans()):
            emitted = [Update("e", sentence.doc_id, 0, now, 1.0, sentence.text, now, sentence.source)]
        outputs += [*emitted, *tracker.read([sentence], now, emitted)]
        outputs += counter.count([sentence], emitted, now)
        tracker, state = ValueTracker(FERRY), tracker.state()
        tracker.restore(state)
    timeline = build_timeline(
        FERRY,
        [one for one in outputs if isinstance(one, Update)],
        values=[one for one in outputs if isinstance(one, ValueUpdate)],
        supports=[one for one in outputs if isinstance(one, Support)],
    )
    # What is emitted twice here was so by choice.
    assert [one for one in find_contradictions(timeline) if one.kind != "again"] == []
    if timeline.values:
        assert known_figures(timeline)
