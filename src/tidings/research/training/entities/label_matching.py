"""Which of a day's entities is which labelled one: by the names that stand in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tidings.analysis import bare_words, same_entity
from tidings.following import DayEntity
from tidings.research.training.entities.nugget_labels import LabelledEntity

__all__ = ["label_of"]

_SHARE = 0.2
"""A label counts as an entity's when at least this share of its mentions by name bear it."""


def label_of(entity: DayEntity, labelled: Sequence[LabelledEntity]) -> int | None:
    """The number of the labelled entity that this is, None where it is none of them.

    It is the one under whose names most of its mentions stand, the best name counted as one mention more; failing all,
    one of its type whose full name the rules of co-reference join with its own.
    """
    names = Counter(bare_words(one.label) for one in entity.mentions if one.how == "name")
    names[bare_words(entity.name)] += 1
    total = names.total()
    best, most = None, _SHARE * total
    for number, one in enumerate(labelled):
        shared = sum(count for name, count in names.items() if name in one.names)
        if shared >= most and (best is None or shared > most):
            best, most = number, shared
    if best is not None:
        return best
    own = bare_words(entity.name)
    if not own:
        return None
    for number, one in enumerate(labelled):
        full = max(one.names, key=lambda name: (len(name), name))
        longer, shorter = (full, own) if len(full) >= len(own) else (own, full)
        if one.type == entity.type and shorter and same_entity(longer, shorter, entity.type):
            return number
    return None
