"""Entities of days: which sentences show them, who has them, how answers are brought together, in and out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from tests.annotation.desk.copies import copied
from tests.annotation.pages.desks import People, bundled_judgments, desk_with
from tests.sweeps import cases, every
from tidings.annotation.desk.entity_sentences import DaySentences, NameFinder, day_before, day_of, parts_of
from tidings.annotation.desk.exchange.day_entities import (
    Answer,
    DayEntity,
    agreement_with,
    brought_together,
    crowd_of,
    entities_of_grades,
    entities_of_rankings,
    export_entities,
    import_day_entities,
    provenance_lines,
)
from tidings.annotation.desk.notes import reopen
from tidings.annotation.desk.operations.entities import (
    FORMS,
    EntityDay,
    day_to_show,
    entity_days,
    grade_item,
    set_answers,
)
from tidings.annotation.desk.queue import KEEP_S
from tidings.annotation.store import Act, Claim, Desk, Standing
from tidings.cli import run
from tidings.core.errors import ConflictError, UsageError
from tidings.core.records import Document, EntityGrade, EntityRanking, Event, Evidence, Sentence
from tidings.core.records.judgments import FINAL, Change, DeskItem, JudgedObject, judge_layer
from tidings.core.store import open_store
from tidings.sources import bundled

DAY = 1714521600  # 2024-05-01, midnight UTC
EVENT = Event(id="fire", title="Ferry fire", query="ferry fire")


def document(name: str, *texts: str, time: int = DAY, events: tuple[str, ...] | None = None) -> Document:
    sentences = tuple(Sentence(name, number, text, time, events=events) for number, text in enumerate(texts))
    return Document(id=name, published_time=time, sentences=sentences)


def best(*documents: Document, names: tuple[str, ...] = ("Nador",), day: str = "2024-05-01") -> str | None:
    sentences = DaySentences(EVENT, {names[0]: names}, ["2024-04-30", "2024-05-01"])
    for one in documents:
        sentences.add(one)
    chosen = sentences.best(day, names[0])
    return None if chosen is None else chosen.id


class TestNames:
    @every(
        "name, text",
        cases(__file__, "is found as people write it"),
    )
    def test_is_found_as_people_write_it(self, name: str, text: str) -> None:
        assert NameFinder([name]).names_one(text)

    @every(
        "name, text",
        cases(__file__, "nothing else is taken for it"),
    )
    def test_nothing_else_is_taken_for_it(self, name: str, text: str) -> None:
        assert not NameFinder([name]).names_one(text)

    def test_the_longest_name_counts(self) -> None:
        text = "Ana Pastor spoke."
        assert parts_of(text, ["Ana", "Ana Pastor"]) == [("Ana Pastor", True), (" spoke.", False)]

    def test_a_name_that_a_pattern_would_read_is_a_name(self) -> None:
        assert NameFinder(["(A+)+ [b"]).spans("the (A+)+ [b is") == [(4, 12)]


class TestSentences:
    def test_the_document_that_matches_the_query_best_counts_first(self) -> None:
        quiet = document("a", "Nador is a large and quiet town by the sea, as everybody knows.")
        ours = document("b", "Nador watched.", "The ferry is on fire.")
        assert best(quiet, ours) == "b-0"
        assert best(ours, quiet) == "b-0"

    def test_the_longest_of_its_sentences_is_shown_and_of_equals_the_first(self) -> None:
        assert best(document("a", "Nador.", "The ferry for Nador.", "The fire near Nador.")) == "a-1"

    def test_of_equal_documents_the_earlier_one_counts(self) -> None:
        assert best(document("b", "Nador now.", time=DAY + 60), document("c", "Nador now.")) == "c-0"
        assert best(document("b", "Nador now."), document("a", "Nador now.")) == "a-0"

    def test_only_documents_that_name_it_count_and_only_those_of_the_day(self) -> None:
        fire = document("a", "A ferry fire.")
        assert best(fire) is None
        assert best(fire, document("b", "Nador.", time=DAY - 1)) is None
        assert best(document("b", "Nador.", time=DAY - 1), day="2024-04-30") == "b-0"
        assert best(document("b", "Nador.", time=DAY + 86400), day="2024-05-02") is None

    def test_other_names_are_the_entity_too(self) -> None:
        assert best(document("a", "The port town burns."), names=("Nador", "port town")) == "a-0"

    def test_sentences_that_were_pooled_for_another_event_are_not_seen(self) -> None:
        assert best(document("a", "Nador.", events=("flood",))) is None
        assert best(document("a", "Nador.", events=("TS14.fire",))) == "a-0"

    def test_rare_words_of_the_query_weigh_more(self) -> None:
        ferries = [document(f"x{n}", "A ferry.") for n in range(5)]
        common, rare = document("a", "Ferry to Nador."), document("b", "Fire at Nador.")
        assert best(*ferries, common, rare) == "b-0"

    def test_days_are_of_utc(self) -> None:
        assert (day_of(DAY - 1), day_of(DAY), day_before("2024-03-01")) == (
            "2024-04-30",
            "2024-05-01",
            "2024-02-29",
        )
        assert day_of(10**14) == "9999-12-31"


def item(entity: str, date: str = "2024-05-01", number: int = 1) -> DeskItem:
    content = {"date": date, "entity": entity, "type": "", "aliases": [], "sentence": "", "sentence_id": ""}
    return DeskItem(
        1, 1, "day-entity", f"{date}|{entity}", number, DAY, {**content, "before": "", "before_id": ""}
    )


def said(one: DeskItem, layer: str, value: object, version: int = 7) -> dict[str, JudgedObject]:
    return {one.id: JudgedObject(1, layer, "grade", one.id, version, value)}


def has(one: DeskItem, *accounts: int, judged: tuple[int, ...] = ()) -> Standing:
    return Standing({one.id: dict.fromkeys(accounts, 100)}, {one.id: set(judged)})


def days_of(items: list[DeskItem], *given: object, limit: int = 1, now: int = 200) -> list[EntityDay]:
    own, final, standing = (*given, *({}, {}, Standing())[len(given) :])
    return entity_days(items, own, final, standing, 1, limit=limit, now=now)  # type: ignore[arg-type]


class TestDays:
    A, B, C = item("b"), item("A"), item("c", "2024-04-30")

    def whose(self, own: object = None, final: object = None, holders: tuple[int, ...] = ()) -> str:
        objects = {} if own is None else said(self.A, "judge-1", own)
        finals = {} if final is None else said(self.A, FINAL, final)
        (day,) = days_of([self.A], objects, finals, has(self.A, *holders), limit=2)
        return day.work[0].whose

    def test_days_and_names_stand_in_order(self) -> None:
        days = days_of([self.A, self.B, self.C])
        assert [(day.date, [one.item.content["entity"] for one in day.work]) for day in days] == [
            ("2024-04-30", ["c"]),
            ("2024-05-01", ["A", "b"]),
        ]

    def test_an_item_is_free_until_enough_have_it(self) -> None:
        assert self.whose() == self.whose(holders=(2,)) == "free"
        assert self.whose(holders=(2, 3)) == "others"
        assert self.whose(holders=(2, 1)) == self.whose(own={"grade": 2}, holders=(2, 3)) == "mine"

    def test_what_is_decided_is_in_nobodys_queue_until_it_is_opened_again(self) -> None:
        assert self.whose(own={"grade": 2}, final={"grade": 3}, holders=(1,)) == "decided"
        finals = said(self.A, FINAL, None)
        (day,) = days_of([self.A], {}, finals)
        assert day.work[0].whose == "free"

    def test_the_day_that_was_begun_is_shown_first(self) -> None:
        days = days_of([self.A, self.C], {}, {}, has(self.A, 1))
        assert day_to_show(days).date == "2024-05-01"  # type: ignore[union-attr]
        assert day_to_show(days, "2024-04-30").date == "2024-04-30"  # type: ignore[union-attr]
        assert day_to_show([]) is None
        free_later = days_of([self.A, self.C], {}, {}, has(self.C, 2))
        assert day_to_show(free_later).date == "2024-05-01"  # type: ignore[union-attr]

    def test_left_is_what_one_has_and_has_not_judged_or_has_to_judge_again(self) -> None:
        own = said(self.B, "judge-1", {"grade": 1})
        (day,) = days_of([self.A, self.B], own, {}, has(self.B, 1, judged=(1,)))
        assert day.left == 0
        (day,) = days_of([self.A, self.B], own, {}, has(self.B, 1))
        assert day.left == 1 and day.of("mine")[0].again
        (day,) = days_of([self.A, self.B], own, {}, has(self.A, 1))
        assert day.left == 2

    def test_a_claim_that_lapsed_leaves_the_item_free(self) -> None:
        (day,) = days_of([self.A], {}, {}, has(self.A, 2), now=200 + KEEP_S)
        assert day.of("free")
        (day,) = days_of([self.A], {}, {}, has(self.A, 2, judged=(2,)), now=200 + KEEP_S)
        assert day.of("others")


class TestCrowd:
    GOLD: ClassVar = {str(n): Answer(3, True) for n in range(5)}

    def judge(self, wrong: int) -> dict[str, Answer]:
        # Of ten answers to gold so many are wrong.
        return {item: Answer(3, n >= wrong) for n, item in enumerate(self.GOLD)}

    def test_answers_are_averaged_over_those_who_gave_one(self) -> None:
        answers = {
            "one": {"x": Answer(1, True), "y": Answer(3, False)},
            "two": {"x": Answer(2, False)},
            "three": {"x": Answer(3, True)},
        }
        opinions, judges = brought_together(answers)
        assert (opinions["x"].sentence, opinions["x"].judges) == (2.0, 3)
        assert opinions["x"].important == pytest.approx(2 / 3)
        assert opinions["y"].judges == 1
        assert all(judge.agreement is None and judge.counts for judge in judges)

    def test_a_judge_has_to_agree_with_more_than_the_least(self) -> None:
        _, judges = brought_together(
            {"2": self.judge(2), "3": self.judge(3), "4": self.judge(4)}, self.GOLD, least=0.7
        )
        assert [(one.judge, one.agreement, one.counts) for one in judges] == [
            ("2", pytest.approx(0.8), True),
            ("3", pytest.approx(0.7), False),
            ("4", pytest.approx(0.6), False),
        ]

    def test_nobody_is_left_out_unasked_and_who_met_no_gold_stays(self) -> None:
        bad = {"bad": self.judge(5)}
        assert brought_together(bad, self.GOLD)[0].keys() == self.GOLD.keys()
        assert brought_together({"new": {"x": Answer(1, True)}}, self.GOLD, least=0.9)[0]["x"].judges == 1
        assert brought_together(bad, self.GOLD, least=0.7)[0] == {}

    def test_both_answers_of_an_item_count(self) -> None:
        assert agreement_with({"x": Answer(3, True)}, {"x": Answer(2, True)}) == 0.5
        assert agreement_with({"x": Answer(3, True)}, {}) is None


@pytest.fixture(scope="module")
def empty_desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("entities") / "empty.db"
    with desk_with(path, judges=2):
        return path


@pytest.fixture
def graded_days(empty_desk: Path, tmp_path: Path) -> Iterator[People]:
    with copied(empty_desk, tmp_path / "d.db") as people:
        yield people


GRADES = (
    EntityGrade("fire", "2024-05-01", "Nador", "LOC", 4, ("the port",)),
    EntityGrade("fire", "2024-05-01", "Melilla", "LOC", 1),
    EntityGrade("fire", "2024-05-02", "Nador", "LOC", 2, ("the port",)),
)
STREAM = (
    document("a", "Nador: a ferry is on fire.", "The port is closed, and so it stays."),
    document("b", "The port is open again after the ferry fire.", time=DAY + 86400),
)


def bring(
    people: People, grades: tuple[EntityGrade, ...] = (), stream: tuple[Document, ...] = STREAM
) -> object:
    return import_day_entities(
        people.desk, people.project, entities_of_grades(GRADES), stream, events=[EVENT], grades=grades
    )


def judge(people: People, account: int, kind: str, item_id: str, value: object) -> None:
    key = f"act-{account}-{kind}-{item_id}"
    act = Act(
        key=key, operation="grade-entity", topic=1, account_id=account, claim=Claim("entities", item_id, 2)
    )
    people.desk.log.record(people.project.id, act, [Change(judge_layer(account), kind, item_id, value)])


class TestImport:
    def test_the_day_before_is_seen_where_nothing_of_it_is_judged(self, graded_days: People) -> None:
        import_day_entities(
            graded_days.desk, graded_days.project, entities_of_grades(GRADES[2:]), STREAM, events=[EVENT]
        )
        (one,) = graded_days.desk.projects.items(graded_days.project.id, 1, "day-entity")
        assert (one.content["sentence_id"], one.content["before_id"]) == ("b-0", "a-1")

    def test_each_entity_stands_with_its_sentence_and_that_of_the_day_before(
        self, graded_days: People
    ) -> None:
        bring(graded_days)
        items = graded_days.desk.projects.items(graded_days.project.id, 1, "day-entity")
        assert [(one.id, one.content["sentence_id"], one.content["before_id"]) for one in items] == [
            ("2024-05-01|Melilla", "", ""),
            ("2024-05-01|Nador", "a-1", ""),
            ("2024-05-02|Nador", "b-0", "a-1"),
        ]
        assert items[2].content["before"] == "The port is closed, and so it stays."
        assert [one.time for one in items] == [DAY, DAY, DAY + 86400]

    def test_grades_are_decided_and_come_out_as_they_were(self, graded_days: People) -> None:
        done = bring(graded_days, GRADES)
        assert (done.topics, done.items, done.objects) == (1, 3, 3)  # type: ignore[attr-defined]
        assert sorted(map(repr, export_entities(graded_days.desk, graded_days.project))) == sorted(
            map(repr, GRADES)
        )
        again = bring(graded_days, GRADES)
        assert (again.items, again.objects) == (0, 0)  # type: ignore[attr-defined]

    def test_without_grades_nothing_is_judged(self, graded_days: People) -> None:
        bring(graded_days)
        assert export_entities(graded_days.desk, graded_days.project) == ()

    def test_what_is_there_stays_as_it_was_shown(self, graded_days: People) -> None:
        bring(graded_days)
        before = graded_days.desk.projects.items(graded_days.project.id, 1, "day-entity")
        assert bring(graded_days, stream=STREAM[:1]).items == 0  # type: ignore[attr-defined]
        assert graded_days.desk.projects.items(graded_days.project.id, 1, "day-entity") == before

    def test_an_unknown_event_is_named(self, graded_days: People) -> None:
        with pytest.raises(UsageError, match=r"event 'flood', which the project does not have"):
            import_day_entities(
                graded_days.desk,
                graded_days.project,
                [DayEntity("flood", "2024-05-01", "Nador")],
                [],
                events=[EVENT],
            )

    def test_rankings_are_pooled_to_a_depth_and_their_own_sentence_is_shown_where_none_names_it(
        self, graded_days: People
    ) -> None:
        evidence = (Evidence("z", 3, "He spoke."), Evidence("a", 0, "Nador."))
        one = EntityRanking("fire", "2024-05-01", ("Rajoy", "Nador"), types=("PER", "LOC"), evidence=evidence)
        other = EntityRanking("fire", "2024-05-01", ("Nador", "Melilla"))
        entities = entities_of_rankings([one, other], 1)
        assert [(found.entity, found.type) for found in entities] == [("Rajoy", "PER"), ("Nador", "")]
        assert [found.entity for found in entities_of_rankings([one, other], None)] == [
            "Rajoy",
            "Nador",
            "Melilla",
        ]
        import_day_entities(graded_days.desk, graded_days.project, entities, STREAM, events=[EVENT])
        items = graded_days.desk.projects.items(graded_days.project.id, 1, "day-entity")
        assert [(found.id, found.content["sentence_id"]) for found in items] == [
            ("2024-05-01|Nador", "a-0"),
            ("2024-05-01|Rajoy", "z-3"),
        ]


class TestVerb:
    RANKING = (
        '{"kind": "entities", "event": "santiago-2013", "date": "2013-07-25", "entities": ["Adif", "Oz"]}\n'
    )

    def bring(self, place: Path, *more: str) -> int:
        run_file = place / "who.jsonl"
        run_file.write_text(self.RANKING, encoding="utf-8")
        verb = ["assess", "import", "--project", "p", "--store", str(place / "d.db"), "--run", str(run_file)]
        return run([*verb, *more])

    def test_a_folders_grades_come_back_and_what_a_run_ranks_is_to_be_judged(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.bring(tmp_path, str(bundled.path())) == 0
        assert "1 new entities of days, to be judged" in capsys.readouterr().err
        with open_store(str(tmp_path / "d.db")) as store:
            desk = Desk(store)
            project = desk.projects.find("p")
            assert project is not None
            shown = {one.id: one.content["sentence"] for one in desk.projects.items(1, 1, "day-entity")}
            assert len(shown) == 86 and shown.pop("2013-07-25|Oz") == "" and all(shown.values())
            assert shown["2013-07-25|Adif"].startswith("An Adif spokesman")
            back = export_entities(desk, project)
            assert sorted(map(repr, back)) == sorted(map(repr, bundled_judgments().entities))
            assert not desk.projects.items(1, 0, "run")

    def test_without_documents_nothing_is_made(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.bring(tmp_path) == 2
        assert "give --stream FILE or FOLDER" in capsys.readouterr().err
        assert not (tmp_path / "d.db").exists()


class TestExport:
    NADOR = "2024-05-01|Nador"

    def test_the_first_judges_grade_counts_until_it_is_decided(self, graded_days: People) -> None:
        bring(graded_days)
        judge(graded_days, graded_days.second.id, "grade", self.NADOR, {"grade": 2})
        judge(graded_days, graded_days.first.id, "grade", self.NADOR, {"grade": 4})
        assert [one.grade for one in export_entities(graded_days.desk, graded_days.project)] == [2]
        lines = list(provenance_lines(graded_days.desk, graded_days.project))
        assert [line.get("grades") for line in lines] == [None, {"first": 4, "second": 2}, None]
        assert lines[1]["grade"] == 2 and lines[1]["event"] == "fire" and "crowd" not in lines[1]

    def test_what_others_answered_is_no_gold(self, graded_days: People) -> None:
        bring(graded_days)
        judge(graded_days, graded_days.first.id, "answer", self.NADOR, {"sentence": 3, "important": True})
        judge(graded_days, graded_days.second.id, "answer", self.NADOR, {"sentence": 1, "important": False})
        opinions, judges = crowd_of(graded_days.desk, graded_days.project, 1, least=0.7)
        assert [one.agreement for one in judges] == [None, None]
        assert opinions[self.NADOR].judges == 2

    def test_gold_is_what_leads_answered_or_what_was_decided(self, graded_days: People) -> None:
        bring(graded_days)
        good, bad = {"sentence": 3, "important": True}, {"sentence": 1, "important": False}
        judge(graded_days, graded_days.lead.id, "answer", self.NADOR, good)
        judge(graded_days, graded_days.first.id, "answer", self.NADOR, bad)
        opinions, _ = crowd_of(graded_days.desk, graded_days.project, 1)
        assert (opinions[self.NADOR].sentence, opinions[self.NADOR].judges) == (2.0, 2)
        opinions, judges = crowd_of(graded_days.desk, graded_days.project, 1, least=0.7)
        assert (opinions[self.NADOR].sentence, opinions[self.NADOR].judges) == (3.0, 1)
        assert {one.judge: one.counts for one in judges} == {"lead": True, "first": False}
        lines = list(provenance_lines(graded_days.desk, graded_days.project, least=0.7))
        assert lines[1]["crowd_left_out"] == ["first"]
        act = Act(key="decide", operation="adjudicate", topic=1)
        graded_days.desk.log.record(graded_days.project.id, act, [Change(FINAL, "answer", self.NADOR, bad)])
        _, judges = crowd_of(graded_days.desk, graded_days.project, 1, least=0.7)
        assert {one.judge: one.counts for one in judges} == {"lead": False, "first": True}


class TestOperations:
    def record(self, people: People, make: object) -> None:
        people.desk.log.record(people.project.id, Act(key=f"act {id(make)}", operation="x", topic=1), make)  # type: ignore[arg-type]

    def test_only_what_is_there_is_judged_and_only_by_what_the_scales_have(self, graded_days: People) -> None:
        bring(graded_days)
        for name, grade in (("2024-05-01|Ceuta", 1), (TestExport.NADOR, 0), (TestExport.NADOR, 5)):
            with pytest.raises(UsageError):
                self.record(graded_days, lambda view, n=name, g=grade: grade_item(view, "judge-2", n, g))
        with pytest.raises(UsageError):
            self.record(graded_days, lambda view: set_answers(view, "judge-2", TestExport.NADOR, (4, True)))

    def test_what_is_decided_stays(self, graded_days: People) -> None:
        bring(graded_days, GRADES)
        with pytest.raises(ConflictError, match="decided"):
            self.record(graded_days, lambda view: grade_item(view, "judge-2", TestExport.NADOR, 1))
        self.record(graded_days, lambda view: set_answers(view, "judge-2", TestExport.NADOR, (3, True)))

    def test_what_was_opened_again_can_be_judged_again_even_as_before(self, graded_days: People) -> None:
        bring(graded_days)
        desk, project = graded_days.desk, graded_days.project.id

        def grade(number: int, key: str) -> None:
            act = Act(key=key, operation="grade-entity", topic=1, account_id=graded_days.first.id)
            layer = judge_layer(graded_days.first.id)
            desk.log.record(project, act, lambda view: grade_item(view, layer, TestExport.NADOR, number))

        def is_judged() -> bool:
            standing = desk.claims.standing(project, 1, FORMS["scale"])
            return graded_days.first.id in standing.judged.get(TestExport.NADOR, ())

        grade(3, "first time")
        self.record(graded_days, [Change(FINAL, "grade", TestExport.NADOR, {"grade": 2})])
        self.record(graded_days, reopen("grade", TestExport.NADOR, "Look at the date."))
        assert not is_judged()
        grade(3, "second time")
        assert is_judged()
        assert [one.grade for one in export_entities(desk, graded_days.project)] == [3]
        entries = len(list(desk.log.entries(project)))
        grade(4, "third time")
        grade(4, "fourth time")
        assert len(list(desk.log.entries(project))) == entries + 1
