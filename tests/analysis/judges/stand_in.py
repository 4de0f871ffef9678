"""A server that stands in for a language model: it answers by a rule, or misbehaves as it is told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

__all__ = ["Clock", "StandIn", "asked_ids", "labelled", "running", "server", "verdict"]

Rule = Callable[[str], str]
"""From the user's words to the model's."""


def verdict(news: bool = True, about: bool = True, said: bool = False) -> str:
    return json.dumps({"news": news, "about": about, "said": said})


def asked_ids(prompt: str) -> list[str]:
    """The ids of the nuggets that a question lists."""
    lines = prompt.split("Nuggets:\n")[1].split("\n\n", maxsplit=1)[0].split("\n")
    return [json.JSONDecoder().raw_decode(line[2:])[0] for line in lines]


def labelled(label: str | Callable[[str], str] = "support") -> Rule:
    """Answers with one label for each nugget asked about, or with what a function says of its id."""
    said = label if callable(label) else lambda name: label
    return lambda prompt: json.dumps({name: said(name) for name in asked_ids(prompt)})


class StandIn:
    """What the server does: `rule` gives its answers, `ways` what it does with the next requests instead.

    Ways: a status ("500", "429 7" with Retry-After), "hang", "slow", "close", "drip", "flood", "garbage", "no choices",
    "redirect". `refused` are the forms to which it answers `refusing`. `usage` goes with each answer. `requests` are
    the bodies that came, `headers` their headers.
    """

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.ways: list[str] = []
        self.usage: Any = None
        self.refused: set[str] = set()
        self.refusing = 400
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.closing = threading.Event()
        self.url = ""

    @property
    def prompts(self) -> list[str]:
        return [request["messages"][-1]["content"] for request in self.requests]

    @property
    def forms(self) -> list[str]:
        return [request.get("response_format", {"type": "text"})["type"] for request in self.requests]


@contextmanager
def running(rule: Rule = lambda prompt: verdict()) -> Iterator[StandIn]:
    """A stand-in on a port of its own, for as long as the block lasts."""
    stand_in = StandIn(rule)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            stand_in.requests.append(body)
            stand_in.headers.append({name.lower(): value for name, value in self.headers.items()})
            stand_in.paths.append(self.path)
            form = body.get("response_format", {"type": "text"})["type"]
            way = stand_in.ways.pop(0) if stand_in.ways else ""
            if form in stand_in.refused:
                way = str(stand_in.refusing)
            self.act(way, body)

        def act(self, way: str, body: dict[str, Any]) -> None:
            said = stand_in.rule(body["messages"][-1]["content"])
            sent = json.dumps(
                {
                    "model": "stand-in-1",
                    "choices": [{"message": {"role": "assistant", "content": said}}],
                    "usage": stand_in.usage,
                }
            ).encode()
            if way == "hang":
                stand_in.closing.wait(60)
            elif way == "close":
                self.close_connection = True
            elif way == "redirect":
                self.answer(302, b"", {"location": "http://elsewhere.example/v1"})
            elif way == "garbage":
                self.answer(200, b"\xff\xfe not JSON")
            elif way == "no choices":
                self.answer(200, b'{"choices": []}')
            elif way == "flood":
                self.answer(200, b'{"choices": [' + b" " * 1_000_000)
            elif way == "drip":
                self.send_response(200)
                self.send_header("content-length", str(len(sent)))
                self.end_headers()
                for byte in sent:
                    if stand_in.closing.wait(0.02):
                        return
                    self.wfile.write(bytes([byte]))
            elif way == "slow":
                time.sleep(0.05)
                self.answer(200, sent)
            elif way:
                status, _, wait = way.partition(" ")
                self.answer(int(status), b"not now", {"retry-after": wait} if wait else {})
            else:
                self.answer(200, sent)

        def answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
            with suppress(OSError):  # whoever asked may have gone
                self.send_response(status)
                self.send_header("content-length", str(len(content)))
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

        def handle(self) -> None:
            with suppress(OSError):
                super().handle()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stand_in.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        stand_in.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


class Clock:
    """Time that passes by sleeping alone."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture(scope="module")
def server() -> Iterator[StandIn]:
    with running() as stand_in:
        yield stand_in
