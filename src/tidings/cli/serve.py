"""`tidings serve`: follow standing events, and serve live pages of what is told."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.desk_options import PortOption, needs_web
from tidings.cli.live_options import AllowPrivate, Contact, Every, Keep, Pages, live_settings
from tidings.cli.output import say
from tidings.cli.run_options import Queries, Titles

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="serve")(serve)


def serve(
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="SOURCE…", help="Feeds, lists of feeds (OPML), or files of documents."),
    ] = None,
    store: Annotated[
        str, typer.Option(metavar="URL", help="The store that keeps all of it: a file, or a URL.")
    ] = "tidings.db",
    event: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="A file of events that are to be followed.")
    ] = None,
    query: Queries = None,
    title: Titles = None,
    system: Annotated[
        str, typer.Option(metavar="NAME[:OPTION=VALUE,…]", help="What decides on events that are added now.")
    ] = "tidings:values=yes,entities=yes",
    about: Annotated[
        str, typer.Option(metavar="PACE", help="About how many updates of each event that is added now.")
    ] = "up to 40/day",
    follow: Annotated[
        bool,
        typer.Option("--follow/--no-follow", help="Follow, or only show what others fill the store with."),
    ] = True,
    run: Annotated[str, typer.Option(metavar="NAME", help="Which run of the store is shown.")] = "live",
    port: PortOption = 8570,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    speed: Annotated[
        float, typer.Option(help="Of files: how many times quicker than it happened (0: at once).", min=0)
    ] = 0,
    every: Every = None,
    pages: Pages = False,
    keep: Keep = None,
    allow_private: AllowPrivate = False,
    contact: Contact = None,
) -> None:
    """Follow events for ever, and serve pages that update themselves.

    One command follows and serves; --no-follow shows what another one follows.
    """
    needs_web()
    from contextlib import ExitStack

    from tidings.cli.chosen_events import choose
    from tidings.errors import UsageError
    from tidings.hosting.service import ServiceSettings, check_sources
    from tidings.hosting.supervision import Supervisor
    from tidings.records.standing import StandingEvent
    from tidings.store import open_store
    from tidings.store.live import LiveStore
    from tidings.web.live.app import make_app
    from tidings.web.live.settings import LiveSiteSettings
    from tidings.web.serving import listening
    from tidings.web.serving import serve as serve_app

    settings = ServiceSettings(
        store=store,
        streams=tuple(sources or ()),
        live=live_settings(
            every, keep, None, None, contact, pages=pages, offline=False, allow_private=allow_private
        ),
        speed=speed,
    )
    if follow:
        check_sources(settings)
    elif sources:
        raise UsageError(f"found {sources[0]} with --no-follow, expected no SOURCE: nothing is followed then")
    added = choose(event, query, title, None, None, ()) if event or query else []
    with listening(host, port) as listener, open_store(store) as opened, ExitStack() as stack:
        live = LiveStore(opened, run)
        for one in added:
            if live.events.find(one.id) is None:
                live.events.add(StandingEvent(event=one, system=system, about=about), "command line")
        if not follow:
            live.outputs.check()
        supervisor = stack.enter_context(Supervisor(settings, say)) if follow else None
        site = LiveSiteSettings(hosts=(host,))
        app = make_app(live, site, None if supervisor is None else lambda: supervisor.status)
        serve_app(app, listener, site, lambda address: say(f"live at {address} (Ctrl-C ends it)"))
