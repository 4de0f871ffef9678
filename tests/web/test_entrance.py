"""Coming in: who is signed in, what they are in a project, and where they work, read at once."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from tests.annotation.pages.desks import People, desk_with
from tests.sweeps import cases
from tidings.annotation.store import Entrance
from tidings.core.errors import StoreError, UsageError
from tidings.core.records import Event
from tidings.core.records.judgments import Assignment, DeskItem

HOUR = 3600


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def enter(people: People, token: str, project: int = 0, topic: int = 0) -> Entrance | None:
    return people.desk.entrances.enter(token, idle_s=HOUR, longest_s=10 * HOUR, project=project, topic=topic)


def with_topics(people: People) -> tuple[int, str]:
    """The project, with two topics, two updates and assignments, and a token of the first judge's."""
    desk, project = people.desk, people.project.id
    for name in ("fire", "flood"):
        desk.projects.add_topic(project, Event(id=name, title=name, query=name))
    update: Any = {"event_id": "fire"}
    desk.projects.add_items(
        DeskItem(project, 1, kind, name, 0, 0, update)
        for kind, name in (
            ("update", "a"),
            ("update", "b"),
            ("sentence", "c"),
            ("sentence", "d"),
            ("sentence", "e"),
        )
    )
    for topic, task, account in (
        (1, "matching", people.first),
        (1, "events", people.second),
        (2, "matching", people.second),
    ):
        desk.projects.assign(Assignment(project, topic, task, account.id))
    return project, desk.accounts.begin_session(people.first.id)


class TestEnter:
    def test_tells_who_comes_and_what_is_there(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            project, token = with_topics(people)
            found = enter(people, token, project, 1)
            assert found is not None
            assert found.account == people.first and found.session_id == 1
            assert found.project == people.desk.projects.get(project)
            assert found.topic == people.desk.projects.topic(project, 1)
            assert found.role == "assessor" and found.last_update == 2
            assert found.assigned == {("matching", people.first.id), ("events", people.second.id)}

    def test_of_what_is_not_the_visitors_it_tells_nothing(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            project, token = with_topics(people)
            other = people.desk.projects.add("another").id
            people.desk.projects.add_topic(other, Event(id="storm", title="storm", query="storm"))
            people.desk.projects.assign(Assignment(other, 1, "matching", people.first.id))
            for where, topic in ((0, 0), (other, 1), (999, 1), (0, 1)):
                found = enter(people, token, where, topic)
                assert found is not None and found.account == people.first
                assert (found.project, found.role, found.topic, found.assigned) == (
                    None,
                    None,
                    None,
                    frozenset(),
                )
            for topic in (0, 3):
                found = enter(people, token, project, topic)
                assert found is not None and found.project is not None
                assert (found.topic, found.assigned) == (None, frozenset())

    def test_sees_at_once_what_was_changed(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            project, token = with_topics(people)
            people.desk.projects.set_member(project, people.first.id, "lead")
            found = enter(people, token, project, 1)
            assert found is not None and found.role == "lead"
            people.desk.projects.set_member(project, people.first.id, None)
            found = enter(people, token, project, 1)
            assert found is not None and found.project is None and found.topic is None
            people.desk.accounts.disable(people.first.id)
            assert enter(people, token, project, 1) is None

    def test_a_session_ends(self, any_store: str) -> None:
        clock = Clock()
        with desk_with(any_store, clock=clock) as people:
            accounts = people.desk.accounts
            idle, old, ended = (accounts.begin_session(people.first.id) for _ in range(3))
            accounts.end_session(ended)
            assert (
                enter(people, ended) is None
                and enter(people, "x" * 43) is None
                and enter(people, "\ud800") is None
            )
            clock.now += HOUR
            assert enter(people, old) is not None
            clock.now += 1
            assert enter(people, idle) is None
            for _ in range(9):
                clock.now += HOUR - 1
                seen = enter(people, old)
            assert seen is not None
            clock.now += 9
            assert enter(people, old) is None

    def test_a_disabled_account_does_not_come_in_by_a_session_that_stands(self, any_store: str) -> None:
        with desk_with(any_store) as people:
            token = people.desk.accounts.begin_session(people.first.id)
            people.desk.accounts.disable(people.first.id)
            assert enter(people, token) is None
            with pytest.raises(UsageError, match="disabled"):
                people.desk.accounts.begin_session(people.first.id)
            people.desk.accounts.enable(people.first.id)
            assert enter(people, token) is None

    @pytest.mark.parametrize(
        "change",
        cases(__file__, "rows that are not as they were written are noticed"),
    )
    def test_rows_that_are_not_as_they_were_written_are_noticed(self, any_store: str, change: str) -> None:
        with desk_with(any_store) as people:
            project, token = with_topics(people)
            with people.desk.store.writing() as connection:
                connection.execute(text(change))
            with pytest.raises(StoreError, match=change.split()[1]):
                enter(people, token, project, 1)
