"""The nouns: everything that moves through tidings is one of these.

All are immutable. Times are integer seconds UTC since 1970 and end in `_time` (an update's own
is just `time`); spans are half-open character offsets into the text as stored.
"""

from tidings.core.records.documents import (
    Document as Document,
    Event as Event,
    Item as Item,
    LateDocument as LateDocument,
    Place as Place,
    Position as Position,
    Sentence as Sentence,
    bare_event_id as bare_event_id,
    update_id as update_id,
)
from tidings.core.records.judgments import (
    Cluster as Cluster,
    EntityGrade as EntityGrade,
    Judgments as Judgments,
    Match as Match,
    Mention as Mention,
    Nugget as Nugget,
    PooledUpdate as PooledUpdate,
    PossibleMatch as PossibleMatch,
)
from tidings.core.records.outputs import (
    DailyTimeline as DailyTimeline,
    DataUsed as DataUsed,
    Digest as Digest,
    DigestDay as DigestDay,
    EntityRanking as EntityRanking,
    Evidence as Evidence,
    ModelCard as ModelCard,
    OpeningLine as OpeningLine,
    Output as Output,
    Run as Run,
    RunCard as RunCard,
    Support as Support,
    TimelineDay as TimelineDay,
    Update as Update,
    ValueUpdate as ValueUpdate,
)
