"""`tidings convert`: from one format to another."""

from __future__ import annotations

from pathlib import Path

from tidings.core import described, say
from tidings.following import chosen_pool


@described(__file__)
def convert(
    source: Path,
    target: Path,
    source_kind: str | None = None,
    target_kind: str | None = None,
    pool: str = "sampled",
    overwrite: bool = False,
    lenient: bool = False,
) -> None:
    """Convert between formats; whatever cannot be kept is reported on standard error.

    Formats: run and updates, pool and documents, topics and events, trec and judgments (folders); the first of
    each pair is TREC's, the second tidings' own. Formats of other tasks, such as timelines, are rewritten in the
    same format with --from. Names ending in .gz, .xz or .zst are compressed.
    """
    from tidings.core import Problems, is_url, nothing_there
    from tidings.evaluation.convert import convert as library_convert

    if is_url(source):
        raise nothing_there(source, "file or folder")
    problems = Problems(lenient=lenient)
    _spare_input(source, target)
    done = library_convert(
        source,
        target,
        source_kind=source_kind,
        target_kind=target_kind,
        pool=chosen_pool(pool),
        overwrite=overwrite,
        problems=problems,
    )
    lines = [f"note: {note}" for note in done.notes]
    if problems.count:
        lines.append(problems.summary())
    lines.append(f"{done.source_kind} to {done.target_kind}: wrote {', '.join(done.counts)}")
    for line in lines:
        say(line)


def _spare_input(source: Path, target: Path) -> None:
    """Raise UsageError where what is written would replace what is read."""
    from tidings.core import UsageError, refuse_overwriting
    from tidings.evaluation.scoring.runs import files_of_runs
    from tidings.following import card_path

    if "-" in (str(source), str(target)):
        return  # a pipe is no file, and has no card
    if source.is_dir() and target.is_dir() and source.resolve() == target.resolve():
        raise UsageError(
            f"{target}: IN and OUT are the same folder, and what is read stays as it is; choose another OUT"
        )
    outputs = {"OUT": target, "the card of OUT": card_path(target)}
    if target.is_dir():
        outputs = {f"{file.name} in OUT": file for file in target.iterdir() if file.is_file()}
    for name, path in outputs.items():
        refuse_overwriting({name: path}, {"IN": files_of_runs([str(source)])})
