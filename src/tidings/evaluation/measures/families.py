"""The families of measures, each loaded when a measure is first looked up by its name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.evaluation.measures.measure import MeasureInfo

__all__ = ["every_measure"]

_FAMILIES = (
    "trec_ts",
    "values.info",
    "novelty_2001.info",
    "msu.info",
    "clusters_2017",
    "entities.info",
    "crisisfacts.info",
    "rts.info",
    "ttg",
    "tls.info",
)
"""Where the `INFO` of each family stands, in the order of `ALL`."""


def every_measure(*families: str) -> dict[str, MeasureInfo]:
    """What each measure is, by its name, family by family: of all, or of these."""
    measures: dict[str, MeasureInfo] = {}
    for family in families or _FAMILIES:
        measures |= import_module(f"tidings.evaluation.measures.{family}").INFO
    return measures
