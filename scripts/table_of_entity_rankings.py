"""Print the tables of docs/entity-ranking.md: who ranks the entities of a day best, by labels made of nuggets.

    python scripts/table_of_entity_rankings.py --data ../shared/data              # all tables
    python scripts/table_of_entity_rankings.py --data ../shared/data --table 2    # one, by its number in the paper

Every ranker that learns has learned from all events but the one that it ranks, and has chosen its C on those.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tidings.cli.progress import steps_progress
from tidings.entities.features import FEATURES, GROUPS
from tidings.entities.ranking import ranker_named
from tidings.entities.ranking.linear import LinearKind, LinearRanker
from tidings.entities.weights import shipped_recogniser
from tidings.measures import Measure
from tidings.training import JudgedEvent, load_events
from tidings.training.entities.ius_rankings import rank_by_updates, updates_of_ius
from tidings.training.entities.judged_days import JudgedDay, LabelKind, counted, judged_days
from tidings.training.entities.ranker_training import (
    PAPER,
    RankerTraining,
    learn_linear,
    leave_one_out,
    rankings,
)
from tidings.training.entities.ranking_scores import MEASURES, DayScores, score_rankings
from tidings.training.entities.simulated_views import ViewSettings, soft_labels

KINDS: tuple[LabelKind, ...] = ("match", "first mention")
MAP = Measure("MAP")
LEARNED: tuple[LinearKind, ...] = ("sal", "inf", "no-adapt", "adapter", "tidings")
Ranked = list[list[int]]
ONE_C = (0.001,)
"""Tables 3 and 4 compare one ranker with itself, so C is not chosen anew in each of their many rows."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--table", type=int, action="append", choices=(2, 3, 4, 5))
    parser.add_argument("--event", default="TS14.14", help="the event of table 5")
    given = parser.parse_args()
    events = load_events([given.data / "trec-ts" / year for year in ("2013", "2014")])
    recogniser = shipped_recogniser()
    days = [day for event in events for day in judged_days(event, recogniser)]
    for kind in KINDS:
        count = counted(days, kind)
        share = count["named"] / count["labelled"]
        print(
            f"{kind}: {count['days']} days, {count['labelled']} labelled entities, of which the days name {share:.1%}"
        )
    tables: dict[int, Callable[[], None]] = {
        2: lambda: table_2(days, events),
        3: lambda: table_3(days),
        4: lambda: table_4(days),
        5: lambda: table_5(days, given.event),
    }
    for number in given.table or tables:
        print()
        tables[number]()
        sys.stdout.flush()


def learned(days: Sequence[JudgedDay], training: RankerTraining) -> Ranked:
    """Each event ranked by what learned from the others."""
    with steps_progress(training.kind) as progress:
        return leave_one_out(days, training, progress=progress)


def other_days(days: Sequence[JudgedDay]) -> Ranked:
    """By mentions on the event's other days, earlier and later ones: it sees the future."""
    totals: dict[tuple[str, int], int] = {}
    for one in days:
        for entity in one.day.entities:
            key = one.event_id, entity.id
            totals[key] = totals.get(key, 0) + len(entity.mentions)
    ranked = []
    for one in days:
        others = {
            entity.id: totals[one.event_id, entity.id] - len(entity.mentions) for entity in one.day.entities
        }
        ranked.append(sorted(others, key=lambda number: (-others[number], number)))
    return ranked


def table_2(days: Sequence[JudgedDay], events: Sequence[JudgedEvent]) -> None:
    """All rankers, on both labels; p against AdaptER and against ours."""
    with steps_progress("ius") as progress:
        told = updates_of_ius(events, progress=progress)
    rows: dict[str, Ranked] = {"TAER": rankings(days, lambda event: ranker_named("taer"))}
    rows["IUS"] = rank_by_updates(days, told)
    rows["frequency today"] = rankings(days, lambda event: ranker_named("frequency"))
    rows["distinct contexts"] = rankings(days, lambda event: ranker_named("contexts"))
    titles = {"sal": "SAL", "inf": "INF", "no-adapt": "No-Adapt", "adapter": "AdaptER"}
    for kind in LEARNED:
        rows[titles.get(kind, kind)] = learned(days, RankerTraining(kind=kind))
    everything = frozenset(one.name for one in FEATURES)
    rows["AdaptER, all features"] = learned(days, RankerTraining(kind="adapter", features=everything))
    rows["other days (sees the future)"] = other_days(days)
    for label in KINDS:
        for with_query in (False, True):
            scored = {
                name: score_rankings(days, ranked, label, with_query=with_query)
                for name, ranked in rows.items()
            }
            print(f"Table 2, {label}" + (", with the entities of the query" if with_query else ""))
            print(f"| ranker | {' | '.join(map(str, MEASURES))} | p (AdaptER) | p (tidings) |")
            print("|---|" + "---:|" * (len(MEASURES) + 2))
            best = best_of_sides(scored["SAL"], scored["INF"])
            for name, scores in scored.items():
                figures = " | ".join(f"{scores.mean(measure):.3f}" for measure in MEASURES)
                against = " | ".join(
                    "" if name == other else f"{scores.p_value(scored[other], MAP):.3f}"
                    for other in ("AdaptER", "tidings")
                )
                print(f"| {name} | {figures} | {against} |")
                if name == "INF":
                    print(f"| MAX(S,I) | {' | '.join(f'{value:.3f}' for value in best)} | | |")
            print()


def best_of_sides(one: DayScores, other: DayScores) -> list[float]:
    """The paper's row MAX(S,I): in each column the better of both."""
    return [max(one.mean(measure), other.mean(measure)) for measure in MEASURES]


def table_3(days: Sequence[JudgedDay]) -> None:
    """Learned from nuggets, and from page views that were simulated from them, more and less disturbed."""
    views = {
        "nuggets": None,
        "views, undisturbed": ViewSettings(
            with_page=1.0, spread=0.0, linger=0.0, late=0.0, noise=0.0, holes=0.0
        ),
        "views": ViewSettings(),
        "views, much disturbed": ViewSettings(with_page=0.3, late=0.6, noise=1.0, holes=0.2, pull=0.5),
    }
    print("Table 3: P@10 and MAP, learned from nuggets and from simulated page views")
    print("| ranker | labels | P@10 match | MAP match | P@10 first mention | MAP first mention |")
    print("|---|---|---:|---:|---:|---:|")
    for kind in ("no-adapt", "adapter", "tidings"):
        for name, settings in views.items():
            training = RankerTraining(kind=kind, trade_offs=ONE_C)  # type: ignore[arg-type]
            if settings is None:
                ranked = learned(days, training)
            else:
                soft = {id(one): label for one, label in zip(days, soft_labels(days, settings), strict=True)}
                with steps_progress(kind) as progress:
                    ranked = leave_one_out(days, training, lambda one, soft=soft: soft[id(one)], progress)  # type: ignore[misc]
            figures = [
                f"{score_rankings(days, ranked, label).mean(measure):.3f}"
                for label in KINDS
                for measure in (Measure("P", 10), MAP)
            ]
            print(f"| {kind} | {name} | {' | '.join(figures)} |", flush=True)


def table_4(days: Sequence[JudgedDay]) -> None:
    """Groups of features left out of No-Adapt, as in the paper."""
    print("Table 4: MAP of No-Adapt without a group of features, and p of the difference")
    print("| left out | features | MAP match | p | MAP first mention | p |")
    print("|---|---:|---:|---:|---:|---:|")
    whole: list[DayScores] = []
    for group in ("", *GROUPS):
        left = frozenset(one.name for one in FEATURES if one.name in PAPER and one.group != group)
        if group and left == PAPER:
            continue
        ranked = learned(days, RankerTraining(kind="no-adapt", features=left, trade_offs=ONE_C))
        scores = [score_rankings(days, ranked, label) for label in KINDS]
        whole = whole or scores
        figures = " | ".join(
            f"{own.mean(MAP):.3f} | " + (f"{own.p_value(all_of_it, MAP):.3f}" if group else "")
            for own, all_of_it in zip(scores, whole, strict=True)
        )
        print(f"| {group or 'nothing'} | {len(left)} | {figures} |", flush=True)


def table_5(days: Sequence[JudgedDay], event: str) -> None:
    """The first three of each day of an event by three rankers; what the day's nuggets name stands in bold."""
    others = [one for one in days if one.event_id != event]
    own = [one for one in days if one.event_id == event and one.labels]
    rows: list[tuple[str, Ranked]] = [("TAER", rankings(own, lambda _: ranker_named("taer")))]
    for title, kind in (("AdaptER", "adapter"), ("tidings", "tidings")):
        weights = learn_linear(others, RankerTraining(kind=kind))  # type: ignore[arg-type]
        rows.append((title, rankings(own, lambda _, weights=weights: LinearRanker(weights))))  # type: ignore[misc]
    print(f"Table 5: {event}, the first three of each day")
    print(f"| ranker | {' | '.join(one.day.date for one in own)} |")
    print("|---|" + "---|" * len(own))
    for title, ranked in rows:
        print(f"| {title} | {' | '.join(_firsts(one, ids) for one, ids in zip(own, ranked, strict=True))} |")


def _firsts(one: JudgedDay, ids: Sequence[int]) -> str:
    place = {entity.id: row for row, entity in enumerate(one.day.entities)}
    rows = [place[number] for number in ids if not one.in_query[place[number]]][:3]
    names = (one.day.entities[row].name for row in rows)
    bold: np.ndarray = one.label[rows] >= 0 if rows else np.zeros(0, bool)
    return "; ".join(f"**{name}**" if is_bold else name for name, is_bold in zip(names, bold, strict=True))


if __name__ == "__main__":
    main()
