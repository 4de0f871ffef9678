"""A timeline as one HTML file: no script, no font, no picture and no style from anywhere else.

All text of documents is hostile until escaped: the template escapes everything, a content security policy
forbids every script and every address, and control and direction marks are made visible.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from tidings.core import (
    clean,
    css_variables,
    dark_chart_rules,
    language_attributes,
    light_chart_rules,
    percent,
    safe_url,
    score,
    set_apart,
    set_apart_within,
    signed_duration,
)
from tidings.following import (
    TimelineReport,
    current_values,
    entity_track,
    known_figures,
    median_latency_s,
    outlet_name,
    pieces,
    source_of,
    support_words,
)

if TYPE_CHECKING:
    from markupsafe import Markup

    from tidings.following import Entry


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure at the head of the page, with what it means in a few words."""

    value: str
    name: str
    words: str
    of: str = ""
    lead: bool = False


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One line of the table of scores."""

    name: str
    value: str
    title: str
    meaning: str


def render_page(timeline: TimelineReport, *, charts: bool = True, written: str = "") -> str:
    """The whole page as text; the same timeline gives the same text.

    Args:
        timeline: from `build_timeline`, with judgments' verdicts or without.
        charts: draw the charts (about half a second).
        written: a date to name in the foot; none by default, so that pages can be compared.
    """
    from tidings.evaluation.report.charts import casualty_chart, coverage_chart

    track = entity_track(timeline.rankings)
    reported, coverage = (casualty_chart(timeline), coverage_chart(timeline)) if charts else (None, None)
    counts = {"new": sum(1 for entry in timeline.entries if entry.verdict and entry.verdict.kind == "new")}
    return fill_template(
        "page.html.j2",
        *(["entities.css"] if track else []),
        filters={"along": _along(timeline)},
        t=timeline,
        written=written,
        lede=_lede(timeline),
        verdict=_verdict(timeline),
        known=known_figures(timeline),
        tiles=_tiles(timeline),
        reported=reported,
        coverage=coverage,
        counts=counts,
        groups=[group for group in (("Told", timeline.covered), ("Missed", timeline.missed)) if group[1]],
        anchors={fate.id: f"n{number}" for number, fate in enumerate(timeline.nuggets, start=1)},
        finders={entry.number: source_of(entry.update).outlet for entry in timeline.entries},
        track_words=_track_words(timeline),
        scores=_score_rows(timeline),
        values=current_values(timeline.values),
        track=track,
    )


def save_page(timeline: TimelineReport, path: str | Path) -> None:
    """Write the page to a file, whole or not at all; `-` is standard output.

    Raises:
        OutputError: it cannot be written.
    """
    from tidings.core import write_bytes

    write_bytes(path, render_page(timeline).encode("utf-8"))


def fill_template(
    template: str, *styles: str, filters: Mapping[str, Callable[..., object]] | None = None, **content: object
) -> str:
    """A page: a template with its content, its `styles` after the style of all pages, and its own `filters`.

    Everything that it shows is escaped; its policy allows its own style, and nothing else from anywhere.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from tidings import __version__

    environment = Environment(
        loader=PackageLoader("tidings.evaluation.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        {
            "apart": set_apart,
            "clean": clean,
            "latency": signed_duration,
            "pieces": pieces,
            "safe_url": safe_url,
            "source": source_of,
            "support": support_markup,
            "written_in": language_attributes,
            **(filters or {}),
        }
    )
    style = page_style(*styles)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return environment.get_template(template).render(
        version=__version__,
        style=Markup(style),  # noqa: S704 our own file
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'",
        **content,
    )


def support_markup(entry: Entry) -> Markup:
    """The words of `support_words`, with the outlet's name in its own language."""
    outlet = outlet_name(entry.again[0].source, entry.again[0].url) if entry.again else ""
    return set_apart_within(support_words(entry), outlet)


@cache
def page_style(*more: str) -> str:
    """The style sheet of all pages, and after it those named in `more`."""
    folder = files("tidings.evaluation.report") / "templates"
    style = "".join((folder / name).read_text(encoding="utf-8") for name in ("page.css", *more))
    for name, rules in (
        ("@LIGHT@", css_variables("light")),
        ("@DARK@", css_variables("dark")),
        ("@DARKCHARTS@", dark_chart_rules()),
        ("@LIGHTCHARTS@", light_chart_rules()),
    ):
        style = style.replace(name, rules)
    return style


def _lede(timeline: TimelineReport) -> str:
    updates, sources = len(timeline.entries), len(timeline.sources)
    if not updates and timeline.rankings:
        count = len({ranking.date for ranking in timeline.rankings})
        return f"Who and what mattered on {count} day{'s' if count != 1 else ''} with news."
    if not updates:
        return "No updates."
    outlets = f" from {sources} outlet{'s' if sources != 1 else ''}" if sources else ""
    first, last = (timeline.clock.short_day(timeline.entries[at].update.time) for at in (0, -1))
    year = timeline.clock.at(timeline.entries[-1].update.time).year
    if timeline.clock.at(timeline.entries[0].update.time).year != year:
        first = f"{first} {timeline.clock.at(timeline.entries[0].update.time).year}"
    days = f"{last} {year}" if first == last else f"{first} to {last} {year}"
    return f"{updates:,} update{'s' if updates != 1 else ''}{outlets}, {days}, each emitted when it was reported."


def _verdict(timeline: TimelineReport) -> str:
    updates = len(timeline.entries)
    if not timeline.judged:
        return ""
    count = f"{updates:,} update{'s' if updates != 1 else ''}" if updates else "The run"
    nuggets, covered = len(timeline.nuggets), len(timeline.covered)
    new = sum(1 for entry in timeline.entries if entry.verdict and entry.verdict.kind == "new")
    return f"{count} covered {covered} of {nuggets} nuggets; {new} of the updates added something new."


def _tiles(timeline: TimelineReport) -> list[Tile]:
    scores = timeline.scores
    tiles = []
    if timeline.judged:
        tiles += [
            Tile(score(scores[name]), label, words, lead=name == "H")
            for name, label, words in (
                ("H", "H", "the headline: precise, complete, early and short at once"),
                ("nE[LG]", "nE[LG]", "precision: what an update earns, of the best it could"),
                ("E[LG]", "E[LG]", "what an update earns on average; early counts more"),
                ("LC", "LC", "recall in time: share of the nuggets covered; early counts more"),
            )
            if name in scores and (name != "E[LG]" or "nE[LG]" not in scores)
        ]
        tiles.append(
            Tile(
                str(len(timeline.covered)),
                "nuggets told",
                f"{percent(scores.get('C', 0.0))} of all by weight (C)",
                f"of {len(timeline.nuggets)}",
            )
        )
        middle = median_latency_s(timeline)
        if middle is not None:
            tiles.append(
                Tile(
                    signed_duration(middle),
                    "median latency",
                    "from a nugget's time to the update that covers it",
                )
            )
    return tiles


def _score_rows(timeline: TimelineReport) -> list[ScoreRow]:
    if not timeline.judged:
        return []
    from tidings.evaluation.measures import every_measure

    rows, every = [], every_measure()
    for name, value in timeline.scores.items():
        info = every.get(name)
        rows.append(ScoreRow(name, score(value), info.title if info else "", info.meaning if info else ""))
    return rows


def _track(timeline: TimelineReport) -> tuple[int, int]:
    times = [*(timeline.span or ())[:1], *(fate.time for fate in timeline.nuggets)]
    times += [fate.update_time for fate in timeline.covered]
    return min(times, default=0), max([*times, min(times, default=0) + 1])


def _along(timeline: TimelineReport) -> Callable[[int], str]:
    start, end = _track(timeline)

    def along(time: int) -> str:
        """Where on a nugget's track the time lies, in per cent, with room for the dots at both ends."""
        return f"{3 + 94 * (time - start) / (end - start):.2f}"

    return along


def _track_words(timeline: TimelineReport) -> str:
    start, end = _track(timeline)
    return f"each line runs from {timeline.clock.moment(start)} to {timeline.clock.moment(end)}"
