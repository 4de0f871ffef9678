"""Of the sentences of one day, which give a figure as it no longer stood when the day was last spoken of, or repeat.

    four died … eleven died            the first is out of date
    80 died … 78 died, not 80          and so is what was lowered since
    four died … eleven were hurt       these are two figures
    eleven died … eleven are dead      one of them is enough

The state of a figure on a day is the number that its latest sentences give the whole event: of the numbers that several
documents give, if there are such. What a later sentence says was wrong ("78, not 80", "withdrew the figure of 80") is
out of date in any case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tidings.analysis import Quantity, Relevance, find_mentions
from tidings.core import CASUALTIES, Event, Evidence, Sentence, Update
from tidings.following.systems.support import ClaimReader
from tidings.following.values.stated import is_of_lasting, stated_numbers

__all__ = ["DayClaims", "give_other_figures"]

Figures = dict[str, tuple[float, float]]
"""How many of each kind of people a sentence gives the whole event, from and to."""

_ROOM = 0.1
"""`about 70` and `more than 70` may be so much of it more, the former also less."""

_LEAST_DOCUMENTS = 2  # then one outlier decides nothing


class DayClaims:
    """What the sentences of a day claim: which of them are out of date, and which of two are not both needed.

    Args:
        event: what the sentences are about.
        sentences: all of the day, in any order.

    >>> ferry = Event(id="e", title="", query="ferry fire")
    >>> said = "Four people died in the ferry fire.", "Eleven died and about 30 were injured in the ferry fire."
    >>> said += ("The ferry fire has killed eleven people.",)
    >>> claims = DayClaims(ferry, [Sentence(text[:4], 0, text, len(text)) for text in said])
    >>> claims.is_old, [claims.exclude(0, 1), claims.exclude(1, 2), claims.exclude(2, 2)]
    ([True, False, False], [True, True, True])
    """

    def __init__(self, event: Event, sentences: Sequence[Sentence]) -> None:
        relevance = Relevance(event)
        read = [_figures_of(event, relevance, sentence) for sentence in sentences]
        self._figures = [figures for figures, _ in read]
        self._reader = ClaimReader(event, lambda _: 0.0, skips_asides=True)
        self._texts = [sentence.text for sentence in sentences]
        self.is_old = _find_outdated(read, sentences)
        """Whether one of a sentence's figures was out of date when the day was last spoken of."""

    def exclude(self, one: int, other: int) -> bool:
        """Whether a sentence says all that another says, all its figures, or gives the same people another number."""
        figures, others = self._figures[one], self._figures[other]
        if _differ(figures, others) or (others and others.items() <= figures.items()):
            return True
        mine, theirs = self._reader.content(self._texts[one]), self._reader.content(self._texts[other])
        return self._reader.likeness(theirs, mine)[0]


def give_other_figures(event: Event, standing: Evidence, sentences: Iterable[Evidence]) -> bool:
    """Whether one of these sentences gives the whole event another number of people than the one that stands.

    >>> ferry = Event(id="e", title="", query="ferry fire")
    >>> said = [Evidence("a", 0, f"The ferry fire killed {number} people.", 60) for number in ("24", "31")]
    >>> give_other_figures(ferry, said[1], said[:1]), give_other_figures(ferry, said[1], said[1:])
    (True, False)
    """
    relevance = Relevance(event)

    def figures(one: Evidence) -> Figures:
        sentence = Sentence(one.doc_id, one.sentence_index, one.text, one.published_time, title=one.title)
        return _figures_of(event, relevance, sentence)[0]

    own = figures(standing)
    return any(_differ(own, figures(one)) for one in sentences)


def _figures_of(event: Event, relevance: Relevance, sentence: Sentence) -> tuple[Figures, dict[str, float]]:
    """Its figures, and of each kind the number that it says is wrong."""
    time = sentence.published_time
    update = Update(event.id, sentence.doc_id, sentence.index, time, text=sentence.text, title=sentence.title)
    figures: Figures = {}
    wrong: dict[str, float] = {}
    for mention in stated_numbers(relevance, update, lasts=is_of_lasting(event, update)):
        if mention.attribute in CASUALTIES and not mention.quantity.vague:
            figures.setdefault(mention.attribute, _range(mention.quantity))
            if mention.instead_of is not None:
                wrong[mention.attribute] = mention.instead_of
    wrong.update(
        (mention.attribute, mention.value)
        for mention in find_mentions(sentence.text)
        if "retracted" in mention.doubts and mention.attribute in CASUALTIES
    )
    return figures, wrong


def _range(quantity: Quantity) -> tuple[float, float]:
    room = _ROOM if quantity.qualifier in ("about", "at least") else 0.0
    low = quantity.low if quantity.qualifier == "at least" else quantity.low * (1 - room)
    return round(low, 6), round(quantity.high * (1 + room), 6)


def _differ(one: Figures, other: Figures) -> bool:
    return any(
        one[kind][1] < other[kind][0] or other[kind][1] < one[kind][0] for kind in one.keys() & other.keys()
    )


def _find_outdated(
    read: Sequence[tuple[Figures, dict[str, float]]], sentences: Sequence[Sentence]
) -> list[bool]:
    figures = [some for some, _ in read]
    corrected = [
        (sentence.published_time, kind, number)
        for (_, wrong), sentence in zip(read, sentences, strict=True)
        for kind, number in wrong.items()
    ]
    state: Figures = {}
    since: dict[str, int] = {}
    for kind in sorted({kind for some in figures for kind in some}):
        said = [
            (sentence.published_time, some[kind], sentence.doc_id)
            for some, sentence in zip(figures, sentences, strict=True)
            if kind in some
        ]
        documents: dict[tuple[float, float], set[str]] = {}
        for _, number, doc_id in said:
            documents.setdefault(number, set()).add(doc_id)
        several = [one for one in said if len(documents[one[1]]) >= _LEAST_DOCUMENTS]
        since[kind], state[kind], _ = max(several or said)
    return [
        any(
            sentence.published_time <= since[kind] and _differ({kind: number}, state)
            for kind, number in some.items()
        )
        or any(
            sentence.published_time < time and some[kind][0] <= number <= some[kind][1]
            for time, kind, number in corrected
            if kind in some
        )
        for some, sentence in zip(figures, sentences, strict=True)
    ]
