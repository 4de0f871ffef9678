"""Runs as tidings' own JSON Lines: updates, values and entity rankings, told apart by `kind`, and where a run is from.

{"kind": "run", "team": "us", "run": "first", "system": "first", "choice": "corpus", "events": [{"id": "e", …}]}
{"kind": "update", "event": "e", "update": "a1-0", "doc": "a1", "sentence": 0, "time": 1374691950, "confidence": 1.0}
{"kind": "value", "event": "e", "time": 1374691950, "attribute": "deaths", "value": 2}
{"kind": "entities", "event": "e", "date": "2013-07-24", "entities": ["Renfe"]}
{"kind": "support", "event": "e", "update": "a1-0", "doc": "a1", "sentence": 0, "time": 1374691990, "evidence": {…}}
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from tidings.core import (
    LIMITS,
    BadRecordError,
    EntityRanking,
    Evidence,
    Int64,
    Limits,
    ModelCard,
    Output,
    Problems,
    Run,
    RunCard,
    Support,
    Update,
    ValueUpdate,
    read_jsonl,
    seconds,
    write_jsonl,
)
from tidings.sources import EventLine, build_event, event_json


class EvidenceLine(Struct, omit_defaults=True):
    """A sentence as evidence."""

    doc: str
    sentence: Int64
    text: str = ""
    published_time: Int64 = 0
    source: str = ""
    title: str = ""
    url: str = ""


class SupportLine(Struct):
    """A line of kind `support`."""

    event: str
    doc: str
    sentence: Int64
    time: int | str
    evidence: EvidenceLine
    same: bool = True
    update: str = ""
    team: str = ""
    run: str = ""


def check_place(doc: str, sentence: int, update: str) -> None:
    """Raise BadRecordError where this is no place of an update, or not the one that it says."""
    if len(doc.split()) != 1:
        raise BadRecordError(f"doc {doc!r}", "an id without blanks")
    if sentence < 0:
        raise BadRecordError(f"sentence {sentence}", "a number from 0")
    if update and update != f"{doc}-{sentence}":
        raise BadRecordError(f"update {update!r}", f"'{doc}-{sentence}'", "it is doc-sentence")


def build_evidence(line: EvidenceLine) -> Evidence:
    """The sentence that such an object says."""
    return Evidence(*astuple(line))


def build_support(line: SupportLine, time: int) -> Support:
    """The support that a line says, of which the time is read."""
    check_place(line.doc, line.sentence, line.update)
    return Support(line.event, time, line.doc, line.sentence, build_evidence(line.evidence), line.same)


def evidence_line(evidence: Evidence) -> EvidenceLine:
    """A sentence as an object of a line."""
    return EvidenceLine(*astuple(evidence)[: len(EvidenceLine.__struct_fields__)])


def support_line(support: Support) -> dict[str, Any]:
    """A support as a line."""
    return {
        "kind": "support",
        "event": support.event_id,
        "update": support.update_id,
        "doc": support.doc_id,
        "sentence": support.sentence_index,
        "time": support.time,
        "same": support.same,
        "evidence": evidence_line(support.evidence),
    }


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
        line["evidence"] = [evidence_line(evidence) for evidence in ranking.evidence]
    return line


_WHAT = "an update a line: event, doc, sentence, time"


class _UpdateLine(Struct, gc=False):
    event: str
    doc: str
    sentence: Int64
    time: int | str
    kind: Literal["update"] = "update"
    update: str = ""
    published_time: int | str = 0
    source: str = ""
    title: str = ""
    url: str = ""
    confidence: float = 1.0
    text: str = ""
    team: str = ""
    run: str = ""


class _ValueLine(Struct):
    event: str
    time: int | str
    attribute: str
    value: float | list[float]
    confidence: float = 1.0
    doc: str = ""
    sentence: Int64 = -1
    evidence: list[EvidenceLine] = []
    reported: list[float] = []
    place: str = ""
    qualifier: str = ""
    team: str = ""
    run: str = ""


class RunLine(Struct):
    """Where a run comes from, as JSON: the line before its outputs, or the file beside a TREC run."""

    team: str = ""
    run: str = ""
    system: str = ""
    model: ModelCard | None = None
    choice: Literal["pool", "corpus", ""] = ""
    events: list[EventLine] = []


class _KindLine(Struct):
    kind: str = "update"


_Line: TypeAlias = _UpdateLine | _ValueLine | RankingLine | SupportLine | RunLine
_Key: TypeAlias = tuple[str, str]

_decode_update = msgspec.json.Decoder(_UpdateLine).decode
_decode_kind = msgspec.json.Decoder(_KindLine).decode
_DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    "value": msgspec.json.Decoder(_ValueLine),
    "entities": msgspec.json.Decoder(RankingLine),
    "support": msgspec.json.Decoder(SupportLine),
    "run": msgspec.json.Decoder(RunLine),
}


def read_updates(path: str | Path, *, problems: Problems | None = None, limits: Limits = LIMITS) -> list[Run]:
    """The runs of a file, one for each team and run name, in order of first appearance.

    A line without `kind` is an update. Values, entity rankings and what supports updates are the `values`, `rankings`
    and `supports` of their run, and a line of kind `run` gives its `card`.

    Raises:
        FormatError: bad lines, all together with path:line.
    """
    runs: dict[_Key, _Parts] = {}
    lines = read_jsonl(
        path, _UpdateLine, _build, problems=problems, what=_WHAT, limits=limits, decode=_decode
    )
    for key, item in lines:
        parts = runs.get(key)
        if parts is None:
            parts = runs[key] = _Parts()
        if isinstance(item, Update):
            parts.updates.append(item)
        elif isinstance(item, RunCard):
            parts.card = item
        elif isinstance(item, ValueUpdate):
            parts.values.append(item)
        elif isinstance(item, Support):
            parts.supports.append(item)
        else:
            parts.rankings.append(item)
    return [
        Run(
            team,
            name,
            tuple(parts.updates),
            parts.card,
            tuple(parts.values),
            tuple(parts.rankings),
            tuple(parts.supports),
        )
        for (team, name), parts in runs.items()
    ]


class _Parts:
    # What a file says of one run.

    def __init__(self) -> None:
        self.card: RunCard | None = None
        self.updates: list[Update] = []
        self.values: list[ValueUpdate] = []
        self.rankings: list[EntityRanking] = []
        self.supports: list[Support] = []


def _decode(line: bytes) -> Any:
    # Nearly all lines are updates: only of the others the kind is looked at apart.
    try:
        return _decode_update(line)
    except msgspec.ValidationError:
        kind = _decode_kind(line).kind
        if kind == "update":
            raise
        if kind not in _DECODERS:
            expected = f"update, {', '.join(_DECODERS)}"
            raise BadRecordError(f"kind {kind[:40]!r}", expected, "see docs/core/formats.md") from None
        return _DECODERS[kind].decode(line)


def _build(line: _Line) -> tuple[_Key, Output | RunCard]:
    if isinstance(line, RunLine):
        return (line.team, line.run), build_card(line)
    if not line.event or len(line.event.split()) != 1:
        raise BadRecordError(f"event {line.event!r}", "an id without blanks")
    time = seconds(line.time, "time")
    key = (line.team, line.run)
    if isinstance(line, _UpdateLine):
        return key, _update(line, time)
    if isinstance(line, _ValueLine):
        return key, _value(line, time)
    if isinstance(line, SupportLine):
        return key, build_support(line, time)
    return key, build_ranking(line, time)


def _update(line: _UpdateLine, time: int) -> Update:
    published = seconds(line.published_time, "published_time")
    check_place(line.doc, line.sentence, line.update)
    return Update(
        line.event,
        line.doc,
        line.sentence,
        time,
        line.confidence,
        line.text,
        published,
        line.source,
        line.title,
        line.url,
    )


def _value(line: _ValueLine, time: int) -> ValueUpdate:
    numbers = tuple(line.value) if isinstance(line.value, list) else (line.value,)
    expected = 2 if line.attribute == "location" else 1
    if not line.attribute.strip():
        raise BadRecordError(f"attribute {line.attribute!r}", "a name, such as deaths")
    if len(numbers) != expected:
        raise BadRecordError(
            f"{len(numbers)} numbers for {line.attribute!r}",
            "[latitude, longitude]" if expected == 2 else "one number",
        )
    evidence = tuple(map(build_evidence, line.evidence))
    if line.reported and (len(line.reported) != 2 or not line.reported[0] <= line.reported[1]):
        raise BadRecordError(f"reported {line.reported[:3]}", "[lowest, highest]")
    return ValueUpdate(
        line.event,
        time,
        line.attribute,
        numbers,
        line.confidence,
        line.doc,
        line.sentence,
        evidence,
        tuple(line.reported),
        line.place,
        line.qualifier,
    )


def build_card(line: RunLine) -> RunCard:
    """Where a run comes from, as its line says."""
    events = tuple(build_event(event) for event in line.events)
    return RunCard(system=line.system, model=line.model, choice=line.choice, events=events)


def write_updates(path: str | Path, runs: Iterable[Run]) -> None:
    """Write runs, one output a line: each run's card, updates and what else it gave; reading gives the same runs."""
    write_jsonl(path, _lines_of_runs(runs))


def write_outputs(
    path: str | Path, outputs: Iterable[Output], *, team: str = "", run: str = "", card: RunCard | None = None
) -> None:
    """Write one run, its outputs one a line in their order, as they come; `card` says where it is from."""
    write_jsonl(path, _lines(outputs, team, run, card))


def _lines_of_runs(runs: Iterable[Run]) -> Iterator[dict[str, Any]]:
    for run in runs:
        yield from _lines(
            chain(run.updates, run.values, run.rankings, run.supports), run.team, run.name, run.card
        )


def _lines(outputs: Iterable[Output], team: str, run: str, card: RunCard | None) -> Iterator[dict[str, Any]]:
    whose = {key: name for key, name in (("team", team), ("run", run)) if name}
    if card is not None:
        yield {"kind": "run", **run_line(card, team, run)}
    for output in outputs:
        yield output_line(output) | whose


def output_line(output: Output) -> dict[str, Any]:
    """An output as a JSON object, which is a line of a run file; what is not known is left out.

    >>> output_line(Update("storm", "d1", 0, 60, 0.5, "A storm."))["text"]
    'A storm.'
    """
    if isinstance(output, Update):
        return _update_line(output)
    if isinstance(output, ValueUpdate):
        return _value_line(output)
    return support_line(output) if isinstance(output, Support) else ranking_line(output)


def run_line(card: RunCard, team: str, run: str) -> dict[str, Any]:
    """Where a run comes from, as a JSON object; what is not known is left out."""
    data = {
        "team": team,
        "run": run,
        "system": card.system,
        "model": card.model,
        "choice": card.choice,
        "events": [event_json(event) for event in card.events],
    }
    return {key: value for key, value in data.items() if value}


def _update_line(update: Update) -> dict[str, Any]:
    line: dict[str, Any] = {
        "kind": "update",
        "event": update.event_id,
        "update": update.id,
        "doc": update.doc_id,
        "sentence": update.sentence_index,
        "time": update.time,
    }
    if update.published_time:
        line["published_time"] = update.published_time
    for key in ("source", "title", "url"):
        if value := getattr(update, key):
            line[key] = value
    line["confidence"] = update.confidence
    if update.text:
        line["text"] = update.text
    return line


def _value_line(value: ValueUpdate) -> dict[str, Any]:
    line: dict[str, Any] = {
        "kind": "value",
        "event": value.event_id,
        "time": value.time,
        "attribute": value.attribute,
        "value": value.value[0] if len(value.value) == 1 else list(value.value),
        "confidence": value.confidence,
    }
    if value.doc_id:
        line |= {"doc": value.doc_id, "sentence": value.sentence_index}
    if value.evidence:
        line["evidence"] = [evidence_line(evidence) for evidence in value.evidence]
    if value.reported:
        line["reported"] = list(value.reported)
    if value.place:
        line["place"] = value.place
    if value.qualifier:
        line["qualifier"] = value.qualifier
    return line
