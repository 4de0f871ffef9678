"""A pile gives back what was put on it, in the order of time, however little memory it may take."""

from __future__ import annotations

import resource
import shutil
from collections import namedtuple
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.core.errors import OutputError
from tidings.core.records import Document, Sentence
from tidings.sources.items.pile import TEMPORARY, Pile, in_order, temporary_folder

ABSURD = st.integers() | st.integers(-3, 3) | st.sampled_from([-(10**40), 10**40, -1, 0, 2**63, -(2**63) - 1])
TEXTS = st.text(max_size=12) | st.sampled_from(["\ud800", "a\udfffb", "\0", "{"])


@st.composite
def documents(draw: st.DrawFn) -> list[Document]:
    made = []
    for number, time in enumerate(draw(st.lists(ABSURD, max_size=40))):
        text = draw(TEXTS)
        said = (Sentence(f"d{number}", 0, text, time, "wire", 3, draw(st.none() | st.just(("e",)))),)
        cut = draw(st.booleans())
        made.append(
            Document(
                id=f"d{number}", published_time=time, text="" if cut else text, sentences=said if cut else ()
            )
        )
    return made


def by_time(made: list[Document]) -> list[Document]:
    return sorted(made, key=lambda document: document.published_time)


@given(documents(), st.sampled_from([1, 300, 1000, 1 << 20]), st.integers(2, 4))
def test_it_is_a_stable_sort_for_any_memory(made: list[Document], memory_bytes: int, most_runs: int) -> None:
    with Pile(memory_bytes=memory_bytes, most_runs=most_runs) as pile:
        for document in made:
            pile.add(document)
        assert len(pile) == len(made)
        assert list(pile) == by_time(made)
        assert list(pile) == by_time(made)
    assert list(in_order(made)) == by_time(made)


def tiny(number: int, time: int = 7) -> list[Document]:
    return [Document(id=f"d{n}", published_time=time + n * 7919 % 1000) for n in range(number)]


def open_files() -> int:
    """How many files this process has open, where the system tells."""
    place = Path("/proc/self/fd")
    return len(list(place.iterdir())) if place.is_dir() else 0


def test_few_files_are_open_and_none_has_a_name(tmp_path: Path) -> None:
    before = open_files()
    with Pile(memory_bytes=1, folder=str(tmp_path), most_runs=4) as pile:
        for document in tiny(300):
            pile.add(document)
        assert not list(tmp_path.iterdir())
        assert open_files() - before <= 3 * 5  # of 300 runs, on five levels
        assert list(pile) == by_time(tiny(300))
    assert open_files() == before


def test_what_fits_into_memory_needs_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TEMPORARY, "/nowhere/at/all")
    assert list(in_order(tiny(1000))) == by_time(tiny(1000))


@every("kind", ["missing", "a file"])
def test_a_folder_that_cannot_be_written_to(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temp"
    if kind == "a file":
        place.write_text("")
    monkeypatch.setenv(TEMPORARY, str(place))
    with Pile(memory_bytes=100) as pile, pytest.raises(OutputError) as caught:
        pile.add(tiny(1)[0])
    assert f"{place}: " in str(caught.value)
    assert TEMPORARY in str(caught.value)


Usage = namedtuple("Usage", "total used free")


@every("expected_bytes, free", [(0, 1 << 20), (50 << 20, 40 << 20)])
def test_too_little_room_is_said_before_anything_is_written(
    expected_bytes: int, free: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(free, 0, free))
    pile = Pile(memory_bytes=100, folder=str(tmp_path), expected_bytes=expected_bytes)
    with pile, pytest.raises(OutputError, match=rf"{free >> 20} MiB free \(expected \d+ MiB"):
        pile.add(tiny(1)[0])


def test_a_disk_that_fills_up_while_it_is_written_to(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        with Pile(memory_bytes=500_000, folder=str(tmp_path)) as pile, pytest.raises(OutputError) as caught:
            for document in tiny(10_000):
                pile.add(document)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "cannot be written to" in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_the_folder_is_the_one_named_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.delenv(TEMPORARY, raising=False)
    assert Path(temporary_folder()).is_dir()
    monkeypatch.setenv("TMPDIR", "one")
    assert temporary_folder() == "one"
    monkeypatch.setenv(TEMPORARY, "two")
    assert temporary_folder() == "two"
