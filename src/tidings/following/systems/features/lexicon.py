"""A small thesaurus of happenings, written by hand: what the kinds of event are called, in wider and narrower words.

It stands where the published systems ask WordNet for synonyms, hypernyms and hyponyms of the query. Every list is
English and holds plain words; who uses it stems them.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from tidings.core import shared_analyzer

__all__ = ["KINDS", "Expansion", "expand"]


class Expansion(Struct, frozen=True):
    """Stems around a query: the query's own, words of the same meaning, of a wider and of a narrower one."""

    query: frozenset[str]
    synonyms: frozenset[str]
    broader: frozenset[str]
    narrower: frozenset[str]


_ENTRIES: dict[str, tuple[str, str, str]] = {
    # kind: (same meaning; wider; narrower: parts, causes, consequences)
    "accident": (
        "crash collision wreck derailment disaster mishap sinking capsize",
        "incident event tragedy emergency catastrophe misfortune",
        "train bus plane ship ferry vessel carriage locomotive brake driver captain passenger aboard platform "
        "derailed crashed sank sunk capsized collided evacuated wreckage survivors rescue rescuers lifeboat salvage "
        "victims fatalities killed injured hurt missing bodies trapped negligence investigation black box",
    ),
    "fire": (
        "blaze inferno flames conflagration arson",
        "accident disaster burning combustion emergency",
        "smoke burned burnt trapped exits firefighters extinguished wildfire bushfire factory building gutted "
        "charred suffocated boiler generator short-circuit acres contained evacuated killed injured",
    ),
    "shooting": (
        "shootout gunfire massacre rampage shot gunned",
        "attack crime killing violence murder homicide assault",
        "gunman shooter suspect gun guns rifle handgun pistol ammunition bullets wounded killed victims police swat "
        "manhunt motive fired opened custody arrested charged hospital memorial vigil barricaded",
    ),
    "bombing": (
        "bomb blast explosion attack detonation bombs",
        "terrorism violence terror crime attack",
        "explosive explosives device suicide bomber shrapnel wounded killed injured suspects militants detonated "
        "exploded responsibility claimed pressure cooker finish bus casualties hospital arrested investigators",
    ),
    "hostage": (
        "kidnapping hostages abduction siege captives standoff",
        "crisis crime terrorism attack violence",
        "militants kidnappers gunmen captors held freed released raid assault rescue ransom foreigners workers plant "
        "killed escaped army special forces demands negotiation",
    ),
    "storm": (
        "hurricane cyclone typhoon tempest gale blizzard tornado",
        "weather disaster system disturbance phenomenon",
        "wind winds rain rainfall snow snowfall ice cold freezing temperatures flood flooding surge landfall mph "
        "category tropical depression eye coast evacuated evacuation power outage outages electricity homes shelters "
        "damage roofs trees roads closed flights cancelled stranded killed missing homeless emergency declared",
    ),
    "flood": (
        "flooding floods inundation deluge floodwaters",
        "disaster water weather emergency",
        "rain rainfall river rivers levee dam dams overflow submerged evacuated rescued homes inundated peak swollen "
        "mud landslide mudslide isolated stranded killed missing sandbags",
    ),
    "earthquake": (
        "quake tremor temblor shock earthquakes",
        "disaster shaking seismic event",
        "magnitude richter epicenter epicentre aftershock aftershocks tsunami depth collapsed rubble buildings damaged "
        "killed injured missing buried homeless evacuated survivors rescue felt struck",
    ),
    "protest": (
        "demonstration protests rally march unrest demonstrations rallies",
        "dissent opposition movement politics gathering",
        "protesters protestors demonstrators crowd crowds police tear gas clashes arrested detained square government "
        "resignation resign president minister opposition election strike banners chanted injured killed petition",
    ),
    "riot": (
        "riots rioting unrest clashes disturbance uproar",
        "violence disorder crime protest",
        "stadium fans police stampede killed injured stones tear gas arrested looting burned curfew blamed pitch "
        "match mourning army",
    ),
    "conflict": (
        "war fighting battle clashes hostilities offensive",
        "violence dispute struggle crisis",
        "troops army rebels militants shelling airstrike airstrikes rockets ceasefire truce killed wounded civilians "
        "captured town border casualties",
    ),
    "impact event": (
        "meteor meteorite asteroid impact fireball bolide",
        "object space phenomenon explosion event",
        "blast shockwave shock wave windows shattered glass injured buildings damaged fragments crater tons kiloton "
        "atmosphere sky flash scientists nasa lake cuts hospital",
    ),
    "epidemic": (
        "outbreak pandemic disease infection epidemic",
        "illness health emergency",
        "virus cases deaths infected quarantine vaccine hospital patients symptoms spread confirmed tested",
    ),
    "eruption": (
        "volcano eruption volcanic",
        "disaster phenomenon",
        "ash lava crater plume alert evacuated flights magma explosion",
    ),
}

_ALIASES = {
    "hurricane": "storm",
    "typhoon": "storm",
    "cyclone": "storm",
    "tornado": "storm",
    "blizzard": "storm",
    "wildfire": "fire",
    "volcano": "eruption",
    "disease": "epidemic",
    "attack": "bombing",
    "kidnapping": "hostage",
    "crash": "accident",
    "meteor": "impact event",
    "demonstration": "protest",
    "tsunami": "earthquake",
    "war": "conflict",
}

KINDS: tuple[str, ...] = tuple(_ENTRIES)
"""The kinds of event that have an entry."""


@lru_cache(maxsize=512)
def expand(query: str, title: str, kind: str, language: str = "english") -> Expansion:
    """The stems of the query (of the title where it has none) and of the entries that belong to it.

    An entry belongs to an event whose type it is, or whose query or title holds its name or one of its synonyms.
    The four sets have no stem in common.

    >>> found = expand("ferry fire", "", "accident")
    >>> sorted(found.query), "blaze" in found.synonyms, "captain" in found.narrower
    (['ferri', 'fire'], True, True)
    """
    stems_of = shared_analyzer(language).stems
    own = frozenset(stems_of(query)) or frozenset(stems_of(title))
    near = own | frozenset(stems_of(title))
    same: set[str] = set()
    wider: set[str] = set()
    narrower: set[str] = set()
    for name, (synonyms, broader, parts) in _ENTRIES.items():
        called = frozenset(stems_of(f"{name} {synonyms}"))
        if name != _ALIASES.get(kind, kind) and called.isdisjoint(near):
            continue
        same |= called
        wider.update(stems_of(broader))
        narrower.update(stems_of(parts))
    same -= own
    wider -= own | same
    narrower -= own | same | wider
    return Expansion(own, frozenset(same), frozenset(wider), frozenset(narrower))
