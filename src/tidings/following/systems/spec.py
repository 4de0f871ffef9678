"""A system written as text: its name, and the options that are not at their default."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, fields

__all__ = ["changed_options", "written_spec"]


def changed_options(options: Struct) -> dict[str, Any]:
    """The options that are not at their default, by name."""
    defaults = {field.name: field.default for field in fields(options)}
    return {key: value for key, value in asdict(options).items() if value != defaults[key]}


def written_spec(name: str, options: dict[str, Any]) -> str:
    """A system's name with options, as `make` reads it.

    >>> written_spec("cosine", {"similarity": 0.25, "words_per_hour": 50.0, "stop": True})
    'cosine:similarity=0.25,words_per_hour=50,stop=yes'
    """
    parts = ",".join(f"{key}={_text(value)}" for key, value in options.items())
    return f"{name}:{parts}" if parts else name


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
