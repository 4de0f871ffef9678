"""`tidings entities views`: how often entities' pages were read each day, from dumps or fetched over a network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def entity_views(
    names: Annotated[
        list[str], typer.Argument(metavar="NAME[|NAME…]…", help="Entities; an entity's other names after |.")
    ],
    out: Annotated[
        str, typer.Option(help="Where the series go, a line for each entity and day; - to print.")
    ] = "-",
    dump: Annotated[
        list[str] | None,
        typer.Option(
            help="Hourly dumps (pagecounts-20130415-140000.gz), kept answers (.json), or lines that this "
            "verb wrote (.jsonl); repeatable."
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            help="Fetch instead, from this address (…/api/rest_v1/metrics/pageviews). Needs a network."
        ),
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Folder for fetched answers; what is there is not fetched again.")
    ] = None,
    first: Annotated[str, typer.Option("--from", metavar="YYYY-MM-DD", help="First day to fetch.")] = "",
    last: Annotated[str, typer.Option("--to", metavar="YYYY-MM-DD", help="Last day to fetch.")] = "",
    project: Annotated[str, typer.Option(help="Whose pages, as the service names it.")] = "en.wikipedia",
    contact: Annotated[
        str, typer.Option(help="Told to the service, so that it can reach you: an address or page.")
    ] = "",
    pause: Annotated[float, typer.Option(min=0.05, help="Seconds between two requests.")] = 0.5,
    window: Annotated[int, typer.Option(min=3, max=365, help="Days of the median.")] = 10,
    least: Annotated[float, typer.Option(min=0.001, help="The least median, v_min.")] = 10.0,
) -> None:
    """Tell how often entities' pages were read each day, and how far that stands out (View Outlier Ratio).

    A page is found by an entity's names, the fullest first. Nothing is asked of a network without --base-url.
    """
    from tidings.core import UsageError, refuse_overwriting, write_jsonl
    from tidings.following.entities.attention import read_views, title_candidates, view_outlier_ratio
    from tidings.following.verbs.progress import steps_progress

    refuse_overwriting({"--out": out}, {"a dump": dump or ()})
    entities = [[part.strip() for part in name.split("|") if part.strip()] for name in names]
    for name, parts in zip(names, entities, strict=True):
        if not parts:
            raise UsageError(f"{name!r} (expected the name of an entity)")
    titles = [title_candidates(dict.fromkeys(parts, 1)) for parts in entities]
    if base_url is None:
        if not dump:
            raise UsageError(
                "neither --dump nor --base-url (expected one): where are page views to come from?"
            )
        series = read_views(dump, titles)
    else:
        if dump:
            raise UsageError("--dump and --base-url (expected one of them)")
        if keep is None or not first or not last:
            raise UsageError("--base-url: no --keep, --from and --to (expected all of them to fetch)")
        from tidings import __version__
        from tidings.following.hosting.page_views import FetchSettings, fetch_views

        settings = FetchSettings(
            base_url=base_url,
            first=first,
            last=last,
            project=project,
            agent=f"tidings/{__version__}" + (f" ({contact})" if contact else ""),
            pause_s=pause,
        )
        with steps_progress("fetching") as progress:
            series = fetch_views(titles, keep, settings, progress=progress)
    lines = []
    for parts, (title, views) in zip(entities, series, strict=True):
        for day in sorted(views):
            ratio = view_outlier_ratio(views, day, window=window, least=least)
            lines.append({"entity": parts[0], "title": title, "date": day, "views": views[day], "vor": ratio})
        if not views:
            typer.echo(
                f"{parts[0]}: no page views under {', '.join(titles[entities.index(parts)])}", err=True
            )
    write_jsonl(out, lines)
