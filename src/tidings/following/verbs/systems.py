"""`tidings systems`: which systems there are, what each does, and their options."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer

from tidings.core import described, terminal_width, wrapped
from tidings.following.hosting import DEFAULT_SYSTEM

if TYPE_CHECKING:
    from tidings.following.systems.descriptions import SystemInfo


class Form(StrEnum):
    """How the list is printed."""

    table = "table"
    json = "json"


@described(__file__)
def systems(
    names: list[str] | None = None,
    form: Form = Form.table,
) -> None:
    """List the systems for `follow --system`; given names, explain them and their options."""
    from tidings.following.systems.registry import available, available_entities, available_values, describe

    chosen = [describe(name) for name in names] if names else list(available().values())
    if form is Form.json:
        import json

        typer.echo(json.dumps([_facts(info) for info in chosen], indent=2, ensure_ascii=False))
    elif names:
        typer.echo("\n".join(_explain(info) for info in chosen))
    else:
        typer.echo("\n\n".join(_introduce(info) for info in chosen))
        typer.echo("")
        for line in (
            "Say --system NAME:OPTION=VALUE,OPTION=VALUE; `tidings systems NAME` explains the options.",
            f"Where nothing is said, {DEFAULT_SYSTEM} decides. docs/following/systems.md says which to take when.",
            f"`tidings values` takes {', '.join(available_values())};",
            f"`tidings entities` takes {', '.join(available_entities())}.",
        ):
            typer.echo("\n".join(wrapped(line, terminal_width())))


def _introduce(info: SystemInfo) -> str:
    width = terminal_width()
    indent = 12 if width is None or width >= 60 else 2
    options = " ".join(_shown(option.name, option.default) for option in info.options)
    lines = wrapped(f"{info.name.ljust(10)}  {info.description}", width, indent)
    for label, text in (("languages", info.languages), ("source", info.source), ("options", options)):
        lines += wrapped(f"{' ' * indent}{label}: {text}", min(width or 110, 110), indent + 2)
    return "\n".join(lines)


def _facts(info: SystemInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "description": info.description,
        "source": info.source,
        "languages": info.languages,
        "options": [
            {"name": o.name, "kind": o.kind, "default": o.default, "help": o.help, "common": o.common}
            for o in info.options
        ],
    }


def _explain(info: SystemInfo) -> str:
    width = terminal_width()
    lines = wrapped(f"{info.name}: {info.description}", width, 2)
    lines += wrapped(f"  languages: {info.languages}", width, 4)
    lines += [*wrapped(f"  source: {info.source}", width, 4), "  options:"]
    longest = max(len(_shown(option.name, option.default)) for option in info.options)
    for option in info.options:
        head, words = _shown(option.name, option.default), f"{option.help} [{option.kind}]"
        if (width or 102) - longest >= 36:
            columns = min(width or 102, max(46 + longest, 102))
            lines += wrapped(f"    {head.ljust(longest)}  {words}", columns, longest + 6)
        else:
            lines += [*wrapped(f"    {head}", width, 6), *wrapped(f"      {words}", width, 6)]
    return "\n".join(lines) + "\n"


def _shown(name: str, default: Any) -> str:
    value = {True: "yes", False: "no"}.get(default, default) if isinstance(default, bool) else default
    return f"{name}={value}"
