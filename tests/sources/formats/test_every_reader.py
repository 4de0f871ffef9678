"""Every reader of the list of formats, on what nobody should give it: a result, or one error that names the place."""

from __future__ import annotations

import gzip
import random
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import zstandard

from tests.sources.formats import samples
from tests.sweeps import every
from tidings.core.errors import TidingsError
from tidings.core.files import reading
from tidings.core.files.reading import Content, Notes
from tidings.evaluation.formats.registry import FORMATS

NOISE = random.Random(9).randbytes(3000)
DIGITS = "7" * 6000
HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "blank lines": b"\n \n\n",
    "zero bytes": b"\0" * 4096,
    "noise": NOISE,
    "noise in lines": b"\n".join(NOISE[at : at + 60].replace(b"\n", b" ") for at in range(0, 3000, 60)),
    "half a mark": b"\xef\xbb",
    "UTF-16": "événement 1\n".encode("utf-16"),
    "a lone number": DIGITS.encode(),
    "brackets": b"[" * 50_000,
    "objects": b'{"a":' * 20_000,
    "a list": b"[]\n[]\n",
    "null": b"null\n",
    "an empty object": b"{}\n",
}
PLACES = [(name, name) for name in samples.FILES]
PLACES += [(name, part) for name, parts in samples.FOLDERS.items() for part in parts]
TEXTS = list(PLACES)
PLACES += [(name, name) for name in samples.BINARY]
every_place = every("name, part", PLACES)
every_text = every("name, part", TEXTS)
every_format = every("name", FORMATS)


def sample(folder: Path, name: str, part: str) -> tuple[Path, Path]:
    """What the reader of a format takes, and the one file that is to be hostile."""
    path = samples.write_sample(folder, name)
    return path, path / part if name in samples.FOLDERS else path


def message(name: str, path: Path, notes: Notes | None = None) -> str:
    """What the reader says; empty where it reads. Any other exception goes through, and fails the test."""
    options = {"notes": notes} if notes is not None and FORMATS[name].holds == "items" else {}
    try:
        read = FORMATS[name].read(path, **options)
        if isinstance(read, Iterator):
            for _ in read:
                pass
    except TidingsError as error:
        return str(error)
    return ""


def check(name: str, path: Path, hostile: Path, notes: Notes | None = None) -> str:
    """Read; where it is refused, the message is short, and each of its lines of faults begins with the file."""
    said = message(name, path, notes)
    if said:
        first = said.splitlines()[0]
        assert first.startswith((str(hostile), str(path))), first
        assert len(said) < 20_000
        assert "Traceback" not in said
        assert "\0" not in said
    return said


@every_place
@every("kind", HOSTILE)
def test_what_is_not_of_the_format(tmp_path: Path, name: str, part: str, kind: str) -> None:
    path, hostile = sample(tmp_path, name, part)
    hostile.write_bytes(HOSTILE[kind])
    notes = Notes()
    said = check(name, path, hostile, notes)
    if kind in ("zero bytes", "noise"):
        assert said or notes.dropped


@every_text
def test_numbers_of_six_thousand_digits(tmp_path: Path, name: str, part: str) -> None:
    """In place of each number of the sample, one at a time."""
    path, hostile = sample(tmp_path, name, part)
    text = hostile.read_text(encoding="utf-8")
    places = [at for at, char in enumerate(text) if char.isdigit() and not (at and text[at - 1].isdigit())]
    for at in places:
        end = at
        while end < len(text) and text[end].isdigit():
            end += 1
        hostile.write_text(text[:at] + DIGITS + text[end:], encoding="utf-8")
        check(name, path, hostile)


@pytest.mark.parametrize("positions", [3, pytest.param(25, marks=pytest.mark.long)])
@every_place
def test_bytes_that_are_no_text_in_a_good_file(tmp_path: Path, name: str, part: str, positions: int) -> None:
    path, hostile = sample(tmp_path, name, part)
    data = hostile.read_bytes()
    for start, put in enumerate((b"\0", b"\xff", b"\x1b[31m", b"\r", "\u2028".encode(), b"\xed\xa0\x80")):
        for at in range(start, len(data), max(1, len(data) // positions)):
            hostile.write_bytes(data[:at] + put + data[at + 1 :])
            said = check(name, path, hostile)
            assert "\x1b" not in said


@every_place
def test_archives_that_stop_early(tmp_path: Path, name: str, part: str) -> None:
    path, hostile = sample(tmp_path, name, part)
    packed = gzip.compress(hostile.read_bytes() * 50)
    hostile.unlink()
    archive = hostile.with_name(f"{hostile.name}.gz")
    path = archive if path == hostile else path
    for size in (0, 1, 9, len(packed) // 2, len(packed) - 1):
        archive.write_bytes(packed[:size])
        notes = Notes()
        # What saves the items before the end says so in its notes.
        assert check(name, path, archive, notes) or notes.dropped or notes.remarks


@every_place
def test_what_unpacks_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, part: str
) -> None:
    """With limits a thousandth of the usual, so that reading to them takes no time."""
    small = reading.Limits(
        max_bytes=4 << 17, max_whole_bytes=1 << 17, ratio_after_bytes=1 << 16, max_line_bytes=1 << 16
    )
    import_module(f"tidings.{FORMATS[name].reader.partition(':')[0]}")
    for module in [each for each in sys.modules if each.startswith("tidings.")]:
        function_defaults(monkeypatch, module, small)
    for method in (Content.open, Content.read):
        monkeypatch.setattr(method, "__defaults__", (small,))
    path, hostile = sample(tmp_path, name, part)
    hostile.unlink()
    bomb = hostile.with_name(f"{hostile.name}.zst")
    path = bomb if path == hostile else path
    for filling in (b" ", b"\n"):
        bomb.write_bytes(zstandard.compress(filling * (6 << 17)))
        assert bomb.stat().st_size < 2000
        notes = Notes()
        assert check(name, path, bomb, notes) or notes.dropped


def function_defaults(monkeypatch: pytest.MonkeyPatch, module: str, limits: reading.Limits) -> None:
    """Let every function of a module that takes `limits` take these."""
    for value in vars(import_module(module)).values():
        if callable(value) and getattr(value, "__module__", "") == module and hasattr(value, "__code__"):
            for place, one in (
                ("__defaults__", value.__defaults__),
                ("__kwdefaults__", value.__kwdefaults__),
            ):
                if not one:
                    continue
                if isinstance(one, dict) and isinstance(one.get("limits"), reading.Limits):
                    monkeypatch.setattr(value, place, one | {"limits": limits})
                elif isinstance(one, tuple) and any(isinstance(item, reading.Limits) for item in one):
                    changed = tuple(limits if isinstance(item, reading.Limits) else item for item in one)
                    monkeypatch.setattr(value, place, changed)


@every_format
def test_a_folder_in_place_of_a_file_and_a_file_in_place_of_a_folder(tmp_path: Path, name: str) -> None:
    if name not in samples.FOLDERS:
        path = tmp_path / (samples.FILES | samples.BINARY)[name][0]
        path.mkdir()
        assert "folder" in check(name, path, path)
    else:
        path = tmp_path / "file"
        path.write_bytes(NOISE)
        assert check(name, path, path)


@every_place
def test_a_folder_in_place_of_a_part(tmp_path: Path, name: str, part: str) -> None:
    path, hostile = sample(tmp_path, name, part)
    hostile.unlink()
    hostile.mkdir()
    check(name, path, hostile)


@every_format
def test_nothing_there(tmp_path: Path, name: str) -> None:
    path = tmp_path / "nothing"
    assert "there is no such" in check(name, path, path)


@every_format
@every("as_path", [False, True])
def test_a_url(name: str, as_path: bool) -> None:
    url = "https://example.org/a.jsonl"
    with pytest.raises(TidingsError, match=r"https://example\.org/a\.jsonl: addresses cannot be read here"):
        list(FORMATS[name].read(Path(url) if as_path else url))


@every_format
def test_a_name_that_no_file_can_have(name: str) -> None:
    for path in ("a\0b", "a" * 5000):
        with pytest.raises(TidingsError):
            list(FORMATS[name].read(path))
