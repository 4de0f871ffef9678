"""Questions with known answers: is it news, does it match, is it the same story, is it salient?

Each is a yes-or-no question about two texts. `by_model` is what a model that comes along makes of it, the higher the
likelier yes. Half of the questions of a task are to be answered yes, so that a constant answer is right half the time.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tidings.core import Judgments, UsageError, analyzer_of
from tidings.evaluation.matching.learned import NuggetMatcher
from tidings.following import document_weights, profile_likeness
from tidings.sources import bundled, read_judgments

_SALIENT = 2.0  # of 3, the mean of the people asked
_MOST_TEXT = 1_500  # characters of a document that are shown
_MOST_POOL = 4_000  # updates of an event that are matched at once, drawn at random: pairs are many


@dataclass(frozen=True, slots=True)
class Question:
    """A question about two texts, its answer, and what a model makes of it."""

    task: str
    question: str
    first: str
    second: str
    answer: bool
    by_model: float


def _half(yes: Sequence[Question], no: Sequence[Question], most: int, draw: random.Random) -> list[Question]:
    each = min(len(yes), len(no), most // 2)
    kept = [*draw.sample(list(yes), each), *draw.sample(list(no), each)]
    draw.shuffle(kept)
    return kept


def news_questions(judgments: Judgments, most: int, draw: random.Random) -> list[Question]:
    """Does a pooled sentence tell news of its event, as assessors who matched it to a nugget thought?

    The model beside it is the share of the query's stems that the sentence holds.
    """
    matched = {(match.event_id, match.update_id) for match in judgments.matches}
    stems = analyzer_of("en").stems
    found: dict[bool, list[Question]] = {True: [], False: []}
    for event in judgments.events:
        query = frozenset(stems(event.query))
        for update in judgments.pool:
            if update.event_id == event.id:
                share = len(query & set(stems(update.text))) / max(1, len(query))
                answer = (event.id, update.id) in matched
                asked = "Does the second text tell a fact about the event that the first names?"
                found[answer].append(Question("news", asked, event.title, update.text, answer, share))
    return _half(found[True], found[False], most, draw)


def match_questions(judgments: Judgments, most: int, draw: random.Random) -> list[Question]:
    """Does an update state a nugget? The others are an update that matches one nugget, and another nugget of its event.

    The model beside it is the matcher of `tidings match`, which has learned from TREC's events and the bundled one.
    """
    nuggets = {nugget.id: nugget for nugget in judgments.nuggets}
    by_event: dict[str, list[Any]] = defaultdict(list)
    for nugget in judgments.nuggets:
        by_event[nugget.event_id].append(nugget)
    held: dict[str, set[str]] = defaultdict(set)
    for match in judgments.matches:
        held[match.update_id].add(match.nugget_id)
    found: dict[bool, list[Question]] = {True: [], False: []}
    matcher = NuggetMatcher(least=0.0)
    for event in judgments.events:
        pool = [update for update in judgments.pool if update.event_id == event.id and held[update.id]]
        pool = draw.sample(pool, min(len(pool), _MOST_POOL))
        likely = {
            (match.update_id, match.nugget_id): match.probability
            for match in matcher.match(by_event[event.id], pool)
        }
        for update in pool:
            own = sorted(held[update.id] & nuggets.keys())
            others = sorted({nugget.id for nugget in by_event[event.id]} - held[update.id])
            for answer, names in ((True, own), (False, others)):
                if names:
                    nugget = nuggets[draw.choice(names)]
                    asked = "Does somebody who reads the first text alone learn what the second says?"
                    score = likely.get((update.id, nugget.id), 0.0)
                    found[answer].append(Question("match", asked, update.text, nugget.text, answer, score))
    return _half(found[True], found[False], most, draw)


def story_questions(path: Path, most: int, draw: random.Random) -> list[Question]:
    """Do two documents of ECB+ report one event? The others report sister events of one kind.

    The model beside it is the cosine of their words, weighed by how rare they are in news.
    """
    documents = _lines(path)
    weights = [
        document_weights(document["sentences"][0], document["sentences"][1:], "en") for document in documents
    ]
    texts = ["\n".join(document["sentences"])[:_MOST_TEXT] for document in documents]
    topics: dict[str, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        topics[document["event"].removesuffix("ecbplus").removesuffix("ecb")].append(place)
    found: dict[bool, list[Question]] = {True: [], False: []}
    for places in topics.values():
        for first in places:
            for second in places:
                if first < second:
                    answer = documents[first]["event"] == documents[second]["event"]
                    asked = "Do the two texts report the same event, not only one of the same kind?"
                    likeness = profile_likeness(weights[first], weights[second])
                    found[answer].append(
                        Question("story", asked, texts[first], texts[second], answer, likeness)
                    )
    return _half(found[True], found[False], most, draw)


def salience_questions(folder: Path, most: int, draw: random.Random) -> list[Question]:
    """Does a document centre on an entity: had it 2 or more of 3 from the people asked?

    The model beside it is how often the document names it, more where the headline does.
    """
    names: dict[tuple[int, int], set[str]] = defaultdict(set)
    for line in gzip.decompress((folder / "entity-titles.tsv.gz").read_bytes()).decode().splitlines():
        doc_id, entity, title, *_ = line.split("\t")
        names[int(doc_id), int(entity)].add(title.replace("_", " "))
    found: dict[bool, list[Question]] = {True: [], False: []}
    for document in _lines(folder / "wikinews.jsonl.gz"):
        text = "\n".join(part.get("value", "") for part in document["document"])
        for graded in document["saliency"]:
            for name in sorted(names[document["docId"], graded["entityid"]])[:1]:
                count = text.count(name) + 3 * document["title"].count(name)
                answer = graded["score"] >= _SALIENT
                asked = "Is what the second text names one of those whom the first text is mainly about?"
                found[answer].append(Question("salience", asked, text[:_MOST_TEXT], name, answer, count))
    return _half(found[True], found[False], most, draw)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


TASKS = ("news", "match", "story", "salience")
_FILES = {"story": "stories/ecbplus.jsonl.gz", "salience": "salience/wikinews.jsonl.gz"}


def labelled_questions(
    tasks: Sequence[str], data: Path | None, most: int, seed: int, say: Callable[[str], None]
) -> Mapping[str, list[Question]]:
    """The questions of each task; of those whose data is missing none, which `say` is told.

    Args:
        tasks: of TASKS.
        data: a folder of judgments, for news and match, or one that holds stories/, salience/ and trec-ts/; None: the
            bundled event, which has news and match alone.
        most: questions of a task at most.
        seed: of the draw.
        say: hears what is missing.

    Raises:
        UsageError: the folder is none.
    """
    if data is not None and not data.is_dir():
        raise UsageError(f"{data}: no such folder of labelled data")
    judged: Judgments | None = None
    questions = {}
    for task in tasks:
        draw = random.Random(f"{seed}/{task}")
        if task in _FILES:
            path = None if data is None else data / _FILES[task]
            if path is None or not path.is_file():
                say(
                    f"{task}: skipped, because its labels were not found; name a folder that "
                    f"holds {_FILES[task]} with --data"
                )
                continue
            try:
                if task == "story":
                    questions[task] = story_questions(path, most, draw)
                else:
                    questions[task] = salience_questions(path.parent, most, draw)
            except (KeyError, TypeError, ValueError, EOFError, OSError) as error:
                raise UsageError(f"{path}: not labels of {task} ({type(error).__name__}: {error})") from None
            continue
        if judged is None:
            trec = None if data is None else data / "trec-ts" / "2014"
            judged = read_judgments(
                bundled.path() if data is None else trec if trec and trec.is_dir() else data
            )
        questions[task] = (news_questions if task == "news" else match_questions)(judged, most, draw)
    return questions
