"""Write the lists of places and names that the recogniser looks into: src/tidings/entities/gazetteers/*.txt.

    python scripts/write_gazetteers.py --geonames FOLDER --census FOLDER

The one folder holds GeoNames' cities, countries and states as JSON (`cities15000.json`, `countries.json`,
`us_states.json`), the other the name lists of the US Census of 1990 (`dist.all.last`, `dist.male.first`,
`dist.female.first`). Only names are kept, one a line in lower case, most populous or most frequent first.
"""

from __future__ import annotations

import argparse
import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path

HOME = Path(__file__).parent.parent / "src" / "tidings" / "entities" / "gazetteers"
LEAST_PEOPLE = 50_000
SURNAMES = 8_000
GEONAMES = "Names of GeoNames (geonames.org), CC BY 4.0; selected and put in lower case."
CENSUS = "Names of the US Census of 1990 (public domain); selected and put in lower case."


def plain(name: str) -> str:
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()


def spelt(names: Iterable[str]) -> list[str]:
    kept: dict[str, None] = {}
    for name in names:
        for form in (name, plain(name)):
            low = form.lower().replace("’", "'").strip()
            if len(low) > 2 and not any(mark in low for mark in "(),/0123456789"):
                kept[low] = None
    return list(kept)


def write(file: str, names: list[str], origin: str) -> None:
    (HOME / file).write_text("\n".join([f"# {origin}", *names]) + "\n", encoding="utf-8")
    print(f"{file}: {len(names):,} names")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--geonames", type=Path, required=True)
    parser.add_argument("--census", type=Path, required=True)
    given = parser.parse_args()
    cities = json.loads((given.geonames / "cities15000.json").read_text(encoding="utf-8")).values()
    cities = sorted(cities, key=lambda city: (-city["population"], city["geonameid"]))
    large = [city for city in cities if city["population"] >= LEAST_PEOPLE]
    write("cities.txt", spelt(city["name"] for city in large), GEONAMES)
    countries = json.loads((given.geonames / "countries.json").read_text(encoding="utf-8"))
    write("countries.txt", spelt(country["name"] for country in countries.values()), GEONAMES)
    states = json.loads((given.geonames / "us_states.json").read_text(encoding="utf-8"))
    write("states.txt", spelt(state["name"] for state in states.values()), GEONAMES)
    first: dict[str, float] = {}
    for file in ("dist.male.first", "dist.female.first"):
        for line in (given.census / file).read_text(encoding="ascii").splitlines():
            name, share = line.split()[:2]
            first[name] = first.get(name, 0.0) + float(share)
    write("first_names.txt", spelt(sorted(first, key=lambda name: (-first[name], name))), CENSUS)
    last = [line.split()[0] for line in (given.census / "dist.all.last").read_text(encoding="ascii").splitlines()]
    write("surnames.txt", spelt(last[:SURNAMES]), CENSUS)


if __name__ == "__main__":
    main()
