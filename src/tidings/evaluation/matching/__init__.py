"""Whether an update says a nugget, judged by a program: likenesses, a learned matcher, and how good they are."""

from __future__ import annotations

from tidings.evaluation.matching.learned import NuggetMatcher
from tidings.evaluation.matching.likeness import BASELINES, BaselineMatcher
from tidings.evaluation.matching.told import match_events, told_updates

__all__ = ["BASELINES", "BaselineMatcher", "NuggetMatcher", "match_events", "told_updates"]
