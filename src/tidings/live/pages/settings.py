"""How live pages are served."""

from __future__ import annotations

from tidings.core import default_of
from tidings.following import RunOptions
from tidings.web import SiteSettings


class LiveSiteSettings(SiteSettings, frozen=True, kw_only=True):
    """How live pages are served.

    Args:
        open_reading: whether everyone who reaches the pages may read them; else only who is signed in.
        read_only: nobody may change anything.
        system, about: what decides on the events that are begun on the pages, and at which pace unless said otherwise.
        demo: what is replayed, in words; empty where this is no demonstration.
        look_every_s: how often the store is looked at for what is new.
        streams: how many streams may be open at once.
        streams_of_one: and from one address.
        asked_again_s: where only accounts may read, a stream ends after so long, and comes again with its cookie.
    """

    open_reading: bool = True
    read_only: bool = False
    system: str = default_of(RunOptions, "system", "serve")
    about: str = default_of(RunOptions, "about", "serve")
    demo: str = ""
    look_every_s: float = 0.1
    streams: int = 2000
    streams_of_one: int = 1000
    asked_again_s: float = 900.0
    requests_per_s: float = 50.0
    requests_at_once: int = 1000
    connections: int = 3000
    connections_of_one: int = 1500
    longest_body: int = 2**16
