"""What a system gives: updates, values and entity rankings, and the runs that hold them.

All are immutable; see `tidings.core.records` for how times and spans are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from tidings.core.records.documents import Event, Sentence


class Update(Struct, frozen=True, gc=False, tag_field="kind", tag="update"):
    """A sentence that a system emits, with the time of its decision.

    `time` is never earlier than `published_time`. Runs read from files may lack text and source. `title` and `url`
    are those of the sentence's document.
    """

    event_id: str
    doc_id: str
    sentence_index: int
    time: int
    confidence: float = 1.0
    text: str = ""
    published_time: int = 0
    source: str = ""
    title: str = ""
    url: str = ""

    @property
    def id(self) -> str:
        """`doc_id-index`, by which judgments know the update."""
        return f"{self.doc_id}-{self.sentence_index}"


class Evidence(Struct, frozen=True):
    """A sentence that supports what a system says of an event.

    `pieces` are the characters of the document's sentence that `text` holds, where some were cut from its midst.
    """

    doc_id: str
    sentence_index: int
    text: str = ""
    published_time: int = 0
    source: str = ""
    title: str = ""
    url: str = ""
    pieces: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, sentence: Sentence) -> Evidence:
        """A sentence of a stream as evidence.

        >>> Evidence.of(Sentence("d", 2, "It burns.", 60, "Wire", title="Fire")).title
        'Fire'
        """
        return cls(
            sentence.doc_id,
            sentence.index,
            sentence.text,
            sentence.published_time,
            sentence.source,
            sentence.title,
            sentence.url,
        )


class Attribute(Struct, frozen=True):
    """What is tracked of an event.

    `label` is what readers call it (`78 dead`), `unit` what measures count it in. `first` is what surprises nobody as
    its first value. `in_trec` says whether the value tracking of TREC 2013 asks for it.
    """

    label: str
    unit: str
    first: float = 0.0
    in_trec: bool = False


ATTRIBUTES = {
    "deaths": Attribute("dead", "people", 30.0, in_trec=True),
    "injuries": Attribute("injured", "people", 100.0, in_trec=True),
    "missing": Attribute("missing", "people", 50.0),
    "displaced": Attribute("displaced", "people", 3_000.0, in_trec=True),
    "arrested": Attribute("arrested", "people", 100.0),
    "financialimpact": Attribute("in damage", "money, as the targets count it", 3e8, in_trec=True),
    "location": Attribute("", "km", in_trec=True),
}
"""What is tracked, in the order in which readers want to know it."""

CASUALTIES = tuple(name for name, attribute in ATTRIBUTES.items() if attribute.unit == "people")
"""The attributes that count people."""

TREC_ATTRIBUTES = tuple(name for name, attribute in ATTRIBUTES.items() if attribute.in_trec)
"""The attributes that TREC's value tracking asks for."""


class ValueUpdate(Struct, frozen=True, tag_field="kind", tag="value"):
    """A tracked value (one of `ATTRIBUTES`) as known at `time`.

    The value of a location is (latitude, longitude) in degrees, and `place` is the name of what is there. All other
    values are one number. `evidence` holds the sentences on which the value rests. If other reports differ,
    `reported` is (lowest, highest); otherwise it is empty. `qualifier` is how the reports qualify the number: `at
    least`, `at most`, `about`, or "".
    """

    event_id: str
    time: int
    attribute: str
    value: tuple[float, ...]
    confidence: float = 1.0
    doc_id: str = ""
    sentence_index: int = -1
    evidence: tuple[Evidence, ...] = ()
    reported: tuple[float, ...] = ()
    place: str = ""
    qualifier: str = ""


class EntityRanking(Struct, frozen=True, tag_field="kind", tag="entities"):
    """The entities of an event on one day (YYYY-MM-DD, UTC), the most important first.

    `time` is when the ranking was decided (seconds UTC; 0 if the file does not say). The other fields have one item
    per entity, or none: `types`, `scores`, the two parts of a score (`salience` and `informativeness`, 0 to 1), `new`
    (not named on the previous day with news), `evidence` (a sentence that names the entity), and `ids`, which stay
    the same from day to day even if names become fuller.
    """

    event_id: str
    date: str
    entities: tuple[str, ...]
    time: int = 0
    types: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    salience: tuple[float, ...] = ()
    informativeness: tuple[float, ...] = ()
    new: tuple[bool, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    ids: tuple[int, ...] = ()


class Support(Struct, frozen=True, tag_field="kind", tag="support"):
    """An outlet that says what an update says, as counted at `time`: its first sentence that does, as evidence.

    `doc_id` and `sentence_index` are the update's. The sentence may be older than the update's telling. Where it is not
    the `same` but only near, the outlet does not count; it shows that the update is not the word of one outlet alone.
    """

    event_id: str
    time: int
    doc_id: str
    sentence_index: int
    evidence: Evidence
    same: bool = True

    @property
    def update_id(self) -> str:
        """The id of the update that is supported."""
        return f"{self.doc_id}-{self.sentence_index}"


Output: TypeAlias = Update | ValueUpdate | EntityRanking | Support
"""What a follower gives: told apart by `kind` (`update`, `value`, `entities`, `support`) wherever it is written."""


class DataUsed(Struct, frozen=True, kw_only=True):
    """One part of what a model was trained on: its name, its events, and a digest of the judgments."""

    name: str
    events: tuple[str, ...]
    digest: str


class ModelCard(Struct, frozen=True, kw_only=True):
    """What a model is: for which system, from which data, by which command, how good when tested.

    `scores` are those of the development event(s), or of a leave-one-event-out experiment, as `about_scores` says.
    `date` is YYYY-MM-DD; `command` repeats the training. `digest` is the SHA-256 of the file that it was read from.
    """

    system: str
    version: str = ""
    date: str = ""
    command: str = ""
    seed: int = 0
    data: tuple[DataUsed, ...] = ()
    scores: dict[str, float] = {}
    about_scores: str = ""
    notes: str = ""
    digest: str = ""


class RunCard(Struct, frozen=True, kw_only=True):
    """Where a run comes from, so that no comparison hides it.

    `system` is the system with its options, as `--system` takes it; `model` the card of the model it decided by, where
    it has one; `choice` what it chose from: `pool` (sentences that assessors judged), `corpus` (whole documents), or
    empty where that is not known. `events` are those that were followed, with title, query and period.
    """

    system: str = ""
    model: ModelCard | None = None
    choice: str = ""
    events: tuple[Event, ...] = ()


class Run(Struct, frozen=True):
    """All updates of one system, over any number of events, in file order.

    `card` says where the run comes from (None if its file does not). `values`, `rankings` and `supports` are its
    other outputs.
    """

    team: str
    name: str
    updates: Sequence[Update]
    card: RunCard | None = None
    values: Sequence[ValueUpdate] = ()
    rankings: Sequence[EntityRanking] = ()
    supports: Sequence[Support] = ()


class TimelineDay(Struct, frozen=True):
    """What a timeline says of one day (`date` as YYYY-MM-DD): sentences, in their order."""

    date: str
    sentences: tuple[str, ...]


class DailyTimeline(Struct, frozen=True):
    """A summary of an event by days, as people or systems wrote it, in the order of its file.

    Reference timelines are not always in time order, and some list a day twice.
    """

    name: str
    days: tuple[TimelineDay, ...]


class DigestDay(Struct, frozen=True):
    """What a digest tells of one day (`date` as YYYY-MM-DD): sentences as their documents have them, in their order.

    `documents` is how many documents of the story speak of the day or were published on it.
    """

    date: str
    sentences: tuple[Evidence, ...]
    documents: int = 0


class OpeningLine(Struct, frozen=True):
    """A line of a digest's opening: of which kind, the sentence that is quoted, and a note (a toll, the day of a plan).

    Kinds are `happened`, `stands`, `disputed`, `next` and `unknown`.
    """

    kind: str
    sentence: Evidence
    note: str = ""


class Digest(Struct, frozen=True, kw_only=True):
    """The story so far, day by day in order of time: quoted sentences with their sources.

    `system` is the system that chose the sentences. `documents` is the number of documents read, `story_documents`
    the number of those about the event; `first_time` and `last_time` say when the first and the last of these were
    published (None if there are none). `opening` holds the lines to read first.
    """

    event: Event
    system: str
    days: tuple[DigestDay, ...]
    documents: int = 0
    story_documents: int = 0
    first_time: int | None = None
    last_time: int | None = None
    opening: tuple[OpeningLine, ...] = ()

    def to_timeline(self) -> DailyTimeline:
        """The words alone, as timelines are scored; white space inside a sentence becomes one blank.

        >>> day = DigestDay("2010-04-22", (Evidence("a", 0, "The rig\\nsinks."),))
        >>> Digest(event=Event(id="oil", title="", query="oil"), system="ours", days=(day,)).to_timeline().days
        (TimelineDay(date='2010-04-22', sentences=('The rig sinks.',)),)
        """
        days = (
            TimelineDay(day.date, tuple(" ".join(sentence.text.split()) for sentence in day.sentences))
            for day in self.days
        )
        return DailyTimeline(self.event.id, tuple(days))


class ValueRun(Struct, frozen=True):
    """All tracked values that one system predicts, in the order of its file."""

    team: str
    name: str
    updates: tuple[ValueUpdate, ...]


class SentenceLinks(Struct, frozen=True):
    """Which sentences of a topic tell of which of its events, as judges linked them (UMass, 2001).

    `links` are (event of the topic, update id) pairs; a sentence may be linked to several events. `sentences` are the
    ids of all the topic's sentences, those of no event too (may be empty: not known). `groups` are (event of the topic,
    update ids): sentences that tell of the event only together (the corpus paper, section 3.4). `events` are those that
    the judges listed for the topic and that no sentence may tell of (may be empty: those of links and groups are all).
    """

    topic_id: str
    links: tuple[tuple[str, str], ...]
    sentences: tuple[str, ...] = ()
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    events: tuple[str, ...] = ()


class JudgedLink(Struct, frozen=True):
    """That one judge linked a sentence to an event of a topic: judges 1 and 2 on their own, 3 verifying both."""

    topic_id: str
    event_id: str
    judge: int
    sentence_id: str


class RankingRun(Struct, frozen=True):
    """All entity rankings of one system."""

    team: str
    name: str
    rankings: tuple[EntityRanking, ...]


class Fact(Struct, frozen=True):
    """One line of a CrisisFACTS summary: what a system tells for one request, that is one event and day.

    `stream_id` is the item of the stream that says it (may be empty), `sources` those that support it.
    """

    request_id: str
    text: str
    time: int
    importance: float
    sources: tuple[str, ...] = ()
    stream_id: str = ""
    needs: tuple[str, ...] = ()


class Request(Struct, frozen=True):
    """What CrisisFACTS asks for: a summary of one event over start_time <= t <= end_time, mostly a day."""

    id: str
    event_id: str
    start_time: int
    end_time: int


class FactRun(Struct, frozen=True):
    """All facts of one CrisisFACTS run, in the order of its file."""

    team: str
    name: str
    facts: tuple[Fact, ...]
