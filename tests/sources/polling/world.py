"""Two simulated weeks of twenty feeds, each with a fault of its own; what they answer is decided by the time alone."""

from __future__ import annotations

import gzip
import random
import socket
import time as machine
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate
from functools import cache

from tests.sources.polling.servers import Asked, Reply, feed
from tests.sweeps import cases

__all__ = ["DAY", "FAULTS", "HOUR", "START", "World"]

START = 1_760_000_000
HOUR = 3600
DAY = 24 * HOUR
_KEPT = 120
"""Items that a feed shows: so many that no outage loses one."""

TEXT = """
harbour council road bridge market school river night morning police crowd train field doctor minister signal engine
weather island village tower window letter garden station kitchen summer number budget league orchard copper velvet
"""
WORDS = TEXT.split()

FAULTS = tuple(cases(__file__, "faults"))
"""What is the matter with each feed; the `neighbour` is well, but shares its host with `retry seconds`."""


class World:
    """What twenty outlets answer at any time.

    Args:
        port: of the server, for addresses of its own.
        faults: those that are played.
    """

    def __init__(self, port: int = 0, faults: tuple[str, ...] = FAULTS) -> None:
        self.port, self.faults = port, faults
        self.private_asked = 0

    def host(self, number: int) -> str:
        fault = self.faults[number]
        return "shared.localhost" if fault in ("neighbour", "retry seconds") else f"f{number}.localhost"

    def url(self, number: int) -> str:
        return f"http://{self.host(number)}:{self.port}/{number}"

    def pace(self, number: int) -> int:
        """Seconds from one item to the next."""
        return (2 + number % 5) * HOUR

    def urls(self) -> list[str]:
        return [self.url(number) for number in range(len(self.faults))]

    def items(self, number: int, time: int) -> list[tuple[str, str, str]]:
        """The items of a feed at a time, the latest first."""
        pace = self.pace(number)
        count = (time - START) // pace + 3
        fault = self.faults[number]
        shown = []
        for item in range(max(0, count - _KEPT), count):
            title, text = _words(number, item)
            guid = f"{number}-{item}"
            if fault == "other guids":
                guid = f"{(time - START) // DAY} {number}-{item}"
            if fault == "edited titles" and time - (START + item * pace) > DAY:
                title += " corrected"
            shown.append((guid, title, text))
        return shown[::-1]

    def expected(self, until: int) -> set[str]:
        """The titles that a follower must have seen by then."""
        return {
            _words(number, item)[0]
            for number, fault in enumerate(self.faults)
            for item in range((until - START) // self.pace(number) + 3)
            if fault != "gone" or item * self.pace(number) < 9 * DAY
        }

    def answer(self, asked: Asked) -> Reply:
        """What is answered."""
        name = asked.path.strip("/").partition("/")[0].partition("?")[0]
        if not name.isdigit() or int(name) >= len(self.faults):
            return Reply(404)
        number = int(name)
        fault, time = self.faults[number], asked.time
        bad = self.is_bad(number, time)
        if bad and (reply := self._fault(fault, number, asked)) is not None:
            return reply
        if fault == "gone" and time >= START + 10 * DAY:
            return Reply(410)
        if fault == "moved" and not asked.path.endswith("/moved") and time > START + 3 * DAY:
            return Reply(301, headers={"location": f"/{number}/moved"})
        return self._well(fault, number, asked)

    def is_bad(self, number: int, time: int) -> bool:
        """Whether a feed is in trouble: for some hours of every other day, never at first or in the last two days."""
        hours = (time - START) // HOUR + number
        return DAY < time - START < 12 * DAY and hours % 48 < 7

    def _well(self, fault: str, number: int, asked: Asked) -> Reply:
        items = self.items(number, asked.time)
        tag = f'W/"{hash_of(items):x}"' if number % 2 else f'"{hash_of(items):x}"'
        headers = {"etag": tag}
        if fault == "modified":
            changed = START + (asked.time - START) // (2 * HOUR) * 2 * HOUR
            headers = {"last-modified": formatdate(changed, usegmt=True)}
            if asked.headers.get("if-modified-since") == headers["last-modified"]:
                return Reply(304, headers=headers)
        if fault == "max-age":
            headers["cache-control"] = "max-age=10800"
        if asked.headers.get("if-none-match") == tag:
            return Reply(304, headers=headers)
        dates = [START + int(guid.rpartition("-")[2]) * self.pace(number) for guid, _, _ in items]
        link = f"http://{self.host(number)}/a"
        body = feed(items, title=f"Paper {number}", link=link, dates=dates if number % 4 else ())
        if "gzip" in asked.headers.get("accept-encoding", "") and number % 3 == 0:
            body = gzip.compress(body)
            headers["content-encoding"] = "gzip"
        return Reply(body=body, headers=headers)

    def _fault(self, fault: str, number: int, asked: Asked) -> Reply | None:
        plays: dict[str, Callable[[], Reply]] = {
            "retry seconds": lambda: Reply(429, headers={"retry-after": "9000"}),
            "retry date": lambda: Reply(
                429, headers={"retry-after": formatdate(asked.time + 7200, usegmt=True)}
            ),
            "too many": lambda: Reply(429),
            "forbidden": lambda: Reply(403),
            "unavailable": lambda: Reply(503, headers={"retry-after": "1800"}),
            "hang": lambda: Reply(act=lambda connection: machine.sleep(0.8)),
            "endless redirects": lambda: Reply(302, headers={"location": f"/{number}/{asked.number}"}),
            "garbage": lambda: Reply(body=random.Random(asked.number).randbytes(2000)),
            "hundred megabytes": lambda: Reply(act=_endless),
            "bomb": lambda: Reply(body=_bomb(), headers={"content-encoding": "gzip"}),
            "dropped": lambda: Reply(
                act=lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Le")
            ),
            "wrong length": lambda: Reply(body=b"<rss/>", headers={"content-length": "100000"}),
            "to private": lambda: Reply(302, headers={"location": f"http://127.0.0.2:{self.port}/{number}"}),
        }
        play = plays.get(fault)
        return None if play is None else play()


def hash_of(items: list[tuple[str, str, str]]) -> int:
    return random.Random(repr(items)).getrandbits(48)


@cache
def _words(number: int, item: int) -> tuple[str, str]:
    chance = random.Random(f"{number} {item}")
    words = chance.sample(WORDS, 8)
    name = f"{words[0]}{chance.randrange(10**6)}"
    return (
        f"Storm {number}x{item} {name} {words[1]}",
        f"The storm took {chance.randrange(10**6)} {words[2]} and {words[3]} from {name} {words[4]} {words[5]}.",
    )


@cache
def _bomb() -> bytes:
    return gzip.compress(bytes(60_000_000), 9)


def _endless(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
        for _ in range(100):
            connection.sendall(b"<rss>" * 200_000)
