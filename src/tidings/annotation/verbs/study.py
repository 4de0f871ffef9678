"""`tidings study`: nuggets against clusters: how alike they are, what each costs, and who wins by which."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tidings.core import described, form_of, json_text, say, show, terminal_width, waiting

if TYPE_CHECKING:
    from tidings.core import Judgments, Problems, Run
    from tidings.evaluation import CategoryTable, Collection, EffortComparison, Provenance, Study


Form = Literal["table", "markdown", "latex", "json", "html"]
Silver = Literal["random", "highest-grade", "earliest", "most-popular", "automatic"]
Normaliser = Literal["max", "arithmetic", "geometric", "min"]


@described(__file__)
def study(
    sources: list[str],
    out: str | None = None,
    form: Form | None = None,
    silver: Silver | None = None,
    also: list[str] | None = None,
    topic: str | None = None,
    categories: str | None = None,
    suggest: str | None = None,
    effort: list[str] | None = None,
    project: str | None = None,
    ami_normaliser: Normaliser = "max",
    verbosity: bool = False,
    seeds: int = 10,
    lenient: bool = False,
) -> None:
    """Study a collection judged by nuggets and by clusters, as Baruah, McCreadie and Lin did (CIKM 2017).

    Reports counts by topic, categories, projections of nuggets into clusters, runs' scores by both kinds and their
    correlation, pairs of runs topic by topic, judging effort, and the updates on which the two disagree.
    """
    from tidings.core import Problems, UsageError, need_folders, refuse_overwriting
    from tidings.evaluation import files_of_runs, make_study

    shape = form_of(out, form, Form)
    first = 1 if silver is not None else 2
    if len(sources) < first:
        raise UsageError(
            "Name two folders of judgments, one with nuggets and one with clusters; name the same twice where "
            "it has both, or give --silver"
        )
    folders, paths = list(dict.fromkeys([*sources[:first], *(also or [])])), sources[first:]
    need_folders(out, suggest)
    refuse_overwriting(
        {"--out": out, "--suggest": suggest},
        {
            "judgments": folders,
            "a run": files_of_runs(paths),
            "--categories": [categories],
            "--effort": effort or [],
        },
    )
    problems = Problems(lenient=lenient)
    with waiting("reading"):
        collection = _collection(sources[:first], also or [], silver, problems)
        runs = _runs(paths, problems)
    table = _categories(collection, topic, categories, problems)
    if suggest is not None:
        _write_categories(suggest, table)
    with waiting("comparing"):
        made = make_study(
            collection,
            runs,
            categories=table,
            effort=_effort(effort, folders, project),
            seeds=seeds,
            normaliser=ami_normaliser,
            verbosity=verbosity,
        )
    notes = (problems.summary(),) if problems.count else ()
    for note in notes:
        say(note)
    given = [
        *(["--silver", silver] if silver else []),
        *(word for folder in also or [] for word in ("--also", folder)),
        *(["--topic", topic] if topic else []),
        *(["--categories", categories] if categories else []),
        *(word for log in effort or [] for word in ("--effort", log)),
        *(["--project", project] if project else []),
        *["--ami-normaliser", ami_normaliser, *(["--verbosity"] if verbosity else []), "--seeds", str(seeds)],
    ]
    with waiting("drawing"):
        text = _text(made, _provenance(sources, given, paths, notes), shape, out)
    show(text, out)
    if out is not None and out != "-":
        say(f"the study is at {out}", prefix="")


def _collection(
    sources: Sequence[str], also: Sequence[str], silver: Silver | None, problems: Problems
) -> Collection:
    """The judgments of both kinds, each from the folders named for it; further years may hold either."""
    from tidings.core import UsageError
    from tidings.evaluation import collect

    judged = {path: _judgments(path, problems) for path in dict.fromkeys([*sources, *also])}
    nuggets = [judged[path] for path in dict.fromkeys([sources[0], *also]) if judged[path].nuggets]
    if not judged[sources[0]].nuggets:
        raise UsageError(f"{sources[0]}: no nuggets. The first folder must have judgments with nuggets.")
    if silver is not None:
        return collect(nuggets, silver=silver)
    if not judged[sources[1]].clusters:
        raise UsageError(
            f"{sources[1]}: no clusters. The second folder must have judgments with clusters; where there are "
            "none, leave it out and give --silver"
        )
    clusters = [judged[path] for path in dict.fromkeys([sources[1], *also]) if judged[path].clusters]
    return collect(nuggets, clusters)


def _judgments(path: str, problems: Problems) -> Judgments:
    """A folder of judgments, or clusters alone from a file of them."""
    from tidings.core import Judgments
    from tidings.evaluation import read_clusters
    from tidings.sources import read_judgments

    if Path(path).is_file():
        return Judgments(name=Path(path).stem, clusters=read_clusters(path, problems=problems))
    return read_judgments(path, problems=problems)


def _runs(paths: Sequence[str], problems: Problems) -> list[Run]:
    from tidings.core import gc_paused
    from tidings.evaluation import read_runs

    with gc_paused():
        return [run for path in paths for run in read_runs(path, problems)]


def _categories(
    collection: Collection, topic: str | None, path: str | None, problems: Problems
) -> CategoryTable | None:
    """Table 2 of the topic asked for, of that of the file, or of the only one."""
    from tidings.core import UsageError, bare_event_id
    from tidings.evaluation import Assigned, categorise, read_categories

    ids = {bare_event_id(topic.id): topic.id for topic in collection.topics}
    lines = read_categories(path, problems=problems) if path else ()
    said = topic or next((line.event for line in lines), "") or (next(iter(ids)) if len(ids) == 1 else "")
    if not said:
        return None
    chosen = ids.get(bare_event_id(said))
    if chosen is None:
        where = "--topic" if topic else str(path)
        raise UsageError(f"{where}: there is no topic {said}. Choose one of {', '.join(ids.values())}.")
    of_topic = [line for line in lines if bare_event_id(line.event) == bare_event_id(chosen)]
    by_hand = [
        Assigned(line.kind, line.id, line.category)  # type: ignore[arg-type]
        for line in of_topic
        if line.kind in ("nugget", "cluster")
    ]
    related = {line.category: line.text for line in of_topic if line.kind == "relationship"}
    return categorise(collection.judgments, chosen, by_hand, related)


def _write_categories(path: str, table: CategoryTable | None) -> None:
    from tidings.core import UsageError
    from tidings.evaluation import CategoryLine, write_categories

    if table is None:
        raise UsageError("--suggest needs a topic. Name it with --topic.")
    lines = [
        CategoryLine(table.topic, assigned.kind, assigned.id, assigned.category, assigned.text)
        for assigned in table.assigned
    ]
    lines += [CategoryLine(table.topic, "relationship", "", row.name, row.relationship) for row in table.rows]
    write_categories(path, lines)
    say(f"the categories are at {path}", prefix="")


def _effort(
    logs: Sequence[str] | None, folders: Sequence[str], project: str | None
) -> EffortComparison | None:
    """What judging took, by the logs named, else by those in the folders of judgments."""
    from tidings.core import UsageError
    from tidings.evaluation import DESK_LOG_FILE, TaskEffort, compare_effort

    paths = list(
        logs or [str(path) for folder in folders if (path := Path(folder) / DESK_LOG_FILE).is_file()]
    )
    if not paths:
        return None
    from tidings.annotation.desk.effort import (
        logged_effort,
        sum_up,  # a desk's log may be in a database
    )

    rows = [row for path in paths for row in logged_effort(path, project or "")]
    if project and not rows:
        raise UsageError(
            f"--project {project}: found no judgment of a project of that name in {', '.join(paths)}"
        )
    people = {
        task: len({row.person for row in rows if row.task == task}) for task in {row.task for row in rows}
    }
    return compare_effort(
        TaskEffort(row.task, "", row.observed_s, row.estimated_s, row.assessments, people[row.task])
        for row in sum_up(rows, "task")
    )


def _provenance(
    sources: Sequence[str], given: Sequence[str], paths: Sequence[str], notes: tuple[str, ...]
) -> Provenance:
    import shlex

    from tidings.evaluation import Provenance, digests_of_files, printable_path

    command = shlex.join(["tidings", "study", *map(printable_path, sources), *given])
    return Provenance(command=command, files=digests_of_files(paths), notes=notes)


def _text(made: Study, provenance: Provenance, form: str, out: str | None) -> str:
    from tidings.evaluation import print_study, study_json

    if form == "json":
        return json_text(study_json(made, provenance))
    if form == "html":
        from tidings.evaluation import render_study

        return render_study(made, provenance)
    return print_study(made, provenance, form, width=terminal_width() if out is None else None)
