"""The files below a folder, and whether they are items or something else."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from tidings.core import Notes, data_beside, ending, find, is_folder
from tidings.sources.registry import DOCUMENT_FORMATS

_DEPTH = 64  # folders within folders
_LOOKED_AT = 10_000  # places that are looked at for a page
_LOOKED_INTO = 100  # of them, where a name has no ending
_DATA = data_beside(__file__)
_ASSETS = frozenset(_DATA["assets"])
_OTHERS = tuple(_DATA["judgments"])
_JUDGED = re.compile(r"qrels|dayepoch\.txt", re.IGNORECASE)
_ENDINGS = frozenset(_DATA["items"])


def is_folder_of_items(folder: str | Path, is_item: Callable[[Path], bool]) -> bool:
    """Whether a folder holds files that may be items, and is no folder of judgments, of tidings' or of a track's.

    Args:
        folder: where the files are.
        is_item: says of a file whose name has no ending whether it is one.

    >>> is_folder_of_items("no-such-folder", lambda path: True)
    False
    """
    if not is_folder(folder) or find(folder, *DOCUMENT_FORMATS["judgments"].marks, *_OTHERS) is not None:
        return False
    if any(_JUDGED.search(name) for name in os.listdir(folder)):  # noqa: PTH208
        return False
    for seen, (path, _) in enumerate(files_below(folder, Notes())):
        kind = ending(path)
        if kind in _ENDINGS or (not kind and seen < _LOOKED_INTO and is_item(path)):
            return True
        if seen > _LOOKED_AT:
            break
    return False


def is_asset(name: str) -> bool:
    """Whether a file is a part of pages, not one of them, by its name.

    >>> is_asset("fire_files/style.css"), is_asset("fire.html")
    (True, False)
    """
    return ending(name) in _ASSETS


def files_below(folder: str | Path, notes: Notes) -> Iterator[tuple[Path, int]]:
    """Every regular file below a folder, by the order of their names, with the time of its last change.

    What is passed over is noted; a link to a folder is followed once.
    """
    visited: set[tuple[int, int]] = set()
    waiting = [(Path(folder), 0)]
    while waiting:
        path, depth = waiting.pop()
        name = path.name
        try:
            about = path.stat()
        except (OSError, ValueError):
            notes.drop(str(path), "a link to nothing")
            continue
        if depth and name.startswith("."):
            notes.drop(str(path), "a hidden file")
        elif S_ISDIR(about.st_mode):
            place = (about.st_dev, about.st_ino)
            if place in visited or depth > _DEPTH:
                notes.drop(
                    str(path), "a folder that was read already" if place in visited else "folders too deep"
                )
                continue
            visited.add(place)
            try:
                names = sorted(os.listdir(path), reverse=True)  # noqa: PTH208 (names only, sorted as text)
            except OSError:
                notes.drop(str(path), "a folder that may not be read")
                continue
            waiting += [(path / other, depth + 1) for other in names]
        elif not S_ISREG(about.st_mode):
            notes.drop(str(path), "no regular file")
        elif is_asset(name):
            notes.drop(str(path), "a picture, style, script or the like")
        elif not os.access(path, os.R_OK):
            notes.drop(str(path), "a file that may not be read")
        else:
            yield path, int(about.st_mtime)
