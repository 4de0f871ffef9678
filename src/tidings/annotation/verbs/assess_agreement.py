"""`tidings assess agreement`: how far the judges of a project agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidings.annotation.verbs.projects import project_named
from tidings.core import described, say, show, terminal_width
from tidings.web import VERB_OPTIONS

if TYPE_CHECKING:
    from tidings.annotation.desk.disagreements import Contested, Figures
    from tidings.annotation.desk.suggested import SuggestionFigures
    from tidings.core import Cell, Table


_MEASURES = ("same", "cohen", "fleiss", "alpha", "links", "spans", "ari", "ami", "ratio")
_OF_SUGGESTIONS = ("same", "precision", "recall")


@described(__file__, VERB_OPTIONS)
def assess_agreement(
    project: str,
    store: str,
    per_topic: bool = False,
    as_json: bool = False,
    disagreements: str | None = None,
) -> None:
    """Measure how well the judges of a project agree, by task.

    Cohen's and Fleiss' κ and Krippendorff's α for labels, overlap for links and spans, ARI and AMI for clusters, and
    the 2001 ratio for linked sentences. Counts what each person judged alone, before any decision by a lead. Where a
    program's suggestions were imported, also how far people's answers agree with them, as given before these were seen.
    """
    from tidings.annotation.desk.disagreements import agreement_of, contested_of
    from tidings.annotation.desk.suggested import suggestion_figures
    from tidings.annotation.store import Desk
    from tidings.core import Table, open_store, refuse_overwriting, render

    refuse_overwriting({"--disagreements": disagreements}, {"--store": [store]})
    with open_store(store, durable=True) as opened:
        desk = Desk(opened)
        place = project_named(desk, project)
        topics = desk.projects.topics(place.id)
        figures = agreement_of(
            {topic.number: desk.log.objects(place.id, topic.number) for topic in topics}, place.tasks
        )
        suggested = suggestion_figures(desk, place)
        names = {0: "all"} | {topic.number: topic.event.id for topic in topics}
        if disagreements:
            _write(disagreements, contested_of(desk, place))
    if as_json:
        show(_json(figures, names, suggested), None)
        return
    if not figures:
        say("No item has been judged by two people yet.")
    rows: list[tuple[Cell, ...]] = [
        (
            row.task,
            row.label,
            names[row.topic],
            row.judges,
            row.items,
            *(_cell(row, name) for name in _MEASURES),
        )
        for row in figures
        if per_topic or row.topic == 0
    ]
    head = ("task", "label", "topic", "judges", "items", *_MEASURES)
    show(render(Table(head, tuple(rows), right=tuple(range(3, 14))), "table", terminal_width()), None)
    if suggested:
        show(render(_with_suggestions(suggested), "table", terminal_width()), None)


def _with_suggestions(figures: list[SuggestionFigures]) -> Table:
    from tidings.core import Table

    head = ("suggested by", "judge", "updates", *_OF_SUGGESTIONS, "changed")
    rows = tuple(
        (
            row.by,
            row.judge or "all",
            row.updates,
            *(_cell(row, name) for name in _OF_SUGGESTIONS),
            row.changed,
        )
        for row in figures
    )
    return Table(head, rows, right=tuple(range(2, 7)))


def _cell(figures: Figures | SuggestionFigures, name: str) -> Cell:
    from math import isnan

    value = getattr(figures, name)
    return "–" if isnan(value) else value


def _json(figures: list[Figures], names: dict[int, str], suggested: list[SuggestionFigures]) -> str:
    import json
    from math import isnan

    import msgspec

    listed = []
    rows = [msgspec.structs.asdict(row) | {"topic": names[row.topic]} for row in figures]
    rows += [{"task": "suggestion"} | msgspec.structs.asdict(row) for row in suggested]
    for values in rows:
        listed.append(
            {
                name: None if isinstance(value, float) and isnan(value) else value
                for name, value in values.items()
            }
        )
    return json.dumps(listed, ensure_ascii=False, indent=1)


def _write(path: str, contested: list[Contested]) -> None:
    from tidings.core import write_tsv

    write_tsv(path, (("event", "task", "on", "item", "decided", "answers"), *map(_line, contested)))


def _line(contested: Contested) -> tuple[str, ...]:
    said = " | ".join(f"{judge}: {words}" for judge, words in contested.answers.items())
    return (
        contested.topic.event.id,
        contested.task,
        contested.sort,
        contested.id,
        "yes" if contested.decided else "no",
        said,
    )
