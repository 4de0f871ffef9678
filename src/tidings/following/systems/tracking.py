"""The options `values`, `places` and `entities`, which every system has."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

__all__ = ["Tracking"]


class Tracking(Struct, frozen=True, kw_only=True):
    """What is given beside the updates: values and where the event is, entities."""

    values: Annotated[
        bool, Meta(description="give the current values (deaths, injuries, …) beside the updates")
    ] = False
    places: Annotated[
        bool, Meta(description="give the event's location too, beside the values; needs the extra `places`")
    ] = False
    entities: Annotated[
        bool, Meta(description="give the entities that matter on each day beside the updates")
    ] = False
