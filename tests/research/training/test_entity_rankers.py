"""Learning to rank entities: pairs of a day, the weights, leaving events out, and the scores by day."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec.structs import replace as replace_settings

from tests.sweeps import cases, every
from tidings.analysis.names.weights import shipped_recogniser
from tidings.core.errors import UsageError
from tidings.core.models.files import Model, read_model, write_model_bytes
from tidings.core.records import ModelCard, Sentence
from tidings.evaluation.measures import Measure
from tidings.following.entities.event_days import DayDocument, DayEntity, EntityMention, EventDay
from tidings.following.entities.features.matrix import ENTITY_FEATURES, FeatureMatrix
from tidings.following.entities.ranking import RANKERS, LinearRanker, ranker_named, read_linear
from tidings.following.entities.rivals import SENTENCE_FEATURES
from tidings.research.experiments.entity_tables import ViewSettings, simulated_ratios
from tidings.research.training.entities.judged_days import (
    JudgedDay,
    LabelledEntity,
    count_labels,
    judged_days,
)
from tidings.research.training.entities.ranker_training import (
    MOST_BELOW,
    PAPER,
    RankerTraining,
    day_pairs,
    learn,
    leave_one_out,
    model_parts,
    rank_svm,
    ranker_of,
    rankings,
    score_rankings,
    soft_labels,
)
from tidings.research.training.labelled_events import load_events

NAMES = tuple(one.name for one in ENTITY_FEATURES)
GOOD, BAD = "documents", "word_offset"


def judged(event: str, number: int, worth=(3, 0, 1, 0), ids=(1, 2, 3, 4), query=(), first=()) -> JudgedDay:
    """A day whose feature `GOOD` grows with worth; entity 1 has label 0, the second that is worth something label 1."""
    rng = np.random.default_rng([number, *event.encode()])
    labelled = [at for at, value in enumerate(worth) if value]
    labels = [
        LabelledEntity(f"L{at}", "PER", frozenset({(f"l{at}",)}), worth[at], at in first, at in query)
        for at in labelled
    ]
    values = rng.random((len(ids), len(NAMES)))
    values[:, NAMES.index(GOOD)] = np.array(worth) / 3 + 0.01 * rng.random(len(ids))
    entities = tuple(DayEntity(at, f"E{at}", "PER", (EntityMention(0, 0, 0, 1, f"E{at}"),)) for at in ids)
    document = DayDocument((Sentence("d", 0, "text", 0),), (("text",),), 1.0)
    return JudgedDay(
        event,
        EventDay(f"2013-01-{number + 1:02d}", 0, (document,), entities),
        FeatureMatrix(NAMES, ids, values, values),
        labels,
        np.array([labelled.index(at) if at in labelled else -1 for at in range(len(ids))]),
        np.zeros(len(ids), bool),
        np.array([at in query for at in range(len(ids))]),
        np.zeros(len(ids), bool),
    )


DAYS = [judged(event, number) for event in "abcd" for number in range(3)]
QUICK = {"trade_offs": (0.01, 0.1), "parts": 2}


def test_pairs_are_of_one_more_worth_and_one_less_and_no_more_than_so_many() -> None:
    rows = np.arange(100.0)[:, None]
    worth = np.zeros(100)
    worth[:2] = (1, 5)
    pairs = day_pairs(rows, worth, np.random.default_rng(0))
    assert len(pairs) == 2 * MOST_BELOW
    assert (pairs <= 1).all()
    assert len(day_pairs(rows, np.zeros(100), np.random.default_rng(0))) == 0


def test_a_day_counts_the_same_however_many_pairs_it_has() -> None:
    right, left = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    few = rank_svm([right, left], 1.0)
    many = rank_svm([np.repeat(right, 50, axis=0), left], 1.0)
    assert few == pytest.approx(many, abs=1e-3)
    with pytest.raises(UsageError, match="no day with entities of different worth"):
        rank_svm([np.zeros((0, 2))], 1.0)


@every("kind", ["sal", "no-adapt", "adapter", "tidings"])
def test_what_is_worth_more_is_learned_on_other_events(kind) -> None:
    columns = [GOOD, BAD, "burst", "cti"] if "cti" in NAMES else [GOOD, BAD, "burst", "p_tf"]
    allowed = [name for name in (*columns, "fresh_sum") if name in NAMES]
    ranked = leave_one_out(DAYS, RankerTraining(kind=kind, features=allowed, **QUICK))
    assert np.mean([ids[0] == 1 for ids in ranked]) > 0.9
    scores = score_rankings(DAYS, ranked, "match")
    assert scores.mean(Measure("MAP")) > 0.9


def test_nothing_is_learned_from_the_event_that_is_ranked() -> None:
    turned = [replace(one, label=one.label[::-1].copy()) if one.event_id == "a" else one for one in DAYS]
    training = RankerTraining(kind="sal", features=[GOOD, BAD], **QUICK)
    same, other = leave_one_out(DAYS, training), leave_one_out(turned, training)
    assert same[:3] == other[:3]


def test_entities_of_the_query_and_repeats_are_not_learned_from() -> None:
    def without(one: JudgedDay, field: str) -> JudgedDay:
        return replace(one, **{field: np.array([True, False, False, False])})

    training = RankerTraining(kind="sal", features=[GOOD, BAD], trade_offs=(0.1,))
    whole = learn(DAYS, training).sides["salience"].weights
    for field in ("in_query", "repeats"):
        weights = learn([without(one, field) for one in DAYS], training).sides["salience"].weights
        assert weights != pytest.approx(whole)


def test_the_paper_s_rankers_see_the_papers_features_and_ours_all() -> None:
    seen = RankerTraining(kind="adapter").columns()
    assert set(seen["salience"]) | set(seen["informativeness"]) == PAPER
    assert sum(map(len, RankerTraining(kind="tidings").columns().values())) == len(ENTITY_FEATURES)
    assert set(RankerTraining(kind="inf").columns()) == {"informativeness"}


@every("kind", ["adapter", "tidings", "inf"])
def test_a_model_file_ranks_as_what_was_learned(kind) -> None:
    weights = learn(DAYS, RankerTraining(kind=kind, trade_offs=(0.01,)))
    arrays, settings = model_parts(weights)
    model = Model(card=ModelCard(system=f"entities-{kind}"), arrays=arrays, settings=settings)
    read = read_linear(model, kind)
    one = DAYS[0]
    learned = LinearRanker(weights).rank(one.day, one.matrix)
    again = LinearRanker(read).rank(one.day, one.matrix)
    assert [entity.id for entity in again] == [entity.id for entity in learned]
    assert [entity.score for entity in again] == pytest.approx([entity.score for entity in learned], abs=1e-4)


def test_scores_are_those_of_each_day_with_labels() -> None:
    days = [
        judged("a", 0, worth=(3, 0, 1, 0)),
        judged("a", 1, worth=(0, 0, 0, 0)),
        judged("b", 0, worth=(0, 2, 0, 0)),
    ]
    scores = score_rankings(days, [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]], "match")
    assert set(scores.days) == {("a", "2013-01-01"), ("b", "2013-01-01")}
    assert scores.mean(Measure("MAP")) == pytest.approx(((1 + 2 / 3) / 2 + 1 / 2) / 2)
    assert scores.mean(Measure("P", 1)) == pytest.approx(0.5)
    better = score_rankings(days, [[1, 3, 2, 4], [], [2, 1, 3, 4]], "match")
    assert better.p_value(scores, Measure("MAP")) == pytest.approx(0.5)


def test_who_the_query_names_is_ranked_only_when_asked() -> None:
    days = [judged("a", 0, worth=(3, 0, 1, 0), query=(0,))]
    assert score_rankings(days, [[1, 2, 3, 4]], "match").mean(Measure("MAP")) == pytest.approx(0.5)
    whole = score_rankings(days, [[1, 2, 3, 4]], "match", with_query=True)
    assert whole.mean(Measure("MAP")) == pytest.approx((1 + 2 / 3) / 2)


def test_a_first_mention_is_ranked_among_those_that_no_nugget_named_before() -> None:
    one = replace(
        judged("a", 1, worth=(3, 0, 1, 0), first=(2,)), named_before=np.array([True, True, False, False])
    )
    scores = score_rankings([one], [[1, 2, 3, 4]], "first mention")
    assert scores.mean(Measure("MAP")) == pytest.approx(1.0)
    assert count_labels([one], "first mention") == {"days": 1, "labelled": 1, "named": 1}


def test_what_the_day_does_not_name_is_missed_and_what_is_named_twice_counts_once() -> None:
    one = judged("a", 0, worth=(3, 0, 1, 0))
    missing = LabelledEntity("Elsewhere", "LOC", frozenset({("elsewhere",)}), 2, True, False)
    partly = replace(one, labels=[*one.labels, missing])
    assert score_rankings([partly], [[1, 3, 2, 4]], "match").mean(Measure("MAP")) == pytest.approx(2 / 3)
    twice = replace(one, label=np.array([0, 0, 1, -1]), repeats=np.array([False, True, False, False]))
    assert score_rankings([twice], [[2, 1, 3, 4]], "match").mean(Measure("MAP")) == pytest.approx(
        (1 + 2 / 3) / 2
    )


def test_undisturbed_views_stand_out_where_worth_is_and_disturbed_ones_less_surely() -> None:
    worths = [(0, 0, 0, 0), (0, 0, 0, 0), (3, 0, 1, 0)]
    days = [judged("a", number, worth=worth) for number, worth in enumerate(worths)]
    clear = ViewSettings(with_page=1.0, spread=0.0, linger=0.0, late=0.0, noise=0.0, holes=0.0)
    ratios = simulated_ratios(days, clear)
    assert [own.tolist() for own in ratios[:2]] == [[0.0] * 4] * 2
    assert ratios[2] == pytest.approx([3.0, 0.0, 1.0, 0.0], abs=0.01)
    after = [judged("a", number, worth=worth) for number, worth in enumerate([(3, 0, 0, 0), (0, 0, 0, 0)])]
    lingering = simulated_ratios(after, replace_settings(clear, linger=0.5))
    assert [own[0] for own in lingering] == pytest.approx([3.0, 1.5], abs=0.01)
    late = simulated_ratios(after, replace_settings(clear, late=1.0))
    assert [own[0] for own in late] == pytest.approx([0.0, 3.0], abs=0.01)
    once, again = (simulated_ratios(days, ViewSettings(seed=1)) for _ in range(2))
    assert all(np.array_equal(*pair, equal_nan=True) for pair in zip(once, again, strict=True))


def test_simulated_ratios_are_those_of_formula_3_and_those_without_a_page_have_none() -> None:
    """|v - m| / m: views that fall stand out as well as views that rise; without a page nothing is known."""
    days = [judged("a", number, worth=(0, 0, 0, 0)) for number in range(12)]
    noisy = simulated_ratios(days, ViewSettings(noise=1.0, with_page=1.0, holes=0.0))
    assert (np.array(noisy) >= 0).all()
    assert (np.array(noisy) > 0).mean() > 0.8
    assert all(np.isnan(own).all() for own in simulated_ratios(days, ViewSettings(with_page=0.0)))


def test_entities_without_a_label_are_not_learned_from_as_worth_nothing() -> None:
    def hide(judged_day: JudgedDay, value: float) -> np.ndarray:
        worth = judged_day.worth("match").astype(float)
        worth[1] = value
        return worth

    training = RankerTraining(kind="sal", features=[GOOD, BAD], trade_offs=(0.1,))
    unknown = learn(DAYS, training, soft_labels(lambda judged_day: hide(judged_day, np.nan)))
    zero = learn(DAYS, training, soft_labels(lambda judged_day: hide(judged_day, 0.0)))
    three = [
        replace(one, repeats=np.array([False, True, False, False])) for one in DAYS
    ]  # the same without the entity
    without = learn(three, training)
    own, other, left_out = (weights.sides["salience"].weights for weights in (unknown, zero, without))
    assert own == pytest.approx(left_out)
    assert own != pytest.approx(other)


def test_a_sentence_is_worth_the_mean_of_its_entities_that_have_a_label() -> None:
    one = replace(judged("a", 0), label=np.array([0, -1, 1, -1]))
    entities = (
        DayEntity(1, "A", "PER", (EntityMention(0, 0, 0, 1, "A"), EntityMention(0, 1, 0, 1, "A"))),
        DayEntity(2, "B", "PER", (EntityMention(0, 1, 0, 1, "B"),)),
        DayEntity(3, "C", "PER", (EntityMention(0, 2, 0, 1, "C"),)),
    )
    document = DayDocument(tuple(Sentence("d", at, "x", 0) for at in range(3)), (("x",),) * 3, 1.0)
    one = replace(
        one,
        day=EventDay("2013-01-01", 0, (document,), entities),
        matrix=FeatureMatrix(NAMES, (1, 2, 3), np.zeros((3, len(NAMES))), np.zeros((3, len(NAMES)))),
    )
    labels = soft_labels(lambda _: np.array([4.0, 1.0, np.nan]))
    assert labels.sentences(one) == pytest.approx([4.0, 2.5, np.nan], nan_ok=True)
    assert labels.quality(one, [1, 3, 2]) == 1.0
    assert labels.quality(one, [2, 3, 1]) == 0.0
    assert soft_labels(lambda _: np.full(3, np.nan)).quality(one, [1, 2, 3]) is None


@every("kind", ["ius", "taer"])
def test_rivals_learn_and_are_read_again(kind, tmp_path) -> None:
    days = []
    for one in DAYS:
        worth = np.array([0.0, 2.0, 0.0])
        document = DayDocument(tuple(Sentence("d", at, "x", 0) for at in range(3)), (("x",),) * 3, 1.0)
        entities = tuple(
            DayEntity(at + 1, f"E{at}", "PER", (EntityMention(0, at % 3, 0, 1, f"E{at}"),) * count)
            for at, count in enumerate((4, 1, 2, 1))
        )
        rows = np.zeros((3, len(SENTENCE_FEATURES)))
        rows[:, 0] = worth
        days.append(
            replace(
                one,
                day=EventDay(one.day.date, 0, (document,), entities),
                sentences=rows,
                sentence_worth=worth,
            )
        )
    weights = learn(days, RankerTraining(kind=kind))
    ranked = rankings(days, lambda _: ranker_of(weights, days))
    assert ranked[0][0] == (2 if kind == "ius" else 1)
    arrays, settings = model_parts(weights)
    path = tmp_path / "model.safetensors"
    path.write_bytes(
        write_model_bytes(Model(card=ModelCard(system=f"entities-{kind}"), arrays=arrays, settings=settings))
    )
    read = ranker_named(kind, str(path)).weights
    first = read.weights if kind == "ius" else read
    assert np.asarray(first) == pytest.approx(
        np.asarray(weights.weights if kind == "ius" else weights), abs=1e-5
    )


def test_days_are_ranked_by_one_ranker_for_each_event() -> None:
    made = []

    def fresh(event: str) -> LinearRanker:
        made.append(event)
        return LinearRanker(weights)

    weights = learn(DAYS, RankerTraining(kind="sal", features=[GOOD], trade_offs=(0.1,)))
    assert len(rankings(DAYS, fresh)) == len(DAYS)
    assert made == ["a", "b", "c", "d"]


EVENTS = ("TS13.1", "TS13.9", "TS14.19")
FLOORS = cases(__file__, "floors")
"""MAP of *match* and *first mention* over the days of three events, each some .02 under what was measured."""


def test_cards_say_what_was_learned_from_and_how_good_it_was() -> None:
    for name, info in RANKERS.items():
        if info.learns and name != "taer":  # whose two counts weigh the same without a model
            card = read_model(f"entities-{name}").card
            assert sum(len(used.events) for used in card.data) == 24
            assert all(used.digest for used in card.data)
            assert f"tidings train entities-{name}" in card.command
            assert "Labels: nuggets" in card.notes
            assert 0 < card.scores["MAP first mention"] < card.scores["MAP match"] < 1


@pytest.mark.long
def test_no_ranker_falls_below_its_floor(shared_data) -> None:
    folders = [shared_data / "trec-ts" / year for year in ("2013", "2014")]
    recogniser = shipped_recogniser()
    days = [
        day
        for event in load_events(folders)
        if event.event.id in EVENTS
        for day in judged_days(event, recogniser)
    ]
    for name, floors in FLOORS.items():
        ranked = rankings(days, lambda event, name=name: ranker_named(name))
        for label, floor in zip(("match", "first mention"), floors, strict=True):
            assert score_rankings(days, ranked, label).mean(Measure("MAP")) >= floor, (name, label)
