"""Hosting a run on Spark from the settings that a run on one machine has, in a session with what the follower needs."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Event, Output, Problems, RunCard, Support, UsageError, is_folder, pip_install
from tidings.following.engines.settings import SHARDS_EACH, EngineSettings
from tidings.following.engines.spark.frames import with_model
from tidings.following.engines.spark.query import SparkQuery, SparkQuerySettings, forget_checkpoint
from tidings.following.engines.spark.stream_files import StreamFile
from tidings.following.hosting.output import RunWriter, check_files, default_store
from tidings.following.hosting.settings import RunSettings, absolute_name
from tidings.following.hosting.sources import check_streams, choice_of, is_live, open_sources

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tidings.core import StoredRun


_OLDEST_JAVA = 17
_Bounds = tuple[tuple[int, ...], tuple[int, ...]]
_PACKAGES: dict[str, _Bounds] = {
    "pyspark": ((4, 1), (5,)),
    "pandas": ((2, 2), (3,)),
    "pyarrow": ((15,), ()),
    "protobuf": ((5,), ()),
}
"""The oldest version that serves, and the first one that does not any more; as in pyproject.toml."""
_FAILURES = 4  # of a task, after which the query fails
_LESS_COMPILING = "-XX:TieredStopAtLevel=1"
_PROVIDER = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

OPTIONS = {
    # States do not fit into the memory of the JVM for long: RocksDB keeps them on disk. transformWithState asks for it.
    "spark.sql.streaming.stateStore.providerClass": _PROVIDER,
    # Each batch uploads what changed, not a whole snapshot.
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    # Times are seconds UTC everywhere.
    "spark.sql.session.timeZone": "UTC",
    # Offers hold whole sentences: few of them make a batch of a size that Arrow likes.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "2000",
    # Workers keep their models and followers from batch to batch.
    "spark.python.worker.reuse": "true",
    # A page with the query's progress; off unless asked for, since it opens a port.
    "spark.ui.enabled": "false",
    # Lines on a terminal belong to tidings.
    "spark.ui.showConsoleProgress": "false",
}
"""What is set where the caller has not set it; why stands beside each."""


def check_packages() -> None:
    """UsageError where pyspark, or what it needs, is not installed or of a version that cannot serve."""
    for name, (oldest, below) in _PACKAGES.items():
        try:
            text = version(name)
        except PackageNotFoundError:
            raise UsageError(f"No {name} installed. Run: {pip_install('[spark]')}") from None
        numbers = tuple(int(part) for part in re.findall(r"\d+", text)[:2])
        if numbers < oldest or (below and numbers >= below):
            wanted = f"{_join_dots(oldest)} or later" + (f", below {_join_dots(below)}" if below else "")
            raise UsageError(f"{name} {text} (expected {wanted}). Run: {pip_install('[spark]')}")


def _join_dots(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))


def check_java() -> None:
    """UsageError where there is no Java, or one that Spark does not run on."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    remedy = "install Java 17 or 21 (on Debian and Ubuntu: apt-get install openjdk-17-jre-headless)"
    if not java or not Path(java).exists():
        where = f"JAVA_HOME={home}" if home else "the PATH"
        raise UsageError(f"no Java by {where} (expected version 17 or 21); {remedy}")
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{java}: this Java does not start ({error}); {remedy}") from None
    number = re.search(r'version "(\d+)', said.stderr + said.stdout)
    if number is None or int(number[1]) < _OLDEST_JAVA:
        found = number[1] if number else "of no known version"
        raise UsageError(f"{java}: Java {found} (expected 17 or 21); {remedy}, and set JAVA_HOME to it")


def begin_session(
    master: str = "", *, partitions: int = 0, options: dict[str, str] | None = None, log: str = ""
) -> SparkSession:
    """A session with `OPTIONS`; one that runs already is used as it is.

    Args:
        master: where Spark runs; "" for what its own configuration says, else all cores of this machine.
        partitions: into how many parts the events are dealt; 0 leaves it to the session.
        options: of Spark's own, before those of `OPTIONS`.
        log: where what Spark and its workers say on standard error goes; "" leaves it there.

    Raises:
        UsageError: Java or a package is missing, or the master cannot be reached.
    """
    check_packages()
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.appName("tidings")
    if not master and "SPARK_REMOTE" not in os.environ and "MASTER" not in os.environ:
        master = "local[*]"
    if master:
        builder = builder.master(_patient(master))
    for name, value in {**OPTIONS, **_java_options(master), **(options or {})}.items():
        builder = builder.config(name, value)
    if partitions:
        builder = builder.config("spark.sql.shuffle.partitions", str(partitions))
    try:
        with _standard_error_to(log):
            session = builder.getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        raise UsageError(
            f"Spark does not start ({_first_line(error)}); see --master and its own log"
        ) from None
    session.sparkContext.setLogLevel("OFF")
    # What it has to say when Java is gone are tracebacks; the query says it in a line.
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    logging.getLogger().addFilter(_is_not_of_py4j)  # which uses the root's logger, too
    accumulators = getattr(session.sparkContext, "_accumulatorServer", None)
    if accumulators is not None:
        accumulators.handle_error = lambda *request: None
    return session


def _java_options(master: str) -> dict[str, str]:
    """Java's options where Spark runs on this machine alone, unless someone has set some.

    Queries spend more time on compiling than is won by it; Spark puts these options before those of a user.
    """
    own_options = {"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"} & os.environ.keys()
    is_local = master.startswith("local") and not master.startswith("local-cluster")
    return {"spark.driver.defaultJavaOptions": _LESS_COMPILING} if is_local and not own_options else {}


def _patient(master: str) -> str:
    """The master; one of this machine tries again, as a cluster does, what failed because a worker died.

    >>> _patient("local[2]"), _patient("local"), _patient("local[2,1]"), _patient("spark://host:7077")
    ('local[2,4]', 'local[1,4]', 'local[2,1]', 'spark://host:7077')
    """
    if master == "local":
        return f"local[1,{_FAILURES}]"
    cores = re.fullmatch(r"local\[(\d+|\*)\]", master)
    return f"local[{cores[1]},{_FAILURES}]" if cores else master


@contextmanager
def _standard_error_to(path: str) -> Iterator[None]:
    """Let processes that are started now write their standard error to a file."""
    if not path:
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(path, "ab") as file:  # noqa: PTH123
            os.dup2(file.fileno(), 2)
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in Path(record.pathname).parts


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


class SparkOptions(Struct, frozen=True, kw_only=True):
    """How a run is laid out on Spark.

    Args:
        master: where Spark runs; "" for this machine.
        checkpoint: the folder that keeps the query; "" for OUT.checkpoint.
        partitions: into how many parts the events are dealt.
        files_per_batch: how many files one batch reads; 0: all that are there.
        live: follow a folder into which files come, until stopped.
        conf: settings of Spark's own, before those of tidings.
    """

    master: str = ""
    checkpoint: str = ""
    partitions: int = 4
    files_per_batch: int = 0
    live: bool = False
    conf: dict[str, str] = {}


class SparkRun:
    """A run on Spark that is set up: `follow` it, once.

    `query` tells its progress, `settings` and `card` are those of the run, `store` says where it is kept.
    """

    def __init__(
        self,
        settings: RunSettings,
        card: RunCard,
        query: SparkQuery,
        run: StoredRun,
        store: str,
        *,
        live: bool,
    ) -> None:
        self.settings, self.card, self.query, self.store = settings, card, query, store
        self._run, self._live = run, live
        RunWriter(settings, card)  # which refuses what cannot be written, before anything is followed
        self.was_finished = run.load().finished

    @property
    def emitted(self) -> int:
        """How many outputs were given in all, but for what supports them."""
        return self._run.emitted - self._run.counts.get("support", 0)

    def counts(self) -> dict[str, int]:
        """Outputs by event, but for what supports them."""
        counts = {event.id: 0 for event in self.settings.events}
        for _, output in self._run.outputs():
            if not isinstance(output, Support):
                counts[output.event_id] = counts.get(output.event_id, 0) + 1
        return counts

    def follow(self, stop: Callable[[], bool], events: Callable[[], Sequence[Event]] | None = None) -> bool:
        """Follow what is there to its end and write the output; False where it was stopped before.

        A live run goes on until it is stopped; `events` is asked now and then what it is to follow from then on.
        """
        self.query.follow(self.settings.events)
        if not self._live:
            complete = self.query.run_to_end(stop)
            if complete:
                self.write()
            return complete

        def look() -> None:
            if events is not None:
                self.query.follow(events())

        self.query.run_on(stop, look)
        self.write()
        return False

    def write(self) -> None:
        """Write the output as of now."""
        card = replace(self.card, events=self.query.events.ever) if self._live else self.card
        RunWriter(self.settings, card).write(output for _, output in self._run.outputs())


@contextmanager
def host_on_spark(
    settings: RunSettings,
    options: SparkOptions,
    note: Callable[[Sequence[Output]], None] | None = None,
) -> Iterator[SparkRun]:
    """Set up a run on Spark as its settings say; `follow` what the block is given.

    A run that was begun before goes on where it was stopped, unless the settings say `restart`.

    Raises:
        UsageError: the settings do not fit, something that Spark needs is missing; StoreError: the store's, or the
            checkpoint's.
    """
    from tidings.core import open_store
    from tidings.following.systems.registry import make

    if settings.out in ("", "-"):
        raise UsageError("--out - (expected a file): on Spark a run is kept, and written when it is complete")
    check_streams(settings.streams)
    for stream in settings.streams:
        if is_live(stream):
            raise UsageError(
                f"{stream} as a stream on Spark (expected files or a folder); write it to a file first"
            )
    check_java()
    check_files(settings, make(settings.system))
    engine = _engine(settings, options.partitions)
    decider = engine.decider()
    streams = tuple(absolute_name(stream) for stream in settings.streams)
    settings = replace(settings, system=decider.spec, streams=streams)
    checkpoint = options.checkpoint or f"{settings.out}.checkpoint"
    # Files of documents come into a folder that is followed: none may be there yet.
    choice = "corpus" if options.live else choice_of(settings.streams)
    card = RunCard(system=decider.spec, model=decider.card, choice=choice, events=settings.events)
    with ExitStack() as stack:
        place = settings.store or default_store(settings.out)
        keeper = stack.enter_context(open_store(place))
        name = settings.name or (absolute_name(settings.out) if settings.store else Path(settings.out).name)
        words = settings.in_words() | {"engine": "spark"}
        if options.live:
            words = {key: text for key, text in words.items() if not key.startswith("event")}
        if settings.restart:
            forget_checkpoint(checkpoint)
        begun = card
        if options.live and not settings.restart and any(run.name == name for run in keeper.runs()):
            # Whatever it followed before: events may have changed while nobody looked.
            begun = replace(card, events=())
        run = stack.enter_context(
            keeper.begin(name, words, events=begun.events, card=begun, restart=settings.restart)
        )
        layout = SparkQuerySettings(
            checkpoint=checkpoint,
            partitions=options.partitions,
            files_per_batch=options.files_per_batch,
            **_follow(settings, live=options.live),
        )
        query = SparkQuery(
            lambda: begin_session(
                options.master,
                partitions=options.partitions,
                options=options.conf,
                log=f"{checkpoint}.log",
            ),
            layout,
            engine,
            run,
            note,
        )
        yield SparkRun(settings, card, query, run, str(keeper), live=options.live)


def _engine(settings: RunSettings, partitions: int) -> EngineSettings:
    from tidings.following.hosting.settings import period_of
    from tidings.following.systems.assembly import assemble

    engine = EngineSettings(
        system=settings.system,
        about=settings.about,
        support=settings.support,
        interval_s=settings.interval_s,
        lateness_s=settings.lateness_s,
        mixed=settings.mixed,
        shards=partitions * SHARDS_EACH,
        partitions=partitions,
    )
    if assemble(settings.system, about=settings.about).needs_period:
        unsaid = Problems(lenient=True)
        sources = open_sources(settings.streams, settings.pool, unsaid, settings.reading)
        engine = replace(engine, period=period_of(sources, lateness_s=settings.lateness_s))
    return with_model(engine)


def _follow(settings: RunSettings, *, live: bool) -> dict[str, Any]:
    """What the query reads: a folder, or files in the order of the streams."""
    from tidings.sources import document_parts, is_foreign

    if live:
        if len(settings.streams) != 1 or not is_folder(settings.streams[0]):
            raise UsageError(
                "--live with --engine spark (expected one folder as the stream): files come into it"
            )
        return {"folder": settings.streams[0]}
    foreign = [stream for stream in settings.streams if is_foreign(stream)]
    together = foreign if len(foreign) > 1 else []
    files = []
    if together:
        files.append(StreamFile(together[0], tuple(together[1:]), 0, settings.pool, settings.reading))
    for stream in settings.streams:
        if stream in together:
            continue
        parts = () if stream in foreign else document_parts(stream)
        if parts:
            files += [StreamFile(str(part), (), None, settings.pool, settings.reading) for part in parts]
        else:
            files.append(StreamFile(stream, (), len(files), settings.pool, settings.reading))
    return {"files": tuple(files)}
