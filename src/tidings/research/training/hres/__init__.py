"""Training of `hres` (torch): encoder, imitation of a greedy oracle, REINFORCE."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tidings.core import UsageError
from tidings.research.training.labelled_events import JudgedEvent

if TYPE_CHECKING:
    from tidings.research.training.trainers import Learned, Training


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Train on `events`; the development events, where there are some, choose when REINFORCE stops.

    Raises:
        UsageError: torch is missing, an option is unknown, or there is no event.
    """
    try:
        import torch  # noqa: F401
    except ImportError:
        raise UsageError(
            "training of hres: no torch (expected it); install it with `pip install 'tidings[torch]'` "
            "(running hres needs none)"
        ) from None
    if not events:
        raise UsageError("training of hres: no event to learn from (expected at least one)")
    from tidings.research.training.hres.reinforcement import learn

    return learn(events, development, training)
