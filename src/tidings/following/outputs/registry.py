"""The formats of runs, beside those of documents, events and judgments."""

from __future__ import annotations

from tidings.core import JSON_LINES
from tidings.sources import DOCUMENT_FORMATS, Format, FormatList

__all__ = ["RUN_FORMATS"]

_JSON_AND_XML = (*JSON_LINES, ".json", ".xml")

RUN_FORMATS = FormatList(
    *DOCUMENT_FORMATS.values(),
    Format(
        "run", "updates", "a TREC run", "a.run, any ending but those below",
        "following.outputs.trec_runs:read_run", "following.outputs.trec_runs:write_run",
        other_endings=_JSON_AND_XML, piped=True, becomes=("updates", "run"),
    ),
    Format(
        "updates", "updates", "updates, as tidings tells them", "a.jsonl",
        "following.outputs.outputs:read_updates", "following.outputs.outputs:write_updates",
        endings=JSON_LINES, becomes=("run", "updates"),
    ),
    Format(
        "values", "values", "tracked values (2013)", "a.run of nine columns",
        "following.outputs.value_runs:read_value_runs",
        "following.outputs.value_runs:write_value_runs",
        becomes=("values",),
    ),
    Format(
        "timelines", "timelines", "timelines by day", "a.txt, a.json, a.jsonl",
        "following.digests.formats.files:read_timelines", "following.digests.formats.files:write_timelines",
        endings=(".txt", ".json", *JSON_LINES, ".timeline", ".tl"), becomes=("timelines",),
    ),
    Format(
        "references", "references", "reference timelines of topics", "a folder of timelines",
        "following.digests.formats.folders:read_references", is_folder=True,
    ),
    Format(
        "timeline-runs", "timeline runs", "timelines to be scored", "a folder of timelines, or a run",
        "following.digests.formats.folders:read_timeline_runs", is_folder=True,
    ),
)  # fmt: skip
"""The formats of documents, events, judgments and runs, by their names."""
