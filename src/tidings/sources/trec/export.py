"""Writing a folder of TREC Temporal Summarization judgments."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tidings.core import Judgments, UsageError, make_folder, quote_value
from tidings.sources.trec import judgments as tables
from tidings.sources.trec.topics import write_topics

__all__ = ["write_trec_judgments"]


def write_trec_judgments(
    folder: str | Path, judgments: Judgments, *, compressed: str = "", notes: list[str] | None = None
) -> list[Path]:
    """Write a folder of TREC's from judgments; returns the files written.

    What TREC's tables cannot hold (clusters, entities, sources, published times other than the document id's)
    is left out, and said in `notes`. Existing files of those names are replaced one by one, each as a whole.

    Args:
        folder: made when it is not there.
        judgments: what to write.
        compressed: ".gz", ".xz" or ".zst" for the tables; empty for none.
        notes: takes a line for each thing that is lost.

    Raises:
        UsageError: an id that a table cannot hold.
        OutputError: a file could not be written.
    """
    _check_ids(judgments)
    place = make_folder(folder)
    pool = "updates_sampled.extended.tsv" if judgments.pool_headless else "updates_sampled.tsv"
    written = [place / "topics.xml"]
    written += [place / (name + compressed) for name in ("nuggets.tsv", "matches.tsv", pool)]
    write_topics(written[0], judgments.events, judgments.values)
    tables.write_nuggets(written[1], judgments.nuggets, notes=notes)
    tables.write_matches(written[2], judgments.matches, notes=notes)
    tables.write_pool(written[3], judgments.pool, headless=judgments.pool_headless, notes=notes)
    if judgments.duplicates:
        written.append(place / ("duplicates.tsv" + compressed))
        tables.write_duplicates(written[-1], judgments.duplicates)
    if notes is not None:
        notes += [f"{folder}: TREC's tables cannot hold {loss}" for loss in _losses(judgments)]
        if not judgments.byte_spans and (count := _beyond_ascii(judgments)):
            notes.append(
                f"{folder}: {count:,} spans are in texts with letters beyond ASCII; they count characters, as "
                "TREC's do, but the official scorers apply them to bytes"
            )
    return written


def _losses(judgments: Judgments) -> list[str]:
    counted = (
        ("clusters", len(judgments.clusters)),
        ("graded entities", len(judgments.entities)),
        ("sources of updates", sum(bool(update.source) for update in judgments.pool)),
        (
            "published times, other than those in document ids",
            sum(
                bool(update.published_time) and not update.doc_id.startswith(f"{update.published_time}-")
                for update in judgments.pool
            ),
        ),
    )
    return [f"{count:,} {what}" for what, count in counted if count]


def _beyond_ascii(judgments: Judgments) -> int:
    texts = {update.id for update in judgments.pool if not update.text.isascii()}
    return sum(match.update_id in texts for match in judgments.matches)


def _check_ids(judgments: Judgments) -> None:
    groups: tuple[tuple[str, Iterable[str]], ...] = (
        ("event", (event.id for event in judgments.events)),
        ("nugget", (nugget.id for nugget in judgments.nuggets)),
        ("document", (update.doc_id for update in judgments.pool)),
    )
    for what, ids in groups:
        for one in ids:
            if one.split() != [one]:
                raise UsageError(
                    f"found the {what} id {quote_value(one)}, expected one without blanks: TREC's "
                    "tables need that; rename it"
                )
