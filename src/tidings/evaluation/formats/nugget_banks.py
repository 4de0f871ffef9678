"""Nuggets as report generation keeps them: nuggetizer's lists, ARGUE's banks of questions, and what was found of them.

A list is JSON Lines, a topic a line: `qid`, `query`, `nuggets` [{`text`, `importance` (`vital` or `okay`)}]. A bank has
`query_id`, `title_query`, `nugget_bank` {question: {`question`, `question_id`, `importance`, `answers` {answer:
{`answer`, `references`}}}}, or, as it is handed in, `metadata` {`topic_id`} and `nugget_bank` [{`question`, `answers`
[…]}].

What was found has nuggets with an `assignment` (`support`, `partial_support`, `not_support`), `qid` and `run_id`, and,
where someone judged them, the report's `sentences` with their `support` (`full`, `partial`, `none`).

Nuggets of importance 2 or 3 are written as vital, others as okay; vital ones are read as 3, others as 1. A nugget of a
bank is read as its question with its answers behind it. Neither format has times: nuggets that are read have time 0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tidings.core import BadRecordError, Event, Judgments, Nugget, Problems, Run, read_jsonl, write_jsonl

Assignment = Literal["support", "partial_support", "not_support", "failed"]
Support = Literal["full", "partial", "none"]
LEAST_VITAL = 2
"""From which importance on a nugget is vital."""
_VITAL, _OKAY = 3, 1  # importance at the desk of what the banks call so


class ListedNugget(Struct, frozen=True):
    """A nugget of a list, and how far a text holds it."""

    text: str
    importance: Literal["vital", "okay"] = "okay"
    assignment: Assignment | UnsetType = UNSET


class JudgedSentence(Struct, frozen=True):
    """A sentence of a report, and how far what it cites supports it."""

    text: str
    support: Support


class NuggetList(Struct, frozen=True, omit_defaults=True):
    """The nuggets of a topic; with assignments, what a run's report holds of them."""

    qid: str
    nuggets: tuple[ListedNugget, ...]
    query: str = ""
    run_id: str = ""
    sentences: tuple[JudgedSentence, ...] = ()


class AssignedRun(Struct, frozen=True):
    """What the reports of one run hold, a topic each; `updates` are those of a run that was no report."""

    team: str
    name: str
    topics: tuple[NuggetList, ...]
    updates: Run | None = None


def read_nugget_lists(path: str | Path, *, problems: Problems | None = None) -> Judgments:
    """The nuggets of a file of lists or banks, as judgments.

    Raises:
        FormatError: bad lines, all together; also a topic that comes twice.
    """
    seen: set[str] = set()

    def build(listed: NuggetList) -> NuggetList:
        if not listed.qid.strip() or listed.qid in seen:
            raise BadRecordError(f"qid {listed.qid!r}", "each topic with an id of its own, once")
        seen.add(listed.qid)
        return listed

    lists = list(read_jsonl(path, NuggetList, build, problems=problems, what=_WHAT, decode=_decode))
    return Judgments(
        name=Path(path).name,
        events=tuple(
            Event(id=found.qid, title=found.query or found.qid, query=found.query) for found in lists
        ),
        nuggets=tuple(
            Nugget(
                found.qid,
                f"{found.qid}-{number}",
                0,
                _VITAL if nugget.importance == "vital" else _OKAY,
                nugget.text,
            )
            for found in lists
            for number, nugget in enumerate(found.nuggets, 1)
        ),
    )


_WHAT = "a topic: qid and nuggets (text, importance), or query_id and nugget_bank"


def _decode(line: bytes) -> NuggetList:
    content = msgspec.json.decode(line, type=dict[str, Any])
    if "nugget_bank" not in content:
        return msgspec.convert(content, NuggetList)
    bank, about = content["nugget_bank"], content.get("metadata") or {}
    entries = list(bank.values()) if isinstance(bank, dict) else bank
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadRecordError("a nugget_bank that holds no nuggets", "questions with their answers")
    listed = [
        {"text": _words_of(entry), "importance": "okay" if entry.get("importance") == "okay" else "vital"}
        for entry in entries
    ]
    qid = content.get("query_id") or (about.get("topic_id") if isinstance(about, dict) else None)
    return msgspec.convert(
        {"qid": qid, "query": content.get("title_query") or "", "nuggets": listed}, NuggetList
    )


def _words_of(entry: Mapping[str, Any]) -> str:
    answers = entry.get("answers") or {}
    given = answers.values() if isinstance(answers, dict) else answers if isinstance(answers, list) else ()
    words = [
        str(nugget.get("answer", ""))
        for nugget in given
        if isinstance(nugget, dict) and nugget.get("answer") != "yes"
    ]
    question = str(entry.get("question") or entry.get("text") or "")
    return f"{question} {'; '.join(word for word in words if word)}".strip()


def write_nugget_lists(path: str | Path, judgments: Judgments) -> None:
    """Write the nuggets of judgments as lists, a topic a line, vital ones first."""
    write_jsonl(
        path,
        (
            NuggetList(
                event.id,
                tuple(
                    ListedNugget(nugget.text, "vital" if nugget.importance >= LEAST_VITAL else "okay")
                    for nugget in nuggets
                ),
                event.title,
            )
            for event, nuggets in _by_event(judgments)
        ),
    )


def write_nugget_banks(path: str | Path, judgments: Judgments) -> None:
    """Write the nuggets of judgments as banks, a topic a line: each a claim, with the documents that hold it."""
    documents: dict[str, dict[str, None]] = {}
    for match in judgments.matches:
        documents.setdefault(match.nugget_id, {})[match.update_id.rpartition("-")[0]] = None
    write_jsonl(
        path,
        (
            {
                "query_id": event.id,
                "title_query": event.title,
                "format_version": "v3",
                "nugget_bank": {
                    nugget.text: {
                        "question": nugget.text,
                        "question_id": hashlib.md5(nugget.text.encode(), usedforsecurity=False).hexdigest(),
                        "query_id": event.id,
                        "importance": "vital" if nugget.importance >= LEAST_VITAL else "okay",
                        "aggregator_type": "OR",
                        "answers": {
                            "yes": {"answer": "yes", "references": list(documents.get(nugget.id, ()))}
                        },
                    }
                    for nugget in nuggets
                },
            }
            for event, nuggets in _by_event(judgments)
        ),
    )


def _by_event(judgments: Judgments) -> Iterable[tuple[Event, list[Nugget]]]:
    for event in judgments.events:
        nuggets = [nugget for nugget in judgments.nuggets if nugget.event_id == event.id]
        yield event, sorted(nuggets, key=lambda nugget: -nugget.importance)


def read_assigned_runs(path: str | Path, *, problems: Problems | None = None) -> list[AssignedRun]:
    """What runs' reports hold of the nuggets, a run each.

    Raises:
        FormatError: bad lines, all together; also a nugget without an assignment.
    """
    runs: dict[str, dict[str, NuggetList]] = {}

    def build(listed: NuggetList) -> None:
        topics = runs.setdefault(listed.run_id or Path(path).stem, {})
        if listed.qid in topics:
            raise BadRecordError(f"qid {listed.qid!r} of run {listed.run_id!r}", "each topic once")
        if any(nugget.assignment is UNSET for nugget in listed.nuggets):
            raise BadRecordError(
                f"qid {listed.qid!r}: a nugget without assignment", "support, partial_support or not_support"
            )
        topics[listed.qid] = listed

    what = "what a report holds: qid, run_id, nuggets (text, importance, assignment)"
    for _ in read_jsonl(path, NuggetList, build, problems=problems, what=what):
        pass
    return [AssignedRun("", name, tuple(topics.values())) for name, topics in runs.items()]


read_nugget_banks = read_nugget_lists  # one reader for both: a line says by its keys which it is
