"""Events in versions: what a batch was offered to stays the same when it is done again."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from tests.following.engines.streams import FERRY, SHORT, STORM
from tidings.core.errors import StoreError
from tidings.core.records import Event
from tidings.following.engines.settings import EventVersions, FixedEvents


def test_numbers_stay_and_are_never_given_twice(tmp_path: Path) -> None:
    versions = EventVersions(tmp_path / "events")
    versions.write([FERRY, STORM])
    versions.write([FERRY])
    versions.write([SHORT, FERRY])
    changed = Event(id="ferry", title="Ferry", query="ferry")
    assert versions.write([SHORT, changed]) == ("ferry",) == versions.changed_in(3)
    assert versions.of_version(0).by_id == {"ferry": (0, FERRY), "storm": (1, STORM)}
    assert versions.of_version(3).by_id == {"ferry": (0, changed), "short": (2, SHORT)}
    assert versions.of_version(3).events == (changed, SHORT)
    assert versions.write([SHORT, changed]) == () and versions.latest == 3


def test_a_batch_keeps_the_version_of_who_asked_first(tmp_path: Path) -> None:
    versions = EventVersions(tmp_path / "events")
    versions.write([FERRY])
    assert versions.of_batch("5").version == 0
    versions.write([FERRY, STORM])
    assert (versions.of_batch("5").version, versions.of_batch("6").version) == (0, 1)
    assert versions.of_batch(None).version == 1
    with ThreadPoolExecutor(8) as pool:
        seen = {one.version for one in pool.map(lambda _: versions.of_batch("7"), range(64))}
    assert seen == {1}
    assert sorted(path.name for path in (tmp_path / "events" / "batches").iterdir()) == ["5", "6", "7"]
    versions.forget_batches(7)
    assert [path.name for path in (tmp_path / "events" / "batches").iterdir()] == ["7"]
    EventVersions(tmp_path / "none").forget_batches(7)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    versions = EventVersions(tmp_path / "events")
    versions.write([FERRY])
    (tmp_path / "events" / "000000.events").write_bytes(b"\xc1")
    with pytest.raises(StoreError, match=r"000000\.events"):
        versions.of_version(0)
    with pytest.raises(StoreError):
        versions.of_version(4)


def test_fixed_events_are_the_same_for_all() -> None:
    fixed = FixedEvents.of([FERRY, STORM])
    assert fixed.of_batch("3") is fixed.of_version(9) and fixed.of_batch(None).by_id["storm"] == (1, STORM)


def test_thousands_of_versions_are_read_anew(tmp_path: Path) -> None:
    """By a worker that begins when events have changed for long."""
    versions = EventVersions(tmp_path)
    for version in range(1200):
        event = Event(id="ferry", title=str(version), query="ferry")
        data = msgspec.msgpack.encode({"changed": [(0, "ferry", event)]})
        (tmp_path / f"{version:06d}.events").write_bytes(data)
    assert [versions.of_version(at).by_id["ferry"][1].title for at in (1100, 1199, 7)] == [
        "1100",
        "1199",
        "7",
    ]


def test_a_folder_that_is_begun_anew_has_other_versions(tmp_path: Path) -> None:
    versions = EventVersions(tmp_path / "events")
    versions.write([FERRY])
    versions.write([FERRY, STORM])
    assert len(versions.of_version(1).by_id) == 2
    shutil.rmtree(tmp_path / "events")
    versions.write([SHORT])
    versions.write([SHORT, FERRY])
    assert list(versions.of_version(0).by_id) == ["short"]
    assert list(versions.of_version(1).by_id) == ["short", "ferry"]
