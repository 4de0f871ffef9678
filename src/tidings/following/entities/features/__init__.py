"""Salience and informativeness of a day's entities: a table of small functions, and the matrix that they make."""

from tidings.following.entities.features.matrix import ENTITY_FEATURES, EntityFeatures, FeatureMatrix
from tidings.following.entities.features.table import ENTITY_FEATURE_GROUPS, Feature

__all__ = ["ENTITY_FEATURES", "ENTITY_FEATURE_GROUPS", "EntityFeatures", "Feature", "FeatureMatrix"]
