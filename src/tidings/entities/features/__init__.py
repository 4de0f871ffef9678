"""Salience and informativeness of a day's entities: a table of small functions, and the matrix that they make."""

from tidings.entities.features.matrix import FEATURES, EntityFeatures, FeatureMatrix
from tidings.entities.features.table import GROUPS, Feature

__all__ = ["FEATURES", "GROUPS", "EntityFeatures", "Feature", "FeatureMatrix"]
