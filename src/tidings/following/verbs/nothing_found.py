"""What is said where nothing was emitted: which words of a query never occur, and what the stream is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING

from tidings.core import Document, Problems, analyzer_of, clean, how_many, is_url

if TYPE_CHECKING:
    from tidings.following.hosting.settings import RunSettings

__all__ = ["MOST_DOCUMENTS", "lines_of_nothing", "nothing_found"]

MOST_DOCUMENTS = 5_000
"""So many documents are read again at most."""

_EVENTS, _WORDS, _STORIES = 3, 12, 3  # how many are named
_MOST_MET = 50_000  # different words of the stream that are looked through for the nearest
_LONGEST = 40  # characters of a word
_NEAR, _NEAREST = 0.75, 2  # share of letters in common (Ratcliff and Obershelp), and how many are named
_MARKS = ".,;:!?\"'()[]`“”‘’"


def lines_of_nothing(streams: Sequence[str], settings: RunSettings, documents: int) -> list[str]:
    """What helps on after a run that emitted nothing; no lines where its sources are long or cannot be read again.

    Args:
        streams: what was followed, as given: the run's settings name what is read together as one.
        settings: of the run.
        documents: how many it had.
    """
    from tidings.following.hosting.sources import is_live
    from tidings.sources import open_reading

    if not 0 < documents <= MOST_DOCUMENTS or any(is_live(stream) or is_url(stream) for stream in streams):
        return []
    reading = open_reading(
        list(streams), settings.reading, problems=Problems(lenient=True), pool=settings.pool
    )
    return nothing_found([event.query for event in settings.events[:_EVENTS]], reading)


def nothing_found(queries: Sequence[str], documents: Iterable[Document]) -> list[str]:
    """For each query its words that never occur, with the nearest that do; then the nearest stories, or the largest.

    >>> text = "A ferry burned off Lisbon on Monday, and all 212 people on board were saved."
    >>> ferry = Document(id="a", published_time=0, title="Fire", text=text)
    >>> print("\\n".join(nothing_found(["earthquake lisbonn"], [ferry])))
    words of 'earthquake lisbonn' that never occur: earthquake, lisbonn (nearest: lisbon)
    the largest stories here: Fire (1 article)
    """
    from tidings.following.grouping.profiles import nearest_stories
    from tidings.following.grouping.story_tracker import StoryTracker

    stems: dict[str, set[str]] = {}
    met: dict[str, None] = {}
    tracker = StoryTracker()
    for document, _ in tracker.push_many(islice(documents, MOST_DOCUMENTS)):
        text = " ".join([document.title, document.text, *(sentence.text for sentence in document.sentences)])
        stems.setdefault(document.language, set()).update(analyzer_of(document.language).stems(text))
        if len(met) < _MOST_MET:
            words = (word.strip(_MARKS).lower() for word in text.split())
            met.update(dict.fromkeys(word for word in words if 2 < len(word) <= _LONGEST))
    lines = [line for query in queries if (line := _words_line(query, stems, met))]
    nearest = nearest_stories(tracker.stories(), " ".join(queries))
    if nearest:
        titles = "; ".join(clean(story.title) for story in nearest)
        return [*lines, f"the nearest stories here: {titles}"]
    stories = sorted(tracker.stories(), key=lambda story: -len(story.documents))[:_STORIES]
    if stories:
        shown = (f"{clean(story.title)} ({how_many(len(story.documents), 'article')})" for story in stories)
        lines.append("the largest stories here: " + "; ".join(shown))
    return lines


def _words_line(query: str, stems: dict[str, set[str]], met: Iterable[str]) -> str:
    absent = [word for word in dict.fromkeys(query.split()) if not _occurs(word, stems)][:_WORDS]
    quoted = repr(clean(query)[:100])
    if not absent:
        if len(query.split()) == 1:
            return f"{quoted} occurs, but in no article that says enough of it for an update"
        return f"every word of {quoted} occurs, but no article has enough of them for an update"
    shown = []
    for word in absent:
        asked = word.strip(_MARKS).lower()[:_LONGEST]
        like = [word for word in met if abs(len(word) - len(asked)) <= 2]
        near = get_close_matches(asked, like, _NEAREST, _NEAR)
        shown.append(clean(word)[:_LONGEST] + (f" (nearest: {clean(', '.join(near))})" if near else ""))
    return f"words of {quoted} that never occur: {', '.join(shown)}"


def _occurs(word: str, stems: dict[str, set[str]]) -> bool:
    """Whether a word is met, by its stems in any language of the documents; a stop word always is."""
    return any(met.issuperset(analyzer_of(language).stems(word)) for language, met in stems.items())
