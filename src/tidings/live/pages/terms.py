"""How a story is understood: words by which it is followed, other spellings of them, its terms, stories nearby."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import DAY_S, Event, StandingEvent, TidingsError, Update, clean, shared_analyzer
from tidings.following import (
    StoryLists,
    nearest_stories,
    standing_system,
    terms_of,
    with_terms,
)
from tidings.live.store import LIVE_STORIES, LiveStore
from tidings.live.store.events import follower_state, stream_of

_TEXTS, _TERMS, _LOOKED_AT, _DAYS = 100, 24, 200, 2  # updates read, terms shown, stories and their days


class ShownTerms(Struct, frozen=True):
    """What the page of an event shows of how it is understood.

    `own` are the terms that people added and struck, `nearest` stories by id and title.
    """

    query: tuple[str, ...]
    variants: tuple[str, ...]
    terms: tuple[str, ...]
    own: str
    nearest: tuple[tuple[str, str], ...]
    version: int


def shown_terms(live: LiveStore, standing: StandingEvent | None) -> ShownTerms | None:
    """How a standing event is understood; None where nobody learns a story, or nothing was read yet."""
    if standing is None:
        return None
    event = standing.event
    state = follower_state(live.store, live.run, event.id)
    if state is None:
        return None
    try:
        found = standing_system(standing).understood(event, state)
    except TidingsError:  # a state or a system of another version, which following itself reports
        return None
    if found is None:
        return None
    latest = live.outputs.latest(event_id=event.id, kinds=["update"], limit=_TEXTS)
    updates = (one.output.text for one in latest if isinstance(one.output, Update))
    words = found.in_words([event.query, *updates])
    nearest = _nearest(live, event, words.terms)
    own = story_terms(standing)
    return ShownTerms(words.query, words.variants, words.terms[:_TERMS], own, nearest, standing.version)


def story_terms(standing: StandingEvent) -> str:
    """The terms that people added to a standing event and struck from it."""
    return terms_of(standing.system)


def with_story_terms(standing: StandingEvent, terms: str) -> StandingEvent:
    """The standing event with these terms instead; UsageError where its system takes none."""
    if terms.strip() == story_terms(standing):
        return standing
    return replace(standing, system=with_terms(standing.system, terms))


def changed_terms(own: str, add: str, strike: str) -> str:
    """The terms of people with some more: words to add, and stems or words to strike; the latest word counts.

    >>> changed_terms("enron -energy", "energy skilling", "houston")
    'enron energy skilling -houston'
    >>> changed_terms("-talks", "talk", "")
    'talk'
    """
    struck = [f"-{word.removeprefix('-')}" for word in strike.split()]
    terms: dict[tuple[str, ...], str] = {}
    for word in [*own.split(), *add.replace(",", " ").split(), *struck]:
        stems = tuple(shared_analyzer().stems(word.removeprefix("-")))
        terms.pop(stems, None)
        terms[stems] = word
    return " ".join(terms.values())


def _nearest(live: LiveStore, event: Event, terms: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    # Stories in the feeds of the last days whose title and keywords are most like the words of the event.
    stream = stream_of(live.store, live.run)
    if stream is None:
        return ()
    found = StoryLists(live.store, LIVE_STORIES).latest(stream[1] - _DAYS * DAY_S, _LOOKED_AT)
    return tuple((story.story, clean(story.title)) for story in nearest_stories(found, event.query, terms))
