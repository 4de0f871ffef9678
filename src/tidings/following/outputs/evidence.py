"""Sentences as evidence, as lines of a run hold them: that of a value, and an outlet's that supports an update."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tidings.core import BadRecordError, Evidence, Int64, Support

__all__ = [
    "EvidenceLine",
    "SupportLine",
    "build_evidence",
    "build_support",
    "check_place",
    "evidence_line",
    "support_line",
]


class EvidenceLine(Struct, omit_defaults=True):
    """A sentence as evidence."""

    doc: str
    sentence: Int64
    text: str = ""
    published_time: Int64 = 0
    source: str = ""
    title: str = ""
    url: str = ""


class SupportLine(Struct):
    """A line of kind `support`."""

    event: str
    doc: str
    sentence: Int64
    time: int | str
    evidence: EvidenceLine
    same: bool = True
    update: str = ""
    team: str = ""
    run: str = ""


def check_place(doc: str, sentence: int, update: str) -> None:
    """Raise BadRecordError where this is no place of an update, or not the one that it says."""
    if len(doc.split()) != 1:
        raise BadRecordError(f"doc {doc!r}", "an id without blanks")
    if sentence < 0:
        raise BadRecordError(f"sentence {sentence}", "a number from 0")
    if update and update != f"{doc}-{sentence}":
        raise BadRecordError(f"update {update!r}", f"'{doc}-{sentence}'", "it is doc-sentence")


def build_evidence(line: EvidenceLine) -> Evidence:
    """The sentence that such an object says."""
    return Evidence(
        line.doc, line.sentence, line.text, line.published_time, line.source, line.title, line.url
    )


def build_support(line: SupportLine, time: int) -> Support:
    """The support that a line says, of which the time is read."""
    check_place(line.doc, line.sentence, line.update)
    return Support(line.event, time, line.doc, line.sentence, build_evidence(line.evidence), line.same)


def evidence_line(one: Evidence) -> EvidenceLine:
    """A sentence as an object of a line."""
    return EvidenceLine(
        one.doc_id, one.sentence_index, one.text, one.published_time, one.source, one.title, one.url
    )


def support_line(support: Support) -> dict[str, Any]:
    """A support as a line."""
    return {
        "kind": "support",
        "event": support.event_id,
        "update": support.update_id,
        "doc": support.doc_id,
        "sentence": support.sentence_index,
        "time": support.time,
        "same": support.same,
        "evidence": evidence_line(support.evidence),
    }
