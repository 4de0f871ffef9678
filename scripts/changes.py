"""Change Detection on judged events of TREC Temporal Summarization: a collection, weights, and a table.

    python scripts/changes.py make ../shared/data/trec-ts/2014 --out changes-2014
    python scripts/changes.py train ../shared/data/trec-ts/2013
    python scripts/changes.py table ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014

`make` writes documents.jsonl, topics.jsonl and changes.tsv. A topic is an event. Its questions are what its nuggets are
about (ASPECTS: a nugget belongs to the first aspect of which it holds a word), asked of the event's title. Documents
are those whose sentences were pooled, with these sentences as their text, all events in one stream. A document brings a
change on a question where one of its sentences matches a nugget of the question that no earlier day had; its gain is
that of its most important such nugget (importance 3: 10, 2: 5, else 1). The first documents of two nuggets are a
question's examples. Each day of the stream is judged for each topic, also where nothing changed on it.

`train` learns the weights of `tidings follow --topics`, and writes them into the package; `table` scores it beside
silence, BM25 that is never silent, and systems that follow each question as an event.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np

import tidings
from tidings.core import Document, PooledUpdate, Sentence, shared_analyzer
from tidings.evaluation.formats.changes import NOTHING, Change, write_changes
from tidings.evaluation.measures.changedet import prepare
from tidings.evaluation.measures.measure import Measure
from tidings.following.changes import answering
from tidings.following.changes.answering import (
    CLAIMS,
    FEATURES,
    ChangeTracker,
    ChangeWeights,
    QuestionMemory,
    TopicTerms,
    by_days,
    read_day,
    read_document,
    with_products,
)
from tidings.following.changes.formats import (
    Answer,
    ChangeRun,
    Head,
    Question,
    RankedDocument,
    Topic,
    TopicAnswers,
    write_change_topics,
)
from tidings.sources import read_judgments, write_documents

GAINS = {3: 10, 2: 5}
LEAST_NUGGETS = 3  # a question that fewer nuggets answer is about one fact
PENALTY = 20.0
ASPECTS = (
    (
        "toll",
        "How many people were killed, injured or are missing in the {title}?",
        r"kill|dead|death|die|injur|wound|hurt|missing|casualt|fatal|victim|bodies|toll|surviv|lives",
    ),
    (
        "suspects",
        "Who is suspected of or blamed for the {title}, and who was arrested or charged?",
        r"suspect|arrest|charg|gunm|shooter|detain|custody|trial|court|murder|guilty|accus|convict|bomber|attacker",
    ),
    (
        "cause",
        "What caused the {title}, and what do investigations find?",
        r"caus|because|investigat|brake|blame|fault|fail|speed|due to|triggered|origin|error|evidence|prob(?:e|ing)",
    ),
    (
        "damage",
        "What was damaged by the {title}, and what did it cost?",
        r"damag|destroy|collaps|power|outage|million|billion|cost|homes|houses|buildings|flood|econom|insur|closed|cancel",
    ),
    (
        "rescue",
        "How did rescuers, police and emergency services respond to the {title}?",
        r"rescu|evacuat|emergency|hospital|firefight|search|police|troops|aid|help|relief|shelter|coast guard|treated",
    ),
    (
        "reactions",
        "How did governments, leaders and the public react to the {title}?",
        r"presiden|minister|governm|condemn|mourn|protest|vote|statement|obama|leader|call(?:s|ed) for|thank|pray"
        r"|condolence|tweet",
    ),
    (
        "course",
        "When, where and how did the {title} happen?",
        r"\b(?:am|pm|hour|monday|tuesday|wednesday|thursday|friday|saturday|sunday|near|north|south|east|west|miles|km|"
        r"hit|struck|began|started|landfall|magnitude|crash|mph|winds|category)",
    ),
)


def aspect_of(text: str) -> int | None:
    """Which aspect a nugget belongs to."""
    return next((n for n, (_, _, words) in enumerate(ASPECTS) if re.search(words, text.lower())), None)


def day_of(time: int) -> str:
    """The day of a time, on the clock of UTC."""
    return datetime.datetime.fromtimestamp(time, datetime.UTC).date().isoformat()


@dataclass
class Collection:
    """A stream with topics and the changes in it; `new`: each (topic, question, document, sentence) that is new."""

    documents: list[Document]
    topics: list[Topic]
    changes: list[Change]
    new: set[tuple[str, str, str, int]]


def collect(folder: str) -> Collection:
    """The collection of a judged folder."""
    judgments = read_judgments(folder)
    pooled: dict[str, dict[int, PooledUpdate]] = defaultdict(dict)
    for update in judgments.pool:
        pooled[update.doc_id].setdefault(update.sentence_index, update)
    documents = []
    for doc_id, held in sorted(pooled.items(), key=lambda item: (int(item[0].split("-")[0]), item[0])):
        time = int(doc_id.split("-")[0])
        sentences = tuple(
            Sentence(doc_id, index, held[index].text.strip(), time, language="en") for index in sorted(held)
        )
        documents.append(Document(id=doc_id, published_time=time, sentences=sentences, language="en"))
    by_id = {document.id: document for document in documents}
    asked = {
        nugget.id: number for nugget in judgments.nuggets if (number := aspect_of(nugget.text)) is not None
    }
    importance = {nugget.id: nugget.importance for nugget in judgments.nuggets}
    matched: dict[tuple[str, int], dict[str, list[tuple[str, str, int]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for match in judgments.matches:
        doc_id, _, index = match.update_id.rpartition("-")
        if match.nugget_id in asked and doc_id in by_id and int(index) in pooled[doc_id]:
            place = sorted(pooled[doc_id]).index(int(index))
            found = day_of(by_id[doc_id].published_time), doc_id, place
            matched[match.event_id, asked[match.nugget_id]][match.nugget_id].append(found)
    result = Collection(documents, [], [], set())
    days = sorted({day_of(document.published_time) for document in documents})
    for event in judgments.events:
        questions = []
        answered: set[str] = set()
        for number, (name, question, _) in enumerate(ASPECTS):
            nuggets = matched[event.id, number]
            if len(nuggets) < LEAST_NUGGETS:
                continue
            earliest = sorted(min(found) for found in nuggets.values())
            examples = tuple(dict.fromkeys(doc_id for _, doc_id, _ in earliest))[:2]
            questions.append(Question(name, question.format(title=event.title), examples))
            gains: dict[tuple[str, str], int] = defaultdict(int)
            for nugget, found in nuggets.items():
                first = min(found)[0]
                for day, doc_id, place in found:
                    if day == first:
                        result.new.add((event.id, name, doc_id, place))
                        gain = GAINS.get(importance.get(nugget, 0), 1)
                        gains[day, doc_id] = max(gains[day, doc_id], gain)
            result.changes += [
                Change(event.id, day, name, doc, gain) for (day, doc), gain in sorted(gains.items())
            ]
            answered |= {day for day, _ in gains}
        if questions:
            narrative = f"I follow the {event.title} and want to know what is new: {event.query}."
            result.topics.append(Topic(event.id, event.title, narrative, tuple(questions)))
            result.changes += [
                Change(event.id, day, NOTHING, NOTHING, 0) for day in days if day not in answered
            ]
    return result


def make(folder: str, out: Path) -> None:
    """Write a collection."""
    found = collect(folder)
    out.mkdir(parents=True, exist_ok=True)
    write_documents(out / "documents.jsonl", found.documents)
    write_change_topics(out / "topics.jsonl", found.topics)
    write_changes(out / "changes.tsv", found.changes)
    questions = sum(len(topic.questions) for topic in found.topics)
    changes = sum(change.gain > 0 for change in found.changes)
    print(
        f"{out}: {len(found.documents):,} documents, {len(found.topics)} topics with {questions} questions, "
        f"{changes:,} changes"
    )


def learn(found: Collection, without: Sequence[str] = ()) -> ChangeWeights:
    """Logistic regression on a collection's sentences: is this new, and does it answer? `without` some features."""
    rows: list[list[float]] = []
    labels: list[bool] = []
    terms = [TopicTerms(topic) for topic in found.topics]
    memories = [
        [QuestionMemory.of(question, term) for question in topic.questions]
        for topic, term in zip(found.topics, terms, strict=True)
    ]
    for _, documents in by_days(found.documents):
        read = [read_document(document) for document in documents]
        for topic, term, questions in zip(found.topics, terms, memories, strict=True):
            for memory, document, evidence in read_day(term, questions, read):
                for place, row in evidence:
                    rows.append(row)
                    labels.append((topic.tid, memory.question.qid, document.id, place) in found.new)
    table = np.asarray(rows)
    table[:, [FEATURES.index(name) for name in without]] = 0.0
    columns, wanted = with_products(table), np.asarray(labels, dtype=float)
    means, deviations = columns.mean(0), columns.std(0)
    deviations[deviations == 0] = 1.0
    inputs = np.column_stack([np.ones(len(wanted)), (columns - means) / deviations])
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):  # Newton's method; the penalty keeps columns that are alike apart
        likely = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (likely - wanted) + PENALTY * weights
        curve = (inputs * (likely * (1 - likely))[:, None]).T @ inputs + PENALTY * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return ChangeWeights(float(weights[0]), means, deviations, weights[1:])


def train(folder: str) -> None:
    """Learn the weights that come along."""
    found = learn(collect(folder))
    content = {
        "learned_from": "questions made of the nuggets of "
        + Path(folder).name
        + " (scripts/changes.py train)",
        "bias": round(found.bias, 6),
        **{
            name: [round(float(value), 6) for value in getattr(found, name)]
            for name in ("means", "deviations", "weights")
        },
    }
    path = Path(answering.__file__).with_name("weights.json")
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


Results = dict[str, dict[str, tuple[Answer, ...]]]


def silent(found: Collection) -> Results:
    """Nothing, on all days."""
    days = [day for day, _ in by_days(found.documents)]
    return {topic.tid: dict.fromkeys(days, ()) for topic in found.topics}


def by_tracker(weights: ChangeWeights | None = None, **options: float) -> Callable[[Collection], Results]:
    """As `tidings follow --topics` answers."""

    def answer(found: Collection) -> Results:
        tracker = ChangeTracker(found.topics, weights=weights, **options)
        results = silent(found)
        for day, documents in by_days(found.documents):
            for tid, answers in tracker.push(documents).items():
                results[tid][day] = answers
        return results

    return answer


def ranked(scores: dict[str, dict[str, float]], topic: Topic) -> tuple[Answer, ...]:
    """Answers of scores by question and document, those with the best document first."""
    lists = {
        qid: sorted(
            ((score, doc_id) for doc_id, score in found.items()), key=lambda pair: (-pair[0], pair[1])
        )[:100]
        for qid, found in scores.items()
        if found
    }
    texts = {question.qid: question.question for question in topic.questions}
    order = sorted(lists, key=lambda qid: -lists[qid][0][0])
    return tuple(
        Answer(qid, rank, texts[qid], tuple(RankedDocument(doc_id, score) for score, doc_id in lists[qid]))
        for rank, qid in enumerate(order)
    )


def bm25(found: Collection) -> Results:
    """All questions on all days, documents by BM25 (k1 1.2, b .75) with rarity from the days before; never silent."""
    stems = shared_analyzer().stems
    results = silent(found)
    held: Counter[str] = Counter()
    seen = words = 0
    queries = {
        (topic.tid, question.qid): set(stems(question.question)) | set(stems(topic.label))
        for topic in found.topics
        for question in topic.questions
    }
    for day, documents in by_days(found.documents):
        counts = [
            (document.id, Counter(stem for s in document.sentences for stem in stems(s.text)))
            for document in documents
        ]
        seen += len(counts)
        words += sum(count.total() for _, count in counts)
        for _, count in counts:
            held.update(count.keys())
        mean = words / seen
        for topic in found.topics:
            scores: dict[str, dict[str, float]] = defaultdict(dict)
            for question in topic.questions:
                for doc_id, count in counts:
                    score = sum(
                        log(1 + (seen - held[stem] + 0.5) / (held[stem] + 0.5))
                        * count[stem] * 2.2 / (count[stem] + 1.2 * (0.25 + 0.75 * count.total() / mean))
                        for stem in queries[topic.tid, question.qid]
                        if count[stem]
                    )  # fmt: skip
                    if score > 0:
                        scores[question.qid][doc_id] = score
            results[topic.tid][day] = ranked(scores, topic)
    return results


def by_system(name: str) -> Callable[[Collection], Results]:
    """A system that follows each question, with the topic's label, as an event of its own."""

    def answer(found: Collection) -> Results:
        events = [
            {
                "id": f"{topic.tid}/{question.qid}",
                "title": topic.label,
                "query": f"{topic.label} {question.question}",
            }
            for topic in found.topics
            for question in topic.questions
        ]
        scores: dict[tuple[str, str], dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
        days = {document.id: day_of(document.published_time) for document in found.documents}
        for update in tidings.follow(found.documents, events=events, system=name):
            tid, _, qid = update.event_id.partition("/")
            held = scores[tid, days[update.doc_id]][qid]
            held.setdefault(update.doc_id, 1.0 / (1 + len(held)))
        results = silent(found)
        for topic in found.topics:
            for day in results[topic.tid]:
                results[topic.tid][day] = ranked(scores[topic.tid, day], topic)
        return results

    return answer


COLUMNS = tuple(
    f"{unit}-{name}" for unit in ("document", "question") for name in ("AP", "AP-answered", "silence")
)


def rows_of(names: Iterable[str]) -> Iterable[str]:
    """The table."""
    folders = [Path(name) for name in names]
    collections = {folder.name: collect(str(folder)) for folder in folders}
    first = collections[folders[0].name]
    systems: dict[str, Callable[[Collection], Results]] = {
        "silent always": silent,
        "BM25, never silent": bm25,
        "`centroid`, an event a question": by_system("centroid"),
        "`tidings`, an event a question": by_system("tidings"),
        "`follow --topics` without claims": by_tracker(learn(first, CLAIMS)),
        "`follow --topics`": by_tracker(),
        "the same, level .06": by_tracker(level=0.06),
        "the same, level .2": by_tracker(level=0.2),
    }
    yield "| collection | | " + " | ".join(f"`{name}`" for name in COLUMNS) + " |"
    yield "|---|---|" + "---|" * len(COLUMNS)
    for year, found in collections.items():
        prepared = prepare(found.topics, found.changes)
        for name, answer in systems.items():
            results = answer(found)
            run = ChangeRun(
                Head(runtag="run"), tuple(TopicAnswers(tid, days) for tid, days in results.items())
            )
            scores = prepared.score(run, tuple(map(Measure, COLUMNS)))
            means = [
                np.mean([held[Measure(column)] for held in scores.per_event.values()]) for column in COLUMNS
            ]
            yield f"| {year} | {name} | " + " | ".join(f"{value:.3f}" for value in means) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(dest="what", required=True)
    making = what.add_parser("make", help="write a collection")
    making.add_argument("folder")
    making.add_argument("--out", type=Path, required=True)
    what.add_parser("train", help="learn the weights").add_argument("folder")
    what.add_parser("table", help="score beside baselines").add_argument("folders", nargs="+")
    arguments = parser.parse_args()
    if arguments.what == "make":
        make(arguments.folder, arguments.out)
    elif arguments.what == "train":
        train(arguments.folder)
    else:
        for row in rows_of(arguments.folders):
            print(row, flush=True)


if __name__ == "__main__":
    main()
