"""`tidings assess demo`: the desk with the bundled event, half judged."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tidings.core import described, say
from tidings.web import VERB_OPTIONS, demo_store, needs_web

if TYPE_CHECKING:
    from tidings.annotation.store import Desk
    from tidings.core import Document, Event, Run


EVENT = "santiago-2013"
PROJECT = "Angrois"
SYSTEMS = ("first", "cosine", "tidings")
"""Of whose runs the pool is made."""


@described(__file__, VERB_OPTIONS)
def assess_demo(
    port: int = 0,
    store: str | None = None,
    show_page: bool = True,
) -> None:
    """Open the assessors' desk with the bundled event, half judged, to try things out.

    The updates of three systems are pooled, and two people have begun to judge them. Prints a link for each of lead,
    first and second; each link signs in once, without a password.
    """
    needs_web()
    from tidings.annotation.pages.app import run
    from tidings.annotation.store import Desk
    from tidings.core import open_store
    from tidings.web import SiteSettings, listening

    with (
        listening("127.0.0.1", port) as listener,
        demo_store(store, "desk.db") as url,
        open_store(url, durable=store is not None) as opened,
    ):
        desk = Desk(opened)
        if desk.projects.find(PROJECT) is None:
            fill_demo(desk)

        def ready(address: str) -> None:
            links = {name: f"{address}/welcome/{token}" for name, token in _tokens(desk).items()}
            for name, link in links.items():
                say(f"{name:<6} {link}", prefix="")
            say("Each link signs in once. Open a second one in a private window. Press Ctrl-C to stop.")
            if show_page and sys.stderr.isatty():
                from tidings.core import open_page

                open_page(next(iter(links.values())))

        run(desk, listener, settings=SiteSettings(links_sign_in=True), ready=ready)


def _tokens(desk: Desk) -> dict[str, str]:
    from tidings.annotation.desk.demo import NAMES

    accounts = {account.name: account for account in desk.accounts.all()}
    return {name: desk.accounts.invite(accounts[name].id) for name in NAMES if name in accounts}


def fill_demo(desk: Desk) -> None:
    """Make the project of the demonstration."""
    from tidings.annotation.desk.demo import demo_project
    from tidings.following import steps_progress
    from tidings.sources import bundled, read_events, read_judgments, read_stream

    folder = bundled.path(EVENT)
    event, documents = read_events(folder)[0], list(read_stream(folder))
    with steps_progress("making the project") as moved:
        runs = []
        for done, system in enumerate(SYSTEMS):
            moved(done, len(SYSTEMS) + 1, f"(system {system})")
            runs.append(_run(system, event, documents))
        moved(len(SYSTEMS), len(SYSTEMS) + 1, "(judgments)")
        demo_project(desk, PROJECT, read_judgments(folder), runs, documents)


def _run(system: str, event: Event, documents: list[Document]) -> Run:
    from tidings.core import Run, Update
    from tidings.following import follow

    outputs = follow(documents, events=[event], system=system)
    return Run("demo", system, tuple(output for output in outputs if isinstance(output, Update)))
