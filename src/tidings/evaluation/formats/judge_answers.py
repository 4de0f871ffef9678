"""Files of programs' judgments: possible matches, what a judge from outside answered, and the importance it gave.

answers.jsonl holds what a judge was asked, and what it answered, one question a line.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import msgspec
from msgspec import Raw, Struct

from tidings.core import (
    BadRecordError,
    FormatError,
    Int64,
    Nugget,
    OutputError,
    PossibleMatch,
    Problem,
    Problems,
    StoreError,
    read_jsonl,
    write_atomically,
    write_jsonl,
)


class _MatchLine(Struct):
    event: str
    update: str
    nugget: str
    probability: float
    start: Int64
    end: Int64


def read_possible_matches(path: str | Path, *, problems: Problems | None = None) -> tuple[PossibleMatch, ...]:
    """The pairs of a file.

    Raises:
        FormatError: a line is damaged, its probability is not within 0 to 1, or its span is none.
    """
    return tuple(read_jsonl(path, _MatchLine, _build, problems=problems))


def write_possible_matches(path: str | Path, pairs: Iterable[PossibleMatch]) -> int:
    """Write pairs, whole or not at all; how many there were."""
    count = 0

    def lines() -> Iterator[_MatchLine]:
        nonlocal count
        for pair in pairs:
            count += 1
            yield _MatchLine(
                pair.event_id,
                pair.update_id,
                pair.nugget_id,
                round(pair.probability, 6),
                pair.start,
                pair.end,
            )

    write_jsonl(path, lines())
    return count


def _build(line: _MatchLine) -> PossibleMatch:
    if not 0.0 <= line.probability <= 1.0:
        raise BadRecordError(f"probability {line.probability:g}", "a number from 0 to 1")
    if not 0 <= line.start <= line.end:
        raise BadRecordError(
            f"span {line.start} to {line.end}", "two places in the text, the first one not behind"
        )
    return PossibleMatch(line.event, line.update, line.nugget, line.probability, line.start, line.end)


COLUMNS = ("event", "nugget", "importance", "text")


def write_nugget_importance(path: str | Path, weighed: Iterable[tuple[Nugget, str]]) -> int:
    """Write nuggets with what was said of each, whole or not at all; how many there were."""
    count = 0
    with write_atomically(path) as file:
        file.write("\t".join(COLUMNS).encode() + b"\n")
        for nugget, said in weighed:
            count += 1
            cells = (nugget.event_id, nugget.id, said, nugget.text)
            file.write("\t".join(" ".join(cell.split()) for cell in cells).encode("utf-8", "replace") + b"\n")
    return count


_BEGINNING = b'{"key":"'


class _Line(Struct):
    key: str
    answer: Raw


class FileAnswers:
    """An answer book in a file that grows by a line with each answer, at once.

    The file is made where it is not there. Of a run that was killed while it wrote, a line may be half there: that is
    cut off. A question that stands there twice was answered by the later line. What nobody could answer before it was
    opened is asked again.

    Args:
        path: of the file.

    Raises:
        FormatError: it is no such file, or damaged; then it stays as it is.
        StoreError: another process writes to it.
        OutputError: it cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with FileAnswers(f"{folder}/answers.jsonl") as book:
    ...         book.put("a7c5", '{"text":"yes"}')
    ...     with FileAnswers(f"{folder}/answers.jsonl") as book:
    ...         book.get("a7c5")
    '{"text":"yes"}'
    """

    def __init__(self, path: str | Path) -> None:
        self._name = str(path)
        # A failure of this very second may have been before.
        self.since = int(time.time()) + 1
        try:
            self._file: BinaryIO = Path(path).open("a+b", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise self._failure(error) from None
        try:
            self._lock()
            self._answers = self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> FileAnswers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def get(self, key: str) -> str | None:
        """The answer to the question of this key; None where it was not asked."""
        return self._answers.get(key)

    def put(self, key: str, answer: str) -> None:
        """Keep an answer, which is JSON."""
        self._answers[key] = answer
        line = msgspec.json.encode(_Line(key, Raw(answer.encode("utf-8"))))
        try:
            rest = memoryview(line + b"\n")
            while rest:
                rest = rest[os.write(self._file.fileno(), rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._failure(error) from None

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # a system without file locks: two processes are not kept apart there
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StoreError(
                f"{self._name}: another process writes answers there; wait for it, or name another file with --answers"
            ) from None

    def _read(self) -> dict[str, str]:
        self._file.seek(0)
        content = self._file.read()
        whole, end, half = content.rpartition(b"\n")
        answers: dict[str, str] = {}
        for number, line in enumerate(whole.split(b"\n") if whole else (), 1):
            try:
                read = msgspec.json.decode(line, type=_Line)
                answers[read.key] = bytes(read.answer).decode("utf-8")
            except (msgspec.MsgspecError, UnicodeDecodeError):
                self._refuse(number, line)
        if half:
            if half[: len(_BEGINNING)] != _BEGINNING[: len(half)]:
                self._refuse(whole.count(b"\n") + 2 if end else 1, half)
            try:
                self._file.truncate(len(whole) + len(end))
            except OSError as error:
                raise self._failure(error) from None
        return answers

    def _refuse(self, number: int, line: bytes) -> None:
        found = repr(line[:60].decode("utf-8", "replace"))
        expected = "a question and its answer, as a judge's answers are kept"
        raise FormatError([Problem(self._name, number, found, expected)])

    def _failure(self, error: OSError) -> OutputError:
        return OutputError(
            f"{self._name}: could not be written ({error.strerror or error}); choose another place"
        )
