"""Change Detection: rankings that end with a terminal document (Liu and others, SIGIR 2016).

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores

A list is followed by a terminal document, whose relevance is the share of all relevant documents that the list holds;
1 where there are none. So an empty list on a unit without an answer scores 1, and every document there costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

from tidings.core import UsageError
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import RunScores, UnknownEventError, assemble, chosen

if TYPE_CHECKING:
    from tidings.evaluation.formats.change_runs import Answer, Change, ChangeRun, Topic

INFO = read_infos("changedet")
_MOST_GAIN = 10
_PATIENCE = 0.5
_NAMES = ("RR", "RBP", "nDCG", "AP")


def truncated_scores(gains: Sequence[int], relevant: Sequence[int]) -> dict[str, float]:
    """RR′, RBP′ (p = .5), nDCG′ and AP′ of a list that ends.

    Args:
        gains: 0, 1, 5 or 10 for each document of the list, in its order.
        relevant: the gains above 0 of all documents that could have been listed.

    >>> truncated_scores([], [])
    {'RR': 1.0, 'RBP': 1.0, 'nDCG': 1.0, 'AP': 1.0}
    >>> truncated_scores([0], [])["RR"], truncated_scores([], [10])["AP"], truncated_scores([10], [10])["RBP"]
    (0.5, 0.0, 1.0)
    """
    found = [int(gain > 0) for gain in gains]
    terminal = sum(found) / len(relevant) if relevant else 1.0
    marks = [*found, terminal]
    first = next((place for place, mark in enumerate(marks, 1) if mark), 0)
    ended = sum((1 - _PATIENCE) * gain / _MOST_GAIN * _PATIENCE**place for place, gain in enumerate(gains))
    ideal = _discounted([*sorted(relevant, reverse=True), _MOST_GAIN])
    precisions = (mark * sum(marks[:place]) / place for place, mark in enumerate(marks, 1) if mark)
    return {
        "RR": 1 / first if first else 0.0,
        "RBP": ended + terminal * _PATIENCE ** len(gains),
        "nDCG": _discounted([*gains, terminal * _MOST_GAIN]) / ideal,
        "AP": sum(precisions) / (len(relevant) + 1),
    }


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / log2(place + 1) for place, gain in enumerate(gains, 1))


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
            topic: chosen(self._topic(topic, answers.get(topic, {})), wanted) for topic in self.gains
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
        documents, questions = _Mean("document"), _Mean("question")
        new: dict[str, None] = {}
        for day, judged in sorted(self.gains[topic].items()):
            answered = {one.qid: one for one in results.get(day, ())}
            new |= {qid: None for qid in answered if qid not in self.questions[topic]}
            known = (*self.questions[topic], *new)
            for qid in known:
                gains = judged.get(qid, {})
                listed = answered[qid].documents if qid in answered else ()
                documents.add([gains.get(one.doc_id, 0) for one in listed], list(gains.values()))
            best = {qid: max(gains.values()) for qid, gains in judged.items() if gains}
            ranked = sorted(answered.values(), key=lambda one: one.rank)
            order = [one.qid for one in ranked] if day in results else list(known)
            questions.add([best.get(qid, 0) for qid in order], list(best.values()))
        return documents.values() | questions.values()


class _Mean:
    """Means over all units, and over those with an answer; the share of the others that were left empty."""

    def __init__(self, unit: str) -> None:
        self._unit = unit
        self._overall: list[dict[str, float]] = []
        self._answered: list[dict[str, float]] = []
        self._silent: list[bool] = []

    def add(self, gains: list[int], relevant: list[int]) -> None:
        scores = truncated_scores(gains, relevant)
        self._overall.append(scores)
        if relevant:
            self._answered.append(scores)
        else:
            self._silent.append(not gains)

    def values(self) -> dict[str, float]:
        means = {}
        for ending, scores in (("", self._overall), ("-answered", self._answered)):
            for name in _NAMES if scores else ():
                means[f"{self._unit}-{name}{ending}"] = sum(one[name] for one in scores) / len(scores)
        if self._silent:
            means[f"{self._unit}-silence"] = sum(self._silent) / len(self._silent)
        return means


def prepare(topics: Iterable[Topic], changes: Iterable[Change]) -> Prepared:
    """Make changes ready, once for many runs. Days that no line names are not judged.

    Raises:
        UsageError: a change of a topic or a question that there is none of; or no change at all.
    """
    questions = {topic.tid: tuple(one.qid for one in topic.questions) for topic in topics}
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
    return Prepared(questions, gains)
