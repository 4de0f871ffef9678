"""How usual each stem is in the news, where a stream has not yet shown it itself."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

_MOSTLY = 60.0


class Usual(NamedTuple):
    """How usual a stem is.

    `share` and `head` are the documents of 1,000 that hold it, anywhere and in their title or first five sentences;
    `capitals` are its words of 100, within sentences, that have a capital.
    """

    share: float = 0.0
    head: float = 0.0
    capitals: float = 100.0

    @property
    def is_name(self) -> bool:
        """Whether it is mostly written with a capital."""
        return self.capitals > _MOSTLY


_UNKNOWN = Usual()


@lru_cache(maxsize=1)
def background() -> dict[str, float]:
    """Of 1,000 documents of news, how many hold a stem."""
    return {stem: usual.share for stem, usual in _table().items() if usual.share}


def usual(stem: str) -> Usual:
    """How usual an English stem is; one that is not listed is taken as a name that nobody has used.

    >>> usual("crash").is_name, usual("spain").is_name, usual("gadhaffi").share
    (False, True, 0.0)
    """
    return _table().get(stem, _UNKNOWN)


@lru_cache(maxsize=1)
def _table() -> dict[str, Usual]:
    lines = (files(__package__) / "background.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {stem: Usual(float(share), float(head), float(capitals)) for stem, share, head, capitals in rows}
