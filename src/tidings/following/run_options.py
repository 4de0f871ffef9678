"""The options of a run: each once, for all faces that offer it.

A new option is a field here, with its type, and a table of its name in `run_options.toml`, with its unit, default and
help. It stands then in `--help-all` of the verbs it names, among the arguments of `tidings.follow` and in its
docstring, in the JSON API's schema and in what `tidings.toml` may hold.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from tidings.core import data_beside, describe, format_duration
from tidings.following.hosting import DEFAULT_ENTITIES, DEFAULT_PACE, DEFAULT_SYSTEM
from tidings.following.stream.loop import LATENESS_S

if TYPE_CHECKING:
    from tidings.core import System
    from tidings.following.library.arguments import Duration, ReadingArgument, Time
    from tidings.following.library.documents import Events, Query


class SourceOptions(TypedDict, total=False):
    """What verbs that read sources take."""

    sources: Sequence[str]
    live: bool
    every: str | None
    for_: str | None
    until: str | None
    pages: bool
    keep: str | None
    offline: bool
    allow_private: bool
    contact: str | None
    pool: str
    lenient: bool
    source_zone: str
    year: int | None
    day_first: bool | None
    columns: str
    file_times: bool
    quality: bool
    language: str


class TrackerOptions(TypedDict, total=False):
    """What `tidings.Tracker` takes."""

    query: "Query | Sequence[Query] | None"
    events: "Events | None"
    event: Sequence[str] | None
    system: "str | System"
    about: str | int | None
    languages: str | None
    wait: "Duration | None"
    story_terms: str | None
    title: str | Sequence[str] | None
    start: "Time | None"
    end: "Time | None"
    interval: "Duration | None"
    lateness: "Duration"
    mixed: bool
    reading: "ReadingArgument | None"


class FollowOptions(TrackerOptions, total=False):
    """What `tidings.follow` takes."""

    store: str | os.PathLike[str] | None
    name: str
    restart: bool


class RunOptions(FollowOptions, SourceOptions, total=False):
    """What the verbs that follow take, and what they share with others that read."""

    story: str | None
    out: str
    topics: str | None
    format: str | None
    values: bool
    entities: bool
    places: bool
    support: bool | None
    show: bool | None
    team: str
    run_name: str | None
    engine: str
    master: str | None
    checkpoint: str | None
    partitions: int
    files_per_batch: int | None
    modules: Sequence[str]
    conf: Sequence[str] | None
    config: str | None
    quiet: bool


describe(
    RunOptions,
    data_beside(__file__),
    system=DEFAULT_SYSTEM,
    pace=DEFAULT_PACE,
    entities=DEFAULT_ENTITIES,
    lateness=format_duration(LATENESS_S),
)
