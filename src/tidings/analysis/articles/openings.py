"""Whether a source puts a headline before its leads, in texts without titles: learned from how its articles open.

    source ──▶ odds, from the openings so far ──▶ how sure a border must be before the next opening is cut

In some texts most articles open with the headline, in others none does, and a wrong cut there turns "The father of the
dead woman Ana Ruiz says" into what a dead woman says. How a source's articles opened so far tells the two apart.
"""

from __future__ import annotations

from collections.abc import Mapping

_BEGIN, _MOST_ODDS, _MOST_SOURCES = -1.0, 6.0, 64
_BORDER, _NO_BORDER = 2.2, -1.0
"""Log odds: in sources with headlines 65 of 100 openings show one, in others 7."""
_SURE, _LIKELY, _UNLIKELY = 4.0, 0.5, -2.0
_LEVELS = (0.0, 0.5, 1.5, 3.0)


class Openings:
    """What is known of each source so far, as log odds; at most 64 sources, of which the longest unseen is forgotten.

    >>> openings = Openings()
    >>> openings.level("Coast Herald")
    1.5
    >>> for is_glued in (True, True):
    ...     openings.learn("Coast Herald", is_glued)
    >>> openings.level("Coast Herald")
    0.5
    """

    def __init__(self, odds: Mapping[str, float] | None = None) -> None:
        self.odds = dict(odds or {})

    def level(self, source: str) -> float:
        """What a border's sum must exceed (see `lead_start`) at the head of the next article of a source."""
        odds = self.odds.get(source, _BEGIN)
        return _LEVELS[(odds < _SURE) + (odds < _LIKELY) + (odds < _UNLIKELY)]

    def learn(self, source: str, is_glued: bool) -> None:
        """Learn from an article of a source, whether a headline seems to stand before its lead."""
        odds = self.odds.pop(source, _BEGIN) + (_BORDER if is_glued else _NO_BORDER)
        if len(self.odds) >= _MOST_SOURCES:
            del self.odds[next(iter(self.odds))]
        self.odds[source] = min(_MOST_ODDS, max(-_MOST_ODDS, odds))
