"""Nuggets as clusters of updates: each relevant update goes to one of the nuggets that it tells, by a rule of four."""

from __future__ import annotations

from collections import Counter
from random import Random

from tidings.core import Cluster, Judgments, Nugget
from tidings.evaluation.measures.projection import Candidate, Rule, choose

__all__ = ["project"]


def project(judgments: Judgments, rule: Rule, seed: int = 0) -> tuple[Cluster, ...]:
    """The clusters that a rule makes of matches: a nugget with the updates that it stands for, whatever its importance.

    Every nugget counts and only an update's own matches, as in the study's Table 1; a nugget that stands for no update
    is no cluster. `most-popular` counts the relevant updates of the event that tell the nugget. The same seed draws the
    same lots on an event, whatever other events there are.

    Args:
        judgments: with nuggets and matches.
        rule: which nugget stands for an update that tells several.
        seed: of the lots.

    >>> from tidings.core.records import Match
    >>> nuggets = (Nugget("e", "quake", 10, 1, "An earthquake"), Nugget("e", "toll", 20, 3, "Nine died"))
    >>> matches = (Match("e", "d-0", "quake", 0, 5), Match("e", "d-0", "toll", 6, 9), Match("e", "d-1", "quake", 0, 5))
    >>> told = Judgments(name="told", nuggets=nuggets, matches=matches)
    >>> [(one.id, one.update_ids) for one in project(told, "most-popular")]
    [('quake', ('d-0', 'd-1'))]
    >>> [(one.id, one.update_ids) for one in project(told, "highest-grade")]
    [('quake', ('d-1',)), ('toll', ('d-0',))]
    """
    nuggets: dict[str, dict[str, Nugget]] = {}
    for nugget in judgments.nuggets:
        nuggets.setdefault(nugget.event_id, {}).setdefault(nugget.id, nugget)
    told: dict[str, dict[str, set[str]]] = {}
    for match in judgments.matches:
        if match.nugget_id in nuggets.get(match.event_id, {}):
            told.setdefault(match.event_id, {}).setdefault(match.update_id, set()).add(match.nugget_id)
    return tuple(
        cluster
        for event_id, of_event in nuggets.items()
        for cluster in _project(event_id, of_event, told.get(event_id, {}), rule, seed)
    )


def _project(
    event_id: str, nuggets: dict[str, Nugget], told: dict[str, set[str]], rule: Rule, seed: int
) -> list[Cluster]:
    draw = Random(f"{seed} {rule} {event_id}")
    popularity = Counter(nugget for of_update in told.values() for nugget in of_update)
    candidates = {
        name: Candidate(number, nugget.importance, nugget.time, popularity[name])
        for number, (name, nugget) in enumerate(nuggets.items())
    }
    names = list(nuggets)
    members: dict[str, list[str]] = {}
    for update in sorted(told):
        own = sorted((candidates[name] for name in told[update]), key=lambda one: one.nugget)
        chosen = choose(rule, own, draw)
        if chosen is not None:
            members.setdefault(names[chosen.nugget], []).append(update)
    return [
        Cluster(event_id, name, tuple(members[name]), nugget.text)
        for name, nugget in nuggets.items()
        if name in members
    ]
