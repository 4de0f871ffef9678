"""An experiment: a plan, what of it is done already, and doing the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.research.experiments.jobs import FollowJob, Job, TrainJob, plan_jobs
from tidings.research.experiments.plan import Plan
from tidings.research.experiments.workers import Report, Watch, run_jobs
from tidings.research.training.labelled_events import JudgedEvent, load_events

__all__ = ["Experiment"]


@dataclass(eq=False)
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
        trainings = [job for job in self.trainings if job.key in needed and not _trained(job)]
        left = {job.key for job in follows} | {job.key for job in trainings}
        return [job for job in self.jobs if job.key in left]

    def run(
        self, workers: int, *, fresh: bool = False, watch: Watch = lambda what, job, words: None
    ) -> Report:
        """Do what is left, in so many processes."""
        return run_jobs(self.left(fresh), workers, watch)


def _trained(job: TrainJob) -> bool:
    return job.result.is_file() and job.model.is_file()
