"""Doing one piece of an experiment: training a model, or following and scoring."""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tidings.errors import OutputError, UsageError
from tidings.formats import write_runs
from tidings.formats.files import write_atomically
from tidings.measures import Measure, parse_measure
from tidings.protocols import System
from tidings.records import Run, Update
from tidings.systems import make
from tidings.systems.budget import BudgetedSystem
from tidings.systems.models import Card, DataUsed, write_model_bytes
from tidings.training.clusters import FIGURES, score_as_clusters
from tidings.training.jobs import FollowJob, Job, Stream, TrainJob
from tidings.training.judged import MEASURES, JudgedEvent, load_events
from tidings.training.plan import slug
from tidings.training.trainers import Training, trainer_of

__all__ = ["Followed", "Trained", "do", "make_model", "with_model"]

Progress = Callable[[int, int, str], None]


class Trained(Struct, frozen=True, kw_only=True):
    """What is kept beside a model file: how it went.

    `scores` are means over the development events; `seconds` of CPU; `sha256` of the model file.
    """

    key: str
    system: str
    fold: str
    test: tuple[str, ...]
    seed: int
    seconds: float
    scores: dict[str, float]
    curve: list[dict[str, float]]
    notes: str
    sha256: str
    bytes: int


class Followed(Struct, frozen=True, kw_only=True):
    """What is kept of one following: the scores of each event, and how fast it went.

    `sentences` were offered within `seconds` of CPU (one core), deciding alone: reading and scoring are not counted.
    """

    key: str
    entry: str
    system: str
    stream: Stream
    stream_name: str
    fold: str
    seed: int
    scores: dict[str, dict[str, float]]
    years: dict[str, str]
    sentences: int
    seconds: float


def do(job: Job, progress: Progress = lambda done, total, words: None) -> None:
    """Do one piece of work and write its result; the result file comes last, so that a killed job counts as undone."""
    if isinstance(job, TrainJob):
        _train(job, progress)
    else:
        _follow(job)


def with_model(system: System, path: str | Path) -> System:
    """The system with another model file.

    Raises:
        UsageError: it has no option `model`.
    """
    if isinstance(system, BudgetedSystem):
        return msgspec.structs.replace(system, system=with_model(system.system, path))
    if not isinstance(system, Struct) or not hasattr(system, "model"):
        raise UsageError(
            f"system {system.name!r}: found no option 'model', expected one in a system that learns"
        )
    changed: Any = msgspec.structs.replace(system, model=str(path))
    return changed  # type: ignore[no-any-return]


@lru_cache(maxsize=6)
def _events(folders: tuple[str, ...], stream: Stream) -> dict[str, JudgedEvent]:
    """Every event of a stream; kept, because one process does many pieces on few streams."""
    found = load_events(
        folders, stream.stream, interval_s=stream.interval_s, keep=stream.keep, seed=stream.seed
    )
    gc.collect()
    gc.freeze()  # what lasts need not be looked at again
    return {event.event.id: event for event in found}


def make_model(
    system: str,
    events: Sequence[JudgedEvent],
    development: Sequence[JudgedEvent],
    training: Training,
    command: str,
    out: Path,
) -> tuple[Card, list[dict[str, float]], str]:
    """Train a system, score it on the development events, and write the model with its card to `out`.

    Returns the card, the learning curve and the SHA-256 of the file.
    """
    from tidings import __version__

    learned = trainer_of(system)(events, development, training)
    card = Card(
        system=system,
        version=__version__,
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        command=command,
        seed=training.seed,
        data=_used(events, "learned from") + _used(development, "stopped by"),
        notes=learned.notes,
    )
    scores: dict[str, float] = {}
    if development:
        with _draft(out, write_model_bytes(learned.model(card))) as draft:
            decider = with_model(make(system), draft)
            each = [event.score(event.run(decider)) for event in development]
        scores = {name: sum(one[name] for one in each) / len(each) for name in each[0]}
        about = f"means over the events that stopped training: {', '.join(e.event.id for e in development)}"
        card = msgspec.structs.replace(card, scores=scores, about_scores=about)
    data = write_model_bytes(learned.model(card))
    with write_atomically(out) as file:
        file.write(data)
    curve = [{key: float(value) for key, value in row.items()} for row in learned.curve]
    return card, curve, hashlib.sha256(data).hexdigest()


@contextmanager
def _draft(out: Path, data: bytes) -> Any:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="tidings-") as folder:
        draft = Path(folder) / f"{slug(out.stem)}.safetensors"
        draft.write_bytes(data)
        yield draft


def _used(events: Sequence[JudgedEvent], how: str) -> tuple[DataUsed, ...]:
    groups: dict[tuple[str, str], list[str]] = {}
    for event in events:
        groups.setdefault((event.year, event.digest), []).append(event.event.id)
    return tuple(
        DataUsed(name=f"{year} ({how})", events=tuple(ids), digest=digest)
        for (year, digest), ids in groups.items()
    )


def _train(job: TrainJob, progress: Progress) -> None:
    events = _events(job.folders, job.stream)
    cache = Path(job.cache)
    for folder in (cache, Path(job.out)):
        make_folder(folder)
    training = Training(job.system, job.options, job.seed, 1, cache, progress)
    began = time.process_time()
    card, curve, sha256 = make_model(
        job.system,
        [events[event] for event in job.fold.train],
        [events[event] for event in job.fold.development],
        training,
        f"tidings experiment ({job.entry}, {job.fold.name} left out, key {job.key[:16]})",
        job.model,
    )
    write_json(
        job.result,
        Trained(
            key=job.key,
            system=job.system,
            fold=job.fold.name,
            test=job.fold.test,
            seed=job.seed,
            seconds=round(time.process_time() - began, 3),
            scores=card.scores,
            curve=curve,
            notes=card.notes,
            sha256=sha256,
            bytes=job.model.stat().st_size,
        ),
    )


def _follow(job: FollowJob) -> None:
    events = _events(job.folders, job.stream)
    system = make(job.system)
    if job.model:
        system = with_model(system, job.model)
    measures = tuple(dict.fromkeys((*MEASURES, *(parse_measure(name, FIGURES) for name in job.measures))))
    told: list[Update] = []
    scores: dict[str, dict[str, float]] = {}
    sentences, seconds = 0, 0.0
    for event in (events[name] for name in job.test):
        follower = system.start(event.event)
        updates: list[Update] = []
        began = time.process_time()
        for offered, now in event.pushes:
            updates += follower.push(offered, now)
        seconds += time.process_time() - began
        sentences += sum(len(offered) for offered, _ in event.pushes)
        scores[event.event.id] = _figures(event, updates, measures)
        told += updates
    make_folder(Path(job.out))
    write_runs(job.run, [Run("tidings", slug(job.entry), tuple(told))])
    write_json(
        job.result,
        Followed(
            key=job.key,
            entry=job.entry,
            system=job.system,
            stream=job.stream,
            stream_name=job.stream_name,
            fold=job.fold,
            seed=job.seed,
            scores=scores,
            years={name: events[name].year for name in job.test},
            sentences=sentences,
            seconds=round(seconds, 4),
        ),
    )


def _figures(event: JudgedEvent, updates: Sequence[Update], measures: Sequence[Measure]) -> dict[str, float]:
    by_nuggets = [one for one in measures if FIGURES[one.name].family != "rts"]
    figures: Mapping[str, float] = event.score(updates, by_nuggets)
    if len(by_nuggets) < len(measures):
        found = score_as_clusters(event, updates)
        asked = {str(one): found[one.name] for one in measures if one not in by_nuggets}
        # What has no value on this event (the latency of nothing) is not there.
        figures = {**figures, **{name: value for name, value in asked.items() if isfinite(value)}}
    return dict(figures)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: could not be made ({error.strerror}); choose another folder") from None


def write_json(path: Path, value: Any) -> None:
    """A value as JSON that people can read, whole or not at all."""
    with write_atomically(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
