"""What was emitted, as pages show it: updates with who else says them, changes of figures, names of a day.

What a reader wants to see of an event (a day, a name, an outlet, a kind) is said by the address of its page.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import (
    DAY_S,
    Clock,
    EntityRanking,
    Event,
    Evidence,
    Output,
    Update,
    ValueUpdate,
    clean,
    kind_of,
)
from tidings.following import Entry, build_timeline, current_values, outlet_name
from tidings.live.store import LiveStore, NumberedOutput
from tidings.live.store.search import search_words

KINDS = {
    "": ("update",),
    "figures": ("value",),
    "names": ("entities",),
    "all": ("update", "value", "entities"),
}
"""What the page calls kinds of output, and which these are; nothing said: updates alone."""

_LONGEST = 200


class Filters(Struct, frozen=True):
    """What is wanted; empty for all."""

    day: str = ""
    entity: str = ""
    outlet: str = ""
    kind: str = ""

    @property
    def period(self) -> tuple[int, int] | None:
        """From when to before when (seconds UTC); None for all times."""
        if not self.day:
            return None
        start = int(datetime.combine(date.fromisoformat(self.day), datetime.min.time(), UTC).timestamp())
        return start, start + DAY_S

    @property
    def looks(self) -> bool:
        """Whether each output has to be looked at."""
        return bool(self.entity or self.outlet)

    @property
    def chosen(self) -> tuple[tuple[str, str], ...]:
        """(name, value) of what is wanted."""
        return tuple((name, value) for name in self.__struct_fields__ if (value := getattr(self, name)))

    def __bool__(self) -> bool:
        return bool(self.chosen)

    def query(self, **changed: str | int | None) -> str:
        """These as the end of an address, with some changed or, by "", left out.

        >>> Filters(day="2013-07-24").query(outlet="A & B", before=7), Filters(day="2013-07-24").query(day="")
        ('?day=2013-07-24&outlet=A+%26+B&before=7', '')
        """
        fields = {**dict(self.chosen), **changed}
        text = urlencode({name: value for name, value in fields.items() if value}, errors="replace")
        return f"?{text}" if text else ""

    def without(self, name: str) -> str:
        """The end of an address with one of them left out."""
        return replace(self, **{name: ""}).query()

    def matches(self, output: Output) -> bool:
        """Whether an output has the name and the outlet that are wanted."""
        if self.outlet and self.outlet not in _outlets(output):
            return False
        if not self.entity:
            return True
        wanted = " ".join(search_words(self.entity))
        return bool(wanted) and any(
            f" {wanted} " in f" {' '.join(search_words(text))} " for text in _texts(output)
        )


def _outlets(output: Output) -> set[str]:
    sources: list[Update | Evidence] = []
    if isinstance(output, Update):
        sources = [output]
    elif isinstance(output, ValueUpdate | EntityRanking):
        sources = list(output.evidence)
    return {outlet_name(source.source, source.url) for source in sources}


def _texts(output: Output) -> tuple[str, ...]:
    if isinstance(output, Update):
        return output.text, output.title
    if isinstance(output, EntityRanking):
        return output.entities
    return tuple(evidence.text for evidence in output.evidence) if isinstance(output, ValueUpdate) else ()


def asked_filters(
    day: Annotated[str, Query(max_length=_LONGEST)] = "",
    entity: Annotated[str, Query(max_length=_LONGEST)] = "",
    outlet: Annotated[str, Query(max_length=_LONGEST)] = "",
    kind: Annotated[str, Query(max_length=_LONGEST)] = "",
) -> Filters:
    """What the address asks for; a day or a kind that is none counts for nothing."""
    try:
        day = date.fromisoformat(day.strip()).isoformat() if day.strip() else ""
        if day < "1000" or day > "9000":
            day = ""
    except ValueError:
        day = ""
    return Filters(day, entity.strip(), outlet.strip(), kind if kind in KINDS else "")


_CLOCK = Clock()
_LOOKS = 8  # pages of 500 that are looked through for one page of a filter
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
        found += [numbered for numbered in page if not filters.looks or filters.matches(numbered.output)]
        if len(found) > limit:
            return ItemPage(shown_items(live, event, found[:limit]), found[limit - 1].seq)
        if len(page) < (500 if filters.looks else limit + 1):
            return ItemPage(shown_items(live, event, found), None)
        before = page[-1].seq
    return ItemPage(shown_items(live, event, found), before)


def shown_items(live: LiveStore, event: Event, found: Sequence[NumberedOutput]) -> tuple[ShownItem, ...]:
    """Outputs of one event as they are shown, in their order."""
    updates = {numbered.seq: numbered.output for numbered in found if isinstance(numbered.output, Update)}
    supports = live.stories.supports(
        event.id, ((update.doc_id, update.sentence_index) for update in updates.values())
    )
    in_time = sorted(sorted(updates), key=lambda seq: updates[seq].time)
    timeline = build_timeline(event, [updates[seq] for seq in in_time], supports=supports)
    entries = dict(zip(in_time, timeline.entries, strict=True))
    return tuple(_show_item(numbered, entries.get(numbered.seq)) for numbered in found)


def _show_item(numbered: NumberedOutput, entry: Entry | None) -> ShownItem:
    output = numbered.output
    return ShownItem(
        seq=numbered.seq,
        kind=kind_of(output),
        time=output.time,
        date=f"{_CLOCK.at(output.time):%Y-%m-%d}",
        day=_CLOCK.day(output.time),
        entry=entry,
        words="" if entry is not None else _words(output),
    )


def _words(output: Output) -> str:
    if isinstance(output, ValueUpdate):
        (value,) = current_values([output])
        others = f" ({value.others})" if value.others else ""
        return f"{value.number} {value.label}, as now reported{others}"
    if isinstance(output, EntityRanking):
        names = ", ".join(map(clean, output.entities[:_MOST_NAMES]))
        return f"Names of {output.date}: {names or 'none'}"
    return ""
