"""`tidings systems`: which systems there are, what each does, and their options."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tidings.hosting import DEFAULT_SYSTEM

if TYPE_CHECKING:
    from tidings.systems import SystemInfo

__all__ = ["register"]


class Form(StrEnum):
    """How the list is printed."""

    table = "table"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("systems")(systems)


def systems(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Only these, in detail.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", "-f", help="How to print.")] = Form.table,
) -> None:
    """List the systems that `follow --system` takes; with names, explain them and their options."""
    from tidings.systems import available, describe

    chosen = [describe(name) for name in names] if names else list(available().values())
    if form is Form.json:
        import json

        typer.echo(json.dumps([_facts(info) for info in chosen], indent=2, ensure_ascii=False))
    elif names:
        typer.echo("\n".join(_explain(info) for info in chosen))
    else:
        typer.echo("\n\n".join(_introduce(info) for info in chosen))
        typer.echo("")
        typer.echo(
            f"Say --system NAME:OPTION=VALUE,OPTION=VALUE; `tidings systems NAME` explains the options.\n"
            f"Where nothing is said, {DEFAULT_SYSTEM} decides. docs/which-system.md says which to take when."
        )


def _introduce(info: SystemInfo) -> str:
    import textwrap

    options = " ".join(_shown(option.name, option.default) for option in info.options)
    lines = [f"{info.name.ljust(10)}  {info.description}"]
    for label, text in (("source", info.source), ("options", options)):
        lines.append(
            textwrap.fill(f"{label}: {text}", 110, initial_indent=" " * 12, subsequent_indent=" " * 14)
        )
    return "\n".join(lines)


def _facts(info: SystemInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "description": info.description,
        "source": info.source,
        "options": [
            {"name": o.name, "kind": o.kind, "default": o.default, "help": o.help, "common": o.common}
            for o in info.options
        ],
    }


def _explain(info: SystemInfo) -> str:
    import textwrap

    lines = [f"{info.name}: {info.description}", f"  source: {info.source}", "  options:"]
    width = max(len(_shown(o.name, o.default)) for o in info.options)
    for option in info.options:
        said = textwrap.wrap(f"{option.help} [{option.kind}]", max(40, 96 - width))
        head = _shown(option.name, option.default).ljust(width)
        lines.append(f"    {head}  {said[0]}")
        lines.extend(" " * (width + 6) + line for line in said[1:])
    return "\n".join(lines) + "\n"


def _shown(name: str, default: Any) -> str:
    value = {True: "yes", False: "no"}.get(default, default) if isinstance(default, bool) else default
    return f"{name}={value}"
