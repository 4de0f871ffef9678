"""Which documents were there before: the same again is one document, a changed one tells only what is new in it.

Two documents are the same where they have the same id, the same link or the same words. Of those with the same id or
link but other words, one is a later version of the other where they share words; feeds that give one id to all their
items share none, and these items stay apart.
"""

from __future__ import annotations

import re
from collections import Counter
from hashlib import blake2b
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Document, Sentence, split
from tidings.sources.links import counts_readers

_NO_LETTERS = re.compile(r"[\W_]+")
_ASCII_LETTERS = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128)).ljust(
    256
)
_OFTEN_COUNTS = re.compile(
    r"feature|partner|ref|ref_src|rss|share|spm|src|at_\w+|ns_\w+|wt\.\w+", re.IGNORECASE
)
"""Parameters that mostly count readers: no part of what is the same, but left in what is shown."""

_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,99}")
_OWN = 16
"""A token of so many characters is an id of its own; a shorter one may be another outlet's too."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_SLUG = 24  # characters of an id that come from its address


def normal_words(text: str) -> str:
    """The words of a text in lower case, with one blank between any two.

    >>> normal_words("Ferry BURNS —  all  saved!")
    'ferry burns all saved'
    """
    if text.isascii():
        return b" ".join(text.encode().translate(_ASCII_LETTERS).split()).decode()
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
        pair
        for pair in parts.query.split("&")
        if pair and not counts_readers(pair) and not _OFTEN_COUNTS.fullmatch(pair.partition("=")[0])
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
    return f"{before or 'item'}-{_base32(number >> 4)}"


def _slug(name: str) -> str:
    bare = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return bare[:_SLUG].rpartition("-")[0] or bare[:_SLUG] if len(bare) > _SLUG else bare


def _base32(number: int) -> str:
    digits = []
    for _ in range(12):
        number, digit = divmod(number, 32)
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))


REMEMBERED = 50_000
"""Documents that are remembered, those seen last: about 50 MB."""

MOST_VERSIONS = 10
"""After so many versions an item is one that changes whenever it is looked at, and gives no more of them."""

_MOST_APART = 100
"""So many items of one id and link may be different ones; more are versions of nothing."""

_COPIED = 200
"""Characters from which on the same words in two outlets are one text that was copied."""

_SAME_BRIEFLY_S = 86_400
"""For so many seconds the same few words of an outlet are the same item: there may be a `Weather report` every day."""

_SHARED_TITLE = 0.5  # of the words of the shorter title, so that two titles are of one article
_FEWEST_WORDS = 4  # a shorter part of a title is the outlet's name
_TITLE_WORDS = 30  # of a title that are compared
_WRITTEN_TOGETHER = "\u2e80"


class _Remembered(Struct, gc=False):
    """A document: its id, its latest time, hashes of its words and of its sentences (8 bytes each), by what it goes."""

    id: str
    time: int
    title: list[str]
    sentences: bytes
    keys: list[int]
    versions: int = 1
    apart: int = 0


class _State(Struct):
    documents: list[_Remembered]
    repeats: dict[str, int]
    corrections: int


class Versions:
    """Lets documents pass that are new, and of later versions what is new in them.

    `repeats` counts the documents that did not pass by why; `corrections` those that passed as a later version.

    >>> versions = Versions()
    >>> one = Document(id="wire-1", published_time=60, title="Ferry burns", text="A ferry burns. Nobody was hurt.")
    >>> versions.new(one) is one, versions.new(one), versions.repeats
    (True, None, Counter({'the same id': 1}))
    >>> two = replace(one, published_time=90, text="A ferry burns. Two were hurt.")
    >>> later = versions.new(two)
    >>> later.id, [sentence.text for sentence in later.sentences]
    ('wire-1~2', ['Two were hurt.'])
    """

    def __init__(self, remembered: int = REMEMBERED) -> None:
        self._most = remembered
        self._next = 0
        self._documents: dict[int, _Remembered] = {}
        self._by_key: dict[int, int] = {}
        self.repeats: Counter[str] = Counter()
        self.corrections = 0

    def new(self, document: Document) -> Document | None:
        """The document, or of a later version what is new in it; None where nothing is."""
        parts = _parts(document)
        words = " ".join(parts)
        by_id = key_of("id", document.id)
        link = canonical_link(document.url)
        by_link = key_of("link", link) if link else by_id
        outlet = "" if len(words) >= _COPIED else document.source
        by_words = key_of("words", outlet, words)
        number = self._by_key.get(by_id, self._by_key.get(by_link))
        same = self._by_key.get(by_words)
        if same is not None:
            known = self._documents[same]
            close = outlet == "" or abs(document.published_time - known.time) <= _SAME_BRIEFLY_S
            if by_id in known.keys or by_link in known.keys or close:
                how = "id" if by_id in known.keys else "link" if by_link in known.keys else "words"
                self._repeat(f"the same {how}", same)
                return None
        if number is None:
            self._remember(document, parts, {by_id, by_link}, by_words)
            return document
        former = self._documents[number]
        if not _alike(former, document, parts):
            return self._apart(document, parts, number, {by_link}, by_words)
        return self._version(document, parts, number, by_words)

    def _apart(
        self, document: Document, parts: list[str], number: int, keys: set[int], by_words: int
    ) -> Document | None:
        former = self._documents[number]
        if former.apart >= _MOST_APART:
            self._repeat("another one at every look", number)
            return None
        former.apart += 1
        self._touch(number)
        other = document
        if key_of("id", document.id) in former.keys:
            other = _rename(document, f"{document.id}-{key_of(*parts) & 0xFFFFFF:06x}")
        self._remember(other, parts, {*keys, key_of("id", other.id)}, by_words)
        return other

    def _version(self, document: Document, parts: list[str], number: int, by_words: int) -> Document | None:
        former = self._documents[number]
        if document.published_time <= former.time:
            self._repeat("other words at the same time", number)
            return None
        if former.versions >= MOST_VERSIONS:
            self._repeat("another version at every look", number)
            return None
        hashes = _hashes(parts)
        fresh = [place for place, hashed in enumerate(hashes) if not _holds(former.sentences, hashed)]
        former.versions += 1
        former.time = document.published_time
        former.title = _title_words(document.title)
        former.sentences += b"".join(hashes[place] for place in fresh)
        if by_words not in self._by_key:
            former.keys.append(by_words)
            self._by_key[by_words] = number
        self._touch(number)
        texts = _texts(document)
        kept = [texts[place] for place in fresh if parts[place]]
        if not kept:
            self.repeats["nothing new in a later version"] += 1
            return None
        self.corrections += 1
        name = f"{former.id}~{former.versions}"
        return _of_sentences(document, name, kept)

    def _repeat(self, why: str, number: int) -> None:
        self.repeats[why] += 1
        self._touch(number)

    def _touch(self, number: int) -> None:
        self._documents[number] = self._documents.pop(number)

    def _remember(self, document: Document, parts: list[str], keys: set[int], by_words: int) -> None:
        former = self._by_key.pop(by_words, None)
        if former is not None:  # the same few words at another time: the later ones stand for both
            self._documents[former].keys.remove(by_words)
        free = sorted({key for key in keys if key not in self._by_key} | {by_words})
        number, self._next = self._next, self._next + 1
        self._documents[number] = _Remembered(
            id=document.id,
            time=document.published_time,
            title=_title_words(document.title),
            sentences=b"".join(_hashes(parts)),
            keys=free,
        )
        self._by_key.update(dict.fromkeys(free, number))
        if len(self._documents) > self._most:
            oldest = next(iter(self._documents))
            for key in self._documents.pop(oldest).keys:
                del self._by_key[key]

    def state(self) -> bytes:
        """All that is remembered, as msgpack."""
        return msgspec.msgpack.encode(
            _State(list(self._documents.values()), dict(self.repeats), self.corrections)
        )

    def restore(self, state: bytes) -> None:
        """Remember what `state` gave, and nothing else."""
        held = msgspec.msgpack.decode(state, type=_State)
        self._documents = dict(enumerate(held.documents))
        self._by_key = {
            key: number for number, remembered in self._documents.items() for key in remembered.keys
        }
        self._next = len(self._documents)
        self.repeats, self.corrections = Counter(held.repeats), held.corrections


def _texts(document: Document) -> list[str]:
    """The title, and the sentences of the text."""
    if document.sentences:
        return [document.title, *[sentence.text for sentence in document.sentences]]
    text = document.text
    return [document.title, *[text[start:end] for start, end in split(text)]]


def _parts(document: Document) -> list[str]:
    return [normal_words(text) for text in _texts(document)]


def _hashes(parts: list[str]) -> list[bytes]:
    return [key_of(part).to_bytes(8, "big") for part in parts]


def _holds(hashes: bytes, hashed: bytes) -> bool:
    at = hashes.find(hashed)
    while at >= 0 and at % 8:
        at = hashes.find(hashed, at + 1)
    return at >= 0


def _alike(former: _Remembered, document: Document, parts: list[str]) -> bool:
    """Whether a document is about what the former was: half of the words of their titles, or a whole sentence."""
    title = set(_title_words(document.title))
    other = set(former.title)
    if title and other and len(title & other) >= _SHARED_TITLE * min(len(title), len(other)):
        return True
    return any(
        _holds(former.sentences, hashed)
        for hashed, part in zip(_hashes(parts), parts, strict=True)
        if part.count(" ") >= _FEWEST_WORDS
    )


def _title_words(title: str) -> list[str]:
    """The words of a title; where words are written together, pairs of characters."""
    normal = normal_words(title)
    if normal and max(normal) >= _WRITTEN_TOGETHER:
        return [normal[at : at + 2] for at in range(len(normal) - 1)][:_TITLE_WORDS] or [normal]
    return normal.split()[:_TITLE_WORDS]


def _rename(document: Document, name: str) -> Document:
    sentences = tuple(replace(sentence, doc_id=name) for sentence in document.sentences)
    return replace(document, id=name, sentences=sentences)


def _of_sentences(document: Document, name: str, texts: list[str]) -> Document:
    time, source, title, url = document.published_time, document.source, document.title, document.url
    sentences = tuple(
        Sentence(name, number, text, time, source, 0, None, title, url, document.language)
        for number, text in enumerate(texts)
    )
    return replace(document, id=name, text="", sentences=sentences)
