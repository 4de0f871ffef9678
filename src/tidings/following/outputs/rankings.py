"""Entity rankings as lines of a run hold them: the entities of a day, and beside them what is known of each."""

from __future__ import annotations

import datetime
from typing import Any

from msgspec import Struct

from tidings.core import BadRecordError, EntityRanking, Int64
from tidings.following.outputs.evidence import EvidenceLine, build_evidence, evidence_line

__all__ = ["RankingLine", "build_ranking", "ranking_line"]

_BESIDE = ("types", "scores", "salience", "informativeness", "new", "ids")


class RankingLine(Struct):
    """A line of kind `entities`."""

    event: str
    date: str
    entities: list[str]
    time: int | str = 0
    types: list[str] = []
    scores: list[float] = []
    salience: list[float] = []
    informativeness: list[float] = []
    new: list[bool] = []
    ids: list[Int64] = []
    evidence: list[EvidenceLine] = []
    team: str = ""
    run: str = ""


def build_ranking(line: RankingLine, time: int) -> EntityRanking:
    """The ranking that a line says, of which the time is read."""
    try:
        day = datetime.date.fromisoformat(line.date).isoformat()
    except ValueError:
        day = ""
    if day != line.date:
        raise BadRecordError(f"date {line.date[:40]!r}", "YYYY-MM-DD")
    for key in (*_BESIDE, "evidence"):
        beside = getattr(line, key)
        if beside and len(beside) != len(line.entities):
            raise BadRecordError(f"{len(beside)} {key} for {len(line.entities)} entities", "one for each")
    return EntityRanking(
        line.event,
        line.date,
        tuple(line.entities),
        time,
        **{key: tuple(getattr(line, key)) for key in _BESIDE},
        evidence=tuple(map(build_evidence, line.evidence)),
    )


def ranking_line(ranking: EntityRanking) -> dict[str, Any]:
    """A ranking as a line. A day that names nobody has empty lists, so that readers find every key on every day."""
    line: dict[str, Any] = {"kind": "entities", "event": ranking.event_id, "date": ranking.date}
    if ranking.time:
        line["time"] = ranking.time
    line["entities"] = ranking.entities
    for key in _BESIDE:
        beside = getattr(ranking, key)
        if beside or not ranking.entities:
            line[key] = beside
    if ranking.evidence or not ranking.entities:
        line["evidence"] = [evidence_line(one) for one in ranking.evidence]
    return line
