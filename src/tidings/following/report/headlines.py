"""The few figures that say how well an event was told, each with what it means in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from tidings.core import clean, score, signed_duration
from tidings.following.report.timeline import NuggetFate, TimelineReport

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from tidings.following.report.terminal import Glyphs

__all__ = ["Headline", "headlines", "median_latency_s", "most_important_missed", "print_headlines"]

BAR_CHARS = 12


@dataclass(frozen=True, slots=True)
class Headline:
    """One figure: a measure's name, its value as printed, what it means here, and its share of 1 (or None)."""

    name: str
    value: str
    meaning: str
    share: float | None = None


def headlines(timeline: TimelineReport) -> list[Headline]:
    """The track's target, its two halves, recall, and how late the nuggets were told.

    Empty for a timeline without judgments.
    """
    if not timeline.judged:
        return []
    scores = timeline.scores
    covered, nuggets = len(timeline.covered), len(timeline.nuggets)
    meanings = {
        "H": "the headline of the track: precise, complete, early and short at once",
        "nE[LG]": "precision: what an update earns, of what the best ones could; words that say nothing new cost",
        "LC": "recall in time: share of the nuggets told, early ones counting up to twice, late ones less",
        "C": f"recall: {covered} of {nuggets} nuggets told, the important ones weighing most",
    }
    lines = [
        Headline(name, score(scores[name]), meaning, scores[name])
        for name, meaning in meanings.items()
        if name in scores
    ]
    middle = median_latency_s(timeline)
    if middle is not None:
        meaning = "median time from when a fact could be known to when it was told; − is earlier"
        lines.append(Headline("latency", signed_duration(middle), meaning))
    return lines


def median_latency_s(timeline: TimelineReport) -> int | None:
    """The median latency of the nuggets that were told, in seconds; None when none was."""
    covered = timeline.covered
    return int(median(fate.latency_s for fate in covered)) if covered else None


def most_important_missed(timeline: TimelineReport, most: int = 3) -> list[NuggetFate]:
    """The missed nuggets of the highest importance, earliest first."""
    return sorted(timeline.missed, key=lambda fate: (-fate.importance, fate.time, fate.id))[:most]


def print_headlines(console: Console, timeline: TimelineReport, *, width: int | None = None) -> None:
    """Print the headlines as a small table with bars, and the most important nuggets that were missed."""
    from rich.table import Table
    from rich.text import Text

    from tidings.following.report.terminal import WIDEST, Glyphs

    columns = min(width or console.width, WIDEST)
    glyphs = Glyphs.of(console)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    if columns >= 84:
        grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for line in headlines(timeline):
        cells: list[str | Text] = [line.name, Text(line.value, "bold cyan" if line.name == "H" else "")]
        if columns >= 84:
            cells.append(_bar(line.share, glyphs))
        grid.add_row(*cells, Text(line.meaning, "dim"))
    console.print(grid, width=columns)
    missed = most_important_missed(timeline)
    if missed:
        console.print()
        console.print(Text(f"The most important of the {len(timeline.missed)} it missed:"))
        for fate in missed:
            stars = ("  " + glyphs.star * fate.importance, "yellow")
            console.print(Text.assemble(stars, f" {clean(fate.text)}"), width=columns)


def _bar(share: float | None, glyphs: Glyphs) -> Text:
    from rich.text import Text

    if share is None:
        return Text("")
    full = min(max(round(share * BAR_CHARS), 0), BAR_CHARS)
    return Text.assemble((glyphs.full * full, "cyan"), (glyphs.rule * (BAR_CHARS - full), "dim"))
