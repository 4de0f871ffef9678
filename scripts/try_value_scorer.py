"""Try a learned scorer of mentions in place of the rules' weights alone: what it ranks better, and what it changes.

    python scripts/try_value_scorer.py ../shared/data

A logistic regression over plain features of each mention of 2013 and 2014 (its doubts, attribute, qualifier, toll,
attribution, words near, size and rounding of the number, words around it, place in the document, length of the
sentence, and the rules' own weight) learns whether its value lies within a tenth of a gold value of the twelve hours
on either side. Each event is scored by weights that were learned without it. `values` does not use it: it ranks
mentions better than the rules and makes the current values worse (docs/following/values.md).
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from frame import parser as command_line
from table_of_values import Key, Step, error_of, events_of, gold_of, read_documents, summary

from tidings.analysis import Mention, Relevance
from tidings.analysis.values.context import clean
from tidings.core.records import Event, Sentence
from tidings.core.records.outputs import ATTRIBUTES
from tidings.following.values.series import DOUBTS, Rules, Series, claim_of, weight_of

Reads = list[tuple[int, list[tuple[Sentence, Mention]]]]

SLACK_S = 12 * 3600
QUALIFIERS = ("at least", "at most", "about", "range")
WORDS = (
    *(
        "ris(?:e|en)|rose|climb|increase",
        "confirm",
        "at least",
        "ha(?:s|ve) been",
        r"\w+day\b",
        "fear|believe|suspect",
    ),
    *(
        "injur|wound",
        "kill",
        "dead|died|death",
        "toll",
        "people",
        "also",
        "when",
        "after",
        r"who\b",
        "leav|left",
    ),
)
AROUND = [re.compile(word, re.IGNORECASE) for word in WORDS]
STRENGTHS = {"w (.5 + p)": lambda p: 0.5 + p, "w 2p": lambda p: 2 * p, "w 4p²": lambda p: 4 * p * p}
PENALTY = 30.0


def features(mention: Mention, sentence: Sentence) -> list[float]:
    """What is known of a mention without the stream."""
    text, value = clean(sentence.text[:1_500]), mention.value
    start, end = mention.quantity.start, mention.quantity.end
    around = text[max(0, start - 40) : start] + "|" + text[end : end + 40]
    row = [doubt in mention.doubts for doubt in DOUBTS]
    row += [mention.attribute == name for name in ATTRIBUTES if name != "location"] + [
        mention.quantity.qualifier == name for name in QUALIFIERS
    ]
    row += [
        mention.toll,
        mention.official,
        mention.revised,
        mention.near == 0,
        mention.near >= 2,
        mention.near >= 3,
    ]
    row += [mention.instead_of is not None, start < 60, sentence.index == 0]
    row += [len(text) > length for length in (200, 400, 800)]
    row += [
        value == 0,
        value == 1,
        value <= 5,
        value >= 100,
        value >= 1_000,
        value % 10 == 0,
        value % 100 == 0,
    ]
    row += [bool(word.search(around)) for word in AROUND]
    return [*map(float, row), min(sentence.index, 30) / 30, math.log(weight_of(mention) + 0.02), 1.0]


def is_right(gold: list[Step], time: int, value: float) -> bool | None:
    """Whether a value is within a tenth of a gold value about then; None before there is any."""
    if time < gold[0][0] - SLACK_S:
        return None
    ends = [at for at, _ in gold[1:]] + [1 << 60]
    current = [
        one
        for (at, one), end in zip(gold, ends, strict=True)
        if at <= time + SLACK_S and end >= time - SLACK_S
    ]
    return any(abs(value - one) <= 0.1 * max(one, 1.0) for one in current)


def learn(rows: Any, right: Any, weights: Any) -> Any:
    """Logistic regression with a penalty on all coefficients but the last, by Newton's method."""
    penalty = np.eye(rows.shape[1]) * PENALTY
    penalty[-1, -1] = 1e-3
    learned = np.zeros(rows.shape[1])
    for _ in range(25):
        p = 1.0 / (1.0 + np.exp(-rows @ learned))
        gradient = rows.T @ (weights * (p - right)) + penalty @ learned
        learned -= np.linalg.solve((rows * (weights * p * (1 - p))[:, None]).T @ rows + penalty, gradient)
    return learned


def auc(right: Any, scores: Any) -> float:
    """The share of pairs of a right and a wrong mention in which the right one scores higher; ties count half."""
    above = scores[right][:, None] - scores[~right][None, :]
    return float(np.mean((above > 0) + 0.5 * (above == 0)))


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("data", type=Path, help="the folder that holds values/ and trec-ts/")
    data = parser.parse_args().data
    gold: dict[Key, list[Step]] = {}
    streams: dict[str, tuple[Event, Reads]] = {}
    for year in (2013, 2014):
        gold |= gold_of(data, year)
        for event_id, (event, pushes) in events_of(data, year).items():
            relevance = Relevance(event)
            reads = [
                (now, [(one, each) for one, found in read_documents(relevance, said) for each in found])
                for now, said in pushes
            ]
            streams[event_id] = event, reads
    streams = {key: stream for key, stream in streams.items() if any(one[0] == key for one in gold)}
    labelled = [
        (event_id, mention.attribute, features(mention, sentence), right, weight_of(mention))
        for event_id, (_, reads) in streams.items()
        for now, read in reads
        for sentence, mention in read
        if (event_id, mention.attribute) in gold and "vague" not in mention.doubts
        and (right := is_right(gold[event_id, mention.attribute], now, mention.value)) is not None
    ]  # fmt: skip
    events = np.array([one[0] for one in labelled])
    rows, right = np.array([one[2] for one in labelled]), np.array([one[3] for one in labelled])
    by_rules = np.array([one[4] for one in labelled])
    series = [one[:2] for one in labelled]
    weights = np.array([series.count(one) ** -0.5 for one in series])
    weights *= len(weights) / weights.sum()
    without = {
        key: learn(rows[events != key], right[events != key], weights[events != key])
        for key in sorted(streams)
    }
    mixed = [key for key in sorted(streams) if len(set(right[events == key])) == 2]
    learned = {key: rows[events == key] @ without[key] for key in mixed}
    print(f"{len(rows)} mentions of {len(mixed)} events, {right.mean():.3f} of them right")
    ruled = mean(auc(right[events == key], by_rules[events == key]) for key in mixed)
    scored = mean(auc(right[events == key], learned[key]) for key in mixed)
    print(f"area under the curve within an event: rules {ruled:.3f}, learned {scored:.3f}\n")
    print("weight of a mention  series  median  capped  within  half")
    for name, strength in {"w": None, **STRENGTHS}.items():
        errors = []
        for event_id, (event, reads) in streams.items():
            steps = follow(reads, without[event_id], strength)
            errors += [
                error_of(steps.get(key[1], []), gold[key], event.end_time or 0)
                for key in gold
                if key[0] == event_id
            ]
        print(f"{name:19} {summary(errors)}")


def follow(reads: Reads, learned: Any, strength: Any) -> dict[str, list[Step]]:
    """The values of an event by attribute, each mention's weight multiplied by what its probability makes of it."""
    series: dict[str, Series] = {}
    steps: dict[str, list[Step]] = {}
    for now, read in reads:
        touched = set()
        for sentence, mention in read:
            claim = claim_of(mention, sentence)
            if claim is None:
                continue
            if strength is not None:
                claim.weight *= strength(
                    1.0 / (1.0 + math.exp(-float(np.dot(features(mention, sentence), learned))))
                )
            rules = Rules(
                start=ATTRIBUTES[mention.attribute].first, fall=0.0 if mention.attribute == "missing" else 0.5
            )
            series.setdefault(mention.attribute, Series(rules)).add(claim)
            touched.add(mention.attribute)
        for attribute in sorted(touched):
            if series[attribute].settle(now):
                steps.setdefault(attribute, []).append((now, series[attribute].current or 0.0))
    return steps


if __name__ == "__main__":
    main()
