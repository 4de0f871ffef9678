"""One day of an event as its entities are ranked from: its best documents, and who is named where in them."""

from __future__ import annotations

from msgspec import Struct

from tidings.core import Sentence


class DayDocument(Struct, frozen=True):
    """A document of the event on its day, with what of it is known: in a pool only some of its sentences.

    A title stands first, as a sentence of index -1, unless the text begins with it.

    `tokens` stand beside `sentences`, one tuple for each. `confidence` is how surely the document is about the event:
    its share of the retrieval scores of the day's documents, so that they sum to 1.
    """

    sentences: tuple[Sentence, ...]
    tokens: tuple[tuple[str, ...], ...]
    confidence: float

    @property
    def id(self) -> str:
        """The document's id."""
        return self.sentences[0].doc_id

    @property
    def title(self) -> str:
        """The document's title, empty where it has none."""
        return self.sentences[0].title


class EntityMention(Struct, frozen=True, gc=False):
    """Tokens start..end of a sentence of one of the day's documents speak of an entity: by name, demonym or pronoun.

    `document` and `sentence` count from 0 in `EventDay.documents` and in `DayDocument.sentences`. `label` is what
    stands there (`Obama`, `the Syrian`, `he`).
    """

    document: int
    sentence: int
    start: int
    end: int
    label: str
    how: str = "name"


class DayEntity(Struct, frozen=True):
    """An entity that the day's documents name, with its mentions in the order of documents and text.

    `id` is the same on every day of the event; `name` the best that is known of it by the end of this day; `type` one
    of PER, ORG and LOC. `in_query` says that the event's own query names it.
    """

    id: int
    name: str
    type: str
    mentions: tuple[EntityMention, ...]
    in_query: bool = False


class EventDay(Struct, frozen=True):
    """A day (YYYY-MM-DD, UTC) of an event that has news: its best documents and their entities.

    `documents` stand by falling confidence, `entities` by id. `document_count` is how many documents of the event the
    day had before the best were taken, `time` (seconds UTC) when the day was closed. `expansion` are stems that set the
    best documents apart from the stream so far, by weight: the query is widened with them.
    """

    date: str
    time: int
    documents: tuple[DayDocument, ...]
    entities: tuple[DayEntity, ...]
    document_count: int = 0
    expansion: tuple[str, ...] = ()
