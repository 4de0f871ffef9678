"""`tidings entities views`: how often entities' pages were read each day, from dumps or fetched over a network."""

from __future__ import annotations

from pathlib import Path

import typer

from tidings.core import described


@described(__file__)
def entity_views(
    names: list[str],
    out: str = "-",
    dump: list[str] | None = None,
    base_url: str | None = None,
    keep: Path | None = None,
    first: str = "",
    last: str = "",
    project: str = "en.wikipedia",
    contact: str = "",
    pause: float = 0.5,
    window: int = 10,
    least: float = 10.0,
) -> None:
    """Count how often entities' pages were viewed each day, and how unusual that is (View Outlier Ratio).

    A page is found by an entity's names, the fullest first. No network is used without --base-url.
    """
    from tidings.core import UsageError, refuse_overwriting, write_jsonl
    from tidings.following.entities.attention import read_views, title_candidates, view_outlier_ratio
    from tidings.following.verbs.progress_line import steps_progress

    refuse_overwriting({"--out": out}, {"a dump": dump or ()})
    entities = [[part.strip() for part in name.split("|") if part.strip()] for name in names]
    for name, parts in zip(names, entities, strict=True):
        if not parts:
            raise UsageError(f"{name!r} (expected the name of an entity)")
    titles = [title_candidates(dict.fromkeys(parts, 1)) for parts in entities]
    if base_url is None:
        if not dump:
            raise UsageError("neither --dump nor --base-url (expected one): name a source of page views")
        series = read_views(dump, titles)
    else:
        if dump:
            raise UsageError("--dump and --base-url (expected one of them)")
        if keep is None or not first or not last:
            raise UsageError("--base-url: no --keep, --from and --to (expected all of them to fetch)")
        from tidings.core import user_agent
        from tidings.following.hosting.page_views import FetchSettings, fetch_views

        settings = FetchSettings(
            base_url=base_url,
            first=first,
            last=last,
            project=project,
            agent=user_agent(contact),
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
