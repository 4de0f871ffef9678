"""Who asks, and where: what every route takes from the request before it does anything.

Routes name one of these as a dependency: `SignedInVisitor` (of `visitors`: someone is signed in), `InProject` (and is a
member of the project of the address), `LeadOf` (and leads it), `InTopic` (and the topic is there). Who may not see a
project gets the answer that there is none.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from fastapi import Depends, HTTPException, Path, Request
from msgspec import Struct

from tidings.annotation.desk.pools import TopicPool, topic_pool
from tidings.annotation.store import Desk
from tidings.core import DeskItem, DeskTopic, JudgedObject, Project, Role
from tidings.web import LARGEST, Entrance, Visitor, signed_in

# Those that only look at what others found are `async`: they need no thread of their own, which takes a millisecond.


def desk_of(request: Request) -> Desk:
    """The desk that is served."""
    desk: Desk = request.app.state.desk
    return desk


class ProjectPlace(Struct, frozen=True):
    """A visitor in a project that they work on."""

    desk: Desk
    visitor: Visitor
    project: Project
    role: Role

    @property
    def leads(self) -> bool:
        """Whether they lead it."""
        return self.role == "lead"

    @property
    def account_id(self) -> int:
        """The visitor's."""
        return self.visitor.account.id


class TopicPlace(ProjectPlace, frozen=True):
    """A visitor at a topic; `assigned` has who is to do which task of it, `last_update` its pool's last number."""

    topic: DeskTopic
    assigned: frozenset[tuple[str, int]]
    last_update: int

    def assigned_to(self, task: str) -> set[int]:
        """The accounts that are to do a task of the topic; none, where anyone may."""
        return {account for assigned, account in self.assigned if assigned == task}

    @property
    def path(self) -> str:
        """The address of the topic's pages."""
        return f"/projects/{self.project.id}/topics/{self.topic.number}"

    @property
    def layer(self) -> str:
        """The layer of what the visitor judges alone."""
        return self.visitor.layer

    @property
    def pool(self) -> TopicPool:
        """The topic's updates."""
        return topic_pool(self.desk, self.project.id, self.topic.number, self.last_update)

    def objects(
        self, layer: str | None = None, kind: str | None = None, ids: Collection[str] | None = None
    ) -> list[JudgedObject]:
        """The topic's objects that have a value, by layer, kind and id."""
        return self.desk.log.objects(self.project.id, self.topic.number, layer=layer, kind=kind, ids=ids)

    def object(self, layer: str, kind: str, object_id: str) -> JudgedObject | None:
        """One of the topic's objects; None where it has no value."""
        found = self.desk.log.object(self.project.id, self.topic.number, layer, kind, object_id)
        return None if found is None or found.value is None else found

    def item(self, kind: str, item_id: str) -> DeskItem | None:
        """One of the topic's items."""
        return self.desk.projects.item(self.project.id, self.topic.number, kind, item_id)


async def in_project(
    request: Request,
    visitor: Annotated[Visitor, Depends(signed_in)],
    project: Annotated[int, Path(ge=1, le=LARGEST)],
) -> ProjectPlace:
    """The project of the address; 404 where there is none or it is not the visitor's."""
    found: Entrance = request.state.entrance
    if found.project is None or found.role is None or found.project.id != project:
        raise HTTPException(404, "There is no such project.")
    return ProjectPlace(desk_of(request), visitor, found.project, found.role)


async def lead_of(place: Annotated[ProjectPlace, Depends(in_project)]) -> ProjectPlace:
    """The project of the address, for one who leads it; 403 for others."""
    if not place.leads:
        raise HTTPException(403, "Only project leads can do this.")
    return place


async def in_topic(
    request: Request,
    place: Annotated[ProjectPlace, Depends(in_project)],
    topic: Annotated[int, Path(ge=1, le=LARGEST)],
) -> TopicPlace:
    """The topic of the address; 404 where there is none."""
    found: Entrance = request.state.entrance
    if found.topic is None or found.topic.number != topic:
        raise HTTPException(404, "There is no such topic.")
    return TopicPlace(
        place.desk, place.visitor, place.project, place.role, found.topic, found.assigned, found.last_update
    )


async def lead_in_topic(place: Annotated[TopicPlace, Depends(in_topic)]) -> TopicPlace:
    """The topic of the address, for one who leads its project; 403 for others."""
    if not place.leads:
        raise HTTPException(403, "Only project leads can do this.")
    return place


InProject = Annotated[ProjectPlace, Depends(in_project)]
LeadOf = Annotated[ProjectPlace, Depends(lead_of)]
InTopic = Annotated[TopicPlace, Depends(in_topic)]
LeadInTopic = Annotated[TopicPlace, Depends(lead_in_topic)]
