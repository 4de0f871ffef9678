"""Salience and informativeness of a day's entities: a table of small functions, and the matrix that they make."""

from tidings.following.entities.features.matrix import FEATURES, EntityFeatures, FeatureMatrix
from tidings.following.entities.features.table import GROUPS, Feature

__all__ = ["FEATURES", "GROUPS", "EntityFeatures", "Feature", "FeatureMatrix"]
