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

TELLING: dict[str, str] = read_toml(SOURCE / "telling.toml")
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
    for name, pattern in TELLING.items():
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
