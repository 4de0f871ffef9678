"""Numbers that news states of an event: how many died, were hurt, are missing, and what is held against each."""

from tidings.analysis.values.happenings import Relevance
from tidings.analysis.values.mentions import Mention, find_mentions

__all__ = ["Mention", "Relevance", "find_mentions"]
