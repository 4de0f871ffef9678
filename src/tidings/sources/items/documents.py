"""Items understood: each with its time, its id, its outlet and its language, and the same one only once.

item ──▶ understood: time, id, outlet, link, language ──▶ versions: the same again, and what is new in a later one
     ──▶ boilerplate: what the outlet puts into all its documents is left out
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Document, Item, Notes, ReadingOptions, Sentence, StatedTimes, detect, split
from tidings.sources.items.versions import (
    REMEMBERED,
    Versions,
    canonical_link,
    document_id,
    key_of,
    normal_words,
)

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\ud800-\udfff\ufeff\ufffe\uffff\u2028\u2029]")
_REFERENCE = re.compile(r"&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_OPENING = re.compile(r"<(script|style|noscript|template)\b[^<>]*>|<(!--)|<!\[CDATA\[|\]\]>", re.IGNORECASE)
_BLOCKS = (
    "p|div|br|hr|h[1-6]|ul|ol|li|tr|table|tbody|thead|blockquote|section|article|figure|figcaption|header|footer|dl"
    "|dt|dd|pre"
)
_INLINE = (
    "a|b|i|u|s|em|strong|span|img|font|small|big|sub|sup|td|th|code|q|cite|abbr|time|mark|iframe|video|audio"
    "|source|script|style|noscript|picture|svg|html|head|body|center|del|ins"
)
_BLOCK = re.compile(rf"</?(?:{_BLOCKS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_ANY = re.compile(rf"</?(?:{_INLINE})(?:\s[^<>]*)?/?>", re.I)
_TRAILING = re.compile(r"(?<![ \t\r])[ \t\r]*+\n[ \t\r]*+")
_MANY = re.compile(r"\n{3,}")
_FEED = re.compile(r"(?<!\s)\s*+[-–—|:]?\s*+\b(?:RSS|Atom)(?:\s+feed)?\s*$", re.IGNORECASE)
_LONGEST_NAME = 100  # characters of an outlet's name


def tidy_text(text: str) -> str:
    """Plain text on lines, without what is markup.

    >>> tidy_text("<p>A ferry&nbsp;burns.</p><p>All <b>saved</b>.</p><script>x()</script>")
    'A ferry burns.\\n\\nAll saved.'
    >>> tidy_text("3 < 5 and a > b")
    '3 < 5 and a > b'
    """
    if "&" in text and _REFERENCE.search(text):
        text = unescape(text)
    if "<" in text:
        text = _ANY.sub("", _BLOCK.sub("\n", _without_unseen(text)))
    text = _UNFIT.sub("", text.replace("\u2028", "\n").replace("\u2029", "\n\n").replace("\u00a0", " "))
    if "\n" in text or "\r" in text:
        text = _MANY.sub("\n\n", _TRAILING.sub("\n", text.replace("\r\n", "\n").replace("\r", "\n")))
    return text.strip()


def _without_unseen(text: str) -> str:
    """Text without what a browser does not show: scripts, styles and comments; one that does not end is none."""
    parts, at, lower = [], 0, text.lower()
    lower = lower if len(lower) == len(text) else text  # a few letters are two in small
    endless: set[str] = set()
    for opening in _OPENING.finditer(text):
        if opening.start() < at:
            continue
        name = (opening[1] or opening[2] or "").lower()
        end = opening.end()
        if name and name not in endless:
            closing = "-->" if name == "!--" else f"</{name}"
            close = lower.find(closing, end)
            if close < 0:
                endless.add(name)
            else:
                end = lower.find(">", close) + 1 or len(text)
        parts += [text[at : opening.start()], " "]
        at = end
    return "".join([*parts, text[at:]])


def one_line(text: str) -> str:
    """The same on one line, with one blank between words.

    >>> one_line("Ferry <i>burns</i>\\n in port")
    'Ferry burns in port'
    """
    return " ".join(tidy_text(text).split())


def tidy_outlet(outlet: str, url: str) -> str:
    """The name of an outlet; where there is none, the host of a link.

    >>> tidy_outlet("The  Wire - RSS Feed", ""), tidy_outlet("", "https://www.example.org/a")
    ('The Wire', 'example.org')
    """
    from tidings.sources.items.versions import canonical_link

    name = one_line(outlet)
    return (_FEED.sub("", name) or name)[:_LONGEST_NAME].strip() or canonical_link(url).partition("/")[0]


def openable_link(url: str) -> str:
    """A link that a browser may open; "" for any other.

    >>> openable_link(" https://example.org/a "), openable_link("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    bare = _UNFIT.sub("", url).strip()
    return bare if bare.lower().startswith(("http://", "https://")) and not re.search(r"\s", bare) else ""


_EARLIER = 2
_REMEMBERED = 50_000  # sentences of outlets whose repetitions are counted
_MOST_SENTENCES = 2_000  # of a document; what comes after them is no article


class Boilerplate:
    """Takes out of a text the sentences that two earlier documents of its outlet held word for word.

    What an agency sent to many outlets stays: each outlet is looked at by itself, and two of its documents may share
    what they like. Documents that their source has cut into sentences are left alone, as is one of which nothing would
    be left. The last 50,000 sentences are remembered.

    >>> boilerplate = Boilerplate()
    >>> said = ["A ferry burns.", "All are safe.", "Divers search."]
    >>> documents = [Document(id=s, published_time=1, source="Wire", text=f"{s} Share this story!") for s in said]
    >>> [boilerplate.without(document).text for document in documents]
    ['A ferry burns. Share this story!', 'All are safe. Share this story!', 'Divers search.']
    """

    def __init__(self, remembered: int = _REMEMBERED) -> None:
        self._remembered = remembered
        self._counts: dict[int, int] = {}
        self.sentences = 0

    def without(self, document: Document) -> Document:
        """The document without such sentences, which `sentences` counts; it counts for those that follow."""
        text = document.text
        if not text or document.sentences:
            return document
        spans = split(text, document.language)[:_MOST_SENTENCES]
        outlet = crc32(document.source.encode("utf-8", "surrogatepass"))
        repeated = []
        for key, span in {_key(outlet, text[start:end]): (start, end) for start, end in spans}.items():
            count = self._counts.pop(key, 0)
            self._counts[key] = count + 1
            if count >= _EARLIER:
                repeated.append(span)
        if len(self._counts) > self._remembered:
            self._counts = dict(list(self._counts.items())[self._remembered // 2 :])
        if not repeated or len(repeated) == len(spans):
            return document
        self.sentences += len(repeated)
        return replace(document, text=_cut_out(text, repeated))

    def state(self) -> bytes:
        """What is remembered, as msgpack; `restore` takes it."""
        return msgspec.msgpack.encode((self._counts, self.sentences))

    def restore(self, state: bytes) -> None:
        """Remember what `state` gave, and nothing else."""
        self._counts, self.sentences = msgspec.msgpack.decode(state, type=tuple[dict[int, int], int])


def _key(outlet: int, sentence: str) -> int:
    words = " ".join(sentence.split()).encode("utf-8", "surrogatepass")
    return crc32(words, outlet) << 32 | crc32(words[::-1])


def _cut_out(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without these spans and the space behind each; paragraphs stay apart."""
    parts, at = [], 0
    for start, end in sorted(spans):
        parts.append(text[at:start])
        at = end
    parts.append(text[at:])
    lines = " ".join(parts).split("\n")
    return "\n".join(" ".join(line.split(" ")).strip() for line in lines).strip()


_JUDGED_FROM = 25
"""Of fewer characters the language that is declared is more likely right than one that is guessed."""


class _First(Struct, gc=False):
    """How an item looked when it came last: a hash of its words, and when it was changed."""

    words: int
    changed: int


class _State(Struct):
    versions: bytes
    firsts: dict[int, _First]
    boilerplate: bytes


def stated_times(options: ReadingOptions) -> StatedTimes:
    """What reads the dates of one file, as the options ask for."""
    return StatedTimes(zone=options.zone, year=options.year, day_first=options.day_first)


class DocumentBuilder:
    """Makes documents of items, one by one and in the order in which they come.

    `understood` makes a document of each; `new` lets those pass that are new (see `Versions`), and wants them in the
    order of their times as far as can be. `document` does both. All that is remembered is bounded, and can be kept and
    brought back as bytes.

    >>> builder = DocumentBuilder(ReadingOptions(), Notes())
    >>> item = Item(origin="a.xml:1", id="urn:1", title="Ferry burns", published="2026-02-17T08:30:00Z")
    >>> builder.document(item).title, builder.document(item), builder.duplicates
    ('Ferry burns', None, 1)
    """

    def __init__(self, options: ReadingOptions, notes: Notes, *, remembered: int = REMEMBERED) -> None:
        self.options, self.notes = options, notes
        self.versions = Versions(remembered)
        self.boilerplate = Boilerplate()
        self._remembered = remembered
        self._firsts: dict[int, _First] = {}

    @property
    def duplicates(self) -> int:
        """How many items gave no document as they said nothing new."""
        return sum(self.versions.repeats.values())

    @property
    def repeats(self) -> Counter[str]:
        """The same, by why."""
        return self.versions.repeats

    @property
    def corrections(self) -> int:
        """How many documents are later versions of others."""
        return self.versions.corrections

    def document(
        self, item: Item, times: StatedTimes | None = None, *, seen_time: int | None = None
    ) -> Document | None:
        """The document that an item is, or of a later version what is new in it; None where there is nothing.

        Args:
            item: what a reader found.
            times: reads its dates, as those of its file are to be read.
            seen_time: when it was seen first, in seconds UTC: stands for a date that it does not name.
        """
        understood = self.understood(item, times, seen_time=seen_time)
        return None if understood is None else self.new(understood)

    def new(self, document: Document) -> Document | None:
        """A document that was understood, or what is new in it, without boilerplate; None where there is nothing."""
        new = self.versions.new(document)
        return None if new is None else self.boilerplate.without(new)

    def understood(
        self, item: Item, times: StatedTimes | None = None, *, seen_time: int | None = None
    ) -> Document | None:
        """The document that an item is, be it new or not; None where it is none, which is noted."""
        title, text = one_line(item.title), tidy_text(item.text)
        # Blank ones are left out, but count: judgments name sentences by the numbers of their source.
        sentences = {
            number: whole for number, sentence in enumerate(item.sentences) if (whole := one_line(sentence))
        }
        if not (title or text or sentences):
            self.notes.drop(item.origin, "no text")
            return None
        times = times or stated_times(self.options)
        published = self._published_time(item, times, seen_time)
        if published is None:
            return None
        url = openable_link(item.url)
        outlet = tidy_outlet(item.source, url)
        words = normal_words(" ".join((title, text, *sentences.values())))
        doc_id = document_id(item.id.strip(), outlet, url, words)
        time = self._changed(
            key_of(doc_id, canonical_link(url)), key_of(words), published, item, times, seen_time
        )
        language = self._language(item, f"{title}\n{text or ' '.join(sentences.values())}")
        return Document(
            id=doc_id,
            published_time=time,
            source=outlet,
            title=title,
            url=url,
            text=text,
            sentences=tuple(
                Sentence(doc_id, number, sentence, time, outlet, 0, None, title, url, language)
                for number, sentence in sentences.items()
            ),
            language=language,
        )

    def _published_time(self, item: Item, times: StatedTimes, seen_time: int | None) -> int | None:
        time = times.read(item.published)
        if time is None:
            time = times.read(item.updated)
        if time is None and self.options.file_times:
            time = item.file_time
        if time is None:
            time = seen_time
        if time is None:
            self.notes.drop(
                item.origin, times.why_unread(item.updated if item.published is None else item.published)
            )
        return time

    def _changed(
        self, key: int, words: int, published: int, item: Item, times: StatedTimes, seen_time: int | None
    ) -> int:
        """When what an item says came to be: when it was published, and of a later version when it was changed."""
        updated = None if item.updated is None else times.read(item.updated)
        changed = max(published, updated or 0)
        first = self._firsts.pop(key, None)
        if first is None or first.words == words:
            self._firsts[key] = first or _First(words, changed)
            if len(self._firsts) > self._remembered:
                self._firsts = dict(list(self._firsts.items())[self._remembered // 2 :])
            return published
        if changed <= first.changed and seen_time is not None:
            changed = seen_time
        self._firsts[key] = _First(words, max(changed, first.changed))
        return changed if changed > first.changed else published

    def _language(self, item: Item, text: str) -> str:
        if self.options.language:
            return self.options.language
        declared = item.language.strip().replace("_", "-").partition("-")[0].lower()
        declared = declared if declared.isalpha() and len(declared) in (2, 3) else ""
        if declared and len(text) < _JUDGED_FROM:
            return declared
        return detect(text) or declared

    def state(self) -> bytes:
        """All that is remembered of items, as msgpack; `restore` takes it."""
        return msgspec.msgpack.encode(_State(self.versions.state(), self._firsts, self.boilerplate.state()))

    def restore(self, state: bytes) -> None:
        """Remember what `state` gave, and nothing else."""
        remembered = msgspec.msgpack.decode(state, type=_State)
        self.versions.restore(remembered.versions)
        self.boilerplate.restore(remembered.boilerplate)
        self._firsts = remembered.firsts
