"""The sources of a run: each stream opened once, under the name that messages and the run call it by."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tidings.core import Document, Place, Problems, ReadingOptions, UsageError
from tidings.following.hosting.settings import absolute_name
from tidings.following.stream import Source
from tidings.sources import Order, Outlook, look_ahead

if TYPE_CHECKING:
    from tidings.sources import Reading

__all__ = [
    "Repeats",
    "check_streams",
    "choice_of",
    "is_live",
    "open_source",
    "open_sources",
    "read_any",
    "refuse_url",
]

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
            f"{name}: found a URL as {what}, expected a file or folder; of URLs only those of feeds and pages "
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
            raise UsageError(
                f"found {stream} as a stream more than once, expected once; it can be read only once"
            )


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
    return [together, *(open_source(one, pool, problems, reading) for one in streams if one not in foreign)]


def open_source(stream: str, pool: str, problems: Problems, reading: ReadingOptions | None = None) -> Source:
    """The source that a path names; its documents are read when it is first asked for them."""
    from tidings.following.stream.live import as_it_comes
    from tidings.sources import Pile, is_foreign, open_reading, read_documents, read_stream_places

    name = absolute_name(stream)
    zone = "" if reading is None else reading.zone
    if not is_live(stream) and is_foreign(stream):
        pile = open_reading([stream], reading, problems=problems, pool=pool)
        return Source(name, lambda: _with_a_word(name, pile), gathered=lambda: pile.items)
    if is_live(stream):
        # A pipe has no name that tells its format, and a pool cannot be told before all of it is there.
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
    return replace(source, pile=lambda: Pile(expected_bytes=_size_of(stream)), look=_looking(stream, zone))


def _with_a_word(name: str, pile: Reading) -> Iterator[Document | None]:
    """The documents of files of others; where there are none, and something was left out, that is remarked."""
    is_empty = True
    for document in pile.steps():
        is_empty = is_empty and document is None
        yield document
    if is_empty and pile.left_out:
        pile.problems.remark(f"{name}: found no document ({pile.left_out})")


def _has_documents(stream: str) -> bool:
    """Whether a stream is a file of documents, or a folder that holds one."""
    from tidings.core import find, is_folder, is_jsonl

    return is_jsonl(stream) or (is_folder(stream) and find(Path(stream), "documents.jsonl") is not None)


def _looking(stream: str, zone: str) -> Callable[[Order], Outlook | None]:
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

        return replace(source, open=lambda: self.noting(source.name, source.open()), open_at=open_at)

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
