"""A topic with sentences of two documents, and people who judge its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

from tests.annotation.pages.desks import People, desk_with
from tidings.annotation.desk.exchange.event_links import import_stream
from tidings.annotation.store import Act, Desk, ObjectView
from tidings.core.records import Document, Event
from tidings.core.records.judgments import SHARED, Account, Change, JudgedObject, judge_layer
from tidings.core.store import open_store

FERRY = Event(id="TS14.1", title="Ferry fire", query="ferry fire", start_time=1000, end_time=9000)
DOCUMENTS = (
    Document(
        id="b",
        published_time=2000,
        title="Second",
        text="A ferry burns in the port of Oslo! Two are missing.",
    ),
    Document(
        id="a",
        published_time=1500,
        source="wire",
        title="A ferry burns in the port of Oslo",
        text="A ferry burns in the port of Oslo. The owner says that it was old. Officials deny it.",
    ),
    Document(id="c", published_time=99_000, text="Long after."),
)
"""Sentences: a-0, a-1, a-2; b-0 (the title), b-1 (like a-0), b-2."""


class EventDesk:
    """The desk with that topic; `do` records an operation of somebody's."""

    def __init__(self, people: People) -> None:
        self.people, self.desk, self.project = people, people.desk, people.project
        self._acts = 0

    def do(
        self,
        account: Account,
        operation: Callable[..., Iterable[Change]],
        *arguments: Any,
        own: bool = True,
        **named: Any,
    ) -> Any:
        """Record it, with the account's layer as the first argument where `own`; the values of what changed."""
        self._acts += 1
        act = Act(key=f"act-{self._acts}", operation="test", topic=1, account_id=account.id)
        first = (judge_layer(account.id),) if own else ()

        def make(view: ObjectView) -> Iterable[Change]:
            return operation(view, *first, *arguments, **named)

        return [entry.after for entry in self.desk.log.record(self.project.id, act, make).entries]

    def objects(self) -> list[JudgedObject]:
        return self.desk.log.objects(self.project.id, 1)

    def value(self, layer: str, kind: str, name: str) -> Any:
        found = self.desk.log.object(self.project.id, 1, layer, kind, name)
        return None if found is None else found.value

    def own(self, account: Account, kind: str, name: str) -> Any:
        return self.value(judge_layer(account.id), kind, name)

    def merged(self, name: str) -> Any:
        return self.value(SHARED, "merged-event", name)

    @property
    def judges(self) -> list[str]:
        return [judge_layer(one.id) for one in (self.people.first, self.people.second, self.people.lead)]


@contextmanager
def event_desk(store: str | Path) -> Iterator[EventDesk]:
    """A desk with the documents' sentences in its one topic."""
    with desk_with(store) as people:
        import_stream(people.desk, people.project, DOCUMENTS, [FERRY])
        yield EventDesk(people)


@contextmanager
def copied_desk(template: Path, store: Path) -> Iterator[EventDesk]:
    """The same, as a copy of one that was made before, which is quicker."""
    copyfile(template, store)
    with open_store(str(store)) as opened:
        desk = Desk(opened)
        project = desk.projects.find("collection")
        names = ("lead", "first", "second", "stranger")
        accounts = [account for name in names if (account := desk.accounts.find(name)) is not None]
        assert project is not None
        yield EventDesk(People(desk, project, *accounts))
