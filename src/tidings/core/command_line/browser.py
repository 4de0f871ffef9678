"""Opening a page in somebody's browser."""

from __future__ import annotations

import os
import sys

__all__ = ["has_desktop", "open_page"]


def has_desktop() -> bool:
    """Whether a browser could open a window: never start a text browser over somebody's terminal."""
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_page(link: str) -> None:
    """Open a page in a browser, on a desktop."""
    if has_desktop():
        import webbrowser

        webbrowser.open(link)
