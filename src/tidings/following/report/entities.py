"""The entities of an event's days for readers: a column for each day, each entity's way, and why it stands there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from tidings.core import Clock, EntityRanking, Event, Evidence, clean
from tidings.following.report.figures import StatedSource, outlet_name, source_of

if TYPE_CHECKING:
    from rich.console import Console

    from tidings.following.entities.ranking import ExplainedEntity


TYPE_NAMES = {"PER": "person", "ORG": "organization", "LOC": "place"}
"""What readers call the types."""

SHOWN_OF_A_DAY = 6
WIDTH, GAP, HEIGHT, STEP, TOP = 168, 44, 40, 48, 52
"""Of the drawing, in pixels: a column, the room between two, a cell, from cell to cell, the head of a column."""
_LEAST_DAYS = 6
_STAGE_SHARE = 1 / 3
"""Of the days: who is among the first on more of them is the stage on which the event plays."""
_IN_TERMINAL = 5  # entities of a day
_WIDEST_TEXT = 400  # characters of a sentence


@dataclass(frozen=True, slots=True)
class TrackCell:
    """An entity on one day: where it stands (from 1), and the sentence that shows why.

    `anchor` names its part of the page. `is_new` says that the day with news before did not name it; `salience` and
    `informativeness` are as printed, empty where the run does not give them. `days` are the dates on which it is shown.
    """

    anchor: str
    name: str
    type: str
    place: int
    is_new: bool
    salience: str
    informativeness: str
    sentence: str
    source: StatedSource | None
    days: tuple[str, ...]

    @property
    def days_shown(self) -> str:
        """On how many days it is among the first, and from when to when."""
        if len(self.days) == 1:
            return "this day alone"
        return f"{len(self.days)} days, {self.days[0]} to {self.days[-1]}"

    @property
    def type_name(self) -> str:
        """What readers call its type; empty where it has none."""
        return TYPE_NAMES.get(self.type, "")


@dataclass(frozen=True, slots=True)
class TrackColumn:
    """A day: its name, and its entities, the most important first."""

    date: str
    name: str
    cells: tuple[TrackCell, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """An entity's way from one column to the next, as the path of an SVG, with its type."""

    path: str
    type: str


@dataclass(frozen=True, slots=True)
class EntityTrack:
    """The days of an event in order, and the ways between them; `width` and `height` of the drawing in pixels."""

    columns: tuple[TrackColumn, ...]
    flows: tuple[Flow, ...]
    width: int
    height: int

    @property
    def places(self) -> tuple[int, int, int, int, int]:
        """What the style needs to know: width and gap of columns, height and step of cells, height of a head."""
        return WIDTH, GAP, HEIGHT, STEP, TOP


def entity_track(
    rankings: Iterable[EntityRanking], most: int = SHOWN_OF_A_DAY, clock: Clock | None = None
) -> EntityTrack | None:
    """The days of one event by their first entities, `most` of each; None where no day names one.

    Of two rankings of a day the later one holds. An entity is the same on two days by its id, or by its name where the
    run gives no ids. Those that are among the first on more than a third of the days, where there are six days or
    more, take half of the cells of a day at most, so that the day's own names are seen.

    >>> said = [EntityRanking("e", f"2013-07-2{n}", ("Renfe", "Galicia"), types=("ORG", "LOC")) for n in (4, 5)]
    >>> track = entity_track(said)
    >>> [column.name for column in track.columns], [cell.name for cell in track.columns[0].cells], len(track.flows)
    (['24 Jul 2013', '25 Jul'], ['Renfe', 'Galicia'], 2)
    """
    ranked = [ranking for ranking in rankings_of_days(rankings) if ranking.entities]
    if not ranked:
        return None
    chosen = _choose(ranked, most)
    dates: dict[object, list[str]] = {}
    for ranking, places in zip(ranked, chosen, strict=True):
        for place in places:
            dates.setdefault(_keys(ranking)[place], []).append(ranking.date)
    columns, flows = [], []
    year = ""
    before: dict[object, int] = {}
    for number, (ranking, places) in enumerate(zip(ranked, chosen, strict=True)):
        keys = [_keys(ranking)[place] for place in places]
        name = _day_name(ranking.date, with_year=ranking.date[:4] != year)
        year = ranking.date[:4]
        cells = [
            _cell(ranking, place, tuple(_day_name(date, with_year=True) for date in dates[key]))
            for place, key in zip(places, keys, strict=True)
        ]
        columns.append(TrackColumn(ranking.date, name, tuple(cells)))
        for place, key in enumerate(keys):
            if key in before:
                flows.append(Flow(_path(number, before[key], place), cells[place].type))
        before = {key: place for place, key in enumerate(keys)}
    height = TOP + STEP * max(len(column.cells) for column in columns)
    return EntityTrack(tuple(columns), tuple(flows), len(columns) * (WIDTH + GAP) - GAP, height)


def rankings_of_days(rankings: Iterable[EntityRanking]) -> list[EntityRanking]:
    """One ranking of each day, in order of the days: of two the later one."""
    by_day = {ranking.date: ranking for ranking in rankings}
    return [by_day[day] for day in sorted(by_day)]


def _choose(ranked: Sequence[EntityRanking], most: int) -> list[list[int]]:
    # For each day the places of those that are shown, in order.
    days: dict[object, int] = {}
    for ranking in ranked:
        for key in _keys(ranking)[:most]:
            days[key] = days.get(key, 0) + 1
    if len(ranked) < _LEAST_DAYS:
        return [list(range(min(most, len(ranking.entities)))) for ranking in ranked]
    stage = {key for key, count in days.items() if count > _STAGE_SHARE * len(ranked)}
    chosen = []
    for ranking in ranked:
        places: list[int] = []
        room = most // 2
        for place, key in enumerate(_keys(ranking)):
            if len(places) == most:
                break
            if key in stage:
                if not room:
                    continue
                room -= 1
            places.append(place)
        chosen.append(places)
    return chosen


def _keys(ranking: EntityRanking) -> Sequence[object]:
    return ranking.ids or [name.casefold() for name in ranking.entities]


def _cell(ranking: EntityRanking, place: int, days: tuple[str, ...]) -> TrackCell:
    def of(beside: Sequence[float]) -> str:
        return f"{beside[place]:.2f}" if beside else ""

    evidence: Evidence | None = ranking.evidence[place] if ranking.evidence else None
    return TrackCell(
        anchor=f"e{ranking.date}-{place + 1}",
        name=clean(ranking.entities[place]),
        type=ranking.types[place] if ranking.types else "",
        place=place + 1,
        is_new=bool(ranking.new and ranking.new[place]),
        salience=of(ranking.salience),
        informativeness=of(ranking.informativeness),
        sentence=clean(evidence.text)[:_WIDEST_TEXT] if evidence is not None else "",
        source=source_of(evidence) if evidence is not None else None,
        days=days,
    )


def _path(column: int, start: int, end: int) -> str:
    # From the right edge of a cell to the left edge of one in the next column, with a bend.
    right = column * (WIDTH + GAP)
    left, middle = right - GAP, right - GAP / 2
    first, last = (TOP + place * STEP + HEIGHT / 2 for place in (start, end))
    return f"M{left:g} {first:g}C{middle:g} {first:g} {middle:g} {last:g} {right:g} {last:g}"


def _day_name(day: str, with_year: bool) -> str:
    when = date.fromisoformat(day)
    return f"{when.day} {when:%b}" + (f" {when.year}" if with_year else "")


def show_entities(console: Console, event: Event | None, ranking: EntityRanking) -> None:
    """Print a day's first five entities, each with its type and a mark where it is new, and who says what of the first.

    `event` names the event in front, where several are followed.
    """
    from rich.text import Text

    line = Text()
    if event is not None:
        line.append(f"{clean(event.title or event.id)}  ", "dim")
    line.append(f"{_day_name(ranking.date, with_year=True)}  ", "bold")
    if not ranking.entities:
        line.append("nobody is named", "dim")
    for place, name in enumerate(ranking.entities[:_IN_TERMINAL]):
        line.append(" · " if place else "", "dim")
        line.append(clean(name), "bold" if not place else "")
        facts = [TYPE_NAMES.get(ranking.types[place], "")] if ranking.types else []
        facts += ["new"] if ranking.new and ranking.new[place] else []
        if words := ", ".join(filter(None, facts)):
            line.append(f" ({words})", "dim")
    console.print(line, highlight=False, soft_wrap=True)
    if ranking.evidence and ranking.evidence[0].text:
        first = ranking.evidence[0]
        outlet = outlet_name(first.source, first.url)
        said = Text(f"    {clean(first.text)}", "dim")
        if outlet:
            said.append(f"  {outlet}", "cyan")
        console.print(said, highlight=False, soft_wrap=True)


_MOST_SENTENCES = 5  # that show why an entity stands where it does
_BAR = 10  # characters of the longest bar


def print_explained_entity(console: Console, explained: ExplainedEntity, most: int) -> None:
    """Print the entity's place, what adds most to its score or takes most from it, and what is said of it."""
    from rich.table import Table
    from rich.text import Text

    kind = TYPE_NAMES.get(explained.type, "")
    head = Text(clean(explained.name), "bold")
    head.append(f"{f', {kind},' if kind else ''} on {explained.date}: ", "")
    head.append(f"place {explained.place} of {explained.entities}", "bold")
    console.print(head)
    facts = [f"{explained.documents} document{'s' if explained.documents != 1 else ''} read"]
    others = [clean(label) for label in explained.labels if label != explained.name]
    facts += [f"also called {', '.join(others[:6])}"] if others else []
    facts += (
        ["the query names it, so it is left out unless query_names=yes; its place is the one among all"]
        if explained.is_asked_for and not explained.is_given
        else []
    )
    console.print(Text("; ".join(facts), "dim"))
    if explained.contributions:
        table = Table(box=None, pad_edge=False, header_style="dim")
        table.add_column("feature")
        table.add_column("side")
        table.add_column("value", justify="right")
        table.add_column("place in the day", justify="right")
        table.add_column("adds", justify="right")
        table.add_column("")
        largest = max(abs(contribution.amount) for contribution in explained.contributions) or 1.0
        for part in explained.contributions[:most]:
            length = max(1, round(_BAR * abs(part.amount) / largest)) if part.amount else 0
            bar = Text(("+" if part.amount > 0 else "-") * length, "green" if part.amount > 0 else "red")
            table.add_row(
                part.feature, part.side, f"{part.value:.3g}", f"{part.place:.2f}", f"{part.amount:+.3f}", bar
            )
        console.print(table)
        left = len(explained.contributions) - most
        if left > 0:
            rest = sum(contribution.amount for contribution in explained.contributions[most:])
            console.print(Text(f"{left} more features add {rest:+.3f} together", "dim"))
    for sentence in explained.sentences[:_MOST_SENTENCES]:
        said = Text(f"  {clean(sentence.text)}")
        outlet = outlet_name(sentence.source, sentence.url)
        if outlet:
            said.append(f"  {outlet}", "cyan")
        console.print(said, highlight=False)
    more = len(explained.sentences) - _MOST_SENTENCES
    if more > 0:
        console.print(Text(f"  … and {more} more sentences", "dim"))
