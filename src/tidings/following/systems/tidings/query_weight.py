"""How much of a query's weight a document holds, rare words weighing more: whether it is about the event at all.

An article can be asked how often it comes back to the query. Of an item of a feed, a title and two sentences, one
common word of the query ("killed", "talks") says nothing, and of a long article hardly more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

__all__ = ["QueryWeight"]

_CERTAIN = 0.6
_CERTAIN_OF_TWO = 0.5
_POSSIBLE = 0.35
_FIRST = 0.45
_TOPIC = 0.25
_SHORTEST_COUNTRY = 4
_PEOPLE = ("n", "an", "ian", "i", "ni", "ese")


class QueryWeight:
    """Decides by the share of the query's weight that a document holds.

    From .6 on (of a query of one or two words from .5 on) a document may be about the event. From .35 on it may if at
    least half of the other names in its beginning were met in what was said of the event so far; before anything was,
    from .45 on. One that holds less may if its names were met, and a quarter of its words are others in which the event
    has been told of. The people of a country stand for it: Ukrainian for Ukraine.

    >>> weight = QueryWeight(frozenset({"iran", "nuclear", "talk", "geneva"}), {"iran": 5.0, "talk": 4.0}, 8.0)
    >>> nothing = frozenset()
    >>> weight.allows({"iranian", "nuclear", "talk"}, nothing, lambda: False)
    True
    >>> weight.allows({"ukrain", "talk", "geneva", "kyiv"}, {"iran"}, lambda: False)
    False
    >>> weight.allows({"nuclear", "submarin", "shipyard"}, nothing, lambda: True)
    False

    Args:
        query: its stems.
        weights: how rare each stem is in the news; those that it lacks are `rare`.
        rare: their weight.
    """

    def __init__(self, query: frozenset[str], weights: Mapping[str, float], rare: float) -> None:
        self._query = query
        self._forms = {frozenset({stem, *_people_of(stem)}): weights.get(stem, rare) for stem in query}
        self._mass = sum(self._forms.values())
        self._certain = _CERTAIN if len(query) > 2 else _CERTAIN_OF_TWO

    def allows(
        self, stems: Collection[str], common: Collection[str], has_familiar_names: Callable[[], bool]
    ) -> bool:
        """Whether a document may be about the event.

        Args:
            stems: of its title and sentences.
            common: those common in what was said of the event; empty at the beginning.
            has_familiar_names: asked where the words of the query do not decide.
        """
        held = sum(weight for forms, weight in self._forms.items() if not forms.isdisjoint(stems))
        if held >= self._certain * self._mass:
            return True
        if held >= _POSSIBLE * self._mass:
            return has_familiar_names() if common else held >= _FIRST * self._mass
        others = sum(stem in stems and stem not in self._query for stem in common)
        return bool(held) and others >= _TOPIC * max(1, len(stems)) and has_familiar_names()


def _people_of(stem: str) -> list[str]:
    """Stems by which the people of a country may be called: `ukrain` by `ukrainian`, `china` by `chines`."""
    if len(stem) < _SHORTEST_COUNTRY:
        return []
    return [stem + ending for ending in _PEOPLE] + ([f"{stem[:-1]}es"] if stem[-1] in "ai" else [])
