"""Which systems can be trained, their options, and what a trainer is given and gives back."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal, Protocol, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from tidings.core import Model, UsageError, mismatch_of
from tidings.following import learned_systems
from tidings.research.training.labelled_events import JudgedEvent

Options = TypeVar("Options", bound=Struct)

_YES_NO = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_KINDS = {"int": "a whole number", "float": "a number", "bool": "yes or no"}


def read_options(kind: type[Options], given: Mapping[str, str], system: str) -> Options:
    """The options of the trainer of `system`, a Struct of type `kind`; what is not given has its default.

    Raises:
        UsageError: an unknown name, with those there are; a value of the wrong kind or out of bounds, with what is
            expected.

    >>> class Own(Struct):
    ...     rate: float = 0.1
    ...     rounds: int = 3
    >>> read_options(Own, {"rate": ".001"}, "own")
    Own(rate=0.001, rounds=3)
    >>> read_options(Own, {"rund": "3"}, "own")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: training own: option 'rund' (expected one of rate, rounds)
    >>> read_options(Own, {"rounds": "many"}, "own")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: training own: option rounds: 'many' (expected a whole number)
    """
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    for name, text in given.items():
        if name not in types:
            raise UsageError(f"training {system}: option {name!r} (expected one of {', '.join(types)})")
        try:
            values[name] = _read(text.strip(), types[name])
        except msgspec.ValidationError as error:
            expected = _word_expected(str(error), types[name])
            raise UsageError(f"training {system}: option {name}: {text!r} (expected {expected})") from None
    return kind(**values)


def _read(text: str, annotation: Any) -> Any:
    try:
        value = msgspec.convert(text, annotation, strict=False)
    except msgspec.ValidationError:
        # People write `.001` and `yes`, which are no number and no truth value to msgspec.
        other = _YES_NO.get(text.lower(), f"0{text}" if text.startswith(".") else "")
        if not other:
            raise
        value = msgspec.convert(other, annotation, strict=False)
    if isinstance(value, float) and not isfinite(value):
        raise msgspec.ValidationError("Expected `float`, got `str`")
    return value


def _word_expected(message: str, annotation: Any) -> str:
    wrong = mismatch_of(message)
    if wrong is None:
        choices = get_args(annotation) if get_origin(annotation) is Literal else ()
        return f"one of {', '.join(choices)}" if choices else "another value"
    kind = wrong.expected.removesuffix(" | null")
    return f"{_KINDS.get(kind, kind)}{wrong.bound}"


RANKERS = tuple(
    f"entities-{kind}" for kind in ("tidings", "adapter", "no-adapt", "sal", "inf", "ius", "taer")
)
"""The rankers of a day's entities that learn."""

_FILES = (
    learned_systems()
    | dict.fromkeys(RANKERS, "entities.rankers")
    | {"matcher": "matcher", "tidings": "tidings"}
)
TRAINERS = {name: f"tidings.research.training.{file}:train" for name, file in sorted(_FILES.items())}
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
