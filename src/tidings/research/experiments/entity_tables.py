"""The comparisons of "Balancing Novelty and Salience" (2015) on judged events: its Tables 2 to 5, as Markdown.

Every ranker that learns has learned from all events but the one that it ranks, and has chosen its C on those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from tidings.analysis import shipped_recogniser
from tidings.evaluation import Measure
from tidings.following import ENTITY_FEATURE_GROUPS, ENTITY_FEATURES, LinearKind, LinearRanker, ranker_named
from tidings.research.training.entities.ius_rankings import rank_by_updates, updates_of_ius
from tidings.research.training.entities.judged_days import JudgedDay, LabelKind, counted, judged_days
from tidings.research.training.entities.ranker_training import (
    PAPER,
    RankerTraining,
    learn_linear,
    leave_one_out,
    rankings,
)
from tidings.research.training.entities.ranking_scores import MEASURES, DayScores, score_rankings
from tidings.research.training.entities.simulated_views import ViewSettings, soft_labels
from tidings.research.training.labelled_events import JudgedEvent

__all__ = ["EntityTables"]

KINDS: tuple[LabelKind, ...] = ("match", "first mention")
MAP = Measure("MAP")
LEARNED: tuple[LinearKind, ...] = ("sal", "inf", "no-adapt", "adapter", "tidings")
Ranked = list[list[int]]
Watch = Callable[[int, int, str], None]
Lines = Iterator[str]
ONE_C = (0.001,)
"""Tables 3 and 4 compare one ranker with itself, so C is not chosen anew in each of their many rows."""
DRAWS = 5
"""Times that disturbed views are drawn: one draw alone says little."""


class EntityTables:
    """Judged events with their days and entities, made once for all tables.

    Args:
        events: judged events with their streams.
        watch: told (done, total, words) while the days are made.
    """

    def __init__(self, events: Sequence[JudgedEvent], watch: Watch) -> None:
        recogniser = shipped_recogniser()
        self._events = events
        self._days: list[JudgedDay] = []
        for done, event in enumerate(events):
            watch(done, len(events), f"days of {event.event.id}")
            self._days += judged_days(event, recogniser)

    def counts(self) -> Lines:
        """How many entities are labelled, and how many of them the days name, a line for each label."""
        for kind in KINDS:
            count = counted(self._days, kind)
            share = count["named"] / max(1, count["labelled"])
            yield (
                f"{kind}: {count['days']} days, {count['labelled']} labelled entities, of which the days name "
                f"{share:.1%}"
            )

    def table(self, number: int, event: str, watch: Watch) -> Lines:
        """The lines of a table, by its number in the paper (2 to 5); `event` is that of Table 5."""
        make = {2: _table_2, 3: _table_3, 4: _table_4, 5: _table_5}[number]
        return make(self._days, self._events, event, watch)


def _learned(days: Sequence[JudgedDay], training: RankerTraining, watch: Watch) -> Ranked:
    """Each event ranked by what learned from the others."""
    return leave_one_out(days, training, progress=watch)


def _other_days(days: Sequence[JudgedDay]) -> Ranked:
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


def _table_2(days: Sequence[JudgedDay], events: Sequence[JudgedEvent], event: str, watch: Watch) -> Lines:
    """All rankers, on both labels; p against AdaptER and against ours."""
    told = updates_of_ius(events, progress=watch)
    rows: dict[str, Ranked] = {"TAER": rankings(days, lambda event: ranker_named("taer"))}
    rows["IUS"] = rank_by_updates(days, told)
    rows["frequency today"] = rankings(days, lambda event: ranker_named("frequency"))
    rows["distinct contexts"] = rankings(days, lambda event: ranker_named("contexts"))
    titles = {"sal": "SAL", "inf": "INF", "no-adapt": "No-Adapt", "adapter": "AdaptER"}
    for kind in LEARNED:
        rows[titles.get(kind, kind)] = _learned(days, RankerTraining(kind=kind), watch)
    everything = frozenset(one.name for one in ENTITY_FEATURES)
    rows["AdaptER, all features"] = _learned(days, RankerTraining(kind="adapter", features=everything), watch)
    rows["other days (sees the future)"] = _other_days(days)
    for label in KINDS:
        for with_query in (False, True):
            scored = {
                name: score_rankings(days, ranked, label, with_query=with_query)
                for name, ranked in rows.items()
            }
            yield f"Table 2, {label}" + (", with the entities of the query" if with_query else "")
            yield f"| ranker | {' | '.join(map(str, MEASURES))} | p (AdaptER) | p (tidings) |"
            yield "|---|" + "---:|" * (len(MEASURES) + 2)
            best = _best_of_sides(scored["SAL"], scored["INF"])
            for name, scores in scored.items():
                figures = " | ".join(f"{scores.mean(measure):.3f}" for measure in MEASURES)
                against = " | ".join(
                    "" if name == other else f"{scores.p_value(scored[other], MAP):.3f}"
                    for other in ("AdaptER", "tidings")
                )
                yield f"| {name} | {figures} | {against} |"
                if name == "INF":
                    yield f"| MAX(S,I) | {' | '.join(f'{value:.3f}' for value in best)} | | |"
            yield ""


def _best_of_sides(one: DayScores, other: DayScores) -> list[float]:
    """The paper's row MAX(S,I): in each column the better of both."""
    return [max(one.mean(measure), other.mean(measure)) for measure in MEASURES]


def _table_3(days: Sequence[JudgedDay], events: Sequence[JudgedEvent], event: str, watch: Watch) -> Lines:
    """Learned from nuggets, and from page views that were simulated from them, more and less disturbed."""
    views = {
        "nuggets": None,
        "views, undisturbed": ViewSettings(
            with_page=1.0, spread=0.0, linger=0.0, late=0.0, noise=0.0, holes=0.0
        ),
        "views": ViewSettings(),
        "views, much disturbed": ViewSettings(with_page=0.3, late=0.6, noise=1.0, holes=0.2, pull=0.5),
    }
    yield "Table 3: P@10 and MAP, learned from nuggets and from simulated page views (mean and bounds of draws)"
    yield "| ranker | labels | P@10 match | MAP match | P@10 first mention | MAP first mention |"
    yield "|---|---|---:|---:|---:|---:|"
    kinds: tuple[LinearKind, ...] = ("no-adapt", "adapter", "tidings")
    for kind in kinds:
        for name, settings in views.items():
            training = RankerTraining(kind=kind, trade_offs=ONE_C)
            drawn = settings is not None and settings.noise > 0
            draws = [_draw(days, training, settings, seed, watch) for seed in range(DRAWS if drawn else 1)]
            yield f"| {kind} | {name} | {' | '.join(_spread(column) for column in zip(*draws, strict=True))} |"


def _draw(
    days: Sequence[JudgedDay],
    training: RankerTraining,
    settings: ViewSettings | None,
    seed: int,
    watch: Watch,
) -> list[float]:
    """P@10 and MAP by both labels, learned from nuggets, or from one draw of views."""
    if settings is None:
        ranked = _learned(days, training, watch)
    else:
        labels = soft_labels(days, msgspec.structs.replace(settings, seed=seed))
        soft = {id(one): label for one, label in zip(days, labels, strict=True)}
        ranked = leave_one_out(days, training, lambda one: soft[id(one)], watch)
    return [
        score_rankings(days, ranked, label).mean(measure)
        for label in KINDS
        for measure in (Measure("P", 10), MAP)
    ]


def _spread(values: Sequence[float]) -> str:
    mean = f"{sum(values) / len(values):.3f}"
    return f"{mean} ({min(values):.3f} to {max(values):.3f})" if len(values) > 1 else mean


def _table_4(days: Sequence[JudgedDay], events: Sequence[JudgedEvent], event: str, watch: Watch) -> Lines:
    """Groups of features left out of No-Adapt, as in the paper."""
    yield "Table 4: MAP of No-Adapt without a group of features, and p of the difference"
    yield "| left out | features | MAP match | p | MAP first mention | p |"
    yield "|---|---:|---:|---:|---:|---:|"
    whole: list[DayScores] = []
    for group in ("", *ENTITY_FEATURE_GROUPS):
        left = frozenset(one.name for one in ENTITY_FEATURES if one.name in PAPER and one.group != group)
        if group and left == PAPER:
            continue
        ranked = _learned(days, RankerTraining(kind="no-adapt", features=left, trade_offs=ONE_C), watch)
        scores = [score_rankings(days, ranked, label) for label in KINDS]
        whole = whole or scores
        figures = " | ".join(
            f"{own.mean(MAP):.3f} | " + (f"{own.p_value(all_of_it, MAP):.3f}" if group else "")
            for own, all_of_it in zip(scores, whole, strict=True)
        )
        yield f"| {group or 'nothing'} | {len(left)} | {figures} |"


def _table_5(days: Sequence[JudgedDay], events: Sequence[JudgedEvent], event: str, watch: Watch) -> Lines:
    """The first three of each day of an event by three rankers; what the day's nuggets name stands in bold."""
    others = [one for one in days if one.event_id != event]
    own = [one for one in days if one.event_id == event and one.labels]
    rows: list[tuple[str, Ranked]] = [("TAER", rankings(own, lambda _: ranker_named("taer")))]
    for title, kind in (("AdaptER", "adapter"), ("tidings", "tidings")):
        weights = learn_linear(others, RankerTraining(kind=kind))  # type: ignore[arg-type]
        rows.append((title, rankings(own, lambda _, weights=weights: LinearRanker(weights))))  # type: ignore[misc]
    yield f"Table 5: {event}, the first three of each day"
    yield f"| ranker | {' | '.join(one.day.date for one in own)} |"
    yield "|---|" + "---|" * len(own)
    for title, ranked in rows:
        yield f"| {title} | {' | '.join(_firsts(one, ids) for one, ids in zip(own, ranked, strict=True))} |"


def _firsts(one: JudgedDay, ids: Sequence[int]) -> str:
    place = {entity.id: row for row, entity in enumerate(one.day.entities)}
    rows = [place[number] for number in ids if not one.in_query[place[number]]][:3]
    names = (one.day.entities[row].name for row in rows)
    bold: np.ndarray = one.label[rows] >= 0 if rows else np.zeros(0, bool)
    return "; ".join(f"**{name}**" if is_bold else name for name, is_bold in zip(names, bold, strict=True))
