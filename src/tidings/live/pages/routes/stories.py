"""The page of the stories in the feeds, and following one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, HTTPException, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import Struct

from tidings.core import DAY_S, HOUR_S, Document, UsageError, clean
from tidings.following import (
    FollowedStories,
    FollowedStory,
    StoredStories,
    StoryLists,
    StorySummary,
    importance,
    outlet_name,
    state_of,
    story_query,
    with_option,
)
from tidings.live.pages.navigation import service_line
from tidings.live.pages.overview import SmallChart, activity
from tidings.live.pages.routes.editing import EventWords, check_past, new_event
from tidings.live.pages.visits import Editing, Reading, live_of, live_settings_of
from tidings.live.store import LIVE_STORIES, LiveStore
from tidings.live.store.events import stream_of
from tidings.web import page, root_of

stories_router = APIRouter(prefix="/stories", include_in_schema=False)

_SHOWN, _LOOKED_AT = 40, 400  # stories; the heaviest of the latest
_HOURS = 48
_OUTLETS, _REPORTS = 6, 8  # named on a card; more outlets are counted


class StoryCard(Struct, frozen=True, kw_only=True):
    """A story on the page: what it is about, who reports it, how it goes, and the event that follows it."""

    story: StorySummary
    title: str
    state: str
    outlets: tuple[str, ...]
    more_outlets: int
    activity: SmallChart
    reports: tuple[Document, ...]
    see_also: tuple[tuple[str, str], ...]
    query: str
    event_id: str


@stories_router.get("")
def show(request: Request, visitor: Reading) -> Response:
    """The stories of the last two days, those that most outlets report first."""
    live = live_of(request)
    lists = StoryLists(live.store, LIVE_STORIES)
    newest = lists.latest(0, 1)
    now = max(service_line(request).time, newest[0].last_time if newest else 0)
    found = [story for story in lists.latest(now - 2 * DAY_S, _LOOKED_AT) if len(story.documents) > 1]
    documents = lists.documents(name for story in found for name in story.documents)
    ranked = sorted(found, key=lambda story: (-_weight(story, documents, now), -story.last_time, story.story))
    events = {story.event.id for story in live.events.all()}
    followed = {
        story.story: story.event_id
        for story in FollowedStories(live.store).all().values()
        if story.event_id in events
    }
    titles = {story.story: _title_of(story) for story in ranked[:_SHOWN]}
    cards = [_card(story, documents, now, titles, followed) for story in ranked[:_SHOWN]]
    return page(request, "stories.html.j2", cards=cards, rest=max(0, len(ranked) - _SHOWN), now=now)


@stories_router.post("/follow")
def follow(
    request: Request,
    visitor: Editing,
    story: Annotated[str, Form(max_length=2000)],
    query: Annotated[str, Form(max_length=2000)] = "",
    title: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Follow a story from its first report on: an event with its profile, whose words can be changed."""
    live, settings = live_of(request), live_settings_of(request)
    keeper = StoredStories(live.store, LIVE_STORIES)
    try:
        profile = keeper.tracker.profile(story)
    except UsageError as error:
        raise HTTPException(404, "This story is closed.") from error
    story_id = keeper.tracker.aliases.get(story, story)
    found = keeper.find(story_id)
    if found is None:
        raise HTTPException(404, "There is no such story.")
    taken = {standing.event.id for standing in live.events.all()} | {
        event.id for event in live.outputs.events()
    }
    words = EventWords(
        query=query.strip() or story_query(found),
        title=title.strip() or _title_of(found),
        about=settings.about,
    )
    try:
        standing = new_event(
            words,
            taken=taken,
            system=with_option(settings.system, "profile", profile),
            since=_since(live, found.first_time),
        )
        made = live.events.add(standing, visitor.account.name)
    except UsageError as error:
        raise HTTPException(422, str(error)) from error
    FollowedStories(live.store).put(
        FollowedStory(
            story=story_id, event_id=made.event.id, title=words.title, query=words.query, profile=profile
        )
    )
    return RedirectResponse(
        f"{root_of(request)}/edit/events/{quote(made.event.id, safe='')}?done=added", status_code=303
    )


def story_of(live: LiveStore, event_id: str) -> FollowedStory | None:
    """The story that an event follows; None where it follows words alone."""
    return next(
        (story for story in FollowedStories(live.store).all().values() if story.event_id == event_id), None
    )


def _since(live: LiveStore, first_time: int) -> int | None:
    # From the first report on, or from as far back as an event may begin.
    stream = stream_of(live.store, live.run)
    if stream is None:
        return None
    since = max(first_time, stream[1] - 7 * DAY_S)
    try:
        check_past(live, since)
    except UsageError:
        return None
    return since


def _weight(story: StorySummary, documents: Mapping[str, Document], now: int) -> float:
    own = [documents[name] for name in story.documents if name in documents]
    return importance(
        [document.source for document in own], [document.published_time for document in own], now
    )


def _title_of(story: StorySummary) -> str:
    return clean(story.title) or ", ".join(story.keywords[:4]) or story.story


def _card(
    story: StorySummary,
    documents: Mapping[str, Document],
    now: int,
    titles: Mapping[str, str],
    followed: Mapping[str, str],
) -> StoryCard:
    own = sorted(
        (documents[name] for name in story.documents if name in documents),
        key=lambda document: (-document.published_time, document.id),
    )
    hours: dict[int, int] = {}
    for document in own:
        hour = document.published_time // HOUR_S
        hours[hour] = hours.get(hour, 0) + 1
    outlets = tuple(
        dict.fromkeys(filter(None, (outlet_name(document.source, document.url) for document in own)))
    )
    return StoryCard(
        story=story,
        title=_title_of(story),
        state=state_of([document.published_time for document in own] or [story.last_time], now),
        outlets=outlets[:_OUTLETS],
        more_outlets=max(0, len(outlets) - _OUTLETS),
        activity=activity(hours, now, _HOURS, "report"),
        reports=tuple(own[:_REPORTS]),
        see_also=tuple((other, titles[other]) for other in story.see_also if other in titles),
        query=story_query(story),
        event_id=followed.get(story.story, ""),
    )
