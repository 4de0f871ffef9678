"""Runs of entity rankings: JSON Lines, one ranking a line.

`{"event": …, "date": "2013-07-25", "entities": ["Renfe", …], "team": …, "run": …}`, the most important first; team
and run may be left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from tidings.core import (
    BadRecordError,
    EntityRanking,
    FormatError,
    Problem,
    Problems,
    RankingRun,
    read_jsonl,
    source_name,
    write_jsonl,
)
from tidings.following import is_day


class _Line(Struct):
    event: str
    date: str
    entities: list[str]
    team: str = "-"
    run: str = "-"
    time: int | str = 0
    kind: str = "entities"


class _Other(Struct):
    kind: str = "entities"
    team: str = "-"
    run: str = "-"


def _decode(line: bytes) -> _Line:
    # A run of tidings says of each line what it is, and may hold more than rankings.
    other = _decode_kind(line)
    if other.kind == "entities":
        return _decode_line(line)
    return _Line("", "", [], other.team, other.run, kind=other.kind)


_decode_line = msgspec.json.Decoder(_Line).decode
_decode_kind = msgspec.json.Decoder(_Other).decode


def read_entity_rankings(path: str | Path, *, problems: Problems | None = None) -> list[RankingRun]:
    """The runs of a file, in order of first appearance; lines of another `kind` than `entities` are passed over.

    A file without a ranking is a run that ranked nothing, where a line of kind `run` names it.

    A day that an event has twice is one where the second line says a later `time`, as where a stream had ended and went
    on: that line holds.

    Raises:
        FormatError: bad lines, all together: also a day that an event has twice in one run; or no line at all.
    """
    seen: dict[tuple[str, str, str, str], int] = {}
    silent: dict[tuple[str, str], dict[tuple[str, str], EntityRanking]] = {}

    def build(line: _Line) -> tuple[str, str, EntityRanking] | None:
        if line.kind == "run":
            silent[line.team, line.run] = {}
        if line.kind != "entities":
            return None
        if not (line.event.strip() and line.team.strip() and line.run.strip()):
            raise BadRecordError("an empty event, team or run", "a name")
        if len(line.date) != 10 or not is_day(line.date):
            raise BadRecordError(f"date {line.date[:40]!r}", "YYYY-MM-DD")
        if not all(name.strip() for name in line.entities):
            raise BadRecordError("an entity without a name", "names, the most important first")
        key = (line.team, line.run, line.event, line.date)
        time = line.time if isinstance(line.time, int) else 0
        if key in seen and not 0 < seen[key] < time:
            mend = "put all entities of a day into one line"
            raise BadRecordError(f"a second ranking of {line.event} on {line.date}", "one for each day", mend)
        seen[key] = time
        return line.team, line.run, EntityRanking(line.event, line.date, tuple(line.entities))

    collected = Problems() if problems is None else problems
    runs: dict[tuple[str, str], dict[tuple[str, str], EntityRanking]] = {}
    what = "a ranking: event, date, entities"
    for built in read_jsonl(path, _Line, build, problems=collected, what=what, decode=_decode):
        if built is not None:
            team, run, ranking = built
            runs.setdefault((team, run), {})[ranking.event_id, ranking.date] = ranking
    runs = runs or silent
    if not runs and not collected.count:
        raise FormatError([Problem(source_name(path), 0, "no ranking", "at least one line")])
    return [RankingRun(team, run, tuple(days.values())) for (team, run), days in runs.items()]


def write_entity_rankings(path: str | Path, runs: Iterable[RankingRun]) -> None:
    """Write runs, one ranking a line."""
    lines = (
        _Line(ranking.event_id, ranking.date, list(ranking.entities), run.team, run.name)
        for run in runs
        for ranking in run.rankings
    )
    write_jsonl(path, lines)
