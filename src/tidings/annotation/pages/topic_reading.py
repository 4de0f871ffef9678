"""What pages on events show to read: a topic's sentences by document, in time order; and who judged in it.

Items never change, so what was read of a topic is kept until it has another number of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from tidings.annotation.desk.exchange.event_links import sentences_of_topic
from tidings.annotation.pages.visits import TopicPlace
from tidings.annotation.store import Desk
from tidings.core import DeskItem, layer_account
from tidings.web import json_block

_KEPT_TOPICS = 16  # in memory, made ready to be read


class Reading(Struct, frozen=True):
    """What is read of a topic: its sentences in order, and documents with these as JSON for a page."""

    items: tuple[DeskItem, ...]
    documents: Markup

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """The ids and words of all sentences."""
        return tuple((item.id, item.content["text"]) for item in self.items)


def reading_of(place: TopicPlace) -> Reading:
    """The topic's sentences."""
    counted = place.desk.projects.count_items(place.project.id)
    topic = place.topic.number
    number = counted.get((topic, "sentence"), 0) or -counted.get((topic, "update"), 0)
    return _read(place.desk, place.project.id, topic, number)


@lru_cache(maxsize=_KEPT_TOPICS)
def _read(desk: Desk, project: int, topic: int, number: int) -> Reading:
    items = tuple(sentences_of_topic(desk, project, topic))
    return Reading(items, json_block(_documents(items)))


def _documents(items: tuple[DeskItem, ...]) -> list[dict[str, Any]]:
    """Documents by time, each with its sentences as [id, text]."""
    documents: list[dict[str, Any]] = []
    for item in items:
        content = item.content
        if not documents or documents[-1]["id"] != content["doc_id"]:
            documents.append(
                {
                    "id": content["doc_id"],
                    "title": content.get("title", ""),
                    "source": content.get("source", ""),
                    "time": item.time,
                    "sentences": [],
                }
            )
        documents[-1]["sentences"].append([item.id, content["text"]])
    return documents


def text_of(place: TopicPlace, sentence: str) -> str:
    """The words of a sentence; empty where there is none of that id."""
    for kind in ("sentence", "update") if sentence else ():
        item = place.item(kind, sentence)
        if item is not None:
            return str(item.content["text"])
    return ""


def judges_of(place: TopicPlace, *kinds: str) -> list[str]:
    """The layers of judges that have objects of these kinds in the topic, in the order of their accounts."""
    counted = place.desk.log.count_objects(place.project.id, place.topic.number)
    layers = {layer for _, layer, kind in counted if kind in kinds}
    by_account = {account: layer for layer in layers if (account := layer_account(layer)) is not None}
    return [by_account[account] for account in sorted(by_account)]


def has_judged(place: TopicPlace, *kinds: str) -> bool:
    """Whether the visitor judged anything of these kinds in the topic."""
    ids = place.desk.log.ids
    return any(ids(place.project.id, place.topic.number, kind, [place.layer]) for kind in kinds)


def is_assigned(place: TopicPlace, task: str) -> bool:
    """Whether the task of the topic was given to the visitor by name."""
    return place.account_id in place.assigned_to(task)
