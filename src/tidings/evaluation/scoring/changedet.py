"""Change Detection, as far as the track has said how it evaluates: `changedet-2026-draft`."""

from __future__ import annotations

from collections import Counter

from tidings.core import UsageError, find, need_folder
from tidings.evaluation.formats.change_runs import ChangeRun
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.measures.changedet import INFO, Prepared, prepare
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.run_scores import RunCounts
from tidings.evaluation.scoring.runs import files_only
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, folder_of

_SHORT = ("AP", "AP-answered", "nDCG", "RBP", "RR", "silence")


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[ChangeRun]:
    """A folder with topics.jsonl and changes.tsv."""
    folder = need_folder(folder_of(judgments, rules))
    topics, changes = find(folder, "topics.jsonl"), find(folder, "changes.tsv")
    if topics is None or changes is None:
        missing = "topics.jsonl" if topics is None else "changes.tsv"
        raise UsageError(f"{folder}: no {missing} (expected topics.jsonl and changes.tsv for {rules})")
    prepared = prepare(FORMATS["change-topics"].read(topics), FORMATS["changes"].read(changes))
    return Scorer(
        rules=rules,
        info=INFO,
        measures=tuple(map(Measure, INFO)),
        events=tuple(prepared.gains),
        takes=ChangeRun,
        read=files_only(rules, lambda path, problems: [FORMATS["change-run"].read(path, problems=problems)]),
        score=prepared.score,
        count=lambda run: _count(run, prepared),
        short=tuple(Measure(f"{unit}-{name}") for unit in ("document", "question") for name in _SHORT),
    )


def _count(run: ChangeRun, prepared: Prepared) -> RunCounts:
    listed: Counter[tuple[str, str, str]] = Counter()
    judged = outside = left_out = 0
    for found in run.answers:
        days = prepared.gains.get(found.topic)
        for day, answers in found.results.items():
            documents = [
                (found.topic, one.qid, document.doc_id) for one in answers for document in one.documents
            ]
            listed.update(documents)
            if days is None:
                left_out += len(documents)
            elif day not in days:
                outside += len(documents)
            else:
                judged += sum(doc_id in days[day].get(qid, {}) for _, qid, doc_id in documents)
    return RunCounts(
        sum(listed.values()), judged, sum(count > 1 for count in listed.values()), 0, outside, left_out,
        "documents", "brought a change", outside_words="are on days that nobody judged",
    )  # fmt: skip
