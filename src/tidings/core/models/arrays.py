"""What the arrays of a model must look like: shapes with named sizes, and no deviation of zero."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import prod
from typing import TYPE_CHECKING, Any

from tidings.core.errors import FormatError, Problem, UsageError
from tidings.core.models.files import Model

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["check_arrays", "trees_shapes"]


def check_arrays(
    model: Model,
    shapes: Mapping[str, str],
    sizes: Mapping[str, int] | None = None,
    *,
    nonzero: Collection[str] = (),
) -> dict[str, ndarray[Any, Any]]:
    """The arrays that `shapes` names, floats as float32, each of the shape that it says.

    A shape lists sizes, such as "(rows, 4·units, inputs+1)". What a name stands for is given in `sizes`, or by the
    first array where it stands alone. No number of the arrays in `nonzero` may be 0, because it is divided by.

    Raises:
        UsageError: an array is missing, or of another shape.
        FormatError: a zero where none may stand.

    >>> import numpy as np
    >>> from tidings.core.records import ModelCard
    >>> model = Model(card=ModelCard(system="own"), arrays={"a": np.ones((2, 3)), "b": np.ones(5)})
    >>> sorted(check_arrays(model, {"a": "(rows, inputs)", "b": "(2·inputs)"}))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: model of system 'own': found array 'b' of shape (5,), expected (6,); ...
    """
    arrays = {name: model.array(name) for name in shapes}
    parts = {name: [part.strip() for part in shape.strip("() ").split(",")] for name, shape in shapes.items()}
    values = dict(sizes or {})
    for name, array in arrays.items():
        if array.ndim != len(parts[name]):
            raise _misfit(model, name, array.shape, shapes[name])
        for part, size in zip(parts[name], array.shape, strict=True):
            if part.isidentifier():
                values.setdefault(part, size)
    for name, array in arrays.items():
        expected = tuple(_value(part, values) for part in parts[name])
        if array.shape != expected:
            raise _misfit(model, name, array.shape, str(expected))
        if name in nonzero and not array.all():
            problem = Problem(
                model.file or "a model", 0, f"array {name!r} with zeros", "numbers to divide by"
            )
            raise FormatError([problem])
    return arrays


def trees_shapes(name: str) -> dict[str, str]:
    """The shapes of the three arrays of `Trees` whose names begin with `name`."""
    return {
        f"{name}_features": f"({name}_trees, {name}_questions)",
        f"{name}_thresholds": f"({name}_trees, {name}_questions)",
        f"{name}_leaves": f"({name}_trees, {name}_questions+1)",
    }


def _value(expression: str, values: Mapping[str, int]) -> int:
    return sum(
        prod(int(factor) if factor.isdecimal() else values[factor] for factor in term.split("·"))
        for term in expression.split("+")
    )


def _misfit(model: Model, name: str, shape: tuple[int, ...], expected: str) -> UsageError:
    system = model.card.system
    return UsageError(
        f"model of system {system!r}: found array {name!r} of shape {shape}, expected {expected}; "
        f"train it again with `tidings train {system}`"
    )
