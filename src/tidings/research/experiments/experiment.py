"""An experiment: a plan, what of it is done already, and doing the rest."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import TidingsError
from tidings.research.experiments.execution import do
from tidings.research.experiments.jobs import FollowJob, Job, TrainJob, plan_jobs
from tidings.research.experiments.plan import Plan
from tidings.research.training.labelled_events import JudgedEvent, load_events


class Failure(Struct, frozen=True, kw_only=True):
    """A piece that could not be done: why in one line, and at length where the fault is not the user's."""

    key: str
    why: str
    at_length: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What came of the work: keys done, failures, and what was not begun because what it needs had failed."""

    done: list[str] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


Watch = Callable[[str, Job, str], None]
"""Called as watch(what, job, words); what is begun, progress, done, failed or skipped."""


def run_jobs(jobs: Sequence[Job], workers: int, watch: Watch = lambda what, job, words: None) -> Report:
    """Do all pieces, each follow after the training that it needs; with 0 workers in this process.

    Ctrl-C (KeyboardInterrupt) ends the workers at once and is passed on; what was done by then is kept.
    """
    queue, report = _Queue(jobs), Report()
    if workers == 0:
        while (job := queue.take()) is not None:
            watch("begun", job, "")
            failure = _try(job, lambda done, total, words, job=job: watch("progress", job, words))  # type: ignore[misc]
            _settle(queue, report, job, failure, watch)
        return report
    with _one_thread_each():
        _run_spread(queue, report, workers, watch)
    return report


def _needs(job: Job) -> str:
    return "" if isinstance(job, TrainJob) else job.trained


class _Queue:
    """Pieces in order, given out once what they need is done."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._waiting = list(jobs)
        self._open = {job.key for job in jobs}

    def take(self) -> Job | None:
        for place, job in enumerate(self._waiting):
            if _needs(job) not in self._open:
                return self._waiting.pop(place)
        return None

    def close(self, job: Job) -> None:
        self._open.discard(job.key)

    def drop(self, needs: Job) -> list[Job]:
        dropped = [job for job in self._waiting if _needs(job) == needs.key]
        self._waiting = [job for job in self._waiting if _needs(job) != needs.key]
        return dropped


def _settle(queue: _Queue, report: Report, job: Job, failure: Failure | None, watch: Watch) -> None:
    if failure is None:
        queue.close(job)
        report.done.append(job.key)
        watch("done", job, "")
        return
    report.failed.append(failure)
    watch("failed", job, failure.why)
    for dropped in queue.drop(job):
        report.skipped.append(dropped.key)
        watch("skipped", dropped, "its training failed")


def _try(job: Job, progress: Callable[[int, int, str], None]) -> Failure | None:
    try:
        do(job, progress)
    except TidingsError as error:
        return Failure(key=job.key, why=str(error))
    except Exception as error:  # noqa: BLE001 whatever a system does, the others go on
        why = f"{type(error).__name__}: {error}"
        return Failure(key=job.key, why=why, at_length=traceback.format_exc())
    return None


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes started within get one thread for each of their libraries; two that fight for a core are slower."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class _Worker:
    """A process and the pipe to it."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.job: Job | None = None

    def give(self, job: Job) -> None:
        self.job = job
        with suppress(OSError):  # a process that is gone is noticed by whoever waits for it
            self.pipe.send_bytes(msgspec.msgpack.encode(job))

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _serve(pipe: Connection) -> None:
    """The life of a worker process: take a piece, do it, say how it went, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C, and ends this
    sys.stdout = sys.stderr
    decoder: Any = msgspec.msgpack.Decoder(Job)
    while True:
        try:
            job = decoder.decode(pipe.recv_bytes())
        except (EOFError, OSError):
            return

        def tell(done: int, total: int, words: str) -> None:
            pipe.send_bytes(msgspec.msgpack.encode(("progress", f"{words} {done}/{total}".strip())))

        failure = _try(job, tell)
        try:
            pipe.send_bytes(msgspec.msgpack.encode(("over", msgspec.to_builtins(failure))))
        except OSError:
            return


def _run_spread(queue: _Queue, report: Report, workers: int, watch: Watch) -> None:
    processes: list[_Worker] = []
    try:
        while True:
            for worker in processes:
                if worker.job is None and (job := queue.take()) is not None:
                    worker.give(job)
                    watch("begun", job, "")
            while len(processes) < workers and (job := queue.take()) is not None:
                processes.append(_Worker())
                processes[-1].give(job)
                watch("begun", job, "")
            busy = [worker for worker in processes if worker.job is not None]
            if not busy:
                return
            ready = connection.wait([worker.pipe for worker in busy])
            for worker in [worker for worker in busy if worker.pipe in ready]:
                if not _hear(worker, queue, report, watch):
                    processes.remove(worker)
                    worker.end()
    finally:
        for worker in processes:
            worker.end()


def _hear(worker: _Worker, queue: _Queue, report: Report, watch: Watch) -> bool:
    """Take one message; False where the process is gone."""
    job = worker.job
    assert job is not None
    try:
        what, said = msgspec.msgpack.decode(worker.pipe.recv_bytes())
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode
        how = f"was ended by signal {-code}" if code and code < 0 else f"left with exit code {code}"
        _settle(queue, report, job, Failure(key=job.key, why=f"its process {how}"), watch)
        return False
    if what == "progress":
        watch("progress", job, said)
        return True
    worker.job = None
    _settle(queue, report, job, msgspec.convert(said, Failure | None), watch)
    return True


@dataclass(frozen=True, eq=False)
class Experiment:
    """A plan with its events and the pieces of its work.

    Attributes:
        plan: what is asked for.
        events: all judged events of its folders.
        jobs: all pieces, trainings before what needs them.
    """

    plan: Plan
    events: Sequence[JudgedEvent]
    jobs: list[Job]

    @classmethod
    def of(cls, plan: Plan) -> Experiment:
        """The experiment of a plan; reads the judgments, and does nothing yet.

        Raises:
            UsageError: no judgments, or the plan's split does not fit them.
        """
        events = load_events(plan.folders)
        return cls(plan, events, plan_jobs(plan, events))

    @property
    def follows(self) -> list[FollowJob]:
        """The pieces that give scores."""
        return [job for job in self.jobs if isinstance(job, FollowJob)]

    def follows_of(self, entry: str, stream: str) -> list[FollowJob]:
        """Those of one system on one stream."""
        return [job for job in self.follows if (job.entry, job.stream_name) == (entry, stream)]

    @property
    def trainings(self) -> list[TrainJob]:
        """The pieces that give models."""
        return [job for job in self.jobs if isinstance(job, TrainJob)]

    def left(self, fresh: bool = False) -> list[Job]:
        """The pieces still to be done; with `fresh` all of them.

        A training of which all scores are there already is not asked for again.
        """
        if fresh:
            return self.jobs
        follows = [job for job in self.follows if not job.result.is_file()]
        needed = {job.trained for job in follows}
        trainings = [job for job in self.trainings if job.key in needed and not _is_trained(job)]
        left = {job.key for job in follows} | {job.key for job in trainings}
        return [job for job in self.jobs if job.key in left]

    def run(
        self, workers: int, *, fresh: bool = False, watch: Watch = lambda what, job, words: None
    ) -> Report:
        """Do what is left, in so many processes."""
        return run_jobs(self.left(fresh), workers, watch)


def _is_trained(job: TrainJob) -> bool:
    return job.result.is_file() and job.model.is_file()
