"""Hosting: from settings to a run that is followed, kept and written, for whoever asks.

The command line, the demo, a page and a distributed engine all call `host`; none of them sets up sources, a
store or an output of its own. Nothing is loaded before it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidings.following.hosting.runs import HostedRun, Interrupt, host
    from tidings.following.hosting.settings import RunSettings
    from tidings.following.hosting.sources import choose_events, query_events

__all__ = [
    "DEFAULT_ENTITIES",
    "DEFAULT_PACE",
    "DEFAULT_SYSTEM",
    "HostedRun",
    "Interrupt",
    "RunSettings",
    "choose_events",
    "host",
    "query_events",
]

DEFAULT_SYSTEM = "tidings"
"""The system that decides where none is named."""

DEFAULT_ENTITIES = "entities"
"""The system that ranks entities where none is named."""

DEFAULT_PACE = "up to 40/day"
"""About how much is told of events on the spot where neither a pace nor a system is asked for."""

_FILES = {
    "HostedRun": "runs",
    "Interrupt": "runs",
    "RunSettings": "settings",
    "choose_events": "sources",
    "host": "runs",
    "query_events": "sources",
}


def __getattr__(name: str) -> Any:
    if name not in _FILES:
        raise AttributeError(f"module 'tidings.following.hosting' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"tidings.following.hosting.{_FILES[name]}"), name)
