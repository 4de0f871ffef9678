"""What is new of an entity since the day before, with values worked out by hand."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np
import pytest

from tests.following.entities.features.small_days import raw, raws, small_day
from tests.sweeps import every
from tidings.following.entities.features.day_facts import TOPICS, TopicModel, mixture
from tidings.following.entities.features.informativeness import jaro_winkler, near_pairs
from tidings.following.entities.features.matrix import EntityFeatures


def two_days(first, second, **options):
    ids: dict[str, int] = {}
    return small_day(*first, ids=ids, date="2013-04-15", **options), small_day(
        *second, ids=ids, date="2013-04-17"
    )


FIRST, SECOND = two_days(
    [["[Rome|LOC] floods farms .", "[Rome|LOC] helps [Bonn|LOC] ."], ["[Roma|LOC=Rome] spokesman sleeps ."]],
    [["[Rome|LOC] floods shops .", "[Oslo|LOC] and [Rome|LOC] sing ."]],
    titles=["Rome floods", "Sleep"],
    confidence=[0.8, 0.2],
)


def after(feature: str, entity: str = "Rome", query: str = "flood") -> float:
    return raw(SECOND, entity, feature, earlier=[FIRST], query=query)


def test_labels_of_the_day_before() -> None:
    rome, oslo = (raws(SECOND, name, earlier=[FIRST]) for name in ("Rome", "Oslo"))
    assert rome["tf_before"] == 2 and rome["df_before"] == 1
    assert rome["title_before"] == 1 and oslo["title_before"] == 0
    assert rome["beside_before"] == 1 and oslo["beside_before"] == 0
    # The terms: rome flood farm rome help bonn roma spokesman sleep.
    assert rome["news_share_before"] == pytest.approx(1 / 9)
    assert rome["companions_differ"] == 1  # Bonn then, Oslo now
    assert oslo["companions_differ"] == 1


def test_companions_that_stay_do_not_differ() -> None:
    first, second = two_days([["[A1|LOC] [B1|LOC] [C1|LOC]"]], [["[A1|LOC] [B1|LOC] [D1|LOC]", "[E1|LOC]"]])
    assert raw(second, "A1", "companions_differ", earlier=[first]) == pytest.approx(1 - 1 / 3)
    alone, still = two_days([["[A1|LOC]"]], [["[A1|LOC]"]])
    assert raw(still, "A1", "companions_differ", earlier=[alone]) == 0


def test_cti_is_one_less_soft_jaccard_weighted_by_confidence() -> None:
    # Today's contexts: {rome flood shop}, {oslo rome sing}; then (.8) {rome flood farm}, (.8) {rome help bonn},
    # (.2) {roma spokesman sleep}.
    one = (0.8 * (1 - 2 / 4) + 0.8 * (1 - 1 / 5) + 0.2) / 1.8
    other = (0.8 * (1 - 1 / 5) + 0.8 * (1 - 1 / 5) + 0.2) / 1.8
    assert after("cti") == pytest.approx((one + other) / 2, abs=1e-6)
    assert after("cti", "Oslo") == 1


def test_words_that_are_nearly_alike_count_in_part() -> None:
    first, second = two_days([["[Xo|LOC] tsarnayev"]], [["[Xo|LOC] tsarnaev"]])
    near = jaro_winkler("tsarnaev", "tsarnayev")
    shared = 1 + near
    assert raw(second, "Xo", "cti", earlier=[first]) == pytest.approx(1 - shared / (4 - shared), abs=1e-6)


def test_cosine_of_counts() -> None:
    first, second = two_days([["[Rome|LOC] flood flood"]], [["[Rome|LOC] flood farm"]])
    assert raw(second, "Rome", "cosine_before", earlier=[first]) == pytest.approx(3 / sqrt(5 * 3), abs=1e-6)
    assert raw(first, "Rome", "cosine_before") == 0


@every("rest", ["", " dam burst"])
def test_divergence_with_dirichlet_smoothing(rest: str) -> None:
    first, second = two_days([["[Rome|LOC] flood"]], [[f"[Rome|LOC] farm{rest}"]])
    now = dict.fromkeys(["rome", "farm", *rest.split()], 1)
    then = {"rome": 1, "flood": 1}
    size = len(now) + len(then)
    mu = size / 2

    def p(word, counts):
        share = (now.get(word, 0) + then.get(word, 0)) / size
        return (counts.get(word, 0) + mu * share) / (len(counts) + mu)

    divergence = sum(p(word, now) * log(p(word, now) / p(word, then)) for word in now | then)
    value = raw(second, "Rome", "divergence_before", earlier=[first])
    assert value == pytest.approx(1 - exp(-divergence), abs=1e-6)


def test_sentences_may_be_compared_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("cti", "cosine_before", "divergence_before", "fresh_sum", "fresh_most")
    together = raws(SECOND, "Rome", earlier=[FIRST])
    monkeypatch.setattr("tidings.following.entities.features.informativeness._TOGETHER", 1)
    few = raws(SECOND, "Rome", earlier=[FIRST])
    assert [few[name] for name in names] == pytest.approx([together[name] for name in names], abs=1e-6)


def test_the_same_again_tells_nothing() -> None:
    first, second = two_days([["[Rome|LOC] floods farms ."]], [["[Rome|LOC] floods farms ."]])
    own = raws(second, "Rome", earlier=[first])
    values = {
        name: own[name]
        for name in (
            "cti",
            "topic_diversity",
            "topic_diversity_all",
            "divergence_before",
            "fresh_sum",
            "change_sum",
        )
    }
    assert values == pytest.approx(dict.fromkeys(values, 0), abs=1e-3)
    assert raw(second, "Rome", "cosine_before", earlier=[first]) == pytest.approx(1)


def test_first_days_are_all_new() -> None:
    for feature in (
        "cti",
        "topic_diversity",
        "topic_diversity_all",
        "divergence_before",
        "companions_differ",
    ):
        assert raw(FIRST, "Rome", feature) == 1, feature
    assert raw(FIRST, "Rome", "fresh_sum") == 3 and raw(FIRST, "Rome", "first_named") == 1


def test_topics_tell_two_subjects_apart() -> None:
    model = TopicModel()
    texts = np.repeat(np.arange(20), 10)
    words = np.where(texts % 2 == 0, 5, 700) + np.tile(np.arange(10), 20)
    for _ in range(5):
        model.learn(texts, words, 20)
    shares = mixture(model.counts(texts, words, 20))
    assert shares.shape == (20, TOPICS) and shares.sum(axis=1) == pytest.approx(np.ones(20))
    near = np.abs(shares[0] - shares[2]).sum()
    far = np.abs(shares[0] - shares[1]).sum()
    assert far > 0.5 and near < 0.1


def test_topic_diversity_sees_another_subject() -> None:
    flood, song = "flood water river dam rain storm", "song dance music stage band concert"
    first, second = two_days(
        [[f"[Rome|LOC] {flood}", f"[Bonn|LOC] {song}"], [f"[Kiel|LOC] {song}"], [f"[Ulm|LOC] {flood}"]],
        [[f"[Rome|LOC] {flood} coast"], [f"[Bonn|LOC] {flood}"]],
    )
    for feature in ("topic_diversity", "topic_diversity_all"):
        same = raw(second, "Rome", feature, earlier=[first] * 3)
        other = raw(second, "Bonn", feature, earlier=[first] * 3)
        assert other > 2 * same, feature


def test_own_informativeness() -> None:
    expected = {
        "first_named": 0,
        "not_before": 0,
        "days_since": 1,
        "days_named": 1,
        "rarity": log(3 / 3),
        "documents_rarity": 0.1,
        "burst": log((0.05 + 1) / (0.05 + 1)),
        "rise": 2 - 3,
        "fresh_sum": (1 - 2 / 4) + (1 - 1 / 5),
        "fresh_most": 1 - 1 / 5,
    }
    values = raws(SECOND, "Rome", earlier=[FIRST])
    assert {name: values[name] for name in expected} == pytest.approx(expected, abs=1e-6)
    oslo = {
        "first_named": 1,
        "not_before": 1,
        "days_since": 10,
        "days_named": 0,
        "rarity": log(3 / 1),
        "documents_rarity": 0.1 + log(3),
        "burst": log(1.05 / 0.05),
        "rise": 1,
        "change_sum": 1,
    }
    values = raws(SECOND, "Oslo", earlier=[FIRST])
    assert {name: values[name] for name in oslo} == pytest.approx(oslo, abs=1e-6)


def test_who_was_named_before_yesterday_is_not_new_but_was_not_there() -> None:
    ids: dict[str, int] = {}
    days = [small_day([text], ids=ids) for text in ("[A1|LOC] x", "[B1|LOC] x", "[A1|LOC] x")]
    values = [
        raw(days[2], "A1", name, earlier=days[:2]) for name in ("first_named", "not_before", "days_since")
    ]
    assert values == [0, 1, 2]
    assert raw(days[2], "A1", "cti", earlier=days[:2]) == 1
    assert raw(days[2], "A1", "burst", earlier=days[:2]) == pytest.approx(log(1.05 / (0.05 + 1 / 2)))


def test_what_is_remembered_does_not_grow_with_the_days() -> None:
    features = EntityFeatures("flood")
    sizes = []
    for number in range(16):
        features.matrix(small_day([f"[Rome|LOC] flood number{number}"], ids={"Rome": 1}))
        sizes.append(len(features.state()))
    assert sizes[-1] - sizes[9] < 20


def test_only_five_days_and_ten_are_looked_back_on() -> None:
    ids: dict[str, int] = {}
    old = small_day(["[A1|LOC] x"], ids=ids)
    between = [small_day(["[B1|LOC] x"], ids=ids)] * 12
    assert raw(old, "A1", "burst", earlier=[old, *between[:5]]) == pytest.approx(log(1.05 / 0.05))
    assert raw(old, "A1", "burst", earlier=[old, *between[:4]]) == pytest.approx(log(1.05 / 0.25))
    assert raw(old, "A1", "days_since", earlier=[old, *between]) == 10
    assert raw(old, "A1", "days_since", earlier=[old, *between[:5]]) == 6


def test_words_are_compared_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = ["tsarnaev", "dzhokhar"], ["tsarnayev", "dzhokar"]
    assert len(near_pairs(ours, theirs)) == 2
    monkeypatch.setattr("tidings.following.entities.features.informativeness._MOST_COMPARED", 1)
    assert [number for number, _, _ in near_pairs(ours, theirs)] == [0]


def test_companions_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.following.entities.features.informativeness.MOST_COMPANIONS", 1)
    first, second = two_days(
        [["[A1|LOC] [B1|LOC]", "[A1|LOC] [C1|LOC]", "[A1|LOC] [D1|LOC]"]], [["[A1|LOC]"]]
    )
    assert raw(second, "A1", "beside_before", earlier=[first]) == 1


def test_topics_go_on_from_their_state() -> None:
    texts, words = np.repeat(np.arange(4), 6), np.arange(24) % 11
    first = TopicModel()
    first.learn(texts, words, 4)
    second = TopicModel(first.state(), first.steps)
    for model in (first, second):
        model.learn(texts, words, 4)
    assert first.state() == second.state()
    assert (first.counts(texts, words, 4) == second.counts(texts, words, 4)).all()
