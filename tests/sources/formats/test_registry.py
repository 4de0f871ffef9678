"""One list of formats: every entry works, and what chooses, chooses from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources.formats import samples
from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.evaluation.convert import convert, kind_of_source
from tidings.evaluation.formats.registry import CONVERTIBLE, FORMATS
from tidings.following.outputs.runs import read_runs
from tidings.sources.registry import Format
from tidings.sources.streams import read_events, read_stream

SAME = [name for name in CONVERTIBLE if FORMATS[name].becomes == (name,)]


def content(form: Format, path: Path) -> object:
    read = form.read(path)
    return list(read) if isinstance(read, Iterator) else read


def test_every_format_has_a_sample() -> None:
    assert {*samples.FILES, *samples.BINARY, *samples.FOLDERS} == FORMATS.keys()


@every("name", FORMATS)
def test_each_is_called_by_its_name_and_becomes_what_there_is(name: str) -> None:
    form = FORMATS[name]
    assert form.name == name
    assert all(FORMATS[other].becomes and FORMATS[other].writer for other in form.becomes)
    assert not form.endings or not form.is_folder


@every("name", FORMATS)
def test_each_sample_is_read(tmp_path: Path, name: str) -> None:
    path = samples.write_sample(tmp_path, name)
    assert FORMATS[name].is_name_of(path)
    assert content(FORMATS[name], path)


@every("name", [name for name, form in FORMATS.items() if form.writer])
def test_each_is_written_as_it_was_read(tmp_path: Path, name: str) -> None:
    form = FORMATS[name]
    path = samples.write_sample(tmp_path, name)
    (tmp_path / "written").mkdir()
    written = tmp_path / "written" / path.name
    form.write(written, form.read(path))
    again = content(form, written)
    if form.is_folder:
        assert again.nuggets == form.read(path).nuggets
        assert again.matches
    else:
        assert again == content(form, path)


@every("name", SAME)
def test_what_has_no_counterpart_is_converted_to_itself(tmp_path: Path, name: str) -> None:
    path = samples.write_sample(tmp_path, name)
    (tmp_path / "packed").mkdir()
    packed = tmp_path / "packed" / f"{path.name}.gz"
    done = convert(path, packed, source_kind=name)
    assert done.counts
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    assert content(FORMATS[name], packed) == content(FORMATS[name], path)


def test_a_timeline_changes_its_form(tmp_path: Path) -> None:
    path = samples.write_sample(tmp_path, "timelines")
    convert(path, tmp_path / "a.json", source_kind="timelines")
    assert (tmp_path / "a.json").read_text(encoding="utf-8").startswith("[")
    assert FORMATS["timelines"].read(tmp_path / "a.json") == FORMATS["timelines"].read(path)


def test_what_has_no_counterpart_is_never_guessed(tmp_path: Path) -> None:
    for name in SAME:
        path = samples.write_sample(tmp_path, name)
        try:
            guessed = kind_of_source(path, target="out.run")
        except UsageError:
            continue
        assert guessed not in SAME
    with pytest.raises(UsageError, match="cannot make run of facts; expected --to facts"):
        convert("a.jsonl", tmp_path / "b.run", source_kind="facts", target_kind="run")


@every(
    "holds, path, name",
    cases(__file__, "a name tells the format"),
)
def test_a_name_tells_the_format(holds: str, path: str, name: str | None) -> None:
    chosen = FORMATS.choose(holds, path)
    assert (chosen and chosen.name) == name


def test_a_folder_is_told_by_its_files(tmp_path: Path) -> None:
    for name in ("trec", "judgments"):
        folder = samples.write_sample(tmp_path, name)
        assert FORMATS.choose("judgments", folder) is FORMATS[name]
        assert [event.id for event in read_events(folder)] == ["TS14.1"]
    assert FORMATS.choose("updates", tmp_path).name == "run", (
        "any name will do, and the reader will say what it is"
    )
    assert not FORMATS["run"].is_name_of(tmp_path)


def test_a_folder_may_be_called_as_a_file_is(tmp_path: Path) -> None:
    folder = samples.write_sample(tmp_path, "judgments").rename(tmp_path / "a.jsonl")
    assert [document.id for document in read_stream(folder)] == ["60-a"]
    assert kind_of_source(folder) == "judgments"


@every(
    "name, path, suits",
    cases(__file__, "a path suits what is written"),
)
def test_a_path_suits_what_is_written(name: str, path: str, suits: bool) -> None:
    assert FORMATS[name].suits(path) is suits


def test_an_existing_place_suits_by_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert FORMATS["run"].suits(tmp_path / "file")
    assert not FORMATS["trec"].suits(tmp_path / "file")
    assert not FORMATS["run"].suits(tmp_path)
    assert FORMATS["trec"].suits(tmp_path)


def test_a_run_whose_card_could_have_no_name_has_none(tmp_path: Path) -> None:
    path = samples.write_sample(tmp_path, "run").rename(tmp_path / ("a" * 250))
    assert [run.card for run in read_runs(path)] == [None]
