"""Systems that give an event's entities, day by day."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import System

__all__ = ["default_system"]


def default_system() -> System:
    """The system that ranks entities beside another one, or where none is named."""
    from tidings.following.systems.entities.systems import Entities

    return Entities()
