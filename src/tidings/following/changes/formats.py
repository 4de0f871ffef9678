"""Change Detection (TREC 2026): its topics, and runs that answer them day by day.

Topics: JSON Lines with `tid`, `label`, `narrative`, `questions` [{`qid`, `question`, `rel_docs`}].

A run: a first line with `runtag`, `models`, `description`, `run_type`, `extern`, `extra`, then a topic a line: `topic`,
`results` {day: [{`qid`, `question-rank`, `question-text`, `doc-ranking` [{`doc_id`, `score`}], `extra`}]}. An empty
day says that nothing changed; a day that is absent says nothing, and all questions are tied on it. The keys that the
track's toolkit writes (`question_rank`, `doc_ranking`, a day as {"results": […]}) are read too.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from tidings.core import (
    BadRecordError,
    FormatError,
    Problem,
    Problems,
    read_jsonl,
    source_name,
    write_jsonl,
)

MOST_DOCUMENTS = 100
"""Documents that a question's ranking of a day may hold."""
NOTHING = "-"
_RUNTAG = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,19}")


class Question(Struct, frozen=True):
    """A question of a topic, with the documents that are known to answer it."""

    qid: str
    question: str
    rel_docs: tuple[str, ...] = ()


class Topic(Struct, frozen=True):
    """What is followed: a narrative and its questions."""

    tid: str
    label: str
    narrative: str
    questions: tuple[Question, ...]


class RankedDocument(Struct, frozen=True):
    """A document of a day, the better the higher its score."""

    doc_id: str
    score: float


class Answer(Struct, frozen=True, omit_defaults=True):
    """A question on which something changed on a day, with its documents, the best first."""

    qid: str
    rank: int = field(name="question-rank")
    text: str = field(name="question-text", default="")
    documents: tuple[RankedDocument, ...] = field(name="doc-ranking", default=())
    extra: Any = None


class Head(Struct, frozen=True, kw_only=True):
    """The first line of a run."""

    runtag: str
    models: Any = ()
    description: str = ""
    run_type: str = "automatic"
    extern: Any = False
    extra: Any = None


class TopicAnswers(Struct, frozen=True):
    """What a run answers on a topic, by day (YYYY-MM-DD)."""

    topic: str
    results: dict[str, tuple[Answer, ...]]


class ChangeRun(Struct, frozen=True):
    """A run: its first line and what it answers on each topic."""

    head: Head
    answers: tuple[TopicAnswers, ...]

    @property
    def team(self) -> str:
        """None: the format does not say."""
        return NOTHING

    @property
    def name(self) -> str:
        """The runtag."""
        return self.head.runtag


def read_change_topics(path: str | Path, *, problems: Problems | None = None) -> list[Topic]:
    """The topics of a file.

    Raises:
        FormatError: bad lines, all together: also a topic or a question that comes twice.
    """
    seen: set[str] = set()

    def build(topic: Topic) -> Topic:
        if not topic.tid.strip() or topic.tid in seen:
            raise BadRecordError(f"tid {topic.tid!r}", "each topic with an id of its own")
        _each_once("qid", [question.qid for question in topic.questions], f"topic {topic.tid}")
        seen.add(topic.tid)
        return topic

    what = "a topic: tid, label, narrative, questions"
    return list(read_jsonl(path, Topic, build, problems=problems, what=what))


def write_change_topics(path: str | Path, topics: Iterable[Topic]) -> None:
    """Write topics, one a line."""
    write_jsonl(path, topics)


def read_change_run(path: str | Path, *, problems: Problems | None = None) -> ChangeRun:
    """The run of a file, whichever of the two spellings of its keys it uses.

    Raises:
        FormatError: bad lines, all together: also no first line with a runtag, a day or a question that is none, or
            more than 100 documents.
    """
    collected = Problems() if problems is None else problems
    heads: list[Head] = []
    topics: dict[str, TopicAnswers] = {}

    def build(line: Head | TopicAnswers) -> None:
        if isinstance(line, Head):
            if heads or topics:
                raise BadRecordError("a second line with a runtag", "one, the first of the file")
            if not is_runtag(line.runtag):
                raise BadRecordError(f"runtag {line.runtag[:40]!r}", RUNTAG)
            heads.append(line)
            return
        if not heads:
            raise BadRecordError("a topic before the runtag", "a first line with runtag, models, …")
        if not line.topic.strip() or line.topic in topics:
            raise BadRecordError(f"topic {line.topic!r}", "each topic on one line, with all of its days")
        for day, answers in line.results.items():
            _check_day(day, answers)
        topics[line.topic] = line

    what = "a topic of a run: topic, results"
    for _ in read_jsonl(path, Head | TopicAnswers, build, problems=collected, what=what, decode=_decode):  # type: ignore[arg-type]
        pass
    if not heads and not collected.count:
        raise FormatError([Problem(source_name(path), 0, "no runtag", "a first line with runtag, models, …")])
    return ChangeRun(heads[0] if heads else Head(runtag=NOTHING), tuple(topics.values()))


RUNTAG = "1 to 20 of letters, digits and - _ . (a point not first)"


def is_runtag(text: str) -> bool:
    """Whether the track takes a text as the name of a run."""
    return _RUNTAG.fullmatch(text) is not None


_SPELLINGS = {
    "question_rank": "question-rank",
    "question_text": "question-text",
    "doc_ranking": "doc-ranking",
}


def _decode(line: bytes) -> Head | TopicAnswers:
    content = msgspec.json.decode(line, type=dict[str, Any])
    if "runtag" in content:
        return msgspec.convert(content, Head)
    results = content.get("results")
    if isinstance(results, dict):
        content["results"] = {day: _answers(found) for day, found in results.items()}
    return msgspec.convert(content, TopicAnswers)


def _answers(found: Any) -> Any:
    if isinstance(found, dict):
        found = found.get("results")
    if not isinstance(found, list):
        return found
    return [
        {_SPELLINGS.get(key, key): value for key, value in answer.items()}
        if isinstance(answer, dict)
        else answer
        for answer in found
    ]


def _check_day(day: str, answers: tuple[Answer, ...]) -> None:
    if not is_day(day):
        raise BadRecordError(f"day {day[:40]!r}", "YYYY-MM-DD")
    _each_once("qid", [answer.qid for answer in answers], day)
    for answer in answers:
        where = f"question {answer.qid} on {day}"
        if answer.rank < 0:
            raise BadRecordError(f"question-rank {answer.rank} of {where}", "0 or more")
        if len(answer.documents) > MOST_DOCUMENTS:
            raise BadRecordError(
                f"{len(answer.documents):,} documents of {where}",
                f"at most {MOST_DOCUMENTS}",
                "leave out the last ones",
            )
        _each_once("doc_id", [document.doc_id for document in answer.documents], where)


def _each_once(key: str, names: list[str], where: str) -> None:
    seen: set[str] = set()
    for name in names:
        if not name.strip() or name in seen:
            raise BadRecordError(f"{key} {name!r} of {where}", "each with a name, and once")
        seen.add(name)


def is_day(text: str) -> bool:
    """Whether a text is a day as YYYY-MM-DD."""
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def write_change_run(path: str | Path, run: ChangeRun) -> None:
    """Write a run with the keys of the track's guidelines."""
    write_jsonl(path, [run.head, *run.answers])
