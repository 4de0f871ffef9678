"""What the measures of CrisisFACTS are: the two years use two words, each with two meanings."""

from __future__ import annotations

from tidings.evaluation.measures.measure import Measure, MeasureInfo

__all__ = ["INFO", "measures_of"]


def _info(
    name: str,
    title: str,
    formula: str,
    meaning: str,
    better: str,
    source: str,
    official: str,
    high: float | None = 1.0,
) -> MeasureInfo:
    return MeasureInfo(
        name=name, title=title, formula=formula, meaning=meaning, unit="share", low=0.0, high=high, empty=0.0,
        better=better, family="crisisfacts", source=source, official=official, takes_rank=True,
    )  # fmt: skip


_2022 = "CrisisFACTS 2022 overview"
_2023 = "CrisisFACTS 2023 evaluation page"

INFO: dict[str, MeasureInfo] = {
    info.name: info
    for info in (
        _info(
            "C-2022",
            "Comprehensiveness, 2022",
            "sum_{f: M(f,S) not empty} R(f) / sum_f R(f), R = 1",
            "The share of the day's facts that the summary tells; the mean over days, then over events.",
            "higher",
            _2022,
            "the k of the k most important facts that were judged is private to the track: C-2022@k, or all of them",
        ),
        _info(
            "redundancy-2022",
            "Redundancy, 2022",
            "1 - sum_{f: M(f,S) not empty} R(f) / sum_f R(f) |M(f,S)|, R = 1",
            "The share of the matches that repeat a fact told already; over the days on which anything matched.",
            "lower",
            _2022,
            "the overview prints the ratio, which is high when nothing is repeated, and calls low figures good: its "
            "tables can only hold 1 - ratio",
        ),
        _info(
            "C-2023",
            "Comprehensiveness, 2023",
            "M(F,S) / |S|, S the day's true facts, M those of them that the submitted F tell",
            "As in 2022 with R = 1.",
            "higher",
            _2023,
            "",
        ),
        _info(
            "redundancy-2023",
            "Redundancy, 2023",
            "M(F,S) / |F|, F the submitted facts",
            "Despite its name precision: true facts told for each fact submitted (above 1 if one tells several).",
            "higher",
            _2023,
            "called redundancy, and high when little is repeated",
            high=None,
        ),
    )
}


def measures_of(year: str) -> tuple[Measure, ...]:
    """The measures of a year's rules.

    >>> measures_of("2023")
    (C-2023, redundancy-2023)
    """
    return tuple(Measure(name) for name in INFO if name.endswith(f"-{year}"))
