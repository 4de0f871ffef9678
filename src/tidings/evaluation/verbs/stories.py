"""`tidings stories`: which stories run in sources, each with its documents and outlets."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tidings.core import described, takes_options
from tidings.following import RunOptions, reading_of

if TYPE_CHECKING:
    from tidings.core import Document
    from tidings.following import StorySummary

_ENDINGS = (".jsonl", ".html", ".md", ".txt")
_STORIES_SHOWN = 20  # on a terminal; a file has all


@takes_options("stories")
@described(__file__)
def stories(
    options: RunOptions,
    out: str | None = None,
    at: str | None = None,
    follow: int | None = None,
    store: str | None = None,
    least: int = 2,
) -> None:
    """List the stories in sources: title, key words, outlets, and whether a story is new, growing or quiet.

    Documents are read in time order; each joins the nearest story or begins a new one. The stories reported by the most
    outlets in the last two days come first.
    """

    from tidings.core import (
        Clock,
        Problems,
        UsageError,
        refuse_overwriting,
        say,
        show,
        terminal_width,
        write_jsonl,
    )
    from tidings.evaluation.report.stories import list_stories, stories_page
    from tidings.following import check_streams, event_time, reading_progress, story_keeper
    from tidings.sources import open_reading, piped_content

    sources, quiet = options["sources"], options["quiet"]
    check_streams(sources)
    if out and out != "-" and not out.endswith(_ENDINGS):
        raise UsageError(
            f"--out {out}: name a file that ends in {', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}"
        )
    if out:
        refuse_overwriting({"--out": out}, {"a source": [source for source in sources if source != "-"]})
    if out and follow is not None:
        raise UsageError(
            "--follow and --out cannot be combined: --follow prints a command and writes nothing"
        )
    if store and at:
        raise UsageError(
            "--at cannot be used with --store: a store always continues from its last document; leave one out"
        )
    until = event_time(at, "--at")
    problems = Problems(lenient=options["lenient"])
    contents = [(piped_content() if source == "-" else None) or source for source in sources]
    opened = open_reading(contents, reading_of(options), problems=problems, pool=options["pool"])
    documents: dict[str, Document] = {}
    with reading_progress(opened, quiet=quiet), story_keeper(store) as keeper:
        kept = len(keeper.tracker) > 0
        for document in keeper.push_many(opened if until is None else _publish(opened, until)):
            documents[document.id] = document
        say(problems.summary(), prefix="")
        if not documents and not kept:
            when = f" up to {at}" if opened.documents else ""
            raise UsageError(f"{', '.join(sources[:3])}: there are no documents{when}")
        keeper.write()
        now = keeper.tracker.latest_time if until is None else until
        found = [
            story
            for story in (*keeper.tracker.stories(now), *keeper.closed())
            if len(story.documents) >= least
        ]
        if kept:
            documents = keeper.documents(name for story in found for name in story.documents)
        grouped = len(keeper.tracker)
    if follow is not None:
        if follow > len(found):
            raise UsageError(f"--follow {follow}: there {_count(len(found))} of {least} documents or more")
        show(_command(found[follow - 1], sources, store))
        return
    clock = Clock()
    if out and out.endswith(".jsonl"):
        write_jsonl(out, found)
    elif out and out.endswith(".html"):
        show(stories_page(found, documents, clock, now), out)
    else:
        in_file = out not in (None, "-")
        shown = found if in_file else found[:_STORIES_SHOWN]
        markdown = in_file and str(out).endswith(".md")
        show(list_stories(shown, clock, markdown=markdown, width=None if out else terminal_width()), out)
    if not quiet:
        rest = "" if out or len(found) <= _STORIES_SHOWN else "; --out FILE writes them all"
        counted = "1 story" if len(found) == 1 else f"{len(found):,} stories"
        say(f"{counted} in {grouped:,} documents{rest}", prefix="")


def _publish(documents: Iterable[Document], until: int) -> Iterator[Document]:
    return (document for document in documents if document.published_time <= until)


def _count(stories: int) -> str:
    return "is only 1 story" if stories == 1 else f"are only {stories:,} stories"


def _command(story: StorySummary, sources: Sequence[str], store: str | None) -> str:
    words = ["tidings", "follow", *sources, "--story", story.story]
    words += ["--store", store] if store else []
    return shlex.join([*words, "--out", _file_name(story.title)])


def _file_name(title: str) -> str:
    """A name for the updates of a story.

    >>> _file_name("Ferry on fire: 212 saved!")
    'ferry-on-fire-212-saved.jsonl'
    """
    words = "".join(letter if letter.isalnum() else " " for letter in title.lower()).split()
    return ("-".join(words[:6]) or "story") + ".jsonl"
