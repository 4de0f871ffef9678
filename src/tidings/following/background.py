"""How usual each stem is in the news, where a stream has not yet shown it itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import log

from tidings.core import data_beside

_MOSTLY = 60.0


@dataclass(frozen=True, slots=True)
class Usual:
    """How usual a stem is.

    `share` and `head` are the documents of 1,000 that hold it, anywhere and in their title or first five sentences;
    `capitals` are its words of 100, within sentences, that have a capital; `is_place` is a place, or its people.
    `rarity` is 7.6 for a stem that is in no document of 1,000, about 0 for one that is in all; `is_name` says whether
    it is mostly written with a capital, `is_own_name` whether it is a name, and not of a place.
    """

    share: float
    head: float
    capitals: float
    is_place: bool
    rarity: float
    is_name: bool
    is_own_name: bool


def _usual(share: float = 0.0, head: float = 0.0, capitals: float = 100.0, is_place: bool = False) -> Usual:
    is_name = capitals > _MOSTLY
    rarity = log(1_001 / (share + 0.5))
    return Usual(share, head, capitals, is_place, rarity, is_name, is_name and not is_place)


_UNKNOWN = _usual()


@lru_cache(maxsize=1)
def background() -> dict[str, float]:
    """Of 1,000 documents of news, how many hold a stem."""
    return {stem: share for stem in _rows() if (share := usual(stem).share)}


@lru_cache(maxsize=1 << 16)
def usual(stem: str) -> Usual:
    """How usual an English stem is; one that is not listed is taken as a name that nobody has used.

    >>> usual("crash").is_name, usual("spain").is_place, usual("gadhaffi").share
    (False, True, 0.0)
    """
    row = _rows().get(stem)
    if row is None:
        return _UNKNOWN
    share, head, capitals, *place = row.split()
    return _usual(float(share), float(head), 0.0 if stem in _titles() else float(capitals), bool(place))


@lru_cache(maxsize=1)
def _titles() -> frozenset[str]:
    return frozenset(data_beside(__file__)["titles"].split())


@lru_cache(maxsize=1)
def _rows() -> dict[str, str]:
    # Most are never asked for: what stands behind the stem is read when it is.
    lines = (files(__package__) / "background.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if not line.startswith("#"))
