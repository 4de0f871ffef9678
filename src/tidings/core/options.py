"""Options that several faces offer: each is declared once, with its unit, default and help.

A declaration is a TypedDict, whose fields say the types; a table in a TOML file beside it says the rest of each (see
`Option`). The command line, the calls of the library, the schema of the JSON API and the file `tidings.toml` are made
from it: none of them repeats a default.
"""

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ForwardRef, Literal, TypeVar, is_typeddict

import msgspec
from msgspec import Struct

from tidings.core.errors import UsageError

Kind = Literal["text", "texts", "switch", "number", "decimal", "sources"]
"""What a value is: text, several texts, yes or no, a whole number, a number, or what is read (the first words)."""

REQUIRED = "required"
"""The default of what must be given; in tables, `none` is one that nothing holds for."""


class Option(Struct, frozen=True, kw_only=True):
    """One option, as all faces know it.

    Args:
        help: one line, for the command line and schemas.
        faces: who offers it: verbs by their names, `library`, `tracker`, `api`, `spark`.
        default: what holds where nothing is given; `REQUIRED` where something must be.
        kind: what its value is.
        unit: how a value is written, such as DURATION.
        flags: its spelling on the command line, where that is not its name with dashes.
        common: whether `--help` shows it; `--help-all` shows all.
        heading: under which it stands in help.
        choices: all values that there are.
        least, most: bounds of a number.
        in_file: whether `tidings.toml` may hold it. What names files to write or lets more be reached may not:
            such a file may come with data of others.
        doc: what the docstring of the library says, where it takes more than the command line.
        at: what is otherwise at a face: its name to fields of this record.

    >>> lateness = Option(help="How late.", faces=("follow", "values"), default="10m", at={"values": {"default": "1h"}})
    >>> lateness.on("values").default, lateness.on("follow").default
    ('1h', '10m')
    """

    help: str
    faces: tuple[str, ...]
    default: Any = None
    kind: Kind = "text"
    unit: str = ""
    flags: str = ""
    common: bool = False
    heading: str = ""
    choices: tuple[str, ...] = ()
    least: int | float | None = None
    most: int | float | None = None
    in_file: bool = True
    doc: str = ""
    at: dict[str, dict[str, Any]] = {}

    def on(self, face: str) -> "Option":
        """The option as that face has it."""
        return msgspec.structs.replace(self, **self.at.get(face, {}))

    def key(self, name: str) -> str:
        """What `tidings.toml` calls it, where its name is that: as the command line does."""
        spelling = self.flags.split()[0].partition("/")[0] if self.flags else name
        return spelling.lstrip("-").replace("-", "_")


Declaration = Mapping[str, Option]
"""Options by their names."""


_DECLARED: dict[Any, dict[str, Option]] = {}


def describe(declaration: Any, *tables: Mapping[str, Any], **usual: str) -> None:
    """Say what the options of a declaration are: each has a table of its name, with the fields of `Option`.

    In the texts `{name}` stands for what `usual` has of that name.

    >>> from typing import TypedDict
    >>> class Patience(TypedDict, total=False):
    ...     wait: str
    >>> describe(Patience, {"wait": {"help": "How long.", "faces": ["follow"], "default": "{day}"}}, day="24h")
    >>> default_of(Patience, "wait")
    '24h'
    """
    described = {name: fields for table in tables for name, fields in table.items()}
    _DECLARED[declaration] = {
        name: msgspec.convert(_with_usual(described[name], usual), Option)
        for name in declaration.__annotations__
    }


def _with_usual(value: Any, usual: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _with_usual(part, usual) for key, part in value.items()}
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, str) and value not in _MARKS:
        return re.sub(r"\{(\w+)\}", lambda found: usual.get(found[1], found[0]), value)
    return _MARKS.get(value, value)


_MARKS: dict[Any, Any] = {REQUIRED: REQUIRED, "none": None}


def options_in(declaration: Any) -> dict[str, Option]:
    """The options of a declaration, by name, in its order; changed there, they are changed everywhere."""
    return _DECLARED[declaration]


def options_of(declaration: Any, face: str) -> dict[str, Option]:
    """Those that a face offers, as it has them."""
    return {name: option.on(face) for name, option in options_in(declaration).items() if face in option.faces}


def default_of(declaration: Any, name: str, face: str = "") -> Any:
    """The default of an option."""
    return options_in(declaration)[name].on(face).default


def fill_defaults(declaration: Any, face: str, given: Mapping[str, Any], call: str) -> dict[str, Any]:
    """What was given to a call of the library, with the defaults of the rest.

    Raises:
        TypeError: an option that the call does not take, or one that is missing.
    """
    options = options_of(declaration, face)
    unknown = next((name for name in given if name not in options), None)
    if unknown is not None:
        raise TypeError(f"{call}() got an unexpected keyword argument {unknown!r}")
    missing = next(
        (name for name, option in options.items() if option.default is REQUIRED and name not in given), ""
    )
    if missing:
        raise TypeError(f"{call}() missing a required keyword argument: {missing!r}")
    return {name: given.get(name, option.default) for name, option in options.items()}


_Function = TypeVar("_Function", bound=Callable[..., Any])


def document_call(declaration: Any, face: str) -> Callable[[_Function], _Function]:
    """Gives a call of the library, whose last parameter is `**options`, their signature and their lines of docstring.

    The lines stand where the docstring says `{options}`.
    """

    def decorate(function: _Function) -> _Function:
        options = options_of(declaration, face)
        # Of a class it is how one is made that has a signature.
        target: Any = vars(function)["__init__"] if isinstance(function, type) else function
        own, hints = inspect.signature(target), declaration.__annotations__
        kept = [
            parameter
            for parameter in own.parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        empty = inspect.Parameter.empty
        kept += [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=empty if option.default is REQUIRED else option.default,
                annotation=_type_name(hints[name]) if name in hints else empty,
            )
            for name, option in options.items()
        ]
        target.__signature__ = own.replace(parameters=kept)
        before, mark, after = (function.__doc__ or "").partition("{options}")
        if mark:
            indent = " " * (len(before) - len(before.rstrip(" ")))
            lines = "\n".join(_doc_lines(name, option, indent) for name, option in options.items())
            function.__doc__ = before + lines.removeprefix(indent) + after
        return function

    return decorate


def _type_name(kind: Any) -> str:
    """A type as it is written."""
    if isinstance(kind, ForwardRef):
        return kind.__forward_arg__
    return kind.__name__ if isinstance(kind, type) else str(kind).replace("collections.abc.", "")


def _doc_lines(name: str, option: Option, indent: str) -> str:
    words = f"{name}: {' '.join((option.doc or option.help).split())}"
    return "\n".join(textwrap.wrap(words, 116, initial_indent=indent, subsequent_indent=indent + "    "))


_TYPES = {"text": "string", "switch": "boolean", "number": "integer", "decimal": "number"}


def schema_of(declaration: Any, face: str) -> dict[str, Any]:
    """The JSON Schema of an object with the options of a face.

    >>> from typing import TypedDict
    >>> class Patience(TypedDict, total=False):
    ...     tries: int
    >>> said = {"help": "How often.", "faces": ["api"], "kind": "number", "default": 3, "least": 1}
    >>> describe(Patience, {"tries": said})
    >>> schema_of(Patience, "api")["properties"]
    {'tries': {'type': 'integer', 'description': 'How often.', 'default': 3, 'minimum': 1}}
    """
    properties: dict[str, Any] = {}
    options = options_of(declaration, face)
    for name, option in options.items():
        is_list = option.kind in ("texts", "sources")
        kind = {"type": "array", "items": {"type": "string"}} if is_list else {"type": _TYPES[option.kind]}
        shown = {
            "description": option.help,
            "default": None if option.default is REQUIRED else option.default,
            "enum": option.choices or None,
            "minimum": option.least,
            "maximum": option.most,
        }
        properties[name] = {**kind, **{key: value for key, value in shown.items() if value is not None}}
    required = [name for name, option in options.items() if option.default is REQUIRED]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


FILE = "tidings.toml"
"""The file that holds what one would otherwise type each time."""


def find_settings(sources: object, named: str | None) -> Path | None:
    """The file of settings that is named, else that beside the sources, else that of this folder, if any is there.

    Raises:
        UsageError: the named one is not there.
    """
    if named is not None:
        if not Path(named).is_file():
            raise UsageError(f"--config {named}: there is no such file; check its name")
        return Path(named)
    sources = sources if isinstance(sources, list | tuple) else []
    folders = [
        Path(source) if Path(source).is_dir() else Path(source).parent
        for source in sources
        if "://" not in source
    ]
    return next((folder / FILE for folder in (*folders, Path()) if (folder / FILE).is_file()), None)


_LONGEST = 1 << 20  # bytes of a configuration file


def read_settings(
    path: Path, verb: str, options: Declaration, known: Declaration, named: bool = False
) -> dict[str, Any]:
    """What a file of settings says to a verb: its first lines hold for all verbs, those below [verb] for that one.

    Args:
        path: the file.
        verb: whose settings are asked for.
        options: what the verb takes.
        known: what other verbs take.
        named: whether the user named the file: one that was found may have come with the data of others.

    Raises:
        UsageError: no TOML, a setting that is not known or may not stand in a file, a value of another kind.
    """
    import tomllib

    try:
        if path.stat().st_size > _LONGEST:
            raise UsageError(f"{path}: more than 1 MiB (expected a few lines of settings)")
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f'{path}: {error} (expected lines such as lateness = "30m")') from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    common = {name: value for name, value in content.items() if not isinstance(value, dict)}
    own = content.get(verb, {})
    settings: dict[str, Any] = {}
    keys = {option.key(name) for name, option in known.items()}
    names = {option.key(name): name for name, option in options.items()}
    for place, values in (("", common), (f"[{verb}] ", own)):
        for key, value in values.items():
            name = names.get(key.replace("-", "_"), "")
            option = options.get(name)
            if option is None and not place and key.replace("-", "_") in keys:
                continue
            where = f"{path}: {place}{key}"
            if option is None:
                from difflib import get_close_matches

                close = get_close_matches(key, names, 1)
                mend = f"; did you mean {close[0]}?" if close else ""
                raise UsageError(
                    f"{where}: no such setting{mend}; `tidings config show` lists all that there are"
                )
            if not option.in_file and not named:
                raise UsageError(
                    f"{where}: not allowed in a settings file beside the data; give it on the command line, or "
                    "name the file with --config"
                )
            settings[name] = _check(value, option, where)
    return settings


_EXPECTED = {
    "text": "text in quotes",
    "texts": "a list of texts",
    "sources": "a list of texts",
    "switch": "true or false",
    "number": "a whole number",
    "decimal": "a number",
}


def _check(value: Any, option: Option, where: str) -> Any:
    """A value of a file, if it is one that the option takes."""
    kind = option.kind
    if kind == "text" and isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if kind in ("texts", "sources") and isinstance(value, str):
        value = [value]
    fits = {
        "text": isinstance(value, str),
        "texts": isinstance(value, list) and all(isinstance(element, str) for element in value),
        "switch": isinstance(value, bool),
        "number": isinstance(value, int) and not isinstance(value, bool),
        "decimal": isinstance(value, int | float) and not isinstance(value, bool),
    }["texts" if kind == "sources" else kind]
    if fits and option.choices:
        fits = value in option.choices
    if fits and option.least is not None:
        fits = value >= option.least
    if fits and option.most is not None:
        fits = value <= option.most
    if not fits:
        expected = f"one of {', '.join(option.choices)}" if option.choices else _EXPECTED[kind]
        bounds = [f"from {option.least:g}" if option.least is not None else ""]
        bounds += [f"to {option.most:g}" if option.most is not None else ""]
        raise UsageError(f"{where}: {value!r} (expected {' '.join(filter(None, [expected, *bounds]))})")
    return value


def is_declaration(kind: object) -> bool:
    """Whether a type is a declaration of options."""
    return is_typeddict(kind)
