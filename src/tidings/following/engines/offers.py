"""What a document offers to the events of a shard: what is brought to where those are followed, each text once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from zlib import crc32

import msgspec
from msgspec import Struct

from tidings.core import Document, Event, Sentence, System
from tidings.following.stream.route import DocumentReader, Router
from tidings.following.systems.decider import as_decider
from tidings.sources import fingerprint

Part = tuple[str, tuple[int, ...] | None]
"""An event's id, and which of the sentences are offered to it (None: all)."""


class _Packed(Struct, frozen=True, array_like=True):
    # The sentences of one document for the events of a shard: what they share stands once. First that which puts
    # documents of one id and time in the same order in all shards, where nothing else does.
    digest: int
    source: str
    title: str
    url: str
    language: str
    sentences: tuple[tuple[int, str, int, tuple[str, ...] | None], ...]
    parts: tuple[Part, ...]


class _Parts(Struct, frozen=True, array_like=True):
    # The same, but for what only decisions need.
    digest: msgspec.Raw
    source: msgspec.Raw
    title: msgspec.Raw
    url: msgspec.Raw
    language: msgspec.Raw
    sentences: msgspec.Raw
    parts: tuple[Part, ...]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Packed).decode
_decode_parts = msgspec.msgpack.Decoder(_Parts).decode


def shard_of(event_id: str, shards: int) -> int:
    """The shard, from 0, that an event belongs to.

    >>> shard_of("storm", 64) == shard_of("storm", 64) < 64
    True
    """
    return crc32(event_id.encode()) % shards


class Offer(Struct, frozen=True, array_like=True, order=True, gc=False):
    """What one document offers to the events of a shard; offers are decided in the order of their fields.

    `ordinal` is the document's place among those of its time, 0 where only their ids put them in order; `version` that
    of the events that it was offered to; `packed` its sentences, and which go to whom in which order.
    """

    time: int
    ordinal: int
    doc_id: str
    version: int
    packed: bytes

    @staticmethod
    def of(
        document: Document,
        ordinal: int,
        version: int,
        parts: Sequence[tuple[str, Sequence[Sentence]]],
        digest: int = 0,
    ) -> Offer:
        """What a document offers: to each event, by its id, some of its sentences; at least one to one.

        `digest` is of the document's words, and puts those in order that are alike in all else.
        """
        whole = max((own for _, own in parts), key=len)
        places = {id(sentence): place for place, sentence in enumerate(whole)}
        if any(id(sentence) not in places for _, own in parts if own is not whole for sentence in own):
            every = {id(sentence): sentence for _, own in parts for sentence in own}
            whole = list(every.values())
            places = {id(sentence): place for place, sentence in enumerate(whole)}
        everything = tuple(range(len(whole)))
        own_parts: list[Part] = []
        for event_id, own in parts:
            own_places = everything if own is whole else tuple([places[id(sentence)] for sentence in own])
            own_parts.append((event_id, None if own_places == everything else own_places))
        first = whole[0]
        packed = _Packed(
            digest,
            first.source,
            first.title,
            first.url,
            first.language,
            tuple([(sentence.index, sentence.text, sentence.start, sentence.events) for sentence in whole]),
            tuple(own_parts),
        )
        return Offer(document.published_time, ordinal, document.id, version, _encode(packed))

    def parts(self) -> Iterator[tuple[str, list[Sentence]]]:
        """Each event by its id, with the sentences that are offered to it, as they were before.

        >>> fire = Sentence("d1", 3, "Fire in the port.", 60, "Wire", 17, ("e",), "Fire", "http://a.example", "en")
        >>> calm = Sentence("d1", 4, "The sea is calm.", 60, "Wire", 35, None, "Fire", "http://a.example", "en")
        >>> parts = [("fire", [fire]), ("port", [fire, calm])]
        >>> list(Offer.of(Document(id="d1", published_time=60), 0, 0, parts).parts()) == parts
        True
        """
        packed = _decode(self.packed)
        sentences = [
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
        for event_id, places in packed.parts:
            yield event_id, sentences if places is None else [sentences[place] for place in places]

    @property
    def events(self) -> list[str]:
        """The ids of the events that something is offered to."""
        return [event_id for event_id, _ in _decode_parts(self.packed).parts]

    def without(self, event_ids: frozenset[str]) -> Offer | None:
        """The offer to the others; None where there are none."""
        packed = _decode(self.packed)
        parts = tuple(part for part in packed.parts if part[0] not in event_ids)
        if len(parts) == len(packed.parts):
            return self
        if not parts:
            return None
        return msgspec.structs.replace(self, packed=_encode(msgspec.structs.replace(packed, parts=parts)))


class OfferReader:
    """Reads documents as the follow loop does, each by itself, into what they offer.

    `home` says to which shard an event belongs, by its id; `version` which of the versions of the events these are.

    >>> from tidings.following.systems import make
    >>> fire = Event(id="fire", title="Fire", query="fire port")
    >>> reader = OfferReader([fire], make("cosine"))
    >>> document = Document(id="d1", published_time=60, text="A fire in the port. The weather is fine.")
    >>> [(shard, offer.events) for shard, offer in reader.offers(document)]
    [(0, ['fire'])]
    >>> reader.sentences
    2
    """

    def __init__(
        self,
        events: Sequence[Event],
        system: System,
        *,
        mixed: bool = False,
        home: Callable[[str], int] = lambda event_id: 0,
        version: int = 0,
    ) -> None:
        decider = as_decider(system)
        asked = ((number, decider.interest(event)) for number, event in enumerate(events))
        interests = {number: interest for number, interest in asked if interest is not None}
        self._router = Router(
            events, interests, mixed=mixed, interest_in=decider.interest_in, learns_elsewhere=True
        )
        self._homes = [(home(event.id), event.id) for event in events]
        self._version = version
        self.languages: dict[str, int] = {}
        self.unread: dict[str, int] = {}
        self.sentences = 0
        self._read = DocumentReader(self._router, self.languages, self.unread).read

    def offers(self, document: Document, ordinal: int = 0) -> list[tuple[int, Offer]]:
        """(shard, offer) for each shard that has an event to which something is offered."""
        if not self._router.wants(document):
            return []
        sentences = self._read(document)
        self.sentences += len(sentences)
        by_shard: dict[int, list[tuple[str, Sequence[Sentence]]]] = {}
        homes = self._homes
        for number, own in self._router.route(document.published_time, sentences):
            shard, event_id = homes[number]
            parts = by_shard.get(shard)
            if parts is None:
                by_shard[shard] = [(event_id, own)]
            else:
                parts.append((event_id, own))
        digest = 0 if ordinal or not by_shard else fingerprint(document, 0)
        return [
            (shard, Offer.of(document, ordinal, self._version, parts, digest))
            for shard, parts in by_shard.items()
        ]
