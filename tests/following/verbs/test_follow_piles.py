"""`tidings follow` and its kin over files in any order: nothing is lost, wherever a run is stopped."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections import namedtuple
from email.utils import formatdate
from pathlib import Path

import pytest
from msgspec.structs import replace

import tidings
from tidings.cli import run
from tidings.core.files import jsonl
from tidings.following.hosting.runs import host
from tidings.following.hosting.settings import RunSettings
from tidings.following.hosting.sources import query_events
from tidings.sources.items import pile

DAY = 1_400_000_000 // 86400 * 86400
QUERY = ["--query", "storm", "--system", "first"]


def lines(times: list[int], first: int = 0) -> str:
    return "".join(
        json.dumps(
            {
                "id": f"d{number}",
                "published_time": DAY + time,
                "source": "wire",
                "sentences": [f"Storm number {number} is here.", "Something else."],
            }
        )
        + "\n"
        for number, time in enumerate(times, first)
    )


def follow(stream: Path, out: Path, *more: str) -> list[str]:
    assert run(["follow", str(stream), *QUERY, "--out", str(out), "--quiet", *more]) == 0
    return [line.split("\t")[3] for line in out.read_text().splitlines()]


NEWEST = list(range(6000, 0, -60))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "storm.run"


@pytest.mark.parametrize("kind", ["file", "folder", "gzip", "bad lines"])
def test_newest_first_loses_nothing(
    kind: str, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = tmp_path / ("pile" if kind == "folder" else "pile.jsonl.gz" if kind == "gzip" else "pile.jsonl")
    if kind == "folder":
        stream.mkdir()
        (stream / "documents.jsonl").write_text(lines(NEWEST))
    elif kind == "gzip":
        stream.write_bytes(gzip.compress(lines(NEWEST).encode()))
    elif kind == "bad lines":
        stream.write_text("no JSON\n" + lines(NEWEST) + '{"published_time": "yesterday"}\n')
    else:
        stream.write_text(lines(NEWEST))
    assert follow(stream, out, "--lenient") == [f"d{number}" for number in range(99, -1, -1)]
    with sqlite3.connect(f"{out}.db") as store:
        assert store.execute("SELECT late, read FROM positions").fetchall() == [(0, 100)]
    store.close()
    assert follow(stream, out, "--lenient") == [f"d{number}" for number in range(99, -1, -1)]
    assert not [line for line in capsys.readouterr().err.splitlines() if "late" in line]


def test_it_is_said_that_a_file_was_sorted(
    tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = tmp_path / "pile.jsonl"
    stream.write_text(lines(NEWEST))
    assert run(["follow", str(stream), *QUERY, "--out", str(out)]) == 0
    assert f"{stream}: sorted by time, as 89 of 100 documents" in capsys.readouterr().err
    stream.write_text(lines(NEWEST[::-1]))
    assert run(["follow", str(stream), *QUERY, "--out", str(out), "--restart"]) == 0
    assert "sorted" not in capsys.readouterr().err


def test_a_sorted_file_that_has_grown(tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is later goes on; what is older than what was decided is late, as in any file that has grown."""
    stream = tmp_path / "pile.jsonl"
    stream.write_text(lines(NEWEST))
    before = follow(stream, out)
    stream.write_text(lines(NEWEST) + lines([6300, 6200, 30, 6100], 100))
    assert follow(stream, out) == [*before, "d103", "d101", "d100"]
    said = capsys.readouterr().err
    assert "1 document left out, because it came too late" in said
    assert f"{stream}: document 103 (d102)" in said
    assert follow(stream, out) == [*before, "d103", "d101", "d100"]


def test_a_sorted_file_that_was_rewritten_with_older_documents(
    tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = tmp_path / "pile.jsonl"
    stream.write_text(lines(NEWEST))
    before = follow(stream, out)
    stream.write_text(lines([30], 100) + lines(NEWEST))
    assert run(["follow", str(stream), *QUERY, "--out", str(out), "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "has documents now that it had not, from before 2014-05-13T01:40:00Z, which was decided on" in said
    assert "--restart" in said
    assert follow(stream, out, "--restart") == ["d100", *before]


def test_several_streams_are_each_sorted_and_then_merged(tmp_path: Path, out: Path) -> None:
    (tmp_path / "a.jsonl").write_text(lines([500, 100, 2000], 0))
    (tmp_path / "b.jsonl").write_text(lines([50, 300, 1000], 10))
    (tmp_path / "c.xml").write_text(
        "<rss version='2.0'><channel><title>Wire</title>"
        + "".join(
            f"<item><guid>{time}</guid><title>Storm of {time} seconds</title><pubDate>{date}</pubDate></item>"
            for time, date in ((900, "Tue, 13 May 2014 00:15:00 GMT"), (200, "Tue, 13 May 2014 00:03:20 GMT"))
        )
        + "</channel></rss>"
    )
    command = ["follow", *(str(tmp_path / name) for name in ("a.jsonl", "b.jsonl", "c.xml")), *QUERY]
    for _ in range(2):
        assert run([*command, "--lateness", "0s", "--out", str(out), "--quiet"]) == 0
        told = [line.split("\t") for line in out.read_text().splitlines()]
        assert [int(row[5]) - DAY for row in told] == [50, 100, 200, 300, 500, 900, 1000, 2000]


def test_a_pace_in_all_looks_at_the_times_once_and_reads_once(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = tmp_path / "pile.jsonl"
    stream.write_text(lines(NEWEST))
    opened: list[str] = []

    real = jsonl.open_unpacked
    monkeypatch.setattr(
        jsonl, "open_unpacked", lambda path, limits: opened.append(str(path)) or real(path, limits)
    )
    follow(stream, out, "--about", "30")
    assert len(opened) == 2


Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize("fault", ["full", "missing"])
def test_no_room_to_sort_is_said_and_nothing_is_written(
    fault: str,
    tmp_path: Path,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stream = tmp_path / "pile.jsonl"
    stream.write_text(lines(NEWEST))
    monkeypatch.setitem(pile.Pile.__init__.__kwdefaults__, "memory_bytes", 999)
    if fault == "full":
        monkeypatch.setattr(pile.shutil, "disk_usage", lambda folder: Usage(1, 1, 0))
    else:
        monkeypatch.setenv(pile.TEMPORARY, str(tmp_path / "nowhere"))
    assert run(["follow", str(stream), *QUERY, "--out", str(out), "--quiet"]) == 2
    said = capsys.readouterr().err
    assert pile.TEMPORARY in said
    assert "Traceback" not in said
    assert not out.exists()
    monkeypatch.undo()
    assert len(follow(stream, out)) == 100


KILLING = """
import os, signal, sys
from tidings.sources.items.pile import Pile
kwargs = Pile.__init__.__kwdefaults__
kwargs["memory_bytes"] = 20_000
added = [0]
add = Pile.add
def counted(self, document):
    added[0] += 1
    if added[0] == int(os.environ["KILLED_AT"]):
        os.kill(os.getpid(), signal.SIGKILL)
    add(self, document)
Pile.add = counted
from tidings.cli import main
main(sys.argv[1:])
"""


def test_killed_in_the_sort_it_begins_again_and_leaves_no_files(tmp_path: Path, out: Path) -> None:
    stream, temp = tmp_path / "pile.jsonl", tmp_path / "temp"
    temp.mkdir()
    times = list(range(0, 30_000, 30))
    random.Random(7).shuffle(times)
    stream.write_text(lines(times))
    expected = [f"d{number}" for number in sorted(range(1000), key=lambda number: times[number])]
    environment = {**os.environ, pile.TEMPORARY: str(temp), "KILLED_AT": "900"}
    command = ["follow", str(stream), *QUERY, "--out", str(out), "--quiet"]
    killed = subprocess.run([sys.executable, "-c", KILLING, *command], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not list(temp.iterdir())
    assert follow(stream, out) == expected


class TestOtherVerbs:
    """All verbs that take streams take what other people write."""

    @pytest.fixture
    def feed(self, tmp_path: Path) -> Path:
        path = tmp_path / "world.xml"
        items = [
            ("Storm kills three on the coast", "Tue, 13 May 2014 12:00:00 GMT"),
            ("Storm reaches the coast near Bergen", "Tue, 13 May 2014 08:00:00 GMT"),
        ]
        path.write_text(
            "<rss version='2.0'><channel><title>Wire</title>"
            + "".join(
                f"<item><title>{title}</title><description>{title}, the police said on Tuesday.</description>"
                f"<guid>{number}</guid><pubDate>{date}</pubDate></item>"
                for number, (title, date) in enumerate(items)
            )
            + "</channel></rss>"
        )
        return path

    def test_digest(self, feed: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["digest", str(feed), "--query", "storm", "--format", "text"]) == 0
        told = capsys.readouterr()
        assert "2014-05-13" in told.out
        assert "Storm" in told.out
        assert "2 documents read" in told.err

    @pytest.mark.parametrize("verb", ["values", "entities"])
    def test_values_and_entities(self, verb: str, feed: Path, tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"
        assert run([verb, str(feed), "--query", "storm", "--out", str(out), "--quiet"]) == 0
        assert out.stat().st_size

    def test_timeline(self, feed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = tmp_path / "out.run"
        assert len(follow(feed, out)) >= 2
        assert run(["timeline", str(out), "--stream", str(feed)]) == 0
        assert "Storm reaches the coast" in capsys.readouterr().out

    def test_from_a_program(self, feed: Path) -> None:
        documents = list(tidings.read_documents(feed))
        assert [document.published_time - DAY for document in documents] == [8 * 3600, 12 * 3600]
        told = [update.text for update in tidings.follow(feed, query="storm", system="first")]
        assert told[0].startswith("Storm reaches")
        assert len(told) >= 2

    def test_a_file_of_documents_from_a_program(self, tmp_path: Path) -> None:
        stream = tmp_path / "pile.jsonl"
        stream.write_text(lines(NEWEST))
        made = tidings.follow(stream, query="storm", system="first")
        assert len(list(made)) == 100
        assert made.tally.late_count == 0


class TestFeeds:
    """What is always sorted, over several attempts."""

    @staticmethod
    def write(path: Path, times: list[int]) -> None:
        items = "".join(
            f"<item><guid>g{time}</guid><title>Storm number {time} is here</title>"
            f"<pubDate>{formatdate(DAY + time)}</pubDate></item>"
            for time in times
        )
        path.write_text(f"<rss version='2.0'><channel><title>Wire</title>{items}</channel></rss>")

    def test_stopped_anywhere_it_ends_as_an_undisturbed_run(self, tmp_path: Path) -> None:
        feed = tmp_path / "world.xml"
        self.write(feed, NEWEST)
        settings = RunSettings(
            streams=(str(feed),),
            events=tuple(query_events(["storm"])),
            system="first",
            out=str(tmp_path / "a.run"),
        )
        with host(settings) as undisturbed:
            list(undisturbed)
        settings = replace(settings, out=str(tmp_path / "b.run"))
        for number in (0, 1, 7, 50, 99, 1000):
            with host(settings, stop=lambda: stopped.tally.documents >= number) as stopped:  # noqa: B023
                list(stopped)
        assert stopped.tally.complete
        assert (tmp_path / "a.run").read_bytes().count(b"\n") == 100
        assert (tmp_path / "b.run").read_bytes() == (tmp_path / "a.run").read_bytes()

    def test_a_feed_that_was_fetched_again(
        self, tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        feed = tmp_path / "world.xml"
        self.write(feed, [4000, 3000, 2000])
        before = follow(feed, out)
        self.write(feed, [6000, 5000, 4000, 3000, 2000])
        grown = follow(feed, out)
        assert grown[:3] == before
        assert len(grown) == 5
        for times, how in (([6000, 5000, 4000, 3000, 2000, 1000], "has"), ([6000, 5000, 4000], "fewer")):
            self.write(feed, times)
            assert run(["follow", str(feed), *QUERY, "--out", str(out), "--quiet"]) == 2
            assert f"it {how} documents now" in (said := capsys.readouterr().err) or "now has fewer" in said
        assert len(follow(feed, out, "--restart")) == 3
