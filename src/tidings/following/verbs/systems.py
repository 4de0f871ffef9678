"""`tidings systems`: which systems there are, what each does, and their options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from tidings.core import described, form_of, need_folders, show, terminal_width, wrap_text
from tidings.following.hosting import DEFAULT_SYSTEM

if TYPE_CHECKING:
    from tidings.following.systems.descriptions import SystemInfo


Form = Literal["table", "json"]


@described(__file__)
def systems(
    names: list[str] | None = None,
    form: Form | None = None,
    out: str | None = None,
) -> None:
    """List the systems for `follow --system`; given names, explain them and their options."""
    from tidings.following.systems.registry import available, available_entities, available_values, describe

    shape = form_of(out, form, Form)
    need_folders(out)
    width = terminal_width() if out is None else None
    chosen = [describe(name) for name in names] if names else list(available().values())
    if shape == "json":
        import json

        text = json.dumps([_facts(info) for info in chosen], indent=2, ensure_ascii=False)
    elif names:
        text = "\n".join(_explain(info, width) for info in chosen)
    else:
        notes = (
            "Use --system NAME:OPTION=VALUE,OPTION=VALUE; `tidings systems NAME` explains the options.",
            f"The default is {DEFAULT_SYSTEM}. docs/following/systems.md says which to use when.",
            f"`tidings values` takes {', '.join(available_values())};",
            f"`tidings entities` takes {', '.join(available_entities())}.",
        )
        text = "\n\n".join(_introduce(info, width) for info in chosen) + "\n\n"
        text += "\n".join(line for note in notes for line in wrap_text(note, width))
    show(text, out)


def _introduce(info: SystemInfo, width: int | None) -> str:
    indent = 12 if width is None or width >= 60 else 2
    options = " ".join(_option_words(option.name, option.default) for option in info.options)
    lines = wrap_text(f"{info.name.ljust(10)}  {info.description}", width, indent)
    for label, text in (("languages", info.languages), ("source", info.source), ("options", options)):
        lines += wrap_text(f"{' ' * indent}{label}: {text}", min(width or 110, 110), indent + 2)
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


def _explain(info: SystemInfo, width: int | None) -> str:
    lines = wrap_text(f"{info.name}: {info.description}", width, 2)
    lines += wrap_text(f"  languages: {info.languages}", width, 4)
    lines += [*wrap_text(f"  source: {info.source}", width, 4), "  options:"]
    longest = max(len(_option_words(option.name, option.default)) for option in info.options)
    for option in info.options:
        head, words = _option_words(option.name, option.default), f"{option.help} [{option.kind}]"
        if (width or 102) - longest >= 36:
            columns = min(width or 102, max(46 + longest, 102))
            lines += wrap_text(f"    {head.ljust(longest)}  {words}", columns, longest + 6)
        else:
            lines += [*wrap_text(f"    {head}", width, 6), *wrap_text(f"      {words}", width, 6)]
    return "\n".join(lines) + "\n"


def _option_words(name: str, default: Any) -> str:
    value = {True: "yes", False: "no"}.get(default, default) if isinstance(default, bool) else default
    return f"{name}={value}"
