"""Model files: learned weights and the card that says where they come from, in one safetensors file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct

from tidings.core.errors import FormatError, Problem, UsageError
from tidings.core.records import ModelCard

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["Model", "prepared", "read_model", "shipped_models", "write_model_bytes"]

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
                f"model of system {self.card.system!r}: found no array {name!r}, expected one; "
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
        _shipped(f"{system}-{variant}" if variant else system)
        if not str(path)
        else _read_file(str(path), _stamp(Path(path)))
    )
    if model.card.system != system:
        raise UsageError(
            f"{path}: found a model of system {model.card.system!r}, expected one of {system!r}; "
            "give it to that system"
        )
    return model


_PREPARED: dict[tuple[int, Callable[[Model], Any]], tuple[Model, Any]] = {}
_MOST_PREPARED = 64


def prepared(model: Model, build: Callable[[Model], Prepared]) -> Prepared:
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
            f"{model.file or f'model of system {system!r}'}: found weights that do not fit "
            f"({type(error).__name__}: {error}), expected those of this version; "
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
        raise UsageError(f"{path}: found no readable file ({error.strerror}), expected a model") from None
    if not S_ISREG(status.st_mode):  # a pipe would never end, a device neither
        raise UsageError(f"{path}: found no readable file (not a plain one), expected a model")
    if status.st_size > LARGEST:
        raise UsageError(f"{path}: found {status.st_size:,} bytes, expected a model of at most {LARGEST:,}")
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=64)
def _shipped(system: str) -> Model:
    place = resources.files("tidings.core.models").joinpath("weights", f"{system}.safetensors")
    if not place.is_file():
        raise UsageError(f"system {system!r}: found no model that comes with tidings, expected model=FILE")
    return _parse(place.read_bytes(), f"{system}.safetensors")


@lru_cache(maxsize=64)
def _read_file(path: str, stamp: tuple[int, int]) -> Model:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: found no readable file ({error.strerror}), expected a model") from None
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
        raise FormatError(
            [
                Problem(
                    name, 0, f"{type(error).__name__}: {error}"[:200], "a model file of tidings (safetensors)"
                )
            ]
        ) from None
    for key, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            # An infinite threshold is how a tree says that all go left.
            kind = "NaN" if np.isnan(array).any() else "infinite"
            if kind == "NaN" or not key.endswith("thresholds"):
                found = f"array {key!r} with values that are no numbers ({kind})"
                raise FormatError([Problem(name, 0, found, "numbers only")])
        array.flags.writeable = False
    card = msgspec.structs.replace(card, digest=hashlib.sha256(data).hexdigest())
    return Model(card=card, arrays=arrays, settings=settings, file=name)
