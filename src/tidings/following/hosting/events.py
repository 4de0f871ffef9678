"""Which events are followed: topics of the streams, event files, or words to look for."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from msgspec.structs import replace

from tidings.core import Event, UsageError, analyzer_of, bare_event_id, check_code, shared_analyzer
from tidings.following.hosting.sources import refuse_url

__all__ = ["check_text", "check_words", "choose_events", "event_time", "query_events"]

_ID_LENGTH = 40
_LANGUAGE = "english"
"""Whose stop words are no words to look for; a word of any other language is one."""


def choose_events(names: Sequence[str], streams: Sequence[str]) -> list[Event]:
    """The events that `--event` names: an id, an event file, or `all` of the streams' topics.

    Without any name, all of the streams' topics. Raises UsageError for an event that is not there.
    """
    from tidings.sources import is_foreign, read_events

    folders = [stream for stream in streams if Path(stream).is_dir() and not is_foreign(stream)]
    # Where all events are files, a folder into which nothing has come yet will do.
    asked = not names or any(name == "all" or not Path(name).exists() for name in names)
    topics = [event for folder in folders for event in read_events(folder)] if asked else []
    events: dict[str, Event] = {}
    for name in names or ["all"]:
        refuse_url(name, "--event")
        if name == "all":
            matches = topics
            if not topics:
                raise UsageError(
                    f"found no events: {', '.join(streams)} come without topics, expected "
                    + "--event with an event file, or --query with words to look for"
                )
        elif Path(name).exists():
            matches = read_events(name)
        else:
            matches = [event for event in topics if name in (event.id, bare_event_id(event.id))]
            if not matches:
                raise _unknown(name, topics)
        for event in matches:
            if events.setdefault(event.id, event) != event:
                raise UsageError(f"found two different events called {event.id!r}, expected different ids")
    return list(events.values())


def check_words(queries: Sequence[str]) -> None:
    """Raise UsageError for a query without a word to look for: it would match nothing, or everything.

    >>> check_words(["the of"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: found --query 'the of', expected at least one word to look for; signs and ...
    """
    for query in queries:
        if query.strip() and not shared_analyzer(_LANGUAGE).stems(query):
            raise UsageError(
                f"found --query {query!r}, expected at least one word to look for; signs and `the` are none"
            )


def in_languages(events: Sequence[Event], languages: str | None) -> list[Event]:
    """The events, followed in documents of these languages only where any are said: codes with commas between.

    >>> fire = Event(id="fire", title="Fire", query="Feuer Hafen")
    >>> [event.languages for event in in_languages([fire], "de,fr")]
    [('de', 'fr')]
    """
    if languages is None:
        return list(events)
    codes = tuple(dict.fromkeys(check_code(code) for code in languages.split(",") if code.strip()))
    if not codes:
        raise UsageError("found --languages without a language, expected codes of ISO 639-1, such as de,fr")
    for event in events:
        text = event.query or event.title
        if not any(analyzer_of(code).stems(text) for code in codes):
            raise UsageError(
                f"found event {event.id!r} whose query {text!r} has no word to look for in {', '.join(codes)}, "
                "expected one"
            )
    return [replace(event, languages=codes) for event in events]


def query_events(
    queries: Sequence[str],
    titles: Sequence[str] = (),
    start: int | None = None,
    end: int | None = None,
    *,
    taken: Sequence[str] = (),
) -> list[Event]:
    """Events on the spot, one for each query; without times they have no beginning or end.

    One query alone is the event `query`; several have ids made of their words, whatever their order. `titles` are
    those of the queries in their order; without, the query is the title. `taken` are the ids of other events.

    >>> [event.id for event in query_events(["ferry fire"])]
    ['query']
    >>> [event.id for event in query_events(["ferry fire", "Métro: strike!"], ["The ferry", "The strike"])]
    ['ferry-fire', 'métro-strike']
    """
    if titles and len(titles) != len(queries):
        raise UsageError(
            f"found {len(titles)} --title for {len(queries)} --query, expected one for each, in the same order"
        )
    for option, texts in (("--query", queries), ("--title", titles)):
        for text in texts:
            if not text.strip():
                raise UsageError(f"found an empty {option}, expected words to look for")
            check_text(option, text)
    if start is not None and end is not None and start > end:
        raise UsageError(f"found --start {start} after --end {end}, expected it before")
    twice = next((query for query, count in Counter(queries).items() if count > 1), None)
    if twice is not None:
        raise UsageError(f"found --query {twice!r} twice, expected different ones")
    return [
        Event(id=event_id, title=title, query=query, start_time=start, end_time=end)
        for event_id, title, query in zip(_query_ids(queries, taken), titles or queries, queries, strict=True)
    ]


_DAY_S = 86_400


def event_time(text: str | None, option: str) -> int | None:
    """The moment that an option says, in seconds UTC: whole seconds, or a date as people write it; None for none.

    A time without a zone is UTC; a day alone is its first second, and of `--end` its last.

    >>> event_time("2024-05-01T00:00:00Z", "--start"), event_time("1 May 2024", "--start"), event_time(None, "--end")
    (1714521600, 1714521600, None)
    >>> event_time("2024-05-01", "--end")
    1714607999
    """
    from tidings.core import BadRecordError, StatedTimes, find_date, seconds

    if text is None:
        return None
    try:
        return seconds(int(text) if text.isascii() and text.isdigit() and len(text) < 20 else text, option)
    except BadRecordError as error:
        times, fields = StatedTimes(), find_date(text.strip())
        time = None if times.is_open(text) or fields is None else times.read(text)
        if time is not None and fields is not None and fields.has_day:
            return time if fields.has_time or option != "--end" else time + _DAY_S - 1
        mend = f"; {error.mend}" if error.mend else ""
        raise UsageError(f"found {error.found}, expected {error.expected}{mend}") from None


def check_text(option: str, text: str) -> None:
    """Raise UsageError for an argument that holds bytes that are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        shown = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        raise UsageError(f"found {option} {shown!r} with bytes that are not UTF-8, expected text") from None


def _query_ids(queries: Sequence[str], taken: Sequence[str]) -> list[str]:
    if len(queries) == 1 and "query" not in taken:
        return ["query"]
    ids = [_id_of(query) for query in queries]
    counts, others = Counter(ids), frozenset(taken)
    # Where two are alike, all of them get a digest, so that no id depends on the order of the others.
    return [
        f"{event_id}-{crc32(query.encode()):08x}" if counts[event_id] > 1 or event_id in others else event_id
        for event_id, query in zip(ids, queries, strict=True)
    ]


def _id_of(query: str) -> str:
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", query).casefold())
    event_id = ""
    for word in words:
        longer = f"{event_id}-{word}" if event_id else word[:_ID_LENGTH]
        if len(longer) > _ID_LENGTH:
            break
        event_id = longer
    return event_id or "query"


def _unknown(name: str, topics: Sequence[Event]) -> UsageError:
    from difflib import get_close_matches

    ids = [event.id for event in topics]
    close = get_close_matches(name, ids, 1, 0.5)
    expected = ", ".join(ids[:30]) if ids else "none: the streams come without topics"
    return UsageError(
        f"found event {name!r}, expected the path of an event file, `all`, or one of: {expected}"
        + (f"; did you mean {close[0]}?" if close else "")
    )
