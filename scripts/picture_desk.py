"""Take the pictures of the assessors' desk that the documentation shows, of the project that `assess demo` makes.

    python scripts/picture_desk.py [--out docs/images] [--dark] [PAGE ...]

It needs Playwright and a Chromium (`scripts/install_browser.sh`); pictures are WebP.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CHROMIUM = os.environ.get("TIDINGS_CHROMIUM", "/usr/bin/chromium")
WIDTH, HEIGHT = 1180, 740
TOPIC = "/projects/1/topics/1"


def match_some(page: Any) -> None:
    """The Matches page at an update that is still to be judged."""
    page.wait_for_timeout(600)


def hover_nothing(page: Any) -> None:
    """A page as it comes."""
    page.wait_for_timeout(300)


PAGES: dict[str, tuple[str, str, Callable[[Any], None]]] = {
    "project": ("lead", "/projects/1", hover_nothing),
    "nuggets": ("first", f"{TOPIC}/extraction", hover_nothing),
    "matching": ("first", f"{TOPIC}/matching", match_some),
    "clusters": ("first", f"{TOPIC}/clusters", hover_nothing),
    "entities": ("first", f"{TOPIC}/entities", hover_nothing),
    "agreement": ("lead", "/projects/1/agreement", hover_nothing),
    "adjudication": ("lead", f"{TOPIC}/adjudication", hover_nothing),
    "progress": ("lead", "/projects/1/progress", hover_nothing),
}
"""By the picture's name: who looks, at what, and what is done before it is taken."""


def main() -> int:
    """Make the demo, serve it, and take the pictures."""
    given = wanted_pictures(__doc__, PAGES)
    from tidings.annotation.pages.app import run
    from tidings.annotation.store import Desk
    from tidings.annotation.verbs.assess_demo import fill_demo
    from tidings.core.store import open_store
    from tidings.web.serving import listening as listening_at
    from tidings.web.visitors import SiteSettings

    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/desk.db") as store:
        desk = Desk(store)
        fill_demo(desk)
        listening, address = threading.Event(), []

        def ready(where: str) -> None:
            address.append(where)
            listening.set()

        def serve() -> None:
            with listening_at("127.0.0.1", 0) as listener:
                run(desk, listener, settings=SiteSettings(links_sign_in=True), ready=ready)

        threading.Thread(target=serve, daemon=True).start()
        if not listening.wait(30):
            return 1
        take(desk, address[0], given.pages or list(PAGES), given.out, dark=given.dark)
    return 0


def wanted_pictures(about: str | None, pages: Iterable[str]) -> argparse.Namespace:
    """Which of these pictures are asked for on the command line, and where they go."""
    parser = argparse.ArgumentParser(description=(about or "").split("\n", 1)[0])
    parser.add_argument("pages", nargs="*", default=[], help=f"of: {', '.join(pages)} (all unasked)")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--dark", action="store_true")
    return parser.parse_args()


def take(desk: Any, address: str, names: list[str], out: Path, *, dark: bool) -> None:
    """Take the pictures of these names."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name in names:
            who, path, prepare = PAGES[name]
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="dark" if dark else "light"
            )
            page = context.new_page()
            account = desk.accounts.find(who)
            page.goto(f"{address}/welcome/{desk.accounts.invite(account.id)}")
            answer = page.goto(address + path)
            if answer is None or not answer.ok:
                print(f"{name}: {path} answers {answer and answer.status}", file=sys.stderr)
                continue
            prepare(page)
            picture = out / f"desk-{name}.webp"
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
