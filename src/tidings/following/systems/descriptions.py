"""What is known of a system before it is made: its options, those that every system has, and where it was published."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET, Struct
from msgspec.inspect import type_info
from msgspec.structs import fields

from tidings.core import UsageError, data_beside
from tidings.following.systems.beside import EntitiesBeside, ValuesBeside
from tidings.following.systems.languages import FALLBACK, Segmentation, has_any_language
from tidings.following.systems.meanings import Comparison
from tidings.following.systems.news import News
from tidings.following.systems.pace.stage import AtPace
from tidings.following.systems.stages import Budget, Stage, StoryProfile

OPTIONAL: tuple[type[Stage], ...] = (
    News,
    Comparison,
    ValuesBeside,
    EntitiesBeside,
    StoryProfile,
    AtPace,
    Budget,
)
"""The stages that options of every system ask for."""

SHARED: tuple[type[Struct], ...] = (News, Segmentation, *OPTIONAL[1:])
"""What has the options of every system."""

GROUP = "tidings.systems"
"""The entry points by which packages add systems."""

_MEMBERS = ("spec", "card", "interest", "start")


class OptionInfo(Struct, frozen=True):
    """One option of a system: `kind` is int, float, bool, text or the choices joined by |."""

    name: str
    kind: str
    default: Any
    help: str
    common: bool = False


class SystemInfo(Struct, frozen=True):
    """What is known of a system before it is made."""

    name: str
    description: str
    source: str
    options: tuple[OptionInfo, ...]
    build: Callable[..., Any]
    languages: str = ""
    """In words, which it knows."""


def describe_class(name: str, kind: Any, limits: bool = True) -> SystemInfo:
    """What a system's class says of itself, under this name; with `limits` the options that every system has too.

    Raises:
        UsageError: the class is no system's, or calls itself otherwise.
    """
    if not (isinstance(kind, type) and issubclass(kind, Struct) and callable(getattr(kind, "start", None))):
        raise UsageError(
            f"system {name!r}: {kind!r} (expected a msgspec.Struct class with a method start(event)); "
            f"fix the entry point of group {GROUP!r}, or what @register_system stands above"
        )
    missing = [member for member in _MEMBERS if not hasattr(kind, member)]
    if missing:
        raise UsageError(
            f"system {name!r}: {kind.__name__} without {', '.join(missing)} (expected a system's members); "
            "inherit from tidings.following.systems.base.SystemBase, which has all but start"
        )
    if getattr(kind, "name", name) != name:
        raise UsageError(
            f"system {name!r}: name = {getattr(kind, 'name', '')!r} in {kind.__name__} (expected the same name "
            "in both places)"
        )
    options = _options(kind)
    for limit in SHARED if limits else ():
        options += _options(limit, common=True)
    lines = (kind.__doc__ or "").strip().splitlines()
    description, source = lines[0] if lines else "", str(getattr(kind, "source", ""))
    return SystemInfo(name, description, source, options, kind, _languages(kind, limits))


def _languages(kind: type[Struct], updates: bool) -> str:
    if has_any_language(kind):
        return "any"
    return (
        f"English (others are left to {FALLBACK})"
        if updates
        else "English alone; documents of others are passed over"
    )


def _options(kind: type[Struct], common: bool = False) -> tuple[OptionInfo, ...]:
    options = []
    for field in fields(kind):
        shape: Any = type_info(field.type)
        help_text = _help_beside(kind, field.name)
        if isinstance(shape, msgspec.inspect.Metadata):
            help_text = (shape.extra_json_schema or {}).get("description", help_text)
        default = field.default if field.default is not msgspec.NODEFAULT else UNSET
        options.append(OptionInfo(field.name, _kind(field.type), default, help_text, common))
    return tuple(options)


def _help_beside(kind: type[Struct], option: str) -> str:
    # From `options.toml` in the folder of the class that declares the option, or of one that it inherits from.
    for base in kind.__mro__:
        place = Path(getattr(sys.modules.get(base.__module__), "__file__", None) or "none").with_name(
            "options.py"
        )
        words = data_beside(str(place)) if place.with_suffix(".toml").is_file() else {}
        if help_text := words.get(base.__name__, {}).get(option):
            return str(help_text)
    return ""


def _kind(annotation: Any) -> str:
    while hasattr(annotation, "__metadata__"):
        annotation = annotation.__origin__
    if get_origin(annotation) is Literal:
        return "|".join(str(choice) for choice in get_args(annotation))
    return {int: "int", float: "float", bool: "bool"}.get(annotation, "text")
