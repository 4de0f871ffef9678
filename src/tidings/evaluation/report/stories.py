"""The stories of sources as people read them: in a terminal, as Markdown, on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tidings.core import Clock, clean

if TYPE_CHECKING:
    from tidings.core import Document
    from tidings.following import StorySummary

__all__ = ["list_stories", "stories_page"]

_OUTLETS_SHOWN = 6  # of a story; the rest are counted


def list_stories(
    stories: Sequence[StorySummary], clock: Clock, *, markdown: bool = False, width: int | None = None
) -> str:
    """Four lines for each story: title, state with documents and outlets, key words, names.

    Args:
        stories: in the order in which they are shown.
        clock: by which times are written.
        markdown: set titles in bold, with line breaks that Markdown keeps.
        width: the most characters of a line; None knows no bound.
    """
    lines: list[str] = []
    for number, story in enumerate(stories, 1):
        title = clean(story.title)
        lines.append(
            f"{number}. **{_escape(title)}**  " if markdown else _fit(f"{number:>2}  {title}", width)
        )
        more = len(story.outlets) - _OUTLETS_SHOWN
        outlets = ", ".join(story.outlets[:_OUTLETS_SHOWN]) + (f" and {more} more" if more > 0 else "")
        count = len(story.documents)
        facts = " · ".join(
            (
                story.state,
                f"{count:,} document{'' if count == 1 else 's'}",
                clock.period(story.first_time, story.last_time),
                outlets,
            )
        )
        for words in filter(None, (facts, ", ".join(story.keywords), ", ".join(story.names))):
            lines.append(f"   {_escape(clean(words))}  " if markdown else _fit(f"    {clean(words)}", width))
    return "\n".join(lines) or "No stories: no two documents report the same development."


def stories_page(
    stories: Sequence[StorySummary], documents: Mapping[str, Document], clock: Clock, at: int | None = None
) -> str:
    """The stories as one HTML page, each with links to its documents.

    Args:
        stories: in the order in which they are shown.
        documents: the documents of the stories, by id.
        clock: by which times are written.
        at: the moment for which the stories are shown; None does not say.
    """
    from tidings.evaluation.report.page import fill_template

    return fill_template(
        "stories.html.j2",
        "stories.css",
        stories=stories,
        documents=documents,
        places={story.story: number for number, story in enumerate(stories, 1)},
        titles={story.story: story.title for story in stories},
        clock=clock,
        at=at,
    )


def _fit(line: str, width: int | None) -> str:
    return line if width is None or len(line) <= width else line[: max(1, width - 2)] + " …"


def _escape(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|!~" else letter for letter in text)
