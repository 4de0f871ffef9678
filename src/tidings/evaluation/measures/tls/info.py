"""What each measure of timelines is: name, formula, unit, range, source."""

from __future__ import annotations

from collections.abc import Iterator

from tidings.evaluation.measures.measure import Measure, MeasureInfo
from tidings.evaluation.measures.tls.topic import KINDS, VARIANTS

__all__ = ["HEADLINE", "INFO", "MEASURES", "PARTS"]

PARTS = ("P", "R", "F")
_PART = {"P": "precision", "R": "recall", "F": "F1"}
_KIND = {"R1": "ROUGE-1", "R2": "ROUGE-2", "RL": "ROUGE-L"}
_UNIT = {"R1": "words", "R2": "pairs of words", "RL": "words on a common subsequence"}
_PAPER = "Martschat and Markert (2017), Improving ROUGE for timeline summarization, section 3"
_OFFICIAL = (
    "of a day listed twice the last block counts; ROUGE 1.5.5 with stemming (-m) and without stop words (-s) cuts a "
    "sentence at `<`, sees ASCII letters only, and leaves the base forms of irregular words unstemmed"
)
_VARIANT = {
    "concat": (
        "all days as one text",
        "h over the joined texts",
        "How alike the words are when dates are not looked at.",
    ),
    "agree": (
        "day by day, same dates only",
        "h = sum over the days that both have of h(d, d)",
        "How alike the days are that both chose; all other days count as missed.",
    ),
    "align": (
        "days aligned one to one by date",
        "h = sum over aligned pairs of h(d, e) / (|d - e| + 1); costs 1 - 1 / (|d - e| + 1)",
        "Day by day, where a day may stand for one near it, at a discount.",
    ),
    "align+": (
        "days aligned one to one by date and content",
        "h as align; costs (1 - 1 / (|d - e| + 1)) (1 - F1 of the tokens of d and e)",
        "As align, preferring days that tell the same.",
    ),
    "align+m1": (
        "days aligned many to one by date and content",
        "h as align; each day goes to its day of least cost, as in align+",
        "As align+, where several days may stand for one: AR-1, AR-2 of later papers are its F1.",
    ),
}
_TOTAL = {"P": "p", "R": "m"}


def _rouge() -> Iterator[MeasureInfo]:
    for kind in KINDS:
        for variant in VARIANTS:
            title, formula, meaning = _VARIANT[variant]
            for part in PARTS:
                stem = f"{kind}-{variant}"
                how = f"h / {_TOTAL[part]}; {formula}" if part in _TOTAL else f"2 P R / (P + R) of {stem}"
                yield MeasureInfo(
                    f"{stem}-{part}",
                    f"{_KIND[kind]} {_PART[part]}, {title}",
                    how,
                    meaning,
                    f"share of {_UNIT[kind]}",
                    low=0.0,
                    high=1.0,
                    empty=0.0,
                    better="higher",
                    family="tls",
                    source=_PAPER + ("; Lin (2004) for ROUGE-L" if kind == "RL" else ""),
                    official="tilse does not report ROUGE-L; counted as ROUGE 1.5.5 does"
                    if kind == "RL"
                    else _OFFICIAL,
                )


def _dates() -> Iterator[MeasureInfo]:
    formulas = {"P": "|D & E| / |D|", "R": "|D & E| / |E|", "F": "2 P R / (P + R)"}
    for part in PARTS:
        yield MeasureInfo(
            f"date-{part}",
            f"Date selection, {_PART[part]}",
            f"{formulas[part]}, D the days of the timeline, E those of any reference",
            "How well the days were chosen, whatever is said of them.",
            "share of days",
            low=0.0,
            high=1.0,
            empty=0.0,
            better="higher",
            family="tls",
            source="tilse 0.2.1, evaluation of dates; Ghalandari and Ifrim (2020)",
            official="tilse stops with a division by zero for a timeline without days",
        )


INFO: dict[str, MeasureInfo] = {info.name: info for info in (*_dates(), *_rouge())}
MEASURES: tuple[Measure, ...] = tuple(map(Measure, INFO))
HEADLINE: tuple[Measure, ...] = (
    *(Measure(f"{kind}-{variant}-F") for variant in ("concat", "agree", "align+m1") for kind in ("R1", "R2")),
    Measure("date-F"),
)
