"""Small stories made to mislead: denials, survivors of those feared dead, parts, ranges; what pages say in the end.

The stories stand in the JSON file beside this one: articles as [hours, outlet, title, text], and the figures that the
page must show; null where it must show none.
"""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from consistency import find_contradictions

from tests.sweeps import every
from tidings.core.records import Document, Event, Output, Support, Update, ValueUpdate
from tidings.core.text.sentences import cut
from tidings.following.report.figures import known_figures
from tidings.following.report.timeline import TimelineReport, build_timeline
from tidings.following.systems.assembly import assemble

STORIES = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
NIGHT = 1374703200
"""24 July 2013, 22:00."""


def page_of(story: dict[str, Any]) -> TimelineReport:
    """The page of a story as the default system follows it, with values and repeats."""
    event = Event(id="e", title="", query=story["query"])
    documents = [
        cut(Document(id=f"d{n}", published_time=NIGHT + 3600 * hours, source=outlet, title=title, text=text))
        for n, (hours, outlet, title, text) in enumerate(story["articles"])
    ]
    follower = assemble("tidings:values=yes", about="up to 40/day", support=True).start(event)
    outputs: list[Output] = []
    for time, together in groupby(documents, key=lambda document: document.published_time):
        outputs += follower.push([one for document in together for one in document.sentences], time)
    return build_timeline(
        event,
        [one for one in outputs if isinstance(one, Update)],
        values=[one for one in outputs if isinstance(one, ValueUpdate)],
        supports=[one for one in outputs if isinstance(one, Support)],
    )


@every("story", STORIES)
def test_a_page_says_what_the_story_says_in_the_end(story: dict[str, Any]) -> None:
    page = page_of(story)
    assert find_contradictions(page) == []
    figures = {figure.kind: figure.number for figure in known_figures(page)}
    for attribute, words in story["figures"].items():
        assert figures.get(attribute) == words, story["name"]
    told = [entry.update.text for entry in page.entries]
    assert [words for words in story.get("told", ()) if words not in told] == [], story["name"]
