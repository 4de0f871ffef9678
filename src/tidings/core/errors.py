"""What can go wrong through a user's input, said so that the user can mend it.

Everything that a user can cause is a child of `TidingsError`. The command line prints the
message and leaves with the exit code; a program catches the class. A traceback is a defect
of tidings, never an answer to bad input.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


def pip_install(what: str) -> str:
    """The command, as typed in a clone, that installs a package, or an extra of tidings (in brackets).

    >>> pip_install("[web]")
    ".venv/bin/pip install -e '.[web]'"
    >>> pip_install("pandas")
    '.venv/bin/pip install pandas'
    """
    return ".venv/bin/pip install " + (f"-e '.{what}'" if what.startswith("[") else what)


class TidingsError(Exception):
    """An error that a user can fix. `exit_code` is the exit code of the command line."""

    exit_code = 2


class UsageError(TidingsError):
    """The words of the call do not fit: an unknown event, system, measure or option.

    `field` is what they were given for, where the message does not name it: the command line shows it as the option of
    that name, the library as the argument.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class LimitError(TidingsError):
    """Input went over a safety limit, such as a compressed file that unpacks without end."""


class OutputError(TidingsError):
    """Something could not be written; what was there before is untouched."""


class StoreError(TidingsError):
    """The store cannot be used: of a newer version, locked, damaged, full, or of another run."""


class ConflictError(TidingsError):
    """Someone else was quicker: what was to be changed is no longer as it was shown.

    `current` is what is there now; None where that does not say anything.
    """

    def __init__(self, message: str, current: object) -> None:
        super().__init__(message)
        self.current = current


class JudgeError(TidingsError):
    """A judge from outside cannot be asked: nobody listens at its address, or what it is asked with is refused."""


class LateStreamError(TidingsError):
    """So many documents of a stream came too late that what was decided is not what the stream holds."""


class InterruptedRunError(TidingsError):
    """The user stopped the work (Ctrl-C); what was committed is kept."""

    exit_code = 130


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in one place of one input.

    `line` counts from 1; 0 means the file as a whole. `expected` is empty where `found` says it.
    """

    path: str
    line: int
    found: str
    expected: str
    mend: str = ""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        text = (
            f"{where}: {self.found} (expected {self.expected})" if self.expected else f"{where}: {self.found}"
        )
        return f"{text}; {self.mend}" if self.mend else text


class FormatError(TidingsError):
    """One or more places of an input that are not what the format says.

    >>> print(FormatError.of("run.tsv", 3, "6 columns", "7", "add the confidence"))
    run.tsv:3: 6 columns (expected 7); add the confidence
    """

    @classmethod
    def of(cls, path: str, line: int, found: str, expected: str, mend: str = "") -> FormatError:
        """The error for one place; see `Problem`."""
        return cls([Problem(path, line, found, expected, mend)])

    def __init__(self, problems: Sequence[Problem], more: int = 0) -> None:
        self.problems = tuple(problems)
        self.more = more
        lines = [str(problem) for problem in self.problems]
        if more:
            lines.append(f"... and {more} more such lines")
        super().__init__("\n".join(lines))


class Problems:
    """Collects the bad lines of a reading, so that they are reported together.

    Strict (the default): `check()` raises a `FormatError` when anything was added, and
    `full` tells a reader to stop early. Lenient: bad lines are skipped and counted, and
    the caller prints `summary()`.

    >>> problems = Problems(lenient=True)
    >>> problems.add("a.jsonl", 7, "no id", "an id")
    >>> problems.check(); problems.count
    1
    """

    def __init__(self, *, lenient: bool = False, keep: int = 20) -> None:
        self.lenient = lenient
        self.keep = keep
        self.kept: list[Problem] = []
        self.count = 0
        self.remarks: list[str] = []

    def remark(self, remark: str) -> None:
        """Note once what was assumed, where nothing is wrong with it."""
        if remark not in self.remarks and len(self.remarks) < self.keep:
            self.remarks.append(remark)

    def add(self, path: str, line: int, found: str, expected: str, mend: str = "") -> None:
        """Note one problem; only the first `keep` are kept in full."""
        self.count += 1
        if len(self.kept) < self.keep:
            self.kept.append(Problem(path, line, found, expected, mend))

    @property
    def full(self) -> bool:
        """True when a strict reading has seen enough to stop."""
        return not self.lenient and self.count >= self.keep

    def check(self) -> None:
        """Raise what was collected, unless lenient."""
        if self.count and not self.lenient:
            raise FormatError(self.kept, self.count - len(self.kept))

    def summary(self) -> str:
        """One line on what was skipped, empty when nothing was."""
        if not self.count:
            return ""
        return f"skipped {self.count} bad line{'s' if self.count > 1 else ''}; the first: {self.kept[0]}"
