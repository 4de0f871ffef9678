"""Whether an update has made a sentence's claim already, by what support goes by: what repeats an update is no update.

The words of two reports may differ where the claim is one: `35 dead, says the president`, `the government counts 35`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from tidings.analysis import find_quantities
from tidings.core import Event, detect
from tidings.following.systems.claims import Content
from tidings.following.systems.support import (
    KEEP_S,
    MOST_UPDATES,
    SAYING,
    ClaimReader,
    shares_subject,
)

_LEAST_HELD, _LEAST_SAME = 0.5, 0.75
"""The share of a sentence's words, by weight, that an update holds: one with its number; one without any."""
_NAME = re.compile(r"(?<=[\w,;:] )(?!\w+day\b)[A-Z][\w'’-]*")
_MORE = re.compile(r"\b(?:[Aa]nother|[Ff]urther|[Mm]ore(?! than))\b")
_ANOTHER = re.compile(rf"{_MORE.pattern}|\b(?:[Ss]econd|[Tt]hird|[Oo]ther|[Aa]ll|new|again)\b")
"""What says that it is another one: where it counts people, and where it counts none."""
_WHOM = re.compile(r" (?:on|over|for|in|at|after|with|by|from|as|because)\b", re.IGNORECASE)
"""Where ends what says what became of whom."""
_BESIDE_WHOM = re.compile(rf"{_WHOM.pattern}|,? (?:that|who|whose|which)\b", re.IGNORECASE)
"""And where it ends at the latest: in what else is said of them, two reports differ."""
_PLACE = re.compile(
    r"\b(?:in|at|near|off|on|outside) (?:the )?((?!\w+day\b)(?:[A-Z][\w'’-]*)(?: [A-Z][\w'’-]*){0,3})"
)
_NOWHERE = re.compile(r"(?!)")
_OFFICE_TURNS = {
    "oath": re.compile(
        r"\b(?=s)(?<!be )(?<!being )(?<!after )(?<!since )sworn in\b"
        r"|\b(?=[sth])(?<!to )(?:swears|swore|takes|took|has taken) (?:in\b|(?:the |an? |his |her )?oath\b)",
        re.IGNORECASE,
    ),
    "removal": re.compile(
        r"\b(?=[ior])(?<!be )(?<!being )(?<!after )(?<!since )(?:impeach(?:ed|es)|ousts|ousted|removed from office)\b"
        r"|\bvote[sd] to (?:impeach|oust|remove)\b",
        re.IGNORECASE,
    ),
}
"""What is said of an office once: that someone took it, or lost it; not that someone is to, or what came after."""
_OFFICES = re.compile(
    r"\b(?:president|(?:prime )?minister|pm|premier|chancellor|governor|mayor|senator|judge|justice|king)\b"
)
_WORD = re.compile(r"[\w'’]+")
_POSSESSIVE = re.compile(r"['’]s?$")


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
    >>> emitted.add("The ferry's captain has been arrested on suspicion of fraud, port police said on Friday.", 120)
    >>> again = "The captain of the ferry has been arrested on suspicion of tax fraud, a spokesman said."
    >>> emitted.has(again, 150), emitted.has(again.replace("The captain", "A second captain"), 150)
    (True, False)
    """

    def __init__(self, event: Event, rarity: Callable[[str], float], language: str = "english") -> None:
        self._reader = ClaimReader(event, rarity, language)
        self._reads = language == "english"
        self._claims: deque[tuple[int, Content]] = deque(maxlen=MOST_UPDATES)

    def add(self, text: str, time: int) -> None:
        """Note an update."""
        self._claims.append((time, self._reader.content(text, time)))

    def has(self, text: str, now: int) -> bool:
        """Whether an update has claimed all that this claims: whom it counts, and where.

        Of an English sentence alone, since what denies is read by English words, and of one that tells a number, what
        became of people (who was arrested or freed) or a turn of the story (an agreement, a denial): of a charge, as of
        other news, each word may be what is new.
        """
        since, claims = now - KEEP_S, self._claims
        while claims and claims[0][0] < since:
            claims.popleft()
        if not claims or not self._reads:
            return False
        own = self._reader.content(text, now)
        counts = not own.tells_beside and bool(own.figures or own.large_numbers)
        if own.tells_beside:
            # The owner was arrested over the crash in which 77 died: the dead are no part of the news.
            own = self._reader.content(own.main, now)
        if self._has_told_of_office(own) and detect(text) in ("", "en"):
            return True
        became = not counts and bool(own.states - {"charged"})
        once = frozenset[str]() if counts else self._reader.turns(own)
        if not (counts or became or once) or detect(text) not in ("", "en"):
            return False
        if counts:
            names, whom, least = _PLACE.findall(text), self._who_counts(own), _LEAST_HELD
        else:
            # Of a turn, what it is about tells it from another: a deal on pensions is none on wages.
            whom = self._whom(own, _WHOM if became else _NOWHERE)
            names, least = _NAME.findall(own.main), _LEAST_SAME
        kept = _names(word for words in names for word in words.split())
        another = _MORE if counts else _ANOTHER
        others = {word.lower() for word in another.findall(own.main)}
        return any(
            shares_subject(one, own)
            and (
                (
                    counts
                    and (own.figures or (own.large_numbers & one.large_numbers and self._are_held(whom, one)))
                )
                or (not counts and whom | once <= one.stems and own.numbers <= one.numbers)
            )
            and kept <= _names(_WORD.findall(one.text))
            and (self._reader.likeness(one, own)[0] or self._reader.likeness(own, one)[0])
            and self._reader.share_in(own, one) >= least
            and not own.differs(one)
            and (own.fears or not one.fears)
            and others <= {word.lower() for word in another.findall(one.text)}
            and (counts or self._whom(one, _BESIDE_WHOM) <= own.stems)
            and not own.is_of_other_day(one)
            for _, one in claims
        )

    def tell_another(self, text: str, now: int) -> bool:
        """Whether updates tell of as many people, or of what became of some, what this does of others, or another day.

        In words two such deeds are one: a second strike in the south of a town is news beside the first in its north.
        """
        if not self._claims or not self._reads:
            return False
        own = self._reader.content(text, now)
        like = [
            one
            for _, one in self._claims
            if shares_subject(one, own)
            and (own.figures <= one.figures if own.figures else not own.states.isdisjoint(one.states))
        ]
        return bool(like) and all(own.is_apart(one) or own.is_of_other_day(one) for one in like)

    def _has_told_of_office(self, own: Content) -> bool:
        """Whether an update has told that this office was taken or lost: what else is said of that is known, or old."""
        turns, offices = _office_turns(own.main), _offices(own.text)
        if not (turns and offices):
            return False
        kept = _names(word for word in _WORD.findall(own.main) if word[0].isupper())
        return any(
            turns <= _office_turns(one.text)
            and offices <= _offices(one.text)
            and len(one.stems & own.stems) > len(offices)
            and (not kept or not kept.isdisjoint(_names(_WORD.findall(one.text))))
            and own.denies == one.denies
            for _, one in self._claims
        )

    @staticmethod
    def _are_held(stems: frozenset[str], claim: Content) -> bool:
        return 3 * len(stems & claim.stems) >= 2 * len(stems)

    def _who_counts(self, claim: Content) -> frozenset[str]:
        """What stands before the first of its numbers where they count no people: who won 54 seats."""
        first = next(
            (one.start for one in find_quantities(claim.main) if one.value in claim.large_numbers), 0
        )
        return frozenset() if claim.figures else self._reader.content(claim.main[:first]).stems - SAYING

    def _whom(self, claim: Content, end: re.Pattern[str]) -> frozenset[str]:
        """Of whom it says what became of them."""
        return self._reader.content(end.split(claim.main, maxsplit=1)[0]).stems - SAYING

    def state(self) -> list[tuple[int, bytes]]:
        """The claims, as plain values."""
        return [(time, one.text.encode("utf-8", "surrogatepass")) for time, one in self._claims]

    def restore(self, state: Sequence[tuple[int, bytes]]) -> None:
        """Become what gave `state`."""
        self._claims.clear()
        for time, text in state:
            self.add(text.decode("utf-8", "surrogatepass"), time)


def _names(words: Iterable[str]) -> set[str]:
    return {part for word in words for part in _POSSESSIVE.sub("", word).split("-")}


def _office_turns(text: str) -> frozenset[str]:
    return frozenset(turn for turn, words in _OFFICE_TURNS.items() if words.search(text))


def _offices(text: str) -> frozenset[str]:
    return frozenset("prime minister" if name == "pm" else name for name in _OFFICES.findall(text.lower()))
