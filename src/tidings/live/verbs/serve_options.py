"""The options of `tidings serve`, and what may stand beside what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tidings.core import StandingEvent
    from tidings.live.pages.settings import LiveSiteSettings
    from tidings.live.store import LiveStore
    from tidings.web import SiteAccounts

__all__ = [
    "EveryOption",
    "HostOption",
    "KeepOption",
    "LogOption",
    "PublicUrl",
    "ReadOnly",
    "RootPath",
    "TrustedProxies",
    "add_events",
    "check_filled",
    "check_reachable",
    "follows_only",
    "own_events",
    "site_settings",
]

EveryOption = Annotated[
    str | None,
    typer.Option(metavar="LEAST[-MOST]", help="How often a feed is asked (default: 5m-6h, by its news)."),
]
KeepOption = Annotated[
    str | None,
    typer.Option(metavar="AGE[,SIZE]", help="How long what was fetched is kept (default: 30d,1GB)."),
]
HostOption = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Where it listens; other than this machine's own needs accounts first, or --read-only.",
    ),
]
PublicUrl = Annotated[
    str,
    typer.Option(
        metavar="URL",
        help="Where others reach it, such as https://news.example.org: links begin so. Who reads then signs in, "
        "unless --read-only.",
    ),
]
RootPath = Annotated[
    str,
    typer.Option(metavar="PATH", help="What a proxy in front takes off each path, such as /tidings."),
]
TrustedProxies = Annotated[
    list[str] | None,
    typer.Option(
        "--trusted-proxy",
        metavar="ADDRESS",
        help="A proxy whose X-Forwarded headers are believed, as 127.0.0.1 or 10.0.0.0/8; may be repeated.",
    ),
]
ReadOnly = Annotated[
    bool, typer.Option("--read-only", help="Everybody who reaches the pages reads; nobody changes anything.")
]
LogOption = Annotated[
    str,
    typer.Option("--log", metavar="KIND", help="What is said on standard error: `text`, or `json` lines."),
]


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
        path.startswith("/") and "//" not in path and all(_plain(one) for one in path.split("/"))
    ):
        raise UsageError(f"found --root-path {root_path}, expected a path such as /tidings")
    for proxy in proxies:
        try:
            ip_network(proxy, strict=False)
        except ValueError:
            raise UsageError(
                f"found --trusted-proxy {proxy}, expected an address or a network, such as 127.0.0.1 or 10.0.0.0/8"
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
        f"found --host {host} and no account with a password, expected one before others can reach the pages, or "
        f"--read-only; make one with `tidings assess users --store {store} --add NAME --password-file FILE`"
    )


def follows_only(given: Mapping[str, object]) -> None:
    """UsageError for what stands beside --no-follow and would do nothing.

    >>> follows_only({"--event": None, "--speed": 0.0})
    >>> follows_only({"--event": ["ferry.json"]})
    Traceback (most recent call last):
    tidings.core.errors.UsageError: found --event with --no-follow, expected it without: nothing is followed here
    """
    from tidings.core import UsageError

    for option, value in given.items():
        if value:
            raise UsageError(
                f"found {option} with --no-follow, expected it without: nothing is followed here"
            )


def own_events(
    files: Sequence[str] | None,
    queries: Sequence[str] | None,
    titles: Sequence[str] | None,
    languages: str | None,
    system: str,
    about: str,
) -> list[StandingEvent]:
    """The events that the options ask to follow; UsageError for what none can be made of.

    Ids of queries are made of their words, so that those of another start are others.
    """
    from tidings.core import StandingEvent, UsageError
    from tidings.following import check_words, choose_events, in_languages, query_events, standing_system

    if titles and not queries:
        raise UsageError("found --title without --query, expected an event to have it")
    events = choose_events(files, ()) if files else []
    if queries:
        events += query_events(queries, titles or (), taken=["query", *(event.id for event in events)])
        check_words(queries)
    made = [
        StandingEvent(event=event, system=system, about="" if about == "free" else about)
        for event in in_languages(events, languages)
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
                f"event {standing.event.id}: the store follows it otherwise, and goes on so (query "
                f"{found.event.query!r}); it is changed on its page"
            )
    return otherwise


def check_filled(live: LiveStore) -> None:
    """StoreError where the store has nothing that could be shown, now or later."""
    from tidings.live.store import LIVE_RUN

    if live.outputs.run != LIVE_RUN or not live.events.all():
        live.outputs.check()
