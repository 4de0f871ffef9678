"""How far people agree with what a program suggests at the desk: by what they answered before they saw it."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan

from msgspec import Struct

from tidings.annotation.desk.exchange.importing import SUGGESTION
from tidings.annotation.desk.operations.matches import MATCHES
from tidings.annotation.store import Desk
from tidings.core import SHARED, JudgedObject, LogEntry, Project, layer_account

OPENED_SUGGESTION = "opened-suggestion"
"""The kind, in a judge's layer, that says that the judge asked to compare an answer with the suggestion."""
SEEN = "seen "
"""What `assisted` begins with where someone answered again with the suggestion in sight; the program's name follows."""


class SuggestionFigures(Struct, frozen=True):
    """How one judge's first answers compare with a program's suggestions; `judge` is empty for all judges together.

    Args:
        by: the program.
        judge: whose answers.
        updates: answered, and with a suggestion.
        same: the share of them where both name the same nuggets, perhaps none.
        precision: of the suggested nuggets, the share that the judges named too; nan where none was suggested.
        recall: of the nuggets that the judges named, the share that was suggested; nan where they named none.
        changed: answers that were changed after the suggestion was seen.
    """

    by: str
    judge: str
    updates: int
    same: float
    precision: float
    recall: float
    changed: int


class _Count:
    def __init__(self) -> None:
        self.updates = self.same = self.both = self.suggested = self.named = self.changed = 0

    def add(self, suggested: frozenset[str], named: frozenset[str], *, changed: bool) -> None:
        self.updates += 1
        self.same += suggested == named
        self.both += len(suggested & named)
        self.suggested += len(suggested)
        self.named += len(named)
        self.changed += changed

    def figures(self, by: str, judge: str) -> SuggestionFigures:
        return SuggestionFigures(
            by,
            judge,
            self.updates,
            self.same / self.updates,
            self.both / self.suggested if self.suggested else nan,
            self.both / self.named if self.named else nan,
            self.changed,
        )


def suggestion_figures(desk: Desk, project: Project) -> list[SuggestionFigures]:
    """Agreement with each program that suggested something: with all judges together first, then with each."""
    counts: dict[tuple[str, str], _Count] = {}
    for topic in desk.projects.topics(project.id):
        suggested = desk.log.objects(project.id, topic.number, layer=SHARED, kind=SUGGESTION)
        if suggested:
            _count(suggested, desk.log.entries(project.id, topic=topic.number), counts)
    return [counts[key].figures(*key) for key in sorted(counts)]


def _count(
    suggested: Iterable[JudgedObject], entries: Iterable[LogEntry], counts: dict[tuple[str, str], _Count]
) -> None:
    by_update = {one.id: (one.value["by"], _nuggets(one.value)) for one in suggested}
    judges: dict[tuple[str, str], str] = {}
    before: dict[tuple[str, str], frozenset[str] | None] = {}
    after: dict[tuple[str, str], frozenset[str] | None] = {}
    acts: set[tuple[str, str]] = set()
    for entry in entries:
        key = entry.layer, entry.object_id
        if entry.object_id not in by_update or layer_account(entry.layer) is None:
            continue
        if entry.kind == OPENED_SUGGESTION:
            after.setdefault(key, before.get(key))
        elif entry.kind == MATCHES and (entry.layer, entry.act) not in acts:
            # The exact copies of an update are judged in one act, and count once.
            acts.add((entry.layer, entry.act))
            judges[key] = entry.account or entry.layer
            seen = after if key in after else before
            seen[key] = None if entry.after is None else _nuggets(entry.after)
    for key, answer in before.items():
        if answer is None:
            continue
        by, nuggets = by_update[key[1]]
        for name in ("", judges[key]):
            changed = after.get(key, answer) != answer
            counts.setdefault((by, name), _Count()).add(nuggets, answer, changed=changed)


def _nuggets(value: dict[str, list[dict[str, str]]]) -> frozenset[str]:
    return frozenset(match["nugget"] for match in value["matches"])
