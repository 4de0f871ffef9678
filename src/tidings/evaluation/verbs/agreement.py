"""`tidings agreement`: how far judges agree: on sentences of events (2001), or on nuggets, spans and clusters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tidings.core import described, form_of, say, show, terminal_width

if TYPE_CHECKING:
    from tidings.core import Cell, Table

Form = Literal["table", "tsv", "csv", "markdown", "latex"]


@described(__file__)
def agreement(
    judges: list[str],
    per_event: bool = False,
    disagreements: str | None = None,
    tables: bool = False,
    training: str | None = None,
    form: Form | None = None,
    out: str | None = None,
    lenient: bool = False,
) -> None:
    """Measure how well judges agree.

    For judges.tsv: the sentences that the third judge confirmed, divided by those that either of the others marked.
    A topic's value is the mean over its events, the total the mean over topics (Khandelwal, Gupta and Allan 2001).

    With --tables, describes a folder of judgments as the paper describes its corpus. Events come from links.tsv, else
    from the clusters, else from the nuggets.

    For several folders of judgments, one per judge, over the same updates: κ and α for relevance, overlap for links
    and spans, ARI and AMI for clusters.
    """
    from tidings.core import UsageError, refuse_overwriting, render

    shape = form_of(out, form, Form)
    refuse_overwriting({"--out": out, "--disagreements": disagreements}, {"judges": judges})
    if tables or training:
        show(_tables(judges, tables, training, shape, lenient, None if out else terminal_width()), out)
        return
    if len(judges) == 1:
        if disagreements:
            raise UsageError("--disagreements needs folders of judgments, one for each judge")
        table = _link(judges[0], per_event, lenient)
    else:
        table = _judge_table(judges, per_event, lenient, disagreements)
    show(render(table, shape, terminal_width() if out is None else None), out)


def _tables(
    folders: list[str], tables: bool, training: str | None, form: str, lenient: bool, width: int | None
) -> str:
    """Tables 1 to 3 of the paper, of a folder."""
    from tidings.core import Problems, UsageError, find
    from tidings.evaluation.formats.linked_2001 import read_judges, read_judging_times
    from tidings.evaluation.measures.novelty_2001 import agreements
    from tidings.evaluation.report.charts import print_sections
    from tidings.evaluation.scoring.novelty_2001 import read_links
    from tidings.evaluation.scoring.scorer import ScoringOptions
    from tidings.evaluation.study.linked_tables import describe_topics, linked_sections

    if not tables:
        raise UsageError("--training needs --tables")
    if len(folders) > 1 or not Path(folders[0]).is_dir():
        raise UsageError(f"--tables describes one folder of judgments, not {', '.join(folders)}")
    if form not in ("table", "markdown", "latex"):
        raise UsageError(f"--tables cannot be written as {form}; choose table, markdown or latex")
    problems = Problems(lenient=lenient)
    judges, times = find(folders[0], "judges.tsv"), find(folders[0], "judging_times.tsv")
    topics = describe_topics(
        read_links(Path(folders[0]), ScoringOptions()),
        agreements(read_judges(judges, problems=problems)) if judges else None,
        read_judging_times(times, problems=problems) if times else None,
    )
    say(problems.summary())
    chosen = [name.strip() for name in (training or "").split(",") if name.strip()]
    count = f"{len(topics)} topic{'s' * (len(topics) != 1)}"
    return print_sections(
        "An evaluation corpus", f"{count} of {folders[0]}.", linked_sections(topics, chosen), "", form, width
    )


def _link(judges: str, per_event: bool, lenient: bool) -> Table:
    """The agreement on linked sentences of 2001."""
    from tidings.core import Problems, Table, UsageError, find
    from tidings.evaluation.formats.linked_2001 import read_judges
    from tidings.evaluation.measures.novelty_2001 import agreements, topic_agreement

    path: str | Path = judges
    if Path(judges).is_dir():
        inside = find(judges, "judges.tsv")
        if inside is None:
            raise UsageError(
                f"{judges}: no judges.tsv (expected it in the folder, with what each judge marked); "
                "folders of judgments are compared with each other: name two or more"
            )
        path = inside
    problems = Problems(lenient=lenient)
    by_topic = agreements(read_judges(path, problems=problems))
    say(problems.summary())
    rows: list[tuple[Cell, ...]] = []
    means = {topic: topic_agreement(events.values()) for topic, events in by_topic.items()}
    for topic, events in by_topic.items():
        if per_event:
            rows += [(topic, event, value) for event, value in events.items()]
        rows.append((topic, "all", means[topic]))
    rows.append(("all", "all", topic_agreement(means.values())))
    return Table(("topic", "event", "agreement"), tuple(rows))


_FIGURES = ("kappa", "alpha", "links", "spans", "ari", "ami")


def _judge_table(folders: list[str], per_event: bool, lenient: bool, disagreements: str | None) -> Table:
    """The agreement of several judges on the same updates."""
    from tidings.core import Problems, Table, UsageError, write_tsv
    from tidings.evaluation.judgment_agreement import compare_judgments
    from tidings.evaluation.measures.agreement import mean_of_defined
    from tidings.sources import read_judgments

    problems = Problems(lenient=lenient)
    made = compare_judgments([read_judgments(folder, problems=problems) for folder in folders])
    say(problems.summary())
    if not made.events:
        raise UsageError(f"no event that all of {', '.join(folders)} judged (expected at least one)")
    rows: list[tuple[Cell, ...]] = []
    if per_event or len(made.events) == 1:
        for event in made.events:
            rows.append(
                (
                    event.event_id,
                    event.updates,
                    event.relevant,
                    *(_make_cell(getattr(event, name)) for name in _FIGURES),
                )
            )
    if len(made.events) > 1:
        means = [
            _make_cell(mean_of_defined(getattr(event, name) for event in made.events)) for name in _FIGURES
        ]
        seen = sum(event.updates for event in made.events), sum(event.relevant for event in made.events)
        rows.append(("all", *seen, *means))
    if disagreements:
        lines = [
            (
                disagreement.event_id,
                disagreement.kind,
                disagreement.update_id,
                disagreement.nugget_id,
                *disagreement.answers,
            )
            for disagreement in made.disagreements
        ]
        write_tsv(disagreements, [("event", "kind", "update", "nugget", *folders), *lines])
    return Table(("event", "updates", "relevant", *_FIGURES), tuple(rows), right=tuple(range(1, 9)))


def _make_cell(value: float) -> Cell:
    """A figure, or a dash where there was nothing to agree on."""
    from math import isnan

    return "–" if isnan(value) else value
