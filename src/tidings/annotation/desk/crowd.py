"""Answers of many judges to the two questions of the short form, brought together as Tran and others (2015) do.

Each judge says of an entity of a day how far its sentence is about the event (1: not, 2: perhaps, 3: obviously), and
whether the entity is important in the sentence. Judges who agree with the gold answers too rarely can be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

__all__ = ["LEAST_AGREEMENT", "Answer", "CrowdJudge", "CrowdOpinion", "agreement_with", "brought_together"]

LEAST_AGREEMENT = 0.7
"""Judges of the paper had to agree with more than 70 % of the gold answers."""


class Answer(Struct, frozen=True):
    """What one judge said of one item: `sentence` 1 to 3, and whether the entity is important in it."""

    sentence: int
    important: bool


class CrowdOpinion(Struct, frozen=True):
    """What those judges that count said of an item: means of 1 to 3 and of 0 to 1, and how many they are."""

    sentence: float
    important: float
    judges: int


class CrowdJudge(Struct, frozen=True):
    """A judge beside the gold.

    `asked` counts the gold items that they answered, `agreement` is the share of their answers to these, two for each
    item, that are as the gold has them (None where they answered none), and `counts` whether their answers count.
    """

    judge: str
    items: int
    asked: int
    agreement: float | None
    counts: bool


def agreement_with(gold: Mapping[str, Answer], answers: Mapping[str, Answer]) -> float | None:
    """The share of answers to gold items, two for each, that are the gold's: 0 to 1; None where there are none.

    >>> gold = {"a": Answer(3, True), "b": Answer(1, False)}
    >>> agreement_with(gold, {"a": Answer(3, True), "b": Answer(2, False), "c": Answer(1, True)})
    0.75
    """
    shared = gold.keys() & answers.keys()
    if not shared:
        return None
    same = sum(
        (gold[item].sentence == answers[item].sentence) + (gold[item].important == answers[item].important)
        for item in shared
    )
    return same / (2 * len(shared))


def brought_together(
    answers: Mapping[str, Mapping[str, Answer]],
    gold: Mapping[str, Answer] | None = None,
    *,
    least: float | None = None,
) -> tuple[dict[str, CrowdOpinion], list[CrowdJudge]]:
    """The mean answers of each item, and how each judge stands beside the gold.

    Args:
        answers: by judge, then by item.
        gold: the right answers of some items.
        least: judges whose agreement with the gold is not above this are left out (the paper: .7); None keeps all.
            Those who answered no gold item stay.

    >>> answers = {"one": {"x": Answer(3, True)}, "two": {"x": Answer(1, True)}}
    >>> brought_together(answers)[0]["x"]
    CrowdOpinion(sentence=2.0, important=1.0, judges=2)
    >>> brought_together(answers, {"x": Answer(3, True)}, least=0.7)[0]["x"]
    CrowdOpinion(sentence=3.0, important=1.0, judges=1)
    """
    judges = []
    for judge, own in answers.items():
        agreement = agreement_with(gold or {}, own)
        counts = least is None or agreement is None or agreement > least
        asked = len((gold or {}).keys() & own.keys())
        judges.append(CrowdJudge(judge, len(own), asked, agreement, counts))
    kept = [answers[one.judge] for one in judges if one.counts]
    items: Iterable[str] = dict.fromkeys(item for own in kept for item in own)
    opinions = {}
    for item in items:
        said = [own[item] for own in kept if item in own]
        opinions[item] = CrowdOpinion(
            sum(one.sentence for one in said) / len(said),
            sum(one.important for one in said) / len(said),
            len(said),
        )
    return opinions, judges
