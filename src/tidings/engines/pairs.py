"""Pairs of an event and what one document offers it: what is brought to where that event is followed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from tidings.protocols import System
from tidings.records import Document, Event, Sentence
from tidings.stream.route import Router
from tidings.stream.sentences import DocumentReader

__all__ = ["Pair", "Pairing"]


class _Packed(Struct, frozen=True, array_like=True):
    # The sentences of one document for one event: what they share stands once.
    source: str
    title: str
    url: str
    language: str
    sentences: tuple[tuple[int, str, int, tuple[str, ...] | None], ...]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Packed).decode


class Pair(Struct, frozen=True, array_like=True, order=True):
    """What one document offers one event; pairs are decided in the order of their fields.

    `ordinal` is the document's place among those of its time, 0 where only their ids put them in order; `packed` its
    sentences, in the order of their index.
    """

    time: int
    ordinal: int
    doc_id: str
    packed: bytes

    @staticmethod
    def of(document: Document, ordinal: int, sentences: Sequence[Sentence]) -> Pair:
        """The pair of these sentences of a document."""
        first = sentences[0]
        packed = _Packed(
            first.source,
            first.title,
            first.url,
            first.language,
            tuple((one.index, one.text, one.start, one.events) for one in sentences),
        )
        return Pair(document.published_time, ordinal, document.id, _encode(packed))

    @property
    def sentences(self) -> list[Sentence]:
        """What is offered, as it was before.

        >>> fire = Sentence("d1", 3, "Fire in the port.", 60, "Wire", 17, ("e",), "Fire", "http://a.example", "en")
        >>> Pair.of(Document(id="d1", published_time=60), 0, [fire]).sentences == [fire]
        True
        """
        packed = _decode(self.packed)
        return [
            Sentence(
                self.doc_id,
                index,
                text,
                self.time,
                packed.source,
                start,
                events,
                packed.title,
                packed.url,
                packed.language,
            )
            for index, text, start, events in packed.sentences
        ]


class Pairing:
    """Offers documents to events, as the follow loop does; each document by itself.

    >>> from tidings.systems import make
    >>> fire = Event(id="fire", title="Fire", query="fire port")
    >>> pairing = Pairing([fire], make("cosine"))
    >>> document = Document(id="d1", published_time=60, text="A fire in the port. The weather is fine.")
    >>> [(number, len(pair.sentences)) for number, pair in pairing.pairs(document)]
    [(0, 1)]
    >>> pairing.sentences
    2
    """

    def __init__(self, events: Sequence[Event], system: System, *, mixed: bool = False) -> None:
        asked = ((number, system.interest(event)) for number, event in enumerate(events))
        interests = {number: interest for number, interest in asked if interest is not None}
        self._router = Router(
            events, interests, mixed=mixed, interest_in=getattr(system, "interest_in", None)
        )
        self.languages: dict[str, int] = {}
        self.unread: dict[str, int] = {}
        self.sentences = 0
        self._read = DocumentReader(self._router, self.languages, self.unread).read

    def pairs(self, document: Document, ordinal: int = 0) -> list[tuple[int, Pair]]:
        """(number of the event, its pair) for each event that this document is offered to."""
        if not self._router.wants(document):
            return []
        sentences = self._read(document)
        self.sentences += len(sentences)
        return [
            (number, Pair.of(document, ordinal, own))
            for number, own in self._router.route(document.published_time, sentences)
        ]
