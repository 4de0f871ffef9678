"""How much of what is said again is counted as support, on the bundled event: docs/evaluation/comparing.md.

    python scripts/table_of_support.py tidings cosine
    python scripts/table_of_support.py --pairs ../shared/data      # the labelled pairs of labels/supports
    python scripts/table_of_support.py --pairs ../shared/data --fit  # learn the clues from drawn 1 and 2

A support is right if its sentence shares a marked fact with its update. `pairs` are the updates and other outlets of
which some sentence within two days shares one, be it only in passing; `pairs counted` are those that support counts.
"""

from __future__ import annotations

import csv
import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from digest_weights import read_articles
from msgspec.structs import replace
from story_learning import fit

from tidings import read_documents
from tidings.core.records import Document, Event, Sentence, Support, Update
from tidings.core.text.sentences import cut
from tidings.following.systems.decider import Decider
from tidings.following.systems.registry import make
from tidings.following.systems.support import CLUES, KEEP_S, WEIGHTS, SupportCounter, SupportCounting
from tidings.live.verbs.serve_demo import demo_events, demo_streams
from tidings.sources import bundled
from tidings.sources.streams import read_events, read_judgments, read_stream

OUTLETS = ("tls/bpoil_bbc", "tls-outlets/bpoil_foxnews", "tls/H1N1_bbc", "tls-outlets/H1N1_guardian")
HALVES = {1: ("tuning", "aside"), 2: ("tuning-2", "aside-2"), 3: ("aside-3",)}
LABELS = Path(__file__).parents[1] / "labels" / "supports" / "pairs.tsv"
FOLDS = 10
PRECISION = (0.97, 1.0)
"""On topics left out: the bound lies halfway between those that give these, since other streams are harder."""


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


def counter_before(
    event: Event, sentences: dict[str, Sentence], update: str, sentence: str
) -> tuple[SupportCounter, list[Sentence]]:
    """A counter that has read the two days before an update and a sentence, and both in the order of their times.

    Other sentences of its outlet are left out: an outlet is counted once, with whichever comes first.
    """
    outlet = sentences[sentence].source
    both = sorted((sentences[update], sentences[sentence]), key=lambda one: one.published_time)
    since = both[0].published_time - KEEP_S
    before = [
        one for one in sentences.values()
        if since <= one.published_time <= both[0].published_time and one not in both and one.source != outlet
    ]  # fmt: skip
    counter = SupportCounter(event)
    counter.count(before, [], both[0].published_time)
    return counter, both


def is_counted(event: Event, sentences: dict[str, Sentence], update: str, sentence: str) -> bool:
    """Whether a sentence is counted as saying an update."""
    counter, both = counter_before(event, sentences, update, sentence)
    supports = []
    for one in both:
        now, text, source = one.published_time, one.text, one.source
        said = Update(event.id, one.doc_id, one.index, now, 1.0, text, now, source, one.title, one.url)
        supports += counter.count([one], [said] if one is sentences[update] else [], now)
    return any(
        one.same and f"{one.evidence.doc_id}-{one.evidence.sentence_index}" == sentence for one in supports
    )


class Pairs:
    """The labelled pairs of some halves, with their sentences and what is followed."""

    def __init__(self, data: Path, halves: Sequence[str]) -> None:
        feeds = sorted((data / "feeds/news").iterdir())
        self.streams = {
            "demo": sentences_of([one for path in demo_streams() for one in read_documents(path)]),
            "feeds": sentences_of([one for path in feeds for one in read_documents(path)]),
            "outlets": sentences_of([one for path in OUTLETS for one in articles_of(data / path)]),
        }
        self._events = {f"demo/{standing.event.id}": standing.event for standing in demo_events()}
        with LABELS.open(encoding="utf-8") as file:
            self.rows = [row for row in csv.DictReader(file, delimiter="\t") if row["half"] in halves]

    def of(self, row: dict[str, str]) -> tuple[Event, dict[str, Sentence], str, str]:
        """The event, the sentences of the stream, the update and the sentence."""
        kind, _, query = row["stream"].partition("/")
        event = self._events.get(row["stream"]) or Event(id="e", title="", query=query)
        return event, self.streams[kind], row["update"], row["sentence"]

    def topics(self) -> list[str]:
        """Of each pair what it is about: in feeds, queries that share an update or a claim are one topic."""
        parents: dict[str, str] = {}

        def top(name: str) -> str:
            while (parent := parents.setdefault(name, name)) != name:
                name = parent
            return name

        for row in self.rows:
            if row["stream"].startswith("feeds/"):
                parents[top(row["update"])] = top(row["stream"])
                if row["label"] == "y":
                    parents[top(row["sentence"])] = top(row["stream"])
        return [top(row["stream"]) for row in self.rows]


def learn(data: Path) -> None:
    """Learn what the clues count, say how that does on topics left out, and write it down."""
    pairs = Pairs(data, [half for number in (1, 2) for half in HALVES[number]])
    rows, may = np.zeros((len(pairs.rows), 1 + len(CLUES))), np.zeros(len(pairs.rows), bool)
    same = np.array([row["label"] == "y" for row in pairs.rows], float)
    for number, row in enumerate(pairs.rows):
        event, sentences, update, sentence = pairs.of(row)
        reader = counter_before(event, sentences, update, sentence)[0].reader
        one, other = (reader.content(sentences[name].text) for name in (update, sentence))
        clues = reader.clues(one, other)
        may[number] = len(clues) == len(CLUES) and reader.may_say(one, other)
        rows[number] = (1.0, *clues) if may[number] else 0.0
    topics = np.array(pairs.topics())
    names = sorted(set(topics), key=lambda name: (-int((topics == name).sum()), name))
    folds = np.array([names.index(topic) % FOLDS for topic in topics])
    scores = np.full(len(rows), -np.inf)
    for fold in range(FOLDS):
        scores[may & (folds == fold)] = rows[may & (folds == fold)] @ fit(
            rows[may & (folds != fold)], same[may & (folds != fold)]
        )
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(same[order])
    precision, recall = right / np.arange(1, len(rows) + 1), right / same.sum()
    for least in (0.99, 0.97, 0.95, 0.9):
        last = np.nonzero(precision >= least)[0][-1]
        print(f"{len(names)} topics: precision {precision[last]:.2f}, recall {recall[last]:.2f}")
    bounds = [scores[order][np.nonzero(precision >= least)[0][-1]] for least in PRECISION]
    bound = float(np.mean(bounds))
    bias, *counts = (round(float(weight), 3) for weight in fit(rows[may], same[may]))
    learned = {
        "learned_from": "labels/supports, drawn 1 and 2 (scripts/table_of_support.py --fit)",
        "weights": dict(zip(CLUES, counts, strict=True)),
        "bound": round(bound - bias, 3),
    }
    WEIGHTS.write_text(json.dumps(learned, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(learned))


def score_pairs(data: Path, halves: Sequence[str]) -> None:
    """Print precision and recall on the labelled pairs, by half and stream."""
    pairs = Pairs(data, halves)
    counts: dict[tuple[str, str], Counter[tuple[bool, bool]]] = defaultdict(Counter)
    for row in pairs.rows:
        counted = is_counted(*pairs.of(row))
        for group in (row["stream"].partition("/")[0], "all"):
            counts[row["half"], group][row["label"] == "y", counted] += 1
    print("| half | streams | pairs | the same claim | counted | precision | recall |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for half in halves:
        for group in (*pairs.streams, "all"):
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
    parser.add_argument("--fit", action="store_true", help="learn what the clues count from the first two")
    given = parser.parse_args()
    if given.pairs and given.fit:
        learn(given.pairs)
        return
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
