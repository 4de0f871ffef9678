"""Progress and the scores so far: what is judged, what is left, and which scores are not final."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.annotation.desk.copies import copied
from tests.annotation.pages.desks import People, bundled_judgments, desk_with
from tidings.annotation.desk.exchange.importing import add_runs
from tidings.annotation.desk.progress import MEASURES, ScoreCache, progress_of, run_scores
from tidings.annotation.store import Act
from tidings.cli import run
from tidings.core.records import Judgments, Run, Update
from tidings.core.records.judgments import FINAL, Change, judge_layer
from tidings.evaluation.scoring import scorer_for

GIVEN = bundled_judgments()
RUN = Run(
    "us",
    "one",
    (
        *(
            Update(one.event_id, one.doc_id, one.sentence_index, one.published_time + 60)
            for one in GIVEN.pool[:40]
        ),
        Update("santiago-2013", "1374691320-elsewhere", 0, 1374691320),
        Update("another", "1374691320-elsewhere", 0, 1374691320),
    ),
)


@pytest.fixture(scope="module")
def judged_desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("progress") / "desk.db"
    few = {one.id for one in GIVEN.pool[:60]}
    small = replace(
        GIVEN,
        pool=GIVEN.pool[:60],
        matches=tuple(one for one in GIVEN.matches if one.update_id in few),
        clusters=(),
        entities=(),
    )
    with desk_with(path, replace(small, matches=()), judges=2) as people:
        add_runs(people.desk, people.project, [RUN])
    return path


@pytest.fixture
def people(judged_desk: Path, tmp_path: Path) -> Iterator[People]:
    with copied(judged_desk, tmp_path / "d.db") as made:
        yield made


def match(people: People, layer: str, *updates: str, account: int | None = None) -> None:
    key = f"{layer}-{updates[0]}-{len(updates)}"
    act = Act(key=key, operation="match", topic=1, account_id=account)
    matches = {
        update: [
            {"nugget": one.nugget_id, "start": one.start, "end": one.end, "automatic": one.automatic}
            for one in GIVEN.matches
            if one.update_id == update
        ]
        for update in updates
    }
    changes = [Change(layer, "matches", update, {"matches": found}) for update, found in matches.items()]
    people.desk.log.record(people.project.id, act, changes)


def task(people: People, name: str) -> object:
    return next(one for one in progress_of(people.desk, people.project) if one.task == name)


IDS = [one.id for one in GIVEN.pool[:60]]


class TestProgress:
    def test_an_item_is_done_when_as_many_judged_it_as_are_asked_or_it_is_decided(
        self, people: People
    ) -> None:
        match(people, judge_layer(people.first.id), *IDS[:10])
        match(people, judge_layer(people.second.id), *IDS[:4])
        match(people, FINAL, IDS[59])
        one = task(people, "matching")
        assert (one.items, one.judged, one.decided, one.left) == (60, 11, 1, 55)  # type: ignore[attr-defined]
        assert one.by == {"first": 10, "second": 4, "final": 1}  # type: ignore[attr-defined]

    def test_of_nuggets_nobody_knows_how_many_there_will_be(self, people: People) -> None:
        one = task(people, "extraction")
        assert (one.items, one.left, one.by) == (None, None, {"shared": len(GIVEN.nuggets)})  # type: ignore[attr-defined]

    def test_clusters_are_counted_by_the_updates_in_them(self, people: People) -> None:
        act = Act(key="cluster", operation="cluster", topic=1, account_id=people.first.id)
        layer = judge_layer(people.first.id)
        changes = [Change(layer, "cluster", "c", {"label": "x"})]
        changes += [Change(layer, "membership", one, {"cluster": "c"}) for one in IDS[:3]]
        people.desk.log.record(people.project.id, act, changes)
        one = task(people, "clusters")
        assert (one.items, one.judged, one.left, one.by) == (60, 3, 60, {"first": 3})  # type: ignore[attr-defined]

    def test_what_a_topic_has_nothing_of_is_left_out(self, people: People) -> None:
        found = {one.task for one in progress_of(people.desk, people.project)}
        assert found == {"extraction", "matching", "relevance", "clusters"}
        fewer = replace(people.project, tasks=("matching",))
        assert {one.task for one in progress_of(people.desk, fewer)} == {"matching"}


def expected(updates: int) -> dict[str, float]:
    few = set(IDS[:updates])
    judgments = Judgments(
        name="so far",
        events=GIVEN.events,
        nuggets=GIVEN.nuggets,
        matches=tuple(one for one in GIVEN.matches if one.update_id in few),
        pool=GIVEN.pool[:60],
    )
    ours = replace(RUN, updates=RUN.updates[:41])
    scores = scorer_for("trec-2014", judgments).score_run(ours)
    return {str(one): scores.mean(one) for one in scores.measures if str(one) in MEASURES}


class TestScores:
    def test_they_are_those_of_the_judgments_so_far_and_say_what_is_missing(self, people: People) -> None:
        (before,) = run_scores(people.desk, people.project)
        assert (before.updates, before.judged, before.waiting, before.unpooled) == (41, 0, 40, 1)
        assert set(before.scores) == set(MEASURES) and not any(before.scores.values())
        match(people, judge_layer(people.first.id), *IDS[:30])
        (now,) = run_scores(people.desk, people.project)
        assert (now.judged, now.waiting, now.unpooled, now.topics) == (30, 10, 1, 1)
        assert now.scores == pytest.approx(expected(30))
        assert now.scores["C"] > 0

    def test_a_copy_of_a_judged_update_is_judged(self, tmp_path: Path) -> None:
        pool = (GIVEN.pool[0], replace(GIVEN.pool[1], duplicate_of=GIVEN.pool[0].id))
        with desk_with(
            tmp_path / "d.db", replace(GIVEN, pool=pool, matches=(), clusters=(), entities=())
        ) as people:
            add_runs(people.desk, people.project, [RUN])
            match(people, FINAL, IDS[0])
            (now,) = run_scores(people.desk, people.project)
            assert (now.judged, now.waiting) == (2, 0)

    def test_without_nuggets_there_are_none(self, tmp_path: Path) -> None:
        with desk_with(
            tmp_path / "d.db", replace(GIVEN, nuggets=(), matches=(), clusters=(), entities=())
        ) as people:
            assert run_scores(people.desk, people.project) == []
            add_runs(people.desk, people.project, [RUN])
            (now,) = run_scores(people.desk, people.project)
            assert (now.scores, now.topics, now.waiting) == ({}, 0, 40)

    def test_they_are_made_anew_only_when_something_was_judged_or_came_in(self, people: People) -> None:
        now, took = [0.0], [0.0]
        cache, calls = ScoreCache(most=1, least_s=5, clock=lambda: now[0]), []

        def make(*given: object) -> list[object]:
            calls.append(given)
            now[0] += took[0]
            return []

        def ask(project: object = people.project) -> None:
            cache.get(people.desk, project, make=make)  # type: ignore[arg-type]

        ask()
        ask()
        assert len(calls) == 1
        match(people, FINAL, IDS[0])
        now[0] += 4.9
        ask()
        assert len(calls) == 1, "not after each judgment"
        now[0], took[0] = now[0] + 0.2, 20.0
        ask()
        assert len(calls) == 2
        add_runs(people.desk, people.project, [replace(RUN, name="two")])
        now[0], took[0] = now[0] + 19.9, 0.0
        ask()
        assert len(calls) == 2, "nor all the time, where it takes long"
        now[0] += 0.2
        ask()
        assert len(calls) == 3
        other = people.desk.projects.add("other")
        ask(other)
        ask()
        assert len(calls) == 5, "only so many are kept"


class TestVerb:
    def test_it_prints_what_the_pages_show(self, people: People, capsys: pytest.CaptureFixture[str]) -> None:
        match(people, judge_layer(people.first.id), *IDS[:10], account=people.first.id)
        match(people, judge_layer(people.first.id), *IDS[10:12], account=people.first.id)
        verb = ["assess", "progress", "--project", "collection", "--store", str(people.desk.store)]
        assert run([*verb, "--json"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert {one["task"]: one["judged"] for one in made["progress"]}["matching"] == 12
        assert made["runs"][0]["waiting"] == 28 and made["rules"] == "trec-2014"
        assert made["effort"]["rows"][0]["person"] == "first"
        assert run(verb) == 0
        lines = capsys.readouterr().out.splitlines()
        assert any(line.split()[-6:] == ["12", "60", "60", "0", "first", "12"] for line in lines)
        assert any(
            line.split()[:2] == ["us", "one"] and line.split()[-3:] == ["12", "28", "1"] for line in lines
        )
        assert any("not final" in line for line in lines)

    def test_what_is_wrong_is_said_in_a_line(
        self, people: People, capsys: pytest.CaptureFixture[str]
    ) -> None:
        verb = ["assess", "progress", "--store", str(people.desk.store), "--project"]
        assert run([*verb, "other"]) == run([*verb, "collection", "--rules", "tls"]) == 2
        first, second = capsys.readouterr().err.strip().splitlines()
        assert "no project named other" in first and "--rules tls: choose one of paper-2013" in second

    def test_an_empty_project_says_so(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with desk_with(tmp_path / "d.db"):
            pass
        assert run(["assess", "progress", "--store", str(tmp_path / "d.db"), "--project", "collection"]) == 0
        said = capsys.readouterr().out
        assert "Nothing to judge yet" in said and "No judgments yet" in said and "No runs" in said
