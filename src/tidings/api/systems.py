"""The system that a caller names or gives."""

from __future__ import annotations

from tidings.api.faults import ArgumentTypeError, kind_of
from tidings.protocols import System
from tidings.systems import make

__all__ = ["as_system"]


def as_system(system: str | System) -> System:
    """A system, from its name with options (`cosine:similarity=0.4`), or as it is.

    Raises:
        UsageError: no such system or option.
        ArgumentTypeError: neither text nor a system; a class of systems, where one made of it is meant.

    >>> as_system("first").name
    'first'
    >>> as_system(3)
    Traceback (most recent call last):
    tidings.api.faults.ArgumentTypeError: system: found an int, expected a name such as "tidings", or a system
    """
    if isinstance(system, str):
        return make(system)
    if isinstance(system, type):
        raise ArgumentTypeError(
            f"system: found the class {system.__name__}, expected a system: {system.__name__}()"
        )
    if not isinstance(system, System):
        raise ArgumentTypeError(
            f'system: found {kind_of(system)}, expected a name such as "tidings", or a system'
        )
    return system
