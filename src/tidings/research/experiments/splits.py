"""Splits: which events a model learns from, which stop its training, which it is tested on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tidings.core import UsageError
from tidings.research.experiments.plan import Split

__all__ = ["Fold", "Listed", "choose_development", "folds_of"]


class Listed(Struct, frozen=True):
    """An event as a split sees it."""

    id: str
    year: str


class Fold(Struct, frozen=True, kw_only=True):
    """One model's events, by id: learned from, stopped by, tested on. No event is in two of them."""

    name: str
    train: tuple[str, ...]
    development: tuple[str, ...]
    test: tuple[str, ...]


def folds_of(events: Sequence[Listed], split: Split, development: int | Sequence[str] = 0) -> list[Fold]:
    """The folds of a split; every tested event is in the test part of exactly one.

    Raises:
        UsageError: the split names what is not there, or leaves nothing to learn from.

    >>> events = [Listed("a", "2013"), Listed("b", "2013"), Listed("c", "2014")]
    >>> [(fold.train, fold.test) for fold in folds_of(events, Split())]
    [(('b', 'c'), ('a',)), (('a', 'c'), ('b',)), (('a', 'b'), ('c',))]
    """
    tested, learned = _named(events, split.test, "test"), _named(events, split.train, "train")
    return [_fold(name, test, learned, development) for name, test in _groups(tested, learned, split)]


def choose_development(train: Sequence[str], how: int | Sequence[str], salt: str = "") -> tuple[str, ...]:
    """The events of `train` to stop early by: those named, or so many, drawn by a hash of their ids and `salt`.

    At least one event is left to learn from.

    >>> choose_development(["a", "b", "c"], 1, "fold") == choose_development(["c", "b", "a"], 1, "fold")
    True
    """
    if not isinstance(how, int):
        return tuple(event for event in train if event in set(how))
    ranked = sorted(train, key=lambda event: hashlib.sha256(f"{salt}\n{event}".encode()).digest())
    chosen = set(ranked[: max(0, min(how, len(train) - 1))])
    return tuple(event for event in train if event in chosen)


def _named(events: Sequence[Listed], names: Sequence[str], what: str) -> list[str]:
    for name in names:
        if not any(name in (event.id, event.year) for event in events):
            years = ", ".join(dict.fromkeys(event.year for event in events))
            raise UsageError(
                f"split.{what}: found {name!r}, expected a year ({years}) or the id of a judged event"
            )
    return [event.id for event in events if not names or event.id in names or event.year in names]


def _groups(tested: list[str], learned: list[str], split: Split) -> Iterator[tuple[str, tuple[str, ...]]]:
    if split.kind == "leave-one-event-out":
        yield from ((event, (event,)) for event in tested)
    elif split.kind == "folds":
        count = min(split.folds, len(tested))
        # Dealt in turn, so that every fold has events of every year.
        yield from ((f"fold-{number + 1}", tuple(tested[number::count])) for number in range(count))
    else:
        both = set(tested) & set(learned)
        if both:
            raise UsageError(
                f"split: found {', '.join(sorted(both))} in train and in test, expected each in one of them"
            )
        yield "all", tuple(tested)


def _fold(name: str, test: tuple[str, ...], learned: list[str], development: int | Sequence[str]) -> Fold:
    rest = [event for event in learned if event not in test]
    if not rest:
        raise UsageError(f"split: found nothing to learn from beside {name}, expected two events or more")
    stops = choose_development(rest, development, " ".join(test))
    train = tuple(event for event in rest if event not in stops)
    if not train:
        raise UsageError(
            f"development: found all of {name}'s events to learn from, expected some left; name fewer"
        )
    return Fold(name=name, train=train, development=stops, test=test)
