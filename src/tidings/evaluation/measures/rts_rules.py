"""The rule sets of real-time summarization, and what each of its measures is."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

from msgspec import convert

from tidings.core import UsageError, data_beside
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


RULES: dict[str, Rules] = {
    name: convert({"name": name, **said}, Rules) for name, said in data_beside(__file__).items()
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
