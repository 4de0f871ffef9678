"""What a text counts: one reader of casualties, damage and other numbers, for all that ask.

    find_casualties   how many are said to be dead, injured, missing, displaced, arrested
    find_tracked      these and damage, none of them too, as `tidings.analysis.values.mentions` judges them
    find_counts       casualties, sums of money, shares, and plain plurals (3,500 wells), in any language

Rules, not a model. Whether a number is meant of an event, and of all of it, is not asked here
(`tidings.analysis.values.mentions`). Dates, times of day, ages, lengths of time, addresses and a plain "one" count
nothing.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from tidings.analysis.values.counts_by_language import find_counts_in
from tidings.analysis.values.happenings import happenings
from tidings.analysis.values.numbers import Mention, Quantity, doubt_before, find_quantities, find_sums
from tidings.core import CASUALTIES, ENGLISH, shared_analyzer, tokens

_BE = r"(?:(?:was|were|is|are|has been|had been|have been|has|remains?|to be|being|left) (?:still |now |any longer )?)"
_WHO = r"(?:one|people|persons?|passengers|residents|workers|crew(?: members)?|students|civilians)"
_HAPPENED = (
    r"(?:(?P<deaths{0}>killed|died|dead|dies)|(?P<injuries{0}>hurt|injured|wounded)"
    r"|(?P<missing{0}>missing|unaccounted for)|(?P<arrested{0}>arrested|detained))"
)
_SAID = (
    r"(?: (?:reports? of|immediate|confirmed|reported|known|further|other|serious|major|human|civilian|word of"
    r"|casualties or)){0,4}"
)
_NOBODY = rf"(?:no[ -]?(?:one|body)|none(?: of the [\w ]{{1,30}}?)?|no {_WHO})"
_ALL = (
    r"(?:everyone|everybody|all (?:of )?(?:the )?(?:missing|passengers|crew(?: members)?|residents|workers|students"
    r"|people)(?: and crew)?)(?: (?:on board|aboard|missing))?"
)
_NONE = re.compile(
    rf"(?:\b(?:no|zero|without(?: any)?|not (?:been )?any)|n['’]t (?:been )?any){_SAID} "
    r"(?:(?P<deaths0>deaths?|fatalities|casualties|dead|loss of life)(?: (?:or|and) (?P<injuries5>injur(?:ies|y)))?"
    r"|(?P<injuries0>injur(?:ies|y)|injured)|(?P<arrested0>arrests?))\b"
    rf"|\b{_NOBODY} (?:else )?{_BE}{{0,2}}{_HAPPENED.format(1)}\b"
    r"|(?:\b(?:not|never)|n['’]t) (?:yet |actually )?(?:kill(?:ed)?(?P<deaths2>)|(?:injured?|hurt|wound(?:ed)?)"
    r"(?P<injuries2>))(?: (?:or|and) (?:injured?|hurt|wound(?:ed)?|kill(?:ed)?))? any(?:one|body| people| person)\b"
    r"|\b(?:kill(?:ed|ing|s)?(?P<deaths3>)|(?:injur(?:ed|ing|es)|hurt(?:ing|s)?)(?P<injuries3>))"
    r" (?:no[ -]?one|nobody)\b"
    r"|\bclaim(?:ed|ing|s) no lives(?P<deaths4>)"
    rf"|\b(?P<missing4>{_ALL} (?:has|have|had|was|were)(?: now| since)?(?: been)? accounted for)\b",
    re.IGNORECASE,
)
_PARTIAL = re.compile(r"\b(?:further|other|serious|major|immediate|more|word|else)\b", re.IGNORECASE)
_NEGATIONS = frozenset(["no", "zero", "without", "not", "nobody", "none", "any", "anyone", "accounted"]) | {
    "anybody"
}


def find_none(text: str, words: frozenset[str]) -> list[tuple[str, int, int]]:
    """Of what the text says that there is none, with the characters that say so; `words` are its tokens.

    >>> text = "The fire has not killed anyone, and nobody is missing"
    >>> find_none(text, frozenset(text.lower().replace(",", "").split()))
    [('deaths', 13, 30), ('missing', 36, 53)]
    >>> find_none("No further injuries", frozenset(["no", "further", "injuries"]))
    []
    """
    if _NEGATIONS.isdisjoint(words):
        return []
    return [
        (name[:-1], *match.span())
        for match in _NONE.finditer(text)
        if not _PARTIAL.search(match.group())
        for name, group in match.groupdict().items()
        if group is not None
    ]


_PEOPLE = (
    r"people|persons?|humans?|souls|passengers|workers|labou?rers|miners|civilians|residents|protest[eo]rs"
    r"|demonstrators|activists|men|women|children|kids|students|pupils|teachers|soldiers|troops|officers|policemen"
    r"|police|cops|victims|villagers|crew(?: members)?|tourists|fans|spectators|worshipp?ers|sailors|firefighters"
    r"|militants|rebels|gunmen|terrorists|attackers|insurgents|fighters|hostages|foreigners|employees|survivors"
    r"|americans|italians|britons|germans|haitians|syrians|nationals|citizens|bystanders|runners|individuals|members"
    r"|sikhs|muslims|christians|refugees|migrants|patients|inmates|prisoners|drivers|motorists|customers|pedestrians"
    r"|boys|girls|babies|infants|youths|adults|teenagers|homeless|guests|guards|pilots|doctors|nurses|journalists"
    r"|peacekeepers|security personnel|personnel|aid workers|volunteers|pilgrims|locals|lives|evacuees|commuters"
    r"|staff|fishermen|farmers|rescuers|canadians|mexicans|filipinos|egyptians|afghans|iranians|pakistanis|indians"
    r"|russians"
    r"|moviegoers|concert-?goers|party-?goers|holidaymakers|campers|climbers|suspects|detainees|supporters"
    r"|marchers|strikers|israelis|palestinians|turks|kurds|greeks|spaniards|ukrainians|poles|romanians|bulgarians"
    r"|brazilians|argentin(?:e|ian)s|chileans|colombians|venezuelans|peruvians|guatemalans|hondurans|cubans|jamaicans"
    r"|chinese|japanese|koreans|vietnamese|indonesians|malaysians|thais|burmese|bangladeshis|nepal(?:i|ese)s?|iraqis"
    r"|lebanese|yemenis|libyans|tunisians|algerians|moroccans|nigerians|kenyans|ethiopians|somalis|congolese|jordanians"
    r"|saudis|australians|europeans|africans|asians|hindus|jews|shiites|sunnis|copts|pensioners|shoppers|diners"
    r"|householders|vacationers|skiers|swimmers|surfers|sherpas|marathoners|athletes|players|believers|bathers"
)
_OTHERS = r"others|more|of them|of the|of those|of whom"
_ADJECTIVE = r"(?!(?:and|or|but|while|as|of|in|on|at|by|for|from|to|with|who|which|that)\b)[\w'’-]{2,20}"
_GROUP = rf"(?P<group>(?: {_ADJECTIVE}){{0,3}}? (?:{_PEOPLE})(?: and (?:{_PEOPLE}))?\b|(?: (?:{_OTHERS})){{1,2}}\b)?"
_WHERE = (
    r"(?P<where> (?:in|at|on|from|across|aboard|near|inside|around|on board|throughout)"
    r"(?: (?!(?:were|was|are|is|have|has|had|and|who|when)\b)[\w'’.-]{1,20}){1,6}?)?"
)
_FILL = (
    r"(?:(?:,? (?:were|was|are|is|have|has|had|been|be|being|also|reportedly|now|still|confirmed|feared|believed"
    r"|reported|presumed|left|officially|already|to|more|other|another|made|rendered|shot|seriously|critically"
    r"|slightly|badly|who|that"
    r"|died and|got|as|known|thought|remain|remains|remained|went|gone|listed|lay|lie|said|so far|so|far|in total|new"
    r"|suspected|probable|of|the|their|his|her|actual|associated|related|storm-related|flood-related|\S{3,12}-related"
    r"|people|human|civilian|laboratory-confirmed|lab-confirmed|total|estimated|dead and|killed and|severely|lightly"
    r"|\(\d{1,9}\)|either)\b|,(?= )|: )"
    r"){0,6}?"
)
_DEAD = (
    r"dead|killed|died|die|dies|dying|deaths?|fatalities|fatally|perished|drowned|slain|murdered|lost (?:their|his|her)"
    r" (?:own )?lives?|lives (?:have been |were |had been )?(?:lost|claimed)|bodies|corpses|massacred|executed"
    r"|buried in"
    r"|shot dead|shot and killed|burned to death|burnt to death|froze to death|frozen to death|crushed to death|lives"
)
_INJURED = (
    r"injured|injuries|injury|wounded|hurt|hospitali[sz]ed|(?:sought|seeking|received|receiving|needed|required|asked"
    r" for) medical (?:attention|help|treatment|care|assistance)|(?:being )?treated for (?:\w+ ){0,2}(?:injuries"
    r"|wounds|burns|smoke|shock|gunshot|hypothermia)|treated (?:at|in)|(?:were |was |being )?(?:taken"
    r"|rushed|sent|admitted) to (?:\w+ ){0,2}hospitals?|suffered (?:\w+ ){0,3}(?:injuries|cuts|wounds)"
)
_MISSING = r"missing|unaccounted(?: for)?"
_DISPLACED = (
    r"displaced|evacuated|homeless|evacuees|fled|(?:ordered|urged|forced|advised) to (?:evacuate|leave|flee)"
    r"|been forced (?:from|to (?:flee|leave))|forced (?:from|to"
    r" (?:flee|leave))|left (?:their )?home(?:s|less)|(?:were |been )?told to leave|(?:are |were |living "
    r"|staying )?in (?:"
    r"\w+ ){0,3}(?:shelters|evacuation cent(?:er|re)s)|seeking shelter|sought shelter|given (?:\w+ )?shelter"
    r"|(?:would |had to |have to |to )?spen[dt] (?:\w+ ){0,7}shelters?|in need of shelter|emergency"
    r" shelter"
)
_CASUALTIES = r"casualties"
_ARRESTED = r"arrested|detained|arrests|detentions|(?:taken|held) (?:into|in) (?:police )?custody|rounded up"
_KINDS = (
    rf"(?P<deaths>{_DEAD})|(?P<injuries>{_INJURED})|(?P<missing>{_MISSING})|(?P<displaced>{_DISPLACED})"
    rf"|(?P<arrested>{_ARRESTED})|(?P<casualties>{_CASUALTIES})"
)
BEHIND = re.compile(
    rf"\+?{_GROUP}{_WHERE}(?: ?,? (?:mostly|including|among them)[^,.;]{{1,60}},)?{_FILL}[ ,:]{{1,2}}(?:{_KINDS})\b",
    re.IGNORECASE,
)
"""From the end of a number: who, where, and what happened to them."""

_DOUBT = (
    r"(?:(?:at least|no fewer than|not less than|no less than|a minimum of|more than|over|upwards? of|as many as|up to"
    r"|at most|fewer than|less than|nearly|almost|close to|about|around|some|roughly|approximately|an estimated"
    r"|estimated|between|from|a total of|the|just|only|another|a further|and|by|now|currently|exactly|officially"
    r"|all|either"
    r"|possibly|perhaps|a) ){0,3}"
)
_TOLL = (
    r"(?:death |casualty |fatality |body )?(?:toll|count)|number of (?:\w+ ){0,3}(?:dead|deaths|fatalities"
    r"|people killed"
    r"|killed|victims|bodies|casualties|people who (?:have )?died)|total (?:number )?of (?:dead|deaths)|deaths"
    r"|fatalities"
)
_RISE = (
    r"(?:[ ,](?:(?!, which|, who|\bpower\b|\bwithout\b)(?:[^\d.;:]|\d\.\d)){0,70}?)?(?: from \d[\d,]{0,8})?"
    r"[ ,:](?:to|from|at|of|is|was|stands? at|reache[sd]|reach|hits?|tops|topped|passes|passed"
    r"|exceed(?:s|ed)"
)
_RISE += r"|nears?|neared|approache[sd]|becomes|as|above|over|past|beyond|:|>)[ ,]"
_BEFORE = (
    rf"(?P<deaths>(?P<toll>(?:{_TOLL})(?:{_RISE}| ?[=:] ?(?:ap+rox\.? )?)|\b(?:total )?fatalities )|\b(?:kill(?:s"
    rf"|ed|ing)?|claim(?:s|ed|ing)(?: the lives of)?|deaths? of"
    r"|murder(?:s|ed|ing)|cost(?:s|ing)?(?: the lives of)?|dead:|killed:|deaths:|shot dead|shoots dead|bodies of"
    r"|drown(?:s|ed|ing)|slaughter(?:ed|ing)|massacred?)[ ])"
    rf"|(?P<injuries>(?P<hurt_toll>number of (?:injured|wounded|injuries)(?: people)?{_RISE})|\b(?:injur(?:es?|ed"
    rf"|ing)|wound(?:s|ed"
    r"|ing)?|hurt(?:s|ing)?|injuries to|injured:|wounded:|injuries:|total injuries|injuries =|injured =) )"
    rf"|(?P<missing>(?P<missing_toll>number of (?:missing|people missing)(?: people)?{_RISE})|\bmissing: |search for )"
    r"|(?P<displaced>\b(?:displac(?:es?|ed|ing)|evacuat(?:es?|ed|ing|ion of)|forc(?:es|ed|ing)|homeless:|makes?"
    r"|leav(?:es|ing)"
    r" homeless) )"
    r"|(?P<arrested>\b(?:arrest(?:s|ed|ing)?|detain(?:s|ed|ing)?|round(?:s|ed|ing) up|arrests of|arrest of|arrested:) )"
)
CORRECTED = re.compile(
    r"\b(?:revised|updated|lowered|raised|corrected|changed|reduced|increased|cut)(?: (?:down|up|downwards?"
    r"|upwards?|later|then))?"
    rf" (?:to|at) {_DOUBT}$",
    re.IGNORECASE,
)
"""Up to the beginning of a number: it takes the place of another, of what is counted before it."""

COUNTED = re.compile(
    r"(?P<deaths>\bvictims|\bdead\b|\bdeaths?\b|\bkilled|\bfatalities|\bdied|\btoll)|(?P<injuries>\binjur"
    r"|\bwounded|\bhurt\b)"
    r"|(?P<missing>\bmissing|\bunaccounted)|(?P<displaced>\bdisplaced|\bevacu|\bhomeless)|(?P<arrested>\barrest"
    r"|\bdetain)",
    re.IGNORECASE,
)
"""What is counted, in a word."""

BEFORE = re.compile(rf"(?:{_BEFORE}){_DOUBT}$", re.IGNORECASE)
"""Up to the beginning of a number: who did it to so many, or which count stands at so many."""

ORDINAL = re.compile(
    r"\b(?P<n>\d{1,4})(?:st|nd|rd|th) (?:\w+ )?(?P<deaths>victim|body|fatality|death|casualty|person to die)\b",
    re.IGNORECASE,
)
"""`the 17th body`: so many are dead."""

_ANIMALS = (
    r"animals?|dogs?|cats?|cows?|cattle|sheep|lambs?|goats?|pigs?|hogs?|horses?|birds?|chickens?|hens|poultry"
    r"|ducks?|turkeys?"
    r"|fish(?:es)?|whales?|dolphins?|turtles?|seals|pelicans?|bees|camels?|elephants?|livestock|buffalo(?:es)?"
    r"|tigers?|wolves"
    r"|rabbits?|mice|rats|deer|salmon|kangaroos?|koalas?|wildlife"
)
_UNITS_AND_THINGS = (
    r"hours?|days?|weeks?|months?|years?|decades?|minutes?|seconds?|miles?|kilomet(?:er|re)s?|kms?|feet|foot"
    r"|inch(?:es)?"
    r"|met(?:er|re)s?|(?:centi|milli)met(?:er|re)s?|cm|mm|acres?|hectares?|tons?|tonnes?|kg|kilograms?|lit(?:re"
    r"|er)s?|gallons?"
    r"|barrels?|pounds?|dollars?|euros?|a\.?m\b|p\.?m\b|o'clock|times|floors?|stor(?:eys|ies|ey)|degrees?|mph|kph"
    r"|knots|volts"
    r"|watts|megawatts|points?|trees?|houses|homes|buildings?|cars?|vehicles?|flights?|ships?|boats?|buses|trains?"
    r"|carriages"
    r"|wagons?|schools?|hospitals?|countries|nations|states|provinces|cities|towns|villages|districts|counties"
    r"|rounds?|shots"
    r"|bullets?|weapons?|guns?|bombs?|rockets?|missiles?|games?|goals?|seats?|votes?|calls?|tweets?|pages?"
    r"|charges?|counts?"
    r"|cells?|shares?|jobs?|aftershocks?|calories|chances?|households|families|blasts?|explosions?|attacks?|businesses"
    r"|square|cubic|per cent|percent|megatons?|kilotons?|cameras?|organi[sz]ations?|groups|teams?|cases of"
)
_STOP = (
    r"and|or|but|while|as|of|in|on|at|by|for|from|to|with|who|which|that|after|when|than|over|were|was|are|is|have"
    r"|has|had|been"
    rf"|be|into|{_PEOPLE}"
)
_PLAIN = (
    rf"(?!(?:{_STOP}|dead|killed|injured|wounded|missing|deaths|hurt|arrested|homeless|displaced"
    rf"|evacuated)\b)[\w'’-]{{2,16}}"
)
_ANY_PLAIN = rf"(?!(?:{_STOP})\b)[\w'’-]{{2,16}}"
NOT_PEOPLE = re.compile(
    rf"[ -](?:(?:{_PLAIN} ){{0,1}}(?:{_UNITS_AND_THINGS})|(?:{_ANY_PLAIN} ){{0,2}}(?:{_ANIMALS}))\b",
    re.IGNORECASE,
)
"""From the end of a number: what is not a person, or a unit."""

_CUES = (
    "kill dead die died dies dying death fatal fatality fatally perish drown drowning slain lives life body bodies"
    " corpse"
    " massacre toll murder execute shot froze frozen injure injured injury injuries wound wounded hurt hospital"
    " hospitalised"
    " hospitalized medical treated missing unaccounted displace evacuate evacuation evacuee homeless fled flee"
    " forced shelter"
    " left leave leaving arrest detain detained detention custody rounded casualty casualties victim damage"
    " damaged loss losses"
    " cost insured economic destruction bill claim claimed search toll nobody accounted arrests"
)
CUES = frozenset(shared_analyzer().stems(_CUES))
"""Stems of which a sentence must hold one to count anything."""


_MOST_PEOPLE = 8e9


_DAMAGE = re.compile(
    r"\b(?:damag(?:es?|ed|ing)|loss(?:es)?|economic (?:impact|toll|loss(?:es)?|damage)|insured|destruction)\b",
    re.IGNORECASE,
)
_COST = re.compile(r"\b(?:costs?|costing|bill)\b", re.IGNORECASE)
_NO_LOSS = re.compile(
    r"\b(?:compensat\w+|rewards?|donat\w+|aid|funds?|funding|pledg\w+|relief|grants?|fines?|fined|salary|award\w*"
    r"|lawsuits?|sue[sd]?"
    r"|suing|budget|construct\w+|built|build|bail|tickets?|tax(?:es)?|contracts?|profits?|revenues?|market|stocks?"
    r"|per (?:person"
    r"|passenger|family|week|month|barrel|gallon)|each|victims'? famil\w+|excess|deductible|prize|paid|pay|ransom"
    r"|loans?|charity"
    r"|raised?|spend(?:ing)?|spent|settle\w*|cap|liabilit\w+|dividends?|assets?|fight\w*|crops?|agricultur\w*"
    r"|farm\w*|sell|sold|sale|escrow|fell|shares?|seeks?|seeking|complaint|punitive"
    r"|report(?:s|ed|ing)? an? (?:record|huge|first|net)|quarter(?:s|ly)?|pre-?tax|net loss(?:es)?)\b",
    re.IGNORECASE,
)
_COUNTING = re.compile(
    r"kill|claim|death|toll|count|number|total|murder|cost|dead|shot|shoot|bod|drown|slaughter|massac|fatal|injur"
    r"|wound|hurt"
    r"|missing|search|displac|evacu|forc|homeless|make|leav|arrest|detain",
    re.IGNORECASE,
)
"""What `BEFORE` begins with, quickly told."""
_DECIMAL = re.compile(r"\d+\.\d{1,2}")
_FROM = re.compile(r"\bfrom $", re.IGNORECASE)
_NO_COUNT_ONE = re.compile(
    r"\b(?:loved|this|that|any|every|each|which|another|the|last|first) $", re.IGNORECASE
)
_NEXT_COUNT = re.compile(r"\band (?:[a-z]+ ){0,4}$", re.IGNORECASE)
"""What stands between one count and the next: `50 were killed and more than ` 700 injured."""
_LOSSES_TEXT = (
    "damage damages damaged damaging loss losses cost costs costing economic insured destruction bill"
)
_LOSSES = frozenset(_LOSSES_TEXT.split())
_BODIES_TEXT = "victim body fatality death casualty person"
_BODIES = frozenset(_BODIES_TEXT.split())
CLAUSE_END = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:Mr|Dr|St|Lt|Mt))(?<!\b(?:Gov|Gen|Sen|Col|Rev|Aug|Oct|Nov|Dec|Jan|Feb|Mrs|Sgt|Maj))[.;!?]"
    r"(?=\s+[\"'“‘(]?[A-Z]|\s*$)"
)
"""Where a sentence ends within a text: pools hold whole pages in one piece."""


def find_casualties(text: str) -> list[Mention]:
    """The people that a text counts, in order and none within another; what is vague or names nobody is no count.

    >>> text = "At least 45 people were killed and more than 1,200 injured."
    >>> [(one.attribute, one.value, text[one.start : one.end]) for one in find_casualties(text)]
    [('deaths', 45.0, 'At least 45 people were killed'), ('injuries', 1200.0, 'more than 1,200 injured')]
    >>> find_casualties("Dozens of people were killed, police said")
    []
    """
    text = text[:_MOST_OF_CASUALTIES]
    mentions = []
    for mention in [*_people(text), *_bodies(text, frozenset(tokens(text)))]:
        number = mention.quantity
        if not number.vague and number.value and not text[number.end : mention.end].endswith("casualties"):
            doubt = doubt_before(text, number.start)
            mentions.append(
                replace(mention, start=min(mention.start, number.start if doubt is None else doubt))
            )
    mentions.sort(key=lambda mention: (mention.start, -mention.end))
    apart: list[Mention] = []
    for mention in mentions:
        if (
            not apart or mention.quantity.start >= apart[-1].end
        ):  # "40 people, 3 children among them, died": 40
            apart.append(mention)
    return apart


def find_tracked(text: str) -> list[Mention]:
    """The quantities of a text that count people or damage, vague ones and none of them too, in order.

    >>> [(one.attribute, one.value) for one in find_tracked("50 were killed and more than 700 injured")]
    [('deaths', 50.0), ('injuries', 700.0)]
    >>> find_tracked("three ferries")
    []
    """
    words = frozenset(tokens(text))
    mentions = [*_people(text), *_bodies(text, words)]
    for attribute, start, end in find_none(text, words):
        mentions.append(Mention(attribute, Quantity.exact(0.0, start, end), start, end))
    mentions += _losses(text, words)
    return sorted(mentions, key=lambda one: (one.quantity.start, one.attribute))


def _people(text: str) -> list[Mention]:
    mentions = []
    for quantity in find_quantities(text):
        start, end = quantity.start, quantity.end
        low = max(0, start - 130)
        if (
            quantity.high > _MOST_PEOPLE
            or not float(quantity.low).is_integer()
            or _DECIMAL.fullmatch(text[start:end])
            or NOT_PEOPLE.match(text, end)
            or (text[start:end].lower() == "one" and _NO_COUNT_ONE.search(text[low:start]))
        ):
            continue
        before = BEFORE.search(text[low:start]) if _COUNTING.search(text[low:start]) else None
        behind = BEHIND.match(text, end, min(len(text), end + 160))
        if before is None and behind is None:
            corrected = CORRECTED.search(text[low:start])
            counted = list(COUNTED.finditer(text, low, start)) if corrected is not None else []
            if counted:
                mentions.append(Mention(_kind(counted[-1]), quantity, start, end))
            continue
        one, other = _kind(before), _kind(behind)
        if before is not None and _FROM.search(before.group()) and " to " not in text[start:end]:
            before = None  # the toll from the 7 attacks; but: rose from 12 to 14
        if before is None and behind is None:
            continue
        if before is not None and behind is not None and one != other and _NEXT_COUNT.search(before.group()):
            before = None
        if before is not None and (behind is None or one in ("deaths", "injuries", "arrested")):
            is_toll = bool(before.groupdict().get("toll") or before.groupdict().get("hurt_toll"))
            mentions.append(Mention(one, quantity, low + before.start(), end, is_toll))
        elif behind is not None:
            mentions.append(Mention(other, quantity, start, behind.end()))
    return mentions


def _bodies(text: str, words: frozenset[str]) -> list[Mention]:
    """`the 17th body`."""
    mentions = []
    for match in ORDINAL.finditer(text) if not _BODIES.isdisjoint(words) else ():
        value = float(match["n"])
        quantity = Quantity.exact(value, *match.span())
        mentions.append(Mention("deaths", quantity, match.start(), match.end(), toll=True))
    return mentions


def _losses(text: str, words: frozenset[str]) -> list[Mention]:
    mentions = []
    for money in find_sums(text) if not _LOSSES.isdisjoint(words) else ():
        if _is_loss(_clause(text, money.start, money.end, 90)):
            mentions.append(Mention("financialimpact", money, money.start, money.end))
    return mentions


def _is_loss(clause: str) -> bool:
    """Whether a clause speaks of damage, or of what something that happened costs; a ferry's price is no damage."""
    if _NO_LOSS.search(clause):
        return False
    if _DAMAGE.search(clause):
        return True
    return bool(_COST.search(clause)) and not happenings().isdisjoint(shared_analyzer().stems(clause))


def _kind(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    groups = match.groupdict()
    return next((kind for kind in CASUALTIES if groups.get(kind)), "deaths")


def _clause(text: str, start: int, end: int, width: int) -> str:
    """The words around a span that belong to its sentence."""
    low, high = max(0, start - width), min(len(text), end + width)
    for match in CLAUSE_END.finditer(text, low, start):
        low = match.end()
    stop = CLAUSE_END.search(text, end, high)
    return text[low : stop.start() if stop else high]


_MOST_OF_CASUALTIES = 10_000
_MOST_OF_COUNTS = 2_000
"""Characters of a text that are read; more is hostile."""
_MOST_COUNTS = 20
_SHARE = re.compile(r"(?<![\w.,$£€])(?P<n>\d[\d,]{0,15}(?:\.\d{1,6})?)\s?(?:%|per ?cent\b)")
_COUNTED = re.compile(
    r" (?:(?!(?:and|or|to|in|on|at|for|from|with|by|after|before|when|is|are|was|were|has|have|as|but|that|who)\b)"
    r"[a-z][a-z-]{1,20} ){0,2}?([a-z]{2,27}(?!s)[a-z]s|people|men|women|children|staff|police|dead)\b"
)
_DATE_OR_TIME = re.compile(r"\s?[:.]\d|-|['’]|\s?(?:a\.?m|p\.?m|GMT|BST|UK)\b|/\d")
_NUMBERED = re.compile(
    r"(?:[:/.-]|\b(?:aged?|number|no|page|chapter|article|section|day|at|at about|at around)\.?\s)$",
    re.IGNORECASE,
)
_NOT_COUNTED = ENGLISH | {
    *(
        "second",
        "seconds",
        "minute",
        "minutes",
        "hour",
        "hours",
        "day",
        "days",
        "night",
        "nights",
        "week",
        "weeks",
    ),
    *("weekend", "weekends", "month", "months", "year", "years", "decade", "decades", "century", "centuries"),
    *(
        "time",
        "times",
        "since",
        "around",
        "across",
        "inside",
        "within",
        "worldwide",
        "globally",
        "nationwide",
    ),
    *(
        "abroad",
        "percent",
        "cent",
        "hundred",
        "thousand",
        "million",
        "billion",
        "trillion",
        "half",
        "way",
        "ways",
    ),
    *("thing", "things", "part", "parts", "side", "sides", "step", "steps", "point", "points"),
}


def find_counts(text: str, language: str = "") -> list[Mention]:
    """The numbers of a text with what they count: casualties first, then money and shares, then other things, in order.

    The rules here are for English, and for texts whose language is not known; those of others (codes of ISO 639-1) are
    in `tidings.analysis.values.counts_by_language`.

    >>> [(one.attribute, one.value) for one in find_counts("At least 80 dead; BP paid $20bn for 3,500 wells.")]
    [('deaths', 80.0), ('USD', 20000000000.0), ('wells', 3500.0)]
    >>> find_counts("At 10:30 on 26 July 2013, three days later, a man aged 45 came to 12 High Street.")
    []
    """
    if language and language != "en":
        return find_counts_in(text, language)
    text = text[:_MOST_OF_COUNTS]
    quantities = find_quantities(text)
    mentions = find_casualties(text) if quantities else []
    mentions += [Mention(money.currency, money, money.start, money.end) for money in find_sums(text)]
    for match in _SHARE.finditer(text):
        share = Quantity.exact(float(match["n"].replace(",", "")), *match.span())
        mentions.append(Mention("%", share, share.start, share.end))
    taken = [(one.start, one.end) for one in mentions]
    for quantity in quantities:
        start, end = quantity.start, quantity.end
        counted = _COUNTED.match(text, end)
        if (
            counted is not None
            and quantity.value != 1
            and not quantity.vague
            and counted[1] not in _NOT_COUNTED
            and not _DATE_OR_TIME.match(text, end)
            and not _NUMBERED.search(text[max(0, start - 12) : start])
            and not any(low <= start < high for low, high in taken)
        ):
            mentions.append(Mention(counted[1], quantity, start, counted.end(1)))
    return mentions[:_MOST_COUNTS]
