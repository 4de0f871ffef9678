"""Reads the TOML files of plans, and names the line of what is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec
from msgspec import Struct

from tidings.core import FormatError, Problem, mismatch_of, missing_of, read_text

P = TypeVar("P", bound=Struct)

_ALL_KEYS = "docs/research/training.md lists all keys"


class PlanFile:
    """A plan as text; problems are collected, and raised together."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.text = read_text(path)
        self._problems: list[Problem] = []

    def read(self, shape: type[P], /, **choices: Any) -> P:
        """The plan, whose keys are the fields of `shape`; `choices` are the literal types of some of them.

        Raises:
            FormatError: not TOML, an unknown or missing key, a value of the wrong kind.
        """
        try:
            return msgspec.convert(tomllib.loads(self.text), shape)
        except RecursionError:
            self.wrong("", "brackets within brackets, too many to be read", "a plan")
        except tomllib.TOMLDecodeError as error:
            self.wrong(0, f"no TOML: {error}", "", "docs/research/training.md shows what plans look like")
        except msgspec.ValidationError as error:
            self._mistyped(str(error), choices)
        except ValueError as error:
            self.wrong("", f"a value that cannot be read ({str(error)[:80]})", "shorter numbers")
        raise FormatError(self._problems) from None

    def wrong(self, key: str | int, found: str, expected: str, mend: str = "") -> None:
        """Note a problem with the value of a key, or in a line."""
        line = self._line(key) if isinstance(key, str) else key
        self._problems.append(Problem(str(self.path), line, found, expected, mend))

    def check(self) -> None:
        """Raise a FormatError where a problem was noted."""
        if self._problems:
            raise FormatError(self._problems)

    def spare_judgments(self, folders: Iterable[str], **outputs: str | Path) -> None:
        """Note where results would be written among the judgments that are read; `outputs` by their keys."""
        for key, place in outputs.items():
            for folder in folders:
                if Path(place).resolve() == Path(folder).resolve():
                    self.wrong(key, f"{key}: the judged events of {folder}", "another folder")

    def _mistyped(self, message: str, choices: Mapping[str, Any]) -> None:
        words, _, place = message.partition(" - at `$")
        key = place.rstrip("`").lstrip(".")
        if missing := missing_of(message):
            self.wrong("", f"no key {missing[0]!r}", "", _ALL_KEYS)
        elif wrong := mismatch_of(message):
            self.wrong(key, f"{key}: {wrong.found}", wrong.expected + wrong.bound)
        elif words.startswith("Object contains unknown field"):
            unknown = words.split("`")[1]
            self.wrong(unknown, f"the unknown key {unknown!r}", "a key of plans", _ALL_KEYS)
        else:
            name = key.rpartition(".")[2].partition("[")[0]
            listed = ", ".join(map(str, get_args(choices.get(name))))
            self.wrong(key, f"{key}: {words}", f"one of {listed}" if listed else "another value", _ALL_KEYS)

    def _line(self, key: str) -> int:
        """The line that sets a key such as split.kind or systems[2].train; 0 where it cannot be told."""
        for part in reversed(re.sub(r"\[[^\[\]]*\]", "", key).split(".")):
            for number, line in enumerate(self.text.splitlines(), 1):
                if part and re.match(rf"\s*\[*{re.escape(part)}\b|.*[{{,]\s*{re.escape(part)}\s*=", line):
                    return number
        return 0
