"""Training of `nnrl`: Q-learning over streams that are played as games."""

from tidings.research.training.nnrl.trainer import NnrlOptions, train

__all__ = ["NnrlOptions", "train"]
