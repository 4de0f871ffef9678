"""The nouns: everything that moves through tidings is one of these.

All are immutable. Times are integer seconds UTC since 1970 and end in `_time` (an update's own
is just `time`); spans are half-open character offsets into the text as stored.
"""

from tidings.core.records.documents import (
    Document,
    Event,
    Item,
    LateDocument,
    Place,
    Position,
    Sentence,
    bare_event_id,
    update_id,
)
from tidings.core.records.judgments import (
    Cluster,
    EntityGrade,
    Judgments,
    Match,
    Mention,
    Nugget,
    PooledUpdate,
    PossibleMatch,
)
from tidings.core.records.outputs import (
    DailyTimeline,
    DataUsed,
    Digest,
    DigestDay,
    EntityRanking,
    Evidence,
    ModelCard,
    Output,
    Run,
    RunCard,
    Support,
    TimelineDay,
    Update,
    ValueUpdate,
)

__all__ = [
    "Cluster",
    "DailyTimeline",
    "DataUsed",
    "Digest",
    "DigestDay",
    "Document",
    "EntityGrade",
    "EntityRanking",
    "Event",
    "Evidence",
    "Item",
    "Judgments",
    "LateDocument",
    "Match",
    "Mention",
    "ModelCard",
    "Nugget",
    "Output",
    "Place",
    "PooledUpdate",
    "Position",
    "PossibleMatch",
    "Run",
    "RunCard",
    "Sentence",
    "Support",
    "TimelineDay",
    "Update",
    "ValueUpdate",
    "bare_event_id",
    "update_id",
]
