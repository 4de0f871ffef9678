"""Learning from judgments: events with their streams, trainers, splits and experiments."""

from tidings.research.training.labelled_events import MEASURES, JudgedEvent, Push, load_events
from tidings.research.training.trainers import TRAINERS, Learned, Training, trainer_of

__all__ = [
    "MEASURES",
    "TRAINERS",
    "JudgedEvent",
    "Learned",
    "Push",
    "Training",
    "load_events",
    "trainer_of",
]
