"""TREC Temporal Summarization topics: the XML of 2013 to 2015, read without entities or document types.

Irregularities that are read: `<start>…</end>`, empty elements (masked topics), missing elements, tracked
values of 2013 (deaths and the like), any order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.parsers import expat

from tidings.core import (
    LATEST_TIME,
    TREC_ATTRIBUTES,
    Event,
    FormatError,
    LimitError,
    Problems,
    ValueUpdate,
    bare_event_id,
    open_bytes,
    quote_value,
    source_name,
    write_bytes,
)

"""The end time of an event that has none: the last second of the year 9999."""

MOST_BYTES = 64 << 20  # of a file of topics
_DEPTH = 32  # of elements within each other
_MIXED_UP = re.compile(rb"<(start|end)>([^<>]*)</(start|end)>")
_VALUES = {"locations" if name == "location" else name: name for name in TREC_ATTRIBUTES}
_MEND = "remove it; topics need none"


class _Topic:
    """What was found in one `<event>`."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.texts: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.values: list[tuple[str, int, dict[str, str]]] = []


class _Reader:
    """Collects the topics of one file from the parser's calls."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.topics: list[_Topic] = []
        self._parts: list[str] = []
        self._path: list[str] = []
        self._topic: _Topic | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartElementHandler = self._open
        self.parser.EndElementHandler = self._close
        self.parser.CharacterDataHandler = self._parts.append

    def refuse(self, found: str, expected: str, mend: str) -> FormatError:
        return FormatError.of(self.name, self.parser.CurrentLineNumber, found, expected, mend)

    def _doctype(self, *_: object) -> None:
        raise self.refuse("a document type (DOCTYPE)", "plain XML without one", _MEND)

    def _entity(self, *_: object) -> None:
        raise self.refuse("an entity declaration", "plain XML without one", _MEND)

    def _open(self, tag: str, _: object) -> None:
        tag = tag.lower()
        self._path.append(tag)
        if len(self._path) > _DEPTH:
            raise self.refuse(f"elements {_DEPTH} deep", "topics", "check that this is the right file")
        if len(self._path) == 1 and tag not in ("events", "event", "topics"):
            raise self.refuse(
                f"<{tag}>", "<events>, the topics of a TREC track", "check that this is the right file"
            )
        if tag == "event" and self._topic is None:
            self._topic = _Topic(self.parser.CurrentLineNumber)
        elif tag == "value" and self._topic is not None and len(self._path) > 1:
            kind = next((above for above in self._path if above in _VALUES), "")
            self._topic.values.append((kind, self.parser.CurrentLineNumber, {}))
        self._parts.clear()

    def _close(self, tag: str) -> None:
        tag = self._path.pop()
        text = " ".join("".join(self._parts).split())
        self._parts.clear()
        topic = self._topic
        if topic is None:
            return
        above = self._path[-1] if self._path else ""
        if tag == "event" and "event" not in self._path:
            self.topics.append(topic)
            self._topic = None
        elif above == "event":
            topic.texts.setdefault(tag, text)
            topic.lines.setdefault(tag, self.parser.CurrentLineNumber)
        elif "value" in self._path and topic.values:
            topic.values[-1][2][tag] = text


def read_topics(
    path: str | Path, *, problems: Problems | None = None, notes: list[str] | None = None
) -> list[Event]:
    """The events of a topics file, in file order, with ids as written there (`11`).

    A topic whose times are masked (empty) is open: from 0 to the end of the year 9999.

    Raises:
        FormatError: not XML, a document type or entity (none is expanded), or topics with missing or bad fields.
        LimitError: more than 64 MiB.
    """
    return read_topics_and_values(path, problems=problems, notes=notes)[0]


def read_topics_and_values(
    path: str | Path, *, problems: Problems | None = None, notes: list[str] | None = None
) -> tuple[list[Event], list[ValueUpdate]]:
    """As `read_topics`, with the tracked values that the topics of 2013 may list."""
    collected = Problems() if problems is None else problems
    name = source_name(path)
    reader = _parse(_bytes(path, name, notes), name)
    events: dict[str, Event] = {}
    values: list[ValueUpdate] = []
    for topic in reader.topics:
        event = _event(topic, name, collected)
        if event is None:
            continue
        if event.id in events:
            collected.add(
                name, topic.line, f"topic {quote_value(event.id)} a second time", "each once", "remove one"
            )
            continue
        if event.end_time is None and notes is not None:
            notes.append(f"{name}:{topic.line}: topic {event.id} has no times (masked); it was taken as open")
        events[event.id] = event
        values += _values(topic, event.id, name, collected)
    if not reader.topics:
        collected.add(name, 0, "no <event>", "topics: <events><event>…", "check that this is the right file")
    collected.check()
    return list(events.values()), values


def _bytes(path: str | Path, name: str, notes: list[str] | None) -> bytes:
    with open_bytes(path) as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise LimitError(f"{name}: more than {MOST_BYTES >> 20} MiB; no file of topics is so large")
    if not data.strip():
        raise FormatError.of(name, 0, "an empty file", "topics: <events><event>…")
    mixed_up = 0

    def mend(tag: re.Match[bytes]) -> bytes:
        nonlocal mixed_up
        opened, text, closed = tag.groups()
        mixed_up += opened != closed
        return b"<%b>%b</%b>" % (opened, text, opened)

    data = _MIXED_UP.sub(mend, data)
    if mixed_up and notes is not None:
        notes.append(
            f"{name}: {mixed_up} elements open as <start> or <end> and close as the other; the opening counts"
        )
    return data


def _parse(data: bytes, name: str) -> _Reader:
    reader = _Reader(name)
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        fault = f"something else than XML ({expat.ErrorString(error.code)})"
        mend = "check that this is the right file"
        if data.lstrip()[:1] == b"<":
            fault = f"bad XML ({expat.ErrorString(error.code)})"
            mend = "correct it there"
            if error.code == expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]:
                mend = "perhaps a bare & or <, or letters in an encoding that the first line does not declare"
        raise FormatError.of(name, error.lineno, fault, "the topics of a TREC track", mend) from None
    except (LookupError, ValueError) as error:
        raise reader.refuse(f"an encoding that is not known ({error})", "UTF-8", "save it as UTF-8") from None
    return reader


def _event(topic: _Topic, name: str, problems: Problems) -> Event | None:
    texts = topic.texts
    before = problems.count
    if not texts.get("id"):
        problems.add(name, topic.line, "an <event> without <id>", "an id")
    times: list[int | None] = []
    for tag in ("start", "end"):
        text = texts.get(tag, "")
        line = topic.lines.get(tag, topic.line)
        time = _seconds(text) if text else None
        if text and time is None:
            problems.add(name, line, f"<{tag}> {quote_value(text)}", "whole seconds since 1970 (UTC)")
        times.append(time)
    start, end = times
    if problems.count == before and start is not None and end is not None and start > end:
        problems.add(name, topic.line, f"an event from {start} to {end}", "a start before the end")
    if problems.count > before:
        return None
    return Event(
        id=texts["id"],
        title=texts.get("title", ""),
        query=texts.get("query", ""),
        start_time=start,
        end_time=end,
        type=texts.get("type", ""),
        description=texts.get("description", ""),
    )


def _seconds(text: str) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) < 15):
        return None
    return int(text) if int(text) <= LATEST_TIME else None


def _values(topic: _Topic, event_id: str, name: str, problems: Problems) -> list[ValueUpdate]:
    values = []
    for kind, line, texts in topic.values:
        attribute = _VALUES.get(kind)
        if attribute is None:
            continue
        wanted = ("latitude", "longitude") if attribute == "location" else ("count",)
        time = _seconds(texts.get("time", ""))
        try:
            numbers = tuple(float(texts[tag]) for tag in wanted)
            if time is None or not all(abs(number) < 1e18 for number in numbers):
                raise ValueError(texts)
        except (KeyError, ValueError):
            fault = f"a value of <{kind}> with {quote_value(', '.join(f'{tag} {text}' for tag, text in texts.items()))}"
            problems.add(name, line, fault, f"<{'>, <'.join(wanted)}> and <time> as numbers")
            continue
        values.append(ValueUpdate(event_id, time, attribute, numbers))
    return values


def write_topics(path: str | Path, events: Iterable[Event], values: Sequence[ValueUpdate] = ()) -> None:
    """Write a topics file as TREC does: ids without the track's prefix, open times as empty elements."""
    lines = ['<?xml version="1.0" encoding="UTF-8" ?>', "<events>"]
    for event in events:
        fields = {
            "id": bare_event_id(event.id),
            "title": event.title,
            "description": event.description,
            "start": "" if event.start_time is None else str(event.start_time),
            "end": "" if event.end_time is None else str(event.end_time),
            "query": event.query,
            "type": event.type,
        }
        lines.append("  <event>")
        lines += [f"    <{tag}>{_escape(text)}</{tag}>" for tag, text in fields.items()]
        lines += _value_lines([value for value in values if value.event_id == event.id])
        lines.append("  </event>")
    lines.append("</events>")
    write_bytes(path, ("\n".join(lines) + "\n").encode("utf-8", "replace"))


def _value_lines(values: Sequence[ValueUpdate]) -> list[str]:
    lines = []
    for kind, attribute in _VALUES.items():
        mine = [value for value in values if value.attribute == attribute]
        if not mine:
            continue
        lines.append(f"    <{kind}>")
        tags = ("latitude", "longitude") if attribute == "location" else ("count",)
        inner = "<location>{}</location>" if attribute == "location" else "{}"
        for value in mine:
            numbers = "".join(
                f"<{tag}>{number:.15g}</{tag}>" for tag, number in zip(tags, value.value, strict=False)
            )
            lines.append("      " + inner.format(f"<value>{numbers}<time>{value.time}</time></value>"))
        lines.append(f"    </{kind}>")
    return lines


def _escape(text: str) -> str:
    # XML 1.0 has no way to hold control characters. (The standard library's escape would load its web client.)
    printable = "".join(char if char >= " " or char in "\t\n" else " " for char in text)
    return printable.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
