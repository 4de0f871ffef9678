"""A system that a module registers: workers have to load it."""

from __future__ import annotations

from typing import ClassVar

from tidings.following.systems.first import First
from tidings.following.systems.registry import register_system


@register_system("made-up-for-workers")
class MadeUp(First, frozen=True, kw_only=True):
    """The first sentences, under another name."""

    name: ClassVar[str] = "made-up-for-workers"
