"""The columns of the frames between the stages, as Spark names their types."""

from __future__ import annotations

__all__ = ["ANY_AGE", "DOCUMENTS", "FILE_COLUMNS", "KEPT", "OFFERS", "OUTPUTS", "Kind"]

DOCUMENTS = (
    "id string, published_time long, source string, title string, url string, language string, text string, "
    "sentences array<string>, ordinal long"
)
"""The columns that a frame of documents may have; `id`, `published_time`, and `text` or `sentences` it must."""

OFFERS = (
    "shard int, event string, kind string, time long, ordinal long, doc string, version long, moment timestamp, "
    "content binary"
)
"""What is brought to where events are followed: `shard` is the key, below 0 for what is of no event."""

OUTPUTS = "kind string, event string, time long, place binary, content string"
"""What comes out: `content` is JSON, for an output the line of a run file; sort a batch by `place`."""


KEPT = "kind string, event string, packed binary"
"""The same for the run's store: many outputs in one row, each with its place, as `output_rows` packs them."""

FILE_COLUMNS = "path string, modificationTime timestamp, length long, content binary"
"""What Spark says of files in a folder."""

ANY_AGE = "36500d"
"""Of files that are read: Spark by itself passes over those a week older than the latest."""


class Kind:
    """What a row is."""

    OFFER = "offer"
    TALLY = "tally"
    TIME = "time"
    """Says by its `moment` how far time has come, and no more: Spark drops it where the time has come further."""
    FAULT = "fault"
    CHANGE = "change"
    END = "end"
    OUTPUT = "output"
    OUTPUTS = "outputs"
    LATE = "late"
    REFUSED = "refused"
