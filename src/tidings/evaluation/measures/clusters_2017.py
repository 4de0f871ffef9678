"""Nuggets against clusters (2017): expected gain and comprehensiveness with either, made comparable.

Unit verbosity, binary relevance, no latency, updates that nobody judged removed. What is novel earns once; an update
earns one for each nugget it covers, or for its cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tidings.core import Judgments, Run, UsageError
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import EventIds, RunScores, assemble, choose_values
from tidings.evaluation.measures.trec_ts.prepared import prepare_events
from tidings.evaluation.measures.trec_ts.rules import RULES

INFO = read_infos("clusters_2017")


@dataclass(frozen=True, slots=True)
class DoublyJudgedEvent:
    """One event.

    Attributes:
        judged: ids of all updates that an assessor saw.
        units: for each kind (nuggets, clusters) how many there are.
        units_by_update: for each kind, update id to the units it covers.
        verbosity: update id to V(u); 1 for those that are not in it.
    """

    judged: frozenset[str]
    units: Mapping[str, int]
    units_by_update: Mapping[str, Mapping[str, frozenset[str]]]
    verbosity: Mapping[str, float] = field(default_factory=dict)

    def values(self, ids: Iterable[str]) -> dict[str, float]:
        """All measures of a run's updates in any order: novelty makes the sums independent of it.

        An update emitted again counts in |D| again.
        """
        kept = [text for text in ids if text in self.judged]
        cost = sum(self.verbosity.get(text, 1.0) for text in kept)
        values = {}
        for kind, units in self.units.items():
            units_by_update = self.units_by_update[kind]
            gain = len({unit for text in set(kept) for unit in units_by_update.get(text, ())})
            values[f"{kind}:EG"] = gain / cost if cost else 0.0
            values[f"{kind}:C"] = gain / units
        return values


@dataclass(frozen=True, slots=True)
class Prepared:
    """Judgments made ready; scores any number of runs."""

    events: dict[str, DoublyJudgedEvent]
    listed: tuple[str, ...]

    @property
    def ids(self) -> EventIds:
        """The events that runs may cover."""
        return EventIds((*self.listed, *self.events))

    def measures(self) -> tuple[Measure, ...]:
        """Those that there are judgments for."""
        kinds = {kind for event in self.events.values() for kind in event.units}
        return tuple(Measure(name) for name in INFO if name.split(":")[0] in kinds)

    def score(self, run: Run, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run; means go over all events that have the units in question.

        Raises:
            UnknownEventError: the run has an event that the judgments do not list.
        """
        wanted = self.measures() if measures is None else tuple(measures)
        updates = self.ids.split(run, run.updates)
        per_event = {
            event_id: choose_values(event.values(update.id for update in updates.get(event_id, ())), wanted)
            for event_id, event in self.events.items()
        }
        return assemble(run.team, run.name, wanted, per_event, updates)


def verbosities(judgments: Judgments) -> dict[str, dict[str, float]]:
    """V(u) of the judged updates of each event, by the spans in which they match nuggets.

    V(u) = 1 + (words of u - words of u within its matches) / mean words of a nugget: formula (24) of the metrics of
    TREC TS 2013, whichever updates came before; at least 1. The study of 2017 names this normalisation in section 4.3
    and does not say what V is where updates are clustered: here it is the same for both kinds.

    >>> from tidings.core.records import Match, Nugget, PooledUpdate
    >>> judged = Judgments(
    ...     name="j",
    ...     nuggets=(Nugget("e", "n", 0, 1, "ten dead"),),
    ...     matches=(Match("e", "d-0", "n", 0, 8),),
    ...     pool=(PooledUpdate("e", "d", 0, "ten dead and more"), PooledUpdate("e", "d", 1, "no")),
    ... )
    >>> verbosities(judged)
    {'e': {'d-0': 2.0, 'd-1': 1.5}}
    """
    by_event = {}
    for event_id, event in prepare_events(judgments, RULES["paper-2013"]).items():
        by_update = {}
        for update_id, (judged_id, words) in event.texts.items():
            matched = {word for _, first, after in event.spans(judged_id) for word in range(first, after)}
            spare = max(0, words - len(matched))
            by_update[update_id] = 1 + spare / event.mean_words if event.mean_words else 1.0
        by_event[event_id] = by_update
    return by_event


def prepare(judgments: Judgments, *, verbosity: bool = False) -> Prepared:
    """Make judgments ready: events that have judged updates, and nuggets or clusters.

    With `verbosity`, expected gain is over the sum of V(u) (`verbosities`); else V(u) = 1, as in the study's tables.

    All nuggets count, whatever their importance (R(n) = 1 for all n in N). Only an update's own matches count, not
    those of one that it copies: so the study counted relevant updates (its Table 1).

    Raises:
        UsageError: there is no such event.
    """
    judged: dict[str, set[str]] = {}
    for row in judgments.pool:
        judged.setdefault(row.event_id, set()).add(row.id)
    units: dict[str, dict[str, set[str]]] = {}
    units_by_update: dict[str, dict[str, dict[str, set[str]]]] = {}
    for nugget in judgments.nuggets:
        units.setdefault(nugget.event_id, {}).setdefault("nuggets", set()).add(nugget.id)
    for match in judgments.matches:
        if match.nugget_id in units.get(match.event_id, {}).get("nuggets", ()):
            by_id = units_by_update.setdefault(match.event_id, {}).setdefault("nuggets", {})
            by_id.setdefault(match.update_id, set()).add(match.nugget_id)
    for cluster in judgments.clusters:
        units.setdefault(cluster.event_id, {}).setdefault("clusters", set()).add(cluster.id)
        by_id = units_by_update.setdefault(cluster.event_id, {}).setdefault("clusters", {})
        for update_id in cluster.update_ids:
            by_id.setdefault(update_id, set()).add(cluster.id)
    costs = verbosities(judgments) if verbosity else {}
    events = {
        event_id: DoublyJudgedEvent(
            frozenset(judged[event_id]),
            {kind: len(names) for kind, names in kinds.items()},
            {
                kind: {
                    unit: frozenset(names)
                    for unit, names in units_by_update.get(event_id, {}).get(kind, {}).items()
                }
                for kind in kinds
            },
            costs.get(event_id, {}),
        )
        for event_id, kinds in units.items()
        if event_id in judged
    }
    if not events:
        raise UsageError(f"{judgments.name}: no event has judged updates and nuggets or clusters")
    return Prepared(events, tuple({event.id: None for event in judgments.events} | dict.fromkeys(units)))
