"""Tables of pandas, Polars and Arrow, in and out, through narwhals; none of them is loaded unless it is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from tidings.following.library.faults import ArgumentTypeError, ArgumentValueError, kind_of

__all__ = ["BACKENDS", "TableRows", "build_frame", "rows_of"]

BACKENDS = ("pandas", "polars", "pyarrow")
"""What a table can be given as, by preference."""

_SIGNS = ("columns", "column_names", "collect_schema", "__narwhals_dataframe__", "__arrow_c_stream__")


class TableRows:
    """The rows of a table, as dicts from column to value, in their order.

    >>> rows = rows_of({"id": ["a"]}, "documents")
    >>> rows is None
    True
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.columns: tuple[str, ...] = tuple(frame.columns)

    def __len__(self) -> int:
        return len(self._frame)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._frame.iter_rows(named=True))


def rows_of(value: object, name: str) -> TableRows | None:
    """The rows of a table of pandas, Polars or Arrow; None for what is no table.

    Raises:
        ArgumentTypeError: a lazy table, or a single column.
    """
    kind = type(value)
    if isinstance(value, str | bytes | Mapping | Sequence) or kind.__module__.partition(".")[0] == "tidings":
        return None
    if hasattr(kind, "to_frame") and hasattr(kind, "name"):
        raise ArgumentTypeError(f"{name}: found {kind_of(value)}, a single column, expected a whole table")
    if not any(hasattr(kind, sign) for sign in _SIGNS):
        return None
    import narwhals.stable.v2 as nw

    frame: Any = nw.from_native(value, pass_through=True)  # type: ignore[call-overload, unused-ignore]
    if isinstance(frame, nw.LazyFrame):
        raise ArgumentTypeError(
            f"{name}: found {kind_of(value)}, a table still to be computed, expected one that is; call its .collect()"
        )
    return TableRows(frame) if isinstance(frame, nw.DataFrame) else None


def build_frame(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """A table of these columns: of pandas where that is installed, else of Polars, else of Arrow.

    Args:
        columns: name to values, all of one length.
        backend: `pandas`, `polars` or `pyarrow`, to choose.

    Raises:
        ArgumentValueError: another backend, or one that is not installed; or none is.
    """
    if backend is None:
        backend = next((name for name in BACKENDS if find_spec(name) is not None), None)
        if backend is None:
            raise ArgumentValueError(
                f"found none of {', '.join(BACKENDS)} installed, expected one to make a table with; pip install pandas "
                "or take the rows as they are: .rows()"
            )
    elif backend not in BACKENDS:
        raise ArgumentValueError(f"found backend {backend!r}, expected one of {', '.join(BACKENDS)}")
    elif find_spec(backend) is None:
        raise ArgumentValueError(
            f"found no {backend} installed, expected it for backend={backend!r}; pip install {backend}"
        )
    import narwhals.stable.v2 as nw

    made: Any = nw.from_dict
    return made({name: list(values) for name, values in columns.items()}, backend=backend).to_native()
