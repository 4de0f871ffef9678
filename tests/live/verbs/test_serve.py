"""`tidings serve`: what is refused and what is made, without anything being followed."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.sweeps import cases, every
from tidings.annotation.store import Desk
from tidings.cli import run as tidings
from tidings.core.store import open_store
from tidings.following.hosting.sources import read_any
from tidings.live.hosting.service import ServiceSettings, check_sources
from tidings.live.hosting.supervision import ServiceStatus
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.store import LiveStore
from tidings.live.verbs.serve_demo import demo_events, demo_streams
from tidings.live.verbs.serve_options import ServeLog
from tidings.sources import bundled

DOCUMENTS = str(bundled.path() / "documents.jsonl")
EVENT = str(bundled.path() / "event.json")
FIRE = ("--query", "ferry fire")


class Idle:
    """A supervisor that begins nothing."""

    made: ServiceSettings | None = None
    status = ServiceStatus(state="following")

    def __init__(self, settings: ServiceSettings, *_: object) -> None:
        Idle.made = settings

    def __enter__(self) -> Idle:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[LiveSiteSettings]:
    """How pages were served, of which nobody asked anything; in an empty folder."""
    given: list[LiveSiteSettings] = []

    def serve(app: Any, listener: socket.socket, settings: LiveSiteSettings, ready: Any, **_: Any) -> None:
        given.append(settings)
        ready(f"http://127.0.0.1:{listener.getsockname()[1]}")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tidings.live.hosting.supervision.Supervisor", Idle)
    monkeypatch.setattr("tidings.web.serve", serve)
    return given


def serve(*words: str) -> int:
    return tidings(["serve", "--port", "0", "--store", "live.db", *words])


@every(
    "words, said",
    [
        ((), "No SOURCE to follow"),
        (("nowhere.jsonl",), "nowhere.jsonl: there is no such file"),
        ((DOCUMENTS, "https://news.example/rss"), "beside feeds"),
        ((DOCUMENTS, "--host", "0.0.0.0"), "With --host 0.0.0.0 others can reach the pages"),
        ((DOCUMENTS, "--public-url", "news.example"), "--public-url news.example"),
        ((DOCUMENTS, "--root-path", "news"), "--root-path news is not a path"),
        ((DOCUMENTS, "--root-path", "/a//b"), "is not a path"),
        ((DOCUMENTS, "--root-path", "/a b"), "is not a path"),
        ((DOCUMENTS, "--root-path", "/../x"), "is not a path"),
        ((DOCUMENTS, "--trusted-proxy", "proxy"), "--trusted-proxy proxy is not an address"),
        ((DOCUMENTS, "--log", "xml"), "--log xml: choose text or json"),
        ((DOCUMENTS, "--run", "mine"), "--run mine needs --no-follow"),
        ((DOCUMENTS, *FIRE, "--system", "oracle9"), "oracle9"),
        ((DOCUMENTS, *FIRE, "--about", "lots"), "lots"),
        ((DOCUMENTS, *FIRE, "--about", "30"), "10/day"),
        ((DOCUMENTS, "--query", "the of"), "the of"),
        ((DOCUMENTS, "--title", "A fire"), "--title needs --query"),
        ((DOCUMENTS, *FIRE, "--languages", "xx9"), "xx9"),
        ((DOCUMENTS, "--event", "none.json"), "none.json"),
        ((DOCUMENTS, "--every", "soon"), "--every"),
        (("--no-follow",), "live.db: there is no such store"),
        (("--no-follow", DOCUMENTS), "has no effect with --no-follow"),
        (("--no-follow", "--event", EVENT), "--event has no effect"),
        (("--no-follow", "--speed", "5"), "--speed has no effect"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_and_nothing_is_made(
    served: list[LiveSiteSettings], capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert serve(*words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert served == [] and list(Path().iterdir()) == []


def test_a_taken_address_makes_nothing(
    served: list[LiveSiteSettings], capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert tidings(["serve", DOCUMENTS, "--port", port, "--store", "live.db"]) == 2
        assert tidings(["serve", "demo", "--port", port, "--store", "live.db", "--no-open"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2 and all("cannot listen" in line for line in lines)
    assert served == [] and list(Path().iterdir()) == []


def test_a_first_start_and_the_ones_after(
    served: list[LiveSiteSettings], capsys: pytest.CaptureFixture[str]
) -> None:
    assert serve(DOCUMENTS, "--event", EVENT, *FIRE, "--title", "The ferry", "--about", "free") == 0
    assert "choose a password at http://127.0.0.1:" in capsys.readouterr().err
    (site,) = served
    assert site.open_reading and not site.read_only and site.hosts == ("127.0.0.1",)
    with open_store("live.db") as store:
        events = LiveStore(store).events.all()
        assert [(one.event.id, one.event.title, one.about) for one in events] == [
            ("santiago-2013", "Santiago de Compostela derailment", ""),
            ("ferry-fire", "The ferry", ""),
        ]
        desk = Desk(store)
        desk.accounts.set_password(desk.accounts.all()[0].id, "hashed")
    # The same again adds nothing, another title does not change what people may have changed; nor is a link printed.
    assert serve(DOCUMENTS, *FIRE, "--title", "Another", "--languages", "en") == 0
    said = capsys.readouterr().err
    assert "the store follows it with other words" in said and "/welcome/" not in said
    assert serve("--no-follow") == 0
    # Another file is another stream, which a run that has begun does not go on with.
    with open_store("live.db") as store:
        assert len(LiveStore(store).events.all()) == 2


@every(
    "words, open_reading",
    cases(__file__, "who may read"),
)
def test_who_may_read(
    served: list[LiveSiteSettings],
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    open_reading: bool,
) -> None:
    served.clear()
    assert serve(DOCUMENTS, *words) == 0
    assert served[0].open_reading is open_reading
    # Where nobody may change anything there is nobody to sign in.
    assert ("/welcome/" in capsys.readouterr().err) is ("--read-only" not in words)
    Path("live.db").unlink()


def test_others_reach_it_when_somebody_can_sign_in(served: list[LiveSiteSettings]) -> None:
    with open_store("live.db") as store:
        desk = Desk(store)
        desk.accounts.set_password(desk.accounts.add("ada").id, "hashed")
    assert (
        serve(DOCUMENTS, "--host", "0.0.0.0", "--trusted-proxy", "10.0.0.0/8", "--root-path", "/news/") == 0
    )
    (site,) = served
    assert not site.open_reading and not site.read_only
    assert (site.trusted_proxies, site.root_path) == (("10.0.0.0/8",), "/news")


def test_a_store_goes_on_with_the_sources_that_it_began_with(
    served: list[LiveSiteSettings], capsys: pytest.CaptureFixture[str]
) -> None:
    from tidings.core.records import Position

    with (
        open_store("live.db") as store,
        store.begin("live", {"streams": "feeds", "interval": "document"}) as run,
    ):
        run.commit([Position(source="feeds", released=1)], {}, [], [])
    assert serve(DOCUMENTS) == 2
    assert "live.db follows feeds, not" in capsys.readouterr().err
    assert served == []


def test_the_demonstration_is_whole(served: list[LiveSiteSettings]) -> None:
    settings = ServiceSettings(store="live.db", streams=demo_streams())
    check_sources(settings)
    documents = [one for stream in demo_streams() for one in read_any(stream, "sampled", None)]
    days = {one.published_time // 86400 for one in documents}
    assert len(documents) == 150 + 34 and (min(days), max(days)) == (15910, 15917)
    assert [one.event.id for one in demo_events()] == ["santiago-2013", "selde-ferry", "brennholm-flood"]
    assert tidings(["serve", "demo", "--store", "live.db", "--no-open"]) == 0
    (site,) = served
    assert site.links_sign_in and site.open_reading and "600 times as fast" in site.demo
    assert Idle.made is not None and Idle.made.speed == 600


def test_lines_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    log = ServeLog("json")
    log.of_follower("a feed\nfails \x1b[2J")
    log.of_request("GET", "/welcome/secret", 200, 0.0123, "127.0.0.1")
    log("choose a password at http://127.0.0.1:1/welcome/secret-2_x", trace='File "/welcome/secret"')
    ServeLog("text").of_request("GET", "/", 200, 0.1, "127.0.0.1")
    first, second, third = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (first["level"], first["event"], first["message"]) == (
        "warning",
        "follower",
        "a feed\nfails \x1b[2J",
    )
    assert (second["path"], second["milliseconds"], second["status"]) == ("/welcome/…", 12.3, 200)
    assert "secret" not in str(second)
    assert (third["message"], third["trace"]) == (
        "choose a password at http://127.0.0.1:1/welcome/…",
        'File "/welcome/…"',
    )


def test_a_quiet_log_says_warnings_and_errors_alone(capsys: pytest.CaptureFixture[str]) -> None:
    log = ServeLog("text", quiet=True)
    log("live at http://127.0.0.1:1 (Ctrl-C ends it)", event="serving")
    log.of_follower("a feed fails")
    assert capsys.readouterr().err == "tidings: a feed fails\n"
    ServeLog("json", quiet=True).of_request("GET", "/", 200, 0.1, "127.0.0.1")
    assert capsys.readouterr().err == ""
