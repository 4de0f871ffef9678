"""While you were away: of what was emitted in the meantime, what matters most, on one screen.

Few updates are all shown. Of many those are chosen, one after the other, that are worth most for their length:

    worth(u) = (centrality + 1/4 confidence + 1/4 support + 1/2 its day's news, where nothing of it was chosen)
               (1 - max over chosen v of cos(u, v))

Centrality is the cosine with the mean of its event's updates, support the share of the most outlets that say an update
again, a day's news its share of the busiest day's updates (days of an event). Figures come as they stand last, with the
range where newer updates differ, and names that are new among the first three of an event. An update whose number a
newer figure has replaced is passed over, and so is a plan whose day has passed when the last output was given. What is
chosen is shown in the order of time, so that it reads as a story.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt

from msgspec import Struct

from tidings.core import (
    DAY_S,
    EntityRanking,
    Event,
    Output,
    Support,
    Update,
    ValueUpdate,
    Vector,
    shared_analyzer,
)
from tidings.following import Rarity, dot, is_outdated, is_past_plan, mean_of, reconcile
from tidings.live.store import NumberedOutput

ITEMS = 12
"""Items of a screen at most, and characters of their texts."""

CHARACTERS = 1_600

_MOST_FIGURES = 4
_FIGURE_CHARACTERS = 40  # that a figure or a name takes of the room
_MOST_NAMES = 2
_MOST_NEWER = 50  # updates that may contradict a figure
_TOP = 3  # places of a day at which a new name counts
_WHOLE = 280  # of an update's characters: pages show no more of it
_MOST_COMPARED = 600  # each with each, which takes the square of the time


class MissedItem(Struct, frozen=True, kw_only=True):
    """One thing that a reader missed: an update, a figure as it stands last, or names that are new at the top.

    `outlets` are those that say an update, its own with them. `before` is the figure as it was before, where it is
    known. `names` are the new ones.
    """

    seq: int
    output: Output
    outlets: int = 1
    before: ValueUpdate | None = None
    names: tuple[str, ...] = ()


class CaughtUp(Struct, frozen=True):
    """What to read now, and how many updates there were in all."""

    items: tuple[MissedItem, ...]
    updates: int

    @property
    def left(self) -> int:
        """How many updates are not among the items."""
        return self.updates - sum(isinstance(missed.output, Update) for missed in self.items)


class _Candidate(Struct):
    missed: MissedItem
    update: Update
    length: int
    vector: Vector
    day: tuple[str, int]
    worth: float = 0.0


def catch_up(
    outputs: Sequence[NumberedOutput],
    *,
    items: int = ITEMS,
    characters: int = CHARACTERS,
    earlier: Sequence[ValueUpdate] = (),
    events: Mapping[str, Event] | None = None,
    seen: Callable[[str, int], bool] = lambda event_id, seq: False,
) -> CaughtUp:
    """What matters of these outputs, which stand in their order and are of one event or several.

    Args:
        outputs: what was emitted while the reader was away.
        items: so many at most.
        characters: so many in the texts of the updates at most; a text too long for its share counts as it is shown.
        earlier: figures as they were before.
        events: what is followed, by id: an update about it may differ from a figure.
        seen: whether the reader has seen an output of an event, by its number.

    >>> from tidings.core.records import Update
    >>> emitted = [NumberedOutput(n, Update("e", f"d{n}", 0, 60 * n, 1.0, "It burns. " * n)) for n in (3, 1, 2)]
    >>> [one.seq for one in catch_up(emitted).items], catch_up(emitted, items=1).left
    ([1, 2, 3], 2)
    """
    unseen = [numbered for numbered in outputs if not seen(numbered.output.event_id, numbered.seq)]
    standing = _find_standing(outputs, earlier, events or {})
    figures = _figures(unseen, earlier, standing)[: min(_MOST_FIGURES, items)]
    names = _names(unseen)[: min(_MOST_NAMES, items - len(figures))]
    updates = [
        numbered for numbered in unseen if isinstance(numbered.output, Update) and numbered.output.text
    ]
    room = characters - _FIGURE_CHARACTERS * (len(figures) + len(names))
    now = max((numbered.output.time for numbered in outputs), default=0)

    def is_old(update: Update) -> bool:
        if is_past_plan(update.text, update.published_time or update.time, now):
            return True
        event = (events or {}).get(update.event_id)
        return event is not None and is_outdated(event, standing.get(update.event_id, ()), update)

    number = items - len(figures) - len(names)
    chosen = _choose(_candidates(updates, outputs), number, room, is_old)
    return CaughtUp((*figures, *names, *chosen), len(updates))


def _find_standing(
    outputs: Sequence[NumberedOutput], earlier: Sequence[ValueUpdate], events: Mapping[str, Event]
) -> dict[str, list[ValueUpdate]]:
    """The figures of each event as they stand last; those that its last updates contradict with the range."""
    last = {(value.event_id, value.attribute): value for value in earlier}
    updates: dict[str, list[Update]] = defaultdict(list)
    for numbered in outputs:
        output = numbered.output
        if isinstance(output, ValueUpdate):
            last[output.event_id, output.attribute] = output
        elif isinstance(output, Update):
            updates[output.event_id].append(output)
    standing: dict[str, list[ValueUpdate]] = defaultdict(list)
    for value in last.values():
        standing[value.event_id].append(value)
    for event_id, values in standing.items():
        if event_id in events:
            values[:] = reconcile(events[event_id], values, updates[event_id][-_MOST_NEWER:])
    return standing


def _figures(
    outputs: Sequence[NumberedOutput],
    earlier: Sequence[ValueUpdate],
    standing: Mapping[str, Sequence[ValueUpdate]],
) -> list[MissedItem]:
    before = {(value.event_id, value.attribute): value for value in earlier}
    last: dict[tuple[str, str], int] = {}
    for numbered in outputs:
        value = numbered.output
        if isinstance(value, ValueUpdate):
            last[value.event_id, value.attribute] = numbered.seq
    changed = []
    for value in (value for values in standing.values() for value in values):
        seq, old = last.get((value.event_id, value.attribute)), before.get((value.event_id, value.attribute))
        if seq is not None and (old is None or old.value != value.value):
            changed.append(MissedItem(seq=seq, output=value, before=old))
    return sorted(changed, key=lambda missed: -missed.seq)


def _names(outputs: Sequence[NumberedOutput]) -> list[MissedItem]:
    # The names of the last day of each event, of those that were new on any of the days.
    new: dict[str, dict[str, None]] = defaultdict(dict)
    last: dict[str, tuple[int, EntityRanking]] = {}
    for numbered in outputs:
        ranking = numbered.output
        if isinstance(ranking, EntityRanking):
            top = zip(ranking.entities[:_TOP], ranking.new[:_TOP], strict=False)
            new[ranking.event_id].update({name: None for name, is_new in top if is_new})
            last[ranking.event_id] = (numbered.seq, ranking)
    return [
        MissedItem(seq=seq, output=ranking, names=tuple(new[event_id])[-_TOP:])
        for event_id, (seq, ranking) in last.items()
        if new[event_id]
    ]


def _candidates(updates: Sequence[NumberedOutput], outputs: Sequence[NumberedOutput]) -> list[_Candidate]:
    outlets: Counter[tuple[str, str]] = Counter()
    for other in outputs:
        if isinstance(other.output, Support) and other.output.same:
            outlets[other.output.event_id, other.output.update_id] += 1
    stems_of = shared_analyzer("english").stems
    own = [(numbered, numbered.output) for numbered in updates if isinstance(numbered.output, Update)]
    rarity = Rarity(stems_of(update.text) for _, update in own)
    return [
        _Candidate(
            missed=MissedItem(
                seq=numbered.seq, output=update, outlets=1 + outlets[update.event_id, update.id]
            ),
            update=update,
            length=min(_WHOLE, len(update.text)),
            vector=rarity.vector(stems_of(update.text)),
            day=(update.event_id, update.time // DAY_S),
        )
        for numbered, update in own
    ]


def _choose(
    candidates: list[_Candidate], items: int, characters: int, is_old: Callable[[Update], bool]
) -> list[MissedItem]:
    days = Counter(candidate.day for candidate in candidates)
    _weigh(candidates, days)
    if len(candidates) <= items and sum(candidate.length for candidate in candidates) <= characters:
        return _in_time([candidate for candidate in candidates if not is_old(candidate.update)])
    # So many that comparing each with each would take long: the best of each day go on.
    waiting = sorted(candidates, key=lambda candidate: (-candidate.worth, candidate.missed.seq))[
        :_MOST_COMPARED
    ]
    nearest = [0.0] * len(waiting)
    covered: set[tuple[str, int]] = set()
    busiest = max(days.values(), default=1)
    chosen: list[_Candidate] = []
    left = characters
    while len(chosen) < items:
        best, most = -1, 0.0
        for place, candidate in enumerate(waiting):
            if candidate.length > left or nearest[place] >= 1.0:
                continue
            news = 0.0 if candidate.day in covered else 0.5 * days[candidate.day] / busiest
            worth = (candidate.worth + news) * (1.0 - nearest[place]) / sqrt(40.0 + candidate.length)
            if worth > most:
                best, most = place, worth
        if best < 0:
            break
        taken = waiting[best]
        if is_old(taken.update):
            nearest[best] = 1.0
            continue
        chosen.append(taken)
        covered.add(taken.day)
        left -= taken.length
        for place, waiter in enumerate(waiting):
            nearest[place] = 1.0 if place == best else max(nearest[place], dot(taken.vector, waiter.vector))
    return _in_time(chosen)


def _weigh(candidates: list[_Candidate], days: Counter[tuple[str, int]]) -> None:
    centres = {
        event: mean_of(candidate.vector for candidate in candidates if candidate.day[0] == event)
        for event in dict.fromkeys(event for event, _ in days)
    }
    best = (
        max((dot(candidate.vector, centres[candidate.day[0]]) for candidate in candidates), default=0.0)
        or 1.0
    )
    most = max((candidate.missed.outlets for candidate in candidates), default=1)
    for candidate in candidates:
        central = dot(candidate.vector, centres[candidate.day[0]]) / best
        support = log(candidate.missed.outlets) / log(most) if most > 1 else 0.0
        candidate.worth = central + 0.25 * min(1.0, max(0.0, candidate.update.confidence)) + 0.25 * support


def _in_time(chosen: list[_Candidate]) -> list[MissedItem]:
    return [
        candidate.missed
        for candidate in sorted(chosen, key=lambda candidate: (candidate.update.time, candidate.missed.seq))
    ]
