"""The tables of docs/following/values.md: how far off they are, what is emitted of known stories, and how fast.

    python scripts/table_of_values.py ../shared/data                    # errors of all systems, mentions
    python scripts/table_of_values.py ../shared/data --leave-out        # rules chosen on all other events
    python scripts/table_of_values.py ../shared/data --stories          # the series of long stories, with evidence
    python scripts/table_of_values.py ../shared/data --speed

The error of a series is the mean over time, from the first gold value to the event's end, of |value - gold| / max(gold,
1), and 1 where nothing is said; `within` is the share of that time in which it is at most .1. Rows noted DOUBTFUL and
vague ones are left out; p is of a paired randomization test of the errors, capped at 1, against `values`.
"""

from __future__ import annotations

import bisect
import csv
import datetime
import gzip
import time
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise, product
from operator import attrgetter
from pathlib import Path
from statistics import mean, median

from digest_weights import read_articles
from frame import parser as command_line
from msgspec.structs import replace

from tidings.analysis import Mention, Relevance, find_mentions
from tidings.core.records import Event, Judgments, Sentence, ValueUpdate
from tidings.core.records.outputs import ValueRun
from tidings.core.text.sentences import cut
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.significance import randomization_test
from tidings.evaluation.measures.values import prepare
from tidings.following.systems.registry import available_values, make
from tidings.following.values.series import Rules, weight_of
from tidings.following.values.value_tracker import ValueTracker, mentions_of
from tidings.sources import bundled
from tidings.sources.streams import read_events, read_stream

Pushes = list[tuple[int, list[Sentence]]]
Key = tuple[str, str]
Step = tuple[int, float]

STORIES = {
    "bpoil_bbc": "BP oil spill",
    "haiti_bbc": "Haiti earthquake",
    "H1N1_bbc": "H1N1 swine flu",
    "SyrianCrisis_bbc": "Syria crisis",
    "MJ_bbc": "Michael Jackson death",
}
ACCEPTED = 0.7
"""A mention of at least this weight is accepted."""


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def gold_of(data: Path, year: int) -> dict[Key, list[Step]]:
    gold: dict[Key, list[Step]] = {}
    for row in rows(data / "values" / f"values-{year}.tsv"):
        if row["qualifier"] != "vague" and row["value"] and "DOUBTFUL" not in (row["note"] or ""):
            gold.setdefault((row["event_id"], row["attribute"]), []).append(
                (int(row["time"]), float(row["value"]))
            )
    return {key: sorted(steps) for key, steps in gold.items()}


def events_of(data: Path, year: int) -> dict[str, tuple[Event, Pushes]]:
    folder = data / "trec-ts" / str(year)
    by_id: dict[str, Pushes] = {}
    for document in read_stream(folder):
        by_event: dict[str, list[Sentence]] = {}
        for sentence in document.sentences:
            for event_id in sentence.events or ():
                by_event.setdefault(event_id, []).append(sentence)
        for event_id, sentences in by_event.items():
            by_id.setdefault(event_id, []).append((document.published_time, sentences))
    events = {f"TS{year - 2000}.{event.id.split('.')[-1]}": event for event in read_events(folder)}
    return {event_id: (events[event_id], pushes) for event_id, pushes in by_id.items()}


def followed(spec: str, event: Event, pushes: Pushes) -> list[ValueUpdate]:
    follower = make(spec).start(event)
    return [value for now, sentences in pushes for value in follower.push(sentences, now)]


def error_of(steps: list[Step], gold: list[Step], end: int) -> tuple[float, float]:
    """The error of a series over time, and the share of the time in which it is at most .1."""
    start, end = gold[0][0], max(end, gold[-1][0] + 1)
    changes = sorted({start, end, *(at for at, _ in [*gold, *steps] if start < at < end)})
    gold_times, times = [at for at, _ in gold], [at for at, _ in steps]
    total = close = 0.0
    for left, right in pairwise(changes):
        target = gold[bisect.bisect_right(gold_times, left) - 1][1]
        place = bisect.bisect_right(times, left) - 1
        error = abs(steps[place][1] - target) / max(target, 1.0) if place >= 0 else 1.0
        total += error * (right - left)
        close += (error <= 0.1) * (right - left)
    return total / (end - start), close / (end - start)


def errors_of(
    spec: str, data: Path, year: int, events: dict[str, tuple[Event, Pushes]]
) -> dict[Key, tuple[float, float]]:
    errors, values = {}, {}
    for (event_id, attribute), gold in gold_of(data, year).items():
        if event_id in events:
            event, pushes = events[event_id]
            if event_id not in values:
                values[event_id] = followed(spec, event, pushes)
            steps = [(one.time, one.value[0]) for one in values[event_id] if one.attribute == attribute]
            errors[event_id, attribute] = error_of(steps, gold, event.end_time or 0)
    return errors


def summary(errors: Iterable[tuple[float, float]]) -> str:
    listed = list(errors)
    if not listed:
        return "none"
    capped = [min(1.0, error) for error, _ in listed]
    within = [share for _, share in listed]
    return (
        f"{len(listed):6}  {median(error for error, _ in listed):6.3f}  {mean(capped):6.3f}  {mean(within):6.3f}  "
        f"{sum(share >= 0.5 for share in within):3}"
    )


def print_errors(data: Path) -> None:
    print("year  series        system          series  median  capped  within  half  p")
    series = []
    for year in (2013, 2014):
        events = events_of(data, year)
        gold = gold_of(data, year)
        by_system = {spec: errors_of(spec, data, year, events) for spec in available_values()}
        own = by_system["values"]
        for kind in ("all", "three or more", "deaths"):
            keys = [
                key for key in own
                if kind == "all" or key[1] == kind or (kind == "three or more" and len(gold[key]) > 2)
            ]  # fmt: skip
            for spec, errors in by_system.items():
                differences = [min(1.0, errors[key][0]) - min(1.0, own[key][0]) for key in keys]
                p = "" if spec == "values" else f"{randomization_test(differences).p:.3f}"
                print(f"{year}  {kind}  `{spec}`  {summary(errors[key] for key in keys)}   {p or '-'}")
        series += [
            f"{key[0]}  {key[1]}  {error:.3f}  {within:.3f}  {len(gold[key])}"
            for key, (error, within) in sorted(own.items())
        ]
    print("\nevent  attribute  error  within  gold values", *series, sep="\n")


def print_expected_errors(data: Path) -> None:
    """EE (26), (27) of deaths: the mean over events of the time average of |f* - f| from start to end, in people.

    Beside it the mean over the events of which the gold has a count, and not only bounds ("one hundred or more").
    """
    print("\nyear  system          events  EE[deaths]  counted  EE, counted  largest")
    deaths = Measure("EE[deaths]")
    for year in (2013, 2014):
        events = events_of(data, year)
        targets = tuple(
            ValueUpdate(event_id, at, attribute, (value,))
            for (event_id, attribute), steps in gold_of(data, year).items()
            for at, value in steps
            if attribute == "deaths" and event_id in events
        )
        known = tuple(replace(event, id=event_id) for event_id, (event, _) in events.items())
        counted = {
            row["event_id"]
            for row in rows(data / "values" / f"values-{year}.tsv")
            if row["attribute"] == "deaths" and row["qualifier"] in ("exact", "about")
        }
        prepared = prepare(Judgments(name=str(year), events=known, values=targets))
        for spec in available_values():
            values = [
                replace(value, event_id=event_id)
                for event_id in prepared.events
                for value in followed(spec, *events[event_id])
                if value.attribute == "deaths"
            ]
            scores = prepared.score(ValueRun("", spec, tuple(values)))
            worst = max(scores.per_event, key=lambda event_id: scores.per_event[event_id][deaths])
            exact = [scores.per_event[event_id][deaths] for event_id in scores.over if event_id in counted]
            print(
                f"{year}  `{spec}`  {len(scores.over):7}  {scores.mean(deaths):10,.1f}  "
                f"{len(exact):7}  {mean(exact):11,.1f}  {worst}, {scores.per_event[worst][deaths]:,.1f}"
            )


def print_mentions(data: Path) -> None:
    print("\nyear  accepted  recall  rejected  kept out  precision")
    for year in (2013, 2014):
        with gzip.open(data / "trec-ts" / str(year) / "nuggets.tsv.gz", "rt", encoding="latin-1") as file:
            texts = {line.split("\t")[1]: line.rstrip("\n").split("\t")[-1] for line in file}
        events = {
            f"TS{year - 2000}.{event.id.split('.')[-1]}": event
            for event in read_events(data / "trec-ts" / str(year))
        }
        hits = {True: [0, 0], False: [0, 0]}
        for is_accepted, name in ((True, "values"), (False, "values-rejected")):
            for row in rows(data / "values" / f"{name}-{year}.tsv"):
                if row["value"] and row["qualifier"] != "vague" and "DOUBTFUL" not in (row["note"] or ""):
                    event = events.get(row["event_id"])
                    own = Relevance(event).stems if event is not None else frozenset()
                    value, text = float(row["value"]), texts.get(row["nugget_id"], "")
                    weights = [
                        weight_of(one)
                        for one in find_mentions(text, year - 1, own, about=2)
                        if one.attribute == row["attribute"]
                        and abs(one.value - value) <= 0.1 * max(value, 1.0)
                    ]
                    hits[is_accepted][max(weights, default=0.0) >= ACCEPTED] += 1
        (missed, taken), (kept_out, let_in) = hits[True], hits[False]
        print(
            f"{year}  {missed + taken:8}  {taken / (missed + taken):6.3f}  {kept_out + let_in:8}  "
            f"{kept_out / (kept_out + let_in):8.3f}  {taken / (taken + let_in):9.3f}"
        )


def read_documents(
    relevance: Relevance, sentences: list[Sentence]
) -> Iterator[tuple[Sentence, list[Mention]]]:
    for _, document in groupby(sentences, attrgetter("doc_id")):
        yield from mentions_of(relevance, document)


def print_left_out(data: Path) -> None:
    """Rules chosen on all events but one, tested on that one; each stream is read once."""
    grid = [
        Rules(keep=keep, rise=rise, corroborated=corroborated, span=span)
        for keep, rise, corroborated, span in product((1.1, 1.3, 1.6), (1.3, 1.6, 2.0), (2, 3), (10, 20))
    ]
    by_rules: list[dict[Key, tuple[float, float]]] = [{} for _ in grid]
    for year in (2013, 2014):
        events, gold = events_of(data, year), gold_of(data, year)
        for event_id in sorted({key[0] for key in gold} & events.keys()):
            event, pushes = events[event_id]
            relevance = Relevance(event)
            reads = [(now, list(read_documents(relevance, sentences))) for now, sentences in pushes]
            for rules, errors in zip(grid, by_rules, strict=True):
                tracker = ValueTracker(event, rules)
                values = [value for now, read in reads for value in tracker.note(read, now)]
                for key in gold:
                    if key[0] == event_id:
                        steps = [(one.time, one.value[0]) for one in values if one.attribute == key[1]]
                        errors[key] = error_of(steps, gold[key], event.end_time or 0)
    tested = {}
    for left in sorted({key[0] for key in by_rules[0]}):
        rest = [key for key in by_rules[0] if key[0] != left]
        best = min(by_rules, key=lambda errors: mean(min(1.0, errors[key][0]) for key in rest))
        tested |= {key: best[key] for key in best if key[0] == left}
    print("events  series  median  capped  within  half")
    for name in ("TS13", "TS14", "TS1"):
        shown = [tested[key] for key in tested if key[0].startswith(name)]
        print(f"{ {'TS13': 2013, 'TS14': 2014}.get(name, 'both years')!s}  {summary(shown)}")


def story(data: Path, name: str) -> Pushes:
    pushes = []
    for article in read_articles(data / "tls" / name / "articles.jsonl.gz"):
        noon = article.published_time // 86_400 * 86_400 + 43_200
        pushes.append((noon, list(cut(replace(article, published_time=noon)).sentences)))
    return sorted(pushes, key=lambda push: push[0])


def stories(data: Path) -> Iterator[tuple[Event, Pushes]]:
    for name, query in STORIES.items():
        yield Event(id=name, title=query, query=query), story(data, name)
    documents = sorted(map(cut, read_stream(bundled.path())), key=lambda one: one.published_time)
    yield read_events(bundled.path())[0], [(one.published_time, list(one.sentences)) for one in documents]


def print_stories(data: Path) -> None:
    for event, pushes in stories(data):
        print(f"\n{event.title}: {len(pushes)} documents")
        for value in sorted(followed("values", event, pushes), key=lambda one: (one.attribute, one.time)):
            when = datetime.datetime.fromtimestamp(value.time, datetime.UTC).strftime("%Y-%m-%d %H:%M")
            others = (
                f" (reported {value.reported[0]:,.0f} to {value.reported[1]:,.0f})" if value.reported else ""
            )
            text = " ".join(value.evidence[-1].text.split())
            print(
                f"  {value.attribute:15} {when} {value.value[0]:>15,.0f}{others} [{value.confidence:.2f}] {text[:140]}"
            )


def print_speed(data: Path) -> None:
    """Seconds of processor time for `tidings` alone, its words known from a pass before, and with values, read anew."""
    for event, pushes in [*stories(data), events_of(data, 2013)["TS13.6"]]:
        sentences = sum(len(push[1]) for push in pushes)
        speeds = []
        for spec in ("tidings", "tidings", "tidings:values=yes"):
            follower, began = make(spec).start(event), time.process_time()
            for now, offered in pushes:
                follower.push(offered, now)
            speeds.append(f"{spec} {sentences / (time.process_time() - began):8,.0f}")
        print(f"{event.title[:32]:32} {sentences:6} sentences, a second of one core: {'  '.join(speeds[1:])}")


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("data", type=Path, help="the folder that holds values/, trec-ts/ and tls/")
    parser.add_argument("--leave-out", action="store_true")
    parser.add_argument("--stories", action="store_true")
    parser.add_argument("--speed", action="store_true")
    said = parser.parse_args()
    if said.leave_out:
        print_left_out(said.data)
    elif said.stories:
        print_stories(said.data)
    elif said.speed:
        print_speed(said.data)
    else:
        print_errors(said.data)
        print_expected_errors(said.data)
        print_mentions(said.data)


if __name__ == "__main__":
    main()
