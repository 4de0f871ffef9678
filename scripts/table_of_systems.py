"""The table of systems in docs/following/systems.md: every system followed over whole pools and scored.

    python scripts/table_of_systems.py ../shared/data/trec-ts/2013 ../shared/data/trec-ts/2014
    python scripts/table_of_systems.py ../shared/data/trec-ts/2014 --system cosine --system cosine:similarity=0.3

The pool of sampled updates is the stream, all events are followed in one pass, the decision falls per document unless
the row says otherwise. Scored under trec-2014 (2013 with the assessment of TS13.5 that NIST used); measures
are means over events, those that a system is silent on counting 0; updates and words are means per event.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from frame import heading, parser as command_line

from tidings.core.protocols import System
from tidings.core.records import Document, Event, Run, Update
from tidings.evaluation.measures import Measure, prepare
from tidings.evaluation.measures.trec_ts import Prepared
from tidings.evaluation.measures.trec_ts.rules import RULES
from tidings.following.stream.loop import follow_stream, parse_interval
from tidings.following.systems.registry import make
from tidings.sources.streams import read_judgments, read_stream

MEASURES = tuple(Measure(name) for name in ("nE[G]", "nE[LG]", "C", "LC", "H"))

ROWS = [
    ("first:overlap=0,max_words=0", "document"),
    ("first", "document"),
    ("random:overlap=0,max_words=0", "document"),
    ("random", "document"),
    ("sumbasic:overlap=0,max_words=0,carry=no,similarity=1", "1h"),
    ("sumbasic", "1h"),
    ("sumbasic", "document"),
    ("allan2001", "document"),
    ("cst", "document"),
    ("cst:max_words=40", "document"),
    ("centroid", "document"),
    ("lexrank", "document"),
    ("lexrank", "30m"),
    ("lexrank:kind=threshold", "document"),
    ("sumfocus", "document"),
    ("affinity", "document"),
    ("affinity", "1h"),
    ("cosine:similarity=0.3,max_words=0", "document"),
    ("cosine:min_words=12", "document"),
    ("cosine:max_words=0", "document"),
    ("cosine:overlap=0", "document"),
    ("cosine", "document"),
]
"""(system, interval) of each row; the first of each pair is the pure form."""


@dataclass(frozen=True)
class Pool:
    """One year's judgments, made ready, with its pool as a stream."""

    name: str
    prepared: Prepared
    events: tuple[Event, ...]
    documents: list[Document]


def load(folder: str | Path, pool: str = "sampled") -> Pool:
    """A year's folder of TREC data, with the sampled pool or the one with all exact duplicates."""
    judgments = read_judgments(folder, pool=pool)
    rules = replace(RULES["trec-2014"], assessments=RULES["trec-2013"].assessments)
    return Pool(
        Path(folder).resolve().name,
        prepare(judgments, rules),
        judgments.events,
        list(read_stream(folder, pool=pool)),
    )


def score(pool: Pool, system: str | System, interval: str = "document") -> dict[str, float]:
    """The figures of one system on one pool: the measures by name, `updates` and `words` per event."""
    decider = make(system) if isinstance(system, str) else system
    interval_s = parse_interval(interval)
    told: list[Update] = []
    for _, updates in follow_stream(pool.documents, pool.events, decider, interval_s=interval_s):
        told += updates
    scores = pool.prepared.score(Run("tidings", decider.name, tuple(told)), MEASURES, mean="all")
    # An event that a system is silent on counts with 0; one without any pooled sentence cannot be followed.
    over = [event_id for event_id, event in pool.prepared.events.items() if event.texts]
    events = max(1, len(over))
    figures = {
        str(measure): sum(scores.per_event[event_id][measure] for event_id in over) / events
        for measure in MEASURES
    }
    judged = [update for update in told if pool.prepared.event_id(update.event_id) in over]
    figures["updates"] = len(judged) / events
    figures["words"] = sum(len(update.text.split()) for update in judged) / events
    figures["events"] = len(over)
    return figures


def rows(pools: Sequence[Pool], systems: Iterable[tuple[str, str]]) -> Iterable[list[str]]:
    """The lines of the table, as cells."""
    for pool in pools:
        for system, interval in systems:
            figures = score(pool, system, interval)
            values = [f"{figures[str(measure)]:.4f}" for measure in MEASURES]
            counts = [f"{figures['updates']:.0f}", f"{figures['words']:,.0f}"]
            yield [pool.name, f"`{system}`", interval, *values, *counts]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--system", action="append")
    parser.add_argument("--interval", default="document")
    parser.add_argument("--pool", choices=("sampled", "extended"), default="sampled")
    chosen = parser.parse_args()
    systems = [(system, chosen.interval) for system in chosen.system] if chosen.system else ROWS
    print(heading("pool | system | decision | nE[G] | nE[LG] | C | LC | H | updates | words"))
    for cells in rows([load(folder, chosen.pool) for folder in chosen.folders], systems):
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
