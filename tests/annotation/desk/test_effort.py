"""Effort: sessions cut at pauses, time by what it was spent on, and what counts as an assessment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.annotation.pages.desks import desk_with
from tidings.annotation.desk.effort import OTHER, Effort, EffortLog, EffortReport, effort_of, sum_up
from tidings.annotation.store import Act
from tidings.core.records.judgments import Change, LogEntry, judge_layer

GRADE, MATCHES, NUGGET = {"grade": 1}, {"matches": [{"nugget": "n", "automatic": False}]}, {"text": "A fire."}
START = 1_700_000_000


def entry(seq: int, at_s: float, kind: str = "matches", **more: Any) -> LogEntry:
    values: dict[str, Any] = {
        "act": f"act-{seq}",
        "operation": "match",
        "topic": 1,
        "layer": "judge-2",
        "object_id": f"d-{seq}",
        "before": None,
        "after": MATCHES if kind == "matches" else GRADE,
        "account_id": 2,
        "account": "ann",
        "session_id": 1,
        "recorded_ms": round((START + at_s) * 1000),
    }
    return LogEntry(seq=seq, kind=kind, **{**values, **more})


def one_row(*entries: LogEntry, idle_s: int = 300) -> Effort:
    (row,) = effort_of(entries, idle_s).rows
    return row


class TestTime:
    def test_pauses_longer_than_idle_cut_sessions_and_are_not_worked(self) -> None:
        times = [0, 10, 30, 330, 631, 641]
        report = effort_of([entry(n + 1, at) for n, at in enumerate(times)], 300)
        assert [(one.acts, (one.end_ms - one.start_ms) / 1000) for one in report.sessions] == [
            (4, 330),
            (2, 10),
        ]
        assert report.idle_s == 300

    def test_the_first_act_of_a_session_takes_the_median_pause(self) -> None:
        # Pauses of 10, 20, 30 and 10: their median is 15, and there are two sessions.
        row = one_row(*[entry(n + 1, at) for n, at in enumerate([0, 10, 30, 60, 1000, 1010])])
        assert (row.observed_s, row.sessions) == (pytest.approx(70), 2)
        assert row.estimated_s == pytest.approx(70 + 2 * 15)

    def test_a_single_act_takes_what_others_took(self) -> None:
        others = [entry(n + 1, 10 * n) for n in range(3)]
        alone = entry(9, 0, account_id=3, account="bob", act="bobs")
        rows = {row.person: row for row in effort_of([*others, alone], 300).rows}
        assert (rows["bob"].observed_s, rows["bob"].estimated_s) == (0, pytest.approx(10))
        assert one_row(alone).estimated_s == 0
        assert one_row(alone).per_minute is None

    def test_a_pause_is_spent_on_the_task_and_topic_of_the_act_after_it(self) -> None:
        report = effort_of(
            [
                entry(1, 0, "nugget"),
                entry(2, 60, "nugget"),
                entry(3, 70),
                entry(4, 75, topic=2),
                entry(5, 80, topic=2),
            ],
            300,
        )
        shown = [(row.topic, row.task, row.observed_s, row.estimated_s) for row in report.rows]
        assert shown == [
            (1, "extraction", pytest.approx(60), pytest.approx(120)),
            (1, "matching", pytest.approx(10), pytest.approx(10)),
            (2, "matching", pytest.approx(10), pytest.approx(10)),
        ]
        (session,) = report.sessions
        assert session.seconds == {"extraction": pytest.approx(120), "matching": pytest.approx(20)}

    def test_people_work_beside_each_other(self) -> None:
        mixed = [
            entry(1, 0),
            entry(2, 5, account_id=3, account="bob"),
            entry(3, 10),
            entry(4, 15, account_id=3, account="bob"),
        ]
        assert [(row.person, row.observed_s) for row in effort_of(mixed, 300).rows] == [
            ("ann", 10),
            ("bob", 10),
        ]

    def test_what_was_kept_through_a_lost_connection_counts_where_it_was_made(self) -> None:
        # The browser's clock is 1000 s behind; three acts are recorded at once, a minute late.
        made = [(START + at - 1000) * 1000 for at in (0, 20, 40, 60)]
        recorded = (0, 120, 120, 120)
        entries = [
            entry(n + 1, at, made_ms=ms) for n, (at, ms) in enumerate(zip(recorded, made, strict=True))
        ]
        row = one_row(*entries)
        assert row.observed_s == pytest.approx(60)
        assert effort_of(entries, 300).sessions[0].start_ms == START * 1000

    def test_the_act_that_came_fastest_sets_the_clock(self) -> None:
        # The first of three acts is on its way for 30 s, the others for none.
        made = [entry(n + 1, at, made_ms=(START + 10 * n) * 1000) for n, at in enumerate([30, 10, 20])]
        assert one_row(*made).observed_s == pytest.approx(20)
        assert effort_of(made, 300).sessions[0].start_ms == START * 1000

    def test_a_clock_that_says_nonsense_is_not_believed(self) -> None:
        row = one_row(
            entry(1, 0, made_ms=START * 1000),
            entry(2, 10, made_ms=5),
            entry(3, 20, made_ms=(START + 20) * 1000),
        )
        assert (row.sessions, row.observed_s) == (1, pytest.approx(20))

    def test_each_browser_has_its_own_clock(self) -> None:
        first = [entry(1, 0, made_ms=(START - 5000) * 1000), entry(2, 10, made_ms=(START - 4990) * 1000)]
        second = [entry(3, 20, session_id=2, made_ms=(START + 20) * 1000)]
        assert one_row(*first, *second).observed_s == pytest.approx(20)


class TestCounts:
    def test_a_thing_judged_twice_is_one_assessment_and_two_acts(self) -> None:
        row = one_row(entry(1, 0), entry(2, 10, object_id="d-1"), entry(3, 20))
        assert (row.acts, row.assessments) == (3, 2)

    def test_what_was_taken_back_took_time_and_counts_as_nothing(self) -> None:
        undo = entry(3, 30, act="undo-1", operation="undo", undoes="act-2", after=None, object_id="d-2")
        row = one_row(entry(1, 0), entry(2, 10), undo)
        assert (row.acts, row.assessments, row.undone, row.observed_s) == (1, 1, 1, pytest.approx(30))

    def test_copies_that_were_matched_along_are_no_assessments(self) -> None:
        copy = {"matches": [{"nugget": "n", "automatic": True}]}
        along = entry(2, 0, act="act-1", after=copy)
        assert (one_row(entry(1, 0), along).assessments, one_row(entry(1, 0), along).acts) == (1, 1)
        mixed = {"matches": [*copy["matches"], *MATCHES["matches"]]}
        assert one_row(entry(1, 0, after=mixed)).assessments == 1
        assert one_row(entry(1, 0, after={"matches": []})).assessments == 1

    def test_a_new_cluster_with_its_first_update_is_one_assessment(self) -> None:
        made = [entry(1, 0, "cluster", act="new"), entry(2, 0, "membership", act="new")]
        assert (one_row(*made).task, one_row(*made).assessments, one_row(*made).acts) == ("clusters", 1, 1)

    def test_an_act_is_of_the_first_task_that_it_touches(self) -> None:
        made = [entry(1, 0, "note", act="x"), entry(2, 0, "nugget", act="x"), entry(3, 0, act="x")]
        assert (one_row(*made).task, one_row(*made).assessments) == ("extraction", 3)

    def test_a_judgment_taken_away_is_none(self) -> None:
        assert one_row(entry(1, 0, after=None)).assessments == 0

    def test_assisted_acts_are_counted_apart(self) -> None:
        row = one_row(entry(1, 0, assisted="likely"), entry(2, 10), entry(3, 20, assisted="likely", act="x"))
        assert (row.acts, row.assisted) == (3, 2)
        undo = entry(4, 30, act="undo-1", operation="undo", undoes="x", after=None)
        assert one_row(entry(3, 20, assisted="likely", act="x"), undo).assisted == 0

    def test_what_programs_did_is_no_effort(self) -> None:
        assert (
            effort_of([entry(1, 0, account_id=None, account=""), entry(2, 5, operation="import")], 300).rows
            == ()
        )
        assert effort_of([], 300) == EffortReport((), (), 300)

    def test_notes_belong_to_no_task(self) -> None:
        rows = effort_of([entry(1, 0), entry(2, 10, "note")], 300).rows
        assert [(row.task, row.acts) for row in rows] == [("matching", 1), (OTHER, 1)]

    def test_the_papers_figure(self) -> None:
        # 21,635 updates in 71 hours 16 minutes, "about 5 assessments per minute" (section 4.1).
        per_minute = Effort(assessments=21_635, estimated_s=71 * 3600 + 16 * 60).per_minute
        assert per_minute == pytest.approx(5.06, abs=0.005)

    def test_sums(self) -> None:
        rows = [
            Effort(person="a", topic=1, task="matching", assessments=2, acts=3, observed_s=5, estimated_s=6),
            Effort(
                person="a", topic=2, task="matching", assessments=1, acts=1, assisted=1, undone=2, sessions=1
            ),
            Effort(person="b", topic=1, task="clusters", acts=4),
        ]
        assert [(one.person, one.acts) for one in sum_up(rows, "person")] == [("a", 4), ("b", 4)]
        (whole,) = sum_up(rows)
        assert (whole.assessments, whole.acts, whole.assisted, whole.undone, whole.sessions) == (
            3,
            8,
            1,
            2,
            1,
        )
        assert (whole.observed_s, whole.estimated_s, whole.person, whole.topic) == (5, 6, "", 0)


def test_what_is_kept_at_hand_says_what_the_log_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.annotation.desk.effort._MOST_PROJECTS", 1)
    clock = [float(START)]
    with desk_with(tmp_path / "d.db", clock=lambda: clock[0]) as people:
        desk, project, log = people.desk, people.project, EffortLog()
        copy = {"matches": [{"nugget": "n", "automatic": True}]}
        asked: list[int] = []
        entries = desk.log.entries

        def remembered(project_id: int, *, after: int = 0) -> Any:
            asked.append(after)
            return entries(project_id, after=after)

        def match(account: int, name: str, value: Any = MATCHES) -> None:
            clock[0] += 10
            act = Act(key=f"{account}-{name}-key", operation="match", topic=1, account_id=account)
            desk.log.record(project.id, act, [Change(judge_layer(account), "matches", name, value)])

        monkeypatch.setattr(desk.log, "entries", remembered)
        match(people.first.id, "d-0")
        match(people.first.id, "d-1", copy)
        assert log.report(desk, project) == effort_of(entries(project.id), project.idle_s)
        match(people.second.id, "d-0")
        match(people.first.id, "d-2")
        report = log.report(desk, project)
        assert report == effort_of(entries(project.id), project.idle_s)
        assert [(row.acts, row.assessments) for row in report.rows] == [(3, 2), (1, 1)]
        own = log.report(desk, project, people.second.id)
        assert [(row.person, row.acts) for row in own.rows] == [("second", 1)]
        assert asked == [0, 2, 4]
        log.report(desk, desk.projects.add("other"))
        log.report(desk, project)
        assert asked[3:] == [0, 0], "only so many projects are kept"
