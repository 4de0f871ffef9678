"""A timeline in a terminal: by day, with times, sources, casualties, what each update earned, and the headline figures.

Meaning never depends on colour alone: a mark in front of each update says what it earned and the casualties stand
in words in the margin, so the same page reads well in black and white, in 60 columns and in a pipe.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from statistics import median
from typing import TYPE_CHECKING

from tidings.core import (
    Clock,
    Event,
    Update,
    clean,
    compact_duration,
    how_many,
    percent,
    safe_url,
    score,
    signed_duration,
)
from tidings.following.report.entities import rankings_of_days, show_entities
from tidings.following.report.figures import known_figures, outlet_name, support_words
from tidings.following.report.timeline import (
    KINDS,
    CasualtiesSoFar,
    Credit,
    Entry,
    NuggetFate,
    TimelineReport,
    casualties_in,
    pieces,
)
from tidings.following.values.value_tracker import ValueTracker

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.style import Style
    from rich.text import Text


BAR_CHARS = 12


@dataclass(frozen=True, slots=True)
class Headline:
    """One figure: a measure's name, its value as printed, what it means here, and its share of 1 (or None)."""

    name: str
    value: str
    meaning: str
    share: float | None = None


def headlines(timeline: TimelineReport) -> list[Headline]:
    """The track's target, its two halves, recall, and how late the nuggets were emitted.

    Empty for a timeline without judgments.
    """
    if not timeline.judged:
        return []
    scores = timeline.scores
    covered, nuggets = len(timeline.covered), len(timeline.nuggets)
    meanings = {
        "H": "the headline of the track: precise, complete, early and short at once",
        "nE[LG]": "precision: what an update earns of what the best could; words that say nothing new count against it",
        "LC": "recall in time: share of the nuggets covered, early ones counting up to twice, late ones less",
        "C": f"recall: {covered} of {nuggets} nuggets covered, the important ones weighing most",
    }
    lines = [
        Headline(name, score(scores[name]), meaning, scores[name])
        for name, meaning in meanings.items()
        if name in scores
    ]
    middle = median_latency_s(timeline)
    if middle is not None:
        meaning = "median time from when a fact could be known to when it was emitted; − is earlier"
        lines.append(Headline("latency", signed_duration(middle), meaning))
    return lines


def median_latency_s(timeline: TimelineReport) -> int | None:
    """The median latency of the nuggets that were emitted, in seconds; None when none was."""
    covered = timeline.covered
    return int(median(fate.latency_s for fate in covered)) if covered else None


def most_important_missed(timeline: TimelineReport, most: int = 3) -> list[NuggetFate]:
    """The missed nuggets of the highest importance, earliest first."""
    return sorted(timeline.missed, key=lambda fate: (-fate.importance, fate.time, fate.id))[:most]


def print_headlines(console: Console, timeline: TimelineReport, *, width: int | None = None) -> None:
    """Print the headlines as a small table with bars, and the most important nuggets that were missed."""
    from rich.table import Table
    from rich.text import Text

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


WIDEST = 108  # columns: longer lines are hard to read
MARGIN_FROM = 76  # columns, from which on the toll stands in a margin
MARGIN_CHARS = 14
STYLES = {
    "deaths": "bold red",
    "injuries": "bold yellow",
    "nugget": "green",
    "source": "cyan",
    "quiet": "dim",
    "day": "bold",
}


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The few marks a timeline is drawn with; `plain` is for terminals that know ASCII only."""

    new: str = "●"
    repeated: str = "○"
    irrelevant: str = "·"
    unjudged: str = "?"
    update: str = "●"
    rule: str = "─"
    star: str = "★"
    dash: str = "–"
    dot: str = "·"
    full: str = "━"

    @classmethod
    def of(cls, console: Console) -> Glyphs:
        """The marks that this console's encoding can write."""
        if "utf" in console.encoding.lower():
            return cls()
        return cls("*", "o", "-", "?", "*", "-", "*", "-", "-", "#")

    def of_entry(self, entry: Entry) -> str:
        """The mark of one update."""
        if entry.verdict is None:
            return self.update
        return str(getattr(self, entry.verdict.kind, self.update))


_MARK_STYLES = {"new": "bold green", "repeated": "yellow", "irrelevant": "dim", "unjudged": "dim"}


def print_timeline(console: Console, timeline: TimelineReport, *, width: int | None = None) -> None:
    """Print the whole timeline: head, days, and what it all came to.

    Args:
        console: where to; colour and encoding are its own.
        timeline: from `build_timeline`, with or without verdicts.
        width: columns to use, at most 108; None takes the console's.
    """
    columns = _columns(console, width)
    glyphs = Glyphs.of(console)
    for line in head(timeline, glyphs):
        console.print(line, width=columns, highlight=False)
    for day in timeline.days:
        console.print(_day(day.name, len(day.entries), columns, glyphs), highlight=False)
        for entry in day.entries:
            console.print(_row(entry, timeline.clock, columns, glyphs), width=columns, highlight=False)
    for ranking in () if timeline.entries else rankings_of_days(timeline.rankings):
        show_entities(console, None, ranking)
    if not timeline.entries and not timeline.rankings:
        console.print(_text("  No updates.", "quiet"), highlight=False)
    for line in foot(timeline, glyphs):
        console.print(line, width=columns, highlight=False)


@dataclass
class LiveTimeline:
    """A timeline that grows on a console while a run goes on. Remembers the day and the casualties of each event.

    `names_events` puts the event's title before each update, for several events in one pass. Without `reads_casualties`
    no toll is read from updates: where values are tracked beside them.
    """

    console: Console
    clock: Clock | None = None
    width: int | None = None
    names_events: bool = False
    reads_casualties: bool = True
    shown: int = 0
    _day: str = ""
    _casualties: dict[str, CasualtiesSoFar] = field(default_factory=dict)
    _trackers: dict[str, ValueTracker] = field(default_factory=dict)

    def show(self, event: Event, update: Update) -> Entry:
        """Print `update` under its day and return it as an entry."""
        clock = self.clock or Clock()
        columns = _columns(self.console, self.width)
        glyphs = Glyphs.of(self.console)
        before = self._casualties.get(event.id, CasualtiesSoFar())
        casualties = casualties_in(update.text) if update.text and self.reads_casualties else ()
        after = before
        if casualties:
            tracker = self._trackers.setdefault(event.id, ValueTracker(event))
            changed = tracker.read([], update.time, [update])
            after = replace(
                before,
                **{value.attribute: round(value.value[0]) for value in changed if value.attribute in KINDS},
            )
        self._casualties[event.id] = after
        self.shown += 1
        day = clock.day(update.time)
        if day != self._day:
            self._day = day
            name = f"{day} ({clock.label})" if self.shown == 1 else day
            self.console.print(_day(name, 0, columns, glyphs), highlight=False)
        entry = Entry(self.shown, update, update.text, casualties, before, after)
        row = _row(entry, clock, columns, glyphs, (event.title or event.id) if self.names_events else "")
        self.console.print(row, width=columns, highlight=False)
        return entry

    def casualties(self, event: Event) -> CasualtiesSoFar:
        """The casualties that stand for `event`."""
        return self._casualties.get(event.id, CasualtiesSoFar())


def head(timeline: TimelineReport, glyphs: Glyphs) -> list[Text]:
    """Title, period and size of a timeline, and the figures that stand, each with who reports it, as lines."""
    clock = timeline.clock
    lines = [_text(""), _text(clean(timeline.headline), "bold")]
    facts = [clock.period(*timeline.period, dash=glyphs.dash), f"times are {clock.label}"]
    counts = [how_many(len(timeline.entries), "update")]
    if timeline.sources:
        counts.append(how_many(len(timeline.sources), "outlet"))
    if timeline.system:
        counts.append(f"emitted by {clean(timeline.system)}")
    separator = f" {glyphs.dot} "
    known = [
        _text(figure.words(clock), STYLES.get(figure.kind, "bold")) for figure in known_figures(timeline)
    ]
    return [*lines, _text(separator.join(facts), "quiet"), _text(separator.join(counts), "quiet"), *known]


def foot(timeline: TimelineReport, glyphs: Glyphs) -> list[Text]:
    """What judgments say of the timeline, for those who judge, as lines."""
    from rich.text import Text

    lines = [Text("")]
    if timeline.judged:
        covered, nuggets = len(timeline.covered), len(timeline.nuggets)
        share = f" ({percent(covered / nuggets)})" if nuggets else ""
        lines.append(Text(f"Covered {covered} of {nuggets} nuggets{share}; rules {timeline.rules}."))
        wanted = [name for name in ("H", "nE[LG]", "LC", "C") if name in timeline.scores]
        lines.append(Text("   ".join(f"{name} {score(timeline.scores[name])}" for name in wanted)))
        legend = (
            f"{glyphs.new} first to match a nugget   {glyphs.repeated} only repeats   {glyphs.irrelevant} judged to "
            f"match none   {glyphs.unjudged} not judged   {glyphs.star} importance   + later, − earlier than the nugget"
        )
        lines.append(_text(legend, "quiet"))
    return lines


def _row(entry: Entry, clock: Clock, columns: int, glyphs: Glyphs, tag: str = "") -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    wide = columns >= MARGIN_FROM
    grid = Table.grid(padding=(0, 1, 0, 0), expand=False)
    grid.add_column(width=5, no_wrap=True)
    grid.add_column(width=1, no_wrap=True)
    body_chars = columns - 5 - 1 - 2 - (MARGIN_CHARS + 1 if wide else 0)
    grid.add_column(width=max(body_chars, 10), overflow="fold")
    quiet = entry.verdict is not None and entry.verdict.kind != "new"
    body = Text()
    if tag:
        body.append(f"{clean(tag)} ", "bold")
    outlet = outlet_name(entry.update.source, entry.update.url)
    if outlet:
        body.append(outlet, _source_style(entry, quiet))
        body.append("  ")
    body.append_text(_said(entry, quiet))
    mark = Text(glyphs.of_entry(entry), _MARK_STYLES.get(entry.verdict.kind, "") if entry.verdict else "bold")
    cells: list[RenderableType] = [Text(clock.hour(entry.update.time), "dim" if quiet else "bold"), mark]
    if wide:
        grid.add_column(width=MARGIN_CHARS, justify="right", no_wrap=True, overflow="ellipsis")
        cells += [Group(body, *_below(entry, glyphs)), _changed_figures(entry, outlet, "\n")]
    else:
        below = _below(entry, glyphs)
        if entry.changed:
            below.append(Text.assemble("  ", _changed_figures(entry, outlet, ", ")))
        cells.append(Group(body, *below))
    grid.add_row(*cells)
    return grid


def _source_style(entry: Entry, quiet: bool) -> Style:
    from rich.style import Style

    link = safe_url(entry.update.url)  # terminals that know links open it, others show the outlet alone
    return Style.parse("dim cyan" if quiet else STYLES["source"]) + Style(link=link or None)


def _said(entry: Entry, quiet: bool) -> Text:
    from rich.text import Text

    if not entry.text:
        return Text(f"[{clean(entry.update.id)}: the run holds no text]", "dim italic")
    text = Text()
    for piece in pieces(entry):
        style = STYLES.get(piece.kind, STYLES["nugget"] if piece.in_nugget else "")
        if quiet:
            style = f"dim {style.removeprefix('bold ')}"
        text.append(clean(piece.text), style)
    return text


def _below(entry: Entry, glyphs: Glyphs) -> list[RenderableType]:
    """The article's title, who else says it, and what it earned, or why nothing, indented below its text."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    title = clean(entry.update.title) if entry.update.title != entry.text else ""
    origin = f" {glyphs.dot} ".join(filter(None, (title, support_words(entry))))
    lines: list[RenderableType] = [Padding(Text(origin, "dim"), (0, 0, 0, 2))] if origin else []
    if entry.verdict is None:
        return lines
    for credit in entry.verdict.credits:
        nugget = Text(clean(credit.text), "italic")
        nugget.append(f"  {compact_duration(credit.latency_s)}", _latency_style(credit))
        line = Table.grid(padding=(0, 1, 0, 0))
        line.add_column(width=3, no_wrap=True)
        line.add_column(overflow="fold")
        line.add_row(Text(glyphs.star * max(credit.importance, 0), "yellow"), nugget)
        lines.append(Padding(line, (0, 0, 0, 2)))
    if entry.verdict.why and not entry.verdict.credits:
        lines.append(Padding(Text(clean(entry.verdict.why), "dim italic"), (0, 0, 0, 2)))
    return lines


def _latency_style(credit: Credit) -> str:
    return "not italic green" if credit.latency_s <= 0 else "not italic dim"


def _changed_figures(entry: Entry, outlet: str, between: str) -> Text:
    """The figures that an update changes, as reported by its outlet where they are its own."""
    from rich.text import Text

    if not entry.changed:
        return Text()
    figures = {f"{int(casualty.value):,} {KINDS[casualty.attribute]}" for casualty in entry.casualties}
    is_own = bool(outlet) and all(words in figures for _, words in entry.changed)
    lines = [Text(words, STYLES[kind]) for kind, words in entry.changed]
    if between == "\n":
        lines += [
            Text(words, "dim") for words in (("as reported by", outlet) if is_own else ("as reported",))
        ]
    else:
        lines.append(Text(f"as reported by {outlet}" if is_own else "as reported", "dim"))
    return Text(between).join(lines)


def _day(name: str, updates: int, columns: int, glyphs: Glyphs) -> Text:
    from rich.text import Text

    tail = f" {how_many(updates, 'update')} " if updates else ""
    if columns < len(name) + len(tail) + 8:
        tail = ""
    line = Text()
    line.append(f"\n{glyphs.rule * 2} ", "dim")
    line.append(name, STYLES["day"])
    used = 4 + len(name) + len(tail) + (2 if tail else 0)
    line.append(f" {glyphs.rule * max(columns - used, 2)}", "dim")
    line.append(tail, "dim")
    if tail:
        line.append(glyphs.rule * 2, "dim")
    return line


def _columns(console: Console, width: int | None) -> int:
    return max(24, min(width or WIDEST, console.width, WIDEST))


def _text(words: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(words, STYLES.get(style, style))
