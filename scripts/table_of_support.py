"""How much of what is said again is counted as support, on the bundled event: docs/evaluation/comparing.md.

    python scripts/table_of_support.py tidings cosine
    python scripts/table_of_support.py --pairs ../shared/data      # the labelled pairs of labels/supports

A support is right if its sentence shares a marked fact with its update. `pairs` are the updates and other outlets of
which some sentence within two days shares one, be it only in passing; `pairs counted` are those that support counts.
"""

from __future__ import annotations

import csv
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from digest_weights import read_articles
from msgspec.structs import replace

from tidings import read_documents
from tidings.core.records import Document, Event, Sentence, Support, Update
from tidings.core.text.sentences import cut
from tidings.following.systems.decider import Decider
from tidings.following.systems.registry import make
from tidings.following.systems.support import KEEP_S, SupportCounter, SupportCounting
from tidings.live.verbs.serve_demo import demo_events, demo_streams
from tidings.sources import bundled
from tidings.sources.streams import read_events, read_judgments, read_stream

OUTLETS = ("tls/bpoil_bbc", "tls-outlets/bpoil_foxnews", "tls/H1N1_bbc", "tls-outlets/H1N1_guardian")
HALVES = {1: ("tuning", "aside"), 2: ("tuning-2", "aside-2"), 3: ("aside-3",)}
LABELS = Path(__file__).parents[1] / "labels" / "supports" / "pairs.tsv"


def sentences_of(documents: list[Document]) -> dict[str, Sentence]:
    """The sentences of documents by `doc-sentence`, in the order of their times."""
    sentences = [sentence for document in map(cut, documents) for sentence in document.sentences]
    sentences.sort(key=lambda one: (one.published_time, one.doc_id, one.index))
    return {f"{one.doc_id}-{one.index}": one for one in sentences}


def articles_of(folder: Path) -> Iterator[Document]:
    """The articles of one outlet, under ids that no other outlet has."""
    outlet = folder.name.rpartition("_")[2]
    for one in read_articles(folder / "articles.jsonl.gz"):
        yield replace(one, id=f"{outlet}-{one.id}", source=outlet)


def is_counted(event: Event, sentences: dict[str, Sentence], update: str, sentence: str) -> bool:
    """Whether a sentence is counted as saying an update, after the two days before both.

    Other sentences of its outlet are left out: an outlet is counted once, with whichever comes first.
    """
    outlet = sentences[sentence].source
    first, last = sorted((sentences[update], sentences[sentence]), key=lambda one: one.published_time)
    since = first.published_time - KEEP_S
    before = [
        one for one in sentences.values()
        if since <= one.published_time <= first.published_time
        and one not in (first, last)
        and one.source != outlet
    ]  # fmt: skip
    counter = SupportCounter(event)
    counter.count(before, [], first.published_time)
    supports = []
    for one in (first, last):
        now, text, source = one.published_time, one.text, one.source
        said = Update(event.id, one.doc_id, one.index, now, 1.0, text, now, source, one.title, one.url)
        supports += counter.count([one], [said] if one is sentences[update] else [], now)
    return any(
        one.same and f"{one.evidence.doc_id}-{one.evidence.sentence_index}" == sentence for one in supports
    )


def score_pairs(data: Path, halves: Sequence[str]) -> None:
    """Print precision and recall on the labelled pairs, by half and stream."""
    streams = {
        "demo": sentences_of([one for path in demo_streams() for one in read_documents(path)]),
        "feeds": sentences_of(
            [one for path in sorted((data / "feeds/news").iterdir()) for one in read_documents(path)]
        ),
        "outlets": sentences_of([one for path in OUTLETS for one in articles_of(data / path)]),
    }
    events = {f"demo/{standing.event.id}": standing.event for standing in demo_events()}
    counts: dict[tuple[str, str], Counter[tuple[bool, bool]]] = defaultdict(Counter)
    with LABELS.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            kind, _, query = row["stream"].partition("/")
            if row["half"] not in halves:
                continue
            event = events.get(row["stream"]) or Event(id="e", title="", query=query)
            counted = is_counted(event, streams[kind], row["update"], row["sentence"])
            for group in (kind, "all"):
                counts[row["half"], group][row["label"] == "y", counted] += 1
    print("| half | streams | pairs | the same claim | counted | precision | recall |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for half in halves:
        for group in (*streams, "all"):
            if not (of := counts[half, group]):
                continue
            right, same, counted = (
                of[True, True],
                of[True, True] + of[True, False],
                of[True, True] + of[False, True],
            )
            cells = f"{of.total()} | {same} | {counted} | {right / max(counted, 1):.2f} | {right / max(same, 1):.2f}"
            print(f"| {half} | {group} | {cells} |")


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", help="systems to score on the bundled event")
    parser.add_argument(
        "--pairs", type=Path, metavar="FOLDER", help="score the labelled pairs of these data instead"
    )
    parser.add_argument(
        "--drawn", type=int, choices=[*HALVES], default=1, help="the first pairs, the second, or the third"
    )
    given = parser.parse_args()
    if given.pairs:
        score_pairs(given.pairs, HALVES[given.drawn])
        return
    folder = bundled.path()
    documents = [cut(one) for one in sorted(read_stream(folder), key=lambda one: one.published_time)]
    facts: dict[str, set[str]] = defaultdict(set)
    for match in read_judgments(folder).matches:
        facts[match.update_id].add(match.nugget_id)
    print(
        "system  updates  supports  of them right  update and outlet that has a fact of it  of them counted"
    )
    for spec in given.systems:
        follower = Decider(make(spec), (SupportCounting(),)).start(read_events(folder)[0])
        outputs = [one for each in documents for one in follower.push(each.sentences, each.published_time)]
        updates = [one for one in outputs if isinstance(one, Update)]
        supports = [one for one in outputs if isinstance(one, Support) and one.same]
        right = sum(
            not facts[f"{one.doc_id}-{one.sentence_index}"].isdisjoint(
                facts[f"{one.evidence.doc_id}-{one.evidence.sentence_index}"]
            )
            for one in supports
        )
        pairs = {
            (update.id, each.source)
            for update in updates
            for each in documents
            if each.source != update.source and abs(each.published_time - update.time) <= KEEP_S
            and any(facts[f"{one.doc_id}-{one.index}"] & facts[update.id] for one in each.sentences)
        }  # fmt: skip
        counted = {(f"{one.doc_id}-{one.sentence_index}", one.evidence.source) for one in supports}
        print(f"`{spec}`  {len(updates)}  {len(supports)}  {right}  {len(pairs)}  {len(counted & pairs)}")


if __name__ == "__main__":
    main()
