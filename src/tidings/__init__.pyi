# What programs use of tidings.

from .core import (
    Digest as Digest,
    Document as Document,
    EntityRanking as EntityRanking,
    Event as Event,
    Judgments as Judgments,
    Run as Run,
    Sentence as Sentence,
    TidingsError as TidingsError,
    Update as Update,
    ValueUpdate as ValueUpdate,
)
from .evaluation import (
    RunComparison as RunComparison,
    Scores as Scores,
    compare as compare,
    read_documents as read_documents,
    read_judgments as read_judgments,
    read_run as read_run,
    score as score,
)
from .following import (
    OutputStream as OutputStream,
    StoryTracker as StoryTracker,
    Tracker as Tracker,
    digest as digest,
    follow as follow,
    register_system as register_system,
    stories as stories,
)
from .sources import bundled as bundled

__version__: str
