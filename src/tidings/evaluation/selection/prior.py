"""What was learned on the topics of another collection: a weight for each feature, from which every topic begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tidings.core import Event, Model, bare_event_id, prepared, read_model
from tidings.evaluation.selection.logistic import fit_logistic
from tidings.evaluation.selection.terms import Floats, TermMatrix

__all__ = ["Prior", "learn_prior", "learned_from", "shipped_prior"]

_PENALTY = 1.0
_TOPIC = 1_000.0
"""What the examples of a topic count together."""


@dataclass(frozen=True, slots=True)
class Prior:
    """Weights of the features where nuggets are known and where they are not; mean links of a relevant update."""

    with_nuggets: Floats
    without_nuggets: Floats
    links: float


def shipped_prior() -> Prior:
    """The prior that comes with the package; its card says which topics it has learned from."""
    return prepared(read_model("selection"), _prior)


def learned_from(events: Iterable[Event]) -> list[Event]:
    """Those events that the shipped prior has learned from: the same number and the same title."""
    known = read_model("selection").settings["topics"]
    return [event for event in events if known.get(bare_event_id(event.id)) == event.title]


def _prior(model: Model) -> Prior:
    return Prior(
        model.array("with_nuggets").astype(np.float64),
        model.array("without_nuggets").astype(np.float64),
        float(model.settings["links"]),
    )


def learn_prior(topics: Sequence[tuple[Floats, Floats]]) -> Floats:
    """The weights of features by logistic regression over topics that count alike.

    Args:
        topics: of each its features, a row for each update, and how many links each update has.
    """
    features = np.concatenate([rows for rows, _ in topics])
    links = np.concatenate([counts for _, counts in topics])
    importance = np.concatenate([_TOPIC * _shares(counts) for _, counts in topics])
    nothing = np.zeros(0, dtype=np.int64)
    terms = TermMatrix(nothing, nothing, np.zeros(0), len(features), 0)
    penalty = np.full(features.shape[1], _PENALTY)
    return fit_logistic(terms, features, (links > 0).astype(np.float64), importance, penalty)


def _shares(links: Floats) -> Floats:
    counted = np.where(links > 0, links, 1.0)
    return np.asarray(counted / counted.sum())
