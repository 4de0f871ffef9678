"""How much a report holds of what matters: strict and weighted recall of nuggets, support of its sentences, and both.

A nugget counts 1 where it is supported, ½ where it is in part; strictly only the former. F1 is the harmonic mean of the
support of sentences and of strict recall, as ARGUE sets a report's precision beside its coverage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from statistics import fmean

from tidings.core import Judgments
from tidings.evaluation.formats.nugget_banks import LEAST_VITAL, AssignedRun, NuggetList
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import RunScores, assemble, choose_values

INFO = read_infos("nugget_reports")
_WORTH = {"support": 1.0, "partial_support": 0.5}
_OF_SENTENCES = ("sentences", "report-F1")
_SUPPORT = {"full": 1.0, "partial": 0.5, "none": 0.0}


def report_scores(found: NuggetList, nuggets: int, vital: int) -> dict[str, float]:
    """The measures of one report; those of its sentences where someone judged them.

    Args:
        found: the nuggets with their assignments.
        nuggets: how many nuggets the topic has: those that the report's list leaves out are not in the report.
        vital: how many of them are vital.

    >>> from tidings.evaluation.formats.nugget_banks import ListedNugget
    >>> held = (ListedNugget("a", "vital", "support"), ListedNugget("b", "vital", "partial_support"))
    >>> report_scores(NuggetList("q", (*held, ListedNugget("c", "okay", "not_support"))), 3, 2)
    {'strict_vital': 0.5, 'vital': 0.75, 'strict_all': 0.3333333333333333, 'all': 0.5}
    """
    scores = {}
    for name, kept, total in (
        ("vital", [nugget for nugget in found.nuggets if nugget.importance == "vital"], vital),
        ("all", list(found.nuggets), nuggets),
    ):
        full = sum(nugget.assignment == "support" for nugget in kept)
        scores[f"strict_{name}"] = full / total if total else 0.0
        scores[name] = (
            sum(_WORTH.get(str(nugget.assignment), 0.0) for nugget in kept) / total if total else 0.0
        )
    if found.sentences:
        scores["sentences"] = fmean(_SUPPORT[sentence.support] for sentence in found.sentences)
        both = scores["sentences"] + scores["strict_all"]
        scores["report-F1"] = 2 * scores["sentences"] * scores["strict_all"] / both if both else 0.0
    return scores


@dataclass(frozen=True, slots=True)
class Prepared:
    """How many nuggets, and vital ones, each topic has."""

    counts: Mapping[str, tuple[int, int]]

    def score(self, run: AssignedRun, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run: the mean over all topics; one without a report has 0.

        Where nobody judged the sentences of any report of the run, their support and F1 are unknown (nan).
        """
        wanted = tuple(map(Measure, INFO)) if measures is None else tuple(measures)
        given = {found.qid: found for found in run.topics}
        judged = any(found.sentences for found in run.topics)
        unsupported = dict.fromkeys(_OF_SENTENCES, 0.0 if judged else nan)
        per_topic = {
            qid: choose_values(
                unsupported | report_scores(given.get(qid, NuggetList(qid, ())), *counts), wanted
            )
            for qid, counts in self.counts.items()
        }
        return assemble(run.team, run.name, wanted, per_topic, list(given))


def prepare(judgments: Judgments) -> Prepared:
    """Count the nuggets of judgments, and the vital ones among them."""
    counts = {event.id: (0, 0) for event in judgments.events}
    for nugget in judgments.nuggets:
        nuggets, vital = counts.get(nugget.event_id, (0, 0))
        counts[nugget.event_id] = nuggets + 1, vital + (nugget.importance >= LEAST_VITAL)
    return Prepared({event: held for event, held in counts.items() if held[0]})
