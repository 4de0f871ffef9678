"""What marks of readers gain: the table in docs/live/live-pages.md.

    python scripts/table_of_marks.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014
    python scripts/table_of_marks.py ../shared/data/trec-ts/2013 --choose

Each event is followed by a system, and a simulated reader looks at each update when it is told. The first N updates
that NIST's judgments match with no nugget are marked `not-about`, those that match none which an update before them did
not match are marked `known`, each at once. What counts is what comes after the last mark (residual collection): H of
the updates after it, over the nuggets that came to be known after it. The run without feedback is cut at the same time.
An event in which the reader finds fewer than N updates to mark, or after which no nugget is left, is left out.

`--choose` prints, for each event, H by the parameters that are best on the other events, and those best on all.
Intervals: 95 % of the means of so many events drawn anew (10,000 draws, seeded).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace as change
from itertools import product
from statistics import fmean

from frame import heading, interval, parser as command_line
from msgspec.structs import replace

from tidings.core.records import Run, Update
from tidings.core.records.standing import MarkKind, ReaderMark
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.trec_ts.rules import RULES
from tidings.evaluation.measures.trec_ts.scores import prepare
from tidings.following.systems.decider import Decider
from tidings.following.systems.marks import LEVELS, Likeness, Marks
from tidings.following.systems.registry import make
from tidings.research.training.labelled_events import JudgedEvent, load_events

MARKS = (5, 20)
H = Measure("H")
NEVER = Likeness(not_about=2.0, known=2.0)


class Reader:
    """Marks the first N updates that are not about the event, or tell nothing new."""

    def __init__(self, event: JudgedEvent, most: int) -> None:
        self._sentences = {sentence.id: sentence for sentence, _ in event.sentences}
        self._event, self._left = event, most
        self._nuggets: set[int] = set()
        self.last_time: int | None = None
        """When the last of the marks was given; None while some are left."""

    def look_at(self, update: Update) -> ReaderMark | None:
        """The mark that the reader gives an update."""
        nuggets = self._event.nuggets_of(self._sentences[update.id])
        kind: MarkKind = "known" if nuggets else "not-about"
        is_new = bool(nuggets - self._nuggets)
        self._nuggets |= nuggets
        if is_new or not self._left:
            return None
        self._left -= 1
        if not self._left:
            self.last_time = update.time
        return ReaderMark(update_id=update.id, text=update.text, mark=kind)


def followed(event: JudgedEvent, system: str, most: int, likeness: Likeness) -> tuple[list[Update], Reader]:
    """The updates of an event that is read by such a reader."""
    follower = Decider(make(system), (Marks(likeness=likeness),)).start(event.event)
    reader = Reader(event, most)
    updates: list[Update] = []
    for sentences, now in event.pushes:
        new = [one for one in follower.push(sentences, now) if isinstance(one, Update)]
        updates += new
        for mark in filter(None, map(reader.look_at, new)):
            follower.mark(mark)
    updates += [one for one in follower.finish(event.end) if isinstance(one, Update)]
    return updates, reader


def residual_h(event: JudgedEvent, updates: Sequence[Update], after: int) -> float | None:
    """H of the updates after a time, over the nuggets after it; None where there are none."""
    assert event.judgments is not None
    own = event.event.id
    nuggets = tuple(
        one
        for one in event.judgments.nuggets
        if one.event_id == own and one.time > after and one.importance > 0
    )
    if not nuggets:
        return None
    names = {one.id for one in nuggets}
    judgments = replace(
        event.judgments,
        events=tuple(one for one in event.judgments.events if one.id == own),
        nuggets=nuggets,
        matches=tuple(
            one for one in event.judgments.matches if one.event_id == own and one.nugget_id in names
        ),
        pool=tuple(one for one in event.judgments.pool if one.event_id == own),
    )
    rules = change(RULES["trec-2014"], assessments=RULES["trec-2013"].assessments)
    left = tuple(one for one in updates if one.time > after)
    scores = prepare(judgments, rules).score(Run("tidings", "marks", left), [H], mean="all")
    return float(scores.per_event[own][H])


class Compared:
    """Events with their H with and without feedback, by number of marks; the run without is made once."""

    def __init__(self, events: Sequence[JudgedEvent], system: str) -> None:
        self._events, self._system = events, system
        self._without = {one.event.id: followed(one, system, 0, NEVER)[0] for one in events}

    def compare(self, most: int, likeness: Likeness) -> Iterator[tuple[str, float, float, int, int]]:
        """(event, H without, H with, updates without, updates with) after the last mark."""
        for event in self._events:
            updates, reader = followed(event, self._system, most, likeness)
            after = reader.last_time
            if after is None:
                continue
            base = self._without[event.event.id]
            without, with_marks = residual_h(event, base, after), residual_h(event, updates, after)
            if without is None or with_marks is None:
                continue
            counts = [sum(one.time > after for one in each) for each in (base, updates)]
            yield event.event.id, without, with_marks, counts[0], counts[1]


def choose(compared: Compared) -> None:
    """Print what choosing on the other events gives each, and the choice on all."""
    grid = [
        Likeness(not_about, known, contrast)
        for not_about, known, contrast in product((0.1, 0.15, 0.2, 0.3), (0.3, 0.5), (0.0, 0.5, 1.0))
    ]
    gains: dict[Likeness, dict[tuple[str, int], float]] = {}
    for likeness in grid:
        gains[likeness] = {
            (event, most): with_marks - without
            for most in MARKS
            for event, without, with_marks, _, _ in compared.compare(most, likeness)
        }
        print(likeness, f"{fmean(gains[likeness].values()):+.4f} over {len(gains[likeness])}", flush=True)
    cases = sorted(set.intersection(*(set(own) for own in gains.values())))
    left_out = []
    for event in sorted({event for event, _ in cases}):
        others = [case for case in cases if case[0] != event]
        best = max(grid, key=lambda one: fmean(gains[one][case] for case in others))
        own = fmean(gains[best][case] for case in cases if case[0] == event)
        left_out.append(own)
        print(f"{event}: {best} {own:+.4f}")
    print(f"left out: {fmean(left_out):+.4f} {interval(left_out)}")
    print("best on all:", max(grid, key=lambda one: fmean(gains[one][case] for case in cases)))


def main() -> None:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--system", default="tidings")
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--levels", help="NOT_ABOUT,KNOWN,CONTRAST instead of those that are used")
    parser.add_argument("--each", action="store_true", help="also a row for each event")
    asked = parser.parse_args()
    if asked.choose:
        choose(Compared(load_events(asked.folders), asked.system))
        return
    likeness = Likeness(*map(float, asked.levels.split(","))) if asked.levels else LEVELS
    print(heading("year | marks | events | H without | H with | difference (95 %) | updates without | with"))
    for folder in asked.folders:
        events = load_events([folder])
        compared = Compared(events, asked.system)
        for most in MARKS:
            rows = list(compared.compare(most, likeness))
            year = events[0].year
            if not rows:
                print(f"| {year} | {most} | 0 | | | | | |")
                continue
            names, without, with_marks, before, after = zip(*rows, strict=True)
            differences = [b - a for a, b in zip(without, with_marks, strict=True)]
            low, high = interval(differences)
            print(
                f"| {year} | {most} | {len(names)} of {len(events)} | {fmean(without):.4f} | {fmean(with_marks):.4f} | "
                f"{fmean(differences):+.4f} ({low:+.4f} to {high:+.4f}) | {fmean(before):.1f} | {fmean(after):.1f} |"
            )
            for row in rows if asked.each else ():
                print(
                    f"| | {row[0]} | | {row[1]:.4f} | {row[2]:.4f} | {row[2] - row[1]:+.4f} | {row[3]} | {row[4]} |"
                )


if __name__ == "__main__":
    main()
