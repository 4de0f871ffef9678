"""Learning `l2s`: the oracle, the search, and what it learns from."""

from tidings.training.l2s.trainer import Options, train

__all__ = ["Options", "train"]
