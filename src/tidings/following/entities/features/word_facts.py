"""What is always the same of a token, by small lists of words too, and the event's query as terms and pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from zlib import crc32

import numpy as np

from tidings.core import LONGEST_TOKEN, shared_analyzer, tokens
from tidings.following.entities.features.table import Array

__all__ = [
    "FACTS",
    "PREPOSITIONS",
    "SAYINGS",
    "VERBS",
    "QueryTerms",
    "WordTable",
    "gapped_pairs",
    "neighbours",
    "news_terms",
    "sentiment_of",
    "stem_of_token",
    "syllables",
]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Strength of feeling that a word carries, after the scales of SentiStrength: 2 (some) to 5 (very strong).
_POSITIVE = {
    2: """
    agree agreed agreement aid aided approve approved assist assistance assure assured benefit better calm
    care careful clean clear comfort complete confident cooperate cooperation donate donated donation easy
    encourage encouraged ensure fair fine free freed gain generous gentle good grow growth heal healthy help
    helped helpful helping hope hoped hopeful hopes hoping improve improved improvement interest interested
    kind legal like liked luck lucky nice offer open peace peaceful please polite popular positive progress
    promise promised promising protect protected protection ready recover recovered recovering recovery
    relief relieved reopened resolve resolved respect rest restore restored safe safely safety save saved
    secure security settle smile stable strong succeed success successful support supported supporter
    supporters survive survived survivor survivors sympathy thank thanked thanks trust useful volunteer
    volunteers warm welcome welcomed well wise worth
    """,
    3: """
    admire applaud applauded award awarded beautiful blessed bravery brave brilliant celebrate celebrated
    celebration cheer cheered cheering courage courageous delight delighted enjoy enjoyed excellent excited
    freedom friend friendly friends fun glad glory grateful great happy hero heroes heroic heroism honor
    honored honour honoured impressive joy laugh laughed love loved miracle perfect praise praised pride
    prize proud rejoice rescue rescued survives thankful tribute tributes triumph truce victory win winner
    winning won
    """,
    4: """
    adored amazing astonishing awesome ecstatic extraordinary fantastic incredible jubilant jubilation
    loving magnificent miraculous overjoyed passionate superb thrilled wonderful
    """,
    5: "adore euphoria euphoric",
}
_NEGATIVE = {
    2: """
    absence accident accidents accuse accused alarm alert arrest arrested argue avoid blame blamed block
    blocked broken cancel cancelled cautious close closed collapse collapsed complain complained concern
    concerned concerns condemn condemned conflict crime criminal criticise criticised criticism criticized
    critics cut damage damaged danger dangerous debris decline defeat delay delayed denied deny difficult
    difficulty disagree disappear disappeared disappointed disaster disease dispute disrupted doubt downed
    emergency error evacuate evacuated evacuation evacuations fail failed failing failure fall false fault
    fear feared fell fever fight fighting flood flooded flooding forced guilty hard harm hit hospital
    illegal ill illness infected infection injure insult investigate isolated jail jailed lack late leak
    leaked lose losing loss lost low missing mistake mob negative nervous offence offense oppose outbreak
    poor prison problem problems protest protested protesters protests punish quarantine rebel rebels reject
    rejected resign resigned risk risks rubble sad scandal shake shut shutdown sick slow sorry spill storm
    strain stranded struck struggle suffer suffered suspect suspected suspects suspend suspended tension
    tensions threat threaten threatened threats trapped trial trouble uncertain unable unrest upset victim
    victims violate warn warned warning warnings weak worried worries worry worse wreck wreckage wrong
    """,
    3: """
    abuse abused aggression aggressive anger angry armed assault assaulted attack attacked attacker
    attackers attacks battle bitter bleeding blood bloody bomb bombed bomber bombing bombings bombs brutal
    burn burned burning burnt casualties casualty catastrophe chaos chaotic clash clashed clashes crash
    crashed crashes crisis cruel cry crying deadly death deaths derailed desperate destroy destroyed
    destroying destruction destructive devastated devastating devastation die died dies drown drowned dying
    enemy epidemic explode exploded explosion explosions extremist extremists fatal fatalities fatality fire
    fired fires furious grief grieve grieving gun gunfire gunman gunmen guns hate hostage hostages hostile
    hurt injured injuries injury kidnap kidnapped mourn mourned mourners mourning outrage outraged pain
    painful panic panicked perished rage riot rioters rioting riots ruin ruined sank scream screamed
    screaming shelling shock shocked shocking shoot shooter shooting shootings shot siege sinking stab
    stabbed tear tears terrified tragedy tragic urgent violence violent war weapon weapons worst wound
    wounded wounds
    """,
    4: """
    atrocities atrocity carnage dead evil horrible horrific horrified horrifying horror kill killed killer
    killers killing killings kills massacred murder murdered murderer murders nightmare slain slaughter
    slaughtered suicide terrible terror terrorism terrorist terrorists torture tortured
    """,
    5: "beheaded genocide holocaust massacre rape raped",
}
_FEELING: dict[str, tuple[int, int]] = {
    **{word: (strength, 0) for strength, words in _POSITIVE.items() for word in words.split()},
    **{word: (0, strength) for strength, words in _NEGATIVE.items() for word in words.split()},
}


def sentiment_of(word: str) -> tuple[int, int]:
    """The strengths (0 or 2 to 5) of good and of bad feeling that a word in small letters carries.

    >>> sentiment_of("heroic"), sentiment_of("massacre"), sentiment_of("table")
    ((3, 0), (0, 5), (0, 0))
    """
    return _FEELING.get(word, (0, 0))


VERBS = _set("""
    is are was were be been am has have had will would can could may might must shall should do does did
    said says say told tells went goes go came comes come made makes make took takes take gave gives give
    got gets get left leaves met meets won wins lost loses held holds led leads ran runs run became becomes
    become began begins begin broke breaks brought brings built builds bought buys caught catches chose
    chooses cut cuts drew draws drove drives fell falls felt feels fought fights found finds flew flies fled
    flees forced grew grows heard hears hit hits kept keeps knew knows lay lies let lets meant means paid
    pays put puts read reads rose rises saw sees sent sends set sets shot shoots showed shows shut sold
    sells sought seeks spent spends spoke speaks stood stands struck strikes swept sweeps taught thought
    thinks threw throws understood wants wore writes wrote agrees announces asks calls claims confirms
    continues denies expects hopes kills needs offers plans refuses rejects remains reports urges warns
    works dies lives
    """)
"""Forms that stand behind a subject; those in -ed are seen by their ending."""

PREPOSITIONS = _set("""
    in on at of from to for with by near into over under through across around between among against about
    during outside inside off along behind beyond toward towards throughout within
    """)
"""Words that a name behind them depends on."""

SAYINGS = _set("""
    said says say told tells added adds according reported reports stated states announced asked quoted
    """)
"""Words of saying, beside which stands who speaks or is told."""


@lru_cache(maxsize=1)
def news_terms() -> frozenset[str]:
    """Stems that news uses far more than other text, as `scripts/write_news_terms.py` counts them."""
    place = resources.files("tidings.following.entities.features").joinpath("news_terms.txt")
    lines = place.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


FACTS = (
    "word",
    "stop",
    "syllables",
    "complex",
    "positive",
    "negative",
    "news",
    "verb",
    "preposition",
    "figure",
    "saying",
)
"""The columns of `WordTable.facts`."""

BUCKETS = 1_024
"""Stems are spread over so many numbers where topics are learned, whose arrays must not grow."""

_MOST = 60_000
"""Tokens that are remembered; then all are forgotten, which changes no result."""
_NO_LETTER = re.compile(r"[\W_]+")
_SPOKEN_ENDS = ("ted", "ded", "ses", "zes", "ches", "shes", "ges", "ces")
_VOWELS = re.compile(r"[aeiouyàáâäãåæèéêëìíîïòóôöõøùúûüý]+")


def syllables(word: str) -> int:
    """Syllables of a word by rule: runs of vowels, without a silent e at the end; at least 1.

    >>> [syllables(word) for word in ("cat", "rescue", "made", "table", "evacuated", "people")]
    [1, 2, 1, 2, 5, 2]
    """
    low = word.lower()
    count = len(_VOWELS.findall(low))
    for pair in ("ia", "io", "ua", "eo"):
        count += low.count(pair) if not low.endswith(("ion", "ions", "ple", "eous")) else 0
    if low.endswith("e"):
        count -= not low.endswith(("le", "ee", "ue", "ie"))
    elif low.endswith(("ed", "es")):
        count -= not low.endswith(_SPOKEN_ENDS)
    return max(1, count)


def stem_of_token(token: str) -> str:
    """The stem of a token, empty for stop words, marks and what is left of a name before an apostrophe.

    >>> stem_of_token("Bombings"), stem_of_token("the"), stem_of_token("U.S."), stem_of_token(",")
    ('bomb', '', '', '')
    """
    return _stem(_NO_LETTER.sub("", token[:LONGEST_TOKEN]).lower())


class WordTable:
    """Tokens by number, with their stems by number and the columns named by `FACTS`."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._stem_numbers: dict[str, int] = {"": 0}
        self.stems: list[str] = [""]
        self.facts: Array = np.zeros((2_048, len(FACTS)), np.float32)
        self.stem: Array = np.zeros(2_048, np.int32)
        self._hashes: list[int] = [0]

    def __len__(self) -> int:
        return len(self._numbers)

    def make_room(self) -> None:
        """Forget all tokens where there are too many; numbers given before mean nothing afterwards."""
        if len(self._numbers) > _MOST or len(self.stems) > _MOST:
            self._forget()

    def numbers(self, tokens: Sequence[str]) -> list[int]:
        """The numbers of tokens, in order."""
        numbers = self._numbers
        found = [numbers.get(token, -1) for token in tokens]
        if -1 in found:
            self._add([token for token in dict.fromkeys(tokens) if token not in numbers])
            found = [numbers[token] for token in tokens]
        return found

    def stem_numbers(self, stems: Iterable[str]) -> list[int]:
        """The numbers of stems, in order; 0 is the empty one."""
        numbers = self._stem_numbers
        return [numbers[stem] if stem in numbers else self._stem_number(stem) for stem in stems]

    def hashes(self, stems: Array) -> Array:
        """For stems by number the 32 bits that stand for their letters, the same on every machine."""
        return np.array([self._hashes[stem] for stem in stems.tolist()], np.uint64)

    def buckets(self, stems: Array) -> Array:
        """For stems by number the numbers below `BUCKETS` that stand for them where topics are learned."""
        return (self.hashes(stems) % np.uint64(BUCKETS)).astype(np.int64)

    def _stem_number(self, stem: str) -> int:
        number = self._stem_numbers.get(stem)
        if number is None:
            number = self._stem_numbers[stem] = len(self.stems)
            self.stems.append(stem)
            self._hashes.append(crc32(stem.encode("utf-8", "replace")))
        return number

    def _add(self, tokens: list[str]) -> None:
        first = len(self._numbers)
        while first + len(tokens) > len(self.stem):
            self.facts = np.concatenate((self.facts, np.zeros_like(self.facts)))
            self.stem = np.concatenate((self.stem, np.zeros_like(self.stem)))
        rows = []
        stems = []
        for number, token in enumerate(tokens, first):
            self._numbers[token] = number
            bare = _NO_LETTER.sub("", token[:LONGEST_TOKEN]).lower()
            stem = _stem(bare)
            stems.append(self._stem_number(stem))
            rows.append(_facts(bare, stem) if bare else (0,) * len(FACTS))
        self.facts[first : first + len(tokens)] = rows
        self.stem[first : first + len(tokens)] = stems


def _stem(bare: str) -> str:
    return shared_analyzer().stem(bare) if bare and bare != "s" else ""


def _facts(bare: str, stem: str) -> tuple[float, ...]:
    beats = syllables(bare)
    return (
        1,
        not stem,
        beats,
        beats >= 3,
        *sentiment_of(bare),
        stem in news_terms(),
        bare in VERBS or (bare.endswith("ed") and len(bare) > 4),
        bare in PREPOSITIONS,
        bare[0].isdigit(),
        bare in SAYINGS,
    )


GAP = 4
"""Words that may stand between the two of a skip-bigram."""


def neighbours(stems: Sequence[str]) -> set[tuple[str, str]]:
    """The pairs of stems that stand beside each other.

    >>> sorted(neighbours(["boston", "marathon", "bomb"]))
    [('boston', 'marathon'), ('marathon', 'bomb')]
    """
    return set(pairwise(stems))


def gapped_pairs(stems: Sequence[str], gap: int = GAP) -> set[tuple[str, str]]:
    """The pairs of stems, in their order, with at most `gap` others between them.

    >>> sorted(gapped_pairs(["boston", "marathon", "bomb"], gap=1))
    [('boston', 'bomb'), ('boston', 'marathon'), ('marathon', 'bomb')]
    """
    return {
        (stem, other)
        for at, stem in enumerate(stems)
        for other in stems[at + 1 : at + 2 + gap]
        if stem != other
    }


class QueryTerms:
    """The stems of a query in order, and the stems that it was expanded with.

    >>> QueryTerms("The Boston Marathon bombings", ["tsarnaev"]).all
    ('boston', 'marathon', 'bomb', 'tsarnaev')
    """

    def __init__(self, query: str, expansion: Iterable[str] = ()) -> None:
        own = [stem for stem in map(stem_of_token, tokens(query)) if stem]
        self.own = tuple(own)
        self.all = tuple(dict.fromkeys([*own, *(stem for stem in expansion if stem)]))
        self.pairs = neighbours(own)
        self.gapped = gapped_pairs(own)
