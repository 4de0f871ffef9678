"""Structs of Thrift's binary protocol, one after the other from a file, with limits on all that a length can ask for.

thriftpy2 reads the schema and gives the classes. Its own readers make room for whatever length a file states, and go
round as often as a size says, also over elements of no bytes; this one checks both against what is there.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from tidings.core import FormatError, UsageError

__all__ = ["MOST_ITEM", "DamagedItemError", "read_structs", "schema"]

MOST_ITEM = 64 << 20
"""Bytes of one struct."""

_MOST_PARTS = 4_000_000
_MOST_DEPTH = 32
_READ = 1 << 20
_FIXED = {2: 1, 3: 1, 4: 8, 6: 2, 8: 4, 10: 8}
_NUMBERS = {
    2: struct.Struct(">?"),
    3: struct.Struct(">b"),
    4: struct.Struct(">d"),
    6: struct.Struct(">h"),
    8: struct.Struct(">i"),
    10: struct.Struct(">q"),
}
_STRING, _STRUCT, _MAP, _SET, _LIST, _BINARY = 11, 12, 13, 14, 15, 18
_KINDS = frozenset({*_FIXED, _STRING, _STRUCT, _MAP, _SET, _LIST})
_SIZE = _NUMBERS[8].unpack_from


class DamagedItemError(Exception):
    """What stands there is no struct of this kind, or goes beyond the limits; `position` is where it begins."""

    def __init__(self, found: str, position: int) -> None:
        super().__init__(found)
        self.position = position


class _MoreError(Exception):
    """The struct goes on after what was read."""


def schema(path: Path) -> Any:
    """The classes of a `.thrift` file.

    Raises:
        UsageError: thriftpy2 is not there.
    """
    try:
        import thriftpy2
    except ImportError:
        raise UsageError(
            "found no thriftpy2, expected it to read StreamCorpus; pip install 'tidings[kba]'"
        ) from None
    return thriftpy2.load(str(path), module_name=f"{path.stem}_thrift")


def read_structs(file: BinaryIO | io.RawIOBase, of: type[Any]) -> Iterator[tuple[int, Any]]:
    """Each struct of a file with the byte where it begins.

    Raises:
        DamagedItemError: at the first that cannot be read; where the next one begins cannot be known.
    """
    reader = _Reader(of)
    data, at, begin = b"", 0, 0
    pieces = _Pieces(file)
    while True:
        try:
            read, end = reader.read(data, at)
        except _MoreError:
            if pieces.ended:
                if at == len(data):
                    return
                raise DamagedItemError("an item that is cut short", begin + at) from None
            data, begin, at = data[at:], begin + at, 0
            if len(data) > MOST_ITEM:
                found = f"an item of more than {MOST_ITEM >> 20} MiB"
                raise DamagedItemError(found, begin) from None
            data += pieces.read(max(_READ, len(data)))
        except ValueError as error:
            raise DamagedItemError(str(error), begin + at) from None
        else:
            yield begin + at, read
            at = end


class _Pieces:
    """A file read in pieces as large as asked for; what came before damage is given before the damage is said."""

    def __init__(self, file: BinaryIO | io.RawIOBase) -> None:
        self._file = file
        self._damage: FormatError | None = None
        self.ended = False

    def read(self, size: int) -> bytes:
        parts: list[bytes] = []
        read = 0
        if self._damage is not None:
            raise self._damage
        while read < size:
            try:
                part = self._file.read(size - read) or b""
            except FormatError as error:
                self._damage = error
                if not parts:
                    raise
                break
            self.ended = not part
            if self.ended:
                break
            parts.append(part)
            read += len(part)
        return b"".join(parts)


class _Reader:
    """Reads structs of one class out of bytes."""

    def __init__(self, of: type[Any]) -> None:
        self._of = of
        self._data = b""
        self._parts = 0
        self._plans: dict[type[Any], tuple[dict[str, Any], dict[int, tuple[int, str, Any]]]] = {}

    def read(self, data: bytes, at: int) -> tuple[Any, int]:
        """The struct that begins there, and where it ends."""
        self._data, self._parts = data, 0
        try:
            read, end = self._struct(self._of, at, _MOST_DEPTH)
        except (IndexError, struct.error):
            raise _MoreError from None
        if end > len(data):
            raise _MoreError
        if end == at + 1:
            raise ValueError("an item without any field")
        return read, end

    def _plan(self, of: type[Any]) -> tuple[dict[str, Any], dict[int, tuple[int, str, Any]]]:
        if of not in self._plans:
            fields = {
                number: (field[0], field[1], field[2] if len(field) > 3 else None)
                for number, field in of.thrift_spec.items()
            }
            self._plans[of] = dict(of.default_spec), fields
        return self._plans[of]

    def _struct(self, of: type[Any], at: int, depth: int) -> tuple[Any, int]:
        if depth <= 0:
            raise ValueError("an item that is nested too deep")
        defaults, fields = self._plan(of)
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise ValueError("an item of too many parts")
        made: Any = object.__new__(of)
        values = made.__dict__
        values.update(defaults)
        data = self._data
        while kind := data[at]:
            field = fields.get(data[at + 1] << 8 | data[at + 2])
            at += 3
            if field is None or (field[0] != kind and not (kind == _STRING and field[0] == _BINARY)):
                # The commonest by far, told here: most of an item is numbers and words about tokens.
                fixed = _FIXED.get(kind)
                at = at + fixed if fixed else self._passed(kind, at, depth - 1)
            else:
                values[field[1]], at = self._value(field[0], field[2], at, depth - 1)
        return made, at + 1

    def _value(self, kind: int, spec: Any, at: int, depth: int) -> tuple[Any, int]:
        data = self._data
        if kind in (_STRING, _BINARY):
            end = at + 4 + self._length(at)
            if end > len(data):
                raise _MoreError
            value = data[at + 4 : end]
            return (value if kind == _BINARY else value.decode("utf-8", "replace")), end
        if number := _NUMBERS.get(kind):
            return number.unpack_from(data, at)[0], at + number.size
        if kind == _STRUCT:
            return self._struct(spec, at, depth)
        if depth <= 0:
            raise ValueError("an item that is nested too deep")
        if kind == _MAP:
            return self._map(spec, at, depth)
        of, inner = spec if isinstance(spec, tuple) else (spec, None)
        stated, size = data[at], self._length(at + 1)
        if stated != (_STRING if of == _BINARY else of):
            return [], self._passed(kind, at, depth)
        values: list[Any] = []
        at += 5
        self._parts += size
        if self._parts > _MOST_PARTS:
            raise ValueError("an item of too many parts")
        for _ in range(size):
            value, at = self._value(of, inner, at, depth - 1)
            values.append(value)
        return values, at

    def _map(self, spec: Any, at: int, depth: int) -> tuple[dict[Any, Any], int]:
        data = self._data
        (of, inner), (of_value, inner_value) = (
            one if isinstance(one, tuple) else (one, None) for one in spec
        )
        size = self._length(at + 2)
        if data[at] != of or data[at + 1] != of_value:
            return {}, self._passed(_MAP, at, depth)
        at += 6
        self._parts += size
        if self._parts > _MOST_PARTS:
            raise ValueError("an item of too many parts")
        values: dict[Any, Any] = {}
        for _ in range(size):
            key, at = self._value(of, inner, at, depth - 1)
            values[key], at = self._value(of_value, inner_value, at, depth - 1)
        return values, at

    def _length(self, at: int) -> int:
        length: int = _SIZE(self._data, at)[0]
        if not 0 <= length <= MOST_ITEM:
            raise ValueError(f"an item that states a length of {length:,}")
        return length

    def _passed(self, kind: int, at: int, depth: int) -> int:
        # Where a value ends that nobody wants.
        if fixed := _FIXED.get(kind):
            return at + fixed
        if kind == _STRING:
            return at + 4 + self._length(at)
        if kind not in _KINDS:
            raise ValueError(f"an item with a value of an unknown type ({kind})")
        if depth <= 0:
            raise ValueError("an item that is nested too deep")
        data = self._data
        if kind == _STRUCT:
            while inner := data[at]:
                at = self._passed(inner, at + 3, depth - 1)
            return at + 1
        kinds: tuple[int, ...] = (data[at], data[at + 1])
        if kind == _MAP:
            size, at = self._length(at + 2), at + 6
        else:
            kinds, size, at = (data[at],), self._length(at + 1), at + 5
        if all(one in _FIXED for one in kinds):
            return at + size * sum(_FIXED[one] for one in kinds)
        for _ in range(size):
            for one in kinds:
                at = self._passed(one, at, depth - 1)
        return at
