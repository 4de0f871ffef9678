"""How often suggested nuggets, spans and clusters are right, where a finished collection is judged again by time.

    python scripts/table_of_suggestions.py ../shared/data/trec-ts/2014

Asked of every update that was matched, with what was judged before it in its topic; means over topics. Spans are held
against the assessors' where a nugget among the five is right. Clusters are made of nuggets: each update belongs to the
most important one that it tells (of equal ones to the earliest).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from tidings.formats import read_judgments
from tidings.judgments.selection import NuggetSuggester, PoolTexts, suggest_clusters
from tidings.judgments.selection.simulation import JudgedTopic, judged_topics
from tidings.records import Match, bare_event_id

Spans = dict[str, list[tuple[int, int]]]


def overlap(one: tuple[int, int], other: tuple[int, int]) -> float:
    """F of characters: 2 · shared / (those of one + those of the other)."""
    shared = max(0, min(one[1], other[1]) - max(one[0], other[0]))
    return 2 * shared / max(1, one[1] - one[0] + other[1] - other[0])


def nuggets_of(topic: JudgedTopic, matches: list[Match], learning: bool) -> list[float]:
    """Of a topic: first right, one of three right, all in five; F of the spans, of the whole text."""
    texts = PoolTexts(topic.pool)
    suggester = NuggetSuggester(texts.terms, topic.nuggets)
    spans: dict[str, Spans] = {}
    for match in matches:
        spans.setdefault(match.update_id, {}).setdefault(match.nugget_id, []).append((match.start, match.end))
    first, three, five, fitting, whole = [], [], [], [], []
    for candidate in texts.candidates:
        own = next((spans[copy] for copy in candidate.copies if copy in spans), None)
        if own is None:
            continue
        update = next(copy for copy in candidate.copies if copy in spans)
        text = texts.text_of(update)
        suggested = suggester.suggest(text)
        ids = [one.nugget_id for one in suggested]
        first.append(float(bool(ids) and ids[0] in own))
        three.append(float(bool(own.keys() & set(ids[:3]))))
        five.append(len(own.keys() & set(ids[:5])) / len(own))
        for one in suggested:
            if one.nugget_id in own:
                fitting.append(max(overlap((one.start, one.end), span) for span in own[one.nugget_id]))
                whole.append(max(overlap((0, len(text)), span) for span in own[one.nugget_id]))
        if learning:
            for nugget, places in own.items():
                for start, end in places:
                    suggester.add(update, nugget, text[start:end])
    return [fmean(column) for column in (first, three, five, fitting, whole)]


def clusters_of(topic: JudgedTopic, named: bool) -> list[float]:
    """Of a topic: first right, one of three right, asked where the cluster is there already."""
    texts = PoolTexts(topic.pool)
    rank = {one.id: (-one.importance, one.time, place) for place, one in enumerate(topic.nuggets)}
    names = {one.id: one.text for one in topic.nuggets} if named else {}
    members: dict[str, list[str]] = {}
    first, three = [], []
    for candidate in texts.candidates:
        told = {
            nugget for copy in candidate.copies for nugget in topic.matches.get(copy, ()) if nugget in rank
        }
        if not told:
            continue
        own = min(told, key=rank.__getitem__)
        if own in members:
            ids = [one.cluster_id for one in suggest_clusters(candidate.text, members, names, limit=3)]
            first.append(float(ids[:1] == [own]))
            three.append(float(own in ids))
        members.setdefault(own, []).append(candidate.text)
    return [fmean(first), fmean(three)]


def lines(folder: Path) -> Iterator[str]:
    """The two tables."""
    judgments = read_judgments(folder)
    topics = judged_topics(judgments)
    yield "| suggested | first right | one of three right | share among five | F of spans | F of the whole text |"
    yield "|---|---:|---:|---:|---:|---:|"
    for learning in (True, False):
        rows = []
        for topic in topics:
            bare = bare_event_id(topic.event.id)
            own = [match for match in judgments.matches if bare_event_id(match.event_id) == bare]
            rows.append(nuggets_of(topic, own, learning))
        means = [fmean(column) for column in zip(*rows, strict=True)]
        what = "nuggets, learning from matches" if learning else "nuggets, by their texts alone"
        yield f"| {what} | " + " | ".join(f"{value:.3f}" for value in means) + " |"
    for named in (True, False):
        rows = [clusters_of(topic, named) for topic in topics]
        means = [fmean(column) for column in zip(*rows, strict=True)]
        what = "clusters with names" if named else "clusters without names"
        yield f"| {what} | " + " | ".join(f"{value:.3f}" for value in means) + " | – | – | – |"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    for line in lines(parser.parse_args().folder):
        print(line, flush=True)


if __name__ == "__main__":
    main()
