"""Take a picture of a page that a command wrote, as the documentation shows it: of its top, or from a heading on.

    python scripts/picture_page.py demo-out/santiago-2013.html docs/images/page.png
    python scripts/picture_page.py study.html docs/images/study.png --section scores --width 820 --height 1410

It needs Playwright and a Chromium (`scripts/install_browser.sh`); the picture is a PNG.
"""

from __future__ import annotations

from pathlib import Path

from frame import parser as command_line
from pictures import CHROMIUM

WIDTH, HEIGHT, ABOVE = 1000, 1330, 20


def main() -> None:
    """Open the page as a file, and take its picture."""
    parser = command_line(__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--section", default="", help="id of the section at which the picture begins")
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--height", type=int, default=HEIGHT)
    asked = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": asked.width, "height": asked.height}, color_scheme="light")
        page.goto(asked.page.resolve().as_uri())
        box = page.locator(f"#{asked.section}").bounding_box() if asked.section else None
        clip = {
            "x": 0,
            "y": max(0, box["y"] - ABOVE) if box else 0,
            "width": asked.width,
            "height": asked.height,
        }
        page.screenshot(path=asked.picture, clip=clip, full_page=True)
        browser.close()


if __name__ == "__main__":
    main()
