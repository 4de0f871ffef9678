"""A pace for any system: about so many updates a day, an hour or in all, held by a gate over the system's scores."""

from tidings.systems.pace.pace import Pace
from tidings.systems.pace.system import PacedFollower, PacedSystem, with_pace, with_period

__all__ = ["Pace", "PacedFollower", "PacedSystem", "with_pace", "with_period"]
