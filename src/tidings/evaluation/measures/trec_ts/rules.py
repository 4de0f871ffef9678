"""The rule sets of TREC Temporal Summarization: what each year's official scorer does, and what each measure is.

The paper defines the measures; the released scripts differ from it and from each other. A rule set is
those differences as a value, so that a figure can be traced to the script that printed it. `paper-2013` is the paper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from tidings.core import UsageError
from tidings.evaluation.measures.measure import MeasureInfo

__all__ = ["BIASED", "HEADLINE", "INFO", "RULES", "Rules", "named"]


_PAPER = "TREC 2013 Temporal Summarization metrics, section 2"
_TRACK_2014 = "TREC 2014 Temporal Summarization, official scorer"


def _info(
    name: str, title: str, formula: str, meaning: str, high: float | None, better: str, **more: object
) -> MeasureInfo:
    fields = {
        "unit": "gain",
        "low": 0.0,
        "empty": 0.0,
        "family": "trec-ts",
        "source": _PAPER,
        "takes_time": True,
    } | more
    return MeasureInfo(name, title, formula, meaning, high=high, better=better, **fields)  # type: ignore[arg-type]


_PLAIN = (
    _info(
        "updates",
        "Updates scored",
        "|S|",
        "How much the system said.",
        None,
        "",
        unit="updates",
        official="with unpooled updates skipped, only the pooled ones count",
    ),
    _info(
        "E[G]",
        "Expected gain",
        "sum_u G(u,S) / sum_u V(u)",
        "What an update is worth on average: precision, with repeated and empty words as cost.",
        None,
        "higher",
        source=_PAPER + ", formula 12",
        official="R(n) = exp(importance) / exp(3): the topic's own maximum is not looked at",
    ),
    _info(
        "nE[G]",
        "Normalised expected gain",
        "E[G] / Z, Z = mean R of the top k nuggets, k = min(|S|, |N|)",
        "Expected gain as a share of what the best updates of that number could have earned.",
        None,
        "higher",
        source=_TRACK_2014,
    ),
    _info(
        "E[LG]",
        "Expected latency gain",
        "sum_u G_L(u,S) / sum_u V(u), g_L = R(n) L(n.t, u.t)",
        "Expected gain in which early nuggets weigh up to twice and late ones down to nothing.",
        None,
        "higher",
        source=_PAPER + ", formulas 5, 12, 22",
    ),
    _info(
        "nE[LG]",
        "Normalised expected latency gain",
        "E[LG] / Z (the Z of nE[G])",
        "Can exceed 1 when nuggets are told before their time.",
        None,
        "higher",
        source=_TRACK_2014,
        official="Z holds no latency, so the measure is not bounded by 1",
    ),
    _info(
        "C",
        "Comprehensiveness",
        "sum_u G(u,S) / sum_n R(n)",
        "Share of the nuggets, by weight, that the run tells: recall.",
        1.0,
        "higher",
        unit="share",
        source=_PAPER + ", formula 15",
    ),
    _info(
        "LC",
        "Latency comprehensiveness",
        "sum_u G_L(u,S) / sum_n R(n)",
        "Comprehensiveness in which early nuggets weigh up to twice.",
        2.0,
        "higher",
        unit="share",
        source=_PAPER + ", formulas 5, 15",
    ),
    _info(
        "H",
        "Harmonic mean of nE[LG] and LC",
        "2 nE[LG] LC / (nE[LG] + LC)",
        "The track's target of 2014 and 2015: precise, complete, early and short at once.",
        None,
        "higher",
        source=_TRACK_2014,
        official="computed for each event and then averaged, not from the averages",
    ),
    _info(
        "E[V]",
        "Expected verbosity",
        "sum_u V(u) / |S|, V(u) = 1 + (|u| - |matched words of u|) / mean |n|",
        "Mean length of an update beyond what it newly says, in nuggets.",
        None,
        "lower",
        unit="nuggets",
        source=_PAPER + ", formula 25",
        official="words are spaces + 1; an unpooled update counts as one word (2014, 2015)",
    ),
    _info(
        "E[L]",
        "Expected latency",
        "sum of L over matched nuggets / |S| (2014) or / matches (2013, 2015)",
        "1 when nuggets are told at their time, above when earlier (up to 2 each), below when later.",
        None,
        "higher",
        unit="discount",
        source=_PAPER + ", formula 22",
        official="per update in the 2014 table (two nuggets in one update count twice), per match in 2013 and 2015",
    ),
)

HEADLINE = tuple(info.name for info in _PLAIN)

_BIASED_OFFICIAL = (
    "weight = raw confidence over its sum (2013), 1/(1 + line of the event in the run) over its sum (2014: "
    "confidence itself is not used), confidence scaled to 0..1 within run and event (2015: not divided by its sum)"
)

BIASED = tuple(
    _info(
        f"c{info.name}",
        f"Confidence-biased {info.title[0].lower()}{info.title[1:]}",
        f"as {info.name}, each summand weighted by the update's confidence; verbosity unweighted below the line",
        f"{info.name} for a reader who trusts confident updates more.",
        None,
        info.better,
        unit=info.unit,
        source="official scorers of 2013, 2014, 2015",
        official=_BIASED_OFFICIAL,
    )
    for info in _PLAIN[1:]
)

_OVER_TIME = tuple(
    _info(
        name, title, formula, meaning, high, "higher", unit=unit, source=_PAPER + ", formula 18", takes_time=False,
        official="defined in the paper, never reported by the track",
    )
    for name, title, formula, meaning, unit, high in (
        ("I[C]", "Integral of comprehensiveness over time", "integral from t_s to t_e of C_tau d tau",
         "How quickly the nuggets are told, in seconds of full coverage.", "seconds", None),
        ("I[LC]", "Integral of latency comprehensiveness over time", "integral from t_s to t_e of LC_tau d tau",
         "The same with latency in the gain.", "seconds", None),
        ("nI[C]", "Mean comprehensiveness over the event's period", "I[C] / (t_e - t_s)",
         "Share of the period's reading time in which a nugget was known, averaged by weight.", "share", 1.0),
        ("nI[LC]", "Mean latency comprehensiveness over the event's period", "I[LC] / (t_e - t_s)",
         "The same with latency in the gain.", "share", 2.0),
    )
)  # fmt: skip

INFO: dict[str, MeasureInfo] = {info.name: info for info in (*_PLAIN, *BIASED, *_OVER_TIME)}


@dataclass(frozen=True, slots=True)
class Rules:
    """One way of scoring.

    Attributes:
        unpooled: updates that no assessor saw are counted as not relevant (one word each) or skipped.
        relevance: graded R(n) = exp(importance - 3), or binary R(n) = 1.
        drop_unimportant: leave out nuggets of importance 0 and below (2014, 2015).
        listed_lengths: lengths are the files' own length columns (2013), else spaces + 1.
        trim_nuggets: blanks at the ends of a nugget's text are not counted (2015; in 2014 they lengthen it).
        collapse_spaces: runs of blanks in update texts count as one (2013).
        latency_mean: E[L] is per matched nugget or per update.
        confidence: how an update's weight in the biased measures arises.
        biased_over_sum: biased sums are divided by the sum of weights (2013, 2014).
        unpooled_may_match: an unpooled update that is listed in the matches still earns (2014).
        duplicates: look an unpooled update up in the table of duplicates (2015).
        nugget_time: the nugget's own time, the earlier of it and the first matching pooled update of the runs, or that
            update's alone (the 2015 script's options; which one the 2015 table used is not known).
        assessments: (event, block) pairs: an event whose matches stand in several separate blocks of their file was
            assessed more than once, and the official table rests on this one of them (0 is the first).
        topic_scale: R(n) = exp(importance - the topic's highest importance), and in binary relevance importance above 0
            counts, as the paper's formulas (19) and (20) say; the scripts take exp(importance - 3), and 2013's takes -1
            for relevant.
        whole_words: a match covers all words that it touches, and a match of a nugget that was told before covers its
            words too, so that an update that says nothing but nuggets has V = 1, as the paper's (24) says; the scripts
            miss the last word of a text, and let what is told again cover none.
        alpha_s: seconds of the latency discount (six hours).
    """

    name: str
    unpooled: Literal["count", "skip"] = "count"
    relevance: Literal["graded", "binary"] = "graded"
    drop_unimportant: bool = True
    listed_lengths: bool = False
    trim_nuggets: bool = False
    collapse_spaces: bool = False
    latency_mean: Literal["update", "match"] = "update"
    confidence: Literal["raw", "line", "scaled"] = "line"
    biased_over_sum: bool = True
    unpooled_may_match: bool = True
    duplicates: bool = False
    nugget_time: Literal["nugget", "earliest", "updates"] = "nugget"
    assessments: tuple[tuple[str, int], ...] = ()
    topic_scale: bool = False
    whole_words: bool = False
    alpha_s: int = 21600


RULES: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        Rules(
            "trec-2013",
            unpooled="skip",
            drop_unimportant=False,
            listed_lengths=True,
            collapse_spaces=True,
            latency_mean="match",
            confidence="raw",
            # TS13.5 holds three assessments; NIST's figures (82 relevant updates) are those of the second.
            assessments=(("TS13.5", 1),),
        ),
        Rules(
            "paper-2013",
            unpooled="skip",
            drop_unimportant=False,
            collapse_spaces=True,
            latency_mean="match",
            confidence="raw",
            assessments=(("TS13.5", 1),),
            topic_scale=True,
            whole_words=True,
        ),
        Rules("trec-2014"),
        Rules(
            "trec-2015",
            trim_nuggets=True,
            latency_mean="match",
            confidence="scaled",
            biased_over_sum=False,
            unpooled_may_match=False,
            duplicates=True,
        ),
    )
}


def named(name: str, **changes: object) -> Rules:
    """The rule set of that name, with options changed; None leaves an option as the rule set has it.

    Raises:
        UsageError: no rule set has that name.

    >>> named("trec-2014", unpooled="skip").unpooled
    'skip'
    """
    if name not in RULES:
        raise UsageError(f"unknown rules {name!r}; known are {', '.join(RULES)}")
    given = {key: value for key, value in changes.items() if value is not None}
    return replace(RULES[name], **given)  # type: ignore[arg-type]
