"""The option `values`, which every system has."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

__all__ = ["Tracking"]


class Tracking(Struct, frozen=True, kw_only=True):
    """Whether values are tracked beside the updates, and with them where the event is."""

    values: Annotated[
        bool, Meta(description="give the current values (deaths, injuries, …) beside the updates")
    ] = False
    places: Annotated[
        bool, Meta(description="give the event's location too, beside the values; needs the extra `places`")
    ] = False
