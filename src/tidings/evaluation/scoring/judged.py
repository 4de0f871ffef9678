"""Judgments for a family: read from a folder, or as they are where a program has them already."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from tidings.core import Judgments, UsageError
from tidings.evaluation.scoring.options import ScoringOptions

__all__ = ["Source", "folder_of", "judged_ids", "judgments_of"]

Source: TypeAlias = str | Path | Judgments
"""Where judgments are: a folder, or `tidings.core.records.Judgments` in memory."""


def judgments_of(source: Source, options: ScoringOptions) -> Judgments:
    """The judgments of a folder, or those given."""
    if isinstance(source, Judgments):
        return source
    from tidings.sources import read_judgments

    return read_judgments(source, pool=options.pool)


def folder_of(source: Source, rules: str) -> Path:
    """The folder of judgments, for families whose files hold more than `Judgments` can.

    Raises:
        UsageError: judgments in memory.
    """
    if isinstance(source, Judgments):
        raise UsageError(
            f"found judgments in memory for {rules}, expected the folder that they are read from"
        )
    return Path(source)


def judged_ids(judged: Judgments) -> dict[str, set[str]]:
    """The ids of all judged updates, by event; none where there is nothing but them: nobody could choose more."""
    ids: dict[str, set[str]] = {}
    if judged.pool_whole:
        return ids
    for update in judged.pool:
        ids.setdefault(update.event_id, set()).add(update.id)
    return ids
