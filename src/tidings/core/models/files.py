"""Model files: learned weights and their cards in one safetensors file; what its arrays must be; boosted trees."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from math import prod
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct

from tidings.core.errors import FormatError, Problem, UsageError
from tidings.core.records import ModelCard

if TYPE_CHECKING:
    from numpy import ndarray

Prepared = TypeVar("Prepared")

LARGEST = 64_000_000
"""Bytes of the largest model file that is read."""


class Model(Struct, frozen=True, kw_only=True):
    """Learned weights: named arrays, settings (plain JSON values) and the card; `file` is where it was read."""

    card: ModelCard
    arrays: dict[str, Any]
    settings: dict[str, Any] = {}
    file: str = ""

    def array(self, name: str) -> ndarray[Any, Any]:
        """One array as float32 (integers stay integers); a UsageError where the model lacks it."""
        import numpy as np

        stored = self.arrays.get(name)
        if stored is None:
            raise UsageError(
                f"model of system {self.card.system!r}: no array {name!r} (expected one); "
                "was it trained by another version?"
            )
        array: ndarray[Any, Any] = np.asarray(stored)
        return array.astype(np.float32) if array.dtype.kind == "f" else array


def shipped_models() -> list[str]:
    """The names of the systems whose weights come with the package."""
    folder = resources.files("tidings.core.models").joinpath("weights")
    if not folder.is_dir():
        return []
    return sorted(Path(item.name).stem for item in folder.iterdir() if item.name.endswith(".safetensors"))


def read_model(system: str, path: str | Path = "", variant: str = "") -> Model:
    """The model of `system` in the file `path`, or the one that comes with the package where `path` is empty.

    Of a system that comes with several, `variant` says which: `matcher` and `use` are `matcher-use.safetensors`.
    A model is read once however often it is asked for.

    Raises:
        UsageError: nothing shipped, no such file, or the model of another system.
        FormatError: not a model file.
    """
    model = (
        _read_shipped(f"{system}-{variant}" if variant else system)
        if not str(path)
        else _read_file(str(path), _stamp(Path(path)))
    )
    if model.card.system != system:
        raise UsageError(
            f"{path}: a model of system {model.card.system!r} (expected one of {system!r}); "
            "give it to that system"
        )
    return model


_PREPARED: dict[tuple[int, Callable[[Model], Any]], tuple[Model, Any]] = {}
_MOST_PREPARED = 64  # models that are kept in memory, made ready


def prepare(model: Model, build: Callable[[Model], Prepared]) -> Prepared:
    """What `build` makes of a model, made once however many followers ask.

    Raises:
        UsageError: the model's arrays or settings do not fit what `build` makes of them.
    """
    key = (id(model), build)
    entry = _PREPARED.get(key)
    if entry is not None and entry[0] is model:
        made: Prepared = entry[1]
        return made
    try:
        made = build(model)
    except (KeyError, IndexError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        system = model.card.system
        raise UsageError(
            f"{model.file or f'model of system {system!r}'}: weights that do not fit "
            f"({type(error).__name__}: {error}) (expected those of this version); "
            f"train it again{f', as its card says: {model.card.command}' if model.card.command else ''}"
        ) from None
    while len(_PREPARED) >= _MOST_PREPARED:
        del _PREPARED[next(iter(_PREPARED))]
    _PREPARED[key] = (model, made)
    return made


def write_model_bytes(model: Model) -> bytes:
    """The bytes of a model file; the same model gives the same bytes."""
    from safetensors.numpy import save

    said = {
        "card": msgspec.json.encode(msgspec.structs.replace(model.card, digest="")).decode(),
        "settings": msgspec.json.encode(model.settings, order="sorted").decode(),
    }
    arrays: Mapping[str, Any] = {name: model.arrays[name] for name in sorted(model.arrays)}
    return _in_order(save(dict(arrays), metadata=said))


def _in_order(data: bytes) -> bytes:
    """The file with its head in a fixed order: safetensors writes metadata in any."""
    length = int.from_bytes(data[:8], "little")
    head = msgspec.json.decode(data[8 : 8 + length])
    said = dict(sorted(head.pop("__metadata__").items()))
    text = msgspec.json.encode({"__metadata__": said, **head})
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise UsageError(f"{path}: the model cannot be read: {error.strerror}") from None
    if not S_ISREG(status.st_mode):  # a pipe would never end, a device neither
        raise UsageError(f"{path}: the model cannot be read: this is no plain file")
    if status.st_size > LARGEST:
        raise UsageError(
            f"{path}: {status.st_size:,} bytes are too many for a model; it may have {LARGEST:,}"
        )
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=64)
def _read_shipped(system: str) -> Model:
    place = resources.files("tidings.core.models").joinpath("weights", f"{system}.safetensors")
    if not place.is_file():
        raise UsageError(f"system {system!r}: no model comes with tidings; give model=FILE")
    return _parse(place.read_bytes(), f"{system}.safetensors")


@lru_cache(maxsize=64)
def _read_file(path: str, stamp: tuple[int, int]) -> Model:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: the model cannot be read: {error.strerror}") from None
    return _parse(data, path)


def _parse(data: bytes, name: str) -> Model:
    import numpy as np
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays = load(data)
        length = int.from_bytes(data[:8], "little")
        said = msgspec.json.decode(data[8 : 8 + length]).get("__metadata__", {})
        card = msgspec.json.decode(said["card"], type=ModelCard)
        settings = msgspec.json.decode(said.get("settings", "{}"), type=dict[str, Any])
    except (SafetensorError, msgspec.MsgspecError, KeyError, ValueError, TypeError) as error:
        raise FormatError.of(
            name, 0, f"{type(error).__name__}: {error}"[:200], "a model file of tidings (safetensors)"
        ) from None
    for key, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            # An infinite threshold is how a tree says that all go left.
            kind = "NaN" if np.isnan(array).any() else "infinite"
            if kind == "NaN" or not key.endswith("thresholds"):
                found = f"array {key!r} with values that are no numbers ({kind})"
                raise FormatError.of(name, 0, found, "numbers only")
        array.flags.writeable = False
    card = msgspec.structs.replace(card, digest=hashlib.sha256(data).hexdigest())
    return Model(card=card, arrays=arrays, settings=settings, file=name)


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
    tidings.core.errors.UsageError: model of system 'own': array 'b' of shape (5,) (expected ...
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
        f"model of system {system!r}: array {name!r} of shape {shape} (expected {expected}); "
        f"train it again with `tidings train {system}`"
    )


_AT_ONCE = 20
"""Rows asked at once: what lies between stays small, and is not asked of the operating system again and again."""


class Trees:
    """A sum of regression trees of one depth d, each a heap of 2^d - 1 questions and 2^d leaves.

    f(x) = start + Σ_t leaf_t(x); question q of tree t goes right where x[feature] > threshold.
    """

    def __init__(
        self,
        start: float,
        features: ndarray[Any, Any],
        thresholds: ndarray[Any, Any],
        leaves: ndarray[Any, Any],
    ) -> None:
        import numpy as np

        self.start = float(start)
        self.features = np.asarray(features, dtype=np.int16)
        self.thresholds = np.asarray(thresholds, dtype=np.float32)
        self.leaves = np.asarray(leaves, dtype=np.float32)
        self._questions = self.features.shape[1]
        self._depth = (self._questions + 1).bit_length() - 1
        self._forest: Forest | None = None

    def checked(self, width: int) -> Trees:
        """These trees, if they ask about rows of `width` features; else a ValueError that says what does not fit."""
        if self._questions != 2**self._depth - 1 or self.leaves.shape != (
            len(self.features),
            self._questions + 1,
        ):
            raise ValueError(f"trees of {self._questions} questions and leaves of shape {self.leaves.shape}")
        if self.features.size and not (self.features.min() >= 0 and self.features.max() < width):
            raise ValueError(f"trees that ask about feature {self.features.max()} of {width}")
        return self

    def predict(self, rows: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """f(x) for each row of features, as float64."""
        if self._forest is None:
            self._forest = Forest([self])
        total: ndarray[Any, Any] = self._forest.predict(rows)[:, 0]
        return total

    def export(self, name: str = "salience") -> tuple[dict[str, Any], dict[str, Any]]:
        """(arrays, settings) that `read` makes the same trees of; their keys begin with `name`."""
        return {
            f"{name}_features": self.features,
            f"{name}_thresholds": self.thresholds,
            f"{name}_leaves": self.leaves,
        }, {f"{name}_start": self.start}

    @classmethod
    def read(cls, arrays: Mapping[str, Any], settings: Mapping[str, Any], name: str = "salience") -> Trees:
        """From what `export` gave under the same name."""
        return cls(
            float(settings[f"{name}_start"]),
            arrays[f"{name}_features"],
            arrays[f"{name}_thresholds"],
            arrays[f"{name}_leaves"],
        )


class Forest:
    """Several sums of trees of one shape, asked about the same rows at once.

    Every question of every tree is answered for all rows; then the answers on the way from the root choose among those
    below, level by level. That is more answers than a walk down each tree needs, in fewer and simpler steps.

    >>> stump = Trees(1.0, [[0]], [[0.5]], [[10.0, 20.0]])
    >>> import numpy as np
    >>> Forest([stump, stump]).predict(np.array([[0.0], [1.0]])).tolist()
    [[11.0, 11.0], [21.0, 21.0]]
    """

    def __init__(self, sums: Sequence[Trees]) -> None:
        import numpy as np

        self._starts = np.array([trees.start for trees in sums])
        self._shape = (len(sums), len(sums[0].features))
        features = np.concatenate([trees.features for trees in sums]).astype(np.intp)
        thresholds = np.concatenate([trees.thresholds for trees in sums])
        self._depth = (features.shape[1] + 1).bit_length() - 1
        # What is asked is asked once; `_asked` says where its answer is, question by question, each for all trees.
        pairs = np.stack([features.T.ravel().astype(float), thresholds.T.ravel().astype(float)], axis=1)
        distinct, asked = np.unique(pairs, axis=0, return_inverse=True)
        self._features = distinct[:, 0].astype(np.intp)
        self._thresholds = distinct[:, 1:].astype(np.float32)
        self._asked = asked.reshape(features.T.shape)
        self._leaves = np.concatenate([trees.leaves for trees in sums]).astype(float).ravel()
        self._first_leaf = np.arange(len(features), dtype=np.intp) * (features.shape[1] + 1)

    def predict(self, rows: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """f(x) of each sum for each row of features: float64 of shape [rows, sums]."""
        import numpy as np

        parts = [self._predict(rows[at : at + _AT_ONCE]) for at in range(0, max(1, len(rows)), _AT_ONCE)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _predict(self, rows: ndarray[Any, Any]) -> ndarray[Any, Any]:
        import numpy as np

        columns = np.ascontiguousarray(rows.T, dtype=np.float32)
        rights = (columns.take(self._features, axis=0) > self._thresholds).take(self._asked, axis=0)
        way: list[Any] = []
        for level in range(self._depth):
            answers = rights[2**level - 1 : 2 ** (level + 1) - 1]
            for right in way:
                half = len(answers) // 2
                low = answers[:half]
                answers = low ^ ((low ^ answers[half:]) & right)
            way.append(answers[0])
        leaf = np.zeros(rights.shape[1:], dtype=np.uint8 if self._depth < 8 else np.intp)
        for right in way:
            leaf += leaf
            leaf += right
        values = self._leaves.take(leaf.T + self._first_leaf)
        totals: ndarray[Any, Any] = values.reshape(len(rows), *self._shape).sum(axis=2) + self._starts
        return totals
