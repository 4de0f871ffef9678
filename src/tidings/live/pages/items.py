"""What was told, as pages show it: updates with who else says them, changes of figures, names of a day."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tidings.core import Clock, EntityRanking, Event, Output, Update, ValueUpdate, clean, kind_of
from tidings.following import LABELS, Entry, build_timeline, shown_number
from tidings.live.pages.filters import KINDS, Filters
from tidings.live.store import LiveStore, NumberedOutput

__all__ = ["ItemPage", "ShownItem", "item_page", "shown_items"]

_CLOCK = Clock()
_LOOKS = 8
_MOST_NAMES = 8


class ShownItem(Struct, frozen=True, kw_only=True):
    """One output in its place in the story: `entry` of an update, else `words` that say it.

    `date` is its day (YYYY-MM-DD, UTC), `day` that in words.
    """

    seq: int
    kind: str
    time: int
    date: str
    day: str
    entry: Entry | None = None
    words: str = ""

    @property
    def hour(self) -> str:
        """`18:42`."""
        return _CLOCK.hour(self.time)

    @property
    def moment(self) -> str:
        """`24 Jul 2013 18:42`."""
        return _CLOCK.moment(self.time)

    @property
    def iso(self) -> str:
        """For machines."""
        return _CLOCK.iso(self.time)


class ItemPage(Struct, frozen=True):
    """Items, the newest first; `older` is the number before which there may be more (None: there is no more)."""

    items: tuple[ShownItem, ...]
    older: int | None


def item_page(live: LiveStore, event: Event, filters: Filters, *, before: int | None, limit: int) -> ItemPage:
    """The last `limit` items of an event before a number, of those that are wanted.

    Where each has to be looked at, a few thousand are; the page then says from where on to look further.
    """
    found: list[NumberedOutput] = []
    for _ in range(_LOOKS if filters.looks else 1):
        page = live.outputs.latest(
            event_id=event.id,
            kinds=KINDS[filters.kind],
            before=before,
            period=filters.period,
            limit=500 if filters.looks else limit + 1,
        )
        found += [one for one in page if not filters.looks or filters.matches(one.output)]
        if len(found) > limit:
            return ItemPage(shown_items(live, event, found[:limit]), found[limit - 1].seq)
        if len(page) < (500 if filters.looks else limit + 1):
            return ItemPage(shown_items(live, event, found), None)
        before = page[-1].seq
    return ItemPage(shown_items(live, event, found), before)


def shown_items(live: LiveStore, event: Event, found: Sequence[NumberedOutput]) -> tuple[ShownItem, ...]:
    """Outputs of one event as they are shown, in their order."""
    updates = {one.seq: one.output for one in found if isinstance(one.output, Update)}
    supports = live.stories.supports(event.id, ((one.doc_id, one.sentence_index) for one in updates.values()))
    in_time = sorted(sorted(updates), key=lambda seq: updates[seq].time)
    timeline = build_timeline(event, [updates[seq] for seq in in_time], supports=supports)
    entries = dict(zip(in_time, timeline.entries, strict=True))
    return tuple(_shown(one, entries.get(one.seq)) for one in found)


def _shown(one: NumberedOutput, entry: Entry | None) -> ShownItem:
    output = one.output
    return ShownItem(
        seq=one.seq,
        kind=kind_of(output),
        time=output.time,
        date=f"{_CLOCK.at(output.time):%Y-%m-%d}",
        day=_CLOCK.day(output.time),
        entry=entry,
        words="" if entry is not None else _words(output),
    )


def _words(output: Output) -> str:
    if isinstance(output, ValueUpdate):
        number = clean(output.place) if output.attribute == "location" else ""
        number = number or shown_number(output.attribute, output.value)
        others = ""
        if len(output.reported) == 2:
            low, high = (shown_number(output.attribute, (one,)) for one in output.reported)
            others = f" ({low} – {high})"
        label = LABELS.get(output.attribute, clean(output.attribute)) or "is where it is"
        return f"{number} {label}, as now reported{others}"
    if isinstance(output, EntityRanking):
        names = ", ".join(map(clean, output.entities[:_MOST_NAMES]))
        return f"Names of {output.date}: {names or 'none'}"
    return ""
