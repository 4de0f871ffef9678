"""`tidings explain --entity`: why an entity stands where it does on a day, feature by feature."""

from __future__ import annotations

from io import StringIO
from typing import Literal

from tidings.core import described, form_of, need_folders, refuse_overwriting, show, takes_options
from tidings.following.hosting import DEFAULT_ENTITIES
from tidings.following.run_options import RunOptions

Form = Literal["table", "json"]


@takes_options("explain")
@described(__file__)
def explain_entity(
    options: RunOptions,
    entity: str,
    day: str,
    query: list[str] | None = None,
    event: list[str] | None = None,
    system: str = DEFAULT_ENTITIES,
    features: int = 15,
    form: Form | None = None,
    out: str | None = None,
) -> None:
    """Explain an entity's rank on a day: what each feature adds to its score, and what the documents say of it.

    Sources are read up to that day, as `tidings entities` reads them.
    """
    from tidings.core import Problems
    from tidings.following.hosting.digests import open_story
    from tidings.following.hosting.entities import entity_system, explain_entity as explain
    from tidings.following.verbs.options import only_query

    shape = form_of(out, form, Form)
    need_folders(out)
    refuse_overwriting({"--out": out}, {"a source": options["sources"]})
    entity_system(system)
    problems = Problems(lenient=True) if options["lenient"] else None
    why = "an entity stands on a day of one event"
    asked = only_query(query, event, None, why)
    story = open_story(
        options["sources"], asked, names=list(event or ()), pool=options["pool"], problems=problems
    )
    explained = explain(story.documents, story.event, day, entity, system)
    if shape == "json":
        import msgspec

        show(msgspec.json.encode(explained).decode(), out)
        return
    from rich.console import Console

    from tidings.following.report.entities import print_explained_entity

    console = Console() if out is None else Console(file=StringIO(), width=_FILE_COLUMNS)
    print_explained_entity(console, explained, features)
    if isinstance(console.file, StringIO):
        show(console.file.getvalue().rstrip("\n"), out)


_FILE_COLUMNS = 100  # a file has no width of its own
