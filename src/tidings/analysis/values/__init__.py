"""Tracked values: how many died, were hurt, are missing, as it stands, from what many documents claim of an event."""

from tidings.analysis.values.mentions import Mention, find_mentions
from tidings.analysis.values.relevance import Relevance
from tidings.following import Claim, Rules, Series, ValueTracker, claim_of, mentions_of

__all__ = [
    "Claim",
    "Mention",
    "Relevance",
    "Rules",
    "Series",
    "ValueTracker",
    "claim_of",
    "find_mentions",
    "mentions_of",
]
