"""Measuring: measures, scoring, comparison, explanation, pooling, matching, clusters, and the study of judgments."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
