"""Fetching how often pages were read, for a person who has a network: politely, a page at a time, resumably.

The address is one that a person gives; nothing is asked of any other host.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote, urlsplit

from msgspec import Struct, field

from tidings.core import (
    DirectClient,
    LimitError,
    UsageError,
    asked_wait_s,
    is_web_address,
    make_folder,
    user_agent,
    write_bytes,
)
from tidings.following.entities.attention import page_title, parse_answer, read_views_answer

_NOTHING = b'{"items":[]}'
_KEPT = "what was fetched is kept; run the same command again to continue"
_TRIES = 3  # at one page
_REDIRECTS = 5  # followed
_LONGEST_WAIT_S = 60.0  # whatever a server asks for


class FetchSettings(Struct, frozen=True, kw_only=True):
    """How pages are asked for.

    Attributes:
        base_url: of the service, up to `/metrics/pageviews`; http or https.
        first, last: days (YYYY-MM-DD).
        project: whose pages.
        agent: who asks, as the service sees it; a service may want a way to reach them.
        pause_s: seconds between two requests.
        timeout_s: seconds after which a request has failed.
        most_bytes: of an answer.
    """

    base_url: str
    first: str
    last: str
    project: str = "en.wikipedia"
    agent: str = field(default_factory=user_agent)
    pause_s: float = 0.5
    timeout_s: float = 20.0
    most_bytes: int = 4 << 20


def fetch_views(
    entities: Sequence[Sequence[str]],
    folder: str | Path,
    settings: FetchSettings,
    *,
    sleep: Callable[[float], object] = time.sleep,
    progress: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> list[tuple[str, dict[str, int]]]:
    """The views of entities by day, each under the first of its titles that the service knows ("" and none, if none).

    Each answer is kept in `folder`; what is there already is not asked for again, so an interrupted fetch goes on.

    Args:
        entities: for each the titles to try, in order.
        folder: where answers are kept.
        settings: whom to ask, and how.
        sleep: waits so many seconds.
        progress: called after each entity.

    Raises:
        UsageError: an address or a day that is none, or the service refuses or cannot be reached.
        LimitError: an answer beyond `most_bytes`.
        FormatError: an answer that is none.
    """
    base = _check(settings)
    place = make_folder(folder)
    asked = False
    found: list[tuple[str, dict[str, int]]] = []
    accept = {"accept": "application/json"}
    with DirectClient(settings.agent, headers=accept, most_bytes=settings.most_bytes, proxies=True) as client:
        for done, titles in enumerate(entities):
            hit: tuple[str, dict[str, int]] = ("", {})
            for title in dict.fromkeys(page_title(name) for name in titles):
                if not title:
                    continue
                file = place / _file_name(title, settings)
                if not file.is_file():
                    if asked:
                        sleep(settings.pause_s)
                    asked = True
                    days = "/".join(day.replace("-", "") + "00" for day in (settings.first, settings.last))
                    url = (
                        f"{base}/per-article/{quote(settings.project, safe='')}/all-access/user/"
                        f"{quote(title, safe='')}/daily/{days}"
                    )
                    data = _ask(client, url, settings, sleep)
                    parse_answer(data, url)
                    write_bytes(file, data)
                series = read_views_answer(file)
                if series:
                    hit = (title, next(iter(series.values())))
                    break
            found.append(hit)
            progress(done + 1, len(entities), hit[0] or "no page")
    return found


def _check(settings: FetchSettings) -> str:
    base = settings.base_url.rstrip("/")
    if not is_web_address(base):
        raise UsageError(f"--base-url {base!r}: no address (expected one that begins with https://)")
    for day in (settings.first, settings.last):
        try:
            time.strptime(day, "%Y-%m-%d")
        except ValueError:
            raise UsageError(f"the day {day!r} (expected one as YYYY-MM-DD)") from None
    if settings.first > settings.last:
        raise UsageError(f"the days {settings.first} to {settings.last} (expected them in order)")
    return base


def _file_name(title: str, settings: FetchSettings) -> str:
    from hashlib import blake2b

    # Short names for any title; the digest tells apart what the letters that are left do not.
    digest = blake2b(f"{settings.project}\n{title}".encode(), digest_size=6).hexdigest()
    letters = re.sub(r"[^\w-]+", "", title)[:40]
    return f"{letters}-{digest}-{settings.first}-{settings.last}.json"


def _ask(client: DirectClient, url: str, settings: FetchSettings, sleep: Callable[[float], object]) -> bytes:
    asked, redirects = url, 0
    for attempt in range(_TRIES):
        answer = client.ask(asked, settings.timeout_s)
        while answer.location and redirects < _REDIRECTS:
            if urlsplit(answer.location)[:2] != urlsplit(url)[:2]:
                raise UsageError(f"{url} sends on to {answer.location}, another host; {_KEPT}")
            asked, redirects = answer.location, redirects + 1
            answer = client.ask(asked, settings.timeout_s)
        if answer.status == 404:
            return _NOTHING
        if answer.failure == "size":
            raise LimitError(f"{url}: {answer.error} (expected an answer)")
        if 200 <= answer.status < 300:
            return answer.body
        is_passing = answer.failure or answer.status in (429, 500, 502, 503, 504)
        if not is_passing or attempt == _TRIES - 1:
            break
        wait_s = asked_wait_s(answer.headers, int(time.time()))
        sleep(min(2.0**attempt if wait_s is None else wait_s, _LONGEST_WAIT_S))
    trouble = answer.error or f"the answer {answer.status}"
    raise UsageError(f"{url}: {trouble} (expected page views); {_KEPT}")
