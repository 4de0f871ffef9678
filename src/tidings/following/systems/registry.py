"""Which systems there are, how they are named with options, and how a plug-in adds one.

A system is an immutable `msgspec.Struct` class: its fields are its options (type, default, and a `msgspec.Meta` with
bounds; what an option is for stands there as its description, or in `options.toml` beside), its docstring's first line
says what it does, its class variables `name` and `source` how it is called and where it was published. A package adds
one by an entry point of the group `tidings.systems` that names such a class; a program adds one by the decorator
`register_system`.
"""

from __future__ import annotations

import difflib
import importlib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from tidings.core import System, UsageError, data_beside, mismatch_of, unknown_of
from tidings.following.systems.decider import Decider, as_decider, in_order
from tidings.following.systems.descriptions import GROUP, OPTIONAL, OptionInfo, SystemInfo, describe_class
from tidings.following.systems.languages import Segmentation

_OWN, _VALUES, _ENTITIES = (data_beside(__file__)[gives] for gives in ("updates", "values", "entities"))

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")

_registered: dict[str, type[Struct]] = {}
_System = TypeVar("_System", bound=type[Struct])


class UnknownSystemError(UsageError):
    """No system of that name is known to this process."""


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
    """One of tidings' own, whatever it gives: the others are not loaded for it."""
    module, _, attribute = {**_OWN, **_VALUES, **_ENTITIES}[name].partition(":")
    kind = getattr(importlib.import_module(module), attribute)
    return describe_class(name, kind, limits=name in _OWN)


def learned_systems() -> dict[str, str]:
    """The systems that are learned, by name, each with the name of its file in `research`."""
    places = {name: where.partition(":")[0] for name, where in _OWN.items()}
    return {
        name: where.split(".")[-1] for name, where in places.items() if where.startswith("tidings.research.")
    }


def available_values() -> dict[str, SystemInfo]:
    """Every system that gives values instead of updates, by name.

    >>> list(available_values())[0]
    'values'
    """
    return {name: _own(name) for name in _VALUES}


def available_entities() -> dict[str, SystemInfo]:
    """Every system that gives the entities of each day instead of updates, by name.

    >>> list(available_entities())[:2]
    ['entities', 'adapter']
    """
    return {name: _own(name) for name in _ENTITIES}


def register_system(name: str) -> Callable[[_System], _System]:
    """Register the decorated class as the system `name`, for the whole process.

    Args:
        name: lower-case letters, digits, - and _, as used in `system="name"` and `--system name`. It becomes the
            class variable `name`, unless the class sets that itself.

    Returns:
        A decorator that returns the class. The class is a `msgspec.Struct`, preferably a subclass of
        `tidings.following.systems.base.SystemBase`; its fields are the system's options. Registering a class of the
        same module and name again (a notebook cell run twice) replaces the first.

    Raises:
        UsageError: the name is taken or invalid, or the class lacks what a system must have.

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
    tidings.core.errors.UsageError: tidings has a system 'cosine' already; give yours another name
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} as the name of a system (expected small letters, digits, - and _)")

    def register(kind: _System) -> _System:
        registered = _registered.get(name)
        own = name in {*_OWN, *_VALUES, *_ENTITIES}
        if own or (registered is None and name in _available()):
            whose = "tidings" if own else "an installed package"
            raise UsageError(f"{whose} has a system {name!r} already; give yours another name")
        if registered is not None and _place(registered) != _place(kind):
            raise UsageError(
                f"{_place(registered)} is registered as {name!r} already; give {_place(kind)} another name"
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
    if name in _OWN or name in _VALUES or name in _ENTITIES:
        return _own(name)  # without looking for those of packages
    systems = _available()
    if name not in systems:
        raise UnknownSystemError(f"system {name!r} {_choices(name, systems)}")
    return systems[name]


def make(spec: str) -> System:
    """The system that `name` or `name:option=value,option=value` asks for.

    Raises UsageError for an unknown name or option, a value of the wrong kind or out of bounds.

    >>> make("cosine:similarity=0.4,updates_per_hour=6").name
    'cosine'
    >>> make("cosin")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.systems.registry.UnknownSystemError: system 'cosin' (expected one of ...; did you mean 'cosine'?)
    """
    name, _, rest = spec.strip().partition(":")
    info = describe(name)
    options = {option.name: option for option in info.options}
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if key not in options:
            raise UsageError(f"system {name}: option {key!r} {_choices(key, options)}")
        if not equals:
            raise UsageError(f"system {name}: {part!r} (expected {key}=VALUE ({options[key].kind}))")
        if key in given:
            raise UsageError(f"system {name}: option {key!r} twice (expected it once)")
        given[key] = _value(name, options[key], value.strip())
    shared = {option.name for option in info.options if option.common}

    def taken(kind: type[Struct]) -> Any:
        own = {
            field.name: given.pop(field.name) for field in fields(kind) if field.name in shared & given.keys()
        }
        return _convert(name, own, kind)

    segmentation = taken(Segmentation)
    stages = in_order(stage for kind in OPTIONAL if (stage := taken(kind)).is_needed)
    system: System = _convert(name, given, info.build)
    if not stages and segmentation == Segmentation():
        return system
    return Decider(system, stages, None if segmentation == Segmentation() else segmentation)


def with_option(spec: str, option: str, value: str) -> str:
    """The spec with one more option.

    Raises:
        UsageError: the system has no such option; the message names the systems that have it.

    >>> with_option("tidings", "wait", "2h"), with_option("tidings:level=1", "wait", "2h")
    ('tidings:wait=2h', 'tidings:level=1,wait=2h')
    >>> with_option("cosine", "wait", "2h")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: system 'cosine' has no option wait; tidings has it
    """
    name = spec.strip().partition(":")[0]
    if option not in {known.name for known in describe(name).options}:
        systems = available_values() if name in _VALUES else _available()
        able = [other for other, info in systems.items() if option in {known.name for known in info.options}]
        verb = "has" if len(able) == 1 else "have"
        raise UsageError(f"system {name!r} has no option {option}; {', '.join(able)} {verb} it")
    return f"{spec}{',' if ':' in spec else ':'}{option}={value}"


def with_terms(spec: str, terms: str) -> str:
    """The spec with these terms in the place of those that it has; without any where there are none.

    Raises:
        UsageError: as `with_option`.

    >>> with_terms("tidings", "enron, -energy"), with_terms("tidings:story_terms=enron,level=1", "")
    ('tidings:story_terms=enron -energy', 'tidings:level=1')
    """
    name, _, rest = spec.strip().partition(":")
    parts = [part for part in rest.split(",") if part.strip() and part.partition("=")[0].strip() != _TERMS]
    bare, terms = f"{name}:{','.join(parts)}" if parts else name, " ".join(terms.replace(",", " ").split())
    return with_option(bare, _TERMS, terms) if terms else bare


def terms_of(spec: str) -> str:
    """The terms that a spec adds and strikes; "" for none.

    >>> terms_of("tidings:story_terms=enron -energy,level=1"), terms_of("tidings")
    ('enron -energy', '')
    """
    options = (part.partition("=") for part in spec.partition(":")[2].split(","))
    return next((value.strip() for key, _, value in options if key.strip() == _TERMS), "")


_TERMS = "story_terms"


def spec_of(system: System) -> str:
    """The shortest text from which `make` gives an equal system: options at their default are left out.

    >>> spec_of(make("cosine: words-per-hour=50, similarity=.25, overlap=2"))
    'cosine:similarity=0.25,words_per_hour=50'
    """
    return as_decider(system).spec


_BOOLS = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


_READERS: dict[str, tuple[Callable[[str], Any], str]] = {
    "int": (int, "a whole number"),
    "float": (_finite, "a number"),
    "bool": (lambda text: _BOOLS[text.lower()], "yes or no"),
    "text": (str, "text"),
}
"""By an option's kind, how its value is read, and what that is in words."""


def _value(name: str, option: OptionInfo, text: str) -> Any:
    where = f"system {name}: option {option.name}: {text!r}"
    if option.kind not in _READERS:
        choices = option.kind.split("|")
        if text not in choices:
            raise UsageError(f"{where} {_choices(text, choices)}")
        return text
    read, wanted = _READERS[option.kind]
    try:
        return read(text)
    except (ValueError, KeyError):
        raise UsageError(f"{where} (expected {wanted})") from None


def _convert(name: str, values: dict[str, Any], kind: Callable[..., Any]) -> Any:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        wrong, option = mismatch_of(str(error)), unknown_of(str(error))[1]
        wanted = wrong.wanted() if wrong else "another value"
        raise UsageError(
            f"system {name}: option {option}: {values.get(option)!r} (expected {wanted})"
        ) from None


def _choices(word: str, words: Iterable[str]) -> str:
    """What was expected in place of a word, and the nearest of it where one is near.

    >>> _choices("rde", ["red", "blue"])
    "(expected one of red, blue; did you mean 'red'?)"
    """
    known = list(words)
    close = difflib.get_close_matches(word, known, n=1)
    return f"(expected one of {', '.join(known)}{f'; did you mean {close[0]!r}?' if close else ''})"
