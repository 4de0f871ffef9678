"""What two texts have in common, counted as ROUGE counts it, at the cost of one machine operation for 60 n-grams.

The k-th occurrence of an n-gram in a reference is one bit of an integer. The common part of two multisets, the sum of
min(count, count), is then the number of bits that both integers have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["References", "ngrams"]


def ngrams(words: Sequence[str], length: int) -> Iterable[object]:
    """The n-grams of a text in order; words alone for length 1.

    >>> list(ngrams(["oil", "leak", "seal"], 2))
    [('oil', 'leak'), ('leak', 'seal')]
    """
    return words if length == 1 else zip(*(words[start:] for start in range(length)), strict=False)


class References:
    """The n-grams of several references side by side, with which any number of texts can be compared.

    >>> references = References()
    >>> one = references.add(0, ["oil", "oil", "leak"])
    >>> two = references.add(1, ["oil", "seal"])
    >>> (references.of(["oil", "oil", "oil", "seal"]) & (one | two)).bit_count()  # 2 of the first + 2 of the second
    4
    """

    def __init__(self) -> None:
        self._places: dict[tuple[object, int], dict[int, int]] = {}
        self._used = 0

    def add(self, reference: int, items: Iterable[object]) -> int:
        """The bits of a text of one reference; texts of other references have other bits."""
        places = []
        for key in _occurrences(items):
            mine = self._places.setdefault(key, {})
            if reference not in mine:
                mine[reference] = self._used
                self._used += 1
            places.append(mine[reference])
        return _integer(places)

    def of(self, items: Iterable[object]) -> int:
        """The bits of a text that is compared: those of all references that hold its items."""
        places = self._places
        return _integer(
            [place for key in _occurrences(items) if key in places for place in places[key].values()]
        )


def _occurrences(items: Iterable[object]) -> Iterable[tuple[object, int]]:
    counts: dict[object, int] = {}
    for item in items:
        before = counts.get(item, 0)
        counts[item] = before + 1
        yield item, before


def _integer(places: list[int]) -> int:
    bits = bytearray((max(places, default=0) >> 3) + 1)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")
