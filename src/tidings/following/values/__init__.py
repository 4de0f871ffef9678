"""Tracked values: how many died, were hurt, are missing, as it stands, from what many documents claim of an event."""

from tidings.following.values.series import Claim, Rules, Series, claim_of
from tidings.following.values.tracker import ValueTracker, mentions_of

__all__ = ["Claim", "Rules", "Series", "ValueTracker", "claim_of", "mentions_of"]
