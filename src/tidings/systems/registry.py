"""Which systems there are, how they are named with options, and how a plug-in adds one.

A system is an immutable `msgspec.Struct` class: its fields are its options (type, default, and a
`msgspec.Meta` with description and bounds), its docstring's first line says what it does, its class variables
`name` and `source` how it is called and where it was published. A package adds one by an entry point of the
group `tidings.systems` that names such a class; a program adds one by the decorator `register_system`.
"""

from __future__ import annotations

import difflib
import importlib
import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import UNSET, Struct
from msgspec.inspect import type_info
from msgspec.structs import fields

from tidings.errors import UsageError
from tidings.protocols import System
from tidings.systems.budget import Budget, BudgetedSystem
from tidings.systems.news import News, NewsSystem
from tidings.systems.pace import Pace, PacedSystem
from tidings.systems.spec import changed_options, written_spec
from tidings.systems.values.tracking import Tracking
from tidings.systems.wrapped import WrappedSystem

__all__ = [
    "OptionInfo",
    "SystemInfo",
    "available",
    "available_values",
    "describe",
    "make",
    "register_system",
    "spec_of",
    "with_option",
]

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

_VALUES = {
    "values": "tidings.systems.values.tracker:TrackedValues",
    "last-value": "tidings.systems.values.baselines:LastValue",
    "largest-value": "tidings.systems.values.baselines:LargestValue",
    "daily-value": "tidings.systems.values.baselines:DailyValue",
    "no-value": "tidings.systems.values.baselines:NoValue",
}
"""Those that give values instead of updates."""

_MEMBERS = ("spec", "budget", "card", "interest", "start")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")

_registered: dict[str, type[Struct]] = {}
_System = TypeVar("_System", bound=type[Struct])


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

    infos = {}
    for name, where in _OWN.items():
        module, _, attribute = where.partition(":")
        infos[name] = _describe(name, getattr(importlib.import_module(module), attribute))
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        if point.name not in infos:
            infos[point.name] = _describe(point.name, point.load())
    for name, kind in _registered.items():
        infos.setdefault(name, _describe(name, kind))
    return infos


def available_values() -> dict[str, SystemInfo]:
    """Every system that gives values instead of updates, by name.

    >>> list(available_values())[0]
    'values'
    """
    return dict(_available_values())


@lru_cache(maxsize=1)
def _available_values() -> dict[str, SystemInfo]:
    infos = {}
    for name, where in _VALUES.items():
        module, _, attribute = where.partition(":")
        infos[name] = _describe(name, getattr(importlib.import_module(module), attribute), limits=False)
    return infos


def register_system(name: str) -> Callable[[_System], _System]:
    """Let the class below be known as the system `name`, wherever a system is asked for in this process.

    Args:
        name: small letters, digits, - and _; what `system="name"` and `--system name` ask for. The class gets it as its
            class variable `name`, unless it has set that itself.

    Returns:
        A decorator that gives the class back. The class is a `msgspec.Struct`, best a child of
        `tidings.systems.base.SystemBase`; its fields are the system's options. A class of the same module and name
        registered again (a cell of a notebook run twice) takes the place of the first.

    Raises:
        UsageError: the name is taken or not one, or the class lacks what a system has.

    >>> from tidings.systems.base import SystemBase
    >>> @register_system("silent-example")
    ... class Silent(SystemBase, frozen=True):
    ...     "Says nothing."
    ...
    ...     def start(self, event): ...
    >>> make("silent-example").spec
    'silent-example'
    >>> register_system("cosine")(Silent)
    Traceback (most recent call last):
    tidings.errors.UsageError: found a second system 'cosine', expected another name: tidings has one of its own
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"found {name!r} as the name of a system, expected small letters, digits, - and _")

    def register(kind: _System) -> _System:
        registered = _registered.get(name)
        if name in _OWN or name in _VALUES or (registered is None and name in _available()):
            whose = (
                "tidings has one of its own"
                if name in _OWN or name in _VALUES
                else "an installed package has it"
            )
            raise UsageError(f"found a second system {name!r}, expected another name: {whose}")
        if registered is not None and _place(registered) != _place(kind):
            raise UsageError(
                f"found a second system {name!r} ({_place(kind)}), expected another name: {_place(registered)} has it"
            )
        if isinstance(kind, type) and not hasattr(kind, "name"):
            kind.name = name  # type: ignore[attr-defined]
        _describe(name, kind)
        _registered[name] = kind
        _available.cache_clear()
        return kind

    return register


def _place(kind: Any) -> str:
    return f"{getattr(kind, '__module__', '')}.{getattr(kind, '__qualname__', repr(kind))}"


def _describe(name: str, kind: Any, limits: bool = True) -> SystemInfo:
    if not (isinstance(kind, type) and issubclass(kind, Struct) and callable(getattr(kind, "start", None))):
        raise UsageError(
            f"system {name!r}: found {kind!r}, expected a msgspec.Struct class with a method start(event); "
            f"mend the entry point of group {GROUP!r}, or what @register_system stands above"
        )
    missing = [member for member in _MEMBERS if not hasattr(kind, member)]
    if missing:
        raise UsageError(
            f"system {name!r}: found {kind.__name__} without {', '.join(missing)}, expected a system's members; "
            "inherit from tidings.systems.base.SystemBase, which has all but start"
        )
    if getattr(kind, "name", name) != name:
        raise UsageError(
            f"system {name!r}: found name = {getattr(kind, 'name', '')!r} in {kind.__name__}, expected the same name "
            "in both places"
        )
    options = _options(kind)
    for limit in (News, Tracking, Pace, Budget) if limits else ():
        options += _options(limit, common=True)
    lines = (kind.__doc__ or "").strip().splitlines()
    return SystemInfo(name, lines[0] if lines else "", str(getattr(kind, "source", "")), options, kind)


def _options(kind: type[Struct], common: bool = False) -> tuple[OptionInfo, ...]:
    options = []
    for field in fields(kind):
        shape: Any = type_info(field.type)
        help_text = ""
        if isinstance(shape, msgspec.inspect.Metadata):
            help_text, shape = (shape.extra_json_schema or {}).get("description", ""), shape.type
        default = field.default if field.default is not msgspec.NODEFAULT else UNSET
        options.append(OptionInfo(field.name, _kind(field.type), default, help_text, common))
    return tuple(options)


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
    info = systems.get(name) or _available_values().get(name)
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
    options = {option.name: option for option in info.options}
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if key not in options:
            expected = f"expected one of {', '.join(options)}{_nearest(key, options)}"
            raise UsageError(f"system {name}: found option {key!r}, {expected}")
        if not equals:
            raise UsageError(f"system {name}: found {part!r}, expected {key}=VALUE ({options[key].kind})")
        if key in given:
            raise UsageError(f"system {name}: found option {key!r} twice, expected it once")
        given[key] = _value(name, options[key], value.strip())
    news = _convert(name, _taken(given, News), News)
    tracking = _convert(name, _taken(given, Tracking), Tracking)
    pace = _convert(name, _taken(given, Pace), Pace)
    limits = _convert(name, _taken(given, Budget), Budget)
    system: System = _convert(name, given, info.build)
    if news.news:
        system = NewsSystem(system, news)
    if tracking.values:
        from tidings.systems.values.beside import WithValues

        system = WithValues(system)
    if pace != Pace():
        system = PacedSystem(system, pace)
    return system if limits == Budget() else BudgetedSystem(system, limits)


def _taken(given: dict[str, Any], kind: type[Struct]) -> dict[str, Any]:
    return {field.name: given.pop(field.name) for field in fields(kind) if field.name in given}


def with_option(spec: str, option: str, value: str) -> str:
    """The spec with one more option.

    Raises:
        UsageError: the system has no such option; the message names the systems that have it.

    >>> with_option("tidings", "wait", "2h"), with_option("tidings:level=1", "wait", "2h")
    ('tidings:wait=2h', 'tidings:level=1,wait=2h')
    >>> with_option("cosine", "wait", "2h")
    Traceback (most recent call last):
    tidings.errors.UsageError: found --wait with system 'cosine', expected a system that can wait: tidings
    """
    name = spec.strip().partition(":")[0]
    if option not in {known.name for known in describe(name).options}:
        able = [other for other, info in _available().items() if option in {one.name for one in info.options}]
        raise UsageError(
            f"found --{option} with system {name!r}, expected a system that can {option}: {', '.join(able)}"
        )
    return f"{spec}{',' if ':' in spec else ':'}{option}={value}"


def spec_of(system: System) -> str:
    """The shortest text from which `make` gives an equal system: options at their default are left out.

    >>> spec_of(make("cosine: words-per-hour=50, similarity=.25, overlap=2"))
    'cosine:similarity=0.25,words_per_hour=50'
    """
    if isinstance(system, WrappedSystem):
        return system.spec
    return written_spec(system.name, changed_options(system) if isinstance(system, Struct) else {})


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


def _nearest(word: str, words: Any) -> str:
    close = difflib.get_close_matches(word, list(words), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
