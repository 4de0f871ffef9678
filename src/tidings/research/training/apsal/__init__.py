"""Training of `apsal`: a latent space, and for each event a Gaussian process of salience."""

from tidings.research.training.apsal.trainer import ApsalOptions, salience_targets, train

__all__ = ["ApsalOptions", "salience_targets", "train"]
