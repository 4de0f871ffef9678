"""Judgments as pages send them: an act with its key, and what the log has of it as the answer.

Also what a visitor is shown of others' lists and links where nobody was assigned by name: nothing before an opening.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from inspect import Signature, signature
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, HTTPException
from pydantic import BaseModel, ConfigDict, Field

from tidings.annotation.desk.operations.events import OPENED_LINKS, OPENED_LISTS, TOPIC
from tidings.annotation.desk.queue import task_named
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import Act, Claim, ObjectView
from tidings.core import LATEST_TIME, Change, LogEntry, layer_account

ItemId = Annotated[str, Field(min_length=1, max_length=300)]
Version = Annotated[int, Field(ge=0, le=2**53)]
Changes = Callable[[ObjectView], Iterable[Change]] | Sequence[Change]
"""What an act changes, or what makes it of what is there, in the transaction."""


class Body(BaseModel):
    """What a page sends: nothing but the fields that are named."""

    model_config = ConfigDict(extra="forbid")


class ActBody(Body):
    """What every act says; those of the tasks say more.

    `key` is made in the page once for each act. `made_ms` is the page's clock. `assisted` names what suggested it.
    """

    key: Annotated[str, Field(min_length=8, max_length=100)]
    made_ms: Annotated[int, Field(ge=0, le=LATEST_TIME * 1000)] = 0
    assisted: Annotated[str, Field(max_length=100)] = ""


class ActOnShown(ActBody):
    """An act on what the page showed.

    `expected` is the version of the object, 0 for none. `after` is the key of the page's own last act on it, where
    that was not answered when this one was made; it counts instead.
    """

    expected: Version = 0
    after: Annotated[str, Field(max_length=100)] = ""


class Taken(BaseModel):
    """The update that is the visitor's to judge; None where nothing is left for them."""

    update: str | None


class Acted(BaseModel):
    """What was written: objects with their new versions and values, and the number of the log's last entry."""

    seq: int
    repeated: bool
    objects: list[dict[str, Any]]


def perform(
    place: TopicPlace,
    body: ActBody,
    operation: str,
    make: Changes,
    *,
    task: str | None,
    judged: str = "",
    claim: Claim | None = None,
    undoes: str = "",
) -> Acted:
    """Write an act of the visitor's, and say what was written.

    Args:
        place: who and where.
        body: what the page sent.
        operation: the act's name.
        make: its changes, or what makes them in the transaction.
        task: of which it is; 403 where the visitor may not do that here. None: of none (notes, adjudication).
        judged: the text that was shown, of which the log keeps a digest.
        claim: the item judged, where it goes to a number of people only.
        undoes: the act that it takes back.
    """
    if task is not None:
        may_do(place, task)
    act = Act(
        key=body.key,
        operation=operation,
        topic=place.topic.number,
        account_id=place.account_id,
        session_id=place.visitor.session_id,
        made_ms=body.made_ms,
        assisted=body.assisted,
        undoes=undoes,
        shown=text_digest(judged),
        guidelines=text_digest(place.project.guidelines),
        claim=claim,
    )
    recorded = place.desk.log.record(place.project.id, act, make)
    if recorded.repeated and any(not _is_of(entry, act) for entry in recorded.entries):
        raise HTTPException(
            409, "This key belongs to another act: nothing was written. Send it with a new key."
        )
    return Acted(
        seq=recorded.entries[-1].seq if recorded.entries else place.project.last_seq,
        repeated=recorded.repeated,
        objects=[
            {
                "layer": entry.layer,
                "kind": entry.kind,
                "id": entry.object_id,
                "version": entry.seq,
                "value": entry.after,
            }
            for entry in recorded.entries
            # Merging nuggets changes what others judged unseen; it stays so.
            if layer_account(entry.layer) in (None, place.account_id) or place.leads
        ],
    )


def _is_of(entry: LogEntry, act: Act) -> bool:
    """Whether an entry may be what the same act wrote when it was sent before."""
    # What an undo takes back is found again each time: sent again, it would find another act, or none.
    names = ("account_id", "operation", "topic", "made_ms", "assisted")
    return all(getattr(entry, name) == getattr(act, name) for name in names)


def act_route(
    router: APIRouter,
    path: str,
    operation: str,
    *,
    task: str | None,
    judged: Callable[[TopicPlace, Any], str] = lambda place, body: "",
    claim: Callable[[TopicPlace, Any], Claim | None] = lambda place, body: None,
) -> Callable[[Callable[..., Changes]], Callable[..., Changes]]:
    """Make a function the address of an act: it is given place and body, and gives the changes.

    Args:
        router, path: where the address stands.
        operation: the act's name.
        task, judged, claim: as of `perform`; the last two of place and body.
    """

    def register(changes: Callable[..., Changes]) -> Callable[..., Changes]:
        def endpoint(place: TopicPlace, body: ActBody, **named: Any) -> Acted:
            made = changes(place=place, body=body, **named)
            text, item = judged(place, body), claim(place, body)
            return perform(place, body, operation, made, task=task, judged=text, claim=item)

        # FastAPI reads from these what it is to give, and how the address is described.
        asked = signature(changes, eval_str=True).parameters.values()
        endpoint.__signature__ = Signature([*asked], return_annotation=Acted)  # type: ignore[attr-defined]
        endpoint.__name__, endpoint.__doc__ = changes.__name__, changes.__doc__
        router.post(path)(endpoint)
        return changes

    return register


def last_of_own(
    place: TopicPlace, body: ActOnShown, layer: str, kind: str, object_id: str
) -> LogEntry | None:
    """What the visitor's act before this one, if the page had no answer to it, made of an object (empty: of any)."""
    for entry in place.desk.log.act(place.project.id, body.after) if body.after else ():
        is_own = entry.account_id == place.account_id and entry.topic == place.topic.number
        if is_own and (entry.layer, entry.kind) == (layer, kind) and object_id in ("", entry.object_id):
            return entry
    return None


def may_do(place: TopicPlace, task: str) -> None:
    """Raise 403 unless the task belongs to the project and, where people are assigned to it, to the visitor."""
    if task not in place.project.tasks:
        found = task_named(task)
        raise HTTPException(403, f"{task if found is None else found.title} is not a task of this project.")
    if place.leads:
        return
    assigned = place.assigned_to(task)
    if assigned and place.account_id not in assigned:
        raise HTTPException(403, "This task is assigned to others.")


def doing(task: str) -> Any:
    """A dependency that gives the topic of the address, for one who may do the task there."""

    async def place_of(place: InTopic) -> TopicPlace:
        may_do(place, task)
        return place

    return Depends(place_of)


def text_digest(text: str) -> str:
    """A short digest of what someone saw; empty for nothing."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16] if text else ""


def plain(value: Any) -> Any:
    """A record as what JSON holds."""
    return msgspec.to_builtins(value)


def has_opened_lists(place: TopicPlace) -> bool:
    """Whether the visitor asked for all lists of events, and so has closed the own one."""
    return place.object(place.layer, OPENED_LISTS, TOPIC) is not None


def lists_are_hidden(place: TopicPlace) -> bool:
    """Whether the visitor may still list events unseen, so that others' lists are not shown before an opening."""
    own, listing = place.account_id, place.assigned_to("events")
    if "events" not in place.project.tasks or own in place.assigned_to("merging"):
        return False
    return (not listing or own in listing) and not has_opened_lists(place)


def where_lists_are_shown(place: InTopic) -> TopicPlace:
    """The topic of the address, for one who may merge its lists; 403 where these are hidden."""
    may_do(place, "merging")
    need_shown_lists(place)
    return place


def need_shown_lists(place: TopicPlace) -> None:
    """Raise 403 where others' lists are hidden from the visitor."""
    if lists_are_hidden(place):
        raise HTTPException(
            403, "Close your own list of events first. The other lists stay hidden until you do."
        )


WhereListsAreShown = Annotated[TopicPlace, Depends(where_lists_are_shown)]


def opens_links(place: TopicPlace) -> bool:
    """Whether the visitor may link and verify sentences, and so sees others' links only of those that were opened."""
    assigned = place.assigned_to("linking") or place.assigned_to("verification")
    return "linking" in place.project.tasks and not assigned


def opened_links(place: TopicPlace) -> list[str]:
    """The sentences and groups whose links the visitor asked for."""
    return [opened.id for opened in place.objects(place.layer, OPENED_LINKS)]
