"""The sink: what a batch gave goes to the run's store in one transaction, together with the number of the batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tidings.core import LateDocument, Output, Position, StoreError, write_jsonl
from tidings.following.engines.spark.columns import Kind
from tidings.following.engines.spark.output_rows import PackedOutputs, unpack_outputs
from tidings.following.engines.spark.rows import Fault, Tally
from tidings.following.engines.versions import EventVersions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from tidings.core import StoredRun

__all__ = ["BatchSink", "Progress"]

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
        note: is told of the outputs of each batch that was kept.
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
                    "found a run that another checkpoint has followed, expected the checkpoint that it was begun with; "
                    "give that one, or begin anew with --restart"
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
        emitted.sort(key=lambda one: one[0])
        outputs = [output for _, output in emitted]
        now.faults += len(faults)
        if faults:
            self._faults.mkdir(parents=True, exist_ok=True)
            in_order = sorted(faults, key=lambda one: one.where)
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
