"""Real-time summarization: `mb-2015-a`, `mb-2015-b`, `rts-2016-a`, ... `rts-2017-b`, and `rts-2016-mobile`."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems
from tidings.formats.tweets.rts import find_file, read_mobile_qrels, read_tweet_judgments
from tidings.formats.tweets.rts_runs import read_digest_run, read_push_run
from tidings.measures import Measure, RunScores
from tidings.measures.rts import INFO, Prepared, PreparedMobile, named, prepare, prepare_mobile
from tidings.scoring import Scorer, ScoringOptions

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """Qrels, clusters and days of a folder, ready for runs of pushes or digests."""
    rule_set = named(rules)
    prepared: Prepared | PreparedMobile
    if rule_set.task == "mobile":
        qrels = find_file(judgments, "mobile qrels", needs="mobile", ends=("qrels.txt", "qrels"))
        prepared = prepare_mobile(read_mobile_qrels(qrels), rule_set, options.mode)
    else:
        prepared = prepare(read_tweet_judgments(judgments), rule_set, options.mode)

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        if rule_set.task == "digest":
            runs = read_digest_run(path, problems=problems)
        else:
            runs = read_push_run(path, year=int(rule_set.first_day[:4]), problems=problems)
        return [prepared.score(run, measures) for run in runs]

    measures = tuple(map(Measure, rule_set.measures))
    computed = {
        "push": [name for name in INFO if name.startswith(("EG-", "nCG-", "GMP@"))]
        + ["latency_mean", "latency_median"],
        "digest": [name for name in INFO if name.startswith("nDCG@10-")],
        "mobile": list(rule_set.measures),
    }[rule_set.task]
    names = dict.fromkeys((*rule_set.measures, *computed, "pushes"))
    return Scorer(
        info={name: INFO[name] for name in names},
        measures=measures,
        events=len(prepared.topics),
        score_file=score_file,
    )
