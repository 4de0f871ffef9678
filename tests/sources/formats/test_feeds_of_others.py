"""Real feeds and feedparser's own test files, where the data are there."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path
from typing import Any, cast

import pytest

from tests.sweeps import cases
from tidings.core.errors import FormatError, TidingsError
from tidings.core.files.reading import Content, Notes, as_content
from tidings.core.text.stated_times import StatedTimes
from tidings.sources.feeds.feed import read_channel, read_feed
from tidings.sources.recognition import recognise

pytestmark = pytest.mark.shared_data

COUNTS = {"news": 994, "odd": 1530}
OUTLETS = {
    "news": {
        "NDTV",
        "CBSNews.com",
        "The Washington Post",
        "economist.com",
        "TIME",
        "Al Jazeera",
        "Ghanaian Times",
    },
    "odd": {"MercoPress", "arts and ego"},
}
LEFTOVERS = re.compile(
    r"</?(?:p|a|br|div|img|b|i|span|script)\b|&(?:amp|nbsp|quot|lt|#\d+);|\ufffd|appeared first on",
    re.IGNORECASE,
)
ENCODINGS = cases(__file__, "encodings")


@pytest.fixture
def feeds(shared_data: Path) -> Path:
    return shared_data / "feeds"


@pytest.mark.parametrize("folder", ["news", pytest.param("odd", marks=pytest.mark.long)])
def test_every_item_of_real_feeds(feeds: Path, folder: str) -> None:
    count, times, outlets = 0, StatedTimes(), set()
    for path in sorted((feeds / folder).iterdir()):
        kind = recognise(as_content(path))
        assert kind is not None
        assert kind.name == "feed"
        notes = Notes()
        for item in read_feed(path, notes=notes):
            count += 1
            assert times.read(item.published) is not None or " 0001 " in str(item.published)
            assert item.title or item.text
            outlets.add(item.source)
            assert LEFTOVERS.search(item.title) is None, item.title
            if folder == "news":
                assert item.url.startswith("https://")
                assert LEFTOVERS.search(item.text) is None, item.text
                assert "publisher=" not in item.url
        assert not notes.dropped
    assert count == COUNTS[folder]
    assert outlets >= OUTLETS[folder]
    assert not outlets & {"", "World", "Asia", "World - CBSNews.com"}


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings(feeds: Path, name: str) -> None:
    text = " ".join(f"{item.title} {item.text}" for item in read_feed(feeds / "miniflux" / name))
    assert ENCODINGS[name] in text


def test_files_of_miniflux_that_are_no_feeds(feeds: Path) -> None:
    for path in (feeds / "miniflux").glob("*.html"):
        with pytest.raises(FormatError, match="<html>"):
            list(read_feed(path))


@pytest.mark.long
def test_expectations_of_feedparsers_well_formed_files(feeds: Path) -> None:
    """scripts/table_of_feeds.py prints the shares, beside those of feedparser and fastfeedparser."""
    from table_of_feeds import cases, is_right, read_by_tidings

    wanted = right = 0
    for case in cases(feeds / "feedparser-tests.tgz"):
        if case.expectations:
            read = read_by_tidings(case)
            wanted += len(case.expectations)
            right += sum(is_right(one, read) for one in case.expectations)
    assert wanted > 1300
    assert right >= 0.98 * wanted


@pytest.mark.long
def test_every_file_of_feedparser_is_read_or_refused_clearly(feeds: Path) -> None:
    with tarfile.open(feeds / "feedparser-tests.tgz") as files:
        for member in files.getmembers():
            if not member.isfile() or not member.name.endswith((".xml", ".json")):
                continue
            content = Content(member.name, data=cast("Any", files.extractfile(member)).read())
            for read in (read_feed, read_channel):
                try:
                    items = read(content)
                    if read is read_feed:
                        list(cast("Any", items))
                except TidingsError as error:
                    assert str(error).startswith(f"{member.name}: found ")
                    assert len(str(error)) < 400
