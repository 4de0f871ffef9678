"""Where a run comes from, held against the judgments that it is scored by: what it learned from, what it chose from."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from tidings.core import ModelCard, Run
from tidings.evaluation.measures.ids import EventIds
from tidings.evaluation.measures.scores import Choice, Origin

__all__ = ["origin_of"]


def origin_of(run: Run, events: Iterable[str], pooled: Mapping[str, Container[str]]) -> Origin:
    """Where a run comes from, by its card; what that leaves open is inferred from its updates.

    A run of whose updates each was judged is taken for one that chose from the pool, any other for one that did not.

    Args:
        run: with its card, if it has one.
        events: the judged events.
        pooled: the ids of all judged updates, by event; empty: nothing can be inferred.

    >>> from tidings.core.records import Update
    >>> run = Run("us", "one", (Update("11", "a", 0, 60),))
    >>> origin_of(run, ["TS14.11"], {"TS14.11": {"a-0", "b-0"}})
    Origin(system='', learned_from=(), choice='pool', inferred=True)
    """
    ids = EventIds(events)
    card = run.card
    learned_from = () if card is None else _learned_from(card.model, ids)
    system = card.system if card is not None else ""
    if card is not None and card.choice in ("pool", "corpus"):
        return Origin(system, learned_from, "pool" if card.choice == "pool" else "corpus")
    choice = _inferred(run, ids, pooled)
    return Origin(system, learned_from, choice, bool(choice))


def _learned_from(model: ModelCard | None, ids: EventIds) -> tuple[str, ...]:
    if model is None:
        return ()
    judged = (ids.find(event) for part in model.data for event in part.events)
    return tuple(dict.fromkeys(event for event in judged if event is not None))


def _inferred(run: Run, ids: EventIds, pooled: Mapping[str, Container[str]]) -> Choice:
    if not pooled:
        return ""
    pools: dict[str, Container[str] | None] = {}
    choice: Choice = ""
    for update in run.updates:
        written = update.event_id
        if written not in pools:
            pools[written] = pooled.get(ids.find(written) or "")
        pool = pools[written]
        if pool is None:
            continue
        if update.id not in pool:
            return "corpus"
        choice = "pool"
    return choice
