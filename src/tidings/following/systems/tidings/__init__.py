"""`tidings`: tells a sentence when what it adds is worth the words it takes, as learned from judged events."""

from tidings.following.systems.tidings.follower import Tidings, TidingsFollower

__all__ = ["Tidings", "TidingsFollower"]
