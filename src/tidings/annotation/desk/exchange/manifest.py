"""Which files of a folder an export wrote, and may replace: they are listed beside them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from tidings.core import COMPRESSED, OutputError, UsageError, failure, make_folder, write_atomically

__all__ = ["MANIFEST", "former_files", "put_in_place", "written_aside"]

MANIFEST = "export.json"
_MOST_BYTES = 1 << 16
_WORDS = "tidings assess export wrote these files; the next one into this folder replaces or removes them"
_POOLS = ("updates_sampled.tsv", "updates_sampled.extended.tsv")


class _Manifest(Struct, forbid_unknown_fields=True):
    about: str
    files: list[str]


def former_files(folder: Path, names: Iterable[str], *, overwrite: bool = False) -> frozenset[str]:
    """The files of a folder that a former export wrote.

    Args:
        folder: where to look.
        names: of what an export may write; others are nobody's to replace, whatever the list says.
        overwrite: take each file of such a name, compressed or not, for a former export's.
    """
    possible = {name + ending for name in names for ending in COMPRESSED}
    if overwrite:
        there = (name for name in {*possible, MANIFEST} if _is_there(folder / name))
        return frozenset(name for name in there if not (folder / name).is_dir())
    path = folder / MANIFEST
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return frozenset()
        listed = msgspec.json.decode(path.read_bytes(), type=_Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return frozenset()
    return frozenset({MANIFEST} | (possible & set(listed.files)))


@contextmanager
def written_aside(folder: str | Path) -> Iterator[Path]:
    """A new folder within a folder, for files that are not yet in their place; it goes in the end.

    What could not be written is named as if it stood in its place. A folder that was made for it goes where the
    writing failed.
    """
    was_there = Path(folder).exists()
    place = make_folder(folder)
    try:
        try:
            aside = tempfile.TemporaryDirectory(prefix=".export-", dir=place)
        except OSError as error:
            raise failure(str(folder), error) from None
        with aside as made:
            try:
                yield Path(made)
            except OutputError as error:
                raise OutputError(str(error).replace(made, str(folder))) from None
    except BaseException:
        if not was_there and not any(place.iterdir()):
            place.rmdir()
        raise


def put_in_place(made: Path, folder: Path, names: Collection[str], former: Collection[str]) -> None:
    """Move files to where they belong; what a former export wrote and this one did not is removed.

    Ended in the middle it leaves whole files, all of them in the list, which the next export puts right.

    Args:
        made: where the files are.
        folder: where they belong.
        names: of the files.
        former: names of files that may be replaced.

    Raises:
        UsageError: a file of that name, or of that table otherwise compressed, is there and may not be replaced;
            nothing was changed then.
        OutputError: a file could not be moved.
    """
    for name in sorted({*names, MANIFEST}):
        for other in _alternatives(name):
            if (folder / other).is_dir() or (other not in former and _is_there(folder / other)):
                beside = "" if other == name else f" beside {name}"
                raise UsageError(
                    f"{folder / other}: found a file that no export wrote, expected none{beside}; "
                    "choose another folder, or replace what is there with --overwrite"
                )
    _write(folder, {*names, *former} - {MANIFEST})
    try:
        for name in sorted(names):
            os.replace(made / name, folder / name)  # noqa: PTH105
        for name in sorted({*former} - {*names, MANIFEST}):
            if not (folder / name).is_dir():
                (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise failure(str(folder), error, direct=True) from None
    _write(folder, names)


def _write(folder: Path, names: Iterable[str]) -> None:
    with write_atomically(folder / MANIFEST) as file:
        file.write(
            msgspec.json.format(msgspec.json.encode(_Manifest(_WORDS, sorted(names))), indent=1) + b"\n"
        )


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _alternatives(name: str) -> set[str]:
    # Files of which readers take one: whose judgments come out would be chance.
    if name == MANIFEST:
        return {name}
    bare = next(name.removesuffix(ending) for ending in reversed(COMPRESSED) if name.endswith(ending))
    return {one + ending for one in (_POOLS if bare in _POOLS else (bare,)) for ending in COMPRESSED}
