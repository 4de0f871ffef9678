"""A run on Spark: its options, and what is said while it is followed and when it ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext
from time import perf_counter
from typing import TYPE_CHECKING

from tidings.core import say
from tidings.following.verbs.progress_line import line_progress

if TYPE_CHECKING:
    from tidings.core import Event
    from tidings.following.engines.spark.host import SparkOptions, SparkRun
    from tidings.following.hosting.runs import Interrupt
    from tidings.following.hosting.settings import RunSettings
    from tidings.following.run_options import RunOptions


def spark_options(options: RunOptions) -> SparkOptions | None:
    """How a run is laid out on Spark; None where it runs in this process."""
    from tidings.core import UsageError, default_of
    from tidings.following.run_options import RunOptions

    if options["engine"] != "spark":
        for name in ("master", "checkpoint", "partitions", "files_per_batch", "conf"):
            given = options[name]
            if given and given != default_of(RunOptions, name):
                raise UsageError(f"--{name.replace('_', '-')} needs --engine spark: it is an option of Spark")
        return None
    from tidings.following.engines.spark.host import SparkOptions, check_packages

    check_packages()
    return SparkOptions(
        master=options["master"] or "",
        checkpoint=options["checkpoint"] or "",
        partitions=options["partitions"],
        files_per_batch=options["files_per_batch"] or 0,
        live=options["live"],
        conf=dict(map(_parse_setting, options["conf"] or ())),
    )


def _parse_setting(text: str) -> tuple[str, str]:
    from tidings.core import UsageError

    name, equals, value = text.partition("=")
    if not equals or not name.startswith("spark."):
        raise UsageError(f"--conf {text!r} (expected a setting of Spark such as spark.executor.memory=4g)")
    return name, value


def follow_on_spark(
    settings: RunSettings,
    options: SparkOptions,
    interrupt: Interrupt,
    events: Callable[[], Sequence[Event]],
    *,
    quiet: bool,
    began: float,
) -> None:
    """Follow a run on Spark to its end; an InterruptedRunError where it was stopped."""
    from tidings.core import InterruptedRunError
    from tidings.following.engines.spark.host import host_on_spark

    def tell(line: str) -> None:
        if not quiet:
            say(line, prefix="")

    doing = ["beginning Spark"]
    shown = line_progress(lambda: doing[0]) if sys.stderr.isatty() and not quiet else nullcontext()
    with ExitStack() as stack:
        stack.enter_context(shown)
        run = stack.enter_context(host_on_spark(settings, options))
        if run.query.progress.batch >= 0:
            tell(f"going on with this run, after {_read(run)}")

        def stop() -> bool:
            doing[0] = f"{_read(run)}  {run.emitted:,} outputs"
            return interrupt()

        complete = run.follow(stop, events if options.live else None)
        _lines(run, tell, began)
        if not complete:
            raise InterruptedRunError(f"stopped after {_read(run)}; the same command goes on from here")


def _read(run: SparkRun) -> str:
    progress = run.query.progress
    return f"{progress.documents:,} documents, {progress.sentences:,} sentences in {progress.batch + 1:,} batches"


def _lines(run: SparkRun, tell: Callable[[str], None], began: float) -> None:
    progress = run.query.progress
    tell(f"{_read(run)}, {perf_counter() - began:.1f} s with Spark's own start")
    counts = [f"{name} {count:,}" for name, count in run.counts().items()][:30]
    tell(f"{run.emitted:,} updates: {', '.join(counts)}")
    if progress.late:
        say(f"{progress.late:,} offers of documents left out, because they came too late", prefix="")
    if progress.faults:
        say(f"{progress.faults:,} records could not be read; see {run.query.faults}", prefix="")
    for refused in progress.refused:
        say(refused, prefix="")
    tell(f"written to {run.settings.out}; kept in {run.store}, with its query in {run.query.folder}")
