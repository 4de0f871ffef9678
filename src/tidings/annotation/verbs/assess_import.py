"""`tidings assess import`: topics, pools and judgments for the desk."""

from __future__ import annotations

from tidings.annotation.verbs.projects import read_guidelines
from tidings.core import described, say
from tidings.web import VERB_OPTIONS


@described(__file__, VERB_OPTIONS)
def assess_import(
    project: str,
    store: str,
    folder: str | None = None,
    pool: str | None = None,
    topics: str | None = None,
    run: list[str] | None = None,
    stream: list[str] | None = None,
    revisions: str | None = None,
    topic: str = "",
    unjudged: bool = False,
    tables: bool = False,
    suggestions: str | None = None,
    judges: int | None = None,
    guidelines: str | None = None,
) -> None:
    """Import topics, a pool and judgments into a project of the desk, creating the project if necessary.

    Importing the same files again changes nothing. A new version of a folder updates what is different, except what
    people have changed since.
    """
    from tidings.annotation.desk.exchange.bringing import Inputs
    from tidings.annotation.store import Desk
    from tidings.core import open_store
    from tidings.following import steps_progress

    notes: list[str] = []
    inputs = Inputs.read(
        folder=folder,
        pool=pool,
        topics=topics,
        runs=run or [],
        streams=stream or [],
        revisions=revisions,
        topic=topic,
        guidelines=None if guidelines is None else read_guidelines(guidelines),
        unjudged=unjudged,
        tables=tables,
        suggestions=suggestions,
        notes=notes,
    )
    with open_store(store, durable=True) as opened, steps_progress("importing") as moved:
        lines = inputs.bring(Desk(opened), project, judges=judges, moved=moved)
    for line in (*notes, *lines):
        say(line)
