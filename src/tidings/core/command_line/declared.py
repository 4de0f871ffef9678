"""Verbs whose options are declared once: their parameters, their help at any width, and what `tidings.toml` says."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer
from typer.core import TyperCommand

from tidings.core.files.data import data_beside
from tidings.core.options import (
    REQUIRED,
    Option,
    find_settings,
    is_declaration,
    options_in,
    options_of,
    read_settings,
)

if TYPE_CHECKING:
    from pathlib import Path


PoolName = Literal["sampled", "extended"]

_KINDS: dict[str, Any] = {
    "text": str,
    "texts": list[str],
    "sources": list[str],
    "switch": bool,
    "number": int,
    "decimal": float,
}


def takes_options(face: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a verb the options that a face offers, in the place of each parameter whose type is a declaration.

    Args:
        face: the verb's name, as declarations say it.
    """

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(verb, include_extras=True)
        groups: dict[str, dict[str, Option]] = {}
        known: dict[str, Option] = {}
        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(verb).parameters.values():
            kind = hints[parameter.name]
            if not is_declaration(kind):
                parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=kind))
                continue
            options = groups[parameter.name] = options_of(kind, face)
            known |= options_in(kind)
            parameters += [_parameter(name, option) for name, option in options.items()]

        @functools.wraps(verb)
        def called(**given: Any) -> None:
            for name, options in groups.items():
                given[name] = {option: given.pop(option) for option in options if option in given}
            verb(**given)

        del called.__wrapped__  # typer would look through to the verb's own parameters
        called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        called.declared_options = {  # type: ignore[attr-defined]
            name: option for options in groups.values() for name, option in options.items()
        }
        called.known_options = known  # type: ignore[attr-defined]
        return called

    return decorate


def described(*module_files: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a verb's parameters their spelling and their help, from the TOML file beside its module.

    A table of it has a parameter's name. `flags` are its spellings, where its name with dashes is not all; `argument`
    says that it is given by its place; the rest is as typer takes it. The signature keeps type and default. What the
    file does not have stands in that of the next module named, and last in `declared.toml` here.
    """

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(verb, include_extras=True)
        tables: dict[str, Any] = {}
        for file in (__file__, *reversed(module_files)):
            tables |= data_beside(file)
        for name in hints.keys() & tables.keys():
            words = tables[name]
            make = typer.Argument if words.get("argument") else typer.Option
            spelling = words.get("flags", "").split()
            rest = {key: value for key, value in words.items() if key not in ("argument", "flags")}
            hints[name] = Annotated[hints[name], make(*spelling, **rest)]
        verb.__annotations__ = hints
        return verb

    return decorate


def _parameter(name: str, option: Option) -> inspect.Parameter:
    """A parameter as typer reads it."""
    kind = Literal[option.choices] if option.choices else _KINDS[option.kind]
    if option.default is None:
        kind = kind | None
    if option.kind == "sources":
        info = typer.Argument(metavar=option.unit, help=option.help, show_default=False)
    else:
        spelling = option.flags.split() or [f"--{name.replace('_', '-')}"]
        shown = option.default not in (None, "", False, REQUIRED)
        info = typer.Option(
            *spelling,
            metavar=option.unit or None,
            help=option.help,
            min=option.least,
            max=option.most,
            show_default=shown,
            rich_help_panel=option.heading or None,
        )
    default = inspect.Parameter.empty if option.default is REQUIRED else option.default
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )


class Verb(TyperCommand):
    """A verb: its help in plain columns, the common options first; defaults from `tidings.toml`; and `-v`."""

    shows_all = False
    says_more = False
    settings_file: Path | None = None

    @property
    def options(self) -> dict[str, Option]:
        """What is declared of its options; empty where they are its own."""
        return getattr(self.callback, "declared_options", {})

    def get_params(self, ctx: Any) -> list[Any]:
        """Its options, `--verbose`, and `--help-all` where `--help` shows not all."""
        *params, asks_for_help = super().get_params(ctx)
        params += [self._verbose(), asks_for_help]
        if any(not option.common for option in self.options.values()):
            params.append(self._help_all())
        return params

    @functools.cache  # noqa: B019  (a command lives as long as its call)
    def _verbose(self) -> Any:
        def say_more(ctx: Any, _: Any, wanted: bool) -> None:
            self.says_more = wanted and not ctx.resilient_parsing

        from typer.core import TyperOption

        return TyperOption(
            param_decls=["--verbose", "-v"],
            is_flag=True,
            expose_value=False,
            callback=say_more,
            help="Say which options hold and why; at the end, time and memory.",
        )

    @functools.cache  # noqa: B019  (a command lives as long as its call)
    def _help_all(self) -> Any:
        def show_all(ctx: Any, _: Any, wanted: bool) -> None:
            if wanted and not ctx.resilient_parsing:
                self.shows_all = True
                typer.echo(ctx.get_help(), color=ctx.color)
                ctx.exit()

        from typer.core import TyperOption

        return TyperOption(
            param_decls=["--help-all"],
            is_flag=True,
            expose_value=False,
            is_eager=True,
            callback=show_all,
            help="Show all options and exit.",
        )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of a call; what they leave open is as the file of settings says."""
        if "config" in self.options and not ctx.resilient_parsing:
            given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
            sources = next(
                (given.get(name) for name, option in self.options.items() if option.kind == "sources"), None
            )
            if not any(given.get(name) for name in ("help", "help_all")):
                path = self.settings_file = find_settings(sources, given.get("config"))
                if path is not None:
                    known = getattr(self.callback, "known_options", {})
                    named = given.get("config") is not None
                    ctx.default_map = read_settings(path, self.name or "", self.options, known, named)
        rest = super().parse_args(ctx, args)
        if self.says_more:
            self._say_options(ctx)
        elif self.settings_file is not None and not ctx.params.get("quiet"):
            from tidings.core.command_line.output import say

            used = [
                option.key(name)
                for name, option in self.options.items()
                if getattr(ctx.get_parameter_source(name), "name", "") == "DEFAULT_MAP"
            ]
            if used:
                say(f"{self.settings_file} says {', '.join(used)}", prefix="")
        return rest

    def _say_options(self, ctx: Any) -> None:
        """Say what every option is that was given, here or in the file of settings, or that has a default."""
        from tidings.core.command_line.output import say

        places = {"COMMANDLINE": "as given", "DEFAULT_MAP": f"from {self.settings_file}"}
        for param in self.get_params(ctx):
            value = ctx.params.get(param.name or "")
            if value in (None, "", False, (), []):
                continue
            place = places.get(getattr(ctx.get_parameter_source(param.name), "name", ""), "the default")
            shown = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            name = max(param.opts, key=len) if param.param_type_name == "option" else param.metavar
            words = (name or param.name or "").strip("[].") + ("" if value is True else f" {shown}")
            say(f"{words}  ({place})", prefix="")

    def invoke(self, ctx: Any) -> Any:
        """Do what the verb does; where more is to be said, say at last what it took."""
        try:
            return super().invoke(ctx)
        finally:
            if self.says_more:
                _say_effort()

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What follows the verb in a line of use."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options under their headings, the less common ones on demand."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": []}
        hidden = 0
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is None:
                continue
            option = self.options.get(param.name or "")
            if option is not None and not option.common and not self.shows_all and option.kind != "sources":
                hidden += 1
                continue
            usual = "Arguments" if param.param_type_name == "argument" else "Options"
            usual = getattr(param, "rich_help_panel", None) or usual
            sections.setdefault(usual, []).append(_plain(*record))
        if self.options and not self.shows_all:  # the few that are shown need no headings
            rest = sections.pop("Options", [])
            shown = {"Arguments": sections.pop("Arguments", [])}
            shown["Options"] = [record for records in sections.values() for record in records] + rest
            sections = shown
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records, col_max=24)
        if hidden:
            formatter.write_paragraph()
            formatter.write_text(f"{hidden} more options: {ctx.command_path} --help-all")

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write which verbs stand under this one: lines of a verb, a tabulator, and what it does."""
        if self.epilog:
            with formatter.section("See also"):
                formatter.write_dl([tuple(line.split("\t", 1)) for line in self.epilog.splitlines()])


def _say_effort() -> None:
    """Say how much processor time and memory this process has taken, from its start."""
    import resource
    import sys

    from tidings.core.command_line.output import say

    usage = resource.getrusage(resource.RUSAGE_SELF)
    mib = usage.ru_maxrss >> (20 if sys.platform == "darwin" else 10)  # macOS counts bytes, others KiB
    seconds = usage.ru_utime + usage.ru_stime
    say(f"{seconds:.2f} s of processor time, at most {mib} MiB of memory", prefix="")


_METAVARS = {"<str>": "TEXT", "<path>": "PATH", "<int>": "N", "<float>": "X"}


def _plain(names: str, words: str) -> tuple[str, str]:
    """A row of help with its kind and its default in plain words.

    >>> _plain("--limit <int range>", "Rows of each list.  [default: 20; x>=0]")
    ('--limit N', 'Rows of each list (default: 20).')
    """
    names = names.replace(" range>", ">")
    for kind, shown in _METAVARS.items():
        names = names.replace(kind, shown)
    text, mark, notes = words.rpartition("  [")
    if not mark or not notes.endswith("]"):
        return names, words
    kept = [note for note in notes[:-1].split("; ") if note == "required" or note.startswith("default: ")]
    shown = "; ".join(kept).replace("default: (", "default: ").rstrip(")") if kept else ""
    return names, f"{text.removesuffix('.')} ({shown})." if shown else text
