"""Rankers order a day's entities, say why, and go on where they stopped."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.core.models.files import Model
from tidings.core.records import ModelCard, Sentence
from tidings.following.entities.event_days import DayDocument, DayEntity, EntityMention, EventDay
from tidings.following.entities.features.matrix import ENTITY_FEATURES, FeatureMatrix
from tidings.following.entities.ranking import (
    RANKERS,
    LinearRanker,
    LinearWeights,
    SideWeights,
    knots_of,
    ranker_named,
    read_linear,
)
from tidings.following.entities.rivals import SENTENCE_FEATURES, SentenceRanker, SentenceWeights

NAMES = tuple(one.name for one in ENTITY_FEATURES)
SAL = ("documents", "mentions")
INF = ("burst",)


def day(date: str) -> EventDay:
    return EventDay(date, 0, (), ())


def matrix(ids=(1, 2, 3), **columns) -> FeatureMatrix:
    values = np.zeros((len(ids), len(NAMES)))
    for name, column in columns.items():
        values[:, NAMES.index(name)] = column
    return FeatureMatrix(NAMES, ids, values, 10 * values)


def side(features, weights, centre=None, farthest=1.0) -> SideWeights:
    count = len(features)
    centre = np.zeros(2 * count) if centre is None else np.asarray(centre, float)
    return SideWeights(
        features, np.zeros(count), np.ones(count), np.asarray(weights, float), centre, farthest
    )


def weights(kind="adapter", **changes) -> LinearWeights:
    sides = {
        "salience": side(SAL, [1.0, 2.0], farthest=2.0),
        "informativeness": side(INF, [3.0], farthest=4.0),
    }
    return LinearWeights(kind, {**sides, **changes})


def test_counts_rank_by_what_was_counted_and_equals_by_id() -> None:
    ranked = ranker_named("frequency").rank(day("2013-01-01"), matrix(mentions=[0.5, 0.9, 0.5]))
    assert [one.id for one in ranked] == [2, 1, 3]
    assert ranked[0].score == pytest.approx(9.0)
    told = ranker_named("contexts").explain(day("2013-01-01"), matrix(distinct_contexts=[0, 0, 1]), 3)
    assert [(one.feature, one.value) for one in told] == [("distinct_contexts", 10.0)]


def test_without_adaptation_both_sides_count_whole() -> None:
    ranker = LinearRanker(weights("no-adapt"))
    ranked = ranker.rank(day("2013-01-01"), matrix(documents=[1, 0, 0], mentions=[0, 1, 0], burst=[0, 0, 1]))
    assert [(one.id, one.salience, one.informativeness) for one in ranked] == [
        (3, 0, 3),
        (2, 2, 0),
        (1, 1, 0),
    ]


def test_adapter_weighs_sides_by_likeness_and_gap() -> None:
    rows = matrix(ids=(1, 2), documents=[1, 0], mentions=[1, 0], burst=[0, 1])
    ranker = LinearRanker(weights())
    # descriptions: means .5 .5, variances .25 .25 → .625 of 2; .5 and .25 → .3125 of 4
    s, i = 1 - 0.625 / 2, 1 - 0.3125 / 4
    first = {one.id: one for one in ranker.rank(day("2013-01-01"), rows)}
    assert first[1].salience == pytest.approx(3 * s)
    assert first[2].informativeness == pytest.approx(3 * i)
    later = {one.id: one for one in ranker.rank(day("2013-01-05"), rows)}
    assert later[2].informativeness == pytest.approx(3 * i * 0.5 ** (0.5 * 4))
    assert later[1].salience == pytest.approx(3 * s)


def test_a_day_unlike_all_that_was_learned_from_is_ranked_by_the_other_side() -> None:
    far = weights(salience=side(SAL, [1.0, 2.0], centre=[9, 9, 9, 9], farthest=1.0))
    ranked = LinearRanker(far).rank(day("2013-01-01"), matrix(mentions=[1, 0, 0], burst=[0, 0, 1]))
    assert [one.id for one in ranked] == [3, 1, 2]
    assert all(one.salience == 0 for one in ranked)


def test_a_day_ranked_twice_is_ranked_alike_and_state_carries_the_gap() -> None:
    rows = matrix(ids=(1, 2), documents=[1, 0], burst=[0, 1])
    ranker = LinearRanker(weights())
    ranker.rank(day("2013-01-01"), rows)
    saved = ranker.state()
    once = ranker.rank(day("2013-01-04"), rows)
    assert ranker.rank(day("2013-01-04"), rows) == once
    ranker.explain(day("2013-01-04"), rows, 1)
    assert ranker.rank(day("2013-01-04"), rows) == once
    resumed = LinearRanker(weights())
    resumed.restore(saved)
    assert resumed.rank(day("2013-01-04"), rows) == once
    assert LinearRanker(weights()).rank(day("2013-01-04"), rows) != once


def test_contributions_add_up_to_the_distance_from_the_mean() -> None:
    rows = matrix(documents=[1, 0.2, 0], mentions=[0.3, 0.1, 0], burst=[0, 0.7, 1])
    ranker = LinearRanker(weights())
    ranked = {one.id: one.score for one in ranker.rank(day("2013-01-01"), rows)}
    told = ranker.explain(day("2013-01-01"), rows, 3)
    mean = sum(ranked.values()) / 3
    assert sum(one.amount for one in told) == pytest.approx(ranked[3] - mean)
    assert [abs(one.amount) for one in told] == sorted((abs(one.amount) for one in told), reverse=True)
    assert {one.feature: one.side for one in told}["burst"] == "informativeness"


def test_a_day_without_entities_ranks_nobody() -> None:
    empty = FeatureMatrix(NAMES, (), np.zeros((0, len(NAMES))), np.zeros((0, len(NAMES))))
    assert LinearRanker(weights()).rank(day("2013-01-01"), empty) == []
    assert ranker_named("contexts").rank(day("2013-01-01"), empty) == []


def test_who_is_not_there_cannot_be_explained() -> None:
    with pytest.raises(UsageError, match="entity 9"):
        LinearRanker(weights()).explain(day("2013-01-01"), matrix(), 9)


def test_models_and_states_that_do_not_fit_are_refused() -> None:
    with pytest.raises(UsageError, match="learns nothing and takes no model"):
        ranker_named("frequency", "some.safetensors")
    with pytest.raises(UsageError, match="keeps no state"):
        ranker_named("frequency").restore(b"x")
    other = Model(
        card=ModelCard(system="entities-sal"),
        arrays={f"salience_{part}": np.ones(1) for part in ("mean", "scale", "weights", "centre")},
        settings={"salience_features": ["documents"], "salience_farthest": 1.0},
    )
    with pytest.raises(UsageError, match="other features"):
        read_linear(other, "sal")


def test_ours_sees_places_and_sizes_and_explains_them_together() -> None:
    both = SideWeights(
        ("documents",), np.zeros(2), np.ones(2), np.array([1.0, 2.0]), np.zeros(4), 1.0, sizes=True
    )
    other = SideWeights(
        ("burst",), np.zeros(2), np.ones(2), np.array([0.0, 3.0]), np.zeros(4), 1.0, sizes=True
    )
    ranker = LinearRanker(LinearWeights("tidings", {"salience": both, "informativeness": other}))
    rows = matrix(ids=(1, 2), documents=[1, 0], burst=[0, -1])
    ranked = {one.id: one for one in ranker.rank(day("2013-01-01"), rows)}
    # Raw values are ten times the places: 1 + 2 log 11, and -3 log 11.
    assert ranked[1].score == pytest.approx(1 + 2 * np.log(11))
    assert ranked[2].score == pytest.approx(-3 * np.log(11))
    told = {one.feature: one.amount for one in ranker.explain(day("2013-01-01"), rows, 1)}
    assert told == pytest.approx({"documents": 0.5 + np.log(11), "burst": 1.5 * np.log(11)})


@every("name", list(RANKERS))
def test_every_ranker_orders_days_and_goes_on_where_it_stopped(name) -> None:
    rng = np.random.default_rng(0)
    days = []
    for date in ("2013-01-01", "2013-01-02", "2013-01-06"):
        mentions = rng.integers(1, 9, 6)
        texts = [f"E{at} saw {count} boats burn at port {date}." for at, count in enumerate(mentions)]
        document = DayDocument(
            tuple(Sentence("d", at, text, 0) for at, text in enumerate(texts)),
            tuple(tuple(text.split()) for text in texts),
            1.0,
        )
        entities = tuple(
            DayEntity(at, f"E{at}", "PER", (EntityMention(0, at, 0, 1, f"E{at}"),) * int(count))
            for at, count in enumerate(mentions)
        )
        values = rng.random((6, len(NAMES)))
        days.append(
            (EventDay(date, 0, (document,), entities), FeatureMatrix(NAMES, tuple(range(6)), values, values))
        )
    whole = ranker_named(name)
    orders = [whole.rank(*one) for one in days]
    assert all(sorted(one.id for one in order) == list(range(6)) for order in orders)
    assert all(
        [one.score for one in order] == sorted((one.score for one in order), reverse=True) for order in orders
    )
    first = ranker_named(name)
    first.rank(*days[0])
    first.rank(*days[1])
    resumed = ranker_named(name)
    resumed.restore(first.state())
    assert resumed.rank(*days[2]) == orders[2]
    assert resumed.explain(*days[2], 3)
    assert resumed.rank(*days[2]) == orders[2]


def test_taer_counts_earlier_days() -> None:
    def named(date, **counts):
        entities = tuple(
            DayEntity(int(name[1:]), name, "PER", (EntityMention(0, 0, 0, 1, name),) * count)
            for name, count in counts.items()
        )
        ids = tuple(one.id for one in entities)
        return EventDay(date, 0, (), entities), matrix(ids=ids)

    ranker = ranker_named("taer")
    ranker.rank(*named("2013-01-01", e1=7, e2=1))
    ranked = ranker.rank(*named("2013-01-02", e1=1, e2=2, e3=6))
    assert [one.id for one in ranked] == [1, 3, 2]
    assert ranked[0].score == pytest.approx(np.log(2) + np.log(8))


def test_taer_weighs_its_two_counts_as_a_model_says(tmp_path) -> None:
    from tidings.core.models.files import write_model_bytes

    arrays = {"weights": np.array([0.0, 1.0], np.float32)}
    path = tmp_path / "taer.safetensors"
    path.write_bytes(write_model_bytes(Model(card=ModelCard(system="entities-taer"), arrays=arrays)))
    rows = np.array([[3.0, 0.0], [0.0, 1.0]])
    assert (rows @ ranker_named("taer").weights).tolist() == [3.0, 1.0]
    assert (rows @ ranker_named("taer", str(path)).weights).tolist() == [0.0, 1.0]
    wrong = {"weights": np.ones(3, np.float32)}
    path.write_bytes(write_model_bytes(Model(card=ModelCard(system="entities-taer"), arrays=wrong)))
    with pytest.raises(UsageError, match="weights"):
        ranker_named("taer", str(path))


def sentences_day(date: str, *texts: str) -> EventDay:
    """A document of these sentences; each entity E1, E2 … is mentioned wherever a sentence has its name."""
    tokens = tuple(tuple(text.split()) for text in texts)
    document = DayDocument(tuple(Sentence("d", at, text, 0) for at, text in enumerate(texts)), tokens, 1.0)
    entities = tuple(
        DayEntity(
            number,
            f"E{number}",
            "PER",
            tuple(
                EntityMention(0, at, place, place + 1, f"E{number}")
                for at, own in enumerate(tokens)
                for place, token in enumerate(own)
                if token == f"E{number}"
            ),
        )
        for number in (1, 2)
    )
    return EventDay(date, 0, (document,), entities)


def sentence_weights(**weights: float) -> SentenceWeights:
    count = len(SENTENCE_FEATURES)
    return SentenceWeights(
        np.zeros(count), np.ones(count), np.array([weights.get(name, 0.0) for name in SENTENCE_FEATURES])
    )


def test_ius_scores_an_entity_by_the_mean_over_all_its_sentences() -> None:
    """Section 6.2: no cut-off, the average over sentences, so that many mentions bring nothing by themselves."""
    one = sentences_day("2013-01-01", "E1 E1 has 40 boats", "E1 rests", "E1 sleeps", "E2 lost 12 boats")
    ranked = SentenceRanker(sentence_weights(figures=3.0)).rank(one, matrix(ids=(1, 2)))
    assert [(entity.id, entity.score) for entity in ranked] == [
        (2, pytest.approx(1.0)),
        (1, pytest.approx(1 / 3)),
    ]


def test_ius_sees_what_earlier_days_said() -> None:
    ranker = SentenceRanker(sentence_weights(new=1.0))
    rows = matrix(ids=(1, 2))
    first = ranker.rank(sentences_day("2013-01-01", "E1 burnt boats", "E2 left harbour"), rows)
    assert [entity.informativeness for entity in first] == [1.0, 1.0]
    again = ranker.rank(sentences_day("2013-01-02", "E1 burnt boats", "E2 found divers"), rows)
    assert [entity.id for entity in again] == [2, 1]
    assert again[1].score == pytest.approx(0.0, abs=1e-6)
    told = ranker.explain(sentences_day("2013-01-02", "E1 burnt boats", "E2 found divers"), rows, 2)
    assert told[0].feature == "new"
    assert told[0].amount > 0


def test_places_among_days_let_days_differ_and_places_within_a_day_do_not() -> None:
    """Section 5: quantiles over all; within the day every day has nearly the same mean, and S and I are pinned."""
    knots = knots_of(np.array([np.linspace(0, 10, 11)] * 2).T)
    across = SideWeights(SAL, np.zeros(2), np.ones(2), np.ones(2), np.zeros(4), 1.0, knots=knots)
    within = side(SAL, [1.0, 1.0])
    low, high = (matrix(ids=(1, 2, 3), documents=own) for own in ([0, 0.1, 0.2], [0.8, 0.9, 1.0]))
    for rows in (low, high):
        rows.values[:, NAMES.index("documents")] = [0, 0.5, 1]
    assert across.rows(low)[:, 0].mean() == pytest.approx(0.1)
    assert across.rows(high)[:, 0].mean() == pytest.approx(0.9)
    assert within.rows(low)[:, 0].mean() == within.rows(high)[:, 0].mean()
