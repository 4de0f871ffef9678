"""The options of trainers: texts, as `--set name=value` gives them, read as numbers and choices."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.inspect import BoolType, FloatType, IntType, Metadata, UnionType, type_info

from tidings.core import UsageError

__all__ = ["read_options"]

Options = TypeVar("Options", bound=Struct)

_YES_NO = {"yes": "true", "on": "true", "no": "false", "off": "false"}


def read_options(kind: type[Options], given: Mapping[str, str], system: str) -> Options:
    """The options of the trainer of `system`, a Struct of type `kind`; what is not given has its default.

    Raises:
        UsageError: an unknown name, with those there are; a value of the wrong kind or out of bounds, with what is
            expected.

    >>> class Own(Struct):
    ...     rate: float = 0.1
    ...     rounds: int = 3
    >>> read_options(Own, {"rate": ".001"}, "own")
    Own(rate=0.001, rounds=3)
    >>> read_options(Own, {"rund": "3"}, "own")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: training own: option 'rund' (expected one of rate, rounds)
    >>> read_options(Own, {"rounds": "many"}, "own")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: training own: option rounds: 'many' (expected a whole number)
    """
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    values: dict[str, Any] = {}
    for name, text in given.items():
        if name not in types:
            raise UsageError(f"training {system}: option {name!r} (expected one of {', '.join(types)})")
        values[name] = _plain(types[name], text.strip())
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        words, _, where = str(error).partition(" - at `$.")
        expected, _, _ = words.removeprefix("Expected ").partition(", got ")
        name = where.rstrip("`")
        found, expected = (
            (repr(given.get(name, "")), _in_words(expected)) if name else (str(dict(given)), words)
        )
        raise UsageError(f"training {system}: option {name}: {found} (expected {expected})") from None


def _plain(annotation: Any, text: str) -> Any:
    """A text as msgspec takes it: `.001`, `1e-3` and `yes` are what people write."""
    shape = type_info(annotation)
    shape = shape.type if isinstance(shape, Metadata) else shape
    shapes = shape.types if isinstance(shape, UnionType) else (shape,)
    if any(isinstance(one, BoolType) for one in shapes):
        return _YES_NO.get(text.lower(), text)
    if any(isinstance(one, FloatType) for one in shapes) and not any(
        isinstance(one, IntType) for one in shapes
    ):
        try:
            number = float(text)
        except ValueError:
            return text
        return number if isfinite(number) else text.upper()  # which is no number to msgspec either
    return text


def _in_words(expected: str) -> str:
    if expected.startswith("Invalid enum value"):
        return "one of its choices (docs/research/training.md)"
    return (
        expected.replace("`int`", "a whole number")
        .replace("`float`", "a number")
        .replace("`bool`", "yes or no")
    )
