"""What the page of extraction shows one of those who work on a topic's list of nuggets."""

from __future__ import annotations

from typing import Any

import msgspec

from tidings.annotation.desk.differences import Piece, differences, folded, passages
from tidings.annotation.desk.exchange.revisions import REVISION
from tidings.annotation.desk.operations.nugget_deleting import matches_by_layer
from tidings.annotation.desk.operations.nuggets import AGAIN, MATCHES, NUGGET, links_to
from tidings.annotation.store import Desk
from tidings.core import (
    FINAL,
    SHARED,
    DeskTopic,
    Project,
    jaccard,
    judge_layer,
    layer_account,
    shared_analyzer,
)

__all__ = ["READ", "NuggetDesk"]

READ = "read"
"""The kind of the note, in a judge's own layer, that a revision was read."""

_ALIKE = 0.5
"""From which share of common stems on (Jaccard's) a nugget may be there already."""

_MOST_ALIKE = 3
_MOST_LINKED = 500


class NuggetDesk:
    """A topic's nuggets and revisions, as one account sees them."""

    def __init__(self, desk: Desk, project: Project, topic: DeskTopic, account_id: int) -> None:
        self._desk, self._project, self._topic = desk, project, topic
        self._layer = judge_layer(account_id)

    def nuggets(self) -> list[dict[str, Any]]:
        """The nuggets with their versions, by time."""
        objects = self._desk.log.objects(self._project.id, self._topic.number, layer=SHARED, kind=NUGGET)
        listed = [{"id": one.id, "version": one.version, **one.value} for one in objects]
        return sorted(listed, key=lambda one: (one["time"], one["id"]))

    def read(self) -> list[str]:
        """Ids of the revisions that the account has read."""
        objects = self._desk.log.objects(self._project.id, self._topic.number, layer=self._layer, kind=READ)
        return [one.id for one in objects]

    def revision(self, name: str, *, whole: bool) -> dict[str, Any] | None:
        """A revision beside the one before it; None where there is none of that id."""
        projects, project, topic = self._desk.projects, self._project.id, self._topic.number
        item = projects.item(project, topic, REVISION, name)
        if item is None:
            return None
        places = projects.item_places(project, topic, REVISION)
        earlier = [one for one in places if (one[2], one[1]) < (item.time, item.number)]
        before = max(earlier, key=lambda one: (one[2], one[1]), default=None)
        former = None if before is None else projects.item(project, topic, REVISION, before[0])
        text = item.content["text"]
        pieces = differences("" if former is None else former.content["text"], text)
        return {
            "id": item.id,
            "time": item.time,
            **{key: item.content[key] for key in ("title", "author", "comment")},
            "first": former is None,
            "pieces": [_plain(piece) for piece in (pieces if whole else folded(pieces))],
            "passages": passages(pieces, text),
        }

    def counts(self, leads: bool) -> dict[str, int]:
        """How many updates are matched to each nugget: by oneself or decided, for leads by whomever."""
        updates: dict[str, set[str]] = {}
        for one in self._desk.log.objects(self._project.id, self._topic.number, kind=MATCHES):
            if not leads and one.layer not in (self._layer, FINAL):
                continue
            for match in one.value["matches"]:
                updates.setdefault(match["nugget"], set()).add(one.id)
        return {nugget: len(ids) for nugget, ids in updates.items()}

    def again(self, leads: bool) -> list[dict[str, Any]]:
        """Updates whose matches are to be looked at again: one's own, and for leads the final ones."""
        log, project, topic = self._desk.log, self._project.id, self._topic.number
        found = []
        for layer in self._layers(leads):
            for note in log.objects(project, topic, layer=layer, kind=AGAIN):
                judged = log.object(project, topic, layer, MATCHES, note.id)
                item = self._desk.projects.item(project, topic, "update", note.id)
                if judged is None or judged.value is None or judged.version > note.version:
                    continue  # judged anew since
                spans = [m for m in judged.value["matches"] if m["nugget"] in note.value["nuggets"]]
                found.append(
                    {
                        "layer": layer,
                        "update": note.id,
                        "version": judged.version,
                        "nuggets": note.value["nuggets"],
                        "text": "" if item is None else item.content["text"],
                        "matches": spans,
                    }
                )
                if len(found) == _MOST_LINKED:
                    return found
        return found

    def linked(self, nugget: str, leads: bool) -> dict[str, Any]:
        """The matches to a nugget of which the account says where they go; for leads also how many others there are."""
        log, project, topic = self._desk.log, self._project.id, self._topic.number
        every = links_to(log.objects(project, topic, kind=MATCHES), [nugget])
        layers = self._layers(leads)
        own = [one for one in every if one.layer in layers][:_MOST_LINKED]
        texts = {
            item.id: item.content["text"]
            for one in own
            if (item := self._desk.projects.item(project, topic, "update", one.id)) is not None
        }
        return {
            "matches": [
                {
                    "layer": one.layer,
                    "update": one.id,
                    "text": texts.get(one.id, ""),
                    "spans": [[m["start"], m["end"]] for m in one.value["matches"] if m["nugget"] == nugget],
                }
                for one in own
            ],
            "others": len(every) - len(own) if leads else None,
        }

    def resting(self, nugget: str, leads: bool) -> dict[str, Any]:
        """How many matches go where a nugget is deleted and whose they are, and whether one may.

        Leads see others' by name; an assessor sees that there are some, and not how many.
        """
        objects = self._desk.log.objects(self._project.id, self._topic.number, kind=MATCHES)
        by_layer = matches_by_layer(objects, nugget)
        names = {one.account_id: one.name for one in self._desk.projects.members(self._project.id)}
        whose: dict[str, int] = {}
        for layer, number in by_layer.items():
            if layer == self._layer:
                name = "you"
            elif layer == FINAL:
                name = "decided"
            else:
                name = names.get(layer_account(layer) or 0, "a former member") if leads else "others"
            whose[name] = whose.get(name, 0) + number
        return {
            "matches": sum(number for name, number in whose.items() if leads or name != "others"),
            "whose": [
                {"name": name, "matches": number if leads or name != "others" else None}
                for name, number in whose.items()
            ],
            "may": leads or not by_layer.keys() - {self._layer},
        }

    def alike(self, text: str, but: str) -> list[str]:
        """Ids of nuggets that say nearly what a text says, the likest first."""
        stems = shared_analyzer().stems
        words = frozenset(stems(text))
        alike = [
            (jaccard(words, frozenset(stems(one["text"]))), one["id"])
            for one in self.nuggets()
            if one["id"] != but
        ]
        likest = sorted((pair for pair in alike if pair[0] >= _ALIKE), reverse=True)
        return [name for _, name in likest[:_MOST_ALIKE]]

    def _layers(self, leads: bool) -> tuple[str, ...]:
        return (self._layer, FINAL) if leads else (self._layer,)


def _plain(piece: Piece) -> Any:
    return msgspec.to_builtins(piece)
