"""The sources of a run, each opened once under the name that messages use, and the events that are followed in them."""

from __future__ import annotations

import dataclasses
import re
import sys
import threading
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from queue import Empty, Queue
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

from msgspec.structs import replace

from tidings.core import (
    DAY_S,
    Document,
    Event,
    Place,
    Problems,
    ReadingOptions,
    UsageError,
    analyzer_of,
    bare_event_id,
    check_code,
    shared_analyzer,
)
from tidings.following.hosting.settings import absolute_name
from tidings.sources import Order, Outlook, Source, look_ahead

if TYPE_CHECKING:
    from tidings.sources import Reading


_Item = TypeVar("_Item", bound=Document | Place | None)

_WEB = re.compile(r"https?://", re.IGNORECASE)
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def is_live(stream: str) -> bool:
    """Whether a stream can be read only once: standard input, a pipe, a device."""
    from tidings.core import is_regular

    return stream == "-" or (not Path(stream).is_dir() and Path(stream).exists() and not is_regular(stream))


def refuse_url(name: str, what: str) -> None:
    """Raise UsageError where a URL stands for `what` is to be read."""
    if _URL.match(name):
        raise UsageError(
            f"{name}: a URL as {what} (expected a file or folder); of URLs only those of feeds and pages "
            "(http://, https://) are read, as streams: download it, or pipe a stream in and call it -"
        )


def check_streams(streams: Sequence[str]) -> None:
    """Raise UsageError for a stream that cannot be read: a URL, one that is not there, a live one named twice."""
    for stream in streams:
        if _WEB.match(stream):
            continue
        refuse_url(stream, "a stream")
        if stream != "-" and not Path(stream).exists():
            raise UsageError(f"{stream}: there is no such file or folder; check the name of the stream")
        if streams.count(stream) > 1 and is_live(stream):
            raise UsageError(f"{stream} as a stream more than once (expected once); it can be read only once")


def read_any(
    stream: str, pool: str, problems: Problems | None, reading: ReadingOptions | None = None
) -> Iterable[Document]:
    """The documents of a path of any kind: a stream, or files of others, understood as `reading` asks."""
    from tidings.sources import is_foreign, open_reading, read_stream

    if not is_live(stream) and is_foreign(stream):
        return open_reading([stream], reading, problems=problems, pool=pool)
    return read_stream(stream, pool=pool, problems=problems, zone="" if reading is None else reading.zone)


def open_sources(
    streams: Sequence[str], pool: str, problems: Problems, reading: ReadingOptions | None = None
) -> list[Source]:
    """A source for each stream; those of other people's formats are one, as the same item may stand in several."""
    from tidings.sources import is_foreign, open_reading

    foreign = [stream for stream in streams if not is_live(stream) and is_foreign(stream)]
    if len(foreign) < 2:
        return [open_source(stream, pool, problems, reading) for stream in streams]
    pile = open_reading(foreign, reading, problems=problems, pool=pool)
    named = ", ".join(map(absolute_name, foreign))
    together = Source(named, lambda: _with_a_word(named, pile), gathered=lambda: pile.items)
    return [
        together,
        *(open_source(stream, pool, problems, reading) for stream in streams if stream not in foreign),
    ]


def open_source(stream: str, pool: str, problems: Problems, reading: ReadingOptions | None = None) -> Source:
    """The source that a path names; its documents are read when it is first asked for them."""
    from tidings.sources import Pile, is_foreign, open_reading, read_documents, read_stream_places

    name = absolute_name(stream)
    zone = "" if reading is None else reading.zone
    if not is_live(stream) and is_foreign(stream):
        pile = open_reading([stream], reading, problems=problems, pool=pool)
        return Source(name, lambda: _with_a_word(name, pile), gathered=lambda: pile.items)
    if is_live(stream):
        # A pipe has no name that says its format, and a pool is not known before all of it is there.
        return Source(
            name, lambda: as_it_comes(lambda: read_documents(stream, problems=problems, zone=zone)), live=True
        )
    source = Source(
        name,
        lambda: read_stream_places(stream, pool=pool, problems=problems, zone=zone) or (),
        open_at=lambda cursor: read_stream_places(
            stream, cursor=cursor, pool=pool, problems=problems, zone=zone
        ),
    )
    if not _has_documents(stream):
        return source  # a pool is in order
    return dataclasses.replace(
        source, pile=lambda: Pile(expected_bytes=_size_of(stream)), look=_make_outlook(stream, zone)
    )


def _with_a_word(name: str, pile: Reading) -> Iterator[Document | None]:
    """The documents of files of others; where there are none, and something was left out, that is remarked."""
    is_empty = True
    for document in pile.steps():
        is_empty = is_empty and document is None
        yield document
    if is_empty and pile.left_out:
        pile.problems.remark(f"{name}: no document ({pile.left_out})")


def _has_documents(stream: str) -> bool:
    """Whether a stream is a file of documents, or a folder that holds one."""
    from tidings.core import find, is_folder, is_jsonl

    return is_jsonl(stream) or (is_folder(stream) and find(Path(stream), "documents.jsonl") is not None)


def _make_outlook(stream: str, zone: str) -> Callable[[Order], Outlook | None]:
    """Looks ahead in a file of documents; what was seen from one place is remembered."""
    from tidings.sources import read_stream_times

    @lru_cache(maxsize=1)
    def look(order: Order) -> Outlook | None:
        times = read_stream_times(stream, cursor=order.place, zone=zone)
        return None if times is None else look_ahead(times, order)

    return look


def _size_of(stream: str) -> int:
    """How many bytes the documents of a file or folder take, where it is not packed; 0 where that is not known."""
    from tidings.core import compression_of
    from tidings.sources import document_file

    file = document_file(stream)
    return Path(file).stat().st_size if file is not None and not compression_of(file) else 0


def choice_of(streams: Sequence[str]) -> str:
    """What a run of these streams chooses from: `pool` as soon as one of them is a pool, else `corpus`.

    >>> choice_of(["news.jsonl", "-"]), choice_of(["updates_sampled.tsv.gz"]), choice_of([])
    ('corpus', 'pool', '')
    """
    from tidings.core import is_jsonl
    from tidings.sources import document_parts, is_foreign, is_own_folder

    def is_whole(stream: str) -> bool:
        own = is_live(stream) or is_jsonl(stream) or is_own_folder(stream)
        return own or bool(document_parts(stream)) or is_foreign(stream)

    choices = {"corpus" if is_whole(stream) else "pool" for stream in streams}
    return "pool" if "pool" in choices else "corpus" if choices else ""


class Repeats:
    """Counts documents that have the id of another one, but other words: of two such updates one cannot be named.

    The last 100,000 ids are remembered, so that memory stays flat.

    >>> one, two = Document(id="d", published_time=1, text="A fire."), Document(id="d", published_time=2, text="Out.")
    >>> repeats = Repeats()
    >>> len(list(repeats.watch(Source("news", lambda: [one, two, two])).open()))
    3
    >>> repeats.count, repeats.examples
    (1, [('news', 'd')])
    """

    _REMEMBERED = 100_000
    _LISTED = 3

    def __init__(self) -> None:
        self.count = 0
        self.examples: list[tuple[str, str]] = []

    def watch(self, source: Source) -> Source:
        """The same source, with its ids noted as they come."""
        reopen = source.open_at

        def open_at(cursor: bytes) -> Iterator[Document | Place | None] | None:
            rest = None if reopen is None else reopen(cursor)
            return None if rest is None else self.noting(source.name, rest)

        return dataclasses.replace(
            source, open=lambda: self.noting(source.name, source.open()), open_at=open_at
        )

    def noting(self, name: str, documents: Iterable[_Item]) -> Iterator[_Item]:
        """The same documents, those of the source of that name, with their ids noted as they come."""
        words_of: OrderedDict[int, int] = OrderedDict()  # a dict finds its first key ever more slowly
        for document in documents:
            if isinstance(document, Document):
                key = hash(document.id)
                words = hash((document.text, *[sentence.text for sentence in document.sentences]))
                before = words_of.pop(key, words)
                words_of[key] = words
                if before != words:
                    self.count += 1
                    if len(self.examples) < self._LISTED:
                        self.examples.append((name, document.id))
                elif len(words_of) > self._REMEMBERED:
                    words_of.popitem(last=False)
            yield document


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
                    f"{streams[0] if len(streams) == 1 else f'{len(streams)} sources'}: no topics there; name an event "
                    "file with --event, or words to look for with --query"
                )
        elif Path(name).exists():
            matches = read_events(name)
        else:
            matches = [event for event in topics if name in (event.id, bare_event_id(event.id))]
            if not matches:
                raise _unknown(name, topics)
        for event in matches:
            if events.setdefault(event.id, event) != event:
                raise UsageError(f"two different events called {event.id!r} (expected different ids)")
    return list(events.values())


def check_words(queries: Sequence[str]) -> None:
    """Raise UsageError for a query without a word to look for: it would match nothing, or everything.

    >>> check_words(["the of"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: --query 'the of' (expected at least one word to look for); ...
    """
    for query in queries:
        if query.strip() and not shared_analyzer(_LANGUAGE).stems(query):
            raise UsageError(
                f"--query {query!r} (expected at least one word to look for); punctuation and `the` do not count"
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
        raise UsageError("--languages without a language (expected codes of ISO 639-1, such as de,fr)")
    for event in events:
        text = event.query or event.title
        if not any(analyzer_of(code).stems(text) for code in codes):
            raise UsageError(
                f"event {event.id!r} whose query {text!r} has no word to look for in {', '.join(codes)} (expected one)"
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
            f"{len(titles)} --title for {len(queries)} --query (expected one for each, in the same order)"
        )
    for option, texts in (("--query", queries), ("--title", titles)):
        for text in texts:
            if not text.strip():
                raise UsageError(f"an empty {option} (expected words to look for)")
            check_text(option, text)
    if start is not None and end is not None and start > end:
        raise UsageError(f"--start {start} after --end {end} (expected it before)")
    twice = next((query for query, count in Counter(queries).items() if count > 1), None)
    if twice is not None:
        raise UsageError(f"--query {twice!r} twice (expected different ones)")
    return [
        Event(id=event_id, title=title, query=query, start_time=start, end_time=end)
        for event_id, title, query in zip(_query_ids(queries, taken), titles or queries, queries, strict=True)
    ]


_LAST = ("--end", "--at")


def event_time(text: str | None, option: str) -> int | None:
    """The moment that an option says, in seconds UTC: whole seconds, or a date as people write it; None for none.

    A time without a zone is UTC; a day alone is its first second, and of `--end` and `--at` its last.

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
            return time if fields.has_time or option not in _LAST else time + DAY_S - 1
        mend = f"; {error.mend}" if error.mend else ""
        raise UsageError(f"{error.found} (expected {error.expected}{mend})") from None


def check_text(option: str, text: str) -> None:
    """Raise UsageError for an argument that holds bytes that are not UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        shown = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        raise UsageError(f"{option} {shown!r} with bytes that are not UTF-8 (expected text)") from None


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
        f"event {name!r} (expected the path of an event file, `all`, or one of: {expected})"
        + (f"; did you mean {close[0]}?" if close else "")
    )


_WAITING = 1000  # documents read ahead
_TICK_S = 0.1  # between looks for whether to stop


class _End:
    """The last thing in the queue: the stream ended, or reading it failed."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def as_it_comes(open_documents: Callable[[], Iterable[Document]]) -> Iterator[Document | None]:
    """Documents as they arrive, and None whenever (and every 0.1 s while) nothing is waiting.

    A thread reads ahead by at most 1,000 documents, so that the caller learns when there is nothing to
    do and can commit what it has. An error of the reading is raised here, after all that came before it.
    """
    queue: Queue[Document | _End] = Queue(_WAITING)

    def read() -> None:
        # The process may end while this thread waits for input. Python would then try to close standard
        # input, and die because the thread is using it; what the thread holds is not closed.
        held = sys.stdin  # noqa: F841
        try:
            for document in open_documents():
                queue.put(document)
        except BaseException as error:  # noqa: BLE001 - handed over to the thread that asked
            queue.put(_End(error))
        else:
            queue.put(_End())

    threading.Thread(target=read, name="tidings-live", daemon=True).start()
    while True:
        try:
            item = queue.get_nowait()
        except Empty:
            yield None
            try:
                item = queue.get(timeout=_TICK_S)
            except Empty:
                continue
        if isinstance(item, _End):
            if item.error is not None:
                raise item.error
            return
        yield item
