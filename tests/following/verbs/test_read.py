"""`tidings read`: what was understood of sources."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from tests.sources.formats import samples
from tests.sweeps import cases, every
from tidings.cli import make_app
from tidings.evaluation.formats.registry import FORMATS

_ITEM = (
    "<item><title>{title}</title><guid>{guid}</guid><pubDate>{date}</pubDate>"
    "<description>{text}</description></item>"
)


def feed(path: Path, *items: tuple[str, str, str, str]) -> Path:
    """A feed of (guid, title, date, text)."""
    body = "".join(
        _ITEM.format(guid=guid, title=title, date=date, text=text) for guid, title, date, text in items
    )
    path.write_text(
        f"<rss version='2.0'><channel><title>The Wire</title>{body}</channel></rss>", encoding="utf-8"
    )
    return path


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return feed(
        tmp_path / "world.xml",
        ("1", "Ferry burns in port", "Tue, 17 Feb 2026 10:30:00 GMT", "A ferry burns. All were saved."),
        ("2", "Storm hits the coast", "Tue, 17 Feb 2026 08:30:00", "Roofs are gone."),
        ("1", "Ferry burns in port", "Tue, 17 Feb 2026 10:30:00 GMT", "A ferry burns. All were saved."),
        ("3", "Undated words", "soon", "Nobody knows when."),
    )


def read(*args: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(make_app(["read"]), ["read", *map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_it_shows_what_is_understood(world: Path) -> None:
    code, out, _ = read(world)
    assert code == 0
    assert "2 documents of 1 outlet, 17 Feb 2026 08:30 – 17 Feb 2026 10:30 UTC" in out
    assert "The Wire 2" in out and "en 2" in out and "the same id 1" in out
    assert "a date that cannot be read 1" in out and ": a date that cannot be read" in " ".join(out.split())
    assert "1 time names no zone and is read as UTC (--zone)" in out
    assert out.index("A ferry burns.") < out.index("All were saved.") < out.index("Roofs are gone.")
    assert all(line == line.rstrip() for line in out.splitlines())
    assert "\x1b" not in out


def test_out_is_documents_as_tidings_takes_them_and_says_the_same(world: Path, tmp_path: Path) -> None:
    first = read(world, "--out", tmp_path / "d.jsonl", "--zone", "Europe/Madrid")[1]
    second = read(tmp_path / "d.jsonl")[1]
    of_the_feed = ("  repeated", "  left out", "  remarks", " " * 18)
    assert [line for line in first.splitlines() if not line.startswith(of_the_feed)] == second.splitlines()
    lines = [msgspec.json.decode(line) for line in (tmp_path / "d.jsonl").read_bytes().splitlines()]
    assert [line["published_time"] for line in lines] == [1771313400, 1771324200]


def test_a_hyphen_prints_documents_and_says_the_rest_on_stderr(world: Path) -> None:
    code, out, err = read(world, "--out", "-")
    assert code == 0 and len(out.splitlines()) == 2
    assert "2 documents" in err and "2 documents" not in out


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    from tidings.core.errors import UsageError

    path = feed(tmp_path / "world.xml", ("1", "Words", "soon", ""))
    with pytest.raises(UsageError, match=r"no document.*a date that cannot be read: 1; first .*world.xml"):
        read(path, "--out", tmp_path / "d.jsonl")
    assert not (tmp_path / "d.jsonl").exists()


def test_quiet_says_nothing(world: Path) -> None:
    assert read(world, "--quiet")[1:] == ("", "")


@pytest.mark.parametrize(
    "args",
    cases(__file__, "options that make no sense are refused"),
)
def test_options_that_make_no_sense_are_refused(world: Path, args: tuple[str, ...]) -> None:
    from tidings.core.errors import UsageError

    with pytest.raises(UsageError, match=r"expected|such as|give time=COLUMN"):
        read(world, *args)


@every("first", ["17/02/2026 08:30 GMT", "02/17/2026 08:30 GMT"])
def test_all_dates_of_a_file_decide_day_and_month(tmp_path: Path, first: str) -> None:
    path = feed(
        tmp_path / "world.xml", ("1", "Ferry", "03/04/2026 08:30 GMT", "A."), ("2", "Storm", first, "B."),
    )  # fmt: skip
    out = read(path)[1]
    assert ("3 Apr 2026 08:30" in out) is first.startswith("17")
    assert ("4 Mar 2026 08:30" in out) is first.startswith("02")
    assert "(--day-first, --month-first)" in out
    assert "4 Mar 2026" in read(path, "--month-first")[1]
    assert "3 Apr 2026" in read(path, "--day-first")[1]


@every("name", [name for name, one in FORMATS.items() if one.holds == "items"])
def test_what_is_read_is_followed_alike(name: str, tmp_path: Path) -> None:
    """A source, and the documents that `read` makes of it, give the same updates."""
    from tidings.core.records import Event
    from tidings.following.hosting.runs import host
    from tidings.following.hosting.settings import RunSettings

    path = samples.write_sample(tmp_path, name)
    written = tmp_path / "d.jsonl"
    assert read(path, "--out", written, "--year", "2026", "--file-times")[0] == 0
    texts = [text for line in written.read_bytes().splitlines() for text in _texts(msgspec.json.decode(line))]
    event = Event(id="e", title="all", query=" ".join(texts))
    runs = []
    for stream in (path, written):
        from tidings.core.files.reading import ReadingOptions

        settings = RunSettings(
            streams=(str(stream),), events=(event,), system="first:min_words=0",
            reading=ReadingOptions(year=2026, file_times=True),
        )  # fmt: skip
        with host(settings) as run:
            runs.append([output for _, outputs in run for output in outputs])
    assert runs[0] == runs[1]
    assert runs[0]


def test_the_same_item_in_two_feeds_is_followed_once(tmp_path: Path) -> None:
    from tidings.core.records import Event
    from tidings.following.hosting.runs import host
    from tidings.following.hosting.settings import RunSettings

    date = "Tue, 17 Feb 2026 10:30:00 GMT"
    one = feed(tmp_path / "a.xml", ("1", "Ferry burns in port", date, "All were saved."))
    two = feed(
        tmp_path / "b.xml",
        ("1", "Ferry burns in port", date, "All were saved."),
        ("2", "Ferry sinks", date, "It sank."),
    )
    event = Event(id="e", title="ferry", query="ferry")
    settings = RunSettings(streams=(str(one), str(two)), events=(event,), system="first:min_words=0")
    with host(settings) as run:
        outputs = [output for _, those in run for output in those]
    assert [getattr(output, "text", "") for output in outputs] == ["Ferry burns in port", "Ferry sinks"]
    assert "2 documents" in read(one, two)[1]


def test_a_run_remembers_how_its_sources_are_understood() -> None:
    from tidings.core.files.reading import ReadingOptions
    from tidings.following.hosting.settings import RunSettings

    assert "reading" not in RunSettings().in_words()
    options = ReadingOptions(zone="Europe/Madrid", day_first=False, language="es", year=2026, quality=True)
    words = RunSettings(reading=options).in_words()["reading"]
    assert words == "zone Europe/Madrid, year 2026, month first, with care, language es"


@every("verb", ["follow", "values", "entities", "digest", "timeline"])
def test_verbs_that_take_streams_ask_how_they_are_understood(verb: str) -> None:
    zone = "--source-zone" if verb in ("digest", "timeline") else "--zone"
    result = CliRunner().invoke(make_app([verb]), [verb, "--help-all"], env={"COLUMNS": "200"})
    for option in (
        zone,
        "--year",
        "--day-first",
        "--month-first",
        "--columns",
        "--file-times",
        "--quality",
        "--language",
    ):
        assert option in result.stdout


def _texts(line: dict[str, object]) -> list[str]:
    return [str(line.get(key, "")) for key in ("title", "text", "sentences")]
