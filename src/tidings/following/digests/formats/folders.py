"""Reference timelines of topics, and timelines to be scored, in the places where they are kept.

References: one file; or a folder with a file for each reference; or a folder with a sub-folder for each topic. A
topic's folder may be as in news-tls (`timelines.jsonl`, one reference a line) or Timeline17 (`timelines/`).
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from tidings.core import (
    DailyTimeline,
    Problems,
    UsageError,
    ending,
    find,
    is_folder,
    is_jsonl,
    plain_name,
    read_lines,
)
from tidings.following.digests.formats.digests import holds_digests, read_digests
from tidings.following.digests.formats.files import read_timelines, timelines_of
from tidings.following.outputs.outputs import read_updates
from tidings.following.outputs.registry import RUN_FORMATS

__all__ = ["TimelineRun", "read_references", "read_timeline_runs"]


class TimelineRun(Struct, frozen=True):
    """What one system wrote: timelines of the topics that they are named by, or else of all topics in their order."""

    team: str
    name: str
    timelines: tuple[DailyTimeline, ...]
    by_topic: bool = False


def read_references(path: str | Path, *, problems: Problems | None = None) -> dict[str, list[DailyTimeline]]:
    """The reference timelines of each topic, by names of files or folders.

    Raises:
        UsageError: a folder without timelines.
        FormatError: bad lines.
    """
    folder = Path(path)
    if not is_folder(folder):
        return {_stem(path): read_timelines(path, problems=problems)}
    own = _marked(folder) or _plain_files(folder)
    if own:
        return {folder.resolve().name: _named_by_file(own, problems)}
    inner = sorted(sub for sub in folder.iterdir() if sub.is_dir())
    # Where some folders are marked as topics, others beside them are something else.
    topics = {sub.name: _marked(sub) for sub in inner}
    if not any(topics.values()):
        topics = {sub.name: _plain_files(sub) for sub in inner}
    if not any(topics.values()):
        raise UsageError(
            f"{path}: found a folder without timelines, expected files in .txt, .json or .jsonl, or a folder of them "
            "for each topic"
        )
    return {name: _named_by_file(files, problems) for name, files in topics.items() if files}


def _marked(folder: Path) -> list[Path]:
    # Where collections keep the timelines of a topic; its articles lie beside them.
    lines = find(folder, "timelines.jsonl")
    if lines:
        return [lines]
    return _plain_files(folder / "timelines") if (folder / "timelines").is_dir() else []


def _plain_files(folder: Path) -> list[Path]:
    return [
        file
        for file in sorted(folder.iterdir())
        if file.is_file()
        and ending(file) in RUN_FORMATS["timelines"].endings
        and not file.name.startswith(".")
    ]


def _named_by_file(files: list[Path], problems: Problems | None) -> list[DailyTimeline]:
    return [timeline for file in files for timeline in read_timelines(file, problems=problems)]


def _stem(path: str | Path) -> str:
    return Path(plain_name(path)).stem


def read_timeline_runs(path: str | Path, *, problems: Problems | None = None) -> list[TimelineRun]:
    """What is to be scored: a timeline, several in JSON Lines, a folder with one for each topic, or runs of updates.

    JSON Lines hold timelines when the first line begins with a bracket, else days of `tidings digest`, or tidings'
    updates, which become timelines by the day of their time.

    Raises:
        FormatError, UsageError: as `read_timelines`, `read_updates` and `timelines_of`.
    """
    folder = Path(path)
    if is_folder(folder):
        files = _plain_files(folder)
        if not files:
            raise UsageError(f"{path}: found a folder without timelines, expected one file for each topic")
        chosen = _named_by_file(files, problems)
        return [TimelineRun("", folder.resolve().name, tuple(chosen), by_topic=True)]
    if is_jsonl(path) and holds_digests(path):
        digests = read_digests(path, problems=problems)
        return [
            TimelineRun(
                "", _stem(path), tuple(one.to_timeline() for one in digests), by_topic=len(digests) > 1
            )
        ]
    if is_jsonl(path) and _holds_objects(path):
        return [
            TimelineRun(run.team, run.name, tuple(timelines_of(run).values()), by_topic=True)
            for run in read_updates(path, problems=problems)
        ]
    return [TimelineRun("", _stem(path), tuple(read_timelines(path, problems=problems)))]


def _holds_objects(path: str | Path) -> bool:
    return next((line.lstrip()[:1] == b"{" for _, line in read_lines(path) if line.strip()), False)
