"""Learning `ius`: a ranker of sentences, and a regression from an interval to its best rank cut-off."""

from tidings.research.training.ius.intervals import Earnings, LabelledEvent, SentenceGains, best_cut, walk
from tidings.research.training.ius.trainer import train

__all__ = ["Earnings", "LabelledEvent", "SentenceGains", "best_cut", "train", "walk"]
