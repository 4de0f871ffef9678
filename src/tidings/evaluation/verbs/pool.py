"""`tidings pool`: which updates of runs people should judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidings.core import described, say, terminal_width

if TYPE_CHECKING:
    from tidings.core import Run
    from tidings.evaluation.pooling import PoolOrder, UpdatePool


@described(__file__)
def pool(
    runs: list[str],
    out: str,
    depth: int = 60,
    by: str = "confidence",
    stream: list[str] | None = None,
    judged: str | None = None,
    near: str | None = None,
    likeness: float = 0.5,
    lenient: bool = False,
) -> None:
    """Choose the updates of runs that people should judge, and link and count exact copies.

    Exact copies are linked in the column duplicate_id, so that one judgment serves them all.
    """
    from tidings.core import UsageError, refuse_overwriting, write_atomically
    from tidings.evaluation.formats.registry import FORMATS
    from tidings.evaluation.pooling import pool_runs
    from tidings.evaluation.scoring.runs import files_of_runs, read_runs
    from tidings.sources import read_judgments

    if by not in ("confidence", "time", "round-robin"):
        raise UsageError(f"--by {by!r} (expected confidence, time or round-robin)")
    order: PoolOrder = "time" if by == "time" else "round-robin" if by == "round-robin" else "confidence"
    refuse_overwriting(
        {"--out": out, "--near": near},
        {"a run": files_of_runs(runs), "judgments": [judged], "a stream": stream or ()},
    )
    given = [run for path in runs for run in read_runs(path)]
    before = read_judgments(judged).pool if judged else ()
    made = pool_runs(
        given,
        depth=depth,
        order=order,
        texts=_texts(given, stream or []),
        judged=before,
        likeness=likeness,
        lenient=lenient,
    )
    notes: list[str] = []
    FORMATS["pool"].write(out, made.updates, notes=notes)
    if near:
        with write_atomically(near) as file:
            file.write(b"event_id\tupdate_id\tearlier_id\tlikeness\n")
            for copy in made.near_copies:
                file.write(
                    f"{copy.event_id}\t{copy.update_id}\t{copy.earlier_id}\t{copy.likeness:.3f}\n".encode()
                )
    for note in notes:
        say(note)
    if wordless := sum(row.wordless for row in made.statistics):
        say(f"left out {wordless:,} updates whose text was not found")
    if out != "-":
        print(_report(made))  # noqa: T201


def _texts(runs: list[Run], streams: list[str]) -> dict[str, str]:
    """The words of updates whose run holds none, from streams."""
    from tidings.following import known_texts
    from tidings.sources import read_stream

    lacking = [update for run in runs for update in run.updates if not update.text]
    if not lacking or not streams:
        return {}
    return {key: said.text for key, said in known_texts(lacking, None, map(read_stream, streams)).items()}


def _report(made: UpdatePool) -> str:
    """A row for each event, and one for all."""
    from tidings.core import Table, render

    names = ("runs", "offered", "taken", "updates", "shared", "duplicates", "near", "judged", "left")
    rows: list[tuple[str | int, ...]] = [
        (row.event_id, *(getattr(row, name) for name in names)) for row in made.statistics
    ]
    if len(rows) > 1:
        sums = [sum(getattr(row, name) for row in made.statistics) for name in names[1:]]
        rows.append(("all", max(row.runs for row in made.statistics), *sums))
    return render(Table(("event", *names), tuple(rows), right=tuple(range(1, 10))), width=terminal_width())
