"""Fetching page views from a service on this machine: politely, within limits, and going on where it stopped."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import pytest

from tests.sweeps import cases, every
from tidings.cli import run as tidings
from tidings.core.errors import FormatError, LimitError, UsageError
from tidings.following.hosting.page_views import FetchSettings, fetch_views

PAGES = {
    "Barack_Obama": {"20160101": 10, "20160102": 12, "20160103": 11, "20160104": 90},
    "Genoa": {"20160102": 4},
}


class Service(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        self.agents: list[str | None] = []
        self.answers: list[tuple[int, dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/metrics/pageviews"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        service = self.server
        service.asked.append(self.path)
        service.agents.append(self.headers["User-Agent"])
        title = unquote(self.path.split("/")[7])
        if service.answers:
            code, headers, body = service.answers.pop(0)
        elif title in PAGES:
            items = [
                {"article": title, "timestamp": f"{day}00", "views": views}
                for day, views in PAGES[title].items()
            ]
            code, headers, body = 200, {}, json.dumps({"items": items}).encode()
        else:
            code, headers, body = 404, {}, b"{}"
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *parts: object) -> None:
        pass


@pytest.fixture
def service():
    server = Service()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def settings(service, **changes) -> FetchSettings:
    return FetchSettings(**{"base_url": service.url, "first": "2016-01-01", "last": "2016-01-04", **changes})


def test_the_first_title_that_has_a_page_is_taken_and_nothing_asked_twice(service, tmp_path) -> None:
    waits: list[float] = []
    wanted = [["President Obama", "Barack Obama", "Obama"], ["Genoa"], ["Nowhere"]]
    found = fetch_views(
        wanted, tmp_path, settings(service, agent="tidings (a@b.example)"), sleep=waits.append
    )
    assert [title for title, _ in found] == ["Barack_Obama", "Genoa", ""]
    assert found[1][1] == {"2016-01-02": 4}
    assert [path.split("/")[7] for path in service.asked] == [
        "President_Obama",
        "Barack_Obama",
        "Genoa",
        "Nowhere",
    ]
    assert service.asked[0].endswith(
        "/en.wikipedia/all-access/user/President_Obama/daily/2016010100/2016010400"
    )
    assert set(service.agents) == {"tidings (a@b.example)"}
    assert waits == [0.5, 0.5, 0.5]
    assert fetch_views(wanted, tmp_path, settings(service), sleep=waits.append) == found
    assert len(service.asked) == 4


def test_a_service_that_is_busy_is_waited_for_as_long_as_it_says(service, tmp_path) -> None:
    waits: list[float] = []
    service.answers = [(429, {"Retry-After": "7"}, b""), (503, {}, b"")]
    found = fetch_views([["Genoa"]], tmp_path, settings(service), sleep=waits.append)
    assert found[0][0] == "Genoa"
    assert waits == [7.0, 2.0]
    service.answers = [(429, {"Retry-After": "99999"}, b"")] * 3
    with pytest.raises(UsageError, match=r"429.*run the same command again"):
        fetch_views([["Barack Obama"]], tmp_path, settings(service), sleep=waits.append)
    assert waits[2:] == [60.0, 60.0]


def test_what_was_fetched_before_a_failure_is_kept(service, tmp_path) -> None:
    fetch_views([["Genoa"]], tmp_path, settings(service), sleep=lambda s: None)
    service.answers = [(403, {}, b"")]
    with pytest.raises(UsageError, match="403"):
        fetch_views([["Genoa"], ["Barack Obama"]], tmp_path, settings(service), sleep=lambda s: None)
    found = fetch_views([["Genoa"], ["Barack Obama"]], tmp_path, settings(service), sleep=lambda s: None)
    assert [len(views) for _, views in found] == [1, 4]
    assert [path.split("/")[7] for path in service.asked] == ["Genoa", "Barack_Obama", "Barack_Obama"]


def test_answers_too_large_or_none_are_refused_and_not_kept(service, tmp_path) -> None:
    service.answers = [(200, {}, b" " * 101)]
    with pytest.raises(LimitError, match="more than 100 bytes"):
        fetch_views([["Genoa"]], tmp_path, settings(service, most_bytes=100), sleep=lambda s: None)
    service.answers = [(200, {}, b"<html>")]
    with pytest.raises(FormatError, match="page-view service"):
        fetch_views([["Genoa"]], tmp_path, settings(service), sleep=lambda s: None)
    assert list(tmp_path.iterdir()) == []


def test_five_redirects_are_followed_and_no_sixth(service, tmp_path) -> None:
    address = service.url + "/per-article/en.wikipedia/all-access/user/Genoa/daily/1/2"
    redirect = (302, {"Location": address}, b"")
    service.answers = [redirect] * 5
    ((title, views),) = fetch_views([["Genoa"]], tmp_path / "5", settings(service), sleep=lambda s: None)
    assert (title, views, len(service.asked)) == ("Genoa", {"2016-01-02": 4}, 6)
    service.answers = [redirect] * 100
    with pytest.raises(UsageError, match="302"):
        fetch_views([["Genoa"]], tmp_path / "6", settings(service), sleep=lambda s: None)


def test_nobody_is_sent_on_to_another_host(service, tmp_path) -> None:
    service.answers = [(302, {"Location": "http://other.example/"}, b"")]
    with pytest.raises(UsageError, match="another host"):
        fetch_views([["Genoa"]], tmp_path, settings(service), sleep=lambda s: None)
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    cases(__file__, "addresses and days that are none are refused"),
)
def test_addresses_and_days_that_are_none_are_refused(service, tmp_path, changes, said) -> None:
    with pytest.raises(UsageError, match=said):
        fetch_views([["Genoa"]], tmp_path, settings(service, **changes))
    assert not service.asked


def test_the_verb_tells_views_and_how_far_they_stand_out(service, tmp_path, capsys) -> None:
    out = tmp_path / "views.jsonl"
    fetch = [
        "--base-url",
        service.url,
        "--keep",
        str(tmp_path / "kept"),
        "--from",
        "2016-01-01",
        "--to",
        "2016-01-04",
    ]
    names = ["Barack Obama|Obama"]
    assert (
        tidings(
            [
                "entities",
                "views",
                *names,
                *fetch,
                "--pause",
                "0.05",
                "--contact",
                "a@b.example",
                "--out",
                str(out),
            ]
        )
        == 0
    )
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["views"] for row in rows] == [10, 12, 11, 90]
    assert [rows[-1][key] for key in ("entity", "title", "date")] == [
        "Barack Obama",
        "Barack_Obama",
        "2016-01-04",
    ]
    assert rows[-1]["vor"] == pytest.approx((90 - 11.5) / 11.5)
    assert rows[0]["vor"] is None
    assert str(service.agents[0]).endswith("(+a@b.example)")
    (kept,) = (tmp_path / "kept").iterdir()
    capsys.readouterr()
    assert tidings(["entities", "views", "Obama|Barack Obama", "Nobody", "--dump", str(kept)]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out.splitlines()[0])["title"] == "Barack_Obama"
    assert "Nobody: no page views" in said.err


@every(
    "given",
    [
        ["Genoa"],
        [" | ", "--dump", "x.json"],
        ["Genoa", "--base-url", "http://127.0.0.1:9"],
        ["Genoa", "--base-url", "http://127.0.0.1:9", "--dump", "x.json"],
    ],
)
def test_the_verb_asks_for_one_source_and_all_that_it_needs(given, capsys) -> None:
    assert tidings(["entities", "views", *given]) == 2
    assert "expected" in capsys.readouterr().err
