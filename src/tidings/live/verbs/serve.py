"""`tidings serve`: follow standing events, and serve live pages of their updates."""

from __future__ import annotations

from tidings.core import takes_options
from tidings.following import RunOptions, live_settings
from tidings.live.verbs.site_options import SiteOptions
from tidings.web import needs_web

_FIRST_NAME = "editor"


@takes_options("serve")
def serve(options: RunOptions, serving: SiteOptions) -> None:
    """Follow events continuously, and serve pages that update themselves.

    One command follows and serves; --no-follow only shows what another process follows. As long as nobody can sign in,
    a link is printed where the first account chooses its password. Whoever is signed in can add and change events.
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
        delivery_settings,
        follows_only,
        own_events,
        site_settings,
    )
    from tidings.web import RequestLog, SiteAccounts, first_account, first_link, listening, serve as serve_app

    store, sources, host, run = str(options["store"]), options["sources"], serving["host"], serving["run"]
    system, about, read_only = str(options["system"]), str(options["about"]), serving["read_only"]
    log = serving["log"]
    kind = next((known for known in KINDS if known == log), None)
    if kind is None:
        raise UsageError(f"--log {log}: choose text or json.")
    say = ServeLog(kind, quiet=options["quiet"])
    site = site_settings(
        host,
        serving["public_url"],
        serving["root_path"],
        serving["trusted_proxy"] or (),
        read_only=read_only,
    )
    deliveries = (
        delivery_settings(serving["digests"], site, allow_private=serving["allow_private_webhooks"])
        if serving["alarms"]
        else None
    )
    site = replace(site, system=system, about=about)
    settings = ServiceSettings(
        store=store, streams=tuple(sources or ()), live=live_settings(options), speed=serving["speed"]
    )
    file = file_of(parse_store(store))
    is_new = file is not None and not file.exists()
    follow = serving["follow"]
    if follow:
        if run is not None:
            raise UsageError(
                f"--run {run} needs --no-follow: without it the pages show what is followed here."
            )
        check_sources(settings)
        if is_new:
            check_reachable(host, store, None, read_only=read_only)
    else:
        names = ("event", "query", "every", "pages", "keep")
        given = {f"--{name}": options.get(name) for name in names} | {"--speed": serving["speed"]}
        follows_only({f"SOURCE {(sources or [''])[0]}": sources, **given})
        if is_new:
            raise UsageError(
                f"{store}: there is no such store. --no-follow shows one that another process fills."
            )
    events = own_events(options)
    # The address first: where it is taken, nothing is made in the store.
    with (
        listening(host, serving["port"]) as listener,
        open_store(store, durable=True) as opened,
        ExitStack() as stack,
    ):
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
