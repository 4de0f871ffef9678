"""Stories in a store: what was grouped is kept, and a process that is killed anywhere finds the same ones."""

from __future__ import annotations

import multiprocessing
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from tests.following.grouping.test_story_tracker import BANK, DAY, FERRY, reports
from tidings.core import Document, StoreError, UsageError, open_store
from tidings.following.grouping import stored
from tidings.following.grouping.profiles import parse_profile, write_profile
from tidings.following.grouping.stored import FollowedStories, FollowedStory, StoredStories
from tidings.following.grouping.story_tracker import StoryTracker
from tidings.following.verbs.story_choice import find_story

LATER = 40 * DAY
FORKING = multiprocessing.get_context("fork")  # starting Python fifty times takes a minute


def documents() -> list[Document]:
    """Ferry and bank, and after both have been quiet for forty days the bank again."""
    first = reports(FERRY, "ferry") + reports(BANK, "bank")
    later = reports(BANK, "again", start=LATER)
    filler = [
        Document(
            id=f"f{number}", published_time=LATER + number, title=f"Match {number}", text=f"Score {number}."
        )
        for number in range(600)
    ]
    return sorted([*first, *later, *filler], key=lambda document: (document.published_time, document.id))


def write_all(path: Path, given: list[Document], *, most: int | None = None) -> list[dict[str, object]]:
    with open_store(str(path)) as store:
        keeper = StoredStories(store)
        for _ in keeper.push_many(given[:most]):
            pass
        keeper.write()
    with open_store(str(path)) as store:
        keeper = StoredStories(store)
        found = [*keeper.tracker.stories(), *keeper.closed()]
        return [{"story": story.story, "documents": story.documents, "title": story.title} for story in found]


def test_documents_that_come_in_parts_give_the_stories_of_one_go(tmp_path: Path) -> None:
    given = documents()
    whole = write_all(tmp_path / "whole.db", given)
    for most in (2, 5, 300, None):
        parts = write_all(tmp_path / "parts.db", given, most=most)
    assert parts == whole
    groups = [story["documents"] for story in whole]
    assert ("again0", "again1") in groups  # a story that was quiet for so long takes no more
    assert ("bank0", "bank1") in groups


def test_documents_keep_what_a_page_shows(tmp_path: Path) -> None:
    write_all(tmp_path / "s.db", documents())
    with open_store(str(tmp_path / "s.db")) as store:
        keeper = StoredStories(store)
        found = keeper.documents(["ferry1", "nowhere"])
        assert [(document.title, document.source) for document in found.values()] == [(FERRY[1][0], "wire1")]
        assert keeper.latest(LATER, 2)[0].last_time >= LATER


def test_only_one_process_groups_at_a_time(tmp_path: Path) -> None:
    given = documents()
    with open_store(str(tmp_path / "s.db")) as store:
        first = StoredStories(store)
        list(first.push_many(given[:1]))
        first.write()
        one, other = StoredStories(store), StoredStories(store)
        list(one.push_many(given[1:2]))
        one.write()
        list(other.push_many(given[1:3]))
        with pytest.raises(StoreError, match="another process has grouped documents"):
            other.write()


def test_a_followed_story_keeps_its_profile(tmp_path: Path) -> None:
    from tidings.core import ReadingOptions

    store, given = str(tmp_path / "s.db"), documents()
    write_all(tmp_path / "s.db", given, most=4)
    first = find_story("ferry0", [], store, ReadingOptions(), pool="sampled", lenient=False)
    assert "aurora" in parse_profile(first.profile)
    assert "brennholm" in first.query
    write_all(tmp_path / "s.db", given)
    assert find_story("ferry0", [], store, ReadingOptions(), pool="sampled", lenient=False) == first
    with open_store(store) as opened:
        assert FollowedStories(opened).all() == {"ferry0": first}
    with pytest.raises(UsageError, match="--story 'none': no file, address or open story"):
        find_story("none", [], store, ReadingOptions(), pool="sampled", lenient=False)


def test_a_story_that_is_closed_in_an_archive_can_be_followed(tmp_path: Path) -> None:
    from tidings.core import ReadingOptions, write_jsonl

    archive, store = tmp_path / "archive.jsonl", str(tmp_path / "s.db")
    given = documents()
    write_jsonl(str(archive), given)

    def find(store: str) -> FollowedStory:
        return find_story("ferry0", [str(archive)], store, ReadingOptions(), pool="sampled", lenient=False)

    found = find("")
    assert "aurora" in parse_profile(found.profile)
    assert "brennholm" in found.query
    write_all(tmp_path / "s.db", given)
    with pytest.raises(UsageError, match="story 'ferry0' was closed after 30 days"):
        find(store)


def test_a_profile_is_read_back(tmp_path: Path) -> None:
    assert parse_profile(write_profile({"fire": 2.0, "a,b": 3.0, "port": 0.001})).keys() == {"fire", "port"}
    for damaged in ("", "fire", "fire x", "fire 1 port"):
        with pytest.raises(UsageError, match="expected stems, each with its weight"):
            parse_profile(damaged)


def test_a_document_that_came_before_changes_nothing() -> None:
    tracker = StoryTracker()
    for document in reports(FERRY, "ferry"):
        tracker.push(document)
    before = tracker.state()
    assert tracker.push(reports(FERRY, "ferry")[2]) == "ferry0"
    assert tracker.state() == before


def group_often(path: Path, progress: Connection) -> None:
    """Group all documents into a store that is written every seven of them, and say so for each."""
    stored._AT_ONCE, stored._SHARE = 7, 0
    with open_store(str(path)) as store:
        keeper = StoredStories(store)
        stored.monotonic = lambda: 9e9  # type: ignore[assignment]
        for _ in keeper.push_many(documents()):
            progress.send_bytes(b".")
        keeper.write()


@pytest.mark.kill
def test_after_fifty_kills_the_stories_are_those_of_a_process_that_was_not_killed(tmp_path: Path) -> None:
    StoryTracker().push(documents()[0])  # loads what children then have

    @contextmanager
    def begun(name: str) -> Iterator[tuple[BaseProcess, Connection]]:
        ours, theirs = FORKING.Pipe(duplex=False)
        process = FORKING.Process(target=group_often, args=(tmp_path / name, theirs))
        process.start()
        theirs.close()
        with ours:
            yield process, ours
        process.join()

    def see(progress: Connection, count: int) -> None:
        with suppress(EOFError):
            for _ in range(count):
                progress.recv_bytes()

    with begun("whole.db") as (undisturbed, progress):
        see(progress, 10_000)
    assert undisturbed.exitcode == 0
    chance, kills = random.Random(5), 0
    while kills < 50:
        with begun("killed.db") as (process, progress):
            see(progress, chance.randint(1, 20))
            process.kill()
        assert process.exitcode == -signal.SIGKILL
        kills += 1
    with begun("killed.db") as (last, progress):
        see(progress, 10_000)
    assert last.exitcode == 0
    with open_store(str(tmp_path / "whole.db")) as one, open_store(str(tmp_path / "killed.db")) as other:
        whole, killed = StoredStories(one), StoredStories(other)
        assert killed.tracker.state() == whole.tracker.state()
        assert killed.closed() == whole.closed()
