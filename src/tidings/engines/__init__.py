"""Engines that carry followers over many machines: what any of them needs, and a folder for each.

A document is read and offered to the events (`pairs`), each event's part of it is brought to where that event is
followed, and there `EventHost` lets the follower decide, in the order of time. An engine brings the pairs there, keeps
the bytes that the host gives it between two calls, and says how far time has come. Nothing else is asked of it, so that
the outputs of an event are those of the follow loop on the same documents.
"""

from tidings.engines.event_host import Decision, EventHost, Order, Place
from tidings.engines.pairs import Pair, Pairing
from tidings.engines.settings import EngineSettings
from tidings.engines.versions import EventVersions, FixedEvents, NumberedEvents

__all__ = [
    "Decision",
    "EngineSettings",
    "EventHost",
    "EventVersions",
    "FixedEvents",
    "NumberedEvents",
    "Order",
    "Pair",
    "Pairing",
    "Place",
]
