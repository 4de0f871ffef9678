"""The rankers of entities by name."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from tidings.core import UsageError
from tidings.following.entities.ranking.base import EntityRanker
from tidings.following.entities.ranking.counts import DistinctContexts, Frequency
from tidings.following.entities.ranking.linear import linear_ranker
from tidings.following.entities.ranking.taer import Taer

__all__ = ["DEFAULT_RANKER", "RANKERS", "RankerInfo", "ranker_named"]


class RankerInfo(Struct, frozen=True):
    """A ranker's name and what it goes by; `make` takes a model file ("" for the one that comes with tidings)."""

    name: str
    meaning: str
    make: Callable[[str], EntityRanker]
    learns: bool = True


RANKERS: dict[str, RankerInfo] = {
    one.name: one
    for one in (
        RankerInfo(
            "tidings",
            "more features of both sides, each by its place and by its size (ours)",
            lambda model: linear_ranker("tidings", model),
        ),
        RankerInfo(
            "adapter",
            "salience and informativeness, weighed by how the day looks (AdaptER 2015)",
            lambda model: linear_ranker("adapter", model),
        ),
        RankerInfo("no-adapt", "the same without weighing", lambda model: linear_ranker("no-adapt", model)),
        RankerInfo("sal", "salience alone", lambda model: linear_ranker("sal", model)),
        RankerInfo("inf", "informativeness alone", lambda model: linear_ranker("inf", model)),
        RankerInfo(
            "taer", "mentions today and on earlier days (TAER 2010)", lambda model: Taer(), learns=False
        ),
        RankerInfo("frequency", "mentions today", lambda model: Frequency(), learns=False),
        RankerInfo(
            "contexts", "different sentences that mention it", lambda model: DistinctContexts(), learns=False
        ),
    )
}
"""All rankers that `ranker_named` makes."""

DEFAULT_RANKER = "tidings"


def ranker_named(name: str, model: str = "") -> EntityRanker:
    """A fresh ranker for one event.

    Args:
        name: one of `RANKERS`.
        model: a model file, for rankers that learn; by default the one that comes with tidings.

    Raises:
        UsageError: no such ranker, a model for one that learns nothing, or a model that does not fit.

    >>> ranker_named("frequency").name
    'frequency'
    >>> ranker_named("oracle")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: ranker 'oracle': found none of this name, expected one of tidings, adapter, no-adapt, sal, inf, taer, frequency, contexts
    """  # noqa: E501 the whole message is the example
    info = RANKERS.get(name)
    if info is None:
        raise UsageError(f"ranker {name!r}: found none of this name, expected one of {', '.join(RANKERS)}")
    if model and not info.learns:
        raise UsageError(f"ranker {name!r}: found the model {model}, expected none: it learns nothing")
    return info.make(model)
