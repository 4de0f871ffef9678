"""The log of judgments: nothing lost, nothing written over, nothing twice, and all else made from it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.pages.desks import People, desk_with
from tidings.annotation.store import Act, Claim
from tidings.annotation.store.log import last_standing, undone
from tidings.core.errors import ConflictError
from tidings.core.records.judgments import SHARED, Change


def nugget(text: str, expected: int | None = None, name: str = "n1") -> list[Change]:
    if expected is None:
        return [Change(SHARED, "nugget", name, {"text": text})]
    return [Change(SHARED, "nugget", name, {"text": text}, expected=expected)]


def act(key: str, account: int | None = None, **more: object) -> Act:
    return Act(key=key, operation="edit-nugget", topic=1, account_id=account, **more)  # type: ignore[arg-type]


def standing(people: People) -> str | None:
    """The key of the last act that was not taken back."""
    found = last_standing(people.desk.log.entries(people.project.id, latest_first=True))
    return None if found is None else found.key


class TestRecord:
    def test_a_change_is_written_with_what_was_before(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            log.record(project, act("a", people.first.id), nugget("A fire."))
            recorded = log.record(project, act("b", people.second.id), nugget("A great fire.", 1))
            entries = list(log.entries(project))
            assert list(recorded.entries) == entries[1:]
            assert [(e.seq, e.account, e.before, e.after) for e in entries] == [
                (1, "first", None, {"text": "A fire."}),
                (2, "second", {"text": "A fire."}, {"text": "A great fire."}),
            ]
            assert log.object(project, 1, SHARED, "nugget", "n1").version == 2  # type: ignore[union-attr]

    def test_nobody_writes_over_what_another_has_changed(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            log.record(project, act("a", people.first.id), nugget("A fire.", 0))
            with pytest.raises(ConflictError) as raised:
                log.record(project, act("b", people.second.id), nugget("A flood.", 0))
            assert raised.value.current.value == {"text": "A fire."}  # type: ignore[attr-defined]
            assert len(list(log.entries(project))) == 1

    def test_an_act_sent_twice_is_one(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            once = log.record(project, act("a"), nugget("A fire."))
            again = log.record(project, act("a"), nugget("Another."))
            assert (once.repeated, again.repeated) == (False, True)
            assert again.entries == once.entries

    def test_an_act_is_written_whole_or_not_at_all(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            log.record(project, act("a"), nugget("A fire."))
            with pytest.raises(ConflictError):
                log.record(project, act("b"), [*nugget("New.", 0, "n2"), *nugget("Old.", 0)])
            assert log.object(project, 1, SHARED, "nugget", "n2") is None

    def test_acts_can_be_taken_back_one_after_the_other(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            log.record(project, act("a"), nugget("A fire."))
            log.record(project, act("b"), nugget("A great fire."))
            assert standing(people) == "b"
            log.record(project, act("c", undoes="b"), undone(log.act(project, "b")))
            assert standing(people) == "a"
            log.record(project, act("d", undoes="a"), undone(log.act(project, "a"), log.entries(project)))
            assert log.objects(project) == [] and standing(people) is None

    def test_the_latest_are_read_page_by_page_as_far_as_is_needed(
        self, any_store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            for number in range(12):
                log.record(
                    project, act(f"a{number}", people.first.id), nugget(f"Fire {number}.", name=f"n{number}")
                )
                log.record(project, act(f"b{number}", people.second.id), nugget(f"Flood {number}."))
            monkeypatch.setattr("tidings.annotation.store.log._FEW", 2)
            monkeypatch.setattr("tidings.annotation.store.log._PAGE", 5)
            pages: list[Any] = []
            read = log.entries
            monkeypatch.setattr(
                log, "entries", lambda *at, **how: pages.append(how["limit"]) or read(*at, **how)
            )
            latest = log.latest(project, 1, people.first.id)
            assert [one.act for one in islice(latest, 2)] == ["a11", "a10"] and pages == [2]
            assert [one.act for one in latest] == [f"a{number}" for number in range(9, -1, -1)]
            assert pages == [2, 5, 5, 5]

    def test_an_import_is_not_taken_back_nor_what_does_not_count(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            log.record(project, act("a"), nugget("A fire."))
            log.record(project, act("b"), [*nugget("A great fire."), *nugget("A flood.", name="n2")])
            brought = Act(key="c", operation="import", topic=1)
            log.record(project, brought, nugget("A fire of a file."))
            found = last_standing(log.entries(project, latest_first=True))
            assert found is not None and found.key == "b"
            assert [one.seq for one in found.entries] == [2, 3] and [one.seq for one in found.since] == [4]
            before = last_standing(log.entries(project, latest_first=True), lambda first: first.seq != 2)
            assert before is not None and (before.key, [one.seq for one in before.since]) == ("a", [2, 3, 4])

    def test_what_was_changed_since_is_not_taken_back(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            log.record(project, act("a"), nugget("A fire."))
            log.record(project, act("b"), nugget("A great fire."))
            log.record(project, act("c"), nugget("A flood."))
            log.record(project, act("d", undoes="c"), undone(log.act(project, "c")))
            with pytest.raises(ConflictError):
                log.record(project, act("e", undoes="a"), undone(log.act(project, "a"), log.entries(project)))

    def test_where_a_judgment_was_taken_away_a_page_that_shows_none_may_judge(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            log.record(project, act("a"), nugget("A fire.", 0))
            log.record(project, act("b", undoes="a"), undone(log.act(project, "a")))
            with pytest.raises(ConflictError):
                log.record(project, act("c"), nugget("A flood.", 1))
            log.record(project, act("d"), nugget("A flood.", 0))
            assert log.ids(project, 1, "nugget", [SHARED]) == {"n1"}
            assert [one.value for one in log.objects(project, ids=["n1"])] == [{"text": "A flood."}]
            assert log.objects(project, ids=["n2"]) == []

    def test_objects_are_what_the_log_adds_up_to(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            for n, text in enumerate(["A fire.", "\x00 odd", "Three."]):
                log.record(project, act(f"k{n}"), nugget(text, name=f"n{n % 2}"))
            before = log.objects(project)
            assert log.replay(project) == 2
            assert log.objects(project) == before


class TestClaims:
    def test_an_item_goes_to_as_many_as_are_asked_and_to_nobody_twice(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            claims, project = people.desk.claims, people.project.id
            asked = [Claim("matching", f"d-{n}", 2) for n in range(3)]
            took = {
                account.name: [claims.take_next(project, 1, asked, account.id) for _ in range(4)]
                for account in (people.first, people.second, people.lead)
            }
            assert took["first"] == took["second"] == ["d-0", "d-1", "d-2", None]
            assert took["lead"] == [None] * 4

    def test_who_comes_too_late_cannot_judge_it(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            log, project = people.desk.log, people.project.id
            claim = Claim("matching", "d-0", 1)
            log.record(project, act("a", people.first.id, claim=claim), nugget("A fire."))
            with pytest.raises(ConflictError, match="Already taken by 1 other"):
                log.record(project, act("b", people.second.id, claim=claim), nugget("B."))
            log.record(project, act("c", people.first.id, claim=claim), nugget("C."))


def test_a_damaged_judgment_is_noticed(tmp_path: Path) -> None:
    import sqlite3

    from tidings.core.errors import StoreError

    with desk_with(tmp_path / "d.db") as people:
        people.desk.log.record(people.project.id, act("a"), nugget("A fire."))
        with sqlite3.connect(tmp_path / "d.db") as connection:
            connection.execute("""UPDATE desk_log SET after = '{"text":"A fine."}'""")
        with pytest.raises(StoreError, match="entry 1 of the log"):
            list(people.desk.log.entries(people.project.id))


def test_an_act_of_many_changes_asks_for_what_is_there_at_once(tmp_path: Path) -> None:
    from sqlalchemy import event

    with desk_with(tmp_path / "d.db") as people:
        asked: list[str] = []
        engine = people.desk.store.engine
        event.listen(engine, "before_cursor_execute", lambda *told: asked.append(told[2]))
        log, project = people.desk.log, people.project.id
        many = [change for n in range(60) for change in nugget("A fire.", 0, f"n{n}")]
        log.record(project, act("a"), many)
        again = [change for n in range(60) for change in nugget("A flood.", n + 1, f"n{n}")]
        log.record(project, act("b"), again)
        assert [entry.before for entry in log.act(project, "b")] == [{"text": "A fire."}] * 60
        assert sum("desk_objects" in words and "SELECT" in words for words in asked) == 2
        with pytest.raises(ConflictError):
            log.record(project, act("c"), again)
