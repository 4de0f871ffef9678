"""The page on which pooled updates are matched to nuggets, and what its script asks for and sends."""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import Field

from tidings.annotation.desk.exchange.importing import SUGGESTION
from tidings.annotation.desk.notes import reopened_id
from tidings.annotation.desk.operations.entities import CLAIMED
from tidings.annotation.desk.operations.matches import (
    MATCHES,
    MatchState,
    Span,
    match_update,
    matches_on,
    state_of,
)
from tidings.annotation.desk.pools import LikelyNuggets, TopicPool
from tidings.annotation.desk.queue import assign
from tidings.annotation.desk.suggested import OPENED_SUGGESTION, SEEN
from tidings.annotation.pages.acts import (
    ActBody,
    Acted,
    ActOnShown,
    Body,
    ItemId,
    Taken,
    last_of_own,
    may_do,
    perform,
)
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import Claim, Desk, ObjectView
from tidings.core import FINAL, SHARED, Change, JudgedObject, judge_layer
from tidings.evaluation import DeskSelection, Strategy, nuggets_of
from tidings.web import page

_TASK = "matching"
_LATEST = 60  # log entries of a judge from whose matches suggestions learn


class MatchingDesk:
    """A topic as one judge sees it: what was decided, and what the judge alone has judged."""

    def __init__(self, place: TopicPlace, account_id: int) -> None:
        self._place, self._desk = place, place.desk
        self.project, self.topic, self.account_id = place.project, place.topic, account_id
        self.layer = judge_layer(account_id)
        self.pool = place.pool

    def place(self, update_id: str) -> int:
        """The number of an update; where it is not in the pool, of the first that the judge has still to judge."""
        number = self.pool.place(update_id)
        if number is not None:
            return number
        log, project, topic = self._desk.log, self.project.id, self.topic.number
        own = log.ids(project, topic, MATCHES, [self.layer])
        final = log.ids(project, topic, MATCHES, [FINAL])
        gone = set(self.gone())
        reopened = self._count_reopened()
        old = self._objects(self.layer, reopened).values() if reopened else ()
        own -= {judged.id for judged in old if judged.version < reopened[judged.id]}
        for number, candidate in enumerate(self.pool.candidates):
            target = next((copy for copy in candidate.copies if copy not in final), None)
            if target is not None and target not in own and number not in gone:
                return number
        return 0

    def rows(self, low: int, high: int) -> list[list[Any]]:
        """Updates low..high as the page's list has them: id, text, time, source, ids of the other copies."""
        return [
            [
                candidate.id,
                candidate.text,
                self.pool.time(candidate),
                self.pool.updates[candidate.id].source,
                list(candidate.copies[1:]),
            ]
            for candidate in self.pool.candidates[low:high]
        ]

    def states(self, low: int = 0, high: int | None = None) -> dict[int, dict[str, Any]]:
        """What is judged of updates low..high, by number; those of which nothing is are left out."""
        among = self.pool.candidates[low:high]
        ids = None if high is None else [copy for candidate in among for copy in candidate.copies]
        own, final = self._objects(self.layer, ids), self._objects(FINAL, ids)
        reopened = self._count_reopened()
        found = {}
        for number, one in enumerate(among, low):
            if any(copy in own or copy in final for copy in one.copies):
                found[number] = self._describe(state_of(one.copies, own, final, reopened), one.id)
        return found

    def near(self, update_id: str) -> list[dict[str, Any]]:
        """What was judged of an update's decided copy, and of updates that are nearly the same, put on its text."""
        pool = self.pool
        update = pool.of(update_id)
        if update is None:
            return []
        others = [other for other, _ in pool.near(update_id)]
        ids = [copy for other in (update, *others) for copy in other.copies]
        final, own = self._objects(FINAL, ids), self._objects(self.layer, ids)
        judged = [final[copy] for copy in update.copies if copy in final and update_id not in final][:1]
        for other in others:
            there = [layer[copy] for layer in (final, own) for copy in other.copies if copy in layer]
            judged += there[:1]
        return [self._put_on(found, pool.updates[update_id].text) for found in judged]

    def _put_on(self, judged: JudgedObject, text: str) -> dict[str, Any]:
        other = self.pool.updates[judged.id].text
        known = {nugget["id"] for nugget in self.nuggets()}
        spans = matches_on(
            (match for match in judged.value["matches"] if match["nugget"] in known), other, text
        )
        return {
            "update": judged.id,
            "text": other,
            "matches": [{"nugget": span.nugget, "start": span.start, "end": span.end} for span in spans],
            "lost": len(judged.value["matches"]) - len(spans),
        }

    def _describe(self, state: MatchState, first: str) -> dict[str, Any]:
        shown: dict[str, Any] = {"version": state.version, "matches": state.matches}
        if state.decided:
            shown["decided"] = True
        if state.again:
            shown["again"] = True
        if state.target != first:
            shown |= {"target": state.target, "text": self.pool.updates[state.target].text}
        return shown

    def _objects(self, layer: str, ids: Any = None) -> dict[str, JudgedObject]:
        return {judged.id: judged for judged in self._place.objects(layer, MATCHES, ids)}

    def _count_reopened(self) -> dict[str, int]:
        found = self._place.objects(FINAL, "reopened")
        start = reopened_id(MATCHES, "")
        return {
            judged.id.removeprefix(start): judged.version for judged in found if judged.id.startswith(start)
        }

    # Nuggets, and what may be suggested.

    @cached_property
    def _nuggets(self) -> _Nuggets:
        version = self._desk.log.version(self.project.id, self.topic.number, SHARED, "nugget")
        key = (self.project.id, self.topic.number)
        with _lock:
            kept = _kept.setdefault(self._desk, {}).get(key)
        if kept is not None and kept.version == version and kept.pool is self.pool:
            return kept
        found = self._place.objects(SHARED, "nugget")
        made = _Nuggets(
            self.pool, version, sorted(found, key=lambda found: (found.value.get("time", 0), found.id))
        )
        with _lock:
            _kept[self._desk][key] = made
        return made

    def nuggets(self) -> list[dict[str, Any]]:
        """The topic's nuggets by time: id, text, importance, time."""
        return self._nuggets.listed

    def likely(self, update_id: str) -> list[dict[str, Any]]:
        """Nuggets that an update is likely to match, each with the words that say it."""
        found = self._nuggets.likely.suggest(self.pool.updates[update_id].text, self.latest_words())
        return [
            {"nugget": nugget.nugget_id, "start": nugget.start, "end": nugget.end}
            for nugget in found
            if nugget.start < nugget.end
        ]

    def latest_words(self) -> list[tuple[str, str]]:
        """(words that said a nugget, its id) of the judge's latest matches."""
        entries = self._desk.log.entries(
            self.project.id,
            topic=self.topic.number,
            account_id=self.account_id,
            latest_first=True,
            limit=_LATEST,
        )
        words: dict[tuple[str, str], None] = {}
        for entry in entries:
            row = self.pool.updates.get(entry.object_id)
            if entry.kind != MATCHES or row is None or not entry.after:
                continue
            for match in entry.after["matches"]:
                words.setdefault((row.text[match["start"] : match["end"]], match["nugget"]))
        return list(words)

    def order(self, by: Strategy) -> list[int]:
        """Numbers of the updates that are not judged, the one to be judged next first."""
        project, topic, desk = self.project, self.topic, self._desk
        ranked = _selection(desk).next_updates(
            topic,
            self.layer,
            project.last_seq,
            lambda: desk.projects.items(project.id, topic.number, "update"),
            self._place.objects,
            updates=len(self.pool.updates),
            by=by,
        )
        places = (self.pool.place(update.update_id) for update in ranked)
        return [place for place in places if place is not None]

    def suggests(self) -> bool:
        """Whether a program suggested anything in the topic."""
        return bool(self._desk.log.ids(self.project.id, self.topic.number, SUGGESTION, [SHARED]))

    def suggested(self, update_id: str) -> dict[str, Any] | None:
        """What an update matches by a program; None for whoever has not asked to compare it with their answer."""
        if self._place.object(self.layer, OPENED_SUGGESTION, update_id) is None:
            return None
        found = self._place.object(SHARED, SUGGESTION, update_id)
        return None if found is None else found.value

    def has_answered(self, update_id: str) -> bool:
        """Whether the judge, or a decision, says which nuggets an update matches."""
        return any(self._place.object(layer, MATCHES, update_id) is not None for layer in (self.layer, FINAL))

    # Who judges what.

    def is_shared(self) -> bool:
        """Whether more people could judge an update than are to."""
        return (
            len(self._place.assigned_to(_TASK) or self._desk.projects.members(self.project.id))
            > self.project.judges
        )

    def gone(self) -> list[int]:
        """Numbers of the updates that have gone to as many others as are to judge them."""
        held = self._holders()
        full = [name for name, who in held.items() if self.account_id not in who]
        places = (self.pool.place(name) for name in full if len(held[name]) >= self.project.judges)
        return sorted(place for place in places if place is not None)

    def kept(self) -> list[int]:
        """Numbers of the updates that are kept for the judge."""
        places = (self.pool.place(name) for name, who in self._holders().items() if self.account_id in who)
        return sorted(place for place in places if place is not None)

    def take(self, names: list[str]) -> str | None:
        """The first of these that the judge has or can have; the judge has it from then on."""
        desk, project, topic, account = self._desk, self.project, self.topic.number, self.account_id
        mine = self._first_held(names)
        before = names if mine is None else names[: names.index(mine)]
        free = [Claim(_TASK, name, project.judges) for name in before]
        if before and desk.claims.take_next(project.id, topic, free, account) is not None:
            # Not what was taken, but the first that is held: another request of the same judge may have been quicker.
            return self._first_held(names)
        if mine is not None:
            return mine
        # What others have had for too long without judging it may be had after all.
        task, now = CLAIMED[_TASK], int(desk.clock())
        return desk.claims.take(
            project.id,
            topic,
            task,
            account,
            lambda how: assign(names, how, account, limit=project.judges, now=now),
        )

    def _first_held(self, names: list[str]) -> str | None:
        holders = self._desk.claims.holders(self.project.id, self.topic.number, _TASK, names)
        return next((name for name in names if self.account_id in holders.get(name, ())), None)

    def _holders(self) -> dict[str, tuple[int, ...]]:
        return self._desk.claims.holders(self.project.id, self.topic.number, _TASK)


class _Nuggets:
    """The nuggets of a topic as they were at a version, made ready when they are asked about."""

    def __init__(self, pool: TopicPool, version: int, nuggets: list[JudgedObject]) -> None:
        self.pool, self.version, self._nuggets = pool, version, nuggets
        self.listed = [
            {"id": nugget.id, "text": nugget.value["text"], "importance": nugget.value.get("importance", 0)}
            for nugget in nuggets
        ]

    @cached_property
    def likely(self) -> LikelyNuggets:
        return LikelyNuggets(self.pool.terms, nuggets_of(self._nuggets, ""), self.pool)


_kept: WeakKeyDictionary[Desk, dict[tuple[int, int], _Nuggets]] = WeakKeyDictionary()
_selections: WeakKeyDictionary[Desk, DeskSelection] = WeakKeyDictionary()
_lock = Lock()


def _selection(desk: Desk) -> DeskSelection:
    """What makes orders and keeps them; one for a desk."""
    with _lock:
        return _selections.setdefault(desk, DeskSelection())


matching_router = APIRouter(tags=[_TASK])
_API = "/api/projects/{project}/topics/{topic}/matching"
_AROUND = 40  # updates on each side that come with the page

Judge = Annotated[int, Query(ge=0, le=2**31 - 1)]


class SpanBody(Body):
    """A nugget that the update matches in its characters start..end."""

    nugget: ItemId
    start: Annotated[int, Field(ge=0, le=2**31)]
    end: Annotated[int, Field(ge=0, le=2**31)]


class MatchBody(ActOnShown):
    """All that an update matches; nothing, where the list is empty. `decided` says that a decision is made again."""

    update: ItemId
    matches: Annotated[list[SpanBody], Field(max_length=300)]
    decided: bool = False


class CompareBody(ActBody):
    """An update whose answer is to be compared with the suggestion."""

    update: ItemId


class TakeBody(Body):
    """Updates in the order in which the page would judge them."""

    updates: Annotated[list[ItemId], Field(max_length=50)]


@matching_router.get("/projects/{project}/topics/{topic}/matching", include_in_schema=False)
def matching_page(
    request: Request, place: InTopic, at: Annotated[str, Query(max_length=300)] = "", judge: Judge = 0
) -> Response:
    """The page, at the update `at` or at the first that is not judged; a lead may look at another's with `judge`."""
    desk = _desk(place, judge)
    first = desk.place(at)
    low, high = max(first - _AROUND, 0), first + _AROUND
    members = place.desk.projects.members(place.project.id) if place.leads else []
    data = {
        "api": f"/api{place.path}",
        "topic": f"{place.project.id}-{place.topic.number}-{place.account_id}",
        "count": len(desk.pool.candidates),
        "at": first,
        "low": low,
        "rows": desk.rows(low, high),
        "states": desk.states(low, high),
        "nuggets": desk.nuggets(),
        "leads": place.leads,
        "looking": desk.account_id != place.account_id,
        "shared": desk.is_shared(),
        "suggests": desk.suggests(),
        "judges": place.project.judges,
    }
    return page(
        request, "matching.html.j2", place=place, data=data, members=members, judge=desk.account_id, desk=desk
    )


@matching_router.get(_API + "/updates")
def updates(
    place: InTopic,
    start: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    count: Annotated[int, Query(ge=1, le=2000)] = 1000,
) -> list[list[Any]]:
    """Updates of the pool in time order, each once for its exact copies: id, text, time, source, ids of its copies."""
    return _desk(place).rows(start, start + count)


@matching_router.get(_API + "/states")
def states(place: InTopic, judge: Judge = 0) -> dict[str, Any]:
    """What is judged, by the number of the update in time order, and which updates have gone to enough others."""
    desk = _desk(place, judge)
    return {"states": desk.states(), "gone": desk.gone(), "mine": desk.kept()}


@matching_router.get(_API + "/nuggets")
def nuggets(place: InTopic) -> list[dict[str, Any]]:
    """The nuggets as they are now."""
    return _desk(place).nuggets()


@matching_router.get(_API + "/hints")
def hints(place: InTopic, update: Annotated[str, Query(max_length=300)]) -> dict[str, Any]:
    """Nuggets that an update is likely to match, what was judged of those that are nearly the same, and what a program
    suggests, where the visitor asked to compare it with their answer."""
    desk = _desk(place)
    if desk.pool.of(update) is None:
        raise HTTPException(404, "There is no such update.")
    return {
        "likely": desk.likely(update),
        "near": desk.near(update),
        "suggests": place.object(SHARED, SUGGESTION, update) is not None,
        "suggested": desk.suggested(update),
    }


@matching_router.get(_API + "/order")
def order(place: InTopic, by: Strategy = "yield") -> list[int]:
    """Numbers of the updates that are not judged, the one to be judged next first."""
    return _desk(place).order(by)


@matching_router.post(_API + "/take")
def take(place: InTopic, body: TakeBody) -> Taken:
    """Keep the first of these updates for the visitor that has not gone to as many others as are to judge it."""
    desk = _desk(place)
    names = [found.id for update in body.updates if (found := desk.pool.of(update)) is not None]
    return Taken(update=desk.take(names))


@matching_router.post(_API + "/compare")
def compare(place: InTopic, body: CompareBody) -> Acted:
    """Ask to see what a program suggests of an update beside one's own answer; 409 before there is one."""
    desk = _desk(place)
    if desk.pool.of(body.update) is None or place.object(SHARED, SUGGESTION, body.update) is None:
        raise HTTPException(404, "There is no suggestion for this update.")
    if not desk.has_answered(body.update):
        raise HTTPException(409, "Judge the update first. The suggestion is shown beside your own answer.")
    opened = [Change(place.layer, OPENED_SUGGESTION, body.update, {"opened": True})]
    return perform(place, body, "compare", opened, task=_TASK)


@matching_router.post(_API)
def match(place: InTopic, body: MatchBody) -> Acted:
    """Say which nuggets an update matches, for all its exact copies; 409 where it is not as it was shown."""
    if body.decided and not place.leads:
        raise HTTPException(403, "This is decided. Only a project lead can change it.")
    desk, pool = _desk(place), place.pool
    candidate = pool.of(body.update)
    if candidate is None:
        raise HTTPException(404, "There is no such update.")
    texts = {copy: pool.updates[copy].text for copy in candidate.copies}
    spans = [Span(match.nugget, match.start, match.end) for match in body.matches]
    before = last_of_own(place, body, FINAL if body.decided else place.layer, MATCHES, body.update)
    expected = body.expected if before is None else before.seq

    def make(view: ObjectView) -> list[Change]:
        return match_update(view, place.layer, texts, body.update, spans, expected, decided=body.decided)

    shown = desk.suggested(body.update) if body.expected else None  # a first answer asks no more of the store
    if shown is not None and not body.assisted:
        body = body.model_copy(update={"assisted": f"{SEEN}{shown['by']}"[:100]})
    claim = None if body.decided else Claim(_TASK, candidate.id, place.project.judges)
    judged = pool.updates[body.update].text
    return perform(
        place, body, "match" if spans else "match-nothing", make, task=_TASK, judged=judged, claim=claim
    )


def _desk(place: TopicPlace, judge: int = 0) -> MatchingDesk:
    may_do(place, _TASK)
    if judge not in (0, place.account_id):
        if not place.leads:
            raise HTTPException(403, "Only project leads can view other people's judgments.")
        if place.desk.projects.role(place.project.id, judge) is None:
            raise HTTPException(404, "There is no such member.")
    return MatchingDesk(place, judge or place.account_id)
