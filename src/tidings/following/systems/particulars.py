"""What tells one deed from another like it: who did it to whom, where, on which charge, for how long.

Two crew members killed are not two rescuers, policemen who shot two people were not shot, Ana Ruiz is not Luis Ruiz, an
arrest in Fez is none in Rabat, a strike in the north of a city is none in its south, and who was arrested for fraud is
arrested again for murder. What one of two sentences leaves unsaid tells nothing apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from tidings.analysis import BODY_WORDS, PLACE_WORDS, TIMES, TITLES, aliases, find_quantities, gazetteers
from tidings.core import data_beside, shared_analyzer, tokens
from tidings.following.entities.name_forms import full_forms

__all__ = [
    "CAPITALS", "Part", "are_elsewhere", "are_namesakes", "are_reversed", "are_unlike", "by_country", "deny_apart",
    "find_charge", "find_hours", "find_offices", "find_parts", "find_people", "find_shares", "find_stages",
    "find_terms", "is_apart", "share_person",
]  # fmt: skip

_TABLES = data_beside(__file__)
_KINDS: dict[str, frozenset[str]] = {}
for _table in ("roles", "sex", "both"):
    for _number, _line in enumerate(_TABLES[_table].strip().split("\n")):
        for _word in _line.split():
            for _form in (_word, f"{_word}s"):
                _KINDS[_form] = _KINDS.get(_form, frozenset()) | {f"{_table} {_number}"}
"""The lines on which each word for people stands, in the singular and in the plural."""
_DEEDS = {word: line.split()[0] for line in _TABLES["deeds"].strip().split("\n") for word in line.split()}

_BE, _COUNTS, _OF_THEMSELVES = (frozenset(_TABLES[name].split()) for name in ("be", "counts", "intransitive"))
_AROUND, _STOPS = _BE.union(_TABLES["around"].split()), frozenset(_TABLES["stops"].split())
_NOT_BEYOND, _BEGINS = (_COUNTS.union(_TABLES[name].split()) for name in ("sayings", "begins"))
_SPEAKS = frozenset(_TABLES["speaks"].split())
_BLOWS, _SOME_OF = (frozenset(_TABLES[name].split()) for name in ("blows", "some_of"))
_SIDES = [
    [frozenset(shared_analyzer().stems(side)) for side in line.split(":")]
    for line in _TABLES["opposites"].strip().split("\n")
]
_UNDONE = [
    [frozenset(shared_analyzer().stems(side)) for side in line.split(">")]
    for line in _TABLES["undone"].strip().split("\n")
]
_RIVALS = [[re.compile(side) for side in line] for line in _TABLES["rivals"]]
_OFFICE = re.compile(_TABLES["offices"].replace("\n", ""))
_AT = re.compile(_TABLES["clock"].replace("\n", ""), re.IGNORECASE)
_STAGES = {
    stage: re.compile(words.replace("\n", ""), re.IGNORECASE) for stage, words in _TABLES["stages"].items()
}
_ONE_COUNTRY = aliases() | {
    name.strip(): line.split(",")[0]
    for line in _TABLES["within"].strip().split("\n")
    for name in line.split(",")
}
"""Names of one country, or of what may lie in another."""
_REACH = 5
_DIRECTION = re.compile(
    r"(?<![\w-])(?=[nsew])(?<!km )(?<!miles )(?<!meters )(?<!metres )"
    r"(?:(?P<one>north|south)[- ]?)?(?P<other>north|south|east|west)"
    r"(?:ern(?:most)?|ward|wards|(?! (?:Korea|Sudan|Africa|China|Wales|Bank|Timor|Virginia|Carolina|Dakota)))(?![\w-])",
    re.IGNORECASE,
)
"""Neither how far south of a city, nor part of a name: South Korea."""
_CHARGE = re.compile(
    r"\b(?:on (?:\w+ ){0,2}?(?:suspicion|charges?|counts?|accusations?|allegations?) of|suspected of|accused of"
    r"|charged with|(?:arrested|detained|held) for)"
    r"(?P<what>(?: (?!(?:in|at|on|after|over|by|from)\b)[\w'’-]+){1,6})",
    re.IGNORECASE,
)
_DRUNK = re.compile(
    r"\b(?:D[UW]I|driving (?:(?:while )?under the influence|while (?:drunk|intoxicated))|dr(?:ink|unken)[- ]driving)\b",
    re.IGNORECASE,
)
_INTENDED = re.compile(
    r"\b(?:(?:is|are|was|were|be)(?: (?:expected|set|due|ready|likely|scheduled|poised|asked|urged|ordered))?"
    r"|(?:hop|urg|pledg)(?:es?|ed|ing)|(?:want|threat|threaten|offer|vow|intend)(?:s|ed|ing)?"
    r"|plan(?:s|ned|ning)?|(?:call(?:s|ed)? (?:on|for)|urge[sd]?|ask(?:s|ed)?(?: for)?)(?: [\w'’-]{1,30}){0,5}?)"
    r" to (?:be )?(?P<deed>[a-z]{2,30})",
    re.IGNORECASE,
)
"""What someone is to do, or is asked to: not done yet."""
_NUMBERED = re.compile(r"\W*(?:an?|the)? ?(?:second|third|fourth|fifth)\b", re.IGNORECASE)
_ONE_MORE = re.compile(r"\b(?:second|third|fourth|fifth|another|more|two|three|four|five)\b", re.IGNORECASE)
_TERM = re.compile(
    r"\b(?:sentence[sd]?|jail(?:s|ed)?|prison|imprison(?:ed|ment)|ban(?:s|ned)?|suspended)\b", re.IGNORECASE
)
_LENGTH = re.compile(r"[ -](?P<unit>year|month|week|day)s?\b", re.IGNORECASE)


class Part(Struct, frozen=True):
    """The words for the people who suffered what a word for a state tells, and for those who did it."""

    suffered: frozenset[str] = frozenset()
    did: frozenset[str] = frozenset()


@lru_cache(maxsize=2_048)
def find_people(text: str, states: tuple[tuple[str, str], ...]) -> Mapping[str, Part]:
    """Of each state in which people are, the words for those who are said to be in it, and who brought them there.

    Args:
        text: the sentence.
        states: the words for states, each with its state.

    >>> killed = (("killed", "died"),)
    >>> shot, = find_people("Protesters killed a policeman.", killed).values()
    >>> sorted(shot.suffered), sorted(shot.did)
    (['policeman'], ['protesters'])
    >>> again, = find_people("A protester was killed by policemen.", killed).values()
    >>> is_apart(shot.suffered, again.suffered), are_reversed(shot, again)
    (True, True)
    """
    words, states_of = tokens(text), dict(states)
    found: dict[str, Part] = {}
    for place, word in enumerate(words):
        state = states_of.get(word)
        if state is None:
            continue
        suffered, did = _people_at(words, place)
        if suffered or did:
            before = found.get(state, Part())
            found[state] = Part(before.suffered | suffered, before.did | did)
    return found


def _people_at(words: list[str], place: int) -> tuple[frozenset[str], frozenset[str]]:
    last, behind = place - 1, words[place + 1 : place + 1 + _REACH]
    while last >= 0 and words[last] in _AROUND:
        last -= 1
    is_blow = words[place] == "dead" and place > 0 and words[place - 1] in _BLOWS  # shot dead a policeman
    is_done_to = not _BE.isdisjoint(words[last + 1 : place]) or (
        words[place] in _OF_THEMSELVES and not is_blow
    )
    before = words[max(0, last + 1 - _REACH) : last + 1][::-1]
    if not is_done_to and behind and (behind[0] in _BEGINS or behind[0].isdigit() or behind[0] in _KINDS):
        counted = words[place + 3 :][:_REACH] if behind[0] == "at" else behind  # killed at least 13 rebels
        return _first_kind(counted, _STOPS), _first_kind(before[:1], _NOT_BEYOND)
    suffered = _first_kind(before, _NOT_BEYOND) if _SOME_OF.isdisjoint(before) else frozenset()
    by = behind.index("by") + place + 2 if "by" in behind else len(words)
    return suffered, _first_kind(words[by : by + _REACH], _STOPS)


def _first_kind(words: list[str], ends: frozenset[str]) -> frozenset[str]:
    for word in words:
        if word in _KINDS:
            return frozenset([word])
        if word in ends or (ends >= _NOT_BEYOND and word.isdigit()):
            break
    return frozenset()


def _kinds(people: Iterable[str], *tables: str) -> set[str]:
    return {kind for word in people for kind in _KINDS[word] if kind.split()[0] in tables}


def is_apart(one: frozenset[str], other: frozenset[str], texts: Iterable[str] = ()) -> bool:
    """Whether words for people cannot be said of the same ones: of one table both name some, and none is in common.

    Whom one text calls residents another calls passengers (the table `both`), unless one of `texts` names both.

    >>> residents, passengers = frozenset(["residents"]), frozenset(["passengers"])
    >>> [is_apart(residents, passengers, texts) for texts in ([], ["Two residents and six passengers died."])]
    [False, True]
    """
    for table in ("roles", "sex"):
        mine, theirs = _kinds(one, table), _kinds(other, table)
        if mine and theirs and mine.isdisjoint(theirs):
            are_told_apart = any(
                one & words and other & words for words in map(frozenset, map(tokens, texts))
            )
            if are_told_apart or _kinds(one, "both").isdisjoint(_kinds(other, "both")):
                return True
    return False


def are_reversed(one: Part, other: Part) -> bool:
    """Whether those who suffered it in one sentence did it in the other, and did not suffer it there."""
    return any(
        not _kinds(this.suffered, "roles").isdisjoint(_kinds(that.did, "roles"))
        and _kinds(this.suffered, "roles").isdisjoint(_kinds(that.suffered, "roles"))
        for this, that in ((one, other), (other, one))
    )


_NAME = r"[A-Z][\w'’-]{1,30}"
_DEED = rf"(?P<deed>(?i:{'|'.join(_DEEDS)}))"
_ACTIVE = re.compile(rf"\b(?P<did>{_NAME}) (?:has |have |had )?{_DEED} (?P<whom>{_NAME})")
_PASSIVE = re.compile(
    rf"\b(?P<whom>{_NAME}) (?:(?:was|were|is|are|(?:has|have|had) been) )?{_DEED} by (?P<did>{_NAME})"
)
_NAMES = re.compile(rf"\b{_NAME}(?: (?:{_NAME}|[A-Z]\.?(?= )))+")
_IN = re.compile(
    rf"\bin (?:the )?(?P<name>{_NAME}(?: {_NAME}){{0,3}})"
    rf"|^(?P<where>{_NAME}) (?:air ?port |hotel |school |market |car |suicide )?"
    r"(?:bomb\w*|blasts?|attacks?|crash|explosions?|fires?|flood\w*|quakes?|earthquakes?|riots?|shootings?|strikes?)\b"
)
_NO_TOWN = TIMES | BODY_WORDS | PLACE_WORDS | TITLES
_BACK = 60
_CONTAINS, _OTHERS = frozenset(["country", "place"]), frozenset(["org", "demonym"])


@lru_cache(maxsize=2_048)
def _deeds(text: str) -> frozenset[tuple[str, str, str]]:
    """Who did what to whom, by their names next to the word for it."""
    found = [*_PASSIVE.finditer(text)] or [*_ACTIVE.finditer(text)]
    return frozenset((_DEEDS[one["deed"].lower()], one["did"].lower(), one["whom"].lower()) for one in found)


@lru_cache(maxsize=2_048)
def _persons(text: str) -> Mapping[str, frozenset[str]]:
    """Of each surname that stands behind a given name, the given names before it, in lower case."""
    listed, found = gazetteers().words, dict[str, frozenset[str]]()
    for match in _NAMES.finditer(text):
        of_whom = re.split(r"['’]s? ", match.group().lower())[-1]  # France's Emmanuel Macron
        words = [re.sub(r"['’]s?$|\.$", "", word) for word in of_whom.split()]
        while words and words[0] in TITLES:
            del words[0]
        if 2 <= len(words) <= 4 and not {"first", "given"}.isdisjoint(listed.get(words[0], ())):
            found[words[-1]] = found.get(words[-1], frozenset()).union(words[:-1])
    return found


def are_namesakes(one: str, other: str) -> bool:
    """Whether two sentences tell of others: of two persons of one surname, or of a deed and its reverse.

    >>> are_namesakes("Ana Ruiz was arrested.", "Luis Ruiz was arrested.")
    True
    >>> are_namesakes("Mr Bill Ruiz was arrested.", "William Ruiz was arrested."), are_namesakes("Ana Ruiz", "Ruiz")
    (False, False)
    >>> are_namesakes("Fez beat Rabat.", "Rabat beat Fez."), are_namesakes("Fez beat Rabat.", "Rabat beaten by Fez.")
    (True, False)
    """
    mine, theirs = _deeds(one), _deeds(other)
    if any((deed, whom, did) in theirs for deed, did, whom in mine - theirs):
        return True
    persons, others = _persons(one), _persons(other)
    return any(
        not _may_be_one(persons[surname], others[surname]) for surname in persons.keys() & others.keys()
    )


def share_person(one: str, other: str) -> bool:
    """Whether two sentences give the full name of one person.

    >>> share_person("Ana Ruiz was arrested.", "The mayor, Ana Ruiz, fled."), share_person("Ana Ruiz", "Luis Ruiz")
    (True, False)
    """
    persons, others = _persons(one), _persons(other)
    return any(_may_be_one(persons[surname], others[surname]) for surname in persons.keys() & others.keys())


def _may_be_one(names: frozenset[str], others: frozenset[str]) -> bool:
    return any(
        name.startswith(other)
        or other.startswith(name)
        or full_forms().get(name, name) == full_forms().get(other, other)
        for name in names
        for other in others
    )


@lru_cache(maxsize=2_048)
def _towns(text: str) -> frozenset[tuple[str, bool, bool]]:
    """The towns in which a sentence says that something happened: known as one? known as a city like a province?"""
    listed, found = gazetteers(), set[tuple[str, bool, bool]]()
    for match in _IN.finditer(text):
        name = re.sub(r"['’]s?$", "", (match["name"] or match["where"]).lower())
        words = name.split()
        marks = set(listed.words.get(name, ())) if len(words) == 1 else set(listed.phrase_marks(words))
        marks = {mark.removeprefix("B-") for mark in marks}
        before = text[max(0, match.start() - _BACK) : match.start()].lower().split()[-3:]
        if not _SPEAKS.isdisjoint(before) or not _NO_TOWN.isdisjoint(words):
            continue
        is_town = not {"city", "town"}.isdisjoint(marks)
        if "city" in marks and "country" not in marks:
            found.add((name, True, "place" in marks))
        elif _CONTAINS.isdisjoint(marks) and (is_town or _OTHERS.isdisjoint(marks)):
            found.add((name, is_town, False))
    return frozenset(found)


def are_elsewhere(one: str, other: str) -> bool:
    """Whether two sentences tell of two towns or two countries, of which neither names the other's.

    A country may contain a town.

    >>> are_elsewhere("He was held in Fez.", "He was held in Rabat."), are_elsewhere("Held in Rabat", "Held in Morocco")
    (True, False)
    >>> are_elsewhere("12 died in Haiti.", "12 died in Cuba."), are_elsewhere("A strike in Yemen", "Yemenis in Kenya")
    (True, False)
    """
    here, there = _countries(one), _countries(other)
    if (
        here
        and there
        and all(
            name not in _with_countries(text)
            for names, text in ((here, other), (there, one))
            for name in names
        )
    ):
        return True
    mine, theirs = _towns(one), _towns(other)
    return (
        any(is_known for _, is_known, _ in mine | theirs)
        and all(name not in other.lower() for name, *_ in mine)
        and all(name not in one.lower() for name, *_ in theirs)
        and bool(mine) and bool(theirs)
        # A province of that name may hold a town that is less known.
        and (all(known for _, known, _ in mine | theirs) or not any(place for *_, place in mine | theirs))
    )  # fmt: skip


@lru_cache(maxsize=2_048)
def _countries(text: str) -> frozenset[str]:
    """The countries in which a sentence says that something happened."""
    listed, found = gazetteers(), set[str]()
    for match in _IN.finditer(text):
        words = re.sub(r"['’]s?$", "", (match["name"] or match["where"]).lower()).split()
        marks = listed.words.get(words[0], ()) if len(words) == 1 else listed.phrase_marks(words)
        if any(mark.removeprefix("B-") == "country" for mark in marks):
            name = " ".join(words)
            found.add(_ONE_COUNTRY.get(name, name))
    return frozenset(found)


@lru_cache(maxsize=2_048)
def _with_countries(text: str) -> str:
    """A text in lower case, and behind it the countries whose people or other names it holds."""
    low, demonyms = text.lower(), gazetteers().demonyms
    named = {demonyms[word] for word in tokens(text) if word in demonyms}
    named.update(one for name, one in _ONE_COUNTRY.items() if re.search(rf"\b{re.escape(name)}\b", low))
    return " ".join(
        (low, *sorted(named), *sorted(_ONE_COUNTRY[name] for name in named & _ONE_COUNTRY.keys()))
    )


@lru_cache(maxsize=2_048)
def _deeds_to_do(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of what someone is to do and has not done, and of what was done."""
    stems_of = shared_analyzer().stems
    rest = " ".join(word for word in tokens(_INTENDED.sub(" ", text)) if word.endswith("ed"))
    done = frozenset(stems_of(rest))
    return frozenset(stems_of(" ".join(match["deed"] for match in _INTENDED.finditer(text)))) - done, done


@lru_cache(maxsize=2_048)
def _sides(text: str) -> tuple[frozenset[int], ...]:
    """Of each line of `opposites` and `rivals` the sides that a text names, and behind them other such sets."""
    stems = frozenset(shared_analyzer().stems(text))
    sides = [
        frozenset(number for number, side in enumerate(line) if not side.isdisjoint(stems)) for line in _SIDES
    ]
    return (
        *sides,
        *(
            frozenset([1])
            if not after.isdisjoint(stems)
            else frozenset([0] if not before.isdisjoint(stems) else ())
            for before, after in _UNDONE
        ),
        *(frozenset(number for number, side in enumerate(line) if side.search(text)) for line in _RIVALS),
    )


@lru_cache(maxsize=2_048)
def find_offices(text: str) -> frozenset[str]:
    """The portfolios of the ministers that a sentence speaks of, but not of those who say so.

    >>> sorted(find_offices("The interior minister, and the minister of justice, resigned, the defense ministry said."))
    ['interior', 'justice']
    """
    return frozenset(
        (match["before"] or match["behind"]).lower().replace("defence", "defense")
        for match in _OFFICE.finditer(text)
    )


@lru_cache(maxsize=2_048)
def find_stages(text: str) -> frozenset[str]:
    """The stages of a case in court that a sentence tells: `charge`, `plea`, `verdict`, `term`.

    >>> find_stages("She was found guilty on two charges."), find_stages("He pleaded not guilty.")
    (frozenset({'verdict'}), frozenset({'plea'}))
    """
    return frozenset(stage for stage, words in _STAGES.items() if words.search(text))


@lru_cache(maxsize=2_048)
def _deniers(text: str) -> frozenset[str]:
    match = _DENIER.match(text)
    return frozenset(shared_analyzer().stems(match["who"])) if match is not None else frozenset()


def by_country(text: str) -> str:
    """A text with a country in place of its capital, where that stands for what its government does.

    >>> by_country("Seoul denied that talks in Seoul had failed.")
    'South Korea denied that talks in Seoul had failed.'
    """
    return _GOVERNMENT.sub(lambda match: CAPITALS[match.group()], text)


def deny_apart(one: str, other: str) -> bool:
    """Whether two sentences tell of denials by others, of whom neither names the other's.

    >>> deny_apart("The owner denied the claims.", "The captain has rejected the claims.")
    True
    >>> deny_apart("The owner, Ana Ruiz, denied the claims.", "Ms Ruiz denied the claims.")
    False
    """
    mine, theirs = _deniers(one), _deniers(other)
    stems_of = shared_analyzer().stems
    return (
        bool(mine) and bool(theirs) and mine.isdisjoint(stems_of(other)) and theirs.isdisjoint(stems_of(one))
    )  # fmt: skip


@lru_cache(maxsize=2_048)
def find_hours(text: str) -> frozenset[str]:
    """As of when a turnout is told: `noon`, `6pm`, `close`.

    >>> find_hours("Turnout stood at 40 per cent by noon."), find_hours("They met at noon.")
    (frozenset({'noon'}), frozenset())
    """
    if "urnout" not in text:
        return frozenset()
    return frozenset(
        re.sub(r"[ .]", "", (match["hour"] or "close").lower().replace("closing", "close"))
        for match in _AT.finditer(text)
    )


def are_unlike(one: str, other: str) -> bool:
    """Whether two sentences tell of opposites, or one of a second of what the other tells of one.

    Or one tells of what is to be done and the other that it was (`-ed`).

    >>> are_unlike("The airline is to resume flights.", "The airline resumed flights.")
    True
    >>> are_unlike("A second train derailed.", "A train derailed."), are_unlike("A second man died.", "One more died.")
    (True, False)
    >>> are_unlike("Flights were canceled.", "Flights resumed."), are_unlike("It flew.", "It is to fly.")
    (True, False)
    """
    numbered = _NUMBERED.match(one), _NUMBERED.match(other)
    if sum(map(bool, numbered)) == 1 and not (
        _ONE_MORE.search(other) if numbered[0] else _ONE_MORE.search(one)
    ):
        return True
    (to_do, done), (theirs_to_do, theirs) = _deeds_to_do(one), _deeds_to_do(other)
    if bool(to_do) != bool(theirs_to_do) and (to_do & theirs or theirs_to_do & done):
        return True
    return any(
        bool(mine) and bool(its) and mine.isdisjoint(its)
        for mine, its in zip(_sides(one), _sides(other), strict=True)
    )


@lru_cache(maxsize=2_048)
def find_parts(text: str) -> frozenset[str]:
    """The directions that a sentence gives: `north`, `south`, `east`, `west`.

    >>> sorted(find_parts("A strike in north-western Khartoum")), find_parts("Northgate is closed")
    (['north', 'west'], frozenset())
    """
    return frozenset(part.lower() for match in _DIRECTION.finditer(text) for part in match.groups() if part)


CAPITALS: dict[str, str] = _TABLES["capitals"]
_ACTS_OF_STATE = (
    r"(?:(?:has|had)(?! (?:been|become|had|seen)\b)|(?:will|would)(?! (?:be|have|host|see)\b)"
    r"|said|says|reject(?:s|ed)|den(?:ies|ied)|agree[sd]|condemn(?:s|ed)|accuse[sd]|warn(?:s|ed)"
    r"|confirm(?:s|ed)|announce[sd]|summon(?:s|ed)|expel(?:s|led)|vow(?:s|ed)|insist(?:s|ed)|urge[sd]"
    r"|call(?:s|ed) (?:on|for))\b"
)
_GOVERNMENT = re.compile(
    rf"(?<![\w-])(?=[A-Z])(?<!in )(?<!at )(?<!to )(?<!of )(?<!on )(?<!near )(?<!from )(?:{'|'.join(CAPITALS)})"
    rf"(?= (?:and [A-Z]\w+ )?{_ACTS_OF_STATE}(?! (?:{'|'.join(CAPITALS)})))"
)
"""Not "Kyiv accused Moscow": who did it to whom is told apart by the names that stand there."""
_DENIER = re.compile(
    r"^(?P<who>[^;:\"“]{3,80}?),? (?:has |have |had )?"
    r"(?:den(?:ied|ies|y)|reject(?:s|ed)?|rebuff(?:s|ed)|dismiss(?:es|ed)) "
)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,4})?) ?(?:%|per ?cent\b)")
_OF_WHOM = re.compile(
    r"\b(?!(?:The|A|An|With|By|In|On|At|And|But)\b)(?:[A-Z][\w'’-]+|yes|no|for|against|leave|remain)\b"
)


@lru_cache(maxsize=2_048)
def find_shares(text: str) -> Mapping[str, frozenset[float]]:
    """The shares in percent, each under the name, or `yes`, `no`, `for`, `against`, that stands last before it.

    >>> find_shares("Ruiz won 52% and Soler 48%")
    {'Ruiz': frozenset({52.0}), 'Soler': frozenset({48.0})}
    """
    found: dict[str, frozenset[float]] = {}
    begun = 0
    for match in _PERCENT.finditer(text):
        names = _OF_WHOM.findall(text, begun, match.start())
        if names:
            found[names[-1]] = found.get(names[-1], frozenset()) | {float(match[1])}
        begun = match.end()
    return found


@lru_cache(maxsize=2_048)
def find_charge(text: str) -> frozenset[str]:
    """The stems of what someone is suspected of.

    >>> sorted(find_charge("The captain was arrested on suspicion of tax fraud in Nador."))
    ['fraud', 'tax']
    """
    return frozenset(
        stem
        for match in _CHARGE.finditer(_DRUNK.sub("drunk driving", text))
        for stem in shared_analyzer().stems(match["what"])
    )


@lru_cache(maxsize=2_048)
def find_terms(text: str) -> frozenset[tuple[float, str]]:
    """For how long someone is jailed, banned or suspended: numbers with their units.

    >>> find_terms("He was jailed for four years."), find_terms("He ran for four years.")
    (frozenset({(4.0, 'year')}), frozenset())
    """
    if _TERM.search(text) is None:
        return frozenset()
    lengths = ((number.value, _LENGTH.match(text, number.end)) for number in find_quantities(text))
    return frozenset((value, length["unit"].lower()) for value, length in lengths if length is not None)
