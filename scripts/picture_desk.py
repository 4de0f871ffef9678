"""Take the pictures of the assessors' desk that the documentation shows, of the project that `assess demo` makes.

    python scripts/picture_desk.py [--out docs/images] [--dark] [PAGE ...]

It needs Playwright and a Chromium (`scripts/install_browser.sh`); pictures are WebP.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any

from pictures import only_wait, parse_arguments, start, take

from tidings.annotation.pages.app import run
from tidings.annotation.store import Desk
from tidings.annotation.verbs.assess_demo import fill_demo
from tidings.core.store import open_store
from tidings.web.visitors import SiteSettings

TOPIC = "/projects/1/topics/1"
PAGES = {
    "matching": (f"{TOPIC}/matching", only_wait),
    "clusters": (f"{TOPIC}/clusters", only_wait),
    "adjudication": (f"{TOPIC}/adjudication", only_wait),
}
"""By the picture's name: what is looked at, and what is done before it is taken."""


def main() -> int:
    """Make the demonstration's project, serve it, and take the pictures."""
    given = parse_arguments(__doc__, PAGES)
    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/desk.db") as store:
        desk = Desk(store)
        fill_demo(desk)
        settings = SiteSettings(links_sign_in=True)
        address = start(lambda listener, ready: run(desk, listener, settings=settings, ready=ready))

        def enter(name: str, context: Any) -> None:
            account = desk.accounts.find("lead" if name == "adjudication" else "first")
            assert account is not None
            page = context.new_page()
            page.goto(f"{address}/welcome/{desk.accounts.invite(account.id)}")
            page.close()

        take(given, "desk", address, PAGES, enter)
    return 0


if __name__ == "__main__":
    os._exit(main())  # the server's thread ends with the process
