"""What the measures of value tracking are."""

from __future__ import annotations

import math

from tidings.evaluation.measures.measure import MeasureInfo

__all__ = ["ATTRIBUTES", "INFO", "base_name", "name_of"]

ATTRIBUTES = ("deaths", "injuries", "displaced", "financialimpact", "location")
"""What is tracked; `locations` is read as `location`."""

_UNITS = {
    "deaths": "people",
    "injuries": "people",
    "displaced": "people",
    "financialimpact": "money, as the targets count it",
    "location": "km",
}
_SOURCE = "TREC 2013 Temporal Summarization metrics, section 3"


def name_of(attribute: str) -> str:
    """The measure of an attribute.

    >>> name_of("deaths")
    'EE[deaths]'
    """
    return f"EE[{attribute}]"


def base_name(attribute: str) -> str:
    """The measure of what a run that never predicts the attribute scores."""
    return f"EE0[{attribute}]"


def _error(attribute: str) -> MeasureInfo:
    place = attribute == "location"
    return MeasureInfo(
        name=name_of(attribute),
        title=f"Expected error of {attribute}",
        formula="1/(te - ts) integral_ts^te Err(f*(tau), f(tau)) dtau, Err = "
        + ("geodesic distance" if place else "|f* - f|"),
        meaning="How far off, at a random moment of the event, is a reader who holds the last value told before it.",
        unit=_UNITS[attribute],
        low=0.0,
        high=20038.0 if place else None,
        empty=20038.0 if place else math.nan,
        better="lower",
        family="values",
        source=f"{_SOURCE}, formulas 26 to 28",
        official="before a first prediction the error is "
        + ("20038 km (half the equator)" if place else "that of 0, so a silent run scores the mean of |f*|"),
    )


def _base(attribute: str) -> MeasureInfo:
    place = attribute == "location"
    return MeasureInfo(
        name=base_name(attribute),
        title=f"Expected error of {attribute}, never predicted",
        formula="20038 km" if place else "1/(te - ts) integral_ts^te |f*(tau)| dtau",
        meaning="The organisers' baseline: what a run scores that says nothing on the attribute.",
        unit=_UNITS[attribute],
        low=0.0,
        high=20038.0 if place else None,
        empty=20038.0 if place else math.nan,
        better="",
        family="values",
        source="TREC 2013 Temporal Summarization overview, table of value tracking",
    )


INFO: dict[str, MeasureInfo] = {
    info.name: info for build in (_error, _base) for info in map(build, ATTRIBUTES)
}
