"""Take the pictures of live pages that the documentation shows: the events of the demonstration, followed to their end.

    python scripts/picture_live.py [--out docs/images] [--dark] [PAGE ...]

It needs Playwright and a Chromium (`scripts/install_browser.sh`); pictures are WebP.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from frame import parser as command_line

ROOT = Path(__file__).parents[1]
CHROMIUM = os.environ.get("TIDINGS_CHROMIUM", "/usr/bin/chromium")
WIDTH, HEIGHT = 1180, 740

Prepare = Callable[[Any], None]


def only_wait(page: Any) -> None:
    """As it is opened."""
    page.wait_for_timeout(600)


def ask_for_preview(page: Any) -> None:
    """What an event would have told of the last days."""
    page.fill("input[name=query]", "flood Brennholm")
    page.fill("input[name=title]", "The flood in Brennholm")
    page.select_option("select[name=days]", "7")
    page.click("button:has-text('Show what it would')")
    page.wait_for_selector("h2", timeout=60_000)
    page.wait_for_timeout(3000)


PAGES: dict[str, tuple[str, Prepare]] = {
    "events": ("/", only_wait),
    "event": ("/events/santiago-2013", only_wait),
    "ferry": ("/events/selde-ferry", only_wait),
    "update": ("/events/santiago-2013/updates/12", only_wait),
    "away": ("/away?since=7d", only_wait),
    "search": ("/search?q=driver", only_wait),
    "sources": ("/sources", only_wait),
    "preview": ("/edit/new", ask_for_preview),
    "alarms": ("/alarms", only_wait),
}
"""By the picture's name: what is looked at, and what is done before it is taken."""


def main() -> int:
    """Follow the demonstration's events, serve what they told, and take the pictures."""
    parser = command_line(__doc__)
    parser.add_argument("pages", nargs="*", default=[], help=f"of: {', '.join(PAGES)} (all unasked)")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    from tidings.core.store import open_store
    from tidings.live.pages.app import make_app
    from tidings.live.pages.settings import LiveSiteSettings
    from tidings.live.store import LiveStore
    from tidings.web.serving import listening as listening_at, serve

    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        follow(f"{folder}/live.db")
        with open_store(f"{folder}/live.db") as store:
            settings = LiveSiteSettings()
            app = make_app(LiveStore(store), settings)
            listening, address = threading.Event(), []

            def ready(where: str) -> None:
                address.append(where)
                listening.set()

            def run() -> None:
                with listening_at("127.0.0.1", 0) as listener:
                    serve(app, listener, settings, ready)

            threading.Thread(target=run, daemon=True).start()
            if not listening.wait(30):
                return 1
            app.state.deliveries = SimpleNamespace(
                trouble=""
            )  # as where alarms are sent, though here none is
            accounts = app.state.desk.accounts
            session = accounts.begin_session(accounts.add("editor").id)
            take(address[0], session, given.pages or list(PAGES), given.out, dark=given.dark)
    return 0


def follow(store: str) -> None:
    """Follow the demonstration's events into a store, as `tidings serve` does, until their documents end."""
    from tidings.core.records.standing import AlarmChannel, AlarmRule, SourceSilent, UpdateAbove, ValueRose
    from tidings.core.store import open_store
    from tidings.live.hosting.service import ServiceSettings, hosted_service
    from tidings.live.store import LiveStore
    from tidings.live.verbs.serve_demo import demo_events, demo_streams

    with open_store(store) as opened:
        live = LiveStore(opened)
        for one in demo_events():
            live.events.add(one, "pictures")
        hook = AlarmChannel(
            name="news desk", kind="webhook", address="https://desk.example.org/news", secret="s"
        )
        to = (live.channels.add(hook).id,)
        live.rules.add(AlarmRule(name="A toll that rose", when=ValueRose(share=0.1), channels=to))
        live.rules.add(
            AlarmRule(
                name="The ferry",
                when=UpdateAbove(worth=0.5),
                event_id="selde-ferry",
                most_an_hour=4,
                channels=to,
            )
        )
        live.rules.add(AlarmRule(name="Silence", when=SourceSilent(after_s=7200), channels=to))
    settings = ServiceSettings(store=store, streams=demo_streams())
    runs: list[Any] = []
    with hosted_service(settings, stop=lambda: bool(runs) and runs[0].is_over) as service:
        runs.append(service.run)
        for _ in service.run:
            pass


def take(address: str, session: str, names: list[str], out: Path, *, dark: bool) -> None:
    """Take the pictures of these names, as somebody who is signed in sees the pages."""
    from playwright.sync_api import sync_playwright

    from tidings.web.visitors import COOKIE

    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name in names:
            path, prepare = PAGES[name]
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="dark" if dark else "light"
            )
            context.add_cookies([{"name": COOKIE, "value": session, "url": address}])
            page = context.new_page()
            answer = page.goto(address + path)
            if answer is None or not answer.ok:
                print(f"{name}: {path} answers {answer and answer.status}", file=sys.stderr)
                continue
            prepare(page)
            picture = out / f"live-{name}.webp"
            picture.write_bytes(as_webp(browser, page.screenshot()))
            print(f"{picture}: {picture.stat().st_size / 1024:.0f} KiB")
            context.close()
        browser.close()


def as_webp(browser: Any, picture: bytes) -> bytes:
    """A picture in WebP, which the browser itself can write."""
    from base64 import b64decode, b64encode

    page = browser.new_page()
    written: str = page.evaluate(
        """async source => {
            const image = new Image();
            image.src = source;
            await image.decode();
            const canvas = document.createElement("canvas");
            canvas.width = image.width;
            canvas.height = image.height;
            canvas.getContext("2d").drawImage(image, 0, 0);
            return canvas.toDataURL("image/webp", 0.5);
        }""",
        "data:image/png;base64," + b64encode(picture).decode(),
    )
    page.close()
    return b64decode(written.partition(",")[2])


if __name__ == "__main__":
    os._exit(main())  # the server's thread ends with the process
