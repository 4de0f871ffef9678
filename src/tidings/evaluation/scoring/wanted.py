"""Which measures are asked for, and which are meant where none is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tidings.evaluation.measures import Measure, parse_measure

if TYPE_CHECKING:
    from tidings.evaluation.scoring.scorer import Scorer

__all__ = ["MAIN", "compared_measures", "parse_measures"]

MAIN = ("H", "E[LG]", "EG-1", "nDCG@10-1", "ELG", "F1w", "F1", "R1-align+m1-F")
"""The measure that a comparison goes by when none is asked for: the first of these that the family has."""


def parse_measures(texts: Iterable[str], scorer: Scorer[Any]) -> tuple[Measure, ...]:
    """The measures that some texts name, apart by commas or blanks; each once, in their order.

    Raises:
        UsageError: a measure that the scorer's rules do not have.
    """
    names = [name for text in texts for part in text.split(",") for name in part.split()]
    return tuple(dict.fromkeys(parse_measure(name, scorer.info) for name in names))


def compared_measures(scorer: Scorer[Any]) -> tuple[Measure, ...]:
    """The measures that runs are compared by unless others are asked for, the main one first.

    Those without a better and a worse are left out; so are latencies: by topic they are 0 where nothing earned, which
    would crown silence.
    """
    measures = [
        one
        for one in scorer.short or scorer.measures
        if scorer.info[one.name].better and not one.name.startswith("latency_")
    ]
    main = next((one for name in MAIN for one in measures if str(one) == name), None)
    if main is None:
        return tuple(measures) or scorer.measures
    return (main, *(one for one in measures if one != main))
