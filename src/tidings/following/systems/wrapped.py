"""What a system that puts a limit on another one shares with it: its name, its model's card, what interests it."""

from __future__ import annotations

from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Event, Interest, ModelCard, System
from tidings.following.systems.spec import changed_options, written_spec

__all__ = ["Unlimited", "WrappedSystem", "innermost", "replace_innermost"]


class Unlimited(Struct, frozen=True):
    """The limit of what sets none."""


class WrappedSystem(Struct, frozen=True):
    """A system around another; a child adds a limit, its options and `start`."""

    system: System

    @property
    def limit(self) -> Struct:
        """The options of the limit, which stand in the spec beside those of the system inside."""
        raise NotImplementedError

    @property
    def options(self) -> dict[str, Any]:
        """The options that are not at their default, of the system inside and of the limit."""
        inner = self.system
        if isinstance(inner, WrappedSystem):
            own = inner.options
        else:
            own = changed_options(inner) if isinstance(inner, Struct) else {}
        return own | changed_options(self.limit)

    @property
    def name(self) -> str:
        """The name of the system inside."""
        return self.system.name

    @property
    def spec(self) -> str:
        """The system inside with its options, and the limit's."""
        return written_spec(self.system.name, self.options)

    @property
    def card(self) -> ModelCard | None:
        """The card of the system inside."""
        return self.system.card

    def interest(self, event: Event) -> Interest | None:
        """What interests the system inside."""
        return self.system.interest(event)

    def interest_in(self, event: Event, language: str) -> Interest | None:
        """What interests the system inside among documents of a language (a code of ISO 639-1)."""
        return self.in_language(language).interest(event)

    def in_language(self, language: str) -> System:
        """The same limits around what decides on documents of a language (see
        `tidings.following.systems.languages`)."""
        inner = self.system
        other = inner.in_language(language) if isinstance(inner, WrappedSystem) else inner
        own = cast("System", self)
        return own if other is inner else cast("System", replace(self, system=other))


def innermost(system: System) -> System:
    """The system that decides, without the limits around it."""
    while isinstance(system, WrappedSystem):
        system = system.system
    return system


def replace_innermost(system: System, other: System) -> System:
    """The same limits around another system."""
    if not isinstance(system, WrappedSystem):
        return other
    changed: System = replace(system, system=replace_innermost(system.system, other))
    return changed
