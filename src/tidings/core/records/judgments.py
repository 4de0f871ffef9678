"""What people said of events: nuggets, matches, pooled updates, clusters, entities.

All are immutable; see `tidings.core.records` for how times and spans are written.

The assessors' desk keeps who judges what in which project, and the log of every judgment. A *judgment* there is the
value of an object (an update's matches, a nugget, a cluster, a grade) in a layer; the log has an entry for each change
of one, and what the desk shows is what the entries add up to. Layers keep judges apart: `SHARED` is what all work on
together (the nuggets of a topic, its merged list of events), `judge_layer(n)` what the account numbered n judged alone
and unseen, `FINAL` what was decided where judges differ, and what was imported. Times are integer seconds UTC, but for
the log's, which are milliseconds (`_ms`): effort is counted from them.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from tidings.core.records.documents import Event
from tidings.core.records.outputs import ValueUpdate


class Nugget(Struct, frozen=True, gc=False):
    """One atomic fact about an event, with the time at which it could first be known.

    `importance` is 0 to 3 (TREC 2013 holds a few -1); `length_words` counts spaces + 1, as the
    official scorers do, unless the file's own figure is used.
    """

    event_id: str
    id: str
    time: int
    importance: int
    text: str
    listed_length: int = 0


class Match(Struct, frozen=True, gc=False):
    """An assessor's link: characters start..end of the update's text say the nugget."""

    event_id: str
    update_id: str
    nugget_id: str
    start: int
    end: int
    automatic: bool = False


class PossibleMatch(Struct, frozen=True, gc=False):
    """An update that may say a nugget, as a matcher and no assessor has it.

    Characters start..end of the update's text say it with this probability (0 to 1).
    """

    event_id: str
    update_id: str
    nugget_id: str
    probability: float
    start: int
    end: int


class PooledUpdate(Struct, frozen=True, gc=False):
    """A sentence that assessors judged (or that copies one exactly).

    `duplicate_of` is the id of the pooled update whose text it repeats, or empty. `listed_length` is the
    length column of the file: words in 2013, characters in 2014 and 2015.
    """

    event_id: str
    doc_id: str
    sentence_index: int
    text: str
    duplicate_of: str = ""
    listed_length: int = 0
    published_time: int = 0
    source: str = ""

    @property
    def id(self) -> str:
        """`doc_id-index`."""
        return f"{self.doc_id}-{self.sentence_index}"


class Cluster(Struct, frozen=True):
    """Updates that say the same thing, as an assessor grouped them."""

    event_id: str
    id: str
    update_ids: tuple[str, ...]
    label: str = ""


class EntityGrade(Struct, frozen=True):
    """How much an entity matters to an event on one day (date as YYYY-MM-DD, UTC)."""

    event_id: str
    date: str
    entity: str
    type: str
    grade: int
    aliases: tuple[str, ...] = ()


class Mention(Struct, frozen=True):
    """Where a sentence names an entity: characters start..end of the sentence's text."""

    doc_id: str
    sentence_index: int
    start: int
    end: int
    entity: str
    type: str = ""


class Judgments(Struct, frozen=True, kw_only=True):
    """All judgments of a set of events, as read from one folder.

    `duplicates` maps the id of an update to that of another with the same text (2015). Three flags record what
    official scorers depend on, or what a pool is: `pool_headless` if the pool's file has no header line (the extended
    pool of 2014), in which case they lose its first row; `byte_spans` if they apply the offsets of matches to the
    UTF-8 bytes of the text, as they do for TREC files; `pool_whole` if the pool is all sentences of the documents, so
    that choosing from the pool is choosing from the documents.
    """

    name: str
    events: tuple[Event, ...] = ()
    nuggets: tuple[Nugget, ...] = ()
    matches: tuple[Match, ...] = ()
    pool: tuple[PooledUpdate, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    entities: tuple[EntityGrade, ...] = ()
    values: tuple[ValueUpdate, ...] = ()
    duplicates: dict[str, str] = {}
    pool_headless: bool = False
    byte_spans: bool = False
    pool_whole: bool = False


SHARED = "shared"
FINAL = "final"

Role = Literal["assessor", "lead"]


def judge_layer(account_id: int) -> str:
    """The layer of what one account judges alone.

    >>> judge_layer(3), layer_account(judge_layer(3)), layer_account(SHARED)
    ('judge-3', 3, None)
    """
    return f"judge-{account_id}"


def layer_account(layer: str) -> int | None:
    """Whose layer it is; None for those that belong to nobody."""
    number = layer.removeprefix("judge-")
    return int(number) if number != layer and number.isdecimal() and number.isascii() else None


class Project(Struct, frozen=True, kw_only=True):
    """A collection in the making.

    Args:
        id: its number, in addresses.
        name: unique in its store.
        created_time: when it was made.
        tasks: what is done in it, words of tasks.
        judges: how many people judge each item (or topic, where a task has no items).
        idle_s: a session of work ends where nothing was judged for so long.
        guidelines: Markdown, shown beside the data.
        last_seq: of its log.
    """

    id: int
    name: str
    created_time: int
    tasks: tuple[str, ...]
    judges: int = 1
    idle_s: int = 300
    guidelines: str = ""
    last_seq: int = 0


class Account(Struct, frozen=True, kw_only=True):
    """Someone who signs in. `password_hash` is argon2id's; empty while no password is chosen."""

    id: int
    name: str
    password_hash: str = ""
    created_time: int = 0
    disabled_time: int | None = None


class Member(Struct, frozen=True):
    """An account's place in a project."""

    project_id: int
    account_id: int
    name: str
    role: Role


class Assignment(Struct, frozen=True):
    """That an account is to do a task of a topic. Where nobody is assigned, all members may do it."""

    project_id: int
    topic: int
    task: str
    account_id: int


class DeskTopic(Struct, frozen=True):
    """An event that is judged; `number` is its place in the project, from 1, and stands in addresses."""

    project_id: int
    number: int
    event: Event


class DeskItem(Struct, frozen=True):
    """Something that is judged, or judged from; it never changes.

    `kind` says what `content` (JSON) holds: `update` and `sentence` a PooledUpdate, `revision` a timed text of a page,
    `day-entity` an entity of a day with its sentences, `run` a run whose updates are pooled (with topic 0),
    `nugget-file` and the like what an import must give back as it was. `time` is what items are put in order by.
    """

    project_id: int
    topic: int
    kind: str
    id: str
    number: int
    time: int
    content: Any


class JudgedObject(Struct, frozen=True):
    """The value of an object now. `version` is the number of the entry that gave it; None is no judgment."""

    topic: int
    layer: str
    kind: str
    id: str
    version: int
    value: Any


class Change(Struct, frozen=True):
    """One object's new value; None takes its judgment away.

    `expected` is the version that the page showed (0: none): where another is there now, nothing is written. Left out,
    it is not asked.
    """

    layer: str
    kind: str
    id: str
    value: Any
    expected: int | UnsetType = UNSET


class LogEntry(Struct, frozen=True, kw_only=True):
    """One change of one object, forever.

    Args:
        seq: its number in the project, from 1, without a gap.
        act: what was done at once has one; made in the page, so that a double click is one judgment.
        operation: the act's name: `match`, `merge-nuggets`, `undo`, `import`, …
        topic, layer, kind, object_id: what was changed.
        before, after: its values; None is no judgment.
        account_id, account: who; None and empty for what a program did.
        session_id: of the sign-in.
        recorded_ms: the server's clock.
        made_ms: the page's clock, 0 where none said it.
        assisted: what suggested it, empty where nothing did.
        undoes: the act that this one takes back.
        shown: digest of the text that was judged; `guidelines` of the guidelines then.
    """

    seq: int
    act: str
    operation: str
    topic: int
    layer: str
    kind: str
    object_id: str
    before: Any
    after: Any
    account_id: int | None
    account: str
    session_id: int | None
    recorded_ms: int
    made_ms: int = 0
    assisted: str = ""
    undoes: str = ""
    shown: str = ""
    guidelines: str = field(default="")
