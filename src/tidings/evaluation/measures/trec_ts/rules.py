"""The rule sets of TREC Temporal Summarization: what each year's official scorer does, and what each measure is.

The paper defines the measures; the released scripts differ from it and from each other. A rule set is
those differences as a value, so that a figure can be traced to the script that printed it. `paper-2013` is the paper.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from msgspec import convert

from tidings.core import UsageError, data_beside
from tidings.evaluation.measures.measure import read_infos

_OWN = read_infos("trec_ts")
HEADLINE = ("updates", "E[G]", "nE[G]", "E[LG]", "nE[LG]", "C", "LC", "H", "E[V]", "E[L]")
"""The plain columns of the official tables, in their order."""

PRINTED = ("updates", "EG", "ELG", "E[G]", "E[LG]", "C", "LC", "E[V]", "E[L]")
"""What the paper of 2013 defines over a whole event."""

_BIASED_OFFICIAL = (
    "weight = raw confidence over its sum (2013), 1/(1 + line of the event in the run) over its sum (2014: "
    "confidence itself is not used), confidence scaled to 0..1 within run and event (2015: not divided by its sum)"
)

BIASED = {
    f"c{name}": replace(
        _OWN[name],
        name=f"c{name}",
        title=f"Confidence-biased {_OWN[name].title[0].lower()}{_OWN[name].title[1:]}",
        formula=f"as {name}, each summand weighted by the update's confidence; verbosity unweighted below the line",
        meaning=f"{name} for a reader who trusts confident updates more.",
        high=None,
        source="official scorers of 2013, 2014, 2015",
        official=_BIASED_OFFICIAL,
    )
    for name in HEADLINE[1:]
}
"""What is biased by confidence: all of the headline but the number of updates."""

INFO = {name: _OWN[name] for name in HEADLINE} | BIASED | _OWN
"""All measures: those of the official tables first, then what is asked for by name."""


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
        whole_words: a match covers all words that it touches, and a match of a nugget that was covered before covers
            its words too, so that an update that says nothing but nuggets has V = 1, as the paper's (24) says; the
            scripts miss the last word of a text, and let what is repeated cover none.
        alpha_s: seconds of the latency discount (six hours).
        mean: over the events of a run, as all scripts do, or over all evaluation events: those that are
            listed (topics.xml) and have nuggets, a silent one with 0, as (13) says.
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
    mean: Literal["own", "all"] = "own"


RULES: dict[str, Rules] = {
    name: convert({"name": name, **said}, Rules) for name, said in data_beside(__file__).items()
}


def rules_named(name: str, **changes: object) -> Rules:
    """The rule set of that name, with options changed; None leaves an option as the rule set has it.

    Raises:
        UsageError: no rule set has that name.

    >>> rules_named("trec-2014", unpooled="skip").unpooled
    'skip'
    """
    if name not in RULES:
        raise UsageError(f"unknown rules {name!r}; known are {', '.join(RULES)}")
    given = {key: value for key, value in changes.items() if value is not None}
    return replace(RULES[name], **given)  # type: ignore[arg-type]
