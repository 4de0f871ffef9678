"""Measures: how well updates tell an event, with the field's own definitions."""

from __future__ import annotations

from tidings.measures.crisisfacts.info import INFO as _CRISISFACTS
from tidings.measures.entities.info import INFO as _ENTITIES
from tidings.measures.measure import Measure, MeasureInfo, parse_measure
from tidings.measures.msu.info import INFO as _MSU
from tidings.measures.novelty_2001.info import INFO as _UMASS
from tidings.measures.nuggets_clusters import INFO as _CLUSTERS
from tidings.measures.rts.info import INFO as _RTS
from tidings.measures.scores import RunScores, UnknownEventError
from tidings.measures.tls.info import INFO as _TLS
from tidings.measures.trec_ts import INFO as _TREC_TS
from tidings.measures.trec_ts import RULES, Rules, prepare
from tidings.measures.ttg import INFO as _TTG
from tidings.measures.values.info import INFO as _VALUES

__all__ = [
    "ALL",
    "RULES",
    "Measure",
    "MeasureInfo",
    "Rules",
    "RunScores",
    "UnknownEventError",
    "parse_measure",
    "prepare",
]

ALL: dict[str, MeasureInfo] = {
    **_TREC_TS,
    **_VALUES,
    **_UMASS,
    **_MSU,
    **_CLUSTERS,
    **_ENTITIES,
    **_CRISISFACTS,
    **_RTS,
    **_TTG,
    **_TLS,
}
