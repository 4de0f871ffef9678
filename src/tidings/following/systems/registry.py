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
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from tidings.core import System, UsageError
from tidings.following.systems.base import WrappedSystem, changed_options, written_spec
from tidings.following.systems.budget import Budget, BudgetedSystem
from tidings.following.systems.descriptions import GROUP, OptionInfo, SystemInfo, Tracking, describe_class
from tidings.following.systems.languages import LanguageSystem, Segmentation
from tidings.following.systems.meanings import ComparingSystem, Comparison
from tidings.following.systems.news import News, NewsSystem
from tidings.following.systems.pace import Pace, PacedSystem

__all__ = [
    "GROUP",
    "OptionInfo",
    "SystemInfo",
    "available",
    "available_entities",
    "available_values",
    "describe",
    "make",
    "register_system",
    "spec_of",
    "with_option",
]


_OWN = {
    "first": "tidings.following.systems.first:First",
    "random": "tidings.following.systems.random:Random",
    "cosine": "tidings.following.systems.cosine:Cosine",
    "sumbasic": "tidings.following.systems.sumbasic:SumBasic",
    "allan2001": "tidings.following.systems.allan2001:Allan2001",
    "cst": "tidings.following.systems.cst:CosineStreamThreshold",
    "centroid": "tidings.following.systems.centroid:Centroid",
    "lexrank": "tidings.following.systems.lexrank:LexRank",
    "sumfocus": "tidings.following.systems.sumfocus:SumFocus",
    "affinity": "tidings.following.systems.affinity:Affinity",
    "ips": "tidings.following.systems.ips:IPS",
    "hres": "tidings.research.systems.hres:Hres",
    "nnrl": "tidings.research.systems.nnrl:NNRL",
    "ius": "tidings.research.systems.ius:Ius",
    "apsal": "tidings.research.systems.apsal:Apsal",
    "l2s": "tidings.research.systems.l2s:L2S",
    "l2s-cos": "tidings.research.systems.l2s:L2SCosine",
    "tidings": "tidings.following.systems.tidings:Tidings",
}

_VALUES = {
    "values": "tidings.following.systems.values:TrackedValues",
    "last-value": "tidings.following.systems.values:LastValue",
    "largest-value": "tidings.following.systems.values:LargestValue",
    "daily-value": "tidings.following.systems.values:DailyValue",
    "no-value": "tidings.following.systems.values:NoValue",
}
"""Those that give values instead of updates."""

_ENTITIES = {
    "entities": "tidings.following.systems.entities:Entities",
    "adapter": "tidings.following.systems.entities:AdaptER",
    "no-adapt": "tidings.following.systems.entities:NoAdapt",
    "sal": "tidings.following.systems.entities:Salience",
    "inf": "tidings.following.systems.entities:Informativeness",
    "taer": "tidings.following.systems.entities:Taer",
    "frequency": "tidings.following.systems.entities:Frequency",
    "contexts": "tidings.following.systems.entities:Contexts",
}
"""Those that give the entities of each day instead of updates."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")

_registered: dict[str, type[Struct]] = {}
_System = TypeVar("_System", bound=type[Struct])


def available() -> dict[str, SystemInfo]:
    """Every system by name, tidings' own first, then plug-ins in the order of their names.

    >>> list(available())[:2]
    ['first', 'random']
    """
    return dict(_available())


class _Systems(Mapping[str, SystemInfo]):
    """All systems by name: those of packages and of this program at once, tidings' own when they are asked for."""

    def __init__(self) -> None:
        from importlib.metadata import entry_points

        self._added: dict[str, SystemInfo] = {}
        for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
            if point.name not in self:
                self._added[point.name] = describe_class(point.name, point.load())
        for name, kind in _registered.items():
            self._added.setdefault(name, describe_class(name, kind))

    def __getitem__(self, name: str) -> SystemInfo:
        return _own(name) if name in _OWN else self._added[name]

    def __contains__(self, name: object) -> bool:
        return name in _OWN or name in self._added

    def __iter__(self) -> Iterator[str]:
        return iter((*_OWN, *self._added))

    def __len__(self) -> int:
        return len(_OWN) + len(self._added)


@lru_cache(maxsize=1)
def _available() -> Mapping[str, SystemInfo]:
    return _Systems()


@lru_cache
def _own(name: str) -> SystemInfo:
    """One of tidings' own: the others are not loaded for it."""
    module, _, attribute = _OWN[name].partition(":")
    return describe_class(name, getattr(importlib.import_module(module), attribute))


def available_values() -> dict[str, SystemInfo]:
    """Every system that gives values instead of updates, by name.

    >>> list(available_values())[0]
    'values'
    """
    return dict(_available_values())


@lru_cache(maxsize=1)
def _available_values() -> dict[str, SystemInfo]:
    return _described(_VALUES)


def available_entities() -> dict[str, SystemInfo]:
    """Every system that gives the entities of each day instead of updates, by name.

    >>> list(available_entities())[:2]
    ['entities', 'adapter']
    """
    return dict(_available_entities())


@lru_cache(maxsize=1)
def _available_entities() -> dict[str, SystemInfo]:
    return _described(_ENTITIES)


def _described(places: Mapping[str, str]) -> dict[str, SystemInfo]:
    infos = {}
    for name, where in places.items():
        module, _, attribute = where.partition(":")
        infos[name] = describe_class(name, getattr(importlib.import_module(module), attribute), limits=False)
    return infos


def register_system(name: str) -> Callable[[_System], _System]:
    """Let the class below be known as the system `name`, wherever a system is asked for in this process.

    Args:
        name: small letters, digits, - and _; what `system="name"` and `--system name` ask for. The class gets it as its
            class variable `name`, unless it has set that itself.

    Returns:
        A decorator that gives the class back. The class is a `msgspec.Struct`, best a child of
        `tidings.following.systems.base.SystemBase`; its fields are the system's options. A class of the same module
        and name registered again (a cell of a notebook run twice) takes the place of the first.

    Raises:
        UsageError: the name is taken or not one, or the class lacks what a system has.

    >>> from tidings.following.systems.base import SystemBase
    >>> @register_system("silent-example")
    ... class Silent(SystemBase, frozen=True):
    ...     "Says nothing."
    ...
    ...     def start(self, event): ...
    >>> make("silent-example").spec
    'silent-example'
    >>> register_system("cosine")(Silent)
    Traceback (most recent call last):
    tidings.core.errors.UsageError: a second system 'cosine' (expected another name): tidings has one of its own
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} as the name of a system (expected small letters, digits, - and _)")

    def register(kind: _System) -> _System:
        registered = _registered.get(name)
        if name in {*_OWN, *_VALUES, *_ENTITIES} or (registered is None and name in _available()):
            whose = (
                "tidings has one of its own"
                if name in _OWN or name in _VALUES
                else "an installed package has it"
            )
            raise UsageError(f"a second system {name!r} (expected another name): {whose}")
        if registered is not None and _place(registered) != _place(kind):
            raise UsageError(
                f"a second system {name!r} ({_place(kind)}) (expected another name): {_place(registered)} has it"
            )
        if isinstance(kind, type) and not hasattr(kind, "name"):
            kind.name = name  # type: ignore[attr-defined]
        describe_class(name, kind)
        _registered[name] = kind
        _available.cache_clear()
        return kind

    return register


def _place(kind: Any) -> str:
    return f"{getattr(kind, '__module__', '')}.{getattr(kind, '__qualname__', repr(kind))}"


def describe(name: str) -> SystemInfo:
    """What is known of the system `name`; a UsageError names the nearest where there is none.

    >>> [option.name for option in describe("random").options][:2]
    ['overlap', 'terms']
    """
    systems = _available()
    info = systems.get(name)
    if info is None and name in _VALUES:
        info = _available_values()[name]
    if info is None and name in _ENTITIES:
        info = _available_entities()[name]
    if info is None:
        raise UsageError(f"system {name!r} (expected one of {', '.join(systems)}{_nearest(name, systems)})")
    return info


def make(spec: str) -> System:
    """The system that `name` or `name:option=value,option=value` asks for.

    Raises UsageError for an unknown name or option, a value of the wrong kind or out of bounds.

    >>> make("cosine:similarity=0.4,updates_per_hour=6").name
    'cosine'
    >>> make("cosin")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: system 'cosin' (expected one of ...); did you mean 'cosine'?
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
            raise UsageError(f"system {name}: {part!r} (expected {key}=VALUE ({options[key].kind}))")
        if key in given:
            raise UsageError(f"system {name}: option {key!r} twice (expected it once)")
        given[key] = _value(name, options[key], value.strip())
    news = _convert(name, _taken(given, News), News)
    segmentation = _convert(name, _taken(given, Segmentation), Segmentation)
    comparison = _convert(name, _taken(given, Comparison), Comparison)
    tracking = Tracking() if name in _VALUES else _convert(name, _taken(given, Tracking), Tracking)
    pace = _convert(name, _taken(given, Pace), Pace)
    limits = _convert(name, _taken(given, Budget), Budget)
    system: System = _convert(name, given, info.build)
    if segmentation != Segmentation():
        system = LanguageSystem(system, segmentation)
    if comparison.encoder:
        system = ComparingSystem(system, comparison)
    if news.news:
        system = NewsSystem(system, news)
    if tracking != Tracking():
        from tidings.following.systems.beside import TrackingSystem

        system = TrackingSystem(system, tracking)
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
    tidings.core.errors.UsageError: --wait with system 'cosine' (expected one that has this option): tidings
    """
    name = spec.strip().partition(":")[0]
    if option not in {known.name for known in describe(name).options}:
        systems = available_values() if name in _VALUES else _available()
        able = [other for other, info in systems.items() if option in {one.name for one in info.options}]
        raise UsageError(
            f"--{option} with system {name!r} (expected one that has this option): {', '.join(able)}"
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
        raise UsageError(f"{where}: {text!r} (expected {wanted})") from None
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
            raise UsageError(f"{where}: {text!r} (expected yes or no)")
        return words[text.lower()]
    if "|" in option.kind and text not in option.kind.split("|"):
        choices = option.kind.split("|")
        raise UsageError(f"{where}: {text!r} (expected one of {', '.join(choices)}{_nearest(text, choices)})")
    return text


def _convert(name: str, values: dict[str, Any], kind: Callable[..., Any]) -> Any:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        expected, _, where = str(error).removeprefix("Expected ").partition(" - at `$.")
        option = where.rstrip("`")
        expected = expected.replace("`int`", "a whole number").replace("`float`", "a number")
        raise UsageError(
            f"system {name}: option {option}: {values.get(option)!r} (expected {expected})"
        ) from None


def _nearest(word: str, words: Any) -> str:
    close = difflib.get_close_matches(word, list(words), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
