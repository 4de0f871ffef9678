"""Which of the nuggets that an update covers stands for it, where it may have one label only: four rules.

The study of nuggets and clusters (Baruah, McCreadie and Lin 2017, section 4.2) "projects" nuggets into clusters: each
relevant update gets one of its nuggets for its cluster: a random one, the one of the highest grade, the earliest, or
the most popular one across all relevant updates. It drew lots at ties of grade and does not speak of other ties; here
lots are drawn at all ties, or, for who needs one answer only, ties go to the most important, then the earliest, then
the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Literal, get_args

from msgspec import Struct

from tidings.core import Cluster, Judgments, Nugget

Rule = Literal["random", "highest-grade", "earliest", "most-popular"]

RULES: tuple[Rule, ...] = get_args(Rule)
"""In the order of the study's Table 3."""


class Candidate(Struct, frozen=True, gc=False):
    """A nugget that an update covers: its grade, when it became known (s), and how many relevant updates cover it."""

    nugget: int
    grade: int
    time: int
    popularity: int = 0


def choose(rule: Rule, candidates: Sequence[Candidate], draw: Random | None = None) -> Candidate | None:
    """The candidate that stands for the update; None where there is none.

    Args:
        rule: how.
        candidates: what the update covers, in the order of the judgments.
        draw: what lots are drawn with, at all ties; without, ties go to the higher grade, then to the earlier, then to
            the first. The random rule needs it.

    Raises:
        ValueError: the random rule, and nothing to draw with.

    >>> few = [Candidate(0, grade=2, time=9, popularity=1), Candidate(1, grade=1, time=5, popularity=7)]
    >>> [choose(rule, few).nugget for rule in ("highest-grade", "earliest", "most-popular")]
    [0, 1, 1]
    """
    if rule == "random" and draw is None:
        raise ValueError("the random rule needs something to draw with: give a random.Random")
    if not candidates:
        return None
    best = max(_worth(rule, pair) for pair in candidates)
    tied = [pair for pair in candidates if _worth(rule, pair) == best]
    return (
        draw.choice(tied)
        if draw is not None
        else max(tied, key=lambda candidate: (candidate.grade, -candidate.time))
    )


def _worth(rule: Rule, candidate: Candidate) -> int:
    if rule == "highest-grade":
        return candidate.grade
    if rule == "earliest":
        return -candidate.time
    return candidate.popularity if rule == "most-popular" else 0


def project(judgments: Judgments, rule: Rule, seed: int = 0) -> tuple[Cluster, ...]:
    """The clusters that a rule makes of matches: a nugget with the updates that it stands for, whatever its importance.

    Every nugget counts and only an update's own matches, as in the study's Table 1; a nugget that stands for no update
    is no cluster. `most-popular` counts the relevant updates of the event that cover the nugget. The same seed draws
    the same lots on an event, whatever other events there are.

    Args:
        judgments: with nuggets and matches.
        rule: which nugget stands for an update that covers several.
        seed: of the lots.

    >>> from tidings.core.records import Match
    >>> nuggets = (Nugget("e", "quake", 10, 1, "An earthquake"), Nugget("e", "toll", 20, 3, "Nine died"))
    >>> matches = (Match("e", "d-0", "quake", 0, 5), Match("e", "d-0", "toll", 6, 9), Match("e", "d-1", "quake", 0, 5))
    >>> judged = Judgments(name="told", nuggets=nuggets, matches=matches)
    >>> [(one.id, one.update_ids) for one in project(judged, "most-popular")]
    [('quake', ('d-0', 'd-1'))]
    >>> [(one.id, one.update_ids) for one in project(judged, "highest-grade")]
    [('quake', ('d-1',)), ('toll', ('d-0',))]
    """
    nuggets: dict[str, dict[str, Nugget]] = {}
    for nugget in judgments.nuggets:
        nuggets.setdefault(nugget.event_id, {}).setdefault(nugget.id, nugget)
    said: dict[str, dict[str, set[str]]] = {}
    for match in judgments.matches:
        if match.nugget_id in nuggets.get(match.event_id, {}):
            said.setdefault(match.event_id, {}).setdefault(match.update_id, set()).add(match.nugget_id)
    return tuple(
        cluster
        for event_id, of_event in nuggets.items()
        for cluster in _project(event_id, of_event, said.get(event_id, {}), rule, seed)
    )


def _project(
    event_id: str, nuggets: dict[str, Nugget], said: dict[str, set[str]], rule: Rule, seed: int
) -> list[Cluster]:
    draw = Random(f"{seed} {rule} {event_id}")
    popularity = Counter(nugget for of_update in said.values() for nugget in of_update)
    candidates = {
        name: Candidate(number, nugget.importance, nugget.time, popularity[name])
        for number, (name, nugget) in enumerate(nuggets.items())
    }
    names = list(nuggets)
    members: dict[str, list[str]] = {}
    for update in sorted(said):
        own = sorted((candidates[name] for name in said[update]), key=lambda match: match.nugget)
        chosen = choose(rule, own, draw)
        if chosen is not None:
            members.setdefault(names[chosen.nugget], []).append(update)
    return [
        Cluster(event_id, name, tuple(members[name]), nugget.text)
        for name, nugget in nuggets.items()
        if name in members
    ]
