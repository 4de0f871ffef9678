"""Standing events and their log, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.live.pages.sites import FERRY, STORM
from tidings.core.errors import UsageError
from tidings.core.records.standing import ReaderMark, StandingEvent
from tidings.core.store import open_store
from tidings.live.marks import marks_in_effect
from tidings.live.store import LiveStore

BROKEN = "Ferry \ud800"


def test_many_marks_at_once_are_all_kept(any_store: str) -> None:
    with open_store(any_store) as store:
        events = LiveStore(store).events
        events.add(StandingEvent(event=FERRY), "test")
        marks = [ReaderMark(update_id=f"d{number}-0", text="It burns.", mark="known") for number in range(40)]
        with ThreadPoolExecutor(8) as readers:
            list(readers.map(lambda mark: events.mark(FERRY.id, mark, "ada"), marks))
        log = events.log(after=1)
        assert sorted(entry.mark.update_id for entry in log if entry.mark) == sorted(
            one.update_id for one in marks
        )
        assert [entry.seq for entry in log] == [number for number, _ in zip(count(2), marks, strict=False)]


def test_what_is_no_text_is_refused_and_nothing_is_kept(tmp_path: object) -> None:
    with open_store(f"{tmp_path}/live.db") as store:
        events = LiveStore(store).events
        events.add(StandingEvent(event=FERRY), "test")
        (ferry,) = events.all()
        for refused in (
            lambda: events.add(StandingEvent(event=replace(STORM, title=BROKEN)), "test"),
            lambda: events.change(replace(ferry, event=replace(FERRY, title=BROKEN)), "test"),
            lambda: events.mark(FERRY.id, ReaderMark(update_id="d1-0", text=BROKEN, mark="known"), "ada"),
        ):
            with pytest.raises(UsageError, match="broken characters"):
                refused()
        assert events.all() == [ferry] and len(events.log()) == 1


def test_what_changes_nothing_is_no_change(tmp_path: Path) -> None:
    """Nor can it be changed since when an event was told."""
    with open_store(str(tmp_path / "a.db")) as store:
        events = LiveStore(store).events
        made = events.add(StandingEvent(event=FERRY, since=7), "ada")
        assert events.change(replace(made, since=9, number=5), "bo") == made
        assert [one.kind for one in events.log()] == ["added"]


def test_marks_that_were_withdrawn_are_in_effect_no_more(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        events = LiveStore(store).events
        one = ReaderMark(update_id="d1-0", text="It burns.", mark="known")
        for said in (one, replace(one, update_id="d2-0"), replace(one, withdrawn=True)):
            events.mark(FERRY.id, said, "ada")
        assert list(marks_in_effect(events.log())[FERRY.id]) == ["d2-0"]
