"""A stream of an event as days: the best documents of each day, and who and where they name, under ids that last."""

from tidings.following.entities.days.builder import EventDays

__all__ = ["EventDays"]
