"""What is said while streams are followed and when they end, and about the languages of their documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from tidings.core import how_many, say
from tidings.following.hosting.runs import judge_line
from tidings.following.systems.base import Understood
from tidings.following.verbs.nothing_found import lines_of_nothing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tidings.core import Event, Output, System
    from tidings.following.hosting.runs import HostedRun
    from tidings.following.hosting.settings import RunSettings
    from tidings.following.hosting.sources import Repeats
    from tidings.following.stream.loop import Tally


_MOST = 8  # languages named


def fallback_line(system: System, languages: Iterable[str]) -> str:
    """That documents in these languages are not decided on by the system itself; empty where all of them are.

    >>> from tidings.following.systems import make
    >>> fallback_line(make("tidings"), ["en", "de"])
    'system tidings knows English alone: documents in German are decided on by centroid'
    >>> fallback_line(make("cosine"), ["en", "de"])
    ''
    """
    from tidings.core import name_of
    from tidings.following.systems.decider import known_language
    from tidings.following.systems.languages import FALLBACK

    known = known_language(system)
    others = sorted(name_of(code) for code in languages if known and code not in ("", known))
    if not others:
        return ""
    where = ", ".join(others)
    return f"system {system.name} knows {name_of(known)} alone: documents in {where} are decided on by {FALLBACK}"


def language_lines(events: Sequence[Event], tally: Tally, beside: Sequence[str] = ()) -> list[str]:
    """What is to be said at the end of a run.

    Args:
        events: what was followed.
        tally: what was counted.
        beside: what else was asked for that knows English alone: values, entities.
    """
    lines = []
    if tally.unread:
        number = sum(tally.unread.values())
        several = "documents are" if number > 1 else "document is"
        lines.append(
            f"{number:,} {several} in none of the events' languages: {_counts_in_words(tally.unread)}"
        )
    for event in events:
        languages = tally.languages
        if event.languages and languages and not any(map(event.reads, languages)):
            lines.append(
                f"event {event.id} got no document: it is followed in {_language_names(event.languages)}, "
                f"the documents are in {_counts_in_words(languages)}; say --languages, or leave it out to read all"
            )
    foreign = {code: count for code, count in tally.languages.items() if code not in ("", "en")}
    for what in beside if foreign else ():
        lines.append(f"{what} are read in English alone: none from documents in {_counts_in_words(foreign)}")
    return lines


def unmatched_line(event: Event, languages: Mapping[str, int]) -> str:
    """Why an event whose documents are in other languages than its query got nothing; empty where they are not.

    >>> from tidings.core.records import Event
    >>> unmatched_line(Event(id="flood", title="Flood", query="flood dam"), {"zh": 60})
    "no document of Chinese (60) holds the words of event flood, 'flood dam'; a query is looked for as it is written"
    """
    foreign = {code: count for code, count in languages.items() if code not in ("", "en")}
    if not foreign or 2 * sum(foreign.values()) < sum(languages.values()):
        return ""
    return (
        f"no document of {_counts_in_words(foreign)} holds the words of event {event.id}, {event.query!r}; "
        "a query is looked for as it is written"
    )


def _language_names(codes: Iterable[str]) -> str:
    from tidings.core import name_of

    return ", ".join(map(name_of, codes))


def _counts_in_words(counts: Mapping[str, int]) -> str:
    from tidings.core import name_of

    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = [f"{name_of(code) or 'an unknown language'} ({count:,})" for code, count in ranked[:_MOST]]
    return ", ".join(shown) + (f" and {len(ranked) - _MOST} more" if len(ranked) > _MOST else "")


_EVENTS, _TERMS = 3, 12  # how many are named, and words of each


def understood_line(event: Event, understood: Understood) -> str:
    """By which words an event was followed, so that people can add to them and strike some; "" where that is no story.

    >>> from tidings.core.records import Event
    >>> war = Event(id="war", title="War", query="gaddafi")
    >>> understood_line(war, Understood(str.split, ("gaddafi",), ("gadhafi",), ("tripoli",)))
    'war is followed by gaddafi (also gadhafi); terms of its story: tripoli. --story-terms adds some and strikes some.'
    """
    if not understood.terms and not understood.variants:
        return ""
    also = f" (also {', '.join(understood.variants[:_TERMS])})" if understood.variants else ""
    shown = ", ".join(understood.terms[:_TERMS]) + (", …" if len(understood.terms) > _TERMS else "")
    apart = (
        f"; no article mentions {' or '.join(understood.apart)} along with the name"
        if understood.apart
        else ""
    )
    found = f"terms of its story: {shown}" if shown else "too few articles yet to learn its terms"
    return (
        f"{event.id} is followed by {', '.join(understood.query)}{also}{apart}; {found}. "
        "--story-terms adds some and strikes some."
    )


_PLAIN = frozenset({"", "en"})


class RunReport:
    """Everything that is said on stderr and shown on stdout."""

    def __init__(self, run: HostedRun, quiet: bool, began: float, noun: str = "update") -> None:
        self.run, self.tally, self.settings = run, run.tally, run.settings
        self.quiet, self.began, self.noun = quiet, began, noun
        self._warned = False

    def _is_of_others(self) -> bool:
        # Feeds, pages and tables know no pools.
        from tidings.following.hosting.sources import is_live
        from tidings.sources import is_foreign

        return all(is_live(stream) or is_foreign(stream) for stream in self.run.streams)

    def say(self, line: str) -> None:
        """Say a line on stderr, unless all is to be quiet."""
        if not self.quiet:
            say(line, prefix="")

    def follow(self, show: bool | None) -> None:
        """Follow the run to its end, saying and showing what there is; an InterruptedRunError where it was stopped."""
        from tidings.core import InterruptedRunError

        self.begin()
        try:
            with self.showing(show) as shown:
                for _, outputs in self.run:
                    self.warn()
                    if shown is not None:
                        shown(outputs)
        except KeyboardInterrupt:  # no border between two documents came soon enough
            raise InterruptedRunError(self.interrupted()) from None
        if not self.run.tally.complete:
            raise InterruptedRunError(self.interrupted())
        self.end()

    def warn(self) -> None:
        """Say, once, that there are languages which the system does not know."""
        read = self.tally.read_languages
        if self._warned or not any(languages - _PLAIN for languages in read.values()):
            return
        line = fallback_line(self.run.system, sorted(set().union(*read.values())))
        if line:
            say(line, prefix="")
            self._warned = True

    def begin(self) -> None:
        """Say whether this run goes on from an earlier attempt."""
        emitted = self._emitted_in_words()
        if self.run.was_finished:
            self.say(f"this run is finished ({emitted}): looking for anything new in its streams")
        elif self.run.emitted or self.tally.skipped:
            self.say(f"going on with this run, after {emitted}")

    @contextmanager
    def showing(self, show: bool | None) -> Iterator[Callable[[Sequence[Output]], None] | None]:
        """A progress line on stderr, and what prints updates on stdout; each where there is a terminal."""
        import sys

        if show is None:
            show = sys.stdout.isatty() and self.settings.out != "-" and not self.quiet
        printer = self._printer() if show else None
        if self.quiet or not sys.stderr.isatty():
            yield printer
            return
        with self.progress():
            yield printer

    def progress(self) -> AbstractContextManager[None]:
        """A line on stderr that says how far it is."""
        from tidings.following.verbs.progress_line import following_progress

        return following_progress(self.tally)

    def _printer(self) -> Callable[[Sequence[Output]], None]:
        from rich.console import Console

        from tidings.core import EntityRanking, Update, ValueUpdate
        from tidings.following.report.entities import show_entities
        from tidings.following.report.figures import show_value
        from tidings.following.report.terminal import LiveTimeline

        events = self.settings.events
        timeline = LiveTimeline(Console(), names_events=len(events) > 1)
        by_id = {event.id: event for event in events}

        def show(outputs: Sequence[Output]) -> None:
            for output in outputs:
                if isinstance(output, Update):
                    timeline.show(by_id[output.event_id], output)
                elif isinstance(output, ValueUpdate):
                    show_value(timeline.console, by_id[output.event_id] if len(events) > 1 else None, output)
                elif isinstance(output, EntityRanking):
                    show_entities(
                        timeline.console, by_id[output.event_id] if len(events) > 1 else None, output
                    )

        return show

    def interrupted(self) -> str:
        """Where the run was stopped, and how it goes on."""
        from tidings.core import Clock

        tally = self.tally
        where = f", at {Clock().moment(tally.time)} of the stream" if tally.time is not None else ""
        more = "the same command goes on from here" if self.run.store else "nothing is kept without --store"
        done = how_many(tally.skipped + tally.documents, "document")
        return f"stopped after {done}{where}, {self._emitted_in_words()}; {more}"

    def end(self) -> None:
        """Say what was followed and given, and what was wrong with the streams."""
        self.warn()
        tally, run = self.tally, self.run
        took = perf_counter() - self.began
        before = f" ({tally.skipped:,} more were followed before)" if tally.skipped else ""
        self.say(
            f"{how_many(tally.documents, 'document')}{before}, {how_many(tally.sentences, 'sentence')} in {took:.1f} s "
            f"({how_many(round(tally.sentences / took), 'sentence')}/s)"
        )
        others = tally.beside if self.noun == "update" else {}
        counts = [f"{name} {count - others.get(name, 0):,}" for name, count in tally.updates.items()][:30]
        self.say(
            f"{self._emitted_in_words()}: {', '.join(counts)}" + (" in this part" if tally.skipped else "")
        )
        for line in self._language_lines():
            say(line, prefix="")
        silent = [
            event.id
            for event in self.settings.events
            if event.id not in tally.read_languages
            and (not tally.languages or any(map(event.reads, tally.languages)))
        ]
        if silent and tally.documents and not tally.skipped:
            pooled = (
                ", or its sentences were pooled for other events only (--mixed offers them to every event)"
            )
            self.say(
                f"nothing was offered to {', '.join(silent[:10])}: no document is of their time and speaks of them"
                + ("" if self.settings.mixed or self._is_of_others() else pooled)
            )
        for event, understood in () if self.quiet else run.understood(_EVENTS):
            self.say(understood_line(event, understood))
        if not run.emitted and not tally.skipped and not self.quiet:
            for line in lines_of_nothing(self.run.streams, self.settings, tally.documents):
                self.say(line)
        for ordered in tally.sources:
            if ordered.lost:
                of_all = how_many(ordered.total, "document")
                self.say(
                    f"{ordered.source.name}: sorted by time, as {ordered.lost:,} of {of_all} would have come too late"
                )
        for line in [*self._late_lines(), *repeat_lines(run.repeats, "their updates")]:
            say(line, prefix="")
        judged = judge_line(run.system)
        if judged:
            self.say(judged)
        for remark in run.problems.remarks:
            self.say(remark)
        say(run.problems.summary(), prefix="")
        if self.settings.out != "-":
            self.say(f"written to {self.settings.out}" + (f"; kept in {run.store}" if run.store else ""))

    def _emitted_in_words(self) -> str:
        """What was given in all, values and days of names beside updates counted apart."""
        run = self.run
        if self.noun != "update":
            return how_many(run.emitted, self.noun)
        beside = [how_many(run.values, "value")] if run.values else []
        beside += [how_many(run.rankings, "list") + " of key names"] if run.rankings else []
        updates = how_many(run.emitted - run.values - run.rankings, self.noun)
        return " and ".join([", ".join([updates, *beside[:-1]]), *beside[-1:]])

    def _language_lines(self) -> list[str]:
        tally, events = self.tally, self.settings.events
        words = str(self.run.system.spec)
        beside = [what for what in ("values", "entities") if f"{what}=yes" in words or words.startswith(what)]
        lines = language_lines(events, tally, beside)
        for event in events[:10]:
            if (
                event.id not in tally.read_languages
                and not tally.skipped
                and any(map(event.reads, tally.languages))
            ):
                lines.append(unmatched_line(event, tally.languages))
        return [line for line in lines if line]

    def _late_lines(self) -> list[str]:
        from tidings.core import Clock

        tally, clock = self.tally, Clock()
        if not tally.late_count:
            return []
        several = "they came" if tally.late_count > 1 else "it came"
        lines = [f"{how_many(tally.late_count, 'document')} left out, because {several} too late:"]
        lines += [
            f"  {late.source}: document {late.ordinal} ({late.doc_id}) of {clock.iso(late.published_time)}, "
            f"expected {clock.iso(late.bound_time)} or later"
            for late in tally.late[:3]
        ]
        if tally.late_count > 3:
            lines.append(f"  … and {tally.late_count - 3:,} more; the store lists the first 1,000")
        return [*lines, "  start over with --restart, which sorts files; for a pipe, raise --lateness too"]


def follow_one_kind(
    noun: str,
    system: str,
    known: Collection[str],
    settings: Callable[[], RunSettings],
    *,
    quiet: bool,
    show: bool | None,
) -> None:
    """Follow a run of a system that gives outputs of one kind alone, called `noun`.

    Raises:
        UsageError: the system is none of those known to give them.
    """
    from tidings.core import UsageError
    from tidings.following.hosting.runs import Interrupt, host

    began = perf_counter()
    if system.partition(":")[0].strip() not in known:
        raise UsageError(f"system {system!r} (expected one of {', '.join(known)})")
    interrupt = Interrupt()
    with interrupt.watching(), host(settings(), stop=interrupt) as run:
        RunReport(run, quiet, began, noun).follow(show)


def repeat_lines(repeats: Repeats, what: str) -> list[str]:
    """That documents share an id, where some do; `what` cannot be told apart then."""
    if not repeats.count:
        return []
    examples = ", ".join(f"{doc_id} in {name}" for name, doc_id in repeats.examples)
    several = "documents have" if repeats.count > 1 else "document has"
    return [
        f"{repeats.count:,} {several} the id of another one, but other words ({examples}): "
        f"{what} cannot be told apart by their ids; give each document its own"
    ]
