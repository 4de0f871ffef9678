"""The rule sets of real-time summarization, and what each of its measures is."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

from tidings.core import UsageError
from tidings.evaluation.measures.measure import read_infos

Mode = Literal["official", "guideline"]
MODES: tuple[Mode, ...] = ("official", "guideline")


@dataclass(frozen=True, slots=True)
class Rules:
    """One track's way of scoring tweets.

    Attributes:
        task: pushes (scenario A), daily digests (scenario B), or pushes judged on telephones.
        first_day: the first day of the evaluation, YYYYMMDD (UTC); `days` of them follow each other.
        labels: what a label of the qrels is worth to the official script, where that is not half of it.
        clock_shift_s: the official script adds this to every push time (the broker's clock ran behind).
        drop_early: the official script drops pushes of tweets that were not yet posted.
        cluster_gain: the official script pays the best gain of the cluster that day, not the tweet's own.
        latency_discount: gain falls by one per cent for each whole minute between posting and push.
        measures: those shown unasked, in the order of the official table.
        daily: how many tweets a day and topic a system may push, and the rank at which a digest is cut.
    """

    name: str
    task: Literal["push", "digest", "mobile"]
    first_day: str
    days: int
    measures: tuple[str, ...]
    labels: tuple[tuple[int, float], ...] = ()
    clock_shift_s: int = 0
    drop_early: bool = False
    cluster_gain: bool = False
    latency_discount: bool = False
    daily: int = 10

    def calendar(self) -> tuple[str, ...]:
        """The days of the evaluation, YYYYMMDD.

        >>> rules_named("rts-2017-a").calendar()[-1]
        '20170805'
        """
        first = datetime.date(int(self.first_day[:4]), int(self.first_day[4:6]), int(self.first_day[6:]))
        return tuple(f"{first + datetime.timedelta(day):%Y%m%d}" for day in range(self.days))

    def start_time(self) -> int:
        """The first second of the evaluation, UTC."""
        first = datetime.date(int(self.first_day[:4]), int(self.first_day[4:6]), int(self.first_day[6:]))
        return (first - datetime.date(1970, 1, 1)).days * 86400

    def gain(self, label: int, mode: Mode) -> float:
        """What a tweet of that label is worth: 0.5 relevant, 1 highly relevant.

        >>> rules_named("rts-2017-a").gain(-1, "official"), rules_named("rts-2017-a").gain(-1, "guideline")
        (-0.5, 0.0)
        """
        if mode == "official":
            return dict(self.labels).get(label, label / 2)
        gains = {3: 0.5, 4: 1.0} if self.first_day < "2017" else {}
        return gains.get(label, min(max(label, 0), 2) / 2)


_PUSHES = (
    "EG-1", "EG-0", "EG-p", "nCG-1", "nCG-0", "nCG-p", "GMP@.33", "GMP@.5", "GMP@.66",
    "latency_mean", "latency_median", "pushes",
)  # fmt: skip
_DIGESTS = ("nDCG@10-1", "nDCG@10-0", "nDCG@10-p")
_MOBILE = (
    "relevant", "redundant", "not_relevant", "unjudged", "pushes",
    "P-strict", "P-lenient", "utility-strict", "utility-lenient",
)  # fmt: skip
_SPREAD = ((-1, 0.0), (3, 0.5), (4, 1.0))  # 3 and 4 came to a tweet from the one it repeats
_2017 = ((-2, 0.0),)

RULES: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        Rules(
            "mb-2015-a",
            "push",
            "20150720",
            10,
            ("ELG", "nCG", "pushes"),
            _SPREAD,
            cluster_gain=True,
            latency_discount=True,
        ),
        Rules("mb-2015-b", "digest", "20150720", 10, _DIGESTS, _SPREAD, cluster_gain=True),
        Rules("rts-2016-a", "push", "20160802", 10, _PUSHES, _SPREAD, clock_shift_s=139, drop_early=True),
        Rules("rts-2016-b", "digest", "20160802", 10, _DIGESTS, _SPREAD),
        Rules("rts-2016-mobile", "mobile", "20160802", 10, _MOBILE),
        Rules("rts-2017-a", "push", "20170729", 8, _PUSHES, _2017, drop_early=True),
        Rules("rts-2017-b", "digest", "20170729", 8, _DIGESTS, _2017),
    )
}


def rules_named(name: str) -> Rules:
    """The rule set of that name.

    Raises:
        UsageError: no rule set has that name.
    """
    if name not in RULES:
        raise UsageError(f"unknown rules {name!r}; known are {', '.join(RULES)}")
    return RULES[name]


INFO = read_infos("rts")
