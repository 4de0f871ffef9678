"""Print how much of a story each of several wordings of it finds, in one stream of many stories.

python scripts/table_of_wordings.py --data ../shared/data [--system tidings] [--all]

The articles of eight streams of Timeline17 and other outlets and of ten persons (thinned) are merged in the order of
time, so that thirteen stories, asked for in 57 wordings, stand among each other. Printed for each story, or with --all
for each wording: updates (at most 40 a day), the share of them that is from the story's own articles, and how many of
the days the worst and the median wording cover that the best one does.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median_low
from typing import NamedTuple

import tidings
from tidings.core import DAY_S, Document, Update

STREAMS = {
    "H1N1": ("tls/H1N1_bbc", "tls-outlets/H1N1_guardian"),
    "Michael Jackson": ("tls/MJ_bbc",),
    "Syria": ("tls/SyrianCrisis_bbc",),
    "BP": ("tls/bpoil_bbc", "tls-outlets/bpoil_foxnews"),
    "Haiti": ("tls/haiti_bbc",),
    "Libya": ("tls-outlets/LibyaWar_cnn",),
}
PERSONS = {
    "Julian_Assange": 3,
    "Oscar_Pistorius": 2,
    "Hamid_Karzai": 3,
    "Jacob_Zuma": 2,
    "Enron": 4,
    "Dominique_Strauss-Kahn": 1,
    "Lance_Armstrong": 4,
    "Steve_Jobs": 4,
    "Dilma_Rousseff": 1,
    "David_Bowie": 6,
}
"""Of the articles of each, one in so many."""
WORDINGS = {
    "H1N1": "swine flu; h1n1 pandemic; h1n1; swine flu outbreak mexico; flu pandemic 2009; swine influenza vaccine",
    "Michael Jackson": "michael jackson death; michael jackson; conrad murray trial; jackson doctor manslaughter; "
    "king of pop death; death of michael jackson",
    "Syria": "syria; syrian uprising; syria civil war; assad crackdown protests; syria crisis; "
    "damascus violence assad regime",
    "BP": "bp oil spill; gulf of mexico oil spill; deepwater horizon; oil leak gulf; deepwater horizon explosion; "
    "louisiana oil slick",
    "Haiti": "haiti earthquake; haiti quake; earthquake port-au-prince; haiti disaster aid; "
    "haitian earthquake victims; haiti",
    "Libya": "libya war; libya; gaddafi; libya gadhafi; qaddafi libya; libya war gaddafi; libyan uprising; "
    "libyan rebels nato",
    "Julian_Assange": "julian assange; wikileaks; assange extradition; wikileaks founder sweden",
    "Oscar_Pistorius": "oscar pistorius; pistorius trial; reeva steenkamp shooting",
    "Hamid_Karzai": "hamid karzai; karzai afghanistan; afghan president",
    "Jacob_Zuma": "jacob zuma; south africa president; zuma anc",
    "Enron": "enron; enron collapse; enron scandal",
    "Dominique_Strauss-Kahn": "dominique strauss-kahn; strauss-kahn arrest; imf chief new york",
    "Lance_Armstrong": "lance armstrong; armstrong doping",
}


class Found(NamedTuple):
    """What a wording found: updates, the share of them of the story, and the days that these cover."""

    wording: str
    updates: int
    own: float
    days: int


def _lines(path: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, gzip.decompress(path.read_bytes()).decode("utf-8").splitlines())


def read_documents(data: Path) -> tuple[list[Document], dict[str, str]]:
    """The merged stream, and the story of each document."""
    documents, story_of = [], {}
    for story, folders in STREAMS.items():
        for folder in folders:
            for record in _lines(data / folder / "articles.jsonl.gz"):
                time = record["time"] if "T" in record["time"] else f"{record['time']}T12:00:00"
                document = Document(
                    id=f"{folder}-{record['id']}",
                    published_time=int(datetime.fromisoformat(time[:19]).replace(tzinfo=UTC).timestamp()),
                    title=record.get("title") or "",
                    text=record["text"],
                    source=folder,
                )
                documents.append(document)
                story_of[document.id] = story
    for person, thinned in PERSONS.items():
        for number, record in enumerate(_lines(data / f"tls-persons/{person}/stream.jsonl.gz")):
            if number % thinned == 0:
                time = datetime.fromisoformat(record["published_time"].replace("Z", "+00:00"))
                document = Document(
                    id=record["id"],
                    published_time=int(time.timestamp()),
                    title=record["title"],
                    text="\n".join(record["sentences"]),
                    source=person,
                )
                documents.append(document)
                story_of[document.id] = person
    return sorted(documents, key=lambda document: (document.published_time, document.id)), story_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--system", default="tidings")
    parser.add_argument("--all", action="store_true", help="a row for each wording")
    options = parser.parse_args()
    documents, story_of = read_documents(options.data)
    day_of = {document.id: document.published_time // DAY_S for document in documents}
    events = [
        {"id": f"{story}:{number}".replace(" ", "-"), "title": wording, "query": wording}
        for story, wordings in WORDINGS.items()
        for number, wording in enumerate(wordings.split("; "))
    ]
    sources: dict[str, list[str]] = defaultdict(list)
    for output in tidings.follow(
        iter(documents), events=events, system=options.system, about="up to 40/day", mixed=True
    ):
        if isinstance(output, Update):
            sources[output.event_id].append(output.doc_id)
    if options.all:
        print("| story | wording | updates | of the story | days | of the best |\n|---|---|---|---|---|---|")
    else:
        print("| story | wordings | worst | its days of the best | median | updates | of the story |")
        print("|---|---|---|---|---|---|---|")
    worst, medians, own_shares = [], [], []
    for story, wordings in WORDINGS.items():
        found = []
        for number, wording in enumerate(wordings.split("; ")):
            ids = sources[f"{story}:{number}".replace(" ", "-")]
            own = [name for name in ids if story_of[name] == story]
            found.append(
                Found(wording, len(ids), len(own) / max(1, len(ids)), len({day_of[name] for name in own}))
            )
        best = max(1, *(each.days for each in found))
        last = min(found, key=lambda each: each.days)
        worst.append(last.days / best)
        medians.append(median_low([each.days for each in found]) / best)
        updates = sum(each.updates for each in found)
        own_shares.append(sum(each.own * each.updates for each in found) / max(1, updates))
        if options.all:
            for each in found:
                print(
                    f"| {story} | {each.wording} | {each.updates} | {each.own:.2f} | {each.days} | "
                    f"{each.days / best:.2f} |"
                )
        else:
            print(
                f"| {story.replace('_', ' ')} | {len(found)} | {last.wording} | {worst[-1]:.2f} | "
                f"{medians[-1]:.2f} | {updates} | {own_shares[-1]:.2f} |"
            )
    print(
        f"\nMeans over {len(WORDINGS)} stories: worst wording's days of the best {mean(worst):.3f}, median "
        f"{mean(medians):.3f}; updates of the story {mean(own_shares):.3f}."
    )


if __name__ == "__main__":
    main()
