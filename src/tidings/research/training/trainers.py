"""Which systems can be trained, and what a trainer is given and gives back."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tidings.core import Model, UsageError
from tidings.research.training.labelled_events import JudgedEvent

RANKERS = tuple(
    f"entities-{kind}" for kind in ("tidings", "adapter", "no-adapt", "sal", "inf", "ius", "taer")
)
"""The rankers of a day's entities that learn."""

TRAINERS = {
    "apsal": "tidings.research.training.apsal:train",
    "hres": "tidings.research.training.hres:train",
    "ius": "tidings.research.training.ius:train",
    "l2s": "tidings.research.training.l2s:train",
    "l2s-cos": "tidings.research.training.l2s:train",
    **dict.fromkeys(RANKERS, "tidings.research.training.entities.rankers:train"),
    "matcher": "tidings.research.training.matcher:train",
    "nnrl": "tidings.research.training.nnrl:train",
    "tidings": "tidings.research.training.tidings:train",
}
"""The systems, the rankers and the matcher that learn, each with the function that trains it."""

NEVER_STOP_EARLY = frozenset({"apsal", "ius", "matcher", *RANKERS})
"""Those whose training has nothing to stop: they learn from development events as from any others."""


@dataclass(frozen=True)
class Training:
    """How to train.

    Attributes:
        system: the name of the system.
        options: options of the trainer (texts, as `--set name=value` gives them); a trainer refuses unknown ones.
        seed: everything random follows from it.
        threads: how many threads the learner may use.
        progress: called as progress(done, total, words), now and then.
        views: files of page views, for rankers of entities that learn from them.
    """

    system: str
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    threads: int = 1
    progress: Callable[[int, int, str], None] = lambda done, total, words: None
    views: Sequence[str] = ()


@dataclass(frozen=True)
class Learned:
    """What a trainer gives back: arrays and settings of the model, and the learning curve.

    `curve` has one row for each check on the development events: {"step": …, "H": …, …}; early stopping took the best.
    `scores` are figures of what was left out, as `about_scores` says; where development events scored it, theirs count.
    """

    arrays: dict[str, Any]
    settings: dict[str, Any] = field(default_factory=dict)
    curve: Sequence[Mapping[str, float]] = ()
    notes: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    about_scores: str = ""

    def model(self, card: Any) -> Model:
        """The model with this card."""
        return Model(card=card, arrays=self.arrays, settings=self.settings)


class Trainer(Protocol):
    """Learns from `events`; `development` events choose when to stop (they may be empty)."""

    def __call__(
        self, events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training
    ) -> Learned:
        """Train and give what was learned."""
        ...


def trainer_of(system: str) -> Trainer:
    """The trainer of a system; a UsageError lists those there are.

    >>> trainer_of("first")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: 'first' learns nothing. What learns: apsal, ...
    """
    where = TRAINERS.get(system)
    if where is None:
        raise UsageError(f"{system!r} learns nothing. What learns: {', '.join(TRAINERS)}")
    module, _, name = where.partition(":")
    trainer: Trainer = getattr(importlib.import_module(module), name)
    return trainer
