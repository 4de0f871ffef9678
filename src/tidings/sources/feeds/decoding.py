"""Bytes of a feed as characters: by its mark, by what is declared, and by what the bytes can be.

Declarations are often wrong, so they are checked against the bytes: what is valid UTF-8 is UTF-8 whatever is declared,
and what is declared as UTF-8 and is not is something else.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

__all__ = ["decoded", "encoding_of"]

_SAMPLE = 1 << 18
_CHUNK = 1 << 16
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WITHOUT_MARK = (
    (re.compile(rb"[<{]\0\0\0"), "utf-32-le"),
    (re.compile(rb"\0\0\0[<{]"), "utf-32-be"),
    (re.compile(rb"[<{]\0[^\0]\0"), "utf-16-le"),
    (re.compile(rb"\0[<{]\0[^\0]"), "utf-16-be"),
)
_DECLARED = re.compile(rb"<\?xml\b[^>]*?\bencoding\s*=\s*[\"']\s*([A-Za-z0-9._:-]{1,40})")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_WIDER = {
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-11": "cp874",
    "iso8859-9": "cp1254",
    "big5": "big5hkscs",
}
"""Encodings of which servers use the larger one under the name of the smaller."""
_LATIN = "cp1252"
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]+")


def _stray(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode(_LATIN, "replace"), error.end


codecs.register_error("tidings-stray", _stray)


def encoding_of(data: bytes, content_type: str = "") -> tuple[str, int]:
    """The codec that a feed's bytes are to be read by, and how many bytes of mark stand before it.

    >>> encoding_of(b"<?xml version='1.0' encoding='koi8-r'?><rss>\\xf0</rss>"), encoding_of("<rss>é".encode())
    (('koi8-r', 0), ('utf-8', 0))
    >>> encoding_of("<?xml version='1.0' encoding='iso-8859-1'?><rss>é".encode())[0]
    'utf-8'

    Args:
        data: the feed; its first 256 KiB decide.
        content_type: as a server names it: `text/xml; charset=windows-1251`.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return codec, len(mark)
    start = data[:64].lstrip(b" \t\r\n")
    for pattern, codec in _WITHOUT_MARK:
        if pattern.match(start):
            return codec, 0
    sample = data[:_SAMPLE]
    named = [_codec(name) for name in _names(data, content_type)]
    strays, letters = _utf8(sample)
    if not strays and (letters or not named):
        return "utf-8", 0
    # A server's own default says nothing of the file; what else it says counts before the declaration in the file.
    chosen = [codec for codec in named if codec not in ("", "utf-8", _LATIN)]
    if chosen:
        return chosen[0], 0
    if strays * 10 <= letters or ("utf-8" in named and not strays):
        return "utf-8", 0
    return (_LATIN if _LATIN in named else _guessed(sample)), 0


def _names(data: bytes, content_type: str) -> list[str]:
    names = []
    if match := _CHARSET.search(content_type):
        names.append(match[1])
    if declared := _DECLARED.search(data[:1024]):
        names.append(declared[1].decode("ascii"))
    return names


def _codec(name: str) -> str:
    from resiliparse.parse.encoding import map_encoding_to_html5

    codec = map_encoding_to_html5(name, False)
    # Without a mark and without zero bytes it is not UTF-16, whatever it says.
    return "" if codec is None or codec.startswith("utf-16") else _WIDER.get(codec, codec)


def _utf8(sample: bytes) -> tuple[int, int]:
    """How many bytes are not UTF-8, and how many characters beyond ASCII are."""
    if sample.isascii():
        return 0, 0
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(sample)
    strays = sum(text.count(char) for char in set(text) if "\udc80" <= char <= "\udcff")
    return strays, len(text) - len(text.encode("ascii", "ignore")) - strays


def _guessed(sample: bytes) -> str:
    from resiliparse.parse.encoding import detect_encoding

    codec = detect_encoding(sample, max_len=_SAMPLE, html5_compatible=True, from_html_meta=False) or "utf-8"
    return _LATIN if codec.startswith(("utf-8", "utf-16")) else _WIDER.get(codec, codec)


def decoded(data: bytes, content_type: str = "") -> Iterator[str]:
    """The characters of a feed, in pieces, without those that no XML may hold (zeros, escapes).

    Bytes that are not of its encoding are read as Windows-1252 in UTF-8, and as U+FFFD elsewhere.

    >>> list(decoded(b"caf\\xe9 \\xc3\\xa9\\xc3\\xa9\\0" + "é".encode() * 9))
    ['café ééééééééééé']
    """
    codec, start = encoding_of(data, content_type)
    decoder = codecs.getincrementaldecoder(codec)("tidings-stray" if codec == "utf-8" else "replace")
    for at in range(start, len(data), _CHUNK):
        if text := _NO_XML.sub("", decoder.decode(data[at : at + _CHUNK])):
            yield text
    if text := _NO_XML.sub("", decoder.decode(b"", True)):
        yield text
