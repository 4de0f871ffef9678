"""Whether an update has made a sentence's claim already, by what support goes by: what repeats an update is no update.

The words of two reports may differ where the claim is one: `35 dead, says the president`, `the government counts 35`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence

from tidings.core import Event, detect
from tidings.following.systems.support import KEEP_S, MOST_UPDATES, ClaimReader, Content, shares_subject

_LEAST_HELD = 0.5
"""The share of a sentence's words, by weight, that the update with its number holds."""
_PLACE = re.compile(r"\b(?:in|at|near|off|outside) ((?:[A-Z][\w'’-]*)(?: [A-Z][\w'’-]*){0,3})")


class EmittedClaims:
    """The claims of an event's updates of the last two days, 200 at most.

    Args:
        event: what is followed.
        rarity: how rare a stem is in what was said of the event lately, as a logarithm.
        language: the event's own.

    >>> emitted = EmittedClaims(Event(id="e", title="Ferry fire", query="ferry fire"), lambda stem: 1.0)
    >>> emitted.add("At least 35 people died in the ferry fire, the mayor said.", 60)
    >>> [emitted.has(f"The fire on the ferry killed {count} people.", 90) for count in (35, 36)]
    [True, False]
    >>> emitted.has("The fire on the ferry killed 35 people.", 60 + 3 * 86_400)
    False
    >>> emitted.has("The ferry fire that killed 35 people was caused by a faulty engine, the mayor said.", 90)
    False
    """

    def __init__(self, event: Event, rarity: Callable[[str], float], language: str = "english") -> None:
        self._reader = ClaimReader(event, rarity, language)
        self._reads = language == "english"
        self._claims: deque[tuple[int, Content]] = deque(maxlen=MOST_UPDATES)

    def add(self, text: str, time: int) -> None:
        """Note an update."""
        self._claims.append((time, self._reader.content(text)))

    def has(self, text: str, now: int) -> bool:
        """Whether an update has claimed all that this claims: whom it counts, and where.

        Of an English sentence alone, since what denies is read by English words, and of one that tells a number: with
        other news each word may be what is new.
        """
        since, claims = now - KEEP_S, self._claims
        while claims and claims[0][0] < since:
            claims.popleft()
        if not claims or not self._reads:
            return False
        own = self._reader.content(text)
        if own.tells_beside or not (own.figures or own.large_numbers) or detect(text) not in ("", "en"):
            return False
        places = {word for words in _PLACE.findall(text) for word in words.split()}
        return any(
            shares_subject(one, own)
            and (own.figures or own.large_numbers & one.large_numbers)
            and all(word in one.text for word in places)
            and self._reader.likeness(one, own)[0]
            and self._reader.share_in(own, one) >= _LEAST_HELD
            and not own.differs(one)
            for _, one in claims
        )

    def state(self) -> list[tuple[int, bytes]]:
        """The claims, as plain values."""
        return [(time, one.text.encode("utf-8", "surrogatepass")) for time, one in self._claims]

    def restore(self, state: Sequence[tuple[int, bytes]]) -> None:
        """Become what gave `state`."""
        self._claims.clear()
        for time, text in state:
            self.add(text.decode("utf-8", "surrogatepass"), time)
