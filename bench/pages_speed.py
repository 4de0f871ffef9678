"""Pages read each second, beside trafilatura and resiliparse's main content alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Row = tuple[str, float, str, str]


def _pages(archive: Path) -> list[bytes]:
    import gzip
    import tarfile

    with tarfile.open(archive) as file:
        members = [one for one in file if one.name.endswith(".html.gz")]
        return [gzip.decompress(part.read()) for one in members if (part := file.extractfile(one))]


def _speed(pages: list[bytes], read: Callable[[bytes], Any]) -> float:
    read(pages[0])
    start = time.process_time()
    for page in pages:
        read(page)
    return len(pages) / (time.process_time() - start)


def _by_tidings(page: bytes) -> None:
    from tidings.core.files.reading import Content
    from tidings.sources.pages.page import read_page

    list(read_page(Content("page", data=page)))


def _by_resiliparse(page: bytes) -> None:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    extract_plain_text(HTMLTree.parse_from_bytes(page, detect_encoding(page)), main_content=True)


def _by_trafilatura(page: bytes) -> None:
    from trafilatura import extract

    extract(page)


def rows(archive: Path) -> list[Row]:
    """Real article pages, 200 kB each in the mean, text and metadata; the peers read the text alone."""
    pages = _pages(archive)
    found = [
        ("pages by tidings", _speed(pages, _by_tidings), "pages", "text and metadata"),
        ("pages by resiliparse", _speed(pages, _by_resiliparse), "pages", "main content alone"),
    ]
    if find_spec("trafilatura"):
        found.append(("pages by trafilatura", _speed(pages, _by_trafilatura), "pages", "text alone"))
    return found
