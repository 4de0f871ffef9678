"""Read-through lists for the judgments of the bundled event.

python scripts/audit_bundled_event.py matches     nugget, then every sentence that says it
python scripts/audit_bundled_event.py missing     sentences with a telling word and without the nugget
python scripts/audit_bundled_event.py clusters    cluster, then its sentences
python scripts/audit_bundled_event.py unjudged    sentences with neither nugget nor cluster
python scripts/audit_bundled_event.py counts      the figures that docs/sources/bundled-event.md gives
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from datetime import UTC, datetime

from build_bundled_event import SOURCE, Article, Line, cluster_of, read_articles, read_toml, seconds

TELLING = {
    "derail": r"derail|left the rails|left the track|came off|off the rails",
    "angrois": r"Angrois|kilomet\w+ (from|short)",
    "clock": r"20[.:]41|1841|8\.41",
    "route": r"Ferrol",
    "aboard": r"218|aboard|on board",
    "overturned": r"overturn|on (its|their) side|on top of|piled|turned over|jack-?knif",
    "thrown": r"hurled|flung|thrown|over the (wall|embankment)",
    "fire": r"\bfire\b|burn|smoke|flames",
    "curve": r"\bcurve\b|\bbend\b",
    "worst": r"worst|deadliest",
    "bang": r"\bbang\b|blast|explosion|shook",
    "attack": r"explosion|attack|bomb",
    "no-attack": r"attack|an accident",
    "residents": r"resident|neighbour|villager|people of Angrois",
    "blood-call": r"blood",
    "blood-queue": r"blood|donor",
    "firefighters": r"firefighter|on strike|off duty|holiday",
    "morgue": r"arena|morgue|Fontes",
    "families": r"Cersia|relatives|families",
    "festival": r"festiv|firework|celebrat|programme",
    "eve": r"\beve\b|feast",
    "mourning-7": r"mourning",
    "mourning-3": r"mourning",
    "rajoy": r"Rajoy|prime minister",
    "native": r"native|born",
    "gaffe": r"China|Gansu|earthquake",
    "royals": r"\b[Kk]ing\b|[Qq]ueen",
    "funeral": r"funeral|mass\b|cathedral",
    "nations": r"nationalit|foreign|Americ|Mexic|Alger|Brit",
    "limit-80": r"\b80\b|\blimit\b|eighty",
    "speed-190": r"\b190|twice",
    "radio": r"radio",
    "video": r"video|camera",
    "inspected": r"inspect|fault|checked",
    "ertms": r"ERTMS|European",
    "asfa": r"ASFA",
    "braking-4km": r"brak",
    "recorder": r"recorder|black box",
    "opened": r"opened|recorder",
    "speed-192": r"192",
    "speed-153": r"153",
    "phone": r"phone|\bcall",
    "document": r"document|map|paper",
    "guard-call": r"guard|conductor|inspector",
    "survived": r"driver",
    "inquiry": r"judge|court|investigation|inquiry",
    "suspect": r"suspect|investigat|police guard",
    "detained": r"detain|arrest|custody",
    "silent": r"declin|refus|silent|statement",
    "custody": r"custody|police station|discharg",
    "court": r"court|judge",
    "charged": r"accus|charge|homicide|reckless",
    "released": r"releas|free|bail",
    "conditions": r"passport|weekly|licen",
    "line": r"reopen|line|trains ",
    "cranes": r"crane|clear|lift",
    "parliament": r"parliament|Congress",
    "injured": r"injur|hurt|wounded",
    "identified": r"identif|DNA|forensic",
}
NUMBER = r"\d+|ten|twenty|thirty-five|forty-five|fifty-six|sixty|seventy-\w+|eighty"
TOLL = rf"\b({NUMBER})\b.*(dead|died|killed|lives|deaths)|toll"


def rows() -> list[tuple[Article, int, Line]]:
    """Every sentence of the stream with its document and index."""
    return [
        (article, index, line)
        for article in read_articles(SOURCE)
        for index, line in enumerate(article.lines)
    ]


def shown(article: Article, index: int, line: Line) -> str:
    """Day, time, outlet and text of one sentence."""
    stamp = datetime.fromtimestamp(article.time, UTC).strftime("%d %H:%M")
    return f"{stamp} {article.outlet}-{index} [{article.where}] {line.text}"


def matches() -> None:
    """Nugget, then what says it."""
    nuggets = read_toml(SOURCE / "nuggets.toml")["nuggets"]
    said = defaultdict(list)
    for article, index, line in rows():
        for span in line.spans:
            said[span.nugget].append((article, index, line, span))
    for name, fact in nuggets.items():
        print(f"\n## {name} ({fact['importance']}, {fact['time']}) {fact['text']}: {len(said[name])}")
        for article, index, line, span in said[name]:
            early = " TOO EARLY" if article.time < seconds(fact["time"]) else ""
            text = f"{line.text[: span.start]}[{line.text[span.start : span.end]}]{line.text[span.end :]}"
            stamp = datetime.fromtimestamp(article.time, UTC).strftime("%d %H:%M")
            print(f"  {stamp} {article.outlet}-{index}{early} | {text}")


def missing() -> None:
    """Sentences with a telling word of a nugget and no such match; tolls together."""
    groups = {**TELLING}
    for name, pattern in groups.items():
        print(f"\n## {name}")
        for article, index, line in rows():
            names = {span.nugget for span in line.spans}
            hit = any(one == name or one.startswith(name) for one in names)
            if name == "injured":
                hit = hit or bool(
                    names & {"treated-178", "hospital-95", "critical-36", "hospital-81", "hospital-70"}
                )
            if re.search(pattern, line.text, re.I if name != "royals" else 0) and not hit:
                print("  ", shown(article, index, line))
    print("\n## tolls")
    for article, index, line in rows():
        names = {span.nugget for span in line.spans}
        if re.search(TOLL, line.text, re.I) and not any(re.match("toll|corr", name) for name in names):
            print("  ", shown(article, index, line))


def clusters() -> None:
    """Cluster, then its sentences."""
    facts = read_toml(SOURCE / "nuggets.toml")
    held = defaultdict(list)
    for row in rows():
        held[cluster_of(row[2], facts["nuggets"])].append(row)
    for name, label in facts["clusters"].items():
        print(f"\n## {name}: {label}: {len(held[name])}")
        for row in held[name]:
            print("  ", shown(*row))


def unjudged() -> None:
    """Sentences with neither nugget nor cluster."""
    facts = read_toml(SOURCE / "nuggets.toml")
    for row in rows():
        if not row[2].spans and not cluster_of(row[2], facts["nuggets"]):
            print(shown(*row))


def counts() -> None:
    """The figures of the documentation."""
    facts = read_toml(SOURCE / "nuggets.toml")
    articles = read_articles(SOURCE)
    every = rows()
    late = [
        max(other.time for other in articles[: place + 1]) - article.time
        for place, article in enumerate(articles)
    ]
    print("documents", len(articles), "sentences", len(every))
    print("copies", sum(bool(article.copy_of) for article in articles))
    print("as text", sum(article.as_text for article in articles))
    print("documents without a nugget", sum(not any(x.spans for x in a.lines) for a in articles))
    print("matches", sum(len(row[2].spans) for row in every))
    print("sentences with a nugget", sum(bool(row[2].spans) for row in every))
    print("nuggets", len(facts["nuggets"]), Counter(f["importance"] for f in facts["nuggets"].values()))
    print(
        "clusters",
        len(facts["clusters"]),
        "sentences",
        sum(bool(cluster_of(r[2], facts["nuggets"])) for r in every),
    )
    print(
        "out of order",
        sum(x > 0 for x in late),
        "largest lateness",
        max(late),
        sorted(x for x in late if x > 0),
    )
    print("per day", sorted(Counter(datetime.fromtimestamp(a.time, UTC).day for a in articles).items()))
    print("outlets", Counter(a.outlet for a in articles))


if __name__ == "__main__":
    {f.__name__: f for f in (matches, missing, clusters, unjudged, counts)}[sys.argv[1]]()
