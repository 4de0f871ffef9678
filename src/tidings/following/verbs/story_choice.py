"""`--story`: the story that is followed, as it was when someone first asked for it: one of an id, or of an article."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import ReadingOptions
    from tidings.following.grouping.stored import FollowedStory, StoryKeeper

__all__ = ["find_story"]


def find_story(
    story_id: str, streams: Sequence[str], store: str, reading: ReadingOptions, *, pool: str, lenient: bool
) -> FollowedStory:
    """The story of an id as it is followed; kept in the store, so that its profile stays.

    It is the one that the store follows already, or an open one of the stories that it keeps; else the streams are
    grouped, as `tidings stories` does. Of an article it is the story that begins with it; its profile is the
    beginning of the article.

    Args:
        story_id: its id, or one that it had before a merge; or the address or the file of an article.
        streams: what is followed.
        store: path or URL; "" for none.
        reading: how files are read.
        pool: of a TREC folder.
        lenient: whether bad lines are passed over.

    Raises:
        UsageError: there is no such story.
    """
    is_article = _is_article(story_id)
    if is_article and not store:
        return _of_article(story_id, reading, pool=pool, lenient=lenient)
    from tidings.core import open_store
    from tidings.following.grouping.stored import FollowedStories, StoredStories

    if not store:
        return _choose(_group(story_id, streams, reading, pool=pool, lenient=lenient), story_id)
    with open_store(store) as opened:
        followed = FollowedStories(opened)
        kept = followed.all().get(story_id)
        if kept is None and is_article:
            kept = _of_article(story_id, reading, pool=pool, lenient=lenient)
            followed.put(kept)
        if kept is None:
            keeper: StoryKeeper = StoredStories(opened)
            if not len(keeper.tracker):
                keeper = _group(story_id, streams, reading, pool=pool, lenient=lenient)
            kept = _choose(keeper, story_id)
            followed.put(kept)
        return kept


def _choose(keeper: StoryKeeper, story_id: str) -> FollowedStory:
    from tidings.core import UsageError
    from tidings.following.grouping.stored import FollowedStory, story_query
    from tidings.following.grouping.story_tracker import QUIET_DAYS

    tracker = keeper.tracker
    if tracker.watched is not None:
        story, profile = tracker.watched
    elif any(closed.story == story_id for closed in keeper.closed()):
        raise UsageError(
            f"story {story_id!r} was closed after {QUIET_DAYS} days without an article; "
            "name its sources, and no store that keeps stories"
        )
    else:
        now = tracker.aliases.get(story_id, story_id)
        found = next((story for story in tracker.stories() if story.story == now), None)
        if found is None:
            raise UsageError(
                f"--story {story_id!r}: no file, address or open story of this name (expected the file or the "
                "https:// address of an article, or the id of an open story, which `tidings stories --out FILE.jsonl` "
                "lists)"
            )
        story, profile = found, tracker.profile(story_id)
    return FollowedStory(
        story=story_id, event_id="", title=story.title, query=story_query(story), profile=profile
    )


def _group(
    story_id: str, streams: Sequence[str], reading: ReadingOptions, *, pool: str, lenient: bool
) -> StoryKeeper:
    from tidings.core import Problems, UsageError
    from tidings.following.grouping.stored import StoryKeeper
    from tidings.following.hosting.sources import check_streams, is_live
    from tidings.following.verbs.options import chosen_pool
    from tidings.sources import open_reading

    check_streams(streams)
    if any(is_live(stream) for stream in streams):
        raise UsageError(
            f"--story {story_id!r}: no file or address of this name, and a stream that can be read only once is not "
            "searched for stories (expected the file or the https:// address of an article, or the id of a story with "
            "the --store in which `tidings stories --store FILE` kept it)"
        )
    problems, keeper = Problems(lenient=lenient), StoryKeeper()
    keeper.tracker.watch(story_id)
    for _ in keeper.push_many(
        open_reading(list(streams), reading, problems=problems, pool=chosen_pool(pool))
    ):
        pass
    return keeper


def _is_article(story_id: str) -> bool:
    from tidings.core import is_url

    return is_url(story_id) or os.path.isfile(story_id)  # noqa: PTH113, as text of any length is asked


def _of_article(place: str, reading: ReadingOptions, *, pool: str, lenient: bool) -> FollowedStory:
    from tidings.core import Problems
    from tidings.following.grouping.stored import FollowedStory
    from tidings.following.hosting.article_query import query_of_article, read_article
    from tidings.following.verbs.options import chosen_pool

    article = read_article(place, reading, problems=Problems(lenient=lenient), pool=chosen_pool(pool))
    asked = query_of_article(article, place)
    return FollowedStory(
        story=place, event_id="", title=asked.title, query=asked.query, profile=asked.description
    )
