"""The objects of a topic in memory, for operations that are tried without a store."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from msgspec import UNSET

from tidings.annotation.store.log import last_standing, undone
from tidings.core.errors import ConflictError
from tidings.core.records.judgments import Change, JudgedObject, LogEntry


class MemoryView:
    """Answers as the store's view does, and writes as its log does."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str, str], JudgedObject] = {}
        self.version = 0
        self.entries: list[LogEntry] = []

    def get(self, layer: str, kind: str, object_id: str, /) -> JudgedObject | None:
        return self.objects.get((layer, kind, object_id))

    def some(self, layer: str, kind: str, ids: Collection[str], /) -> dict[str, JudgedObject]:
        return {one: self.objects[layer, kind, one] for one in ids if (layer, kind, one) in self.objects}

    def all(self, layer: str, kind: str, /) -> list[JudgedObject]:
        places = sorted(place for place in self.objects if place[:2] == (layer, kind))
        return [self.objects[place] for place in places if self.objects[place].value is not None]

    def values(self) -> dict[tuple[str, str, str], Any]:
        return {place: one.value for place, one in self.objects.items() if one.value is not None}

    def write(self, changes: Iterable[Change], *, undoes: str = "") -> None:
        changes = list(changes)
        places = [(one.layer, one.kind, one.id) for one in changes]
        assert len(set(places)) == len(places), "two changes of one object in one act"
        act = f"act {len(self.entries)}-{self.version}"
        for change, place in zip(changes, places, strict=True):
            there = self.objects.get(place)
            version, before = (0, None) if there is None else (there.version, there.value)
            if change.expected is not UNSET and change.expected != version:
                raise ConflictError("changed since", there)
            if before == change.value:
                continue
            self.version += 1
            self.objects[place] = JudgedObject(1, *place, self.version, change.value)
            self.entries.append(_entry(self.version, act, place, before, change.value, undoes))

    def undo(self) -> bool:
        """Take the last act that stands back; False where none does."""
        found = last_standing(reversed(self.entries))
        if found is None:
            return False
        self.write(undone(found.entries, found.since), undoes=found.key)
        return True


def _entry(seq: int, act: str, place: tuple[str, str, str], before: Any, after: Any, undoes: str) -> LogEntry:
    layer, kind, object_id = place
    return LogEntry(
        seq=seq,
        act=act,
        operation="undo" if undoes else "edit",
        topic=1,
        layer=layer,
        kind=kind,
        object_id=object_id,
        before=before,
        after=after,
        account_id=1,
        account="first",
        session_id=None,
        recorded_ms=0,
        undoes=undoes,
    )
