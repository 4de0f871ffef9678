"""What an emitted update says of a figure: the numbers that it gives the whole event, and where a figure disagrees.

The tracker of values, every page and the check of pages ask here, so that they read an update alike.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from tidings.analysis import (
    Mention,
    Relevance,
    counts_patients,
    find_endings,
    find_mentions,
    is_of_ongoing,
    is_of_whole,
)
from tidings.core import ATTRIBUTES, Event, Update, ValueUpdate, clean, shared_analyzer
from tidings.following.values.series import STATED, weight_of

LASTING_S = 7 * 86_400
"""Seconds for which numbers of protests or a crisis were reported, after which none of a day counts the whole."""

_NEAR_FIGURE = 0.02  # of a number: "about 1,000" may stand for 987
_PART = 0.5  # of the figure: less than that counts a part of it


def stated_numbers(relevance: Relevance, update: Update, *, lasts: bool) -> Iterator[Mention]:
    """The numbers that an update gives the whole event, in order; the update is about it, whichever words it uses.

    Nobody at all counts where no other place is named, or where that is a correction. Those in hospital are some of the
    injured, so that there are at least so many. `lasts`: the event is one that
    runs on, of which only numbers for the whole are given.

    >>> ferry = Relevance(Event(id="e", title="", query="ferry fire"))
    >>> said = Update("e", "a", 0, 60, text="The toll has risen to 14, three of them children.")
    >>> [(one.attribute, one.value) for one in stated_numbers(ferry, said, lasts=False)]
    [('deaths', 14.0)]
    """
    titled = len(relevance.stems.intersection(shared_analyzer().stems(update.title)))
    year = time.gmtime(max(0, min(update.published_time or update.time, 1 << 37))).tm_year
    synonyms = tuple(relevance.synonyms.items())
    for mention in find_mentions(
        update.text, year, relevance.stems, about=titled, synonyms=synonyms, title=update.title
    ):
        near = replace(mention, near=max(mention.near, 1))
        if mention.attribute == "injuries" and counts_patients(update.text):
            quantity = replace(mention.quantity, qualifier="at least")
            near = replace(near, quantity=quantity, doubts=tuple(one for one in near.doubts if one != "part"))
        is_none = not mention.quantity.high and (not mention.doubts or mention.instead_of is not None)
        if (weight_of(near) < STATED and not is_none) or (
            lasts and mention.attribute != "financialimpact" and not is_of_whole(update.text, mention)
        ):
            continue
        yield near


def is_of_lasting(event: Event, update: Update) -> bool:
    """Whether an event runs on (a war, an epidemic), so that a number is of the whole only where it says so."""
    return is_of_ongoing(event, LASTING_S, f"{update.title} {update.text}")


def against(event: Event, value: ValueUpdate, update: Update) -> Iterator[tuple[str, float, str]]:
    """What in an update stands against a figure: `figure` or `resolved`, the number that it gives, and in words."""
    if value.attribute == "location" or not value.value:
        return
    number = value.value[0]
    if value.attribute == "missing" and number:
        counts_it = any(find_endings(evidence.text) for evidence in value.evidence)
        for ending in find_endings(update.text):
            is_all = ending.count is None or (
                ending.count >= number and not (counts_it and ending.count == 1)
            )
            if ending.left(number) < number and (is_all or ending.of is not None):
                yield "resolved", ending.left(number), ending.words
                return
    lowest, highest = value.reported if len(value.reported) == 2 else (number, number)
    room = _NEAR_FIGURE * number
    for mention in stated_numbers(Relevance(event), update, lasts=is_of_lasting(event, update)):
        quantity = mention.quantity
        if mention.attribute != value.attribute:
            continue
        low, high = quantity.low, quantity.high
        is_part = 0 < high < _PART * number and not mention.revised
        if quantity.value < number and (quantity.qualifier == "at least" or is_part):
            continue  # that holds still, or counts some of them
        if quantity.qualifier == "at most":
            continue
        if quantity.qualifier == "about":
            low, high = 0.9 * low, 1.1 * high
        if high < lowest - room or low > highest + room:
            yield "figure", quantity.value, f"{quantity.value:,.0f} {label_of(value.attribute)}"


def is_outdated(event: Event, values: Iterable[ValueUpdate], update: Update) -> bool:
    """Whether an update gives the whole event another number than one of these figures, which is newer.

    >>> event = Event(id="e", title="Ferry fire", query="ferry fire")
    >>> said = Update("e", "b", 0, 90, text="The ferry fire left 11 people injured.", published_time=90)
    >>> is_outdated(event, [ValueUpdate("e", 3600, "injuries", (14.0,))], said)
    True
    >>> is_outdated(event, [ValueUpdate("e", 60, "injuries", (14.0,))], said)
    False
    """
    newer = [value for value in values if value.time > update.time and value.attribute != "location"]
    if not newer:
        return False
    numbers = {
        (mention.attribute, mention.quantity.value)
        for mention in stated_numbers(Relevance(event), update, lasts=is_of_lasting(event, update))
        if not (mention.attribute == "injuries" and counts_patients(update.text))
    }
    return any(
        attribute == value.attribute and number != value.value[0]
        for value in newer
        for attribute, number in numbers
    )


def label_of(attribute: str) -> str:
    """What readers call an attribute; its own name where it is none of ours."""
    known = ATTRIBUTES.get(attribute)
    return clean(attribute) if known is None else known.label


def reconcile(
    event: Event, values: Sequence[ValueUpdate], updates: Sequence[Update]
) -> Sequence[ValueUpdate]:
    """Values of which none that stands is contradicted by an update that is shown beside it: there reports differ.

    Values that were tracked beside these very updates come back as they are; others (of an older version, of another
    run, of updates that were chosen by hand) are marked.

    >>> event = Event(id="e", title="Ferry fire", query="ferry fire")
    >>> said = Update("e", "b", 0, 90, text="The ferry fire left 11 people injured.", published_time=90)
    >>> reconcile(event, [ValueUpdate("e", 60, "injuries", (9.0,))], [said])[0].reported
    (9.0, 11.0)
    """
    last = {value.attribute: place for place, value in enumerate(values)}
    marked = list(values)
    for place in last.values():
        value = values[place]
        numbers = [
            number
            for update in updates
            if update.time >= value.time
            for _, number, _ in against(event, value, update)
        ]
        if numbers:
            known = [value.value[0], *value.reported, *numbers]
            marked[place] = replace(value, reported=(min(known), max(known)))
    return marked
