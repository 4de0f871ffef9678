"""Write the lists of places and names that the recogniser looks into: src/tidings/analysis/names/gazetteers/*.txt.

    python scripts/write_gazetteers.py --geonames FOLDER --census FOLDER --names FOLDER

The first folder holds GeoNames' cities, countries and states as JSON (`cities15000.json`, `countries.json`,
`us_states.json`), the second the name lists of the US Census of 1990 (`dist.all.last`, `dist.male.first`,
`dist.female.first`), the third the package Faker, whose providers list given names and surnames of some eighty
languages and countries; those in Cyrillic are put in Latin letters. Only names are kept, one a line in lower case, most
populous or most frequent first; given names of the census with `m` or `f` where nearly all who bear one are men, women.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

HOME = Path(__file__).parent.parent / "src" / "tidings" / "analysis" / "names" / "gazetteers"
LEAST_PEOPLE = 50_000
SURNAMES = 8_000
GEONAMES = "Names of GeoNames (geonames.org), CC BY 4.0; selected and put in lower case."
FAKER = "Given names and surnames of Faker's providers (Copyright 2012 Daniele Faraglia, MIT licence)."
CENSUS = "Names of the US Census of 1990 (public domain); selected and put in lower case."


def plain(name: str) -> str:
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()


def spelt(names: Iterable[str], least: int = 2) -> list[str]:
    kept: dict[str, None] = {}
    for name in names:
        for form in (name, plain(name)):
            low = form.lower().replace("’", "'").strip()
            if len(low) > least and not any(mark in low for mark in "(),/0123456789"):
                kept[low] = None
    return list(kept)


CYRILLIC = list(
    "а б в г д е ж з и й к л м н о п р с т у ф х ц ч ш щ ы э ю я ё і ї є ґ ј љ њ ћ ђ џ ѓ ќ ѕ".replace(" ", "")
)
LATIN = "a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch y e yu ya yo i yi ye g j lj nj c dj dz gj kj dz"
LETTERS = dict(zip(CYRILLIC, LATIN.split(), strict=True)) | {"ъ": "", "ь": ""}


def in_latin(name: str) -> str:
    return "".join(LETTERS.get(char, char) for char in name.lower())


def listed(names: object) -> list[str]:
    if isinstance(names, dict):
        names = list(names)
    if not isinstance(names, (list, tuple)):
        return []
    return [str(one[-1]) if isinstance(one, (list, tuple)) else str(one) for one in names]


def names_of_the_world(folder: Path) -> tuple[list[str], list[str]]:
    sys.path.insert(0, str(folder))
    from faker.providers import person

    first: dict[str, None] = {}
    last: dict[str, None] = {}
    for module in sorted(one.name for one in pkgutil.iter_modules(person.__path__)):
        provider = importlib.import_module(f"faker.providers.person.{module}").Provider
        for attribute in sorted(vars(provider)):
            kind = first if "first" in attribute else last if "last" in attribute else None
            if kind is None or attribute.startswith("_") or "format" in attribute:
                continue
            for name in listed(getattr(provider, attribute)):
                latin = in_latin(name)
                if all("LATIN" in unicodedata.name(char, "") for char in latin if char.isalpha()):
                    kind[latin] = None
    return [" ".join(one.split()) for one in first], [" ".join(one.split()) for one in last]


def gender_of(shares: dict[str, float]) -> str:
    for gender, other in (("m", "f"), ("f", "m")):
        if shares.get(gender, 0.0) > 4 * shares.get(other, 0.0):
            return gender
    return ""


def write(file: str, names: list[str], origin: str) -> None:
    (HOME / file).write_text("\n".join([f"# {origin}", *names]) + "\n", encoding="utf-8")
    print(f"{file}: {len(names):,} names")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--geonames", type=Path, required=True)
    parser.add_argument("--census", type=Path, required=True)
    parser.add_argument("--names", type=Path, required=True)
    given = parser.parse_args()
    cities = json.loads((given.geonames / "cities15000.json").read_text(encoding="utf-8")).values()
    cities = sorted(cities, key=lambda city: (-city["population"], city["geonameid"]))
    large = [city for city in cities if city["population"] >= LEAST_PEOPLE]
    write("cities.txt", spelt(city["name"] for city in large), GEONAMES)
    countries = json.loads((given.geonames / "countries.json").read_text(encoding="utf-8"))
    write("countries.txt", spelt(country["name"] for country in countries.values()), GEONAMES)
    states = json.loads((given.geonames / "us_states.json").read_text(encoding="utf-8"))
    write("states.txt", spelt(state["name"] for state in states.values()), GEONAMES)
    shares: dict[str, dict[str, float]] = {}
    for file, gender in (("dist.male.first", "m"), ("dist.female.first", "f")):
        for line in (given.census / file).read_text(encoding="ascii").splitlines():
            name, share = line.split()[:2]
            shares.setdefault(name.lower(), {})[gender] = float(share)
    ordered = sorted(shares, key=lambda name: (-sum(shares[name].values()), name))
    write("first_names.txt", [f"{name} {gender_of(shares[name])}".strip() for name in ordered], CENSUS)
    last = [
        line.split()[0] for line in (given.census / "dist.all.last").read_text(encoding="ascii").splitlines()
    ]
    write("surnames.txt", spelt(last[:SURNAMES]), CENSUS)
    given_names, surnames = names_of_the_world(given.names)
    write("world_first_names.txt", sorted(spelt(one for one in given_names if " " not in one)), FAKER)
    write("world_surnames.txt", sorted(spelt((one for one in surnames if " " not in one), 1)), FAKER)


if __name__ == "__main__":
    main()
