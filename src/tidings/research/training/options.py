"""The options of trainers: texts, as `--set name=value` gives them, read as numbers and choices."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from tidings.core import UsageError, mismatch_of

Options = TypeVar("Options", bound=Struct)

_YES_NO = {"yes": "true", "on": "true", "no": "false", "off": "false"}
_KINDS = {"int": "a whole number", "float": "a number", "bool": "yes or no"}


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
        try:
            values[name] = _read(text.strip(), types[name])
        except msgspec.ValidationError as error:
            expected = _expected(str(error), types[name])
            raise UsageError(f"training {system}: option {name}: {text!r} (expected {expected})") from None
    return kind(**values)


def _read(text: str, annotation: Any) -> Any:
    try:
        value = msgspec.convert(text, annotation, strict=False)
    except msgspec.ValidationError:
        # People write `.001` and `yes`, which are no number and no truth value to msgspec.
        other = _YES_NO.get(text.lower(), f"0{text}" if text.startswith(".") else "")
        if not other:
            raise
        value = msgspec.convert(other, annotation, strict=False)
    if isinstance(value, float) and not isfinite(value):
        raise msgspec.ValidationError("Expected `float`, got `str`")
    return value


def _expected(message: str, annotation: Any) -> str:
    wrong = mismatch_of(message)
    if wrong is None:
        choices = get_args(annotation) if get_origin(annotation) is Literal else ()
        return f"one of {', '.join(choices)}" if choices else "another value"
    kind = wrong.expected.removesuffix(" | null")
    return f"{_KINDS.get(kind, kind)}{wrong.bound}"
