"""What a reader wants to see of an event (a day, a name, an outlet, a kind), as the address of its page says it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import EntityRanking, Evidence, Output, Update, ValueUpdate
from tidings.following import outlet_name
from tidings.live.store.words import search_words

__all__ = ["KINDS", "Filters", "asked_filters"]

KINDS = {
    "": ("update",),
    "figures": ("value",),
    "names": ("entities",),
    "all": ("update", "value", "entities"),
}
"""What the page calls kinds of output, and which these are; nothing said: updates alone."""

_DAY_S = 86400
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
        return start, start + _DAY_S

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
    said: list[Update | Evidence] = []
    if isinstance(output, Update):
        said = [output]
    elif isinstance(output, ValueUpdate | EntityRanking):
        said = list(output.evidence)
    return {outlet_name(one.source, one.url) for one in said}


def _texts(output: Output) -> tuple[str, ...]:
    if isinstance(output, Update):
        return output.text, output.title
    if isinstance(output, EntityRanking):
        return output.entities
    return tuple(one.text for one in output.evidence) if isinstance(output, ValueUpdate) else ()


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
