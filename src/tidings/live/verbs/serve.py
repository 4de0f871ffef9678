"""`tidings serve`: follow standing events, and serve live pages of their updates."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.following import AllowPrivate, Contact, Languages, LiveOptions, Queries, Titles
from tidings.live.verbs.serve_options import (
    AllowPrivateWebhooks,
    DeliverAlarms,
    Digests,
    EveryOption,
    HostOption,
    KeepOption,
    LogOption,
    PublicUrl,
    ReadOnly,
    RootPath,
    TrustedProxies,
    delivery_settings,
)
from tidings.web import PortOption, needs_web

_FIRST_NAME = "editor"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="serve")(serve)


def serve(
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="SOURCE…", help="Feeds, lists of feeds (OPML), or files of articles."),
    ] = None,
    store: Annotated[
        str, typer.Option(metavar="URL", help="Where everything is stored: a file, or a URL.")
    ] = "tidings.db",
    event: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A file of events to follow; may be repeated."),
    ] = None,
    query: Queries = None,
    title: Titles = None,
    languages: Languages = None,
    system: Annotated[
        str,
        typer.Option(
            metavar="NAME[:OPTION=VALUE,…]", help="The system that selects updates for the events named here."
        ),
    ] = "tidings:values=yes,entities=yes",
    about: Annotated[
        str,
        typer.Option(
            metavar="PACE",
            help="About how many updates for each event named here; `unlimited` for no limit.",
        ),
    ] = "up to 40/day",
    follow: Annotated[
        bool,
        typer.Option(
            "--follow/--no-follow",
            help="Follow the sources, or only show a store that another process fills.",
        ),
    ] = True,
    run: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With --no-follow: the run to show (default: live)."),
    ] = None,
    port: PortOption = 8570,
    host: HostOption = "127.0.0.1",
    public_url: PublicUrl = "",
    root_path: RootPath = "",
    trusted_proxy: TrustedProxies = None,
    read_only: ReadOnly = False,
    log: LogOption = "text",
    speed: Annotated[
        float,
        typer.Option(
            metavar="TIMES", help="For files: how many times faster than real time (0: all at once).", min=0
        ),
    ] = 0,
    every: EveryOption = None,
    pages: Annotated[
        bool, typer.Option("--pages", help="Also fetch the page of each new article, as robots.txt allows.")
    ] = False,
    keep: KeepOption = None,
    allow_private: AllowPrivate = False,
    contact: Contact = None,
    alarms: DeliverAlarms = True,
    digests: Digests = "",
    allow_private_webhooks: AllowPrivateWebhooks = False,
) -> None:
    """Follow events for ever, and serve pages that update themselves.

    One command follows and serves; --no-follow shows what another one follows. While nobody can sign in, a link is
    printed with which the first account chooses its password: who is signed in starts and changes events on the pages.
    """
    needs_web()
    from contextlib import ExitStack

    from msgspec.structs import replace

    from tidings.core import UsageError, file_of, open_store, parse_store
    from tidings.live.hosting.service import ServiceSettings, check_begun, check_sources
    from tidings.live.hosting.supervision import Supervisor
    from tidings.live.pages.app import make_app
    from tidings.live.store import LIVE_RUN, LiveStore
    from tidings.live.verbs.serve_options import (
        KINDS,
        ServeLog,
        add_events,
        check_filled,
        check_reachable,
        follows_only,
        own_events,
        site_settings,
    )
    from tidings.web import RequestLog, SiteAccounts, first_account, first_link, listening, serve as serve_app

    kind = next((known for known in KINDS if known == log), None)
    if kind is None:
        raise UsageError(f"--log {log}: choose text or json.")
    say = ServeLog(kind)
    site = site_settings(host, public_url, root_path, trusted_proxy or (), read_only=read_only)
    deliveries = delivery_settings(digests, site, allow_private=allow_private_webhooks) if alarms else None
    site = replace(site, system=system, about=about)
    settings = ServiceSettings(
        store=store,
        streams=tuple(sources or ()),
        live=LiveOptions(
            every=every, keep=keep, contact=contact, pages=pages, allow_private=allow_private
        ).settings(),
        speed=speed,
    )
    file = file_of(parse_store(store))
    is_new = file is not None and not file.exists()
    if follow:
        if run is not None:
            raise UsageError(
                f"--run {run} needs --no-follow: without it the pages show what is followed here."
            )
        check_sources(settings)
        if is_new:
            check_reachable(host, store, None, read_only=read_only)
    else:
        given = {"--event": event, "--query": query, "--speed": speed, "--every": every, "--pages": pages}
        follows_only({f"SOURCE {(sources or [''])[0]}": sources, **given, "--keep": keep})
        if is_new:
            raise UsageError(
                f"{store}: there is no such store. --no-follow shows one that another process fills."
            )
    events = own_events(event, query, title, languages, system, about)
    # The address first: where it is taken, nothing is made in the store.
    with listening(host, port) as listener, open_store(store, durable=True) as opened, ExitStack() as stack:
        desk, live = SiteAccounts(opened), LiveStore(opened, run or LIVE_RUN)
        check_reachable(host, store, desk, read_only=read_only)
        if follow:
            check_begun(opened, settings)
        else:
            check_filled(live)
        for line in add_events(live, events):
            say(line, level="warning")
        link = "" if read_only else first_link(desk, _FIRST_NAME)
        own_logs = say.take_over()
        supervisor = stack.enter_context(Supervisor(settings, say.of_follower)) if follow else None
        app = make_app(live, site, None if supervisor is None else lambda: supervisor.status, deliveries)
        app.add_middleware(RequestLog, note=say.of_request)

        def ready(address: str) -> None:
            say(f"live at {address} (Ctrl-C ends it)", event="serving", address=address)
            if link and kind == "json":
                # A log is kept and read by many: a link that chooses a password has no place in it.
                say(
                    "Nobody can sign in yet. For a link, run: "
                    f"tidings assess users --store {store} --invite {first_account(desk, _FIRST_NAME).name}",
                    event="first-account",
                )
            elif link:
                say(f"To edit stories, choose a password at {address}{link}", event="first-account")

        serve_app(app, listener, site, ready, own_logs=own_logs)
