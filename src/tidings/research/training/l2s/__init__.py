"""Learning `l2s`: the oracle, the search, and what it learns from."""

from tidings.research.training.l2s.trainer import L2sOptions, train

__all__ = ["L2sOptions", "train"]
