"""The comparisons of "Balancing Novelty and Salience" (CIKM 2015) on judged events: its Tables 2 to 5, as Markdown.

Every ranker that learns has learned from all events but the one that it ranks, and has chosen its C on those.

Page views as readers would have made them, simulated from what entities were worth: to see what soft labels lose. They
are made labels as section 4.2 has it, formula (3): |v - m| / max(m, v_min), and only entities with a page are learned
from. Views of an entity's page fall like its worth and linger, come late, are noisy and have holes; many entities have
no page. All of these are set by `ViewSettings`; what is drawn follows from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta

import msgspec
import numpy as np
from msgspec import Struct

from tidings.analysis import shipped_recogniser
from tidings.evaluation import Measure
from tidings.following import (
    ENTITY_FEATURE_GROUPS,
    ENTITY_FEATURES,
    Array,
    LinearKind,
    LinearWeights,
    in_order,
    ranker_named,
    sentences_of_entities,
    view_outlier_ratio,
)
from tidings.research.training.entities.judged_days import JudgedDay, LabelKind, count_labels, judged_days
from tidings.research.training.entities.ranker_training import (
    MEASURES,
    NUGGETS,
    PAPER,
    DayScores,
    Labels,
    LearnedKind,
    RankerTraining,
    learn,
    leave_one_out,
    leave_one_out_each,
    ranker_of,
    rankings,
    score_rankings,
    soft_labels,
)
from tidings.research.training.labelled_events import JudgedEvent

_BEFORE = 14
"""Days before an event's first for which there are views."""


class ViewSettings(Struct, frozen=True, kw_only=True):
    """How views come from worth.

    Attributes:
        with_page: share of the entities that have a page.
        usual: median views of a page on a day without news; pages differ by a factor of e^`spread`.
        spread: standard deviation of the logarithm of a page's usual views.
        pull: views, as a multiple of the page's usual ones, that each unit of worth adds.
        linger: share of the added views that stays from one day to the next.
        late: share of the added views that comes a day late.
        noise: standard deviation of the logarithm of a day's views.
        holes: share of days whose views are missing.
        seed: of all that is drawn.
    """

    with_page: float = 0.6
    usual: float = 300.0
    spread: float = 1.5
    pull: float = 1.0
    linger: float = 0.4
    late: float = 0.3
    noise: float = 0.4
    holes: float = 0.05
    seed: int = 0


def simulated_ratios(days: Sequence[JudgedDay], settings: ViewSettings) -> list[Array]:
    """For each day the View Outlier Ratio of its entities; nan where there is no page, or no views that can tell.

    Days of one event stand in their order.
    """
    rng = np.random.default_rng(settings.seed)
    ratios = [np.full(len(judged.label), np.nan) for judged in days]
    for event in dict.fromkeys(judged.event_id for judged in days):
        own = [number for number, judged in enumerate(days) if judged.event_id == event]
        series = _series([days[number] for number in own], settings, rng)
        for number in own:
            for row, entity in enumerate(days[number].day.entities):
                views = series.get(entity.id)
                ratio = view_outlier_ratio(views, days[number].day.date) if views else None
                ratios[number][row] = np.nan if ratio is None else ratio
    return ratios


def _series(
    days: Sequence[JudgedDay], settings: ViewSettings, rng: np.random.Generator
) -> dict[int, dict[str, float]]:
    first = date.fromisoformat(days[0].day.date) - timedelta(days=_BEFORE)
    length = (date.fromisoformat(days[-1].day.date) - first).days + 1
    worth: dict[int, Array] = {}
    for day in days:
        at = (date.fromisoformat(day.day.date) - first).days
        for entity, value in zip(day.day.entities, day.worth("match").tolist(), strict=True):
            worth.setdefault(entity.id, np.zeros(length))[at] += value
    series = {}
    for number in sorted(worth):
        has_page = rng.random() < settings.with_page
        usual = settings.usual * np.exp(settings.spread * rng.standard_normal())
        noise = np.exp(settings.noise * rng.standard_normal(length))
        there = rng.random(length) >= settings.holes
        if not has_page:
            continue
        arriving = (1 - settings.late) * worth[number]
        arriving[1:] += settings.late * worth[number][:-1]
        interest = np.zeros(length)
        for at in range(length):
            interest[at] = arriving[at] + (settings.linger * interest[at - 1] if at else 0.0)
        views = usual * (1 + settings.pull * interest) * noise
        series[number] = {
            (first + timedelta(days=at)).isoformat(): float(round(views[at]))
            for at in range(length)
            if there[at]
        }
    return series


KINDS: tuple[LabelKind, ...] = ("match", "first mention")
MAP = Measure("MAP")
LEARNED: tuple[LearnedKind, ...] = ("sal", "inf", "no-adapt", "adapter", "tidings")
Ranked = list[list[int]]
Watch = Callable[[int, int, str], None]
Lines = Iterator[str]
ONE_C = (0.001,)
"""Tables 3 and 4 compare one ranker with itself, so C is not chosen again in each of their many rows."""
DRAWS = 3
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
            count = count_labels(self._days, kind)
            share = count["named"] / max(1, count["labelled"])
            yield (
                f"{kind}: {count['days']} days, {count['labelled']} labelled entities, of which the days name "
                f"{share:.1%}"
            )

    def table(self, number: int, event: str, watch: Watch) -> Lines:
        """The lines of a table, by its number in the paper (2 to 5); `event` is that of Table 5."""
        make = {2: _table_2, 3: _table_3, 4: _table_4, 5: _table_5}[number]
        return make(self._days, self._events, event, watch)


def _by_true_worth(days: Sequence[JudgedDay]) -> Ranked:
    """By the mean worth of an entity's sentences, as judged: what IUS would give with a perfect order of sentences."""
    ranked = []
    for judged in days:
        places = sentences_of_entities(judged.day, judged.matrix)
        means = np.array([judged.sentence_worth[own].mean() if own else 0.0 for own in places])
        ranked.append([entity.id for entity in in_order(judged.matrix.ids, means)])
    return ranked


def _other_days(days: Sequence[JudgedDay]) -> Ranked:
    """By mentions on the event's other days, earlier and later ones: it sees the future."""
    totals: dict[tuple[str, int], int] = {}
    for day in days:
        for entity in day.day.entities:
            key = day.event_id, entity.id
            totals[key] = totals.get(key, 0) + len(entity.mentions)
    ranked = []
    for day in days:
        others = {
            entity.id: totals[day.event_id, entity.id] - len(entity.mentions) for entity in day.day.entities
        }
        ranked.append(sorted(others, key=lambda number: (-others[number], number)))
    return ranked


def _table_2(days: Sequence[JudgedDay], events: Sequence[JudgedEvent], event: str, watch: Watch) -> Lines:
    """All rankers, on both labels; p against AdaptER and against ours."""
    rows: dict[str, Ranked] = {"TAER": rankings(days, lambda event: ranker_named("taer"))}
    rows["TAER, learned"] = leave_one_out(days, RankerTraining(kind="taer"), progress=watch)
    rows["IUS"] = leave_one_out(days, RankerTraining(kind="ius"), progress=watch)
    rows["IUS, sentences by their true worth"] = _by_true_worth(days)
    rows["frequency today"] = rankings(days, lambda event: ranker_named("frequency"))
    rows["distinct contexts"] = rankings(days, lambda event: ranker_named("contexts"))
    titles = {"sal": "SAL", "inf": "INF", "no-adapt": "No-Adapt", "adapter": "AdaptER"}
    for kind in LEARNED:
        rows[titles.get(kind, kind)] = leave_one_out(days, RankerTraining(kind=kind), progress=watch)
    for kind in ("no-adapt", "adapter"):
        training = RankerTraining(kind=kind, within_day=True)
        rows[f"{titles[kind]}, places within the day"] = leave_one_out(days, training, progress=watch)
    everything = frozenset(feature.name for feature in ENTITY_FEATURES)
    rows["AdaptER, all features"] = leave_one_out(
        days, RankerTraining(kind="adapter", features=everything), progress=watch
    )
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
    yield from _adaptive_scores(days)


def _adaptive_scores(days: Sequence[JudgedDay]) -> Lines:
    """How much S and I, formula (8), differ between the days that AdaptER learned from."""
    yield "S and I of AdaptER over the days that it learned from"
    yield "| features by | S mean | S deviation | S least | S greatest | I mean | I deviation | I least | I greatest |"
    yield "|---|" + "---:|" * 8
    for title, within_day in (("places among all days", False), ("places within the day", True)):
        weights = learn(days, RankerTraining(kind="adapter", within_day=within_day, trade_offs=ONE_C))
        assert isinstance(weights, LinearWeights)
        scores = np.array([list(weights.factors(weights.rows(judged.matrix), 0).values()) for judged in days])
        figures = [figure(side) for side in scores.T for figure in (np.mean, np.std, np.min, np.max)]
        yield f"| {title} | {' | '.join(f'{value:.3f}' for value in figures)} |"


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
    draws: list[tuple[str, Labels]] = []
    for name, settings in views.items():
        if settings is None:
            draws.append((name, NUGGETS))
        else:
            draws += [
                (name, _simulated_labels(days, msgspec.structs.replace(settings, seed=seed)))
                for seed in range(DRAWS if settings.noise > 0 else 1)
            ]
    kinds: tuple[LinearKind, ...] = ("no-adapt", "adapter", "tidings")
    for kind in kinds:
        training = RankerTraining(kind=kind, trade_offs=ONE_C)
        figures: dict[str, list[list[float]]] = {}
        ranked = leave_one_out_each(days, training, [labels for _, labels in draws], watch)
        for (name, _), own in zip(draws, ranked, strict=True):
            scores = [score_rankings(days, own, label) for label in KINDS]
            values = [score.mean(measure) for score in scores for measure in (Measure("P", 10), MAP)]
            figures.setdefault(name, []).append(values)
        for name, rows in figures.items():
            yield f"| {kind} | {name} | {' | '.join(_spread(column) for column in zip(*rows, strict=True))} |"


def _simulated_labels(days: Sequence[JudgedDay], settings: ViewSettings) -> Labels:
    ratios = simulated_ratios(days, settings)
    worth = {id(judged): own for judged, own in zip(days, ratios, strict=True)}
    return soft_labels(lambda judged: worth[id(judged)])


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
        left = frozenset(
            feature.name for feature in ENTITY_FEATURES if feature.name in PAPER and feature.group != group
        )
        if group and left == PAPER:
            continue
        ranked = leave_one_out(
            days, RankerTraining(kind="no-adapt", features=left, trade_offs=ONE_C), progress=watch
        )
        scores = [score_rankings(days, ranked, label) for label in KINDS]
        whole = whole or scores
        figures = " | ".join(
            f"{own.mean(MAP):.3f} | " + (f"{own.p_value(all_of_it, MAP):.3f}" if group else "")
            for own, all_of_it in zip(scores, whole, strict=True)
        )
        yield f"| {group or 'nothing'} | {len(left)} | {figures} |"


def _table_5(days: Sequence[JudgedDay], events: Sequence[JudgedEvent], event: str, watch: Watch) -> Lines:
    """The first three of each day of an event by three rankers; what the day's nuggets name stands in bold."""
    others = [day for day in days if day.event_id != event]
    own = [day for day in days if day.event_id == event and day.labels]
    rows: list[tuple[str, Ranked]] = [("TAER", rankings(own, lambda _: ranker_named("taer")))]
    for title, kind in (("AdaptER", "adapter"), ("tidings", "tidings")):
        weights = learn(others, RankerTraining(kind=kind))  # type: ignore[arg-type]
        rows.append((title, rankings(own, lambda _, weights=weights: ranker_of(weights, own))))  # type: ignore[misc]
    yield f"Table 5: {event}, the first three of each day"
    yield f"| ranker | {' | '.join(day.day.date for day in own)} |"
    yield "|---|" + "---|" * len(own)
    for title, ranked in rows:
        yield f"| {title} | {' | '.join(_firsts(day, ids) for day, ids in zip(own, ranked, strict=True))} |"


def _firsts(day: JudgedDay, ids: Sequence[int]) -> str:
    place = {entity.id: row for row, entity in enumerate(day.day.entities)}
    rows = [place[number] for number in ids if not day.in_query[place[number]]][:3]
    names = (day.day.entities[row].name for row in rows)
    bold: Array = day.label[rows] >= 0 if rows else np.zeros(0, bool)
    return "; ".join(f"**{name}**" if is_bold else name for name, is_bold in zip(names, bold, strict=True))
