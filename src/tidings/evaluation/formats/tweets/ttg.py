"""Runs of tweet timelines (Microblog 2014): `topic Q0 tweet rank score tag`, of which only the set of tweets counts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from pathlib import Path

from tidings.core import (
    Field,
    Problems,
    Run,
    Update,
    UsageError,
    named,
    plain_name,
    quote_value,
    read_table,
    read_text,
    write_atomically,
)
from tidings.evaluation.formats.tweets.rts import full_topic, tidy, word_field
from tidings.evaluation.formats.tweets.rts_runs import runs_by_tag

__all__ = ["read_timeline_run", "write_timeline_run"]

_FIELDS = (
    word_field("topic"),
    Field.few("Q0"),
    Field.text("tweet"),
    Field.integer("rank", -(10**9)),
    Field.number("score"),
    word_field("tag"),
)


def read_timeline_run(path: str | Path, *, problems: Problems | None = None) -> list[Run]:
    """The timelines of a file, one run for each tag; a file without lines is one empty run, called as the file is.

    Raises:
        FormatError: one or more lines are not of the format.
    """
    collected = Problems() if problems is None else problems
    text = tidy(read_text(path))
    if not text.strip():
        return [Run("", Path(plain_name(path)).stem, ())]
    what = "a run of tweet timelines (topic Q0 tweet rank score tag)"
    table = read_table(text, named(path), _FIELDS, what=what, problems=collected, spaces=True, header=())
    topics, _, tweets, ranks, scores, tags = table.columns
    updates = list(map(Update, map(full_topic, topics), tweets, ranks, repeat(0), scores))
    return runs_by_tag(path, tags, updates)


def write_timeline_run(path: str | Path, runs: Iterable[Run]) -> None:
    """Write timelines, apart by blanks.

    Raises:
        UsageError: an id is empty or holds a blank.
        OutputError: the file could not be written.
    """
    with write_atomically(path) as file:
        for run in runs:
            for update in run.updates:
                rank, score = str(update.sentence_index), repr(update.confidence)
                words = (update.event_id, "Q0", update.doc_id, rank, score, run.name)
                for word in words:
                    if word.split() != [word]:
                        raise UsageError(f"found the id {quote_value(word)}, expected one without blanks")
                file.write((" ".join(words) + "\n").encode("utf-8", "surrogateescape"))
