"""The system that a caller names or gives."""

from __future__ import annotations

from tidings.core import System
from tidings.following.hosting.pace import choose_pace
from tidings.following.library.faults import ArgumentTypeError, ArgumentValueError, kind_of
from tidings.following.library.times import Duration, as_duration
from tidings.following.stream import format_duration
from tidings.following.systems import make, with_option
from tidings.following.systems.languages import with_languages
from tidings.following.systems.pace import with_pace

__all__ = ["as_system", "at_pace"]


def as_system(system: str | System) -> System:
    """A system, from its name with options (`cosine:similarity=0.4`), or as it is.

    Raises:
        UsageError: no such system or option.
        ArgumentTypeError: neither text nor a system; a class of systems, where one made of it is meant.

    >>> as_system("first").name
    'first'
    >>> as_system(3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.faults.ArgumentTypeError: system: found an int, expected a name such as ...
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


def at_pace(
    system: str | System, about: object, wait: Duration | None = None, *, on_the_spot: bool
) -> System:
    """The system at the pace that a caller asks for; on the spot, of a query, at the usual one where nothing is said.

    With `wait` what is new waits so long for its best wording.

    Raises:
        ArgumentTypeError: the pace is neither text nor a number; the wait is no length of time; and what `as_system`
            raises.
        ArgumentValueError: a wait for a system that is made already.
        UsageError: no pace, or the system has another one; it cannot wait.

    >>> at_pace("cosine", 30, on_the_spot=True).spec, at_pace("tidings", None, on_the_spot=True).spec
    ('cosine:about=30', 'tidings:about=up to 40/day')
    >>> at_pace("tidings", "free", "2h", on_the_spot=True).spec
    'tidings:wait=2h'
    """
    if isinstance(about, bool) or not isinstance(about, str | int | float | None):
        raise ArgumentTypeError(f'about: found {kind_of(about)}, expected a pace such as "10/day", or 30')
    said = None if about is None else str(about)
    chosen = system
    if wait:
        if not isinstance(system, str):
            raise ArgumentValueError(
                'wait: found beside a system, expected beside a name; give it with it: make("tidings:wait=2h")'
            )
        chosen = with_option(system, "wait", format_duration(as_duration(wait, "wait")))
    return with_pace(with_languages(as_system(chosen)), choose_pace(said, system, on_the_spot=on_the_spot))
