"""Whether two names may be those of one entity: copies, surnames, acronyms, other names of a country."""

from __future__ import annotations

from functools import lru_cache

from tidings.analysis.names.gazetteers import gazetteers
from tidings.analysis.names.name_words import BODY_WORDS, TITLES, short_form

__all__ = ["bare_words", "gender_of", "keys_of", "same_entity"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SUFFIXES = _set("inc corp corporation co company ltd plc llc ag sa gmbh jr sr group")
_JOINING = _set("of the for and & in on at de la du del 's ’s")
_WIDE = _set(
    "north south east west northern southern eastern western central new upper lower great greater city state united "
    "national international federal royal university department ministry bank church court house council party street "
    "river lake mount county province district saint san santa st"
)
"""First words of names that alone say nothing of whose name it is."""
_ALIASES = (
    "united states|united states of america|us|u.s|usa|u.s.a|america|u . s",
    "united kingdom|uk|u.k|britain|great britain",
    "united nations|un|u.n",
    "european union|eu|e.u",
    "united arab emirates|uae|u.a.e",
    "soviet union|ussr|u.s.s.r",
    "burma|myanmar",
    "czech republic|czechia",
    "netherlands|the netherlands|holland",
    "washington|washington d.c|washington dc|d.c|dc",
    "new york|new york city|nyc",
    "los angeles|la|l.a",
    "taliban|taleban",
    "al-qaeda|al-qaida|al qaeda|al qaida|qaeda",
    "hezbollah|hizbollah|hizbullah",
    "ivory coast|cote d'ivoire",
    "north korea|dprk",
    "democratic republic of the congo|drc|dr congo",
)


@lru_cache(maxsize=1)
def _canonical() -> dict[str, str]:
    return {alias: line.split("|")[0] for line in _ALIASES for alias in line.split("|")}


@lru_cache(maxsize=1 << 15)
def bare_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, without article, title, hash sign, and what companies and juniors add.

    >>> bare_words("the #Apple Inc."), bare_words("Mr. Obama"), bare_words("U.S."), bare_words("Interior Ministry")
    (('apple',), ('obama',), ('united', 'states'), ('interior', 'ministry'))
    """
    words = [word.lower().strip('#@"“”').rstrip(".,") for word in name.split()]
    words = [word for word in words if word and word not in ("'s", "’s")]
    titles = (
        TITLES if words and words[-1] not in BODY_WORDS else frozenset()
    )  # the Foreign Ministry is no Ministry
    while len(words) > 1 and (words[0] in ("the", "a", "an") or short_form(words[0]) in titles):
        words.pop(0)
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    joined = _canonical().get(" ".join(words)) if name != _LOUISIANA else None
    return tuple(joined.split()) if joined else tuple(words)


_LOUISIANA = "La"
"""As papers write it; Los Angeles has two capitals."""


def gender_of(name: str, title: str = "") -> str:
    """`m` or `f` as a title or the given name says, "" where neither does.

    >>> gender_of("Mary Smith"), gender_of("Smith", "Mr."), gender_of("Smith")
    ('f', 'm', '')
    """
    said = _TITLE_GENDERS.get(short_form(title), "")
    words = name.split()
    return said or (gazetteers().genders.get(words[0].lower(), "") if len(words) > 1 or said else "")


_TITLE_GENDERS = {
    **dict.fromkeys(("mr", "sir", "lord", "king", "prince", "duke", "pope", "baron", "count", "father"), "m"),
    **dict.fromkeys(
        ("mrs", "ms", "miss", "lady", "dame", "queen", "princess", "duchess", "madame", "sister"), "f"
    ),
}


def same_entity(longer: tuple[str, ...], shorter: tuple[str, ...], kind: str) -> bool:
    """Whether the shorter of two names of a type, as bare words, may stand for the longer one.

    >>> same_entity(("barack", "obama"), ("obama",), "PER"), same_entity(("barack", "obama"), ("barack",), "PER")
    (True, True)
    >>> same_entity(("world", "health", "organization"), ("who",), "ORG")
    True
    >>> same_entity(("north", "korea"), ("korea",), "LOC"), same_entity(("san", "juan"), ("san",), "LOC")
    (False, False)
    """
    if longer == shorter:
        return True
    if kind == "PER":
        return _same_person(longer, shorter)
    if len(shorter) == 1 and len(longer) > 1 and len(shorter[0]) > 1 and _acronym(longer, shorter[0]):
        return True
    if len(shorter) >= len(longer):
        return False
    if shorter[0] in _WIDE and not (kind == "ORG" and longer[-1] == shorter[-1]):
        return False
    if kind == "ORG":
        if longer[-len(shorter) :] == shorter and not _JOINING.intersection(longer):
            return True  # "the Senate" after "U.S. Senate"
        return longer[: len(shorter)] == shorter and not _JOINING.intersection(longer)
    if longer[0] != shorter[0] or len(shorter) != len(longer) - 1 or longer[-1] not in _PLACE_ENDS:
        return False
    marks = gazetteers().words.get(" ".join(shorter), ())
    return longer[-1] in _OF_THE_SAME or (
        "country" not in marks and ("city" in marks or "place" not in marks)
    )


_OF_THE_SAME = _set("province district island islands region town")
_PLACE_ENDS = _OF_THE_SAME | _set("city county state")
"""What may be left out of a place's name; Mexico City is not Mexico."""


def _same_person(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    if len(shorter) == 1:
        return len(longer) > 1 and shorter[0] in (longer[-1], longer[0]) and len(shorter[0]) > 1
    if longer[-1] != shorter[-1]:
        # "al-Assad" beside "Assad", "Gaddafi" beside "el Gaddafi"
        return longer[0] == shorter[0] and longer[-1].removeprefix("al-") == shorter[-1].removeprefix("al-")
    first, other = longer[0], shorter[0]
    return first == other or (min(len(first), len(other)) <= 2 and first[0] == other[0])


def _acronym(words: tuple[str, ...], short: str) -> bool:
    letters = short.replace(".", "")
    if len(letters) == 2:
        return len(words) == 2 and letters == words[0][0] + words[1][0]
    return len(letters) > 2 and letters in _initials(words)


def _initials(words: tuple[str, ...]) -> tuple[str, str]:
    return "".join(word[0] for word in words), "".join(word[0] for word in words if word not in _JOINING)


@lru_cache(maxsize=1 << 15)
def keys_of(words: tuple[str, ...]) -> frozenset[str]:
    """What two names that `same_entity` allows to be one have in common: a first or last word, or initials.

    >>> set(keys_of(("world", "bank")) & keys_of(("wb",)))
    {'wb'}
    """
    ends = {words[0], words[-1], words[0].removeprefix("al-"), words[-1].removeprefix("al-")}
    return frozenset(ends | ({words[0].replace(".", "")} if len(words) == 1 else set(_initials(words))))
