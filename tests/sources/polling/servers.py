"""A server on 127.0.0.1 that tests ask: what it answers is a function, and everything asked is written down."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

__all__ = ["Asked", "Reply", "Served", "feed", "serving"]


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it; `path` is followed by nothing."""

    time: int
    host: str
    path: str
    headers: dict[str, str]
    number: int


@dataclass
class Reply:
    """What the server answers; `act` takes the socket and does what it likes instead."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    act: Callable[[socket.socket], None] | None = None


@dataclass
class Served:
    """A server that runs: its port, and what was asked of it and answered, in order."""

    port: int
    log: list[tuple[Asked, Reply]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: dict[str, int] = field(default_factory=dict)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def asked(self, path: str | None = None) -> list[Asked]:
        return [asked for asked, _ in self.log if path is None or asked.path == path]


def feed(
    items: list[tuple[str, str, str]],
    *,
    title: str = "Paper",
    link: str = "http://x.example",
    dates: Sequence[int] = (),
) -> bytes:
    """An RSS feed of (guid, title, text), with dates where there are any; the link ends with the guid's last word."""
    stated = [f"<pubDate>{formatdate(date, usegmt=True)}</pubDate>" for date in dates] or [""] * len(items)
    rows = "".join(
        f"<item><guid isPermaLink='false'>{guid}</guid><title>{head}</title><link>{link}/{guid.split()[-1]}</link>"
        f"<description>{text}</description>{date}</item>"
        for (guid, head, text), date in zip(items, stated, strict=True)
    )
    return f"<?xml version='1.0'?><rss version='2.0'><channel><title>{title}</title>{rows}</channel></rss>".encode()


@contextmanager
def serving(answer: Callable[[Asked], Reply], clock: Path | None = None) -> Iterator[Served]:
    """Serve while the block runs; the time is what stands in the file `clock`."""
    lock, busy = threading.Lock(), dict[str, int]()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def do_GET(self) -> None:
            time = int(clock.read_text()) if clock is not None else 0
            headers = {name.lower(): value for name, value in self.headers.items()}
            host = headers.get("host", "").partition(":")[0]
            with lock:
                busy[host] = busy.get(host, 0) + 1
                served.most_at_once[host] = max(served.most_at_once.get(host, 0), busy[host])
                asked = Asked(time, host, self.path, headers, len(served.log))
                reply = answer(asked)
                served.log.append((asked, reply))
            if reply.act is not None:  # it may end later than whoever asked has left
                with lock:
                    busy[host] -= 1
                self.reply(asked, reply)
                return
            try:
                self.reply(asked, reply)
            finally:
                with lock:
                    busy[host] -= 1

        def reply(self, asked: Asked, reply: Reply) -> None:
            with suppress(OSError):
                if reply.act is not None:
                    self.close_connection = True
                    reply.act(self.connection)
                    return
                lines = {"date": formatdate(asked.time, usegmt=True), "content-length": str(len(reply.body))}
                lines.update(reply.headers)
                head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
                self.wfile.write(f"HTTP/1.1 {reply.status} X\r\n{head}\r\n".encode() + reply.body)

        def log_message(self, *words: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *about: Any) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    served = Served(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
