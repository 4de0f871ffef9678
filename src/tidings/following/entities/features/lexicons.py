"""Small lists of words: strength of feeling, verbs that follow a subject, prepositions, terms of news."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

__all__ = ["PREPOSITIONS", "SAYINGS", "VERBS", "news_terms", "sentiment_of"]


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
