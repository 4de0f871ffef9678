"""Doing one piece of an experiment: training a model, or following and scoring."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from pathlib import Path

from msgspec import Struct

from tidings.core import OutputError, Run, Update, write_json
from tidings.evaluation import Measure, parse_measure
from tidings.following import make, write_runs
from tidings.research.experiments.jobs import FollowJob, Job, Stream, TrainJob
from tidings.research.experiments.plan import slug
from tidings.research.training.labelled_events import (
    FIGURES,
    MEASURES,
    POOLED,
    JudgedEvent,
    load_events,
    score_as_clusters,
)
from tidings.research.training.model_files import make_model, train_command, with_model
from tidings.research.training.trainers import Training

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


@lru_cache(maxsize=6)
def _events(folders: tuple[str, ...], stream: Stream) -> dict[str, JudgedEvent]:
    """Every event of a stream; kept, because one process does many pieces on few streams."""
    loaded = load_events(
        folders, stream.stream, interval_s=stream.interval_s, keep=stream.keep, seed=stream.seed
    )
    gc.collect()
    gc.freeze()  # what lasts need not be looked at again
    return {event.event.id: event for event in loaded}


def _train(job: TrainJob, progress: Progress) -> None:
    events = _events(job.folders, job.stream)
    make_folder(Path(job.out))
    training = Training(job.system, job.options, job.seed, 1, progress)
    began = time.process_time()
    card, curve, sha256 = make_model(
        job.system,
        [events[event] for event in job.fold.train],
        [events[event] for event in job.fold.development],
        training,
        _command(job, list(events.values())),
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
        indent=1,
    )


def _command(job: TrainJob, events: Sequence[JudgedEvent]) -> str:
    """The `tidings train` that makes the same weights."""
    used = {*job.fold.train, *job.fold.development}
    stream = job.stream
    command = train_command(
        job.system,
        job.folders,
        stream.stream,
        stream.interval_s,
        job.seed,
        without=[event.event.id for event in events if event.event.id not in used],
        development=job.fold.development,
        options=job.options,
    )
    return command if stream.keep == 1 else f"{command} # keep {stream.keep:g}, seed {stream.seed}"


def _follow(job: FollowJob) -> None:
    events = _events(job.folders, job.stream)
    system = make(job.system)
    if job.model:
        system = with_model(system, job.model)
    measures = tuple(dict.fromkeys((*MEASURES, *(parse_measure(name, FIGURES) for name in job.measures))))
    emitted: list[Update] = []
    scores: dict[str, dict[str, float]] = {}
    sentences, seconds = 0, 0.0
    for event in (events[name] for name in job.test):
        began = time.process_time()
        updates = event.run(system)
        seconds += time.process_time() - began
        sentences += sum(len(offered) for offered, _ in event.pushes)
        scores[event.event.id] = _figures(event, updates, measures)
        emitted += updates
    make_folder(Path(job.out))
    write_runs(job.run, [Run("tidings", slug(job.entry), tuple(emitted))])
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
        indent=1,
    )


def _figures(event: JudgedEvent, updates: Sequence[Update], measures: Sequence[Measure]) -> dict[str, float]:
    by_nuggets = [measure for measure in measures if FIGURES[measure.name].family != "rts"]
    figures: Mapping[str, float] = event.score(updates, by_nuggets)
    if len(by_nuggets) < len(measures):
        by_clusters = score_as_clusters(event, updates)
        asked = {str(measure): by_clusters[measure.name] for measure in measures if measure not in by_nuggets}
        for name in list(asked):
            asked |= {part: by_clusters[part] for part in POOLED.get(name, ())}
        # What has no value on this event (the latency of nothing) is not there.
        figures = {**figures, **{name: value for name, value in asked.items() if isfinite(value)}}
    return dict(figures)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: could not be made ({error.strerror}); choose another folder") from None
