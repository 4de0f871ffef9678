"""`tidings digest`: the story so far, by days."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tidings.core import described, say, takes_options
from tidings.following import RunOptions, repeat_lines

if TYPE_CHECKING:
    from tidings.core import Digest

Form = Literal["terminal", "text", "json", "jsonl", "markdown", "html"]


@takes_options("digest")
@described(__file__)
def digest(
    options: RunOptions,
    query: list[str] | None = None,
    event: list[str] | None = None,
    title: str | None = None,
    start: str | None = None,
    end: str | None = None,
    dates: int = 30,
    sentences: int = 2,
    system: str = "ours",
    shorten: bool = False,
    out: str | None = None,
    form: Form | None = None,
    run_name: str | None = None,
    zone: str = "UTC",
    width: int | None = None,
) -> None:
    """Summarize an event day by day from all documents: the story so far.

    Each sentence is a quotation with its source. Run it again when there are more documents, and the story is updated.
    """
    from tidings.core import Clock, Problems, refuse_overwriting
    from tidings.evaluation.report.digest import form_of_digest, show_digest, write_digest
    from tidings.following import (
        event_time,
        files_of_streams,
        make_digest,
        only_query,
        open_story,
        reading_of,
        steps_progress,
    )

    streams, quiet = options["sources"], options["quiet"]
    shape = form_of_digest(out, form)
    names = list(event or ())
    refuse_overwriting({"--out": out}, {"a stream": files_of_streams(streams), "the event": names})
    problems = Problems(lenient=options["lenient"])
    clock = Clock(zone)
    story = open_story(
        streams,
        only_query(query, names, title, "a digest covers one event; make one for each"),
        names=names,
        run_name=run_name,
        pool=options["pool"],
        problems=problems,
        start=event_time(start, "--start"),
        end=event_time(end, "--end"),
        reading=reading_of(options),
    )
    with steps_progress("reading") as move:
        made = make_digest(
            story.documents,
            story.event,
            chosen=story.chosen,
            dates=dates,
            sentences=sentences,
            system=system,
            shorten=shorten,
            zone=clock.zone,
            progress=lambda done, total: move(done, total, ""),
        )
    if not quiet:
        _report(made)
    for line in repeat_lines(story.repeats, "their sentences"):
        say(line, prefix="")
    for remark in () if quiet else problems.remarks:
        say(remark, prefix="")
    say(problems.summary(), prefix="")
    if shape == "terminal":
        show_digest(made, clock, width=width, out=out)
        return
    write_digest(made, out or "-", shape, clock)
    if out not in (None, "-") and not quiet:
        say(f"written to {out}", prefix="")


def _report(digest: Digest) -> None:
    days = len(digest.days)
    say(
        f"{digest.documents:,} document{'s' if digest.documents != 1 else ''} read, {digest.story_documents:,} about "
        f"the story: {days} day{'s' if days != 1 else ''}",
        prefix="",
    )
