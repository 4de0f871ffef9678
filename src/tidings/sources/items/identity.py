"""By what two items are the same: their words without case and marks, their links without what only counts readers."""

from __future__ import annotations

import re
from hashlib import blake2b
from urllib.parse import unquote, urlsplit

from tidings.sources.links import counts_readers

__all__ = ["canonical_link", "document_id", "key_of", "normal_words"]

_NO_LETTERS = re.compile(r"[\W_]+")
_OFTEN_COUNTS = re.compile(
    r"feature|partner|ref|ref_src|rss|share|spm|src|at_\w+|ns_\w+|wt\.\w+", re.IGNORECASE
)
"""Parameters that mostly count readers: no part of what is the same, but left in what is shown."""

_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,99}")
_OWN = 16
"""A token of so many characters is an id of its own; a shorter one may be another outlet's too."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_SLUG = 24


def normal_words(text: str) -> str:
    """The words of a text in small letters, with one blank between any two.

    >>> normal_words("Ferry BURNS —  all  saved!")
    'ferry burns all saved'
    """
    return _NO_LETTERS.sub(" ", text.lower()).strip()


def key_of(*parts: str) -> int:
    """A number of 64 bits for these parts, the same on every machine.

    >>> key_of("a", "b") == key_of("a", "b") != key_of("ab")
    True
    """
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(joined, digest_size=8).digest(), "big")


def canonical_link(url: str) -> str:
    """What is the same in all links to a page; "" for what is no link, or one to the front page of an outlet.

    >>> canonical_link("https://www.Example.org/a/?utm_source=rss&id=7#top"), canonical_link("http://example.org/a?id=7")
    ('example.org/a?id=7', 'example.org/a?id=7')
    >>> canonical_link("https://example.org/"), canonical_link("urn:1")
    ('', '')
    """
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.")
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    asked = [
        one
        for one in parts.query.split("&")
        if one and not counts_readers(one) and not _OFTEN_COUNTS.fullmatch(one.partition("=")[0])
    ]
    path = unquote(parts.path).rstrip("/")
    if not path and not asked:
        return ""
    where = host if port in (None, 80, 443) else f"{host}:{port}"
    return f"{where}{path}{'?' if asked else ''}{'&'.join(asked)}"


def document_id(named: str, outlet: str, url: str, words: str) -> str:
    """An id without blanks, the same in every run, for what an outlet calls `named`.

    A long token is the id as it is, a short one has the outlet before it. For the rest stand the outlet and a number of
    60 bits, of the name, else of the link, else of the words.

    >>> document_id("1326502200-8b5e1c2f", "Wire", "", ""), document_id("17", "The Wire", "", "")
    ('1326502200-8b5e1c2f', 'the-wire-17')
    >>> document_id("https://example.org/a?utm_medium=rss", "The Wire", "", "")
    'the-wire-fwg468c2tray'
    >>> document_id("", "", "https://example.org/a", "ferry burns").startswith("example-org-")
    True
    """
    host = canonical_link(url).partition("/")[0]
    before = _slug(outlet) or _slug(host)
    if _TOKEN.fullmatch(named):
        if len(named) >= _OWN or not before:
            return named
        return f"{before}-{named}"
    link = canonical_link(named) or (canonical_link(url) if not named else "")
    number = (
        key_of("link", link) if link else key_of("id", outlet, named) if named else key_of("words", words)
    )
    return f"{before or 'item'}-{_written(number >> 4)}"


def _slug(name: str) -> str:
    bare = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return bare[:_SLUG].rpartition("-")[0] or bare[:_SLUG] if len(bare) > _SLUG else bare


def _written(number: int) -> str:
    digits = []
    for _ in range(12):
        number, digit = divmod(number, 32)
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))
