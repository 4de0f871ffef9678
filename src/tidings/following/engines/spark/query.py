"""A run on Spark: streams or a folder followed through a query, each batch kept in the run's store at once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec
from msgspec import Struct

from tidings.core import (
    Event,
    LateDocument,
    Output,
    Position,
    StoreError,
    TidingsError,
    UsageError,
    write_bytes,
    write_jsonl,
)
from tidings.following.engines.settings import EngineSettings, EventVersions
from tidings.following.engines.spark.frames import control_rows, offers_of_files, outputs_of, with_model
from tidings.following.engines.spark.rows import (
    ANY_AGE,
    FILE_COLUMNS,
    Fault,
    Kind,
    PackedOutputs,
    Tally,
    unpack_outputs,
)
from tidings.following.engines.spark.stream_files import StreamFile

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from tidings.core import StoredRun


_SOURCE = "spark"


class _Late(Struct):
    doc: str
    published_time: int
    bound_time: int


class Progress(Struct):
    """How far a query is, as its store has it.

    `batch` is the last batch that was kept (-1: none), `last_time` the latest time among all documents (None: none).
    `documents` to `refused` count since the query was begun; what follows counts in this process.
    """

    query: str = ""
    batch: int = -1
    documents: int = 0
    sentences: int = 0
    files: int = 0
    late: int = 0
    faults: int = 0
    last_time: int | None = None
    languages: dict[str, int] = {}
    refused: list[str] = []


class BatchSink:
    """Keeps batches, each once: a batch that Spark does again changes nothing.

    Args:
        run: where the run is kept.
        faults: a folder for what could not be read: a file of JSON lines for each batch that had any.
        versions: of the events; those that came after the first are the run's from the next batch on.
        query: the name of the query, which its checkpoint keeps.
        note: called with the outputs of each batch that was kept.
    """

    def __init__(
        self, run: StoredRun, faults: Path, versions: EventVersions, query: str = "", note: Any = None
    ) -> None:
        self._run, self._faults, self._note = run, faults, note
        self._versions, self._version = versions, 0
        positions = run.load().positions
        self.progress = Progress(query=query)
        if positions:
            self.progress = msgspec.msgpack.decode(positions[0].cursor, type=Progress)
            if query and self.progress.query and self.progress.query != query:
                raise StoreError(
                    "a run that another checkpoint has followed (expected the checkpoint that it was started with); "
                    "give that one, or start over with --restart"
                )

    def __call__(self, frame: DataFrame, batch: int) -> None:
        """Keep a batch; Spark calls this once or more for each.

        One that was kept is computed all the same: Spark learns from it how far time has come.
        """
        rows = frame.collect()
        if batch > self.progress.batch:
            self.keep(rows, batch)

    def keep(self, rows: Iterable[Any], batch: int) -> None:
        """Keep the rows of a batch: the outputs in order, and what is to be counted."""
        from msgspec.structs import replace

        now = replace(
            self.progress,
            batch=batch,
            languages=dict(self.progress.languages),
            refused=list(self.progress.refused),
        )
        emitted: PackedOutputs = []
        late: list[LateDocument] = []
        faults: list[Fault] = []
        for row in rows:
            packed = bytes(row.packed)
            if row.kind == Kind.OUTPUTS:
                emitted += unpack_outputs(packed)
            elif row.kind == Kind.TALLY:
                _count(now, msgspec.json.decode(packed, type=Tally))
            elif row.kind == Kind.FAULT:
                faults.append(msgspec.json.decode(packed, type=Fault))
            elif row.kind == Kind.LATE:
                one = msgspec.json.decode(packed, type=_Late)
                now.late += 1
                late.append(LateDocument(row.event, now.late, one.doc, one.published_time, one.bound_time))
            elif row.kind == Kind.REFUSED:
                now.refused.append(msgspec.json.decode(packed))
        emitted.sort(key=lambda pair: pair[0])
        outputs = [output for _, output in emitted]
        now.faults += len(faults)
        if faults:
            self._faults.mkdir(parents=True, exist_ok=True)
            in_order = sorted(faults, key=lambda fault: fault.where)
            write_jsonl(self._faults / f"{batch:06d}.jsonl", iter(in_order))
        self._commit(now, outputs, late)
        self.progress = now
        if self._note is not None:
            self._note(outputs)

    def finish(self) -> None:
        """Note that the stream has been followed to its end."""
        self._commit(self.progress, (), (), finished=True)

    def _commit(
        self,
        progress: Progress,
        outputs: Sequence[Output],
        late: Sequence[LateDocument],
        *,
        finished: bool = False,
    ) -> None:
        position = Position(
            source=_SOURCE,
            released=progress.documents,
            read=progress.documents,
            late=progress.late,
            last_id=f"batch {progress.batch}",
            last_time=progress.last_time or 0,
            cursor=msgspec.msgpack.encode(progress),
        )
        version = self._versions.latest
        events = self._versions.ever if version > self._version else None
        self._run.commit([position], {}, outputs, late, finished=finished, events=events)
        self._version = version


def _count(progress: Progress, tally: Tally) -> None:
    progress.documents += tally.documents
    progress.sentences += tally.sentences
    progress.files += tally.files
    for language, count in tally.languages.items():
        progress.languages[language] = progress.languages.get(language, 0) + count
    if tally.last_time is not None:
        progress.last_time = max(tally.last_time, progress.last_time or tally.last_time)


_LOOK_S = 0.3
_APART_S = 0.01
_REMEMBERED = 100
"""Batches of which it is remembered which events they were offered to; Spark does at most the last one again."""
_ATTEMPTS = 4
"""Spark gives a Python worker ten seconds to start, which no option changes: on a busy machine that may be too few."""
_TOO_SLOW = "Python worker failed to connect back"


class SparkQuerySettings(Struct, frozen=True, kw_only=True):
    """What a query follows, and how it is laid out.

    Args:
        checkpoint: the folder that keeps the query; all workers must see it, under the same name.
        files: what is read, each by one task; empty where `folder` is followed.
        folder: into which files of documents arrive; a file must come there whole, by a rename.
        files_per_batch: how many files one batch reads; 0: all that are there.
        partitions: into how many parts the events are dealt; it stays as the first batch had it.
        every_s: seconds between two looks into the folder.
    """

    checkpoint: str
    files: tuple[StreamFile, ...] = ()
    folder: str = ""
    files_per_batch: int = 0
    partitions: int = 4
    every_s: float = 1.0


class _BusyError(StoreError):
    """A worker was too slow to start."""


class _Layout(Struct):
    # What cannot change once a checkpoint has begun; `query` is the name that its batches have in the run's store.
    partitions: int
    identity: bytes
    files: list[StreamFile]
    folder: str
    query: str


class SparkQuery:
    """A query with its checkpoint, which goes on where it was stopped.

    Args:
        session: gives that of Spark; asked when everything else fits, since its start takes long.
        settings: what is followed.
        engine: how events are followed.
        run: where outputs are kept.
        note: called with the outputs of each batch that was kept.

    Raises:
        StoreError: the checkpoint was begun with other settings, or belongs to another run.
    """

    def __init__(
        self,
        session: Callable[[], SparkSession],
        settings: SparkQuerySettings,
        engine: EngineSettings,
        run: StoredRun,
        note: Callable[[Sequence[Output]], None] | None = None,
    ) -> None:
        self._begun, self._settings, self._engine = cache(session), settings, with_model(engine)
        self.folder = Path(settings.checkpoint).absolute()
        self.events = EventVersions(self.folder / "events")
        self.measured: list[dict[str, Any]] = []
        """What Spark says of each batch of this process: durations, rows, states."""
        name = self._check_layout()
        self._sink = BatchSink(run, self.folder / "bad-records", self.events, name, self._keep)
        self._note = note

    @property
    def _session(self) -> SparkSession:
        return self._begun()

    @property
    def progress(self) -> Any:
        """How far it is."""
        return self._sink.progress

    @property
    def faults(self) -> Path:
        """The folder of what could not be read."""
        return self.folder / "bad-records"

    def _keep(self, outputs: Sequence[Output]) -> None:
        batch = self.progress.batch
        if not batch % _REMEMBERED:
            self.events.forget_batches(batch - _REMEMBERED)
        if self._note is not None:
            self._note(outputs)

    def follow(self, events: Sequence[Event]) -> None:
        """Follow these events from the next batch on."""
        self.events.write(events)
        # Whoever wrote a version may have been killed before it was said.
        for version in range(self.events.latest, 0, -1):
            changed = {"changed": list(self.events.changed_in(version)), "version": version}
            if not self._say(f"events-{version:06d}", changed):
                break

    def run_to_end(self, stop: Callable[[], bool] = lambda: False) -> bool:
        """Follow all that is there, and let the followers end; False where it was stopped before."""
        if not self._run(stop, at_once=True):
            return False
        last = self.progress.last_time
        is_said = last is None or not self._say("end", {"end": last, "version": self.events.latest})
        if not is_said and not self._run(stop, at_once=True):
            return False
        self._sink.finish()
        return True

    def run_on(self, stop: Callable[[], bool], between: Callable[[], None] = lambda: None) -> None:
        """Follow what comes until it is stopped; `between` is called often."""
        self._run(stop, at_once=False, between=between)

    def _run(
        self, stop: Callable[[], bool], *, at_once: bool, between: Callable[[], None] = lambda: None
    ) -> bool:
        for attempt in range(_ATTEMPTS):
            try:
                return self._run_once(stop, at_once=at_once, between=between)
            except _BusyError:
                if attempt + 1 == _ATTEMPTS:
                    raise
        return False

    def _run_once(self, stop: Callable[[], bool], *, at_once: bool, between: Callable[[], None]) -> bool:
        from pyspark.errors import PySparkException

        trigger: dict[str, Any] = (
            {"availableNow": True} if at_once else {"processingTime": f"{self._settings.every_s} seconds"}
        )
        writer = (
            self._outputs()
            .writeStream.foreachBatch(self._sink)
            .option("checkpointLocation", str(self.folder / "spark"))
            .trigger(**trigger)
        )
        options = {"spark.sql.shuffle.partitions": str(self._settings.partitions)}
        if at_once:
            # The batch that says the stream has ended decides what waits: none is needed before it.
            options["spark.sql.streaming.noDataMicroBatches.enabled"] = "false"
        with _session_options(self._session, options):
            query = None
            try:
                query = writer.start()
                while not query.awaitTermination(_LOOK_S):
                    between()
                    if stop():
                        return False
            except PySparkException as error:
                raise _explain(error) from None
            except _gone() as error:
                raise _lost(error) from None
            finally:
                # Where Java is gone there is nothing to ask or to stop.
                with suppress(PySparkException, *_gone()):
                    self.measured += [dict(progress) for progress in query.recentProgress] if query else []
                    if query and query.isActive:
                        query.stop()
        return True

    def _outputs(self) -> Any:
        # A new reader each time: one keeps the schema that it was given.
        if self._settings.folder:
            files = self._session.readStream.format("binaryFile").schema(FILE_COLUMNS)
            files = files.option("maxFileAge", ANY_AGE)
            if self._settings.files_per_batch:
                files = files.option("maxFilesPerTrigger", str(self._settings.files_per_batch))
            named = files.load(self._settings.folder).select("path")
        else:
            texts = self._session.readStream.format("text")
            listed = texts.option("maxFilesPerTrigger", "1").load(str(self.folder / "files"))
            named = listed.repartition(self._session.sparkContext.defaultParallelism)
        control = self._session.readStream.format("text").load(str(self.folder / "control"))
        offers = offers_of_files(named, self._engine, self.events)
        offers = offers.unionByName(control_rows(control, self._engine, self.events))
        return outputs_of(offers, self._engine, self.events, packed=True)

    def _say(self, name: str, what: dict[str, Any]) -> bool:
        """Let the next batch hear something; False where it was said before."""
        path = self.folder / "control" / f"{name}.json"
        if path.exists():
            return False
        write_bytes(path, msgspec.json.encode(what))
        return True

    def _check_layout(self) -> str:
        """Begin a checkpoint, or see that the one that is there is of the same settings; gives its name."""
        settings = self._settings
        files = list(settings.files)
        wanted = _Layout(settings.partitions, self._engine.identity, files, settings.folder, uuid4().hex)
        path = self.folder / "layout"
        try:
            is_there = path.exists()
        except OSError as error:
            raise self._closed_error(error) from None
        if not is_there:
            self._begin(wanted, path)
            return wanted.query
        try:
            found = msgspec.msgpack.decode(path.read_bytes(), type=_Layout)
        except OSError as error:
            raise self._closed_error(error) from None
        except msgspec.MsgspecError:
            raise StoreError(f"{path}: the checkpoint cannot be read; start over with --restart") from None
        if found.partitions != wanted.partitions:
            raise StoreError(
                f"{self.folder}: a checkpoint of {found.partitions} partitions (expected the {wanted.partitions} "
                "that are asked for): their number stays as the first batch had it; say --partitions "
                f"{found.partitions}, or start over with --restart"
            )
        if (found.identity, found.files, found.folder) != (wanted.identity, wanted.files, wanted.folder):
            raise StoreError(
                f"{self.folder}: the checkpoint is of another system, pace, interval, model or other streams; give "
                "the same ones, or start over with --restart"
            )
        return found.query

    def _begin(self, layout: _Layout, path: Path) -> None:
        try:
            for name in ("files", "control", "events"):
                # One that was killed here may have left files of another layout.
                shutil.rmtree(self.folder / name, ignore_errors=True)
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            each = self._settings.files_per_batch or max(len(layout.files), 1)
            for at in range(0, len(layout.files), each):
                lines = [msgspec.json.encode(file) for file in layout.files[at : at + each]]
                listed = self.folder / "files" / f"{at:09d}.jsonl"
                write_bytes(listed, b"\n".join(lines) + b"\n")
                # Spark reads files by their time, in milliseconds: two of the same one come in any order.
                moment = listed.stat().st_mtime - _APART_S * (len(layout.files) - at)
                os.utime(listed, (moment, moment))
            write_bytes(path, msgspec.msgpack.encode(layout))
        except OSError as error:
            raise self._closed_error(error) from None

    def _closed_error(self, error: OSError) -> UsageError:
        return UsageError(
            f"{self.folder}: the checkpoint cannot be read and written ({error.strerror}); choose another --checkpoint"
        )


def forget_checkpoint(folder: str | Path) -> None:
    """Remove a checkpoint, where there is one; UsageError where the folder is something else."""
    path = Path(folder)
    if not path.exists():
        return
    if not (path / "layout").exists() and any(path.iterdir()):
        raise UsageError(f"{path}: a folder that is no checkpoint (expected one); it was not removed")
    shutil.rmtree(path)


@contextmanager
def _session_options(session: SparkSession, options: dict[str, str]) -> Iterator[None]:
    before = {name: session.conf.get(name, None) for name in options}
    for name, value in options.items():
        session.conf.set(name, value)
    try:
        yield
    finally:
        with suppress(*_gone()):
            for name, old in before.items():
                if old is None:
                    session.conf.unset(name)
                else:
                    session.conf.set(name, old)


def _gone() -> tuple[type[BaseException], ...]:
    """What is raised where Java is gone."""
    from py4j.protocol import Py4JError

    return Py4JError, OSError


def _lost(error: BaseException) -> StoreError:
    return StoreError(
        f"Spark's Java ended before the query did ({type(error).__name__}); see whether it had enough memory. "
        "Run the same command again to continue from the last batch"
    )


def _explain(error: BaseException) -> TidingsError:
    """What failed in a query, in one line."""
    lines = str(error).splitlines()
    if _TOO_SLOW in str(error):
        return _BusyError(
            "the machine is so busy that a Python worker of Spark did not start within ten seconds; run the same "
            "command again to continue from the last batch"
        )
    for line in reversed(lines):
        name, _, words = line.strip().partition(": ")
        if name.startswith("tidings.core.errors.") or name.rpartition(".")[2].endswith("FollowerError"):
            kind = StoreError if "Store" in name else UsageError
            return kind(words.removesuffix(" SQLSTATE: 39000"))
    first = next((line for line in lines if line.strip()), type(error).__name__)
    return StoreError(
        f"the query failed: {first[:400]}; run the same command again to continue from its last batch"
    )
