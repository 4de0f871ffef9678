"""The StreamCorpus chunks of TREC KBA, on which the Temporal Summarization tracks ran: one StreamItem a document."""

from __future__ import annotations

import html
import io
import math
import os
import struct
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, cast
from urllib.parse import urlsplit

from msgspec.structs import replace

from tidings.core import (
    LIMITS,
    Content,
    FormatError,
    Item,
    LimitError,
    Limits,
    Notes,
    ReadingOptions,
    Unpacked,
    UsageError,
    open_raw,
    pip_install,
    sniff,
)
from tidings.sources.recognition import recognise
from tidings.sources.registry import item_reader

_MOST_SECONDS = 300  # for gpg to decrypt one chunk
_IN_MEMORY = 32 << 20  # bytes decrypted in memory; more go to a file
_PIECE = 1 << 18  # bytes of what GnuPG gives, in one step
# Nothing is asked of anyone: no terminal, no dialogue for a passphrase.
_COMMAND = (
    "gpg",
    "--batch",
    "--no-tty",
    "--quiet",
    "--pinentry-mode",
    "error",
    "--status-fd",
    "2",
    "--decrypt",
)


def decrypt(content: Content, limits: Limits = LIMITS) -> io.BufferedReader:
    """The decrypted bytes of a content, as a file that vanishes when it is closed.

    Raises:
        UsageError: there is no gpg, or no key for it.
        FormatError: it is not encrypted, or damaged.
        LimitError: more came out than is taken, or it took longer than 300 s.
    """
    target = cast("BinaryIO", tempfile.SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 whoever reads it closes it
    try:
        _decrypt(content, target, limits)
    except BaseException:
        target.close()
        raise
    target.seek(0)
    return io.BufferedReader(cast("io.RawIOBase", target))


def _decrypt(content: Content, target: BinaryIO, limits: Limits) -> None:
    with _open_packed(content) as source, tempfile.TemporaryFile() as said:
        try:
            environment = {**os.environ, "LC_ALL": "C"}
            process = subprocess.Popen(  # noqa: S603 the words are ours
                _COMMAND, stdin=source, stdout=subprocess.PIPE, stderr=said, env=environment
            )
        except FileNotFoundError:
            raise UsageError(
                f"{content.name}: decrypting it needs gpg; install GnuPG, or decrypt it first"
            ) from None
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(_MOST_SECONDS, stop)
        timer.start()
        try:
            given = 0
            assert process.stdout is not None
            while piece := process.stdout.read(_PIECE):
                given += len(piece)
                if given > limits.max_bytes:
                    raise LimitError(
                        f"{content.name}: more than {limits.max_bytes >> 20:,} MiB came out of it; split it"
                    )
                target.write(piece)
            code = process.wait()
        finally:
            timer.cancel()
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        if late.is_set():
            raise LimitError(f"{content.name}: gpg took longer than {_MOST_SECONDS} s; decrypt it first")
        if code:
            said.seek(0)
            raise _refusal(content.name, said.read(1 << 16))


def _open_packed(content: Content) -> BinaryIO:
    if content.data is None:
        return cast("BinaryIO", open_raw(content.path or ""))
    file = tempfile.TemporaryFile()  # noqa: SIM115 whoever reads it closes it
    file.write(content.data)
    file.seek(0)
    return cast("BinaryIO", file)


def _refusal(name: str, said: bytes) -> UsageError | FormatError:
    if b"NO_SECKEY" in said or b"No secret key" in said:
        return UsageError(
            f"{name}: no key to decrypt it (expected it in the keyring of gpg); import its key with `gpg --import`"
        )
    if b"pinentry" in said.lower() or b"MISSING_PASSPHRASE" in said:
        return UsageError(
            f"{name}: its key needs a passphrase, which cannot be entered here; decrypt it first"
        )
    mend = "the copy or download stopped early, or the file is damaged: fetch it again"
    return FormatError.of(name, 0, "what gpg cannot decrypt", "an encrypted file", mend)


MOST_ITEM = 64 << 20
"""Bytes of one struct."""

_MOST_PARTS = 4_000_000  # values within one item
_MOST_DEPTH = 32  # structs within structs
_READ = 1 << 20  # bytes of a chunk, at least, in one step
_FIXED = {2: 1, 3: 1, 4: 8, 6: 2, 8: 4, 10: 8}
_NUMBERS = {
    2: struct.Struct(">?"),
    3: struct.Struct(">b"),
    4: struct.Struct(">d"),
    6: struct.Struct(">h"),
    8: struct.Struct(">i"),
    10: struct.Struct(">q"),
}
_STRING, _STRUCT, _MAP, _SET, _LIST, _BINARY = 11, 12, 13, 14, 15, 18  # Thrift's numbers of these types
_KINDS = frozenset({*_FIXED, _STRING, _STRUCT, _MAP, _SET, _LIST})
_SIZE = _NUMBERS[8].unpack_from


class DamagedItemError(Exception):
    """What stands there is no struct of this kind, or goes beyond the limits; `position` is where it begins."""

    def __init__(self, found: str, position: int) -> None:
        super().__init__(found)
        self.position = position


class _MoreError(Exception):
    """The struct goes on after what was read."""


def schema(path: Path) -> Any:
    """The classes of a `.thrift` file.

    Raises:
        UsageError: thriftpy2 is not there.
    """
    try:
        import thriftpy2
    except ImportError:
        raise UsageError(f"StreamCorpus needs thriftpy2. Run: {pip_install('[kba]')}") from None
    return thriftpy2.load(str(path), module_name=f"{path.stem}_thrift")


def read_structs(file: BinaryIO | io.RawIOBase, of: type[Any]) -> Iterator[tuple[int, Any]]:
    """Each struct of a file with the byte where it begins.

    Raises:
        DamagedItemError: at the first that cannot be read; where the next one begins cannot be known.
    """
    reader = _Reader(of)
    data, at, begin = b"", 0, 0
    pieces = _Pieces(file)
    while True:
        try:
            read, end = reader.read(data, at)
        except _MoreError:
            if pieces.ended:
                if at == len(data):
                    return
                raise DamagedItemError("an item that is cut short", begin + at) from None
            data, begin, at = data[at:], begin + at, 0
            if len(data) > MOST_ITEM:
                found = f"an item of more than {MOST_ITEM >> 20} MiB"
                raise DamagedItemError(found, begin) from None
            data += pieces.read(max(_READ, len(data)))
        except ValueError as error:
            raise DamagedItemError(str(error), begin + at) from None
        else:
            yield begin + at, read
            at = end


class _Pieces:
    """A file read in pieces as large as asked for; what came before damage is given before the damage is said."""

    def __init__(self, file: BinaryIO | io.RawIOBase) -> None:
        self._file = file
        self._damage: FormatError | None = None
        self.ended = False

    def read(self, size: int) -> bytes:
        parts: list[bytes] = []
        read = 0
        if self._damage is not None:
            raise self._damage
        while read < size:
            try:
                part = self._file.read(size - read) or b""
            except FormatError as error:
                self._damage = error
                if not parts:
                    raise
                break
            self.ended = not part
            if self.ended:
                break
            parts.append(part)
            read += len(part)
        return b"".join(parts)


class _Reader:
    """Reads structs of one class out of bytes."""

    def __init__(self, of: type[Any]) -> None:
        self._of = of
        self._data = b""
        self._parts = 0
        self._plans: dict[type[Any], tuple[dict[str, Any], dict[int, tuple[int, str, Any]]]] = {}

    def read(self, data: bytes, at: int) -> tuple[Any, int]:
        """The struct that begins there, and where it ends."""
        self._data, self._parts = data, 0
        try:
            read, end = self._struct(self._of, at, _MOST_DEPTH)
        except (IndexError, struct.error):
            raise _MoreError from None
        if end > len(data):
            raise _MoreError
        if end == at + 1:
            raise ValueError("an item without any field")
        return read, end

    def _plan(self, of: type[Any]) -> tuple[dict[str, Any], dict[int, tuple[int, str, Any]]]:
        if of not in self._plans:
            fields = {
                number: (field[0], field[1], field[2] if len(field) > 3 else None)
                for number, field in of.thrift_spec.items()
            }
            self._plans[of] = dict(of.default_spec), fields
        return self._plans[of]

    def _struct(self, of: type[Any], at: int, depth: int) -> tuple[Any, int]:
        if depth <= 0:
            raise ValueError("an item that is nested too deep")
        defaults, fields = self._plan(of)
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise ValueError("an item of too many parts")
        made: Any = object.__new__(of)
        values = made.__dict__
        values.update(defaults)
        data = self._data
        while kind := data[at]:
            field = fields.get(data[at + 1] << 8 | data[at + 2])
            at += 3
            if field is None or (field[0] != kind and not (kind == _STRING and field[0] == _BINARY)):
                # The commonest by far, decided here: most of an item is numbers and words about tokens.
                fixed = _FIXED.get(kind)
                at = at + fixed if fixed else self._skip(kind, at, depth - 1)
            else:
                values[field[1]], at = self._value(field[0], field[2], at, depth - 1)
        return made, at + 1

    def _value(self, kind: int, spec: Any, at: int, depth: int) -> tuple[Any, int]:
        data = self._data
        if kind in (_STRING, _BINARY):
            end = at + 4 + self._length(at)
            if end > len(data):
                raise _MoreError
            value = data[at + 4 : end]
            return (value if kind == _BINARY else value.decode("utf-8", "replace")), end
        if number := _NUMBERS.get(kind):
            return number.unpack_from(data, at)[0], at + number.size
        if kind == _STRUCT:
            return self._struct(spec, at, depth)
        if depth <= 0:
            raise ValueError("an item that is nested too deep")
        if kind == _MAP:
            return self._map(spec, at, depth)
        of, inner = spec if isinstance(spec, tuple) else (spec, None)
        stated, size = data[at], self._length(at + 1)
        if stated != (_STRING if of == _BINARY else of):
            return [], self._skip(kind, at, depth)
        values: list[Any] = []
        at += 5
        self._parts += size
        if self._parts > _MOST_PARTS:
            raise ValueError("an item of too many parts")
        for _ in range(size):
            value, at = self._value(of, inner, at, depth - 1)
            values.append(value)
        return values, at

    def _map(self, spec: Any, at: int, depth: int) -> tuple[dict[Any, Any], int]:
        data = self._data
        (of, inner), (of_value, inner_value) = (
            field if isinstance(field, tuple) else (field, None) for field in spec
        )
        size = self._length(at + 2)
        if data[at] != of or data[at + 1] != of_value:
            return {}, self._skip(_MAP, at, depth)
        at += 6
        self._parts += size
        if self._parts > _MOST_PARTS:
            raise ValueError("an item of too many parts")
        values: dict[Any, Any] = {}
        for _ in range(size):
            key, at = self._value(of, inner, at, depth - 1)
            values[key], at = self._value(of_value, inner_value, at, depth - 1)
        return values, at

    def _length(self, at: int) -> int:
        length: int = _SIZE(self._data, at)[0]
        if not 0 <= length <= MOST_ITEM:
            raise ValueError(f"an item that states a length of {length:,}")
        return length

    def _skip(self, kind: int, at: int, depth: int) -> int:
        # Where a value ends that nobody wants.
        if fixed := _FIXED.get(kind):
            return at + fixed
        if kind == _STRING:
            return at + 4 + self._length(at)
        if kind not in _KINDS:
            raise ValueError(f"an item with a value of an unknown type ({kind})")
        if depth <= 0:
            raise ValueError("an item that is nested too deep")
        data = self._data
        if kind == _STRUCT:
            while inner := data[at]:
                at = self._skip(inner, at + 3, depth - 1)
            return at + 1
        kinds: tuple[int, ...] = (data[at], data[at + 1])
        if kind == _MAP:
            size, at = self._length(at + 2), at + 6
        else:
            kinds, size, at = (data[at],), self._length(at + 1), at + 5
        if all(each_kind in _FIXED for each_kind in kinds):
            return at + size * sum(_FIXED[each_kind] for each_kind in kinds)
        for _ in range(size):
            for each_kind in kinds:
                at = self._skip(each_kind, at, depth - 1)
        return at


TAGGERS = ("serif", "lingpipe")
"""Whose sentences are taken, the first that cut the text; else those of the tagger whose name comes first."""

_BYTES, _CHARS = 1, 2  # what an offset counts
_NO_BLANK_BEFORE = frozenset(".,;:!?)]}%'’”")
_NO_BLANK_AFTER = frozenset("([{$“‘")


@item_reader
def read_streamcorpus(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of a chunk, in its order: `.sc`, packed as `.sc.xz` or `.sc.gz`, encrypted as `.sc.xz.gpg`.

    An item's id is its stream_id, its time the stream_time, as the track's runs and judgments name them. Its sentences
    are those of a tagger (see `TAGGERS`), numbered as there; without any, the text is what of the page is visible.

    Raises:
        FormatError: there is no StreamItem in it, or it cannot be decrypted.
        LimitError: it unpacks to more than is taken.
        UsageError: thriftpy2 is not there (the extra `kba`), or gpg, or its key.
    """
    number = 0
    try:
        with _open(content) as file:
            for number, (_, stream_item) in enumerate(read_structs(file, _stream_item()), 1):
                origin = f"{content.name}:{number}"
                item = _item(stream_item, origin, options, notes)
                if item is not None:
                    yield item
    except DamagedItemError as error:
        if not number:
            raise FormatError.of(content.name, 0, str(error), "a StreamCorpus chunk") from None
        notes.drop(f"{content.name}, byte {error.position:,}", f"{error}, and what follows it")
    except FormatError:
        if not number:
            raise
        notes.drop(f"{content.name}:{number + 1}", "the rest of a chunk that is damaged or stops early")
    else:
        if not number:
            raise FormatError.of(content.name, 0, "an empty file", "a StreamCorpus chunk")


@cache
def _stream_item() -> type[Any]:
    described: type[Any] = schema(Path(__file__).with_suffix(".thrift")).StreamItem
    return described


def _open(content: Content) -> Unpacked:
    if content.name.lower().endswith(".gpg"):
        raw = decrypt(content)
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
    tagger = next((name for name in TAGGERS if name in tagged), min(tagged, default=""))
    if not tagged:
        return ()
    stored = body.clean_visible or b""
    text = stored.decode("utf-8", "replace")
    return tuple(_sentence(sentence.tokens or [], stored, text) for sentence in tagged[tagger])


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
    return _join_words(words)


def _span(token: Any, kind: int) -> tuple[int, int] | None:
    offset = (token.offsets or {}).get(kind)
    if offset is None or offset.first is None or offset.length is None:
        return None
    if offset.first < 0 or offset.length < 0 or (offset.content_form or "clean_visible") != "clean_visible":
        return None
    return offset.first, offset.first + offset.length


def _join_words(words: list[str]) -> str:
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
