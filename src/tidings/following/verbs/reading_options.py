"""How sources are understood, as options: the same on every verb that takes streams."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from tidings.core import ReadingOptions

__all__ = ["as_reading", "with_reading_options"]

_PARAMETER = "reading"
_PANEL = "How sources are understood"


def _option(*names: str, what: str, **more: Any) -> Any:
    return typer.Option(*names, help=what, rich_help_panel=_PANEL, **more)


def _options(zone: str) -> dict[str, tuple[Any, Any]]:
    """The type and the default of each parameter, by its name."""
    return {
        "source_zone": (
            Annotated[
                str,
                _option(
                    zone,
                    what="Of times that name none: Europe/Madrid, +02:00 (default: UTC).",
                    metavar="ZONE",
                ),
            ],
            "",
        ),
        "year": (
            Annotated[
                int | None,
                _option(
                    "--year", what="Of dates that name none (default: they are not read).", min=1970, max=9999
                ),
            ],
            None,
        ),
        "day_first": (
            Annotated[
                bool | None,
                _option(
                    "--day-first/--month-first",
                    what="Read 03/04/2026 as 3 April, or as 4 March (default: by all dates of a file).",
                    show_default=False,
                ),
            ],
            None,
        ),
        "columns": (
            Annotated[
                str,
                _option(
                    "--columns",
                    what="What columns of a table hold: time=date,text=body; also id, title, url, outlet, language.",
                    metavar="FIELD=COLUMN,…",
                ),
            ],
            "",
        ),
        "file_times": (
            Annotated[
                bool, _option("--file-times", what="Take the time of a file where it names no date itself.")
            ],
            False,
        ),
        "quality": (
            Annotated[
                bool,
                _option(
                    "--quality",
                    what="Read pages with more care, slowly (needs the extra: tidings\\[quality]).",
                ),
            ],
            False,
        ),
        "language": (
            Annotated[
                str,
                _option("--language", what="Of all documents, as en (default: looked at).", metavar="CODE"),
            ],
            "",
        ),
    }


def as_reading(
    *,
    source_zone: str = "",
    year: int | None = None,
    day_first: bool | None = None,
    columns: str = "",
    file_times: bool = False,
    quality: bool = False,
    language: str = "",
) -> ReadingOptions:
    """The options as readers take them; a UsageError for a zone, columns or a language that are none.

    >>> as_reading(source_zone="Europe/Madrid", columns="time=date,text=body").columns
    (('time', 'date'), ('text', 'body'))
    """
    from tidings.core import ReadingOptions, UsageError, as_zone
    from tidings.sources import parse_columns

    as_zone(source_zone)
    code = language.strip().lower()
    if code and not (code.isascii() and code.isalpha() and len(code) in (2, 3)):
        raise UsageError(f"found language {language!r}, expected a code of ISO 639 such as en or de")
    return ReadingOptions(
        zone=source_zone.strip(),
        year=year,
        day_first=day_first,
        columns=parse_columns(columns) if columns.strip() else (),
        file_times=file_times,
        quality=quality,
        language=code,
    )


def with_reading_options(zone: str = "--zone") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a verb the options of reading: it takes them all as its one parameter `reading`.

    Args:
        zone: what the option is called that gives times a zone; verbs whose --zone is that of a report say another.
    """

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(verb, localns={"ReadingOptions": object}, include_extras=True)
        options = _options(zone)

        @functools.wraps(verb)
        def called(*args: Any, **given: Any) -> None:
            chosen = {name: given.pop(name) for name in options if name in given}
            verb(*args, **given, reading=as_reading(**chosen))

        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(verb).parameters.values():
            if parameter.name != _PARAMETER:
                parameters.append(parameter.replace(annotation=hints[parameter.name]))
                continue
            parameters += [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
                for name, (kind, default) in options.items()
            ]
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [parameter.replace(kind=keyword) for parameter in parameters]
        del called.__wrapped__  # typer would look through to the verb's own parameters
        called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return called

    return decorate
