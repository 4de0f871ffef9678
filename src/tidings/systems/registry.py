"""Which systems there are, how they are named with options, and how a plug-in adds one.

A system is an immutable `msgspec.Struct` class: its fields are its options (type, default, and a
`msgspec.Meta` with description and bounds), its docstring's first line says what it does, its class variables
`name` and `source` how it is called and where it was published. A package adds one by an entry point of the
group `tidings.systems` that names such a class.
"""

from __future__ import annotations

import difflib
import importlib
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET, Struct
from msgspec.inspect import type_info
from msgspec.structs import asdict, fields

from tidings.errors import UsageError
from tidings.protocols import System
from tidings.systems.budget import Budget, BudgetedSystem

__all__ = ["OptionInfo", "SystemInfo", "available", "describe", "make", "spec_of"]

GROUP = "tidings.systems"

_OWN = {
    "first": "tidings.systems.first:First",
    "random": "tidings.systems.random:Random",
    "cosine": "tidings.systems.cosine:Cosine",
    "sumbasic": "tidings.systems.sumbasic:SumBasic",
    "allan2001": "tidings.systems.allan2001:Allan2001",
    "cst": "tidings.systems.cst:CosineStreamThreshold",
    "centroid": "tidings.systems.centroid:Centroid",
    "lexrank": "tidings.systems.lexrank:LexRank",
    "sumfocus": "tidings.systems.sumfocus:SumFocus",
    "affinity": "tidings.systems.affinity:Affinity",
    "ips": "tidings.systems.ips:IPS",
    "hres": "tidings.systems.hres:Hres",
    "nnrl": "tidings.systems.nnrl:NNRL",
    "ius": "tidings.systems.ius:Ius",
    "apsal": "tidings.systems.apsal:Apsal",
    "l2s": "tidings.systems.l2s:L2S",
    "l2s-cos": "tidings.systems.l2s:L2SCosine",
    "tidings": "tidings.systems.tidings:Tidings",
}


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


def available() -> dict[str, SystemInfo]:
    """Every system by name, tidings' own first, then plug-ins in the order of their names.

    >>> list(available())[:2]
    ['first', 'random']
    """
    return dict(_available())


@lru_cache(maxsize=1)
def _available() -> dict[str, SystemInfo]:
    from importlib.metadata import entry_points

    found = {}
    for name, where in _OWN.items():
        module, _, attribute = where.partition(":")
        found[name] = _describe(name, getattr(importlib.import_module(module), attribute))
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name not in found:
            found[point.name] = _describe(point.name, point.load())
    return found


def _describe(name: str, kind: Any) -> SystemInfo:
    if not (isinstance(kind, type) and issubclass(kind, Struct) and callable(getattr(kind, "start", None))):
        raise UsageError(
            f"system {name!r}: found {kind!r}, expected a msgspec.Struct class with a method start(event); "
            f"mend the entry point of group {GROUP!r}"
        )
    options = _options(kind) + _options(Budget, common=True)
    lines = (kind.__doc__ or "").strip().splitlines()
    return SystemInfo(name, lines[0] if lines else "", str(getattr(kind, "source", "")), options, kind)


def _options(kind: type[Struct], common: bool = False) -> tuple[OptionInfo, ...]:
    found = []
    for field in fields(kind):
        shape: Any = type_info(field.type)
        help_text = ""
        if isinstance(shape, msgspec.inspect.Metadata):
            help_text, shape = (shape.extra_json_schema or {}).get("description", ""), shape.type
        default = field.default if field.default is not msgspec.NODEFAULT else UNSET
        found.append(OptionInfo(field.name, _kind(field.type), default, help_text, common))
    return tuple(found)


def _kind(annotation: Any) -> str:
    while hasattr(annotation, "__metadata__"):
        annotation = annotation.__origin__
    if get_origin(annotation) is Literal:
        return "|".join(str(choice) for choice in get_args(annotation))
    return {int: "int", float: "float", bool: "bool"}.get(annotation, "text")


def describe(name: str) -> SystemInfo:
    """What is known of the system `name`; a UsageError names the nearest where there is none.

    >>> [option.name for option in describe("random").options][:2]
    ['overlap', 'terms']
    """
    systems = _available()
    info = systems.get(name)
    if info is None:
        raise UsageError(
            f"found system {name!r}, expected one of {', '.join(systems)}{_nearest(name, systems)}"
        )
    return info


def make(spec: str) -> System:
    """The system that `name` or `name:option=value,option=value` asks for.

    Raises UsageError for an unknown name or option, a value of the wrong kind or out of bounds.

    >>> make("cosine:similarity=0.4,updates_per_hour=6").name
    'cosine'
    >>> make("cosin")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.errors.UsageError: found system 'cosin', expected one of ...; did you mean 'cosine'?
    """
    name, _, rest = spec.strip().partition(":")
    info = describe(name)
    known = {option.name: option for option in info.options}
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if key not in known:
            expected = f"expected one of {', '.join(known)}{_nearest(key, known)}"
            raise UsageError(f"system {name}: found option {key!r}, {expected}")
        if not equals:
            raise UsageError(f"system {name}: found {part!r}, expected {key}=VALUE ({known[key].kind})")
        if key in given:
            raise UsageError(f"system {name}: found option {key!r} twice, expected it once")
        given[key] = _value(name, known[key], value.strip())
    budget = {key: given.pop(key) for key in list(given) if known[key].common}
    system: System = _convert(name, given, info.build)
    limits = _convert(name, budget, Budget)
    return system if limits == Budget() else BudgetedSystem(system, limits)


def spec_of(system: System) -> str:
    """The shortest text from which `make` gives an equal system: options at their default are left out.

    >>> spec_of(make("cosine: words-per-hour=50, similarity=.25, overlap=2"))
    'cosine:similarity=0.25,words_per_hour=50'
    """
    inner: System = system
    said: dict[str, Any] = {}
    if isinstance(system, BudgetedSystem):
        inner, said = system.system, _changed(system.budget)
    if isinstance(inner, Struct):
        said = _changed(inner) | said
    parts = ",".join(f"{key}={_text(value)}" for key, value in said.items())
    return f"{inner.name}:{parts}" if parts else inner.name


def _changed(options: Struct) -> dict[str, Any]:
    defaults = {field.name: field.default for field in fields(options)}
    return {key: value for key, value in asdict(options).items() if value != defaults[key]}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _value(name: str, option: OptionInfo, text: str) -> Any:
    where = f"system {name}: option {option.name}"
    try:
        if option.kind == "int":
            return int(text)
        if option.kind == "float":
            number = float(text)
            if not math.isfinite(number):
                raise ValueError
            return number
    except ValueError:
        wanted = "a whole number" if option.kind == "int" else "a number"
        raise UsageError(f"{where}: found {text!r}, expected {wanted}") from None
    if option.kind == "bool":
        words = {
            "yes": True,
            "true": True,
            "on": True,
            "1": True,
            "no": False,
            "false": False,
            "off": False,
            "0": False,
        }
        if text.lower() not in words:
            raise UsageError(f"{where}: found {text!r}, expected yes or no")
        return words[text.lower()]
    if "|" in option.kind and text not in option.kind.split("|"):
        choices = option.kind.split("|")
        raise UsageError(
            f"{where}: found {text!r}, expected one of {', '.join(choices)}{_nearest(text, choices)}"
        )
    return text


def _convert(name: str, values: dict[str, Any], kind: Callable[..., Any]) -> Any:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        expected, _, where = str(error).removeprefix("Expected ").partition(" - at `$.")
        option = where.rstrip("`")
        expected = expected.replace("`int`", "a whole number").replace("`float`", "a number")
        raise UsageError(
            f"system {name}: option {option}: found {values.get(option)!r}, expected {expected}"
        ) from None


def _nearest(word: str, known: Any) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
