"""A measure is a value: it has a name, prints as that name, and parses back.

What a family of measures has to say about itself (unit, range, formula, source) stands in one
`MeasureInfo` for each name; the numbers are computed by the family's own file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from tidings.core import UsageError, data_beside

_FAMILIES = (
    "trec_ts",
    "values",
    "novelty_2001",
    "msu",
    "clusters_2017",
    "entities",
    "crisisfacts",
    "rts_rules",
    "ttg",
    "tls",
    "changedet",
    "nugget_reports",
)
"""Where the `INFO` of each family stands, in the order of `every_measure`."""


def every_measure(*families: str) -> dict[str, MeasureInfo]:
    """What each measure is, by its name, family by family: of all, or of these.

    Two families may have measures of one name (`ELG`): the later one is listed as `NAME (FAMILY)`.
    """
    measures: dict[str, MeasureInfo] = {}
    for family in families or _FAMILIES:
        for name, info in import_module(f"tidings.evaluation.measures.{family}").INFO.items():
            measures[f"{name} ({info.family})" if name in measures else name] = info
    return measures


_AT = re.compile(r"^(?P<name>[^@\s]+)(?:@(?P<at>\d+)(?P<seconds>s?))?$")


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """What a reader of a table should know about a measure.

    `low` and `high` bound its values (high None: unbounded); `empty` is its value for a run that says nothing (nan: it
    depends on the judgments); `better` is "higher", "lower" or "" where neither is better in itself. With `takes_time`,
    `NAME@Ss` is the measure over the first S seconds (`C@3600s`); with `takes_rank`, `NAME@K` is that over the first K
    of a ranking.
    """

    name: str
    title: str
    formula: str
    meaning: str
    unit: str
    low: float = 0.0
    high: float | None = None
    empty: float = 0.0
    better: str = "higher"
    family: str = ""
    source: str = ""
    official: str = ""
    takes_time: bool = False
    takes_rank: bool = False


def read_infos(family: str) -> dict[str, MeasureInfo]:
    """What each measure of a family is, by its name: `info/FAMILY.toml`."""
    content = dict(data_beside(str(Path(__file__).with_name("info") / family)))
    defaults = content.pop("defaults")
    return {name: MeasureInfo(name=name, **(defaults | given)) for name, given in content.items()}


@dataclass(frozen=True, slots=True, order=True)
class Measure:
    """One measure of one family, possibly cut off `at` seconds after the event's start, or `at` places down a ranking.

    `seconds` says which of the two, and so how it prints; what it equals does not depend on it.

    >>> Measure("nE[LG]")
    nE[LG]
    >>> parse_measure("C@3600"), parse_measure("C@3600s") == Measure("C", 3600)
    (C@3600s, True)
    """

    name: str
    at: int | None = None
    seconds: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self.name if self.at is None else f"{self.name}@{self.at}{'s' if self.seconds else ''}"

    __repr__ = __str__


def parse_measure(text: str, measures: dict[str, MeasureInfo] | None = None) -> Measure:
    """Read a measure as it prints.

    Raises:
        UsageError: the name is not known, or is cut off although it cannot be.

    >>> parse_measure("nE[LG]")
    nE[LG]
    >>> parse_measure("cH@86400").at
    86400
    """
    if measures is None:
        measures = every_measure()
    if text.strip() in measures:
        return Measure(text.strip())  # names may hold an @ of their own: nDCG@10-p, GMP@.5
    match = _AT.match(text.strip())
    name = match["name"] if match else text.strip()
    info = measures.get(name)
    if match is None or info is None:
        near = get_close_matches(name, list(measures), n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known are {' '.join(measures)}"
        raise UsageError(f"unknown measure {text!r}; {hint} (`tidings measures` lists them)")
    if match["at"] is None:
        return Measure(name)
    if not (info.takes_time or info.takes_rank):
        raise UsageError(f"measure {name} cannot be cut off: {text!r}; write {name!r}")
    at = int(match["at"])
    if not info.takes_time and (at < 1 or match["seconds"]):
        raise UsageError(
            f"measure {name} is cut off at a rank, not in time: {text!r}; write {name}@10, for one"
        )
    return Measure(name, at, info.takes_time)
