"""Change Detection (TREC 2026): topics, runs, and which documents brought a change, judged day by day.

Topics: JSON Lines with `tid`, `label`, `narrative`, `questions` [{`qid`, `question`, `rel_docs`}].

A run: a first line with `runtag`, `models`, `description`, `run_type`, `extern`, `extra`, then a topic a line: `topic`,
`results` {day: [{`qid`, `question-rank`, `question-text`, `doc-ranking` [{`doc_id`, `score`}], `extra`}]}. An empty
day says that nothing changed; a day that is absent says nothing, and all questions are tied on it. The keys that the
track's toolkit writes (`question_rank`, `doc_ranking`, a day as {"results": […]}) are read too.

Judgments are tidings' own, as long as the track has published none: a table `changes.tsv` with `topic`, `day`, `qid`,
`doc_id`, `gain` (0, 1, 5 or 10). A day on which nothing was found is a line with `-` as qid and doc_id and gain 0.
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
    named,
    read_jsonl,
    read_lines,
    write_atomically,
    write_jsonl,
)

MOST_DOCUMENTS = 100
"""Documents that a question's ranking of a day may hold."""
GAINS = (0, 1, 5, 10)
"""What a document may be worth to a question on a day."""
NOTHING = "-"
_RUNTAG = re.compile(r"[A-Za-z0-9_.-]{1,20}")
_COLUMNS = ("topic", "day", "qid", "doc_id", "gain")


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


class Change(Struct, frozen=True):
    """What a document was judged to be worth to a question on a day; `-` as question: the day was judged."""

    topic: str
    day: str
    qid: str
    doc_id: str
    gain: int


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
            if not _RUNTAG.fullmatch(line.runtag):
                raise BadRecordError(f"runtag {line.runtag[:40]!r}", "1 to 20 of letters, digits and - _ .")
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
        raise FormatError([Problem(named(path), 0, "no runtag", "a first line with runtag, models, …")])
    return ChangeRun(heads[0] if heads else Head(runtag=NOTHING), tuple(topics.values()))


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
    if not _is_day(day):
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


def _is_day(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def write_change_run(path: str | Path, run: ChangeRun) -> None:
    """Write a run with the keys of the track's guidelines."""
    write_jsonl(path, [run.head, *run.answers])


def read_changes(path: str | Path, *, problems: Problems | None = None) -> list[Change]:
    """The judged changes of a table.

    Raises:
        FormatError: bad lines, all together: also a document that is judged twice for a question on a day.
    """
    collected = Problems() if problems is None else problems
    changes: dict[tuple[str, ...], Change] = {}
    for number, line in read_lines(path):
        cells = line.decode("utf-8", "replace").rstrip("\r\n").split("\t")
        if cells == list(_COLUMNS) or not line.strip():
            continue
        gain = cells[4] if len(cells) == len(_COLUMNS) else ""
        if gain not in map(str, GAINS) or not _is_day(cells[1]) or not all(cells):
            expected = "topic, day (YYYY-MM-DD), qid, doc_id and gain (0, 1, 5 or 10) apart by tabs"
            collected.add(named(path), number, f"{len(cells)} cells: {line[:60]!r}", expected, "")
        elif tuple(cells[:4]) in changes:
            collected.add(named(path), number, f"{cells[3]} a second time", "each document once", "")
        else:
            changes[tuple(cells[:4])] = Change(cells[0], cells[1], cells[2], cells[3], int(gain))
    collected.check()
    return list(changes.values())


def write_changes(path: str | Path, changes: Iterable[Change]) -> None:
    """Write judged changes as a table."""
    rows = [_COLUMNS, *((one.topic, one.day, one.qid, one.doc_id, str(one.gain)) for one in changes)]
    with write_atomically(path) as file:
        file.write("".join("\t".join(row) + "\n" for row in rows).encode())
