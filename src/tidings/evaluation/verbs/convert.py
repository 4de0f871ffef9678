"""`tidings convert`: from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tidings.core import say
from tidings.following import chosen_pool


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A file, a folder of judgments, or -.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A file, a folder, or -.")],
    source_kind: Annotated[
        str | None, typer.Option("--from", help="What IN is; by its name without.")
    ] = None,
    target_kind: Annotated[
        str | None, typer.Option("--to", help="What OUT shall be; by its name without.")
    ] = None,
    pool: Annotated[
        str, typer.Option(help="Of a TREC folder: the sampled or the extended pool.")
    ] = "sampled",
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", help="Replace the judgments that the folder OUT holds, or remove them."),
    ] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Skip bad lines, and say how many.")] = False,
) -> None:
    """Turn one format into another; what cannot be kept is said on standard error.

    Kinds: run and updates, pool and documents, topics and events, trec and judgments (folders): of each pair
    the first is TREC's, the second tidings' own. Kinds of other tasks, such as timelines, are written anew
    as themselves, by --from. Names ending in .gz, .xz or .zst are compressed.
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
