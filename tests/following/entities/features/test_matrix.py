"""The matrix of a day: its shape, its bounds, what it remembers, and that it does not look ahead."""

from __future__ import annotations

import numpy as np
import pytest

from tests.following.entities.features.small_days import small_day
from tidings.core.errors import UsageError
from tidings.following.entities.features.day_facts import Memory
from tidings.following.entities.features.matrix import ENTITY_FEATURES, EntityFeatures, quantiles

IDS: dict[str, int] = {}
DAYS = [
    small_day(
        ["[Boston|LOC] was hit by two bombs .", "[Barack Obama|PER] said <he|Barack Obama> would help ."],
        ["The [FBI|ORG] leads the inquiry in [Boston|LOC] ."],
        ids=IDS,
        date="2013-04-15",
    ),
    small_day(
        ["[Boston|LOC] was hit by two bombs .", "[Tamerlan Tsarnaev|PER] died ."], ids=IDS, date="2013-04-19"
    ),
    small_day(
        ["[Obama|PER=Barack Obama] spoke in [Boston|LOC] of [Tamerlan Tsarnaev|PER] ."],
        ids=IDS,
        date="2013-04-20",
    ),
]


def matrices(days, features=None):
    features = features or EntityFeatures("Boston bombing")
    return [features.matrix(day) for day in days]


def test_every_entity_has_a_row_and_every_feature_a_column_within_bounds() -> None:
    for day, matrix in zip(DAYS, matrices(DAYS), strict=True):
        assert matrix.ids == tuple(one.id for one in day.entities)
        assert matrix.values.shape == matrix.raw.shape == (len(day.entities), len(ENTITY_FEATURES))
        assert np.isfinite(matrix.raw).all()
        assert matrix.values.min() >= 0 and matrix.values.max() <= 1


def test_nothing_of_a_later_day_is_used() -> None:
    for end in (1, 2):
        for alone, whole in zip(matrices(DAYS[:end]), matrices(DAYS), strict=False):
            assert (alone.raw == whole.raw).all()


def test_resumed_is_undisturbed() -> None:
    first = EntityFeatures("Boston bombing")
    matrices(DAYS[:2], first)
    second = EntityFeatures("Boston bombing")
    second.restore(first.state())
    assert (first.matrix(DAYS[2]).raw == second.matrix(DAYS[2]).raw).all()
    assert first.state() == second.state()


def test_quantiles_put_ends_at_0_and_1_and_ties_in_the_middle() -> None:
    values = np.array([[0.0, 5.0], [0.0, 5.0], [2.0, 5.0], [2.0, 5.0], [9.0, 5.0]])
    assert quantiles(values)[:, 0] == pytest.approx([0, 0, 0.625, 0.625, 1])
    assert (quantiles(values)[:, 1] == 0).all()
    assert quantiles(-values)[:, 0] == pytest.approx([1, 1, 0.375, 0.375, 0])
    assert (quantiles(values[:1]) == 0).all()


@pytest.mark.parametrize(
    "documents",
    [
        [],
        [["No name at all ."]],
        [["[Rome|LOC]"]],
        [["[ROME|LOC] WAS HIT BY A STORM , [MAYOR ROSSI|PER] SAID ."]],
        [["[東京|LOC] で 地震 が あり 、 [安倍晋三|PER] が 会見 した 。"]],
        [["", "[Rome|LOC] ."]],
        [["is it [The|LOC] ?"], ["[Ω|ORG] : !"]],
    ],
)
@pytest.mark.parametrize("query", ["", "storm", "東京"])
def test_odd_days_have_finite_features(documents, query) -> None:
    features = EntityFeatures(query)
    day = small_day(*documents)
    for _ in range(3):
        matrix = features.matrix(day)
        assert np.isfinite(matrix.raw).all()
        assert len(matrix.values) == len(day.entities)
        assert ((matrix.values >= 0) & (matrix.values <= 1)).all()


def test_a_day_of_very_many_entities() -> None:
    many = 900
    names = [f"Name{number} Other{number % 97}" for number in range(many)]
    sentences = [
        " and ".join(f"[{name}|PER]" for name in names[begin : begin + 10]) + " spoke ."
        for begin in range(0, many, 10)
    ]
    ids: dict[str, int] = {}
    features = EntityFeatures("flood")
    day = small_day(sentences[:50], sentences[50:], ids=ids)
    for _ in range(2):
        matrix = features.matrix(day)
        assert matrix.values.shape[0] == many and np.isfinite(matrix.raw).all()
    assert len(features.state()) < 1_000_000


def test_confidence_of_nothing_is_a_plain_mean() -> None:
    day = small_day(["x [Rome|LOC] fell ."], ["[Rome|LOC] fell ."], confidence=[0.0, 0.0])
    features = EntityFeatures("flood")
    matrix = features.matrix(day)
    assert matrix.raw[0, matrix.names.index("word_offset")] == pytest.approx(0.5)


def test_the_table_says_what_each_feature_is() -> None:
    assert len({feature.name for feature in ENTITY_FEATURES}) == len(ENTITY_FEATURES)
    for feature in ENTITY_FEATURES:
        assert feature.formula.endswith("."), feature.name
        assert (feature.origin == "ours") == feature.group.startswith("ours"), feature.name
        assert bool(feature.symbol) == (feature.origin != "ours"), feature.name


def test_all_of_the_papers_table_is_there() -> None:
    """The features of its Table 1, side by side."""
    salience = (
        "Tf Df WO SO SentLen Sent-5 Sent-10 1-Sent 2-Sent 3-Sent TITLE CoEntM Sum-B Sum-F Uni Bi Bi4 Att Sent"
    )
    salience += " Read-1 Read-2 Read-3 PR POS NewsFrac"
    informativeness = "PTf Pdf CoEntE CTI TDiv CosSim DisSim EntDif TITLEP NewsFracP"
    for side, symbols in (("salience", salience), ("informativeness", informativeness)):
        own = {feature.symbol for feature in ENTITY_FEATURES if feature.side == side and feature.symbol}
        assert own == set(symbols.split())


def test_forgetting_words_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = matrices(DAYS)
    monkeypatch.setattr("tidings.following.entities.features.word_facts._MOST", 3)
    features = EntityFeatures("Boston bombing")
    sizes = []
    for day, one in zip(DAYS, whole, strict=True):
        assert features.matrix(day).raw == pytest.approx(one.raw)
        sizes.append(features.words)
    assert max(sizes) < 30 and sizes[1] <= sizes[0]


def test_what_is_kept_of_a_day_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.following.entities.features.matrix.MOST_SENTENCES", 5)
    monkeypatch.setattr("tidings.following.entities.features.day_facts.MOST_ENTITIES", 6)
    features = EntityFeatures("flood")
    day = small_day([f"[Name{number}|PER] spoke of [Rome|LOC] number{number} ." for number in range(20)])
    features.matrix(day)
    memory = Memory.read(features.state())
    assert len(memory.before.sentences) == 5 and len(memory.entities) == 6
    assert max(number for own in memory.before.contexts.values() for number in own) == 4


def test_who_was_named_longest_ago_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.following.entities.features.day_facts.MOST_ENTITIES", 2)
    memory = Memory()
    for entity in (1, 2, 1, 3):
        memory.name(entity, "2013-04-15", 1, 1, 0.5)
        memory.days += 1
    assert sorted(memory.entities) == [1, 3]
    for _ in range(9):
        memory.name(1, "2013-04-15", 1, 1, 0.5)
    assert len(memory.entities[1].latest) == 5 and memory.entities[1].mentions == 11


def test_a_state_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="state"):
        EntityFeatures("flood").restore(b"nothing")


@pytest.mark.long
def test_a_day_of_fifty_thousand_entities() -> None:
    names = [f"Name{number} Other{number % 97}" for number in range(50_000)]
    sentences = [
        " and ".join(f"[{name}|PER]" for name in names[begin : begin + 10]) + " spoke ."
        for begin in range(0, len(names), 10)
    ]
    features = EntityFeatures("flood")
    day = small_day(*[sentences[number::20] for number in range(20)])
    for _ in range(2):
        matrix = features.matrix(day)
        assert matrix.values.shape[0] == 50_000 and np.isfinite(matrix.raw).all()
    assert len(features.state()) < 8_000_000
