"""Less work for the same collection: what to judge next, and what it may be linked to."""

from tidings.evaluation.selection.pool_texts import PoolTexts
from tidings.evaluation.selection.selection import Selection

__all__ = ["PoolTexts", "Selection"]
