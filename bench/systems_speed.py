"""Speed of following, on one core: rows of (what, amount per second, unit, note)."""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

from bench.frame import ROOT, Row

SPECS = (
    "cosine",
    "first",
    "random",
    "sumbasic",
    "allan2001",
    "cst",
    "centroid",
    "lexrank",
    "sumfocus",
    "affinity",
)


def rows(folder: str, specs: tuple[str, ...] = SPECS) -> list[Row]:
    """The reader alone, then reading and following with each system, over the extended pool of a TREC folder.

    A row of the pool is a sentence for one event; rows that repeat an update are read and then followed once.
    """
    from tidings.core.text.tokens import shared_analyzer
    from tidings.following.stream.loop import follow_stream
    from tidings.following.systems.registry import make
    from tidings.sources.streams import read_events, read_stream
    from tidings.sources.trec.folder import pool_path
    from tidings.sources.trec.judgments import read_pool

    pooled = len(read_pool(pool_path(Path(folder), "extended")))
    events = read_events(folder)
    began = process_time()
    documents = list(read_stream(folder, pool="extended"))
    read_s = process_time() - began
    sentences = sum(len(document.sentences) for document in documents)
    found: list[Row] = [("reading the extended pool", pooled / read_s, "rows", f"{pooled:,} rows")]
    for spec in specs:
        shared_analyzer.cache_clear()
        began = process_time()
        told = sum(len(updates) for _, updates in follow_stream(documents, events, make(spec)))
        follow_s = process_time() - began
        found.append(
            (f"reading and following, {spec}", pooled / (read_s + follow_s), "rows", f"{told:,} updates")
        )
        found.append(
            (f"following alone, {spec}", sentences / follow_s, "sentences", f"{sentences:,} different")
        )
    return found


if __name__ == "__main__":
    place = sys.argv[1] if len(sys.argv) > 1 else str(ROOT.parent / "shared/data/trec-ts/2014")
    for what, amount, unit, note in rows(place):
        print(f"{what:45} {amount:12,.0f} {unit:12} {note}")
