"""What the scripts that take pictures of pages share; they need Playwright and a Chromium."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from socket import socket
from typing import Any

from frame import parser as command_line

from tidings.web.serving import listening as listening_at

IMAGES = Path(__file__).parents[1] / "docs" / "images"
CHROMIUM = os.environ.get("TIDINGS_CHROMIUM", "/usr/bin/chromium")
WIDTH, HEIGHT = 1180, 740
_TO_WEBP = """async source => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.5);
}"""


def only_wait(page: Any) -> None:
    """As it is opened."""
    page.wait_for_timeout(600)


def parse_arguments(about: str | None, names: Iterable[str]) -> argparse.Namespace:
    """Which of these pictures are asked for on the command line, and where they go."""
    parser = command_line(about)
    parser.add_argument("pages", nargs="*", help=f"of: {', '.join(names)} (all unasked)")
    parser.add_argument("--out", type=Path, default=IMAGES)
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    given.pages = given.pages or list(names)
    given.out.mkdir(parents=True, exist_ok=True)
    return given


def start(serve: Callable[[socket, Callable[[str], None]], None]) -> str:
    """Serve in a thread that ends with the process; gives the address once pages can be asked for."""
    ready, addresses = threading.Event(), []

    def note(address: str) -> None:
        addresses.append(address)
        ready.set()

    def run() -> None:
        with listening_at("127.0.0.1", 0) as listener:
            serve(listener, note)

    threading.Thread(target=run, daemon=True).start()
    if not ready.wait(30):
        sys.exit("no page is served after half a minute")
    return addresses[0]


def take(
    given: argparse.Namespace,
    prefix: str,
    address: str,
    pages: Mapping[str, tuple[str, Callable[[Any], None]]],
    enter: Callable[[str, Any], None],
) -> None:
    """Take the pictures that are asked for; `enter` signs in, for a page of this name, in a fresh context."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name in given.pages:
            path, prepare = pages[name]
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="dark" if given.dark else "light"
            )
            enter(name, context)
            page = context.new_page()
            answer = page.goto(address + path)
            if answer is None or not answer.ok:
                print(f"{name}: {path} answers {answer and answer.status}", file=sys.stderr)
                continue
            prepare(page)
            picture = given.out / f"{prefix}-{name}.webp"
            picture.write_bytes(as_webp(browser, page.screenshot()))
            print(f"{picture}: {picture.stat().st_size / 1024:.0f} KiB")
            context.close()
        browser.close()


def as_webp(browser: Any, picture: bytes) -> bytes:
    """A picture in WebP, which the browser itself can write."""
    page = browser.new_page()
    written: str = page.evaluate(_TO_WEBP, "data:image/png;base64," + b64encode(picture).decode())
    page.close()
    return b64decode(written.partition(",")[2])
