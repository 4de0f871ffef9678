"""Training of `hres` (torch): encoder, imitation of a greedy oracle, REINFORCE."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.core import UsageError
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.model_files import need
from tidings.research.training.trainers import Learned, Training


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Train on `events`; the development events, where there are some, choose when REINFORCE stops.

    Raises:
        UsageError: torch is missing, an option is unknown, or there is no event.
    """
    need("torch", "torch")
    if not events:
        raise UsageError("training of hres: no event to learn from (expected at least one)")
    from tidings.research.training.hres.reinforcement import learn

    return learn(events, development, training)
