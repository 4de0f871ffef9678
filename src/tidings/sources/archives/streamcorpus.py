"""The StreamCorpus chunks of TREC KBA, on which the Temporal Summarization tracks ran: one StreamItem a document."""

from __future__ import annotations

import html
import io
import math
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from msgspec.structs import replace

from tidings.core import (
    LIMITS,
    Content,
    FormatError,
    Item,
    LimitError,
    Notes,
    Problem,
    ReadingOptions,
    Unpacked,
    as_content,
    open_raw,
    sniff,
)
from tidings.sources.archives.decryption import decrypted
from tidings.sources.archives.thrift_items import DamagedItemError, read_structs, schema
from tidings.sources.recognition import recognise

__all__ = ["TAGGERS", "read_streamcorpus"]

TAGGERS = ("serif", "lingpipe")
"""Whose sentences are taken, the first that cut the text; else those of the tagger whose name comes first."""

_BYTES, _CHARS = 1, 2
_NO_BLANK_BEFORE = frozenset(".,;:!?)]}%'’”")
_NO_BLANK_AFTER = frozenset("([{$“‘")


def read_streamcorpus(
    source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
) -> Iterator[Item]:
    """The items of a chunk, in its order: `.sc`, packed as `.sc.xz` or `.sc.gz`, encrypted as `.sc.xz.gpg`.

    An item's id is its stream_id, its time the stream_time, as the track's runs and judgments name them. Its sentences
    are those of a tagger (see `TAGGERS`), numbered as there; without any, the text is what of the page is visible.

    Raises:
        FormatError: there is no StreamItem in it, or it cannot be decrypted.
        LimitError: it unpacks to more than is taken.
        UsageError: thriftpy2 is not there (the extra `kba`), or gpg, or its key.
    """
    content = as_content(source)
    notes = Notes() if notes is None else notes
    options = options or ReadingOptions()
    number = 0
    try:
        with _opened(content) as file:
            for number, (_, stream_item) in enumerate(read_structs(file, _stream_item()), 1):
                origin = f"{content.name}:{number}"
                item = _item(stream_item, origin, options, notes)
                if item is not None:
                    yield item
    except DamagedItemError as error:
        if not number:
            raise FormatError([Problem(content.name, 0, str(error), "a StreamCorpus chunk")]) from None
        notes.drop(f"{content.name}, byte {error.position:,}", f"{error}, and what follows it")
    except FormatError:
        if not number:
            raise
        notes.drop(f"{content.name}:{number + 1}", "the rest of a chunk that is damaged or stops early")
    else:
        if not number:
            raise FormatError([Problem(content.name, 0, "an empty file", "a StreamCorpus chunk")])


@cache
def _stream_item() -> type[Any]:
    described: type[Any] = schema(Path(__file__).with_suffix(".thrift")).StreamItem
    return described


def _opened(content: Content) -> Unpacked:
    if content.name.lower().endswith(".gpg"):
        raw = decrypted(content)
    elif content.data is not None:
        raw = io.BufferedReader(cast("io.RawIOBase", io.BytesIO(content.data)))
    else:
        raw = open_raw(content.path or "")
    with ExitStack() as opened:
        opened.enter_context(raw)
        unpacked = Unpacked(raw, content.name, sniff(raw.peek(8)[:8]), LIMITS)
        opened.pop_all()
    return unpacked


def _item(stream_item: Any, origin: str, options: ReadingOptions, notes: Notes) -> Item | None:
    time, body = stream_item.stream_time, stream_item.body
    if body is None:
        notes.drop(origin, "an item without a body")
        return None
    published: float | str | None = None
    if time is not None:
        ticks = time.epoch_ticks
        published = ticks if ticks is not None and math.isfinite(ticks) and ticks > 0 else time.zulu_timestamp
    item_id = stream_item.stream_id or ""
    if not item_id and stream_item.doc_id and isinstance(published, float):
        item_id = f"{int(published)}-{stream_item.doc_id}"
    url = (stream_item.abs_url or stream_item.original_url or b"").decode("utf-8", "replace").strip()
    title = (stream_item.other_content or {}).get("title")
    item = Item(
        origin=origin,
        id=item_id,
        title=" ".join(_visible(title).split()) if title is not None else "",
        url=url,
        source=_host(url) or stream_item.source or "",
        language=(body.language.code or "") if body.language is not None else "",
        published=published,
    )
    if sentences := _sentences(body):
        return replace(item, sentences=sentences)
    if text := _visible(body).strip():
        return replace(item, text="\n".join(filter(None, (line.strip() for line in text.splitlines()))))
    return _of_the_page(item, body, options, notes)


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _visible(body: Any) -> str:
    # Blanks stand in it for the markup; of entities only these three are left.
    text = (body.clean_visible or b"").decode("utf-8", "replace")
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _sentences(body: Any) -> tuple[str, ...]:
    tagged = {tagger: cut for tagger, cut in (body.sentences or {}).items() if cut}
    tagger = next((one for one in TAGGERS if one in tagged), min(tagged, default=""))
    if not tagged:
        return ()
    stored = body.clean_visible or b""
    text = stored.decode("utf-8", "replace")
    return tuple(_sentence(one.tokens or [], stored, text) for one in tagged[tagger])


def _sentence(tokens: list[Any], stored: bytes, text: str) -> str:
    words = [token.token or "" for token in tokens]
    whole = html.unescape("".join("".join(words).split()))
    if not whole:
        return ""
    for kind in (_CHARS, _BYTES):
        begin, end = _span(tokens[0], kind), _span(tokens[-1], kind)
        if begin is None or end is None or not begin[0] <= end[1] <= len(stored):
            continue
        cut = (
            text[begin[0] : end[1]]
            if kind == _CHARS
            else stored[begin[0] : end[1]].decode("utf-8", "replace")
        )
        pieces = html.unescape(cut).split()
        # What stands there is taken only if it is these tokens, blanks aside.
        if "".join(pieces) == whole:
            return " ".join(pieces)
    return _joined(words)


def _span(token: Any, kind: int) -> tuple[int, int] | None:
    offset = (token.offsets or {}).get(kind)
    if offset is None or offset.first is None or offset.length is None:
        return None
    if offset.first < 0 or offset.length < 0 or (offset.content_form or "clean_visible") != "clean_visible":
        return None
    return offset.first, offset.first + offset.length


def _joined(words: list[str]) -> str:
    parts: list[str] = []
    for word in words:
        if parts and word and word[0] not in _NO_BLANK_BEFORE and parts[-1][-1:] not in _NO_BLANK_AFTER:
            parts.append(" ")
        parts.append(word)
    return " ".join("".join(parts).split())


def _of_the_page(item: Item, body: Any, options: ReadingOptions, notes: Notes) -> Item | None:
    # The page as it was fetched, where nobody took its text out.
    data = body.clean_html or body.raw or b""
    kind_of = "text/html" if body.clean_html else body.media_type or ""
    page = Content(f"{item.origin}!{item.url}", data=data, url=item.url or item.origin, content_type=kind_of)
    kind = recognise(page) if data else None
    if kind is None or kind.name not in ("page", "text"):
        notes.drop(item.origin, "no text")
        return None
    try:
        read = next(iter(kind.read(page, options=options, notes=notes)), None)
    except (FormatError, LimitError):
        read = None
    if read is None:
        notes.drop(item.origin, "a page that cannot be read")
        return None
    return replace(item, title=item.title or read.title, text=read.text, sentences=read.sentences)
