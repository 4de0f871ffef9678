"""CrisisFACTS: `crisisfacts-2022`, `crisisfacts-2023`."""

from __future__ import annotations

from tidings.core import FactRun, Judgments
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.measures.crisisfacts import INFO, measures_of, prepare
from tidings.evaluation.scoring.counts import count_facts
from tidings.evaluation.scoring.runs import files_only
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, judgments_of


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[FactRun]:
    """Nuggets and matches as daily facts; requests.jsonl in their folder says what was asked, if not day by day."""
    asked = None
    if not isinstance(judgments, Judgments):
        from tidings.core import find, need_folder

        asked = find(need_folder(judgments), "requests.jsonl")
    judged = judgments_of(judgments, options)
    prepared = prepare(judged, FORMATS["requests"].read(asked) if asked is not None else None)
    events = dict.fromkeys(prepared.requests[request].event_id for request in prepared.facts)
    items: dict[str, set[str]] = {event_id: set() for event_id in events}
    known = [(update.event_id, update.id) for update in judged.pool]
    known += [(match.event_id, match.update_id) for match in judged.matches]
    for event_id, item in known:
        if event_id in items:
            items[event_id].add(item)
    return Scorer(
        rules=rules,
        info=INFO,
        measures=measures_of(rules.removeprefix("crisisfacts-")),
        events=tuple(events),
        takes=FactRun,
        read=files_only(rules, lambda path, problems: [FORMATS["facts"].read(path, problems=problems)]),
        score=prepared.score,
        count=lambda run: count_facts(run, prepared.requests, items),
    )
