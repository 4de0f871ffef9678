"""Change Detection: rankings that end with a terminal document (Liu and others, SIGIR 2016).

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores

A list is followed by a terminal document, whose relevance is the share of all relevant documents that the list holds;
1 where there are none. So an empty list on a unit without an answer scores 1, and every document there costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log2
from statistics import fmean
from typing import TYPE_CHECKING

from tidings.core import UsageError
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import RunScores, UnknownEventError, assemble, choose_values

if TYPE_CHECKING:
    from tidings.evaluation.formats.changes import Change
    from tidings.following import Answer, ChangeRun, Topic

INFO = read_infos("changedet")
_MOST_GAIN = 10  # the highest grade of a document
_PATIENCE = 0.5  # the chance that a reader goes on to the next document
_NAMES = ("RR", "RBP", "nDCG", "AP")


def truncated_scores(gains: Sequence[int], relevant: Sequence[int]) -> dict[str, float]:
    """RR′, RBP′ (p = .5), nDCG′ and AP′ of a list that ends, all by gains; 0 to 1.

    With r = gain / 10, the terminal document has r = Σ r of the list / Σ r of all that could have been listed. RR′ is
    the largest r_i / i, AP′ the sum of r_i (r_1 + … + r_i) / i; these and nDCG′ are divided by what the best list has.

    Args:
        gains: 0, 1, 5 or 10 for each document of the list, in its order.
        relevant: the gains above 0 of all documents that could have been listed.

    >>> truncated_scores([], [])
    {'RR': 1.0, 'RBP': 1.0, 'nDCG': 1.0, 'AP': 1.0}
    >>> truncated_scores([0], [])["RR"], truncated_scores([], [10])["AP"], truncated_scores([10], [10])["RBP"]
    (0.5, 0.0, 1.0)
    """
    marks = _with_terminal(gains, relevant)
    best = sorted(relevant, reverse=True)
    # A list may be better for ending before what is worth least, since the terminal document then comes sooner.
    ideals = [_with_terminal(best[:length], relevant) for length in range(1 if best else 0, len(best) + 1)]
    divided = {
        name: min(1.0, measure(marks) / max(map(measure, ideals)))
        for name, measure in (("RR", _reciprocal), ("nDCG", _discount), ("AP", _precision))
    }
    tail = marks[-1] * _PATIENCE ** len(gains)
    biased = sum((1 - _PATIENCE) * mark * _PATIENCE**place for place, mark in enumerate(marks[:-1])) + tail
    return {"RR": divided["RR"], "RBP": biased, "nDCG": divided["nDCG"], "AP": divided["AP"]}


def _with_terminal(gains: Sequence[int], relevant: Sequence[int]) -> list[float]:
    found = [gain / _MOST_GAIN for gain in gains]
    return [*found, sum(gains) / sum(relevant) if relevant else 1.0]


def _reciprocal(marks: Sequence[float]) -> float:
    return max(mark / place for place, mark in enumerate(marks, 1))


def _discount(marks: Sequence[float]) -> float:
    return sum(mark / log2(place + 1) for place, mark in enumerate(marks, 1))


def _precision(marks: Sequence[float]) -> float:
    return sum(
        mark * so_far / place
        for place, (mark, so_far) in enumerate(zip(marks, accumulate(marks), strict=True), 1)
    )


@dataclass(slots=True)
class Prepared:
    """Changes made ready; scores any number of runs.

    Attributes:
        questions: the questions of each judged topic, in their order.
        gains: of each judged topic and day the gains above 0 by question and document.
    """

    questions: dict[str, tuple[str, ...]]
    gains: dict[str, dict[str, dict[str, dict[str, int]]]]

    def score(self, run: ChangeRun, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run: a mean over a topic's units, then over topics.

        Raises:
            UnknownEventError: the run answers a topic that there is none of, or a question that its topic lacks.
        """
        wanted = tuple(map(Measure, INFO)) if measures is None else tuple(measures)
        answers = {found.topic: found.results for found in run.answers}
        for topic, results in answers.items():
            self._check(run.name, topic, results)
        per_topic = {
            topic: choose_values(self._topic(topic, answers.get(topic, {})), wanted) for topic in self.gains
        }
        return assemble(run.team, run.name, wanted, per_topic, list(answers), silence=False)

    def _check(self, name: str, topic: str, results: dict[str, tuple[Answer, ...]]) -> None:
        if topic not in self.questions:
            known = ", ".join(list(self.questions)[:5])
            raise UnknownEventError(topic, f"run {name} answers topic {topic} (expected one of {known}, ...)")
        for day, answers in results.items():
            for answer in answers:
                if answer.qid not in self.questions[topic] and not answer.qid.startswith(name):
                    raise UnknownEventError(
                        topic,
                        f"run {name} answers question {answer.qid} on {day}, which topic {topic} lacks (expected one "
                        f"of its own, or a new one whose qid begins with {name})",
                    )

    def _topic(self, topic: str, results: dict[str, tuple[Answer, ...]]) -> dict[str, float]:
        rankings: dict[str, _Units] = {qid: _Units() for qid in self.questions[topic]}
        first_days: dict[str, str] = {}
        for day in sorted(results):
            for answer in results[day]:
                first_days.setdefault(answer.qid, day)
        days = _Units()
        for day, judged in sorted(self.gains[topic].items()):
            answered = {answer.qid: answer for answer in results.get(day, ())}
            for qid, first_day in first_days.items():
                if first_day <= day:  # a new question is the topic's from its first day on, judged or not
                    rankings.setdefault(qid, _Units())
            for qid, units in rankings.items():
                gains = judged.get(qid, {})
                listed = answered[qid].documents if qid in answered else ()
                units.add([gains.get(document.doc_id, 0) for document in listed], list(gains.values()))
            best = {qid: max(gains.values()) for qid, gains in judged.items() if gains}
            ranked = sorted(answered.values(), key=lambda answer: answer.rank)
            order = [answer.qid for answer in ranked] if day in results else list(rankings)
            days.add([best.get(qid, 0) for qid in order], list(best.values()))
        return _means("document", list(rankings.values())) | _means("question", [days])


class _Units:
    """Scores of the days of a question, or of a topic; and which of the days without an answer were left empty."""

    def __init__(self) -> None:
        self.overall: list[dict[str, float]] = []
        self.answered: list[dict[str, float]] = []
        self.silent: list[float] = []

    def add(self, gains: list[int], relevant: list[int]) -> None:
        scores = truncated_scores(gains, relevant)
        self.overall.append(scores)
        if relevant:
            self.answered.append(scores)
        else:
            self.silent.append(float(not gains))


def _means(unit: str, rankings: Sequence[_Units]) -> dict[str, float]:
    # A mean over the days of a question, then over questions that have such days.
    means = {
        f"{unit}-{name}{ending}": fmean(fmean(scores[name] for scores in days) for days in kept)
        for ending, of in (("", "overall"), ("-answered", "answered"))
        if (kept := [getattr(units, of) for units in rankings if getattr(units, of)])
        for name in _NAMES
    }
    if silent := [units.silent for units in rankings if units.silent]:
        means[f"{unit}-silence"] = fmean(map(fmean, silent))
    return means


def prepare(topics: Iterable[Topic], changes: Iterable[Change], days: Iterable[str] = ()) -> Prepared:
    """Make changes ready, once for many runs.

    Args:
        topics: the topics that runs answer.
        changes: what was judged; a day that it does not name for a topic is not judged there.
        days: the days of the collection: on those that are not judged nothing changed.

    Raises:
        UsageError: a change of a topic or a question that there is none of; or no change at all.
    """
    questions = {topic.tid: tuple(question.qid for question in topic.questions) for topic in topics}
    gains: dict[str, dict[str, dict[str, dict[str, int]]]] = {}
    for change in changes:
        if change.topic not in questions or change.qid not in (*questions[change.topic], "-"):
            raise UsageError(
                f"changes.tsv names question {change.qid} of topic {change.topic}, which topics.jsonl lacks"
            )
        day = gains.setdefault(change.topic, {}).setdefault(change.day, {})
        if change.gain:
            day.setdefault(change.qid, {})[change.doc_id] = change.gain
    if not gains:
        raise UsageError("changes.tsv judges no day; add a line for each judged day")
    for judged in gains.values():
        for each in days:
            judged.setdefault(each, {})
    return Prepared(questions, gains)
