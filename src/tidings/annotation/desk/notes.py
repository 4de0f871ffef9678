"""The notes of a project with their answers."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tidings.annotation.desk.links import item_link
from tidings.annotation.store import Desk
from tidings.core import FINAL, DeskTopic, judge_layer, layer_account

__all__ = ["Note", "Reopened", "notes_of", "reopened_of"]

_SHOWN_CHARS = 300


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
    """What was reopened and is not decided anew; of an account only what it judged and has not judged again since."""
    topics = {topic.number: topic for topic in desk.projects.topics(project_id)}
    listed = []
    for one in desk.log.objects(project_id, layer=FINAL, kind="reopened"):
        topic, kind, object_id = topics.get(one.topic), one.value["kind"], one.value["id"]
        decided = desk.log.object(project_id, one.topic, FINAL, kind, object_id)
        if topic is None or (decided is not None and decided.value is not None):
            continue
        if account_id is not None:
            own = desk.log.object(project_id, one.topic, judge_layer(account_id), kind, object_id)
            if own is None or own.value is None or own.version > one.version:
                continue
        text = _text_of(desk, project_id, one.topic, {"kind": "update", "id": object_id.split("|")[0]})
        link = item_link(project_id, one.topic, kind, object_id)
        listed.append(Reopened(topic, kind, object_id, text, link, one.value["reason"]))
    return listed


def notes_of(desk: Desk, project_id: int, account_id: int | None = None) -> list[Note]:
    """All notes of a project, or of one account, those without an answer first and then the latest first."""
    layer = None if account_id is None else judge_layer(account_id)
    topics = {topic.number: topic for topic in desk.projects.topics(project_id)}
    replies = {
        (one.topic, one.id): one.value["text"]
        for one in desk.log.objects(project_id, layer=layer, kind="reply")
    }
    names = {account.id: account.name for account in desk.accounts.all()}
    notes = []
    for one in desk.log.objects(project_id, layer=layer, kind="note"):
        writer, topic = layer_account(one.layer), topics.get(one.topic)
        if writer is None or topic is None:
            continue
        about = one.value["about"]
        notes.append(
            Note(
                one.id,
                topic,
                writer,
                names.get(writer, str(writer)),
                about,
                _text_of(desk, project_id, one.topic, about),
                item_link(project_id, one.topic, about["kind"], about["id"], one.value.get("page", "")),
                one.value["text"],
                replies.get((one.topic, one.id), ""),
                one.version,
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
