"""Notes to who leads a project, and their answers; and what was decided, reopened.

A note stands in its writer's own layer, and so does its answer: other judges see neither.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from tidings.annotation.desk.showing import item_link
from tidings.annotation.store import Desk, ObjectView
from tidings.core import FINAL, Change, ConflictError, DeskTopic, UsageError, judge_layer, layer_account

_TEXT_CHARS = 4000


def write_note(note_id: str, account_id: int, about: dict[str, str], page: str, text: str) -> list[Change]:
    """The change that makes a note; UsageError where it says nothing or too much."""
    value = {"text": _words(text), "about": about, "page": page}
    return [Change(judge_layer(account_id), "note", note_id, value, expected=0)]


def reply_to(writer_id: int, note_id: str, text: str) -> Callable[[ObjectView], list[Change]]:
    """The change that answers a note, or answers it again; an empty text takes the answer back."""

    def make(view: ObjectView) -> list[Change]:
        layer = judge_layer(writer_id)
        if view.value(layer, "note", note_id) is None:
            raise ConflictError("This note no longer exists.", None)
        value = {"text": _words(text)} if text.strip() else None
        return [Change(layer, "reply", note_id, value)]

    return make


def reopened_id(kind: str, object_id: str) -> str:
    """The id of the object that says that another was reopened.

    >>> reopened_id("matches", "d-0")
    'matches|d-0'
    """
    return f"{kind}|{object_id}"


def reopen(kind: str, object_id: str, reason: str) -> Callable[[ObjectView], list[Change]]:
    """The changes that take a final judgment away, so that its judges judge it again; the log keeps what it was."""

    def make(view: ObjectView) -> list[Change]:
        final = view.get(FINAL, kind, object_id)
        if final is None or final.value is None:
            raise ConflictError("This is not decided yet. Its judges can still change it.", final)
        before = view.value(FINAL, "reopened", reopened_id(kind, object_id)) or {}
        # Counted, so that the same words a second time are a change too.
        value: dict[str, Any] = {
            "kind": kind,
            "id": object_id,
            "reason": _words(reason),
            "times": before.get("times", 0) + 1,
        }
        return [
            Change(FINAL, kind, object_id, None, expected=final.version),
            Change(FINAL, "reopened", reopened_id(kind, object_id), value),
        ]

    return make


def _words(text: str) -> str:
    text = text.strip()
    if not text or len(text) > _TEXT_CHARS:
        raise UsageError(f"The text has {len(text)} characters. Use 1 to {_TEXT_CHARS}.")
    return text


_SHOWN_CHARS = 300  # of what a note is about, in the list of notes


class Note(Struct, frozen=True):
    """A note, who wrote it, what it is about and where that is shown, and the answer (empty: none yet)."""

    id: str
    topic: DeskTopic
    writer_id: int
    writer: str
    about: dict[str, str]
    about_text: str
    link: str
    text: str
    reply: str
    version: int


class Reopened(Struct, frozen=True):
    """An item that was decided and is to be judged again, and why."""

    topic: DeskTopic
    kind: str
    id: str
    text: str
    link: str
    reason: str


def reopened_of(desk: Desk, project_id: int, account_id: int | None = None) -> list[Reopened]:
    """What was reopened and is not decided again; of an account only what it judged and has not judged again since."""
    topics = {topic.number: topic for topic in desk.projects.topics(project_id)}
    listed = []
    for judged in desk.log.objects(project_id, layer=FINAL, kind="reopened"):
        topic, kind, object_id = topics.get(judged.topic), judged.value["kind"], judged.value["id"]
        decided = desk.log.object(project_id, judged.topic, FINAL, kind, object_id)
        if topic is None or (decided is not None and decided.value is not None):
            continue
        if account_id is not None:
            own = desk.log.object(project_id, judged.topic, judge_layer(account_id), kind, object_id)
            if own is None or own.value is None or own.version > judged.version:
                continue
        text = _text_of(desk, project_id, judged.topic, {"kind": "update", "id": object_id.split("|")[0]})
        link = item_link(project_id, judged.topic, kind, object_id)
        listed.append(Reopened(topic, kind, object_id, text, link, judged.value["reason"]))
    return listed


def notes_of(desk: Desk, project_id: int, account_id: int | None = None) -> list[Note]:
    """All notes of a project, or of one account, those without an answer first and then the latest first."""
    layer = None if account_id is None else judge_layer(account_id)
    topics = {topic.number: topic for topic in desk.projects.topics(project_id)}
    replies = {
        (judged.topic, judged.id): judged.value["text"]
        for judged in desk.log.objects(project_id, layer=layer, kind="reply")
    }
    names = {account.id: account.name for account in desk.accounts.all()}
    notes = []
    for entry in desk.log.objects(project_id, layer=layer, kind="note"):
        writer, topic = layer_account(entry.layer), topics.get(entry.topic)
        if writer is None or topic is None:
            continue
        about = entry.value["about"]
        notes.append(
            Note(
                entry.id,
                topic,
                writer,
                names.get(writer, str(writer)),
                about,
                _text_of(desk, project_id, entry.topic, about),
                item_link(project_id, entry.topic, about["kind"], about["id"], entry.value.get("page", "")),
                entry.value["text"],
                replies.get((entry.topic, entry.id), ""),
                entry.version,
            )
        )
    return sorted(notes, key=lambda note: (bool(note.reply), -note.version))


def _text_of(desk: Desk, project_id: int, topic: int, about: dict[str, str]) -> str:
    """What an item says, or its id where it says nothing."""
    for kind in dict.fromkeys((about["kind"], "update", "sentence")):
        item = desk.projects.item(project_id, topic, kind, about["id"])
        if item is not None:
            content: Any = item.content
            text = content.get("text", "") if isinstance(content, dict) else ""
            return str(text)[:_SHOWN_CHARS] or about["id"]
    return about["id"]
