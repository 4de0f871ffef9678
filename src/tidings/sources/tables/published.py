"""Articles of published collections: streams of CrisisFACTS, and Timeline17."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tidings.core import (
    Content,
    FormatError,
    Item,
    Notes,
    ReadingOptions,
    TidingsError,
    UsageError,
    decode_mixed,
    find,
    is_folder,
    is_there,
    is_url,
    nothing_there,
    plain_name,
)
from tidings.sources.registry import item_reader
from tidings.sources.tables.cells import line_of, plain, stated_time, text_of
from tidings.sources.tables.fields import simple
from tidings.sources.tables.json_items import objects_of_lines, read_json_lines

_IDS = ("streamid", "docid", "docno", "id")
_TIMES = ("unixtimestamp", "timestamp")
_NUMBERED = re.compile(r"(.+-\w+-\d+)-(\d{1,9})")
_MOST_OPEN = 1000  # documents of one moment that wait for more sentences
_MOST_SENTENCES = 10_000  # numbered ones of a document, between which gaps are filled


def is_stream(keys: list[str]) -> bool:
    """Whether a line with these keys is of such a stream.

    >>> is_stream(["event", "streamID", "unixTimestamp", "text", "sourceType"]), is_stream(["id", "time", "text"])
    (True, False)
    """
    names = set(map(simple, keys))
    return (
        "text" in names and "unixtimestamp" in names and "sourcetype" in names and not names.isdisjoint(_IDS)
    )


@item_reader
def read_crisisfacts_stream(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The documents of a stream, in its order; sentences of a document stand near each other and have one time.

    Raises:
        FormatError: no line is of such a stream.
    """
    open_documents: dict[str, _Parts] = {}
    time: Any = None
    empty = True
    for number, line in objects_of_lines(content, notes):
        fields = {simple(key): value for key, value in line.items()}
        key = next((text for name in _IDS if (text := text_of(fields.get(name)).strip())), "")
        stated = next((fields[name] for name in _TIMES if fields.get(name) is not None), None)
        if not key or "text" not in fields:
            notes.drop(f"{content.name}:{number}", "no id and text of a stream")
            continue
        empty = False
        if stated != time or len(open_documents) >= _MOST_OPEN:
            yield from (parts.item() for parts in open_documents.values())
            open_documents.clear()
            time = stated
        match = _NUMBERED.fullmatch(key)
        document, sentence = (match[1], int(match[2])) if match else (key, 0)
        parts = open_documents.get(document)
        if parts is None:
            outlet = text_of(fields.get("sourcetype"))
            parts = open_documents[document] = _Parts(f"{content.name}:{number}", document, outlet, stated)
        parts.sentences[sentence] = line_of(text_of(fields["text"]))
    yield from (parts.item() for parts in open_documents.values())
    if empty:
        expected = "a post or sentence a line: streamID, unixTimestamp, sourceType, text"
        raise FormatError.of(content.name, 0, "no line of a CrisisFACTS stream", expected)


class _Parts:
    # The sentences of one document, as far as they have come.

    def __init__(self, origin: str, document: str, outlet: str, stated: Any) -> None:
        self.origin, self.document, self.outlet, self.stated = origin, document, outlet, stated
        self.sentences: dict[int, str] = {}

    def item(self) -> Item:
        # A sentence keeps its number: what is missing between them is blank.
        numbers = sorted(self.sentences)
        every = range(numbers[-1] + 1) if numbers[-1] < _MOST_SENTENCES else numbers
        return Item(
            origin=self.origin,
            id=self.document,
            source=self.outlet,
            sentences=tuple(self.sentences.get(number, "") for number in every),
            published=stated_time(self.stated),
        )


_DAY = re.compile(r"(?:19|20)\d\d-\d\d-\d\d")
_ENDINGS = (".cont", ".txt")
_MOST_LOOKED_AT = 2000  # folders of a collection
_TOKENIZED = re.compile(r" [.?!]['\"`)]*\s*(?:\n|$)")


def is_collection(folder: str | Path) -> bool:
    """Whether a folder holds articles of Timeline17: of one topic, or of several in folders of their own."""
    place = Path(folder)
    if not is_folder(place):
        return False
    return any(_day_folders(topic, shallow=True) or find(topic, "articles.jsonl") for topic in _topics(place))


@item_reader
def read_timeline17(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The articles of a folder of topics, of a topic, or of its articles.jsonl, with their sentences as cut there.

    Raises:
        UsageError: no such folder.
        FormatError: no article in it.
    """
    place = Path(content.path or "")
    if content.data is not None or not is_folder(place):
        if content.data is None and (is_url(place) or not is_there(place)):
            raise nothing_there(content.name, "file or folder")
        yield from _with_sentences(read_json_lines(content, options=options, notes=notes))
        return
    empty = True
    for topic in _topics(place):
        for item in _articles(topic, options, notes):
            empty = False
            yield item
    if empty:
        expected = "TOPIC/InputDocs/DATE/*.htm.cont or TOPIC/articles.jsonl"
        broken = f" but {notes.examples[-1][0]}: {notes.examples[-1][1]}" if notes.examples else ""
        raise FormatError.of(content.name, 0, f"no article{broken}", expected)


def _topics(place: Path) -> list[Path]:
    # The folder itself, and those in it and in its `Data`.
    topics = [place]
    for folder in (place, place / "Data"):
        if folder.is_dir():
            topics += sorted(path for path in list(folder.iterdir())[:_MOST_LOOKED_AT] if path.is_dir())
    return topics if not (place / "InputDocs").is_dir() else [place]


def _day_folders(topic: Path, shallow: bool = False) -> list[Path]:
    # Folders named by days: in InputDocs of any files, else only where the collection's own ending is seen.
    inputs = topic / "InputDocs"
    folder = inputs if inputs.is_dir() else topic
    days = sorted(path for path in folder.iterdir() if _DAY.fullmatch(path.name) and path.is_dir())
    if folder is topic:
        looked = days[:3] if shallow else days
        days = [day for day in looked if any(_is_article(file, ".cont") for file in day.iterdir())]
    return days


def _is_article(file: Path, *endings: str) -> bool:
    return plain_name(file).lower().endswith(endings or _ENDINGS) and file.is_file()


def _articles(topic: Path, options: ReadingOptions | None, notes: Notes) -> Iterator[Item]:
    lines = find(topic, "articles.jsonl")
    days = _day_folders(topic)
    for day in days:
        for file in sorted(path for path in day.iterdir() if _is_article(path)):
            item = _article(file, f"{day.name}-{plain_name(file).partition('.')[0]}", day.name, notes)
            if item is not None:
                yield item
    if lines is not None and not days:
        try:
            yield from _with_sentences(read_json_lines(lines, options=options, notes=notes))
        except UsageError:
            raise
        except TidingsError as error:
            notes.drop(str(lines), str(error).partition("\n")[0][:200])


def _article(file: Path, key: str, day: str, notes: Notes) -> Item | None:
    try:
        data = Content(str(file), path=file).read()
    except TidingsError as error:
        notes.drop(str(file), str(error).partition(": ")[2][:200] or "a file that cannot be read")
        return None
    if b"\0" in data:
        notes.drop(str(file), "binary data")
        return None
    text, _ = decode_mixed(data)
    sentences = tuple(sentence for line in text.splitlines() if (sentence := line_of(line)))
    if not sentences:
        notes.drop(str(file), "no text")
        return None
    return Item(origin=str(file), id="-".join(key.split()), sentences=sentences, published=day)


def _with_sentences(items: Iterable[Item]) -> Iterator[Item]:
    # A text of tokens apart by blanks was cut already: a sentence a line.
    import msgspec

    for item in items:
        lines = [line for line in plain(item.text).split("\n") if line.strip()]
        cut = len(_TOKENIZED.findall(item.text))
        if len(lines) > 1 and cut * 2 > len(lines):
            yield msgspec.structs.replace(item, text="", sentences=tuple(map(line_of, lines)))
        else:
            yield item
