"""`tidings config show`: what holds for a verb here, and where it comes from."""

from __future__ import annotations

from tidings.core import described
from tidings.following import RunOptions
from tidings.live.verbs.site_options import SiteOptions


@described(__file__)
def config_show(
    sources: list[str] | None = None,
    verb: str = "follow",
    config: str | None = None,
) -> None:
    """Show the settings that apply to a verb by default, and where each comes from.

    The file tidings.toml has one line per setting, such as lateness = "30m"; lines under [serve] apply to that verb.
    """
    from tidings.core import (
        REQUIRED,
        UsageError,
        find_settings,
        options_in,
        options_of,
        read_settings,
        show,
        terminal_width,
        wrap_text,
    )

    options = options_of(RunOptions, verb) | options_of(SiteOptions, verb)
    known = options_in(RunOptions) | (options_in(SiteOptions) if verb == "serve" else {})
    if "config" not in options:
        verbs = options_in(RunOptions)["config"].faces
        raise UsageError(f"--verb {verb} (expected one of {', '.join(verbs)}): other verbs have no settings")
    path = find_settings(sources, config)
    given = {} if path is None else read_settings(path, verb, options, known, config is not None)
    lines = [f"{verb}: " + (f"settings of {path}" if path else "no tidings.toml here or beside the sources")]
    width = max(len(option.key(name)) for name, option in options.items())
    for name, option in options.items():
        if option.default is REQUIRED or option.kind == "sources" or name == "config":
            continue
        value, origin = (given[name], path) if name in given else (option.default, "default")
        lines += wrap_text(
            f"{option.key(name):<{width}}  {_show(value)}  ({origin})", terminal_width(), width + 2
        )
    show("\n".join(lines))


def _show(value: object) -> str:
    if value is None or value in ("", ()):
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
