"""What a run says about the languages of its documents: those that nobody reads, those its system does not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tidings.core import Event, System
    from tidings.following.stream import Tally

__all__ = ["fallback_line", "language_lines"]

_MOST = 8


def fallback_line(system: System, languages: Iterable[str]) -> str:
    """That documents in these languages are not decided on by the system itself; empty where all of them are.

    >>> from tidings.following.systems import make
    >>> fallback_line(make("tidings"), ["en", "de"])
    'system tidings knows English alone: documents in German are decided on by centroid'
    >>> fallback_line(make("cosine"), ["en", "de"])
    ''
    """
    from tidings.core import name_of
    from tidings.following.systems.languages import FALLBACK, known_language

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
        lines.append(f"{number:,} {several} in none of the events' languages: {_counted(tally.unread)}")
    for event in events:
        languages = tally.languages
        if event.languages and languages and not any(map(event.reads, languages)):
            lines.append(
                f"event {event.id} got no document: it is followed in {_named(event.languages)}, the documents are in "
                f"{_counted(languages)}; say --languages, or leave it out to read all"
            )
    foreign = {code: count for code, count in tally.languages.items() if code not in ("", "en")}
    for what in beside if foreign else ():
        lines.append(f"{what} are read in English alone: none from documents in {_counted(foreign)}")
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
        f"no document of {_counted(foreign)} holds the words of event {event.id}, {event.query!r}; a query is looked "
        "for as it is written"
    )


def _named(codes: Iterable[str]) -> str:
    from tidings.core import name_of

    return ", ".join(map(name_of, codes))


def _counted(counts: Mapping[str, int]) -> str:
    from tidings.core import name_of

    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    shown = [f"{name_of(code) or 'an unknown language'} ({count:,})" for code, count in ranked[:_MOST]]
    return ", ".join(shown) + (f" and {len(ranked) - _MOST} more" if len(ranked) > _MOST else "")
