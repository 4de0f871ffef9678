"""The timeline of one event by one run, with the casualties so far, prepared once for the terminal and for the page.

Nothing is measured here: what updates earned and which nuggets were covered comes from `tidings.evaluation.measures`
(see `tidings.evaluation.report.verdicts`) and is only set beside the text it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tidings.analysis import Mention, find_casualties
from tidings.core import ATTRIBUTES, Clock, EntityRanking, Event, Evidence, Support, Update, ValueUpdate
from tidings.following.systems.support import may_repeat
from tidings.following.values.stated import reconcile
from tidings.following.values.value_tracker import ValueTracker

KINDS = {name: ATTRIBUTES[name].label for name in ("deaths", "injuries")}
"""The kinds that a report marks, and the word by which it calls each."""


@dataclass(frozen=True, slots=True)
class CasualtiesSoFar:
    """The figures that stand after an update; None where nothing has been said.

    >>> CasualtiesSoFar.of([ValueUpdate("e", 60, "deaths", (80.0,))], 90).words()
    [('deaths', '80 dead')]
    """

    deaths: int | None = None
    injuries: int | None = None

    @classmethod
    def of(cls, values: Iterable[ValueUpdate], time: int) -> CasualtiesSoFar:
        """What stands at a time, of values in their order."""
        stands = {value.attribute: round(value.value[0]) for value in values if value.time <= time}
        return cls(stands.get("deaths"), stands.get("injuries"))

    def words(self, before: CasualtiesSoFar | None = None) -> list[tuple[str, str]]:
        """(kind, `80 dead`) for each figure that stands, or only those that differ from `before`."""
        pairs = (("deaths", self.deaths), ("injuries", self.injuries))
        old = {"deaths": before.deaths, "injuries": before.injuries} if before else {}
        return [
            (kind, f"{value:,} {KINDS[kind]}")
            for kind, value in pairs
            if value is not None and (before is None or value != old[kind])
        ]


def casualties_in(text: str) -> tuple[Mention, ...]:
    """The numbers of dead and injured that `text` gives, in order and without overlaps.

    >>> [(one.attribute, one.value) for one in casualties_in("At least 12 people were killed and 40 injured.")]
    [('deaths', 12.0), ('injuries', 40.0)]
    """
    return tuple(casualty for casualty in find_casualties(text) if casualty.attribute in KINDS)


@dataclass(frozen=True, slots=True)
class Credit:
    """A nugget that an update was the first to tell.

    `gain` is R(n), `latency_gain` R(n)·L; `latency_s` is update time minus nugget time, negative when the
    update came first. start..end are the characters of the update's text that say it.
    """

    nugget_id: str
    text: str
    importance: int
    latency_s: int
    gain: float
    latency_gain: float
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What judgments say about one update.

    `kind` is the status that `tidings.evaluation.measures` gives: `new` (the first with its nuggets), `repeated` (only
    nuggets that earlier updates have), `irrelevant` (judged, says no nugget) or `unjudged` (not in the pool). `why`
    says in words why it earned nothing or what part of it is repeated; `verbosity` is V(u).
    """

    kind: str
    why: str = ""
    credits: tuple[Credit, ...] = ()
    gain: float = 0.0
    latency_gain: float = 0.0
    verbosity: float = 1.0


@dataclass(frozen=True, slots=True)
class NuggetFate:
    """One nugget and what became of it: the number and time of the update that gave it, None and 0 when missed."""

    id: str
    time: int
    importance: int
    text: str
    update_number: int | None = None
    update_time: int = 0

    @property
    def latency_s(self) -> int:
        """Seconds from the nugget's time to the update that gave it; negative: given earlier."""
        return self.update_time - self.time


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an update comes from: the outlet, and its document's title and address, as far as they are known."""

    source: str = ""
    title: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One update in its place: numbered from 1, with its casualties, those that stand after it, its verdict.

    `again` are the first sentences of the other outlets that say it, in the order of their times; `alone` says that
    support was counted, and that no other outlet was seen to say anything near.
    """

    number: int
    update: Update
    text: str
    casualties: tuple[Mention, ...]
    before: CasualtiesSoFar
    after: CasualtiesSoFar
    verdict: Verdict | None = None
    again: tuple[Evidence, ...] = ()
    alone: bool = False

    @property
    def broke(self) -> Update | Evidence:
        """The sentence that was published first of those that say it: by its outlet the news was broken."""
        own = self.update.published_time or self.update.time
        first = self.again[0] if self.again else None
        return first if first is not None and first.published_time < own else self.update

    @property
    def changed(self) -> list[tuple[str, str]]:
        """(kind, words) of the casualties that this update changed."""
        return self.after.words(self.before)


@dataclass(frozen=True, slots=True)
class Day:
    """The entries of one day of the report's clock."""

    name: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text with one dress: plain (`""`), `deaths` or `injuries`, and whether it says a new nugget."""

    text: str
    kind: str = ""
    in_nugget: bool = False


@dataclass(frozen=True, slots=True)
class TimelineReport:
    """An event as one run tells it; `values` are the tracked ones, `rankings` its entities, where the run holds them.

    Judgments add: the fate of each `nuggets`, `scores` (measure name to this event's value) and the `curve`:
    (time, updates so far, comprehensiveness, latency comprehensiveness) after each moment of the run.
    """

    event: Event
    system: str
    clock: Clock
    entries: tuple[Entry, ...]
    nuggets: tuple[NuggetFate, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    curve: tuple[tuple[int, int, float, float], ...] = ()
    rules: str = ""
    judged: bool = False
    values: tuple[ValueUpdate, ...] = ()
    rankings: tuple[EntityRanking, ...] = ()

    @property
    def title(self) -> str:
        """What the event is called: its title, or its id where it has none."""
        return self.event.title or self.event.id

    @property
    def headline(self) -> str:
        """The title, with a capital in front: what was followed on the spot is called as it was typed."""
        title = self.event.title
        return title[:1].upper() + title[1:] if title else self.event.id

    def moment(self, time: int) -> str:
        """`24 Jul 18:42`, and with its year where the updates are of several years."""
        years = {self.clock.at(entry.update.time).year for entry in (*self.entries[:1], *self.entries[-1:])}
        if years != {self.clock.at(time).year}:
            return self.clock.moment(time)
        return f"{self.clock.short_day(time)} {self.clock.hour(time)}"

    @property
    def latest(self) -> tuple[Entry, ...]:
        """The last five entries, the last one first."""
        return self.entries[:-6:-1]

    @property
    def period(self) -> tuple[int | None, int | None]:
        """Start and end of the event, stretched to hold every update; None where the event is open."""
        times = [entry.update.time for entry in self.entries]
        start, end = self.event.start_time, self.event.end_time
        return (
            None if start is None else min([start, *times]),
            None if end is None else max([end, *times]),
        )

    @property
    def span(self) -> tuple[int, int] | None:
        """From where to where charts run: the period, an open end of it at the first or last update.

        None where there is neither a period nor an update.
        """
        times = [time for time in self.period if time is not None]
        times += [entry.update.time for entry in self.entries]
        return (min(times), max(times)) if times else None

    @property
    def days(self) -> list[Day]:
        """The entries grouped by day, in order."""
        groups: dict[str, list[Entry]] = {}
        for entry in self.entries:
            groups.setdefault(self.clock.day(entry.update.time), []).append(entry)
        return [Day(name, tuple(entries)) for name, entries in groups.items()]

    @property
    def sources(self) -> list[str]:
        """The sources that the updates name, the most frequent first."""
        counts: dict[str, int] = {}
        for entry in self.entries:
            if entry.update.source:
                counts[entry.update.source] = counts.get(entry.update.source, 0) + 1
        return sorted(counts, key=lambda source: (-counts[source], source))

    @property
    def covered(self) -> list[NuggetFate]:
        """The nuggets that the run gave."""
        return [nugget for nugget in self.nuggets if nugget.update_number is not None]

    @property
    def missed(self) -> list[NuggetFate]:
        """The nuggets that the run did not tell."""
        return [nugget for nugget in self.nuggets if nugget.update_number is None]

    @property
    def casualties(self) -> CasualtiesSoFar:
        """The casualties that stand at the end."""
        return self.entries[-1].after if self.entries else CasualtiesSoFar()


def build_timeline(
    event: Event,
    updates: Iterable[Update],
    *,
    system: str = "",
    clock: Clock | None = None,
    texts: Mapping[str, str] | Callable[[str], str] | None = None,
    origins: Mapping[str, Origin] | None = None,
    values: Iterable[ValueUpdate] = (),
    supports: Iterable[Support] = (),
    rankings: Iterable[EntityRanking] = (),
) -> TimelineReport:
    """Set the updates of one event in time order and mark their casualties; stable for equal times.

    `texts` and `origins` give by update id what an update itself lacks; `values` are the event's tracked values, which
    stand instead of the figures that the updates alone give, `supports` what supports its updates (what is an update
    itself is not shown as a repeat of another), and `rankings` its entities by day. Judgments are added by
    `tidings.evaluation.report.verdicts.judge`.

    >>> from tidings.core.records import Event, Update
    >>> event = Event(id="1", title="Fire", query="fire", start_time=0, end_time=9)
    >>> timeline = build_timeline(event, [Update("1", "b", 0, 5, text="Out"), Update("1", "a", 0, 2, text="Fire!")])
    >>> [(entry.number, entry.text) for entry in timeline.entries]
    [(1, 'Fire!'), (2, 'Out')]
    >>> build_timeline(event, []).days
    []
    """
    look_up = texts.get if isinstance(texts, Mapping) else texts
    again, near = _sort_supports(supports)
    several = _has_outlets(updates := sorted(updates, key=lambda update: update.time), again)
    spoken = [_with_text(update, look_up) for update in updates]
    tracked: Sequence[ValueUpdate] = sorted(values, key=lambda value: value.time)
    is_tracked = bool(tracked)
    tracked = reconcile(event, tracked, spoken) if is_tracked else _figures_of(event, spoken, again)
    stands = CasualtiesSoFar()
    told = {(update.doc_id, update.sentence_index) for update in spoken}
    entries = []
    for number, update in enumerate(spoken, start=1):
        text = update.text
        casualties = () if is_tracked or not text else casualties_in(text)
        sentences = tuple(
            evidence
            for evidence in again.get(update.id, ())
            if (evidence.doc_id, evidence.sentence_index) not in told
            and may_repeat(event, text, evidence.text)
        )
        after = CasualtiesSoFar.of(tracked, update.time)
        origin = origins.get(update.id) if origins else None
        completed = _complete(update, origin) if origin else update
        alone = several and update.id not in again and update.id not in near
        entries.append(
            Entry(number, completed, text, casualties, stands, after, again=sentences, alone=alone)
        )
        stands = after
    return TimelineReport(
        event, system, clock or Clock(), tuple(entries), values=tuple(tracked), rankings=tuple(rankings)
    )


def _sort_supports(supports: Iterable[Support]) -> tuple[dict[str, tuple[Evidence, ...]], set[str]]:
    # By update, the sentences that say the same; and the updates that something near was seen of.
    same: dict[str, list[Evidence]] = {}
    near = set()
    for support in supports:
        if support.same:
            same.setdefault(support.update_id, []).append(support.evidence)
        else:
            near.add(support.update_id)
    in_time = {
        name: tuple(
            sorted(
                sentences, key=lambda evidence: (evidence.published_time, evidence.source, evidence.doc_id)
            )
        )
        for name, sentences in same.items()
    }
    return in_time, near


def _has_outlets(updates: Iterable[Update], again: Mapping[str, Sequence[Evidence]]) -> bool:
    # Only where support was counted over several outlets can an update be the word of one.
    outlets = {update.source for update in updates if update.source}
    return (
        bool(again)
        and len(
            outlets | {evidence.source for some in again.values() for evidence in some if evidence.source}
        )
        > 1
    )


def _figures_of(
    event: Event, updates: Sequence[Update], again: Mapping[str, Sequence[Evidence]]
) -> list[ValueUpdate]:
    """The figures that updates and their repeats give, as they are tracked: of a run that tracked none."""
    tracker = ValueTracker(event)
    figures = []
    for update in updates:
        repeats = [
            Update(
                event.id, said.doc_id, said.sentence_index, update.time, text=said.text, source=said.source,
                published_time=said.published_time, title=said.title, url=said.url,
            )
            for said in again.get(update.id, ())
            if may_repeat(event, update.text, said.text)
        ]  # fmt: skip
        figures += tracker.read([], update.time, [update, *repeats])
    return figures


def _with_text(update: Update, look_up: Callable[[str], str | None] | None) -> Update:
    """An update with its text, where that is known."""
    from msgspec.structs import replace

    return replace(update, text=(look_up(update.id) if look_up else "") or "") if not update.text else update


def _complete(update: Update, origin: Origin) -> Update:
    from msgspec.structs import replace

    return replace(
        update,
        source=update.source or origin.source,
        title=update.title or origin.title,
        url=update.url or origin.url,
    )


def pieces(entry: Entry) -> list[Piece]:
    """The entry's text cut where its dress changes: casualties, and the spans that gave a new nugget.

    >>> from tidings.core.records import Update
    >>> none = CasualtiesSoFar()
    >>> entry = Entry(1, Update("1", "a", 0, 2), "Now 3 dead.", casualties_in("Now 3 dead."), none, none)
    >>> [(piece.text, piece.kind) for piece in pieces(entry)]
    [('Now ', ''), ('3 dead', 'deaths'), ('.', '')]
    """
    length = len(entry.text)
    spans = [(credit.start, credit.end) for credit in entry.verdict.credits] if entry.verdict else []
    edges = {0, length}
    for start, end in [*spans, *((casualty.start, casualty.end) for casualty in entry.casualties)]:
        edges.update((min(max(start, 0), length), min(max(end, 0), length)))
    cuts = sorted(edges)
    parts = []
    for start, end in pairwise(cuts):
        kind = next(
            (
                casualty.attribute
                for casualty in entry.casualties
                if casualty.start <= start and end <= casualty.end
            ),
            "",
        )
        inside = any(low <= start and end <= high for low, high in spans)
        parts.append(Piece(entry.text[start:end], kind, inside))
    return parts
