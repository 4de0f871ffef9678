"""A pace for any system: about so many updates a day, an hour or in all, held by a gate over the system's scores."""

from tidings.following.systems.pace.schedules import FREE, Pace
from tidings.following.systems.pace.system import (
    PacedFollower,
    PacedSystem,
    needs_period,
    with_pace,
    with_period,
)

__all__ = ["FREE", "Pace", "PacedFollower", "PacedSystem", "needs_period", "with_pace", "with_period"]
