"""Measures: how well updates tell an event, with the field's own definitions.

Each family is a folder or file here; none is loaded before it is asked for, since a scoring command needs only one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tidings.evaluation.measures.measure import Measure, MeasureInfo, every_measure, parse_measure
from tidings.evaluation.measures.scores import RunCounts, RunScores, UnknownEventError

if TYPE_CHECKING:
    from tidings.evaluation.measures.trec_ts import RULES, Rules, prepare

    ALL: dict[str, MeasureInfo]

__all__ = [
    "ALL",
    "RULES",
    "Measure",
    "MeasureInfo",
    "Rules",
    "RunCounts",
    "RunScores",
    "UnknownEventError",
    "parse_measure",
    "prepare",
]


def __getattr__(name: str) -> Any:
    """`ALL` measures by name, and what the first family offers under this name too, when first asked for."""
    value: Any
    if name == "ALL":
        value = every_measure()
    elif name in ("RULES", "Rules", "prepare"):
        value = getattr(import_module("tidings.evaluation.measures.trec_ts"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value
