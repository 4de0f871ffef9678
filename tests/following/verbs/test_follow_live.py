"""`tidings follow --live`, and feeds of the web fetched once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.sources.polling.servers import Reply, Served, feed, serving
from tests.sweeps import cases, every
from tidings.cli import run
from tidings.core.errors import TidingsError
from tidings.core.options import options_of
from tidings.core.store.store import open_store
from tidings.following.grouping.stored import FollowedStories, FollowedStory
from tidings.following.hosting.live import LiveSettings
from tidings.following.hosting.output import default_store
from tidings.following.run_options import RunOptions
from tidings.following.verbs.live_run import live_settings

ITEMS = [(f"g{n}", f"Storm {n}", f"The storm took {n + 3} roofs in town {n}.") for n in range(5)]
QUERY = ["--query", "storm", "--system", "first:min_words=0"]


@pytest.fixture
def paper() -> Iterator[Served]:
    with serving(lambda asked: Reply(body=feed(ITEMS, dates=range(1_700_000_000, 1_700_000_005)))) as served:
        yield served


def settings(**given: object) -> LiveSettings:
    usual = {name: option.default for name, option in options_of(RunOptions, "follow").items()}
    return live_settings(usual | given)  # type: ignore[arg-type]


class TestOptions:
    def test_are_settings(self) -> None:
        assert settings() == LiveSettings()
        assert settings(every="10m").least_s == 600
        assert settings(every="10m").most_s == LiveSettings().most_s
        assert settings(every="12h").most_s == 12 * 3600
        assert (settings(every="1m-2h").least_s, settings(every="1m-2h").most_s) == (60, 7200)
        assert (settings(keep="7d").keep_s, settings(keep="7d,2GB").keep_bytes) == (7 * 86400, 2 * 10**9)
        assert settings(for_="2h").for_s == 7200
        assert settings(until="2026-01-01T00:00:00Z").until == 1767225600
        assert settings(contact="https://a.example/bot").contact == "https://a.example/bot"

    @every(
        "given",
        cases(__file__, "that make no sense"),
    )
    def test_that_make_no_sense(self, given: dict[str, str]) -> None:
        with pytest.raises(TidingsError, match="expected"):
            settings(**given)

    @every("option", [["--pages"], ["--every", "5m"], ["--for", "1h"], ["--offline"]])
    def test_want_live(self, option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        command = ["follow", "https://a.example/feed", *QUERY, *option, "--out", str(tmp_path / "o.jsonl")]
        assert run(command) == 2
        assert f"{option[0]} needs --live" in capsys.readouterr().err


class TestOnce:
    def test_a_feed_is_fetched_and_followed(self, paper: Served, tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"
        assert run(["follow", paper.url("/feed"), *QUERY, "--allow-private", "--out", str(out)]) == 0
        updates = [json.loads(line) for line in out.read_text().splitlines()][1:]
        assert [update["time"] for update in updates] == list(range(1_700_000_000, 1_700_000_005))
        assert len(paper.log) == 1

    def test_a_loop_that_runs_already_is_in_no_way(
        self, paper: Served, capsys: pytest.CaptureFixture[str]
    ) -> None:
        async def read() -> int:
            return run(["read", paper.url("/feed"), "--allow-private"])

        # In a thread, as a browser's test may have left a loop in this one.
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(lambda: asyncio.run(read())).result() == 0
        assert "5 documents" in capsys.readouterr().out

    def test_a_feed_is_read(self, paper: Served, tmp_path: Path) -> None:
        out = tmp_path / "documents.jsonl"
        assert run(["read", paper.url("/feed"), "--allow-private", "--out", str(out)]) == 0
        assert len(out.read_text().splitlines()) == 5

    def test_a_private_address_is_refused(
        self, paper: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["follow", paper.url("/feed"), *QUERY, "--out", str(tmp_path / "out.jsonl")]) == 2
        assert "not on the public internet; --allow-private" in capsys.readouterr().err
        assert (len(paper.log), list(tmp_path.iterdir())) == (0, [])


PAGE = """<!doctype html><html lang="en"><head><title>Gadhafi forces attack Misrata</title>
<meta property="article:published_time" content="1970-01-02T00:00:00Z">
</head><body><article><h1>Gadhafi forces attack Misrata</h1>
<p>Forces loyal to Moammar Gadhafi attacked the Libyan town of Misrata on Monday, killing five people, doctors said.</p>
<p>Gadhafi's tanks fired on the hospital of Misrata while Libyan rebels held the port, a doctor in Misrata said.</p>
</article></body></html>"""


class TestAnArticle:
    """`--story` with the address or the file of an article: its story is followed."""

    @pytest.fixture
    def command(self, tmp_path: Path) -> list[str]:
        towns = ("Tripoli", "Misrata", "Benghazi", "Sirte", "Zawiya", "Brega")
        lines = [
            {
                "id": town,
                "published_time": 86_400 * number,
                "title": f"Gadhafi forces attack {town}",
                "text": f"Forces loyal to Moammar Gadhafi attacked the Libyan town of {town} on Monday, "
                f"killing {number} people. Rebels in {town} said that Gadhafi's tanks had fired on Misrata too.",
            }
            for number, town in enumerate(towns, start=2)
        ]
        lines.append(
            {"id": "x", "published_time": 0, "title": "Storm in Rio", "text": "A storm hit Rio, killing two."}
        )
        (tmp_path / "news.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        return ["follow", str(tmp_path / "news.jsonl"), "--out", str(tmp_path / "out.jsonl"), "--story"]

    def article(self, out: Path) -> str:
        (event,) = json.loads(out.read_text().splitlines()[0])["events"]
        return event.get("description", "")

    def events(self, out: Path) -> tuple[list[str], set[str]]:
        lines = [json.loads(line) for line in out.read_text().splitlines()]
        return [event["query"] for event in lines[0]["events"]], {line["doc"] for line in lines[1:]}

    def test_a_file_or_an_address_is_followed_by_its_words(self, command: list[str], tmp_path: Path) -> None:
        page, out = tmp_path / "page.html", tmp_path / "out.jsonl"
        page.write_text(PAGE)
        assert run([*command, str(page)]) == 0
        (query,), found = self.events(out)
        assert query == "misrata gadhafi libyan", "what it repeats, and no word that it uses once"
        assert len(found) > 2 and "x" not in found
        page.write_text(PAGE.replace("Gadhafi", "Mubarak"))  # what was followed stays
        assert run([*command, str(page)]) == 0
        assert self.events(out) == ([query], found)
        page.write_text(PAGE.replace('content="1970-01-02T00:00:00Z"', ""))  # a page without a date
        assert run([*command, str(page), "--restart"]) == 0
        assert self.events(out) == ([query], found)
        undated = page.read_bytes()
        with serving(lambda asked: Reply(body=undated, headers={"Content-Type": "text/html"})) as served:
            assert run([*command, served.url("/a"), "--allow-private", "--restart"]) == 0
            assert self.events(out) == ([query], found)
            assert len(served.log) == 1

    def test_its_story_begins_with_it(self, command: list[str], tmp_path: Path) -> None:
        page, out = tmp_path / "page.html", tmp_path / "out.jsonl"
        page.write_text(PAGE)
        assert run([*command, str(page)]) == 0
        begun = self.article(out)
        assert begun.startswith("Article: ") and "killing five people" in begun
        page.write_text(PAGE.replace("five", "six"))
        assert run([*command, str(page)]) == 0
        assert self.article(out) == begun, "what was followed stays"
        assert run([*command, str(page), "--query", "misrata", "--restart"]) == 0
        assert self.article(out) == ""

    def test_a_story_that_was_kept_without_its_beginning_goes_on_without(
        self, command: list[str], tmp_path: Path
    ) -> None:
        page, out = str(tmp_path / "page.html"), tmp_path / "out.jsonl"
        kept = FollowedStory(story=page, event_id="", title="Misrata", query="misrata gadhafi", profile="")
        with open_store(default_store(out)) as store:
            FollowedStories(store).put(kept)
        assert run([*command, page]) == 0
        assert self.events(out)[0] == ["misrata gadhafi"] and self.article(out) == ""

    def test_what_is_no_article_says_so(
        self, command: list[str], paper: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run([*command, paper.url("/feed"), "--allow-private"]) == 2
        assert "5 articles (expected the address or the file of one)" in capsys.readouterr().err
        assert run([*command, paper.url("/feed")]) == 2
        assert "not on the public internet; --allow-private" in capsys.readouterr().err
        empty = tmp_path / "empty.html"
        empty.write_text("")
        assert run([*command, str(empty)]) == 2
        assert "empty" in capsys.readouterr().err
        assert not (tmp_path / "out.jsonl").exists()

    def test_what_is_not_there_says_so(self, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        assert run([*command, "nofile.txt"]) == 2
        said = capsys.readouterr().err
        assert "--story 'nofile.txt': no file, address or open story of this name" in said
        assert "tidings stories --out" in said
        command[1] = "-"
        assert run([*command, "nofile.txt"]) == 2
        said = capsys.readouterr().err
        assert "--story 'nofile.txt': no file or address of this name" in said
        assert "tidings stories --store" in said


class TestOfServersThatHang:
    def test_nobody_waits_beyond_ctrl_c(self) -> None:
        """An address that is fetched once is given up, and the end of the process does not wait for its thread."""
        asked, over = threading.Event(), threading.Event()

        def hang(connection: socket.socket) -> None:
            asked.set()
            over.wait(120)

        with serving(lambda _: Reply(act=hang)) as served:
            command = [sys.executable, "-m", "tidings", "read", served.url("/feed"), "--allow-private"]
            process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            try:
                assert asked.wait(120)
                process.send_signal(signal.SIGINT)
                _, said = process.communicate(timeout=120)
            finally:
                process.kill()
                over.set()
        assert (process.returncode, said) == (130, "tidings: interrupted\n")


class TestLive:
    def command(self, served: Served, out: Path) -> list[str]:
        return ["follow", served.url("/feed"), "--live", "--allow-private", *QUERY, "--out", str(out)]

    @pytest.fixture
    def clock(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A clock that stands while a feed is asked: the while is over when all that is due in it was done."""
        file = tmp_path / "clock"
        file.write_text("1700000010")
        monkeypatch.setenv("TIDINGS_CLOCK", str(file))

    @pytest.mark.usefixtures("clock")
    def test_for_a_while(self, paper: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out = tmp_path / "out.jsonl"
        assert run([*self.command(paper, out), "--for", "3s"]) == 0
        assert len(out.read_text().splitlines()) == 6
        assert "5 documents" in capsys.readouterr().err
        assert run([*self.command(paper, out), "--offline"]) == 0
        assert "this run is finished (5 updates)" in capsys.readouterr().err
        assert len(paper.log) == 1

    @pytest.mark.usefixtures("clock")
    def test_a_feed_that_fails_is_said(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with serving(lambda asked: Reply(500)) as served:
            command = self.command(served, tmp_path / "out.jsonl")
            assert run([*command, "--for", "1s"]) == 0
            assert (
                f"{served.url('/feed')}: an answer 500; it will be polled again later"
                in capsys.readouterr().err
            )

    def test_stopped_it_says_so_and_writes_what_there_is(self, paper: Served, tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"
        command = [sys.executable, "-m", "tidings", *self.command(paper, out), "--show"]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        assert process.stdout is not None
        limit = threading.Timer(120, process.kill)  # ends the reading below, whatever the process does
        limit.start()
        try:
            while "Storm 4" not in (shown := process.stdout.readline()):
                assert shown, process.communicate()
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=120)
        finally:
            limit.cancel()
            process.kill()
        assert process.returncode == 130
        assert "stopped after 5 documents" in said
        assert "holds what was decided so far" in said
        assert "Traceback" not in said
        assert len(out.read_text().splitlines()) == 6
