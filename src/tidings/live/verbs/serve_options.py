"""What may stand beside what, and what the service says on standard error."""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tidings.core import say

if TYPE_CHECKING:
    from tidings.core import StandingEvent
    from tidings.following import RunOptions
    from tidings.live.alarms.settings import DeliverySettings
    from tidings.live.pages.settings import LiveSiteSettings
    from tidings.live.store import LiveStore
    from tidings.web import SiteAccounts, SiteSettings


def site_settings(
    host: str, public_url: str, root_path: str, proxies: Sequence[str], *, read_only: bool
) -> LiveSiteSettings:
    """How the pages are served; UsageError for an address, path or proxy that is none."""
    from ipaddress import ip_network
    from urllib.parse import urlsplit

    from tidings.core import UsageError
    from tidings.live.pages.settings import LiveSiteSettings
    from tidings.web import is_own, public_address

    public = public_address(public_url) if public_url else ""
    path = root_path.rstrip("/")
    if path and not (
        path.startswith("/") and "//" not in path and all(_plain(part) for part in path.split("/"))
    ):
        raise UsageError(f"--root-path {root_path} is not a path. Use one such as /tidings.")
    for proxy in proxies:
        try:
            ip_network(proxy, strict=False)
        except ValueError:
            raise UsageError(
                f"--trusted-proxy {proxy} is not an address. "
                "Use one such as 127.0.0.1, or a network such as 10.0.0.0/8."
            ) from None
    hosts = (host, *([urlsplit(public).hostname or ""] if public else []))
    return LiveSiteSettings(
        # Behind a proxy whoever reaches that reads: by an account.
        open_reading=read_only or (is_own(host) and not public),
        read_only=read_only,
        https=public.startswith("https:"),
        public_url=public,
        hosts=hosts,
        root_path=path,
        trusted_proxies=tuple(proxies),
    )


def _plain(part: str) -> bool:
    return (
        part not in (".", "..") and part.isascii() and all(char.isalnum() or char in "-._~" for char in part)
    )


def check_reachable(host: str, store: str, desk: SiteAccounts | None, *, read_only: bool) -> None:
    """UsageError where others could reach pages that nobody can sign in to; `desk` is None where there is no store."""
    from tidings.core import UsageError
    from tidings.web import has_passwords, is_own

    if is_own(host) or read_only or (desk is not None and has_passwords(desk)):
        return
    raise UsageError(
        f"With --host {host} others can reach the pages, and nobody has a password yet. Use --read-only, or make an "
        f"account with `tidings assess users --store {store} --add NAME --password-file FILE`"
    )


def follows_only(given: Mapping[str, object]) -> None:
    """UsageError for what stands beside --no-follow and would do nothing.

    >>> follows_only({"--event": None, "--speed": 0.0})
    >>> follows_only({"--event": ["ferry.json"]})
    Traceback (most recent call last):
    tidings.core.errors.UsageError: --event has no effect with --no-follow, which follows nothing. Leave one out.
    """
    from tidings.core import UsageError

    for option, value in given.items():
        if value:
            raise UsageError(
                f"{option} has no effect with --no-follow, which follows nothing. Leave one out."
            )


def own_events(options: RunOptions) -> list[StandingEvent]:
    """The events that the options ask to follow; UsageError for what none can be made of.

    Ids of queries are made of their words, so that those of another start are others.
    """
    from tidings.core import StandingEvent, UsageError
    from tidings.following import (
        assemble,
        check_words,
        choose_events,
        in_languages,
        query_events,
        standing_system,
        with_terms,
    )

    files, titles = options["event"], options["title"]
    words: Any = options["query"]
    queries = [words] if isinstance(words, str) else words
    system, about = str(options["system"]), str(options["about"])
    about = "" if about in ("unlimited", "free") else about
    assemble(system, about=about)  # that of stories which are begun on the pages, too
    if titles and not queries:
        raise UsageError("--title needs --query: it names the event that the query is about.")
    events = choose_events(files, ()) if files else []
    if queries:
        events += query_events(queries, titles or (), taken=["query", *(event.id for event in events)])
        check_words(queries)
    system = with_terms(system, options["story_terms"]) if options["story_terms"] else system
    made = [
        StandingEvent(event=event, system=system, about=about)
        for event in in_languages(events, options["languages"])
    ]
    for standing in made:
        standing_system(standing)
    return made


def add_events(live: LiveStore, events: Sequence[StandingEvent]) -> list[str]:
    """Follow these from now on, unless the store does; gives a line for each that it follows otherwise."""
    otherwise = []
    for standing in events:
        found = live.events.find(standing.event.id)
        if found is None:
            live.events.add(standing, "command line")
        elif found.event != standing.event:
            otherwise.append(
                f"event {standing.event.id}: the store follows it with other words and continues to do so (query "
                f"{found.event.query!r}); change it on its page"
            )
    return otherwise


def check_filled(live: LiveStore) -> None:
    """StoreError where the store has nothing that could be shown, now or later."""
    from tidings.live.store import LIVE_RUN

    if live.outputs.run != LIVE_RUN or not live.events.all():
        live.outputs.check()


def delivery_settings(digests: str, site: SiteSettings, *, allow_private: bool) -> DeliverySettings:
    """How alarms are delivered; UsageError where there is no such folder."""
    from pathlib import Path

    from tidings.core import UsageError
    from tidings.live.alarms.settings import DeliverySettings

    if digests and not Path(digests).is_dir():
        raise UsageError(f"--digests {digests}: there is no such folder. Make it first.")
    public = site.public_url + site.root_path if site.public_url else ""
    return DeliverySettings(allow_private=allow_private, digests=digests, public_url=public)


LogKind: TypeAlias = Literal["text", "json"]
KINDS: tuple[LogKind, ...] = ("text", "json")
_SECRET = re.compile(r"/welcome/[\w-]+")


class ServeLog:
    """Says what happens, one line each.

    In JSON each line has `time` (UTC, in milliseconds), `level` (info, warning or error), `event` (what kind of thing
    happened: serving, follower, request, server, …), `message`, and what else there is to say of it.

    Args:
        kind: `text` or `json`.
        quiet: say only warnings and errors.
    """

    def __init__(self, kind: LogKind, *, quiet: bool = False) -> None:
        self.kind, self._quiet = kind, quiet
        self._lock = threading.Lock()

    def __call__(self, message: str, *, event: str = "note", level: str = "info", **more: Any) -> None:
        """Say it."""
        if self._quiet and level == "info":
            return
        if self.kind == "text":
            say(message)
            return
        now = datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
        line = {"time": now, "level": level, "event": event, "message": message, **more}
        # Whoever reads logs must not be able to choose someone's password, in a trace neither.
        text = _SECRET.sub(r"/welcome/\\u2026", json.dumps(line))
        with self._lock:
            print(text, file=sys.stderr, flush=True)  # noqa: T201

    def of_follower(self, message: str) -> None:
        """Say what is wrong with the process that follows."""
        self(message, event="follower", level="warning")

    def of_request(self, method: str, path: str, status: int, seconds: float, client: str) -> None:
        """Say, in JSON alone, that a request was answered; links that choose a password stay secret."""
        if self.kind == "json":
            took = round(seconds * 1000, 1)
            self(
                f"{method} {path} {status}",
                event="request",
                method=method,
                path=path,
                status=status,
                milliseconds=took,
                client=client,
            )

    def take_over(self) -> bool:
        """In JSON, have the server's own messages said here too; gives whether they are."""
        if self.kind == "json":
            handler = _Passing(self)
            for name in ("uvicorn", "uvicorn.error", "tidings"):
                logger = logging.getLogger(name)
                logger.handlers, logger.propagate = [handler], False
        return self.kind == "json"


class _Passing(logging.Handler):
    """Says what the server logs."""

    def __init__(self, log: ServeLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Say it; what failed with its trace."""
        more: dict[str, Any] = {}
        if record.exc_info:
            more["trace"] = logging.Formatter().formatException(record.exc_info)
        level = "error" if record.levelno >= logging.ERROR else "warning"
        self._log(record.getMessage(), event="server", level=level, **more)
