"""How news says what a number counts: the words before and behind it, attribute by attribute.

Patterns that end (`BEFORE`) or begin (`BEHIND`) at a number. `{0,n}` bounds everything, so that no text is slow.
"""

from __future__ import annotations

import re

from tidings.core import shared_analyzer

__all__ = ["ATTRIBUTES", "BEFORE", "BEHIND", "CORRECTED", "COUNTED", "CUES", "NOT_PEOPLE", "ORDINAL"]

ATTRIBUTES = ("deaths", "injuries", "missing", "displaced", "arrested", "financialimpact")
"""What is tracked as one number; `location` is tracked as a place."""

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
    rf"\+?{_GROUP}{_WHERE}(?:,? (?:mostly|including|among them)[^,.;]{{1,60}},)?{_FILL}[ ,:]{{1,2}}(?:{_KINDS})\b",
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
