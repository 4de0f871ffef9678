"""Short pieces of text that, repeated, make a careless expression or loop look at everything again and again.

A test of growth writes a text of many of one of them where a reader expects a title, a date, a body or a line.
"""

from __future__ import annotations

from tests.sweeps import cases

__all__ = ["SEEDS", "repeated"]

SEEDS: dict[str, str] = cases(__file__, "seeds")
"""What is repeated, by what it is called."""


def repeated(seed: str, length: int) -> str:
    """So many characters of a seed.

    >>> repeated("<a ", 7)
    '<a <a <'
    """
    return (seed * (length // len(seed) + 1))[:length]
