"""The rule sets of real-time summarization, and what each of its measures is."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

from tidings.core import UsageError
from tidings.evaluation.measures.measure import MeasureInfo

__all__ = ["INFO", "MODES", "RULES", "Mode", "Rules", "named"]


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

        >>> named("rts-2017-a").calendar()[-1]
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

        >>> named("rts-2017-a").gain(-1, "official"), named("rts-2017-a").gain(-1, "guideline")
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


def named(name: str) -> Rules:
    """The rule set of that name.

    Raises:
        UsageError: no rule set has that name.
    """
    if name not in RULES:
        raise UsageError(f"unknown rules {name!r}; known are {', '.join(RULES)}")
    return RULES[name]


_TRACK = "TREC Real-Time Summarization 2016 and 2017, guidelines and official scripts"
_MICROBLOG = "TREC Microblog 2015, real-time filtering, official scripts"
_TELEPHONE = "TREC Real-Time Summarization 2016 and 2017, mobile evaluation scripts"
_RUN_DEPENDENT = "a day whose clusters this run has told before counts as silent, and Z leaves them out"
_BELOW = "; more than ten pushes make a silent day negative"
_OFFICIAL = {"EG": "; unjudged pushes are not in N", "EG-p": _BELOW, "nCG-p": _BELOW}
_DEPENDS = float("nan")
_SILENT = {
    "0": ("a silent day: 0", "Rewards pushing something over silence, always."),
    "1": ("a silent day: 1 if nothing was told, else 0", "Rewards knowing when there is nothing to tell."),
    "p": ("a silent day: 1 - told / 10", "As -1, but a single needless tweet costs a tenth of the day."),
}


def _info(
    name: str, title: str, formula: str, meaning: str, low: float, high: float | None, **more: object
) -> MeasureInfo:
    fields = {"unit": "share", "empty": 0.0, "better": "higher", "family": "rts", "source": _TRACK} | more
    return MeasureInfo(name, title, formula, meaning, low=low, high=high, **fields)  # type: ignore[arg-type]


_STEMS = (
    ("EG", "Expected gain", "mean over days of (1/N) sum G(t), N = tweets pushed that day"),
    (
        "nCG",
        "Normalised cumulative gain",
        "mean over days of (1/Z) sum G(t), Z = most that ten pushes could earn",
    ),
    (
        "nDCG@10",
        "Discounted cumulative gain of a digest",
        "mean over days of DCG / ideal DCG, DCG = sum over ranks i to 10 of (2^G - 1) / log2(i + 1)",
    ),
)


def _variants() -> list[MeasureInfo]:
    return [
        _info(
            f"{stem}-{variant}",
            f"{title}, silent days {variant}",
            f"{formula}; {rule}",
            meaning,
            float("-inf") if f"{stem}-{variant}" in _OFFICIAL else 0.0,
            1.0,
            empty=0.0 if variant == "0" else _DEPENDS,
            official=_RUN_DEPENDENT + _OFFICIAL.get(stem, "") + _OFFICIAL.get(f"{stem}-{variant}", ""),
        )
        for stem, title, formula in _STEMS
        for variant, (rule, meaning) in _SILENT.items()
    ]


INFO: dict[str, MeasureInfo] = {
    info.name: info
    for info in (
        *_variants(),
        *(
            _info(
                f"GMP@{alpha}",
                f"Gain minus pain, alpha {alpha}",
                f"mean over days of {alpha} sum G(t) - (1 - {alpha}) P, P = pushes that earned nothing",
                "What a reader gains who weighs every needless push against what is new.",
                float("-inf"),
                10 * float(alpha),
                unit="gain",
                official="the pain of silent days is computed and then lost: pushes on them cost nothing",
            )
            for alpha in (".33", ".5", ".66")
        ),
        _info("latency_mean", "Mean latency", "mean of push time - posting of the first tweet of the cluster",
              "How late news comes, over pushes that earned something; overall, over all such pushes of the run.",
              0.0, None, unit="seconds", better="lower",
              official="2016: 139 s are added to every push time; a tweet pushed twice takes its last push's time"),
        _info("latency_median", "Median latency", "median of the same", "The same, unmoved by a few very late ones.",
              0.0, None, unit="seconds", better="lower", official="as latency_mean"),
        _info("pushes", "Pushes", "tweets told", "How much the system said; overall, the sum over topics.",
              0.0, None, unit="tweets", better="",
              official="only those of judged tweets on days that are not silent"),
        _info("ELG", "Expected latency-discounted gain",
              "mean over days of (1/N) sum G(t) max(0, 100 - d) / 100, d = whole minutes from posting to push; "
              "a silent day: 1 if nothing was pushed, else 0",
              "Expected gain of pushes that lose one per cent a minute.", 0.0, None, empty=_DEPENDS, source=_MICROBLOG,
              official="gain is the best of the cluster that day, not the tweet's own; " + _RUN_DEPENDENT),
        _info("nCG", "Normalised cumulative gain, discounted",
              "mean over days of (1/Z) sum of the gains of ELG; a silent day: 1 if nothing was pushed, else 0",
              "Share of what could have been earned that day.", 0.0, None, source=_MICROBLOG, empty=_DEPENDS,
              official="as ELG; a push before its tweet's posting earns more than its gain"),
        *(
            _info(name, title, formula, meaning, 0.0, None, unit="tweets", better=better, source=_TELEPHONE)
            for name, title, formula, meaning, better in (
                ("relevant", "Judged relevant", "someone called it relevant", "What readers welcomed.", "higher"),
                ("redundant", "Judged redundant", "someone called it redundant", "What they knew.", "lower"),
                ("not_relevant", "Judged not relevant", "someone called it not relevant", "What disturbed them.",
                 "lower"),
                ("unjudged", "Unjudged", "tweets nobody judged, or beyond the tenth of a day", "What nobody saw.", ""),
            )
        ),
        _info("P-strict", "Mobile precision, strict", "relevant / (relevant + redundant + not relevant)",
              "Share of judged pushes that were welcome; overall, of the sums.", 0.0, 1.0, source=_TELEPHONE),
        _info("P-lenient", "Mobile precision, lenient",
              "(relevant + redundant) / (relevant + redundant + not relevant)",
              "The same, redundant ones forgiven.", 0.0, 1.0, source=_TELEPHONE),
        _info("utility-strict", "Online utility, strict", "relevant - redundant - not relevant",
              "Welcome pushes less the others; overall, the sum over topics.", float("-inf"), None, unit="tweets",
              source=_TELEPHONE),
        _info("utility-lenient", "Online utility, lenient", "relevant + redundant - not relevant",
              "The same, redundant ones counted as welcome.", float("-inf"), None, unit="tweets", source=_TELEPHONE),
    )
}  # fmt: skip
