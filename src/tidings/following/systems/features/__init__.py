"""What learned systems look at: shared features of sentences on a stream, and the word models behind them."""

from tidings.following.systems.features.extractor import (
    NAMES,
    TEXT_FEATURE_GROUPS,
    FeaturedSentence,
    FeatureExtractor,
)
from tidings.following.systems.features.tags import TAGS, Tagged, tag
from tidings.following.systems.features.words import Expansion, WordModels, WordScores, expand

__all__ = [
    "NAMES",
    "TAGS",
    "TEXT_FEATURE_GROUPS",
    "Expansion",
    "FeatureExtractor",
    "FeaturedSentence",
    "Tagged",
    "WordModels",
    "WordScores",
    "expand",
    "tag",
]
