"""What a sentence claims beyond its words: whom it counts, its numbers, whether it denies or plans, who died, when.

It is one evidence for what says an update again (`support`) and for what is news although its words were told
(`changed_numbers`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache

from tidings.analysis import Mention, TimeReader, find_casualties, find_endings, find_quantities
from tidings.core import DAY_S, tokens
from tidings.following.digests.story import looks_ahead, named_days
from tidings.following.systems.particulars import (
    Part,
    are_elsewhere,
    are_namesakes,
    are_reversed,
    are_unlike,
    deny_apart,
    find_charge,
    find_hours,
    find_offices,
    find_parts,
    find_people,
    find_shares,
    find_stages,
    find_terms,
    is_apart,
    share_person,
)

__all__ = ["LONGEST_TEXT", "MARGIN_S", "Claim", "Content", "Told", "in_digits", "named_day"]

LONGEST_TEXT = 1_000
"""Characters of a sentence that are read."""

MARGIN_S = 6 * 3600
"""Seconds before a day (UTC) by which a sentence may speak of it: it is the next day elsewhere."""

_LATEST, _EPOCH = 253_402_214_400, 719_163
_SAID_ON = re.compile(
    r"\bOn \w+day,? (?:\w+ ){0,3}?(?:said|says|announced|told|reported|confirmed)\b"
    r"|\b(?:said|says|announced|told|reported|confirmed)(?: \w+){0,2}?(?: on| late| early){0,2} \w+day\b"
    r"|\b(?:since|until|till|before|after|from|by) (?:\w+day\b|\d{1,2} [A-Z]\w+|[A-Z]\w+ \d{1,2}\b)"
)
"""The day on which someone said so, or since which something is: of what happened it tells nothing."""
_STANDING = re.compile(r"\b(?:toll|so far|total|stands|stood|ha[sv]e|had)\b", re.IGNORECASE)
"""What tells how things stand on a day, and not what happened on it."""
_ANOTHER = re.compile(r"\b(?:another|(?:a )?further|an additional)(?: [a-z]+)? $", re.IGNORECASE)
_MORE = re.compile(r" (?:[a-z]+ )?more\b(?! than\b)", re.IGNORECASE)
"""What says, before a number and behind it, that it is added to another."""

_DENIALS = (
    "not no never nobody none deny denies denied denying false untrue wrong hoax without "
    "reject rejects rejected rejecting refuse refuses refused refusing"
)
_NO_DENIAL = re.compile(
    r"\bwithout (?:incident|warning|notice|delay|power|water|electricity|shelter|food|homes?)\b"
)
_TAKEN_BACK = re.compile(
    r"\b(?:withdr(?:ew|aws?)|retract(?:s|ed)?|t(?:ook|akes?) back) (?:the|that|this|his|her|its|their|an?)"
    r" (?:\w+ ){0,2}?(?:figure|number|toll|count|claim|statement|report)s?\b",
    re.IGNORECASE,
)
_SMALL = 12
"""Up to which two sentences may share a number by chance, and papers write it as a word."""
_BESIDE_WORDS = re.compile(
    r"\b(?:in which|where|when|whose|with the loss of|which|who|that|counts of)\b", re.IGNORECASE
)
_BESIDE = re.compile(rf"(?:{_BESIDE_WORDS.pattern})[^.;]*$", re.IGNORECASE)
"""What stands before a number that is not what its sentence tells."""
_SAYING = r"(?:said|says|say|told|announced|announces|reported|confirmed|confirms)\b"
_SAID = re.compile(
    rf", (?:(?i:according to|[^,]{{2,100}}? {_SAYING})[^,]*|(?:said|says) (?:the |an? )?[A-Z][^;\"“]{{2,160}})$"
)
"""Who says so, behind what is said."""
_JOINS = (
    r"(?:and|but|or|as|after|before|when|while|until|since|because|if|though|who|which|whose|where|that)\b"
)
_SAYS = re.compile(
    rf"^(?:(?!{_JOINS})[^\W\d](?:[\w'’-]*|(?:\.[^\W\d])+\.?) ){{1,8}}?{_SAYING}(?: on)?(?: \w+day)? "
    r"that (?!(?:day|night|week|month|year|time|morning|afternoon|evening)\b)",
    re.IGNORECASE,
)
"""Who says so, before what is said: few words, no number, and none by which a clause before it would be joined."""
_SPEAKS = re.compile(
    r"^(?P<who>[^,;:\"“]{3,160}?|[^,;:\"“]{3,60}, [^,;:\"“]{3,100},) (?:says|said)(?: on)?(?: \w+day)?"
    r"(?: that)? (?=(?:(?:s?he|it|they|its|his|her|their|the|an?|there|no|some|all|at least|up to)\b|\d|[A-Z]))"
)
_ANOTHER_CLAUSE = re.compile(
    r"\b(?:and|but|or|as|after|before|when|while|until|since|because|if|though|has|have|will)\b"
)
"""Who says so, however he is described, before what is said without `that`; and what no such words hold."""
_FIRST_OF_ALL = re.compile(
    r"^(?:(?:But|And|Meanwhile),? )?(?:After|With|Following|Despite|As|While|When|Amid|Since|Although|Though"
    r"|Because|If)\b[^,;]{5,150}, (?=\w)",
    re.IGNORECASE,
)
"""What a sentence tells before the point: `With 20 feared dead, `."""
_UNDER = re.compile(
    r"(?<=\w) (?:after|because|(?<!determine )(?<!establish )(?<!see )(?<!out )if|when|unless|while|where|although"
    r"|though)\b(?:(?! that\b)[^,.;])*"
    r"|, (?:but (?:that|this|there)|saying|adding)\b[^.;]*",
    re.IGNORECASE,
)
"""Clauses in which is told what is not the point."""
_AND_THAT = re.compile(r"\b(?:and|but) that\b", re.IGNORECASE)
"""Behind what someone says first, something else that he says."""
_YEARS = range(1900, 2101)
_STATES = {
    word: words.split()[0]
    for words in (
        "died die dies dead killed kills kill killing death deaths fatal fatalities lives toll",
        "injured injuries hurt wounded wounds injuring wounding",
        "arrested arrest arrests detained custody",
        "charged charges charge charging indicted counts",
        "freed released released releases frees",
        "resigned resigns resignation quits quit",
        "rescued alive saved survived survives survivors survivor",
        "resumed resumes resume resuming restarted restarts reopened reopens",
    )
    for word in words.split()
}
"""What became of people, by the words that tell it; each by the first of its kind."""
_KINDS_OF_STATES = tuple(_STATES.items())
_ACTS = frozenset(["arrested", "resigned"])
"""Of these, what a sentence that repeats them names."""
_CHARGES = re.compile(r"\b(?:charg|accus|indict|arraign)\w+", re.IGNORECASE)
_ACCUSED = re.compile(r"\b(?:is|are|was|were|stands?) accused of\b|\baccused (?!of\b)")
_CASES = re.compile(r" (?:[a-z-]{1,20} ){0,3}?(?:cases|infections)\b", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|which|whose|where)\b[^,.;]*", re.IGNORECASE)
"""What is said of someone beside the point."""
_ASIDES = re.compile(
    rf"\b(?=[whdmy])(?:{_WHO.pattern}|(?:hours?|days?|weeks?|months?|years?) after\b[^,.;]*)", re.IGNORECASE
)
"""What is said beside the point: of someone, or of long before."""
_NO_COUNTS = frozenset([1.0, *map(float, _YEARS)])
_DURATION = re.compile(r"[ -](?:years?|decades?|months?|weeks?|hours?|minutes?)\b", re.IGNORECASE)
_SHARE = re.compile(r"(?<![\w.,])(\d{1,3}(?:\.\d{1,6})?) ?(?:%|per ?cent\b)")
_AHEAD = re.compile(
    r"\bwill\b|^[^,;]{2,80}\b(?:said|says|announced|promised)(?: on)?(?: \w+day)?(?: that)? "
    r"(?:[\w'-]{1,20} ){1,3}would\b"
    r"|(?<!\btoll )(?<!\bdead )(?<!\bdeaths )(?<!\bnumber )\b(?:could|might)\b(?! (?:not )?have\b)"
    r"|\b(?:is|are|was|were) (?:widely )?(?:expected|likely|due|scheduled) to\b|\bplan(?:s|ned|ning)? to\b"
    r"|\bon the eve of\b"
    r"|\bmay (?:become|mean)\b|\bcan (?:begin|start)\b|\bto (?:determine|establish|find out|see) (?:if|whether)\b"
)
"""What will, could or is to be, but that a toll could rise."""
_NOT = frozenset(_DENIALS.split())
_FEARED = re.compile(r"\b(?:feared|believed|presumed|may|might|could)\b", re.IGNORECASE)
_FEARS_CHARS = 40
_FINDINGS = (find_parts, find_charge, find_terms, find_offices, find_stages, find_hours)
"""What two sentences that tell of one thing do not tell otherwise."""
_MAY_HAVE = re.compile(
    r"\b(?:(?:feared|believed|thought) to have|(?:may|might|could) have|fears?(?: that)?) (?:been )?$",
    re.IGNORECASE,
)
"""What says, in the count and before it, that so many are feared dead."""


class Claim:
    """What a sentence claims; each part is read when it is asked for first.

    Args:
        text: the sentence.
        language: its code; "" for English.
        skips_asides: whether `the navy said that`, `whose port will close` and `days after 12 died` are left out. This
            is for who says something again; what would be kept from being told is read whole.
        published: when, in seconds UTC; by it a weekday is a day (None: days tell nothing apart).
    """

    def __init__(
        self, text: str, language: str = "", skips_asides: bool = False, published: int | None = None
    ) -> None:
        self.text, self._skips_asides, self.published = text, skips_asides, published
        self._is_english = language in ("", "en")

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers that it gives, shares in percent too, but for years, lengths of time and a mere `one`."""
        text = self.text[:LONGEST_TEXT]
        shares = (float(match[1]) for match in _SHARE.finditer(text))
        return frozenset(
            number.value
            for number in find_quantities(text)
            if not number.vague
            and (number.value not in _NO_COUNTS or "," in text[number.start : number.end])
            and _DURATION.match(text, number.end) is None
        ).union(shares)

    @cached_property
    def figures(self) -> frozenset[tuple[str, float]]:
        """Whom it counts, and how many."""
        counted = find_casualties(self.text[:LONGEST_TEXT])
        tolls = {mention.attribute: mention.value for mention in counted if mention.toll}
        # "The toll rose to seven after three bodies were found": seven.
        return frozenset(
            (
                f"more {mention.attribute}" if self._is_added(counted, place) else mention.attribute,
                mention.value,
            )
            for place, mention in enumerate(counted)
            if mention.value >= tolls.get(mention.attribute, 0.0)
        )

    def _is_added(self, counted: list[Mention], place: int) -> bool:
        """Whether a number adds to one of before (seven more died), and not to another kind (12 died, 30 more hurt)."""
        number = counted[place].quantity
        if any(one.attribute != counted[place].attribute for one in counted[:place]):
            return False
        return bool(_ANOTHER.search(self.text, 0, number.start) or _MORE.match(self.text, number.end))

    @cached_property
    def fears(self) -> bool:
        """Whether whom it counts is feared, and not known: `20 feared dead`, `may have killed 20`."""
        text = self.text[:LONGEST_TEXT]
        return any(
            _FEARED.search(text, mention.start, mention.end)
            or _MAY_HAVE.search(text[max(0, mention.start - _FEARS_CHARS) : mention.start])
            for mention in find_casualties(text)
        )

    @cached_property
    def tells_figures(self) -> bool:
        """Whether it counts people, and not beside the point (`an inquiry into the crash in which 77 died`)."""
        text = self._said if self.figures else ""
        first = min((mention.start for mention in find_casualties(text)), default=0)
        speaker = _SAYS.match(text) if _AND_THAT.search(text) is None else None
        begun = speaker.end() if speaker is not None else 0
        is_beside = _BESIDE.search(text[begun:first]) is not None or self._begins_beside(text)
        return bool(self.figures) and not is_beside

    @cached_property
    def main(self) -> str:
        """What it tells, without figures that are told beside the point and without who says so."""
        text = self._said
        if self.tells_beside:
            if self._begins_beside(text):
                return _FIRST_OF_ALL.sub("", text)
            first = min(mention.start for mention in find_casualties(text))
            return text[: max((match.start() for match in _BESIDE_WORDS.finditer(text[:first])), default=0)]
        said = _SAID.search(text)
        return text[: said.start()] if said is not None else text

    def _begins_beside(self, text: str) -> bool:
        """Whether it counts people before the point alone: `With 20 feared dead, charities appealed for aid.`"""
        before = _FIRST_OF_ALL.match(text) if self._skips_asides else None
        return before is not None and all(one.start < before.end() for one in find_casualties(text))

    @cached_property
    def aside(self) -> str:
        """Who says so; "" where that is not left out."""
        text = self.text[:LONGEST_TEXT] if self._skips_asides else ""
        said = _SAID.search(text)
        if said is not None:
            return said.group()
        speaker = self._says or _SPEAKS.match(text)
        if speaker is None or _ANOTHER_CLAUSE.search(speaker.group()):
            return ""
        return speaker.group()

    @cached_property
    def _says(self) -> re.Match[str] | None:
        """Who says so, where that stands first and is left out."""
        return _SAYS.match(self.text[:LONGEST_TEXT]) if self._skips_asides else None

    @cached_property
    def _said(self) -> str:
        text = self.text[:LONGEST_TEXT]
        return text[self._says.end() :] if self._says is not None else text

    @cached_property
    def first(self) -> str:
        """What it tells to the point: `main` without what stands before it, or who says so, however he is described."""
        text = self.main
        if not self._skips_asides or self.tells_beside:
            return text
        before = _FIRST_OF_ALL.match(text)
        if before is not None:
            text = text[before.end() :]
        speaker = _SPEAKS.match(text)
        if speaker is not None and _ANOTHER_CLAUSE.search(speaker["who"]) is None:
            text = text[speaker.end() :]
        return text

    @property
    def tells_beside(self) -> bool:
        """Whether it counts people beside the point alone."""
        return bool(self.figures) and not self.tells_figures

    @cached_property
    def large_numbers(self) -> frozenset[float]:
        """Those of its numbers that two sentences hardly share by chance."""
        return frozenset(number for number in self.numbers if number > _SMALL)

    @cached_property
    def denies(self) -> bool:
        """Whether it holds a word that denies; "78 died, not 80" corrects."""
        return self._denies_in(self.text)

    def _denies_in(self, text: str) -> bool:
        words = _spelled_out(text)
        if _TAKEN_BACK.search(words):
            return True
        if self._corrects:
            words = words.replace(", not ", " ")
        for short in ("ruled out", "rules out", "rule out"):
            words = words.replace(short, " not")
        return not _NOT.isdisjoint(_NO_DENIAL.sub(" ", words).split())

    def _denies_as(self, other: Claim) -> bool:
        """Whether both deny, or neither: in all that they say, or to the point."""
        if self.denies == other.denies:
            return True
        mine, theirs = (_UNDER.sub(" ", one.text[:LONGEST_TEXT]) for one in (self, other))
        return self._skips_asides and self._denies_in(mine) == other._denies_in(theirs)

    def _plans_as(self, other: Claim) -> bool:
        """Whether both speak of what is to come, or neither: in all that they say, or to the point."""
        if self.plans == other.plans:
            return True
        mine, theirs = (_UNDER.sub(" ", _ASIDES.sub(" ", one.text[:LONGEST_TEXT])) for one in (self, other))
        return self._skips_asides and _looks_on(mine) == _looks_on(theirs)

    @cached_property
    def _corrects(self) -> bool:
        """Whether it gives a number instead of another: `78, not 80`."""
        words = self.text[:LONGEST_TEXT]
        return ", not " in words and any(
            words[: number.start].endswith(", not ") for number in find_quantities(words)
        )

    @cached_property
    def states(self) -> frozenset[str]:
        """Of what it tells what became of people: that some died, were hurt, arrested, charged, freed.

        The words of it are English: the German article `die` kills nobody.
        """
        asides = _ASIDES if self._skips_asides else _WHO
        return self._states_in(asides.sub(" ", self.text[:LONGEST_TEXT]))

    @cached_property
    def acts(self) -> frozenset[str]:
        """Of what it tells to the point, what a sentence that repeats it names: an arrest, a charge, a resignation."""
        text = _UNDER.sub(" ", self.first)
        charge = {"charge"} if _ACCUSED.search(text) else find_stages(text) & {"charge"}
        return (self._states_in(text) & _ACTS) | charge

    def is_named_in(self, other: Claim) -> bool:
        """Whether `other` names one of its `acts`, where it has any."""
        told = self._states_in(other.text[:LONGEST_TEXT])
        named = told | {"charge", "arrested"} if _CHARGES.search(other.text) else told
        return not self.acts or not self.acts.isdisjoint(named)

    def _states_in(self, text: str) -> frozenset[str]:
        return frozenset(_STATES[word] for word in tokens(text) if word in _STATES and self._is_english)

    @cached_property
    def ends(self) -> frozenset[float | None]:
        """How many missing people it says were found; None: all."""
        endings = find_endings(self.text)
        return frozenset(ending.of if ending.count is None else ending.count for ending in endings)

    def differs(self, other: Claim, leaves_out: bool = False) -> str:
        """Why `other` does not claim what this claims: `number`, `polarity`; "" where it may.

        It counts the people whom this counts, and half of its large numbers; not both have numbers that the other
        lacks, nor are they of two days, or apart otherwise (`is_apart`). Both or none deny, plan, or say of as many
        missing people that they were found; and who died, was hurt, arrested, charged or freed by this one was so by
        the other, which may leave that out where `leaves_out` says so.
        """
        large, others = self.large_numbers, other.numbers
        if not (
            self.figures <= other.figures
            and 2 * len(large & others) >= len(large)
            and (self.numbers <= others or others <= self.numbers)
        ):
            return "number"
        if leaves_out and (self._is_vaguely_other(other) or (self.figures and self.fears != other.fears)):
            return "number"
        if self.is_apart(other) or (self.day is not None and other.day is not None and self.day != other.day):
            return "number"
        if self._corrects and not self.numbers <= other.numbers:
            return "number"
        ends, theirs = self.ends, other.ends
        states, told = self.states, other._states_in(other.text[:LONGEST_TEXT])
        # "Found alive" ends what "two are missing" began, though it need not name them missing.
        finds = bool(ends) == bool(theirs) or (leaves_out and not states.isdisjoint(told))
        if not (self._denies_as(other) and self._plans_as(other) and finds):
            return "polarity"
        if self._is_english and other._is_english and are_unlike(self.main, other.main):
            return "polarity"
        if ends and theirs and ends.isdisjoint(theirs):
            return "number"
        if leaves_out:
            return "polarity" if states and told and states.isdisjoint(told) else ""
        return "" if states <= told else "polarity"

    @cached_property
    def _counted_as(self) -> dict[float, set[str]]:
        """What it counts under each number, where it says so: deaths, cases."""
        found: dict[float, set[str]] = {}
        for kind, number in self.figures:
            found.setdefault(number, set()).add(kind.removeprefix("more "))
        text = self.text[:LONGEST_TEXT]
        for quantity in find_quantities(text):
            if _CASES.match(text, quantity.end):
                found.setdefault(quantity.value, set()).add("cases")
        return found

    def _counts_otherwise(self, other: Claim) -> bool:
        """Whether both give one number, of which they say otherwise what it counts: 80 cases, 80 deaths."""
        mine, theirs = self._counted_as, other._counted_as
        return any(mine[one].isdisjoint(theirs[one]) for one in mine.keys() & theirs.keys() if one > 1)

    def _is_vaguely_other(self, other: Claim) -> bool:
        """Whether one speaks of thousands and the other of tens of thousands."""
        mine, theirs = (
            [number for number in find_quantities(one.main) if number.vague] for one in (self, other)
        )
        return (
            bool(mine)
            and bool(theirs)
            and all(one.high < another.low or another.high < one.low for one in mine for another in theirs)
        )

    def is_apart(self, other: Claim) -> bool:
        """Whether they tell of other people, another place, another charge or another length of time."""
        if not (self._is_english and other._is_english):
            return False
        texts = self.text[:LONGEST_TEXT], other.text[:LONGEST_TEXT]
        mine, theirs = (find_people(text, _KINDS_OF_STATES) for text in texts)
        none = Part()
        if any(
            is_apart(one.suffered, another.suffered, texts)
            or (are_reversed(one, another) and not share_person(*texts))
            for one, another in ((mine[state], theirs.get(state, none)) for state in mine)
        ):
            return True
        main, others = self.main, other.main
        if self._counts_otherwise(other):
            return True
        shares, others_shares = find_shares(main), find_shares(others)
        if are_namesakes(*texts) or are_elsewhere(main, others) or deny_apart(main, others):
            return True
        return any(
            bool(one) and bool(another) and one.isdisjoint(another)
            for one, another in (
                *((find(main), find(others)) for find in _FINDINGS),
                *((shares[name], others_shares[name]) for name in shares.keys() & others_shares.keys()),
            )
        )

    @cached_property
    def day(self) -> int | None:
        """When the day begins on which happened what it tells; None where it names none, or tells how things stand."""
        if self.published is None or _STANDING.search(self.main) is not None:
            return None
        return named_day(_SAID_ON.sub(" ", self.main), self.published)

    def is_of_other_day(self, other: Claim) -> bool:
        """Whether `other` does not tell what this tells of a day: it names another, or was published before."""
        if self.day is None or other.published is None:
            return False
        return self.day != other.day if other.day is not None else self.day > other.published + MARGIN_S

    @cached_property
    def plans(self) -> bool:
        """Whether it speaks of what will or could be: a warning of a storm is no report of it."""
        text = self.text[:LONGEST_TEXT]
        return _looks_on(_ASIDES.sub(" ", text) if self._skips_asides else text)


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence tells: stems without who says so, those of words that it tells first, what became of people.

    `rarity` is the weight of what it tells first, `speakers` are the stems of who says so alone.
    """

    main: frozenset[str]
    first: frozenset[str]
    rarity: float
    outcome: frozenset[str]
    is_beside: bool
    speakers: frozenset[str]


class Content(Claim):
    """What of a sentence is compared: its claim and its stems; `own` are those that are not the query's."""

    def __init__(
        self,
        text: str,
        order: Iterable[str],
        query: frozenset[str],
        language: str = "",
        skips_asides: bool = False,
        published: int | None = None,
    ) -> None:
        super().__init__(text, language, skips_asides, published)
        self.order = tuple(order)
        self.stems = frozenset(self.order)
        self.own = self.stems - query
        self.told: Told | None = None

    @cached_property
    def counted(self) -> frozenset[tuple[str, float]]:
        """Its figures that two sentences hardly share by chance."""
        return frozenset(figure for figure in self.figures if figure[1] > 1)


@lru_cache(maxsize=2_048)
def named_day(text: str, published: int) -> int | None:
    """When the day begins that a sentence names, where it is one alone and none to come; else None (seconds UTC).

    >>> named_day("The captain was arrested on Friday.", 1374828960)  # 26 July 2013, 08:56
    1374796800
    >>> named_day("The captain was shot dead by the police on Friday.", 1374828960), named_day("It sank.", 1374828960)
    (1374796800, None)
    """
    day = datetime.fromtimestamp(min(max(published, 0), _LATEST), UTC).date()
    text = text[:LONGEST_TEXT]
    days = named_days(text, TimeReader(day).read(text), day.toordinal())
    if len(days) != 1 or days[0] > day.toordinal() or looks_ahead(text):
        return None
    return (days[0] - _EPOCH) * DAY_S


def in_digits(text: str) -> str:
    """A text with its larger numbers in digits: of two reports one has `two hundred` where the other has 200.

    >>> in_digits("Two hundred of twenty to thirty thousand left; oil is at 98.6 dollars.")
    '200 of twenty to thirty thousand left; oil is at 98.6 dollars.'
    """
    for number in reversed(find_quantities(text[:LONGEST_TEXT])):
        if _SMALL < number.low == number.high and number.value.is_integer():
            text = f"{text[: number.start]}{number.value:.0f}{text[number.end :]}"
    return text


def _looks_on(text: str) -> bool:
    return _AHEAD.search(_spelled_out(text)) is not None


def _spelled_out(text: str) -> str:
    return text[:LONGEST_TEXT].lower().replace("’", "'").replace("won't", "will not").replace("n't", " not")
