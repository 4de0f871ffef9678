"""Items understood: each with its time, its id, its outlet and its language, and the same one only once.

item ──▶ understood: time, id, outlet, link, language ──▶ versions: the same again, and what is new in a later one
     ──▶ boilerplate: what the outlet puts into all its documents is left out
"""

from __future__ import annotations

from collections import Counter

import msgspec
from msgspec import Struct

from tidings.core import Document, Item, Notes, ReadingOptions, Sentence, StatedTimes, detect
from tidings.sources.items.boilerplate import Boilerplate
from tidings.sources.items.identity import canonical_link, document_id, key_of, normal_words
from tidings.sources.items.tidying import one_line, openable_link, tidy_outlet, tidy_text
from tidings.sources.items.versions import REMEMBERED, Versions

__all__ = ["DocumentBuilder", "stated_times"]

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
        """How many items gave no document as they told nothing new."""
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
        sentences = {number: whole for number, one in enumerate(item.sentences) if (whole := one_line(one))}
        if not (title or text or sentences):
            self.notes.drop(item.origin, "no text")
            return None
        times = times or stated_times(self.options)
        published = self._published(item, times, seen_time)
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

    def _published(self, item: Item, times: StatedTimes, seen_time: int | None) -> int | None:
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
