"""Change Detection, as far as the track has said how it evaluates: `changedet-2026-draft`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tidings.core import JSON_LINES, Problems, UsageError, find, need_folder, read_lines, source_name
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.measures.changedet import INFO, Prepared, prepare
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.run_scores import RunCounts
from tidings.evaluation.scoring.runs import files_only
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, folder_of
from tidings.following import ChangeRun, by_days, is_day
from tidings.sources import read_documents

_SHORT = ("AP", "AP-answered", "nDCG", "RBP", "RR", "silence")


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[ChangeRun]:
    """A folder with topics.jsonl and changes.tsv."""
    folder = need_folder(folder_of(judgments, rules))
    topics, changes = find(folder, "topics.jsonl"), find(folder, "changes.tsv")
    if topics is None or changes is None:
        missing = "topics.jsonl" if topics is None else "changes.tsv"
        raise UsageError(f"{folder}: no {missing} (expected topics.jsonl and changes.tsv for {rules})")
    days = () if options.universe is None else read_days(options.universe)
    prepared = prepare(FORMATS["change-topics"].read(topics), FORMATS["changes"].read(changes), days)
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


def read_days(path: str | Path) -> list[str]:
    """The days of a collection: of a file of days, one a line, or of its documents.

    Raises:
        FormatError: a line that is neither a day nor a document, with its place.
    """
    if str(path).endswith(tuple(JSON_LINES)):
        return [day for day, _ in by_days(read_documents(path))]
    problems = Problems()
    days = []
    for number, line in read_lines(path):
        day = line.decode("utf-8", "replace").strip()
        if is_day(day):
            days.append(day)
        elif day:
            problems.add(source_name(path), number, f"day {day[:40]!r}", "YYYY-MM-DD", "")
    problems.check()
    if not days:
        raise UsageError(f"{path}: there are no days (expected one day per line, or documents as .jsonl)")
    return days


def _count(run: ChangeRun, prepared: Prepared) -> RunCounts:
    listed: Counter[tuple[str, str, str]] = Counter()
    judged = outside = left_out = 0
    for found in run.answers:
        days = prepared.gains.get(found.topic)
        for day, answers in found.results.items():
            documents = [
                (found.topic, answer.qid, document.doc_id)
                for answer in answers
                for document in answer.documents
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
